// Layers: procedural animation on top of what plays. A character has a list of layers, applied in their order; each
// kind of layer has a folder, its parameters in a table, and one row in layer_kinds.c. Kinematics only: a layer reads
// the leading root, the intent and the ground, keeps a state of its own, and changes the pose.
#ifndef STAGGER_ANIM_LAYERS_LAYER_H
#define STAGGER_ANIM_LAYERS_LAYER_H

#include "anim/layers/foot_plan.h"
#include "anim/pose.h"
#include "sim/base/debug_draw.h"
#include "sim/base/param.h"
#include "sim/base/state.h"
#include "sim/terrain/ground.h"

enum { LAYERS_MAX = 16, LAYER_NAME_SIZE = 32, LAYER_MAX_CHANNELS = 8, LAYER_MAX_TARGETS = 32 };

// How the root was put elsewhere in a step, to stay with its body: turned about up through a point, then shifted. What
// a layer keeps in the world goes along.
typedef struct RootRebase {
  double pivot[3], turn; // m, rad about up
  double shift[3];       // m
} RootRebase;

// Where a point goes.
void root_rebase_point(const RootRebase *rebase, double point[3]);

// What a layer is told in a step. World frame, SI units.
typedef struct LayerStep {
  const Skeleton *skeleton;
  const Ground *ground;
  double dt;       // s; 0: nothing moves on, the same state is applied again
  bool teleported; // the character was put elsewhere: state in the world starts anew, at rest
  // The leading root at the end of the step: where animation stands on the ground.
  double root_position[3];   // m; y: the ground, smoothed
  double root_velocity[3];   // m/s over the ground
  double ground_velocity[3]; // m/s of the ground under the root: it may be a platform that moves
  double heading, turn_rate; // rad about up, rad/s
  // What is wanted.
  double wanted_velocity[2];   // m/s, x and z
  double wanted_heading;       // rad about up: where it is to face
  double look_yaw, look_pitch; // rad against the heading, positive left and up: the intent's gaze
  const double (*targets)[3];  // m: the scene's points (LAYER_MAX_TARGETS at most)
  int target_count;
  // The body that follows the animation: how far its pelvis is below the animated one, m, smoothed; 0 for pure
  // animation.
  double pelvis_drop;
  const Pose *animation_m; // what plays below all layers, in the root's frame; NULL: the bind pose
  // In and out.
  Pose *pose_w;    // entry 0 stands in the world
  FootPlan *plans; // [the skeleton's legs] what the animation below says of its feet; a layer that moves legs says its
                   // own; NULL: nobody asks
} LayerStep;

// Values of a state for the trace: `count(state)` rows of `width` floats; names of rows by row_name.
typedef struct LayerChannel {
  const char *name, *unit, *description; // "distance", "m", "From foot to reference"
  int width;                             // 1 for scalars
} LayerChannel;

typedef struct LayerKind {
  const char *name; // in files: `kind: trailing`
  const char *doc;  // one sentence
  const ParamTable *params;
  size_t def_size, state_size; // bytes; both are plain data: they may be copied
  size_t target_offset;        // of an int in the def: index of its `target` in LayerStep.targets, -1: none; 0: no such
  const char *const *other_keys; // of the file beside the table, NULL-terminated; NULL: none
  const char *const *other_docs; // one sentence on each of them
  // Reads other_keys and finds joints and legs; the table's rows have been read. Errors at the nodes.
  bool (*read)(void *def, const Node *map, const Skeleton *skeleton, Error *error); // NULL: nothing to read
  void (*init)(const void *def, void *state, const LayerStep *step); // as the first step's pose stands, at rest
  void (*apply)(const void *def, void *state, const LayerStep *step);
  void (*state)(const void *def, void *state, StateStream *stream);       // saves or restores it, see sim/base/state.h
  void (*rebase)(const void *def, void *state, const RootRebase *rebase); // before apply; NULL: nothing is in the world
  void (*debug)(const void *def, const void *state, const LayerStep *step, DebugDraw *draw); // NULL: nothing to see
  // For the trace. rows: joints, legs ... of this layer, fixed after read; their names.
  const LayerChannel *channels;
  int channel_count;
  int (*rows)(const void *def);
  const char *(*row_name)(const void *def, const Skeleton *skeleton, int row);
  void (*record)(const void *def, const void *state, int channel, float *values); // [rows * width]
} LayerKind;

#endif
