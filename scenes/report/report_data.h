// The data of a report as JSON, between scenes/report (which writes it) and scenes/report/page (which shows it).
//
// In the page it stands in <script type="application/json" id="stagger-data">. Numbers that do not apply are null.
// ARRAY is {"type": "f32" | "i16" | "i32" | "u8", "shape": [..], "scale": 1, "data": base64, little endian}: i16 values
// are to be multiplied by `scale`. Everything is SI, world frame, Y up, Z forward, X left; quaternions x y z w.
//
// {
//   "format": "stagger-report", "version": 2, "kind": "trace" | "study",
//   "title": "hit_run", "purpose": "...",
//   "provenance": [["Stagger", "0.1.0"], ["scene", "hit_run.yaml"], ["seed", "1"], ["status", "complete"],
//                  ["command", "stagger report ..."], ...],         // rows of a table, in order
//   "texts": [{"name": "scene", "text": "..."}],                     // the scene (and study) file
//   "traces": [TRACE, ...],                                          // one; of a study those that were kept, at most
//                                                                     // REPORT_MOST_TRACES
//   "study": STUDY                                                    // of kind "study" only
// }
//
// TRACE {
//   "name": "hit_run", "status": "complete", "seed": 1, "trial": 17 (of a study),
//   "time": ARRAY [T] f32, "frame_rate": 60,
//   "terrain": {"position": ARRAY [V,3] f32, "index": ARRAY [I,3] i32} (absent: flat at y = 0),
//   "characters": [{
//     "name": "runner", "mass": 75.0,
//     "parts": [{"name": "pelvis", "shapes": [{"kind": "box" | "capsule" | "sphere", "size": [..] as in ShapeDef,
//                "axis": 0 | 1 | 2, "position": [x, y, z], "rotation": [x, y, z, w] of the shape in the joint's
//                frame}]}],
//     "poses": {"output" | "target" | "measured": {"position": ARRAY [T,P,3] f32, "rotation": ARRAY [T,P,4] i16}},
//                                                   // joint frames in the world
//     "com": ARRAY [T,3],                           // its centre of mass
//     "assist_point": ARRAY [T,3],                  // where the assist's force acts; NaN without assist
//     "plots": [{"group": "Assist", "label": "force", "unit": "N", "path": "assist/force",
//                "series": [{"name": "x", "data": ARRAY [T]}], "log": false}],
//     "metrics": [{"group": "Hits", "name": "recovery_time", "text": "0.140", "unit": "s", "value": 0.14, "doc":
//     "..."}], "hits": [{"time", "part", "impulse", "recovery_strategy", "recovery_time", "peak_pose_error",
//               "peak_com_displacement", "peak_assist_force", "assist_impulse", "support_margin_min", "steps_taken"}]
//               // absent when the trace does not carry them
//   }],
//   "objects": [{"name", "shape": as above, "position": ARRAY [T,3], "rotation": ARRAY [T,4]}],
//   "contacts": {"first": ARRAY [T] i32, "count": ARRAY [T] i32, "position": ARRAY [C,3] f32, "impulse": ARRAY [C,3]
//   f32}, "events": [{"time", "kind", "character", "part", "point": [3], "impulse": [3]}], "expect": [{"text", "value",
//   "ok"}]
// }
//
// STUDY {                                                           // all that the page shows of it
//   "trials": 1600, "done": 1600, "cells": 80, "repeats": 20,
//   "incomplete": 2,                                                // trials that did not end as planned
//   "repeats_alike": false,                                         // true: intervals mean nothing
//   "axes": [{"name": "direction", "key": "events.0.direction", "unit": "deg", "is_number": true,
//             "values": [0, 22.5, ..],                              // none where it is drawn for every trial,
//             "random": false,                                      // which this says
//             "is_turn": true}],                                    // directions, evenly over a full turn
//   "columns": [{"name": "man.fell", "short": "fell", "unit": "bool", "kind": "number" | "text", "doc": "..."}],
//   "rows": {"man.fell": ARRAY [rows] f32 or list of texts},        // column by column, at most 20000 rows (then
//   "rows"
//                                                                   // has the first ones and "cut" tells how many more
//                                                                   // there are)
//   "measures": [{"column": 7, "label": "", "is_share": true}],     // a column, or a label of a column of texts: its
//                                                                   // share of the trials, else the median
//   "main": [0, 4, ..],                                             // the most important measures
//   "over": [GRID, ...],                                            // the whole first, then each axis, two axes, all
//   of
//                                                                   // three axes: as far as there are not too many
//                                                                   cells
//   "directions": DIRECTIONS                                        // absent unless an axis "is_turn"
// }
//
// GRID: results for all combinations of the values of some axes, over all others. All lists have a number for each
// combination; the last axis varies fastest. The figures are those of summary.csv, with nine digits.
// {
//   "axes": [0, 1], "shape": [16, 7], "trials": [..],
//   "measures": [{"count": [..], "value": [..], "low": [..], "high": [..]}],  // value: share or median; low, high: its
//                                                                   // 95 % interval; count: trials that they are of.
//                                                                   // Of the whole also "repeats", "effective",
//                                                                   "mean",
//                                                                   // "deviation", "min", "quartile_1", "quartile_3",
//                                                                   // "max"
//   "bins": [[low, median, high], ..]                               // of an axis drawn for every trial: the ranges
//   that
//                                                                   // stand for its values
// }
//
// DIRECTIONS: successes and strategies around the character, see direction_table.h.
// {
//   "turn": 0, "outward": 1 | null, "other": 2 | null,              // axes: around, outward, of the further tables
//   "success": "man.fell == 0", "has_strategies": true,
//   "sectors": [0, 22.5, ..],                                       // deg
//   "tables": [{"count": [..], "successes": [..], "low": [..], "high": [..],  // [rings * sectors], ring by ring
//               "told": [..], "strategies": {"ankle": [..], "hip": [..], "step": [..], "steps": [..], "fall": [..]}}]
//                                                                   // first of all trials, then of each value of
//                                                                   "other"
// }
#ifndef STAGGER_SCENES_REPORT_REPORT_DATA_H
#define STAGGER_SCENES_REPORT_REPORT_DATA_H

#include <cjson/cJSON.h>

#include "scenes/report/report_run.h"
#include "scenes/report/study_results.h"

// The object TRACE, of the frames that the run keeps; the caller owns it. NULL and an error: no memory.
cJSON *report_trace(const ReportRun *run, Error *error);

// The object STUDY; the caller owns it. NULL and an error: no memory.
cJSON *report_study(const StudyResults *results, Error *error);

#endif
