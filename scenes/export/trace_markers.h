// Markers on a character, as a laboratory would place them: at the joints and at the ends of parts, followed through
// all frames of a pose. All formats of markers have the same.
//
// Names: PART is the joint by which the part hangs on its parent, of the first part its own joint: thigh_r is the
// centre of the right hip. PART.heel and PART.toe are the middles of the back and the front edge of a leg's sole;
// PART.end is the middle of the far side of a part on which no other hangs: of a head its top, of a hand its
// fingertips. Parts' names have no dot, so that no two markers have the same name.
#ifndef STAGGER_SCENES_EXPORT_TRACE_MARKERS_H
#define STAGGER_SCENES_EXPORT_TRACE_MARKERS_H

#include "scenes/description/trace_motion.h"

enum { MARKERS_MAX = 2 * BODY_MAX_PARTS + 2 * SKELETON_MAX_LEGS, MARKER_NAME_SIZE = SKELETON_NAME_SIZE + 8 };

typedef struct Marker {
  char name[MARKER_NAME_SIZE];
  int joint;
  vec3s place_l; // in the joint's frame, m
} Marker;

typedef struct TraceMarkers {
  TraceMotion *motion;
  Marker markers[MARKERS_MAX];
  int count;
  vec3s *places; // [frame_count * count] m, world
} TraceMarkers;

// Arguments and errors of trace_motion_read. After an error there is nothing to free.
bool trace_markers_read(TraceMarkers *markers, TraceReader *reader, const SceneDef *def, const char *character,
                        TracePose pose, Error *error);
void trace_markers_free(TraceMarkers *markers);

// What a file of the markers contains: "runner, output pose, 205 frames at 60 Hz, 26 markers, mm".
void trace_markers_describe(const TraceMarkers *markers, char *text, size_t size);

// Whether no other part hangs on the part.
bool part_is_last(const BodyDef *body, int part);

// The middle of the far side of the part's last shape, from the part's joint, m; zero without shapes.
vec3s part_far_end(const PartDef *part);

#endif
