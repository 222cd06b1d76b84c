// The idle randomizer: standing that does not repeat. Channels pick random targets, go there in a random time, hold
// them a random time, and pick again; they drive weight shift, looks and overlays of a blend tree. Same seed and name,
// same idle, whatever the length of the steps.
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

// What a value did, once a second, and how far it repeats itself: sums of its products with its own past, by their lag
// in s. Sums of long ago fade with a time constant of IDLE_MEMORY s.
enum { IDLE_MEMORY = 512 };
typedef struct IdleMemory {
  int count; // samples since the beginning; sample k is past[k % IDLE_MEMORY]
  float past[IDLE_MEMORY], repeat[IDLE_MEMORY];
} IdleMemory;

// One channel of one or two values: goes from where it was to its target with zero speed and acceleration at both ends
// (10 u^3 - 15 u^4 + 6 u^5; the largest speed is 15/8 of the mean) and stays there exactly.
typedef struct IdleChannel {
  int width;
  Rng rng; // its own: other channels do not change its draws
  double value[2], velocity[2];
  double from[2], target[2];
  double age, transition, hold; // s
  double begin;                 // s since the channel's beginning when it left `from`
  IdleMemory memory[2];
} IdleChannel;

typedef struct Idle {
  IdleDef def;
  IdleChannel shift, look, overlay;
  int overlay_index, overlay_next; // which overlay plays, and shall play; changes only while its weight is 0
  double overlay_share;            // 0..1: of its weight that is shown, see idle_show
} Idle;

// All values begin at 0. The ranges hold from the first draw on.
void idle_init(Idle *idle, const IdleDef *def, uint64_t seed, const char *name);

// How much of the idle is shown now, 0 to 1. Nobody goes on scratching his head when something throws him about: while
// not all of it is shown an overlay leaves within a quarter of a second, and the next one takes its time afterwards.
void idle_show(Idle *idle, double weight, double dt);

// The weight of an overlay in what the idle shows.
double idle_overlay_weight(const Idle *idle, int overlay);

// Lets dt pass. overlay_count: how many overlays there are; always the same.
void idle_step(Idle *idle, int overlay_count, double dt);

// Saves or restores. overlay_count: as in idle_step.
void idle_state(Idle *idle, int overlay_count, StateStream *stream);

#endif
