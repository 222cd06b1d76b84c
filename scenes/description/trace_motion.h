// The motion of one character in a trace: frames of one of its three poses, all of them or a piece at a time. Exports
// and reports are made from it.
#ifndef STAGGER_SCENES_DESCRIPTION_TRACE_MOTION_H
#define STAGGER_SCENES_DESCRIPTION_TRACE_MOTION_H

#include <cglm/struct.h>

#include "anim/pose.h"
#include "scenes/description/scene_def.h"

// A pose in a trace has three channels: position of the root, rotation of the root, and rotations of the other joints.
// Joins the last two into the rotations of a Pose, the root first. rest: [4 * (joint_count - 1)], may be NULL for a
// single joint.
void trace_pose_join(const float root[4], const float *rest, int joint_count, versors *rotation);

typedef enum TracePose { TRACE_POSE_TARGET, TRACE_POSE_MEASURED, TRACE_POSE_OUTPUT, TRACE_POSE_COUNT } TracePose;

extern const char *const trace_pose_names[TRACE_POSE_COUNT]; // "target", "measured", "output"

enum { TRACE_MOTION_PIECE = 4096 }; // frames that are little memory, and few reads of an hour

typedef struct TraceMotion {
  TraceReader *reader;
  char character[TRACE_NAME_SIZE];
  TracePose pose;
  const BodyDef *body; // of the SceneDef
  int joint_count;
  double frame_rate;      // Hz
  int first, frame_count; // the frames that are in memory, `first` on
  int capacity;           // frames for which there is memory
  double *time;           // [frame_count] s
  vec3s *root_position;   // [frame_count] m, world
  versors *rotation; // [frame_count * joint_count] unit; joint 0: the root in the world, others in their parent's frame
} TraceMotion;

// The motion without frames. def: the scene of the same trace (scene_def_from_trace); it and the reader must outlive
// the motion. character NULL: the first. Errors: no such character (the message lists them), no such pose, no frames,
// no memory.
TraceMotion *trace_motion_open(TraceReader *reader, const SceneDef *def, const char *character, TracePose pose,
                               Error *error);

// Reads the frames [first, first + count), fewer where the trace ends, in place of those that were in memory. Errors:
// no memory, channels that are missing or do not fit the body, values that are not finite, quaternions that are not
// unit.
bool trace_motion_load(TraceMotion *motion, int first, int count, Error *error);

// The motion with all frames, with the errors of both.
TraceMotion *trace_motion_read(TraceReader *reader, const SceneDef *def, const char *character, TracePose pose,
                               Error *error);
void trace_motion_free(TraceMotion *motion); // NULL is fine

// The pose of a frame in memory, the first of which is 0: joint 0 in the world, others in their parent's frame at their
// bind positions, since a skeleton does not stretch.
void trace_motion_pose(const TraceMotion *motion, int frame, Pose *local);

// Widens an area, m, by the places of the root: x[0] to x[1] and z[0] to z[1].
void trace_motion_bounds(const TraceMotion *motion, double x[2], double z[2]);

// World positions (m) and rotations of the joints, [joint_count] each. rotations may be NULL.
void trace_motion_place(const TraceMotion *motion, int frame, vec3s *positions, versors *rotations);

#endif
