// The data of a report as JSON, between scenes/report (which writes it) and scenes/report/page (which shows it).
//
// In the page it stands in <script type="application/json" id="stagger-data">. Numbers that do not apply are null.
// ARRAY is {"type": "f32" | "i16" | "i32" | "u8", "shape": [..], "scale": 1, "data": base64, little endian}: i16 values
// are to be multiplied by `scale`. Everything is SI, world frame, Y up, Z forward, X left; quaternions x y z w.
//
// {
//   "format": "stagger-report", "version": 1, "kind": "trace" | "study",
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
// STUDY {
//   "trials": 1600, "done": 1600, "cells": 80, "repeats": 20,
//   "axes": [{"name": "direction", "key": "events.0.direction", "unit": "deg", "is_number": true, "values":
//   [0, 22.5..],
//             "random": false}],
//   "columns": [{"name": "man.fell", "unit": "bool", "kind": "number" | "text", "doc": "..."}],
//   "rows": {"man.fell": ARRAY [rows] f32 or list of texts},          // column by column, at most 20000 rows (then
//   "rows"
//                                                                     // has the first ones and "cut" their number)
//   "summary": [{"scope": "all" | "axis" | "cell", "axis": 0, "value": 3, "cell": 17, "column": 7, "label": "",
//                "trials", "count", "repeats", "share", "share_low", "share_high", "effective", "median",
//                "median_low", "median_high",
//                "mean", "deviation", "min", "max", "quartile_1", "quartile_3"}],
//   "statuses": [["complete", 1598], ["stopped", 2]]
// }
#ifndef STAGGER_SCENES_REPORT_REPORT_DATA_H
#define STAGGER_SCENES_REPORT_REPORT_DATA_H

#include <cjson/cJSON.h>

#include "scenes/report/report_run.h"
#include "scenes/sweep/summary.h"

enum {
  REPORT_MOST_FRAMES = 3601,
  REPORT_MOST_POSES = 100000,
  REPORT_MOST_TRACES = 12,
  REPORT_MOST_STUDY_FRAMES = 6000
};

// The object TRACE; the caller owns it. At most most_frames frames, and REPORT_MOST_POSES poses of parts: of longer
// runs every n-th frame is taken, n is report_trace_stride. NULL and an error: no memory.
cJSON *report_trace(const ReportRun *run, long most_frames, Error *error);
int report_trace_stride(const ReportRun *run, long most_frames);

// The object STUDY; the caller owns it. NULL and an error: no memory.
const char *report_column_doc(const char *column); // what a column of the trials means, "" when unknown
cJSON *report_study(const StudyDef *study, const Table *table, const Summary *summary, Error *error);

#endif
