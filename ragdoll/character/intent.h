// The intent of a character: direction, speed and gaze. It is set by the scene, by a script in the scene, or by the
// user's keys; the last setting counts.
#ifndef STAGGER_RAGDOLL_CHARACTER_INTENT_H
#define STAGGER_RAGDOLL_CHARACTER_INTENT_H

#include "anim/jump_arc.h"
#include "anim/layers/layer.h"
#include "sim/base/param.h"
#include "sim/base/state.h"

#define INTENT_PARAMS(ROW, T)                                                                                          \
  ROW(T, REAL, speed, "0", -5, 8, "m/s",                                                                               \
      "Speed along the heading; the pace of a walking clip follows it. A character that plays one clip (`animation: "  \
      "{move: ...}`) has the clip's own speed and strafe if the scene gives neither and no script.")                   \
  ROW(T, REAL, strafe, "0", -5, 5, "m/s", "Speed sideways, perpendicular to the heading, positive to the left.")       \
  ROW(T, REAL, heading, "0", -360, 360, "deg", "Direction of motion, about up, positive to the left; 0 is +Z.")        \
  ROW(T, REAL, look_yaw, "0", -90, 90, "deg",                                                                          \
      "Direction of gaze relative to the heading, positive to the left; limited by neck and head.")                    \
  ROW(T, REAL, look_pitch, "0", -60, 60, "deg", "Direction of gaze, positive up; limited by neck and head.")

typedef struct Intent {
  INTENT_PARAMS(PARAM_FIELD, Intent)
} Intent;

#define JUMP_PARAMS(ROW, T)                                                                                            \
  ROW(T, REAL, distance, "1", 0, JUMP_FARTHEST, "m", "How far ahead the feet land from where they stood.")             \
  ROW(T, REAL, rise, "0", 0, 0.5, "m",                                                                                 \
      "How far the centre of mass rises in flight, at least 4 cm; 0: as people choose for the distance.")

extern const ParamTable intent_params, jump_params;

// Limits an intent to the ranges of its table: a heading outside is reduced by whole turns, other values are clamped,
// and values that are not finite become 0.
void intent_check(Intent *intent);

bool intent_is_equal(const Intent *a, const Intent *b);

enum { INTENT_MAX_STEPS = 64, INTENT_MAX_FADES = LAYERS_MAX };

// A new wanted weight of a layer, or tone of a joint's muscles.
typedef struct IntentFade {
  char name[SKELETON_NAME_SIZE]; // of the layer, or of the joint
  double weight;                 // 0 .. 1 for a layer, -1 .. 1 for muscles
} IntentFade;

#define INTENT_WHOLE_BODY "body" // in place of a joint

// A step of a script: some values of the intent change, the animation may get an event, layers may fade, muscles become
// tense or slack, and the character may jump.
typedef struct IntentStep {
  double time;                    // s
  unsigned changed;               // bit i: row i of intent_params
  Intent intent;                  // the values that change
  char event[SKELETON_NAME_SIZE]; // for the animation graph; "": none
  IntentFade fades[INTENT_MAX_FADES], tones[INTENT_MAX_FADES];
  int fade_count, tone_count;
  bool jumps;
  JumpGoal jump; // if it jumps
} IntentStep;

typedef struct IntentScript {
  IntentStep steps[INTENT_MAX_STEPS];
  int count;
} IntentScript;

// Reads a list of maps, each with `time`, any rows of intent_params, `event`, `layers: {NAME: weight}`, `tones: {NAME:
// tone}`, and `jump: {distance, rise}`; the caller checks the names. NULL: no script. Errors: times that do not
// increase, unknown keys, values out of range, too many steps.
bool intent_script_read(IntentScript *script, const Node *list, Error *error);

// Receives the parts of a script's steps that are not rows of the intent.
typedef struct IntentListener {
  void *context;
  void (*event)(void *context, const char *name);                // may be NULL, like the following
  void (*fade)(void *context, const char *layer, double weight); // of a layer
  void (*tone)(void *context, const char *joint, double tone);   // of a joint, or INTENT_WHOLE_BODY
  void (*jump)(void *context, const JumpGoal *goal);
} IntentListener;

// Applies the steps that are due at a time, from step *next on, and advances *next.
void intent_script_apply(const IntentScript *script, double time, int *next, Intent *intent,
                         const IntentListener *listener);

// Saves or restores.
void intent_state(Intent *intent, StateStream *stream);

#endif
