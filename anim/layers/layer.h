// Layers: procedural animation on top of the graph's pose. A character has a list of layers, applied in order. Each
// kind of layer has a folder, its parameters in a table, and one row in layer_kinds.c. Layers are kinematic: they read
// the leading root, the intent and the ground, have a state of their own, and change the pose.
#ifndef STAGGER_ANIM_LAYERS_LAYER_H
#define STAGGER_ANIM_LAYERS_LAYER_H

#include "anim/curve.h"
#include "anim/layers/foot_plan.h"
#include "anim/pose.h"
#include "sim/base/debug_draw.h"
#include "sim/base/param.h"
#include "sim/base/state.h"
#include "sim/terrain/ground.h"

enum { LAYERS_MAX = 16, LAYER_NAME_SIZE = 32, LAYER_MAX_CHANNELS = 8, LAYER_MAX_TARGETS = 32 };

// A displacement of the root in a step, which keeps it with its body: a turn about the up axis through a point, then a
// shift. A layer moves its own world coordinates likewise.
typedef struct RootRebase {
  double pivot[3], turn; // m, rad about up
  double shift[3];       // m
} RootRebase;

// Moves a point by the displacement.
void root_rebase_point(const RootRebase *rebase, double point[3]);

// The input and output of a layer in a step. World frame, SI units.
typedef struct LayerStep {
  const Skeleton *skeleton;
  const Ground *ground;
  double dt;       // s; 0: no time passes; the same state is applied again
  bool teleported; // the character was put elsewhere: state in world coordinates is reset to rest
  // The leading root at the end of the step. The animation stands on the ground there.
  double root_position[3];   // m; y: height of the ground, smoothed
  double root_velocity[3];   // m/s over the ground
  double ground_velocity[3]; // m/s of the ground under the root, which may be a moving platform
  double heading, turn_rate; // rad about up, rad/s
  // The intent.
  double wanted_velocity[2];   // m/s, x and z
  double wanted_heading;       // rad about up: heading that the character should have
  double look_yaw, look_pitch; // rad relative to the heading, positive left and up: the intent's gaze
  const double (*targets)[3];  // m: the scene's points, at most LAYER_MAX_TARGETS
  int target_count;
  // The body that follows the animation: height of its pelvis below the animated one, m, smoothed; 0 without a body.
  double pelvis_drop;
  const Pose *animation_m; // the pose below all layers, in the root's frame; NULL: the bind pose
  // Input and output.
  Pose *pose_w;    // entry 0 is in the world frame
  FootPlan *plans; // [the skeleton's legs], for the animation below; a layer that moves legs replaces them. NULL: not
                   // wanted
} LayerStep;

// Values of a state for the trace: rows(def) rows of `width` floats; row_name gives their names.
typedef struct LayerChannel {
  const char *name, *unit, *description; // "distance", "m", "From foot to reference"
  int width;                             // 1 for scalars
} LayerChannel;

typedef struct LayerKind {
  const char *name; // in files: `kind: trailing`
  const char *doc;  // one sentence
  const ParamTable *params;
  const CurveTable *curves;    // NULL: none
  size_t def_size, state_size; // bytes; both are plain data and may be copied
  size_t target_offset;        // of an int in the def: the index of its `target` in LayerStep.targets, -1: none; 0: the
                               // kind has no such field
  const char *const *other_keys; // keys of the file that are not in the table, NULL-terminated; NULL: none
  const char *const *other_docs; // one sentence on each of them
  // Reads other_keys and finds joints and legs, after the table's rows have been read. Errors at the nodes.
  bool (*read)(void *def, const Node *map, const Skeleton *skeleton, Error *error); // NULL: nothing to read
  void (*init)(const void *def, void *state, const LayerStep *step); // starts from the first step's pose, at rest
  void (*apply)(const void *def, void *state, const LayerStep *step);
  void (*state)(const void *def, void *state, StateStream *stream);       // saves or restores, see sim/base/state.h
  void (*rebase)(const void *def, void *state, const RootRebase *rebase); // called before apply; NULL: no state is in
                                                                          // world coordinates
  // NULL: nothing to draw
  void (*debug)(const void *def, const void *state, const LayerStep *step, DebugDraw *draw);
  // For the trace. rows: number of joints, legs ... of this layer, fixed after read; row_name: their names.
  const LayerChannel *channels;
  int channel_count;
  int (*rows)(const void *def);
  const char *(*row_name)(const void *def, const Skeleton *skeleton, int row);
  void (*record)(const void *def, const void *state, int channel, float *values); // [rows * width]
} LayerKind;

// Defines layer_read, layer_init, layer_apply and layer_debug, which fit a LayerKind, for a kind whose functions
// name_read, _init, _apply and _debug take pointers to its Def and State.
#define LAYER_FUNCTIONS(name, Def, State)                                                                              \
  static bool layer_read(void *def, const Node *map, const Skeleton *skeleton, Error *error) {                         \
    return name##_read((Def *)def, map, skeleton, error);                                                              \
  }                                                                                                                    \
  static void layer_init(const void *def, void *state, const LayerStep *step) {                                        \
    name##_init((const Def *)def, (State *)state, step);                                                               \
  }                                                                                                                    \
  static void layer_apply(const void *def, void *state, const LayerStep *step) {                                       \
    name##_apply((const Def *)def, (State *)state, step);                                                              \
  }                                                                                                                    \
  static void layer_debug(const void *def, const void *state, const LayerStep *step, DebugDraw *draw) {                \
    name##_debug((const Def *)def, (const State *)state, step, draw);                                                  \
  }

// Defines layer_rows, layer_row_name and layer_record for a kind with `count` legs that has one trace row for each of
// them. `value` is a foot's value for a channel, an expression of `def`, `state`, `row` and `channel`.
#define LAYER_LEG_ROWS(Def, State, count, value)                                                                       \
  static int layer_rows(const void *layer_def) {                                                                       \
    const Def *def = layer_def;                                                                                        \
    (void)def;                                                                                                         \
    return (count);                                                                                                    \
  }                                                                                                                    \
  static const char *layer_row_name(const void *layer_def, const Skeleton *skeleton, int row) {                        \
    (void)skeleton;                                                                                                    \
    return ((const Def *)layer_def)->legs[row].leg.name;                                                               \
  }                                                                                                                    \
  static void layer_record(const void *layer_def, const void *layer_state, int channel, float *values) {               \
    const State *state = layer_state;                                                                                  \
    for (int row = 0; row < layer_rows(layer_def); row++)                                                              \
      values[row] = (float)(value);                                                                                    \
  }

#endif
