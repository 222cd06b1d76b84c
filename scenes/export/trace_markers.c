// Places markers at the joints, soles and ends of a body, and follows them through a motion.
#include "scenes/export/trace_markers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool part_is_last(const BodyDef *body, int part) {
  for (int p = part + 1; p < body->part_count; p++)
    if (body->parts[p].parent == part)
      return false;
  return true;
}

vec3s part_far_end(const PartDef *part) {
  vec3s end = {{0, 0, 0}};
  if (part->shape_count == 0)
    return end;
  const ShapeDef *shape = &part->shapes[part->shape_count - 1];
  int axis = 0; // axis along which the shape extends farthest
  double reach[3];
  for (int k = 0; k < 3; k++) {
    const double to_center = shape->center_m[k] - part->joint.position[k];
    reach[k] = to_center + copysign(shape_half_size(shape, k), to_center);
    end.raw[k] = (float)to_center;
    if (fabs(reach[k]) > fabs(reach[axis]))
      axis = k;
  }
  end.raw[axis] = (float)reach[axis];
  return end;
}

static void add(TraceMarkers *markers, const char *part, const char *suffix, int joint, vec3s place) {
  Marker *marker = &markers->markers[markers->count++];
  *marker = (Marker){.joint = joint, .place_l = place};
  snprintf(marker->name, sizeof marker->name, "%s%s", part, suffix);
}

static bool is_ankle(const Skeleton *skeleton, int joint) {
  for (int l = 0; l < skeleton->leg_count; l++)
    if (skeleton->legs[l].ankle == joint)
      return true;
  return false;
}

static void add_all(TraceMarkers *markers) {
  const BodyDef *body = markers->motion->body;
  const Skeleton *skeleton = &body->skeleton;
  for (int p = 0; p < body->part_count; p++)
    add(markers, body->parts[p].name, "", p, (vec3s){{0, 0, 0}});
  for (int l = 0; l < skeleton->leg_count; l++) {
    const Leg *leg = &skeleton->legs[l];
    add(markers, body->parts[leg->ankle].name, ".heel", leg->ankle, leg->heel_l);
    add(markers, body->parts[leg->ankle].name, ".toe", leg->ankle, leg->toe_l);
  }
  for (int p = 0; p < body->part_count; p++)
    if (part_is_last(body, p) && !is_ankle(skeleton, p))
      add(markers, body->parts[p].name, ".end", p, part_far_end(&body->parts[p]));
}

static void place_all(TraceMarkers *markers) {
  vec3s *place = markers->places;
  for (int f = 0; f < markers->motion->frame_count; f++) {
    vec3s positions[SKELETON_MAX_JOINTS];
    versors rotations[SKELETON_MAX_JOINTS];
    trace_motion_place(markers->motion, f, positions, rotations);
    for (int m = 0; m < markers->count; m++) {
      const Marker *marker = &markers->markers[m];
      *place++ = glms_vec3_add(positions[marker->joint], glms_quat_rotatev(rotations[marker->joint], marker->place_l));
    }
  }
}

bool trace_markers_read(TraceMarkers *markers, TraceReader *reader, const SceneDef *def, const char *character,
                        TracePose pose, Error *error) {
  *markers = (TraceMarkers){.motion = trace_motion_read(reader, def, character, pose, error)};
  if (!markers->motion)
    return false;
  add_all(markers);
  markers->places = malloc((size_t)markers->motion->frame_count * (size_t)markers->count * sizeof *markers->places);
  if (!markers->places) {
    trace_markers_free(markers);
    return error_set(error, "out of memory");
  }
  place_all(markers);
  return true;
}

void trace_markers_free(TraceMarkers *markers) {
  trace_motion_free(markers->motion);
  free(markers->places);
  *markers = (TraceMarkers){.count = 0};
}

void trace_markers_describe(const TraceMarkers *markers, char *text, size_t size) {
  const TraceMotion *motion = markers->motion;
  snprintf(text, size, "%s, %s pose, %d frames at %.6g Hz, %d markers, mm", motion->character,
           trace_pose_names[motion->pose], motion->frame_count, motion->frame_rate, markers->count);
}
