// The channels of the idle randomizer. Each draws a target that differs from its recent behaviour, moves to it, holds
// it, and draws again.
#include "anim/graph/idle.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

PARAM_TABLE(idle_params, IdleDef, IDLE_PARAMS, "idle", "Standing that does not repeat: weight shift, looks, overlays.")

static const int LEAST_LAG = 8;            // s: correlation at shorter lags is ignored, since a smooth motion always
                                           // has it
static const double OVERLAY_PAUSE = 0.1;   // s at weight 0 before another overlay takes over
static const double OVERLAY_LEAVES = 0.25; // s in which an interrupted overlay fades out
static const double ALL_SHOWN = 0.99;      // weight above which the idle counts as fully shown

// ---- One plan: from a value to a target, and a stay there ----

static double ease(double u) { return u * u * u * (10 + u * (6 * u - 15)); }
static double ease_slope(double u) { return 30 * u * u * (1 - u) * (1 - u); }

static double plan_value(const IdleChannel *channel, int k, double target, double age) {
  if (age >= channel->transition)
    return target;
  return channel->from[k] + (target - channel->from[k]) * ease(age / channel->transition);
}

// ---- Not repeating ----

// The sums of products with the past as they will be after the planned motion of `count` samples. center: middle of the
// range; products are taken of differences from it.
static void plan_repeat(const IdleChannel *channel, int k, double target, double center, IdleMemory *memory) {
  *memory = channel->memory[k];
  double end = channel->begin + channel->transition + channel->hold;
  for (; memory->count < end; memory->count++) {
    float x = (float)(plan_value(channel, k, target, memory->count - channel->begin) - center);
    int lags = memory->count < IDLE_MEMORY ? memory->count : IDLE_MEMORY - 1;
    for (int lag = LEAST_LAG; lag <= lags; lag++) {
      float before = memory->past[(memory->count - lag) % IDLE_MEMORY];
      memory->repeat[lag] += x * before - memory->repeat[lag] / IDLE_MEMORY;
    }
    memory->past[memory->count % IDLE_MEMORY] = x;
  }
}

// A measure of how repetitive the channel is. Fourth powers emphasise the largest sum, which is what an observer
// notices. Their mean is subtracted: a channel that is not centred on average correlates with itself at all lags.
static float repetition(const IdleMemory *memory) {
  float mean = 0, sum = 0;
  for (int lag = LEAST_LAG; lag < IDLE_MEMORY; lag++)
    mean += memory->repeat[lag] / (float)(IDLE_MEMORY - LEAST_LAG);
  for (int lag = LEAST_LAG; lag < IDLE_MEMORY; lag++) {
    float above = fmaxf(memory->repeat[lag] - mean, 0), square = above * above;
    sum += square * square;
  }
  return sum;
}

// Independent draws look periodic by chance: in 4 of 10 runs of 10 minutes some peak of the autocorrelation exceeds
// 0.2. So either a target or its mirror image in the range is taken, whichever repeats the past less; the distribution
// of targets stays uniform.
static void channel_aim(IdleChannel *channel, int k, double target, const double range[2]) {
  double center = (range[0] + range[1]) / 2, image = range[0] + (range[1] - target);
  IdleMemory straight, mirrored;
  plan_repeat(channel, k, target, center, &straight);
  plan_repeat(channel, k, image, center, &mirrored);
  bool mirror = repetition(&mirrored) < repetition(&straight);
  channel->target[k] = mirror ? image : target;
  channel->memory[k] = mirror ? mirrored : straight;
}

// ---- Channels ----

static void channel_init(IdleChannel *channel, int width, uint64_t seed, const char *name, const char *kind) {
  char consumer[128];
  snprintf(consumer, sizeof consumer, "%s.idle.%s", name, kind);
  memset(channel, 0, sizeof *channel);
  channel->width = width;
  channel->rng = rng_make(seed, consumer);
}

static double draw(IdleChannel *channel, const double range[2]) { return rng_range(&channel->rng, range[0], range[1]); }

// Starts the next motion from the target that has been reached.
static void channel_arrive(IdleChannel *channel) {
  double length = channel->transition + channel->hold;
  channel->age -= length;
  channel->begin += length;
  for (int k = 0; k < channel->width; k++)
    channel->from[k] = channel->value[k] = channel->target[k];
}

static bool channel_is_done(const IdleChannel *channel) { return channel->age >= channel->transition + channel->hold; }

// ranges: [width], at most 2
static void channel_pick(IdleChannel *channel, const double *const ranges[2], const double time[2],
                         const double hold[2]) {
  channel->transition = draw(channel, time);
  channel->hold = draw(channel, hold);
  for (int k = 0; k < channel->width && k < 2; k++)
    channel_aim(channel, k, draw(channel, ranges[k]), ranges[k]);
}

