// The idle randomizer: standing that does not repeat itself. Channels pick random targets, move to them in a random
// time, hold them for a random time, and pick again; they set weight shift, looks and overlays of a blend tree. The
// same seed and name give the same motion, for any step length.
#ifndef STAGGER_ANIM_GRAPH_IDLE_H
#define STAGGER_ANIM_GRAPH_IDLE_H

#include "sim/base/param.h"
#include "sim/base/rng.h"
#include "sim/base/state.h"

#define IDLE_PARAMS(ROW, T)                                                                                            \
  ROW(T, RANGE, shift, "[-0.8, 0.8]", -1, 1, "-", "Targets of the weight shift, left to right.")                       \
  ROW(T, RANGE, shift_time, "[3, 5]", 0.1, 60, "s", "Time to get there.")                                              \
  ROW(T, RANGE, shift_hold, "[2, 5]", 0, 60, "s", "Time to stay there.")                                               \
  ROW(T, RANGE, look_x, "[-0.8, 0.8]", -0.9, 0.9, "-", "Targets of the look, left to right.")                          \
  ROW(T, RANGE, look_y, "[-0.15, 0.15]", -0.2, 0.2, "-", "Targets of the look, down to up.")                           \
  ROW(T, RANGE, look_time, "[2, 4]", 0.1, 60, "s", "Time to get there.")                                               \
  ROW(T, RANGE, look_hold, "[2, 4]", 0, 60, "s", "Time to stay there.")                                                \
  ROW(T, RANGE, overlay, "[0, 1]", 0, 1, "-", "Targets of an overlay's weight.")                                       \
  ROW(T, RANGE, overlay_time, "[2, 5]", 0.1, 60, "s", "Time to get there.")                                            \
  ROW(T, RANGE, overlay_hold, "[2, 4]", 0, 60, "s", "Time to stay there.")

typedef struct IdleDef {
  IDLE_PARAMS(PARAM_FIELD, IdleDef)
} IdleDef;

extern const ParamTable idle_params;

// The history of a value, one sample a second, and its repetitiveness: sums of its products with its own past, by lag
// in s. The sums decay with a time constant of IDLE_MEMORY s.
enum { IDLE_MEMORY = 512 };
typedef struct IdleMemory {
  int count; // samples since the beginning; sample k is past[k % IDLE_MEMORY]
  float past[IDLE_MEMORY], repeat[IDLE_MEMORY];
} IdleMemory;

// One channel of one or two values. It moves to its target with zero speed and acceleration at both ends (10 u^3 - 15
// u^4 + 6 u^5; the largest speed is 15/8 of the mean) and then stays there exactly.
typedef struct IdleChannel {
  int width;
  Rng rng; // a generator of its own, so that other channels do not change its draws
  double value[2], velocity[2];
  double from[2], target[2];
  double age, transition, hold; // s
  double begin;                 // s since the channel's beginning at which it left `from`
  IdleMemory memory[2];
} IdleChannel;

typedef struct Idle {
  IdleDef def;
  IdleChannel shift, look, overlay;
  int overlay_index, overlay_next; // the present overlay and the next one; it changes only while its weight is 0
  double overlay_share;            // 0..1: share of the overlay's weight that is shown, see idle_show
} Idle;

// All values begin at 0; targets lie in the ranges from the first draw on.
void idle_init(Idle *idle, const IdleDef *def, uint64_t seed, const char *name);

// Reports the weight of the idle in the shown pose, 0 to 1. A person who is knocked about stops scratching his head:
// when the weight is below 1 the overlay fades out within a quarter of a second, and the next one starts after its
// usual pause.
void idle_show(Idle *idle, double weight, double dt);

// The weight of an overlay in the idle's pose.
double idle_overlay_weight(const Idle *idle, int overlay);

// Advances by dt. overlay_count: number of overlays; the same in every call.
void idle_step(Idle *idle, int overlay_count, double dt);

// Saves or restores. overlay_count: as in idle_step.
void idle_state(Idle *idle, int overlay_count, StateStream *stream);

#endif