static void channel_evaluate(IdleChannel *channel) {
  double u = channel->age / channel->transition;
  for (int k = 0; k < channel->width; k++) {
    double way = channel->target[k] - channel->from[k];
    channel->value[k] = plan_value(channel, k, channel->target[k], channel->age);
    channel->velocity[k] = u < 1 ? way * ease_slope(u) / channel->transition : 0;
  }
}

// ---- The idle ----

void idle_init(Idle *idle, const IdleDef *def, uint64_t seed, const char *name) {
  memset(idle, 0, sizeof *idle);
  idle->def = *def;
  channel_init(&idle->shift, 1, seed, name, "shift");
  channel_init(&idle->look, 2, seed, name, "look");
  channel_init(&idle->overlay, 1, seed, name, "overlay");
  idle->overlay_share = 1;
}

// Lets an interrupted overlay start again: its weight stays 0 for as long as one takes to fade in.
static void overlay_rest(Idle *idle) {
  IdleChannel *channel = &idle->overlay;
  channel->begin += channel->age;
  channel->age = 0;
  channel->transition = draw(channel, idle->def.overlay_time);
  channel->hold = OVERLAY_PAUSE;
  channel->from[0] = channel->target[0] = channel->value[0] = channel->velocity[0] = 0;
}

void idle_show(Idle *idle, double weight, double dt) {
  if (weight < ALL_SHOWN) {
    idle->overlay_share = fmax(idle->overlay_share - dt / OVERLAY_LEAVES, 0);
  } else if (idle->overlay_share < 1) {
    overlay_rest(idle);
    idle->overlay_share = 1;
  }
}

double idle_overlay_weight(const Idle *idle, int overlay) {
  return idle->overlay_index == overlay ? idle->overlay.value[0] * idle->overlay_share : 0;
}

// Draws the next target together with its overlay; before another overlay starts, the weight goes to 0.
static void overlay_pick(Idle *idle, int overlay_count) {
  const IdleDef *def = &idle->def;
  IdleChannel *channel = &idle->overlay;
  bool first = channel->transition == 0;
  if (first || channel->value[0] != 0)
    idle->overlay_next = rng_index(&channel->rng, overlay_count > 1 ? overlay_count : 1);
  if (channel->value[0] == 0)
    idle->overlay_index = idle->overlay_next;
  if (idle->overlay_next == idle->overlay_index) {
    channel_pick(channel, (const double *const[]){def->overlay, def->overlay}, def->overlay_time, def->overlay_hold);
    return;
  }
  IdleMemory memory;
  channel->transition = draw(channel, def->overlay_time);
  channel->hold = OVERLAY_PAUSE;
  channel->target[0] = 0;
  plan_repeat(channel, 0, 0, (def->overlay[0] + def->overlay[1]) / 2, &memory);
  channel->memory[0] = memory;
}

void idle_step(Idle *idle, int overlay_count, double dt) {
  const IdleDef *def = &idle->def;
  if (!(dt >= 0) || isinf(dt))
    return;

  idle->shift.age += dt;
  while (channel_is_done(&idle->shift)) {
    channel_arrive(&idle->shift);
    channel_pick(&idle->shift, (const double *const[]){def->shift, def->shift}, def->shift_time, def->shift_hold);
  }
  channel_evaluate(&idle->shift);

  idle->look.age += dt;
  while (channel_is_done(&idle->look)) {
    channel_arrive(&idle->look);
    channel_pick(&idle->look, (const double *const[]){def->look_x, def->look_y}, def->look_time, def->look_hold);
  }
  channel_evaluate(&idle->look);

  idle->overlay.age += dt;
  while (channel_is_done(&idle->overlay)) {
    channel_arrive(&idle->overlay);
    overlay_pick(idle, overlay_count);
  }
  channel_evaluate(&idle->overlay);
  if (idle->overlay.value[0] == 0)
    idle->overlay_index = idle->overlay_next;
}

// ---- Saving and restoring ----

static void memory_state(IdleMemory *memory, StateStream *stream) {
  state_int(stream, &memory->count, 0, INT_MAX);
  STATE(stream, memory->past, memory->repeat);
}

static void channel_state(IdleChannel *channel, StateStream *stream) {
  state_rng(&channel->rng, stream);
  STATE(stream, channel->value, channel->velocity, channel->from, channel->target, channel->age, channel->transition,
        channel->hold, channel->begin);
  for (int k = 0; k < channel->width; k++)
    memory_state(&channel->memory[k], stream);
}

void idle_state(Idle *idle, int overlay_count, StateStream *stream) {
  channel_state(&idle->shift, stream);
  channel_state(&idle->look, stream);
  channel_state(&idle->overlay, stream);
  int last = overlay_count > 1 ? overlay_count - 1 : 0;
  state_int(stream, &idle->overlay_index, 0, last);
  state_int(stream, &idle->overlay_next, 0, last);
  STATE(stream, idle->overlay_share);
}
