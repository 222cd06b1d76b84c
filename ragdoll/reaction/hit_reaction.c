// The course of hits over time: how far each joint weakens, how physical the shown pose becomes, and how much the
// animation staggers, summed over all active hits.
#include "ragdoll/reaction/hit_reaction.h"

#include <math.h>
#include <stddef.h>

#include "sim/base/numbers.h"

PARAM_TABLE(hit_reaction_params, HitReactionDef, HIT_REACTION_PARAMS, "hit_reaction",
            "What hits do to strength, to the shown pose and to the animation.")

// NOLINTBEGIN(bugprone-macro-parentheses): the name of a member cannot stand in parentheses
#define HIT_CURVES(effect, speed, share)                                                                               \
  {#effect ".dv", offsetof(HitReactionDef, effect.by_dv), 0, INFINITY, 0, 1, false, speed, share}, {                   \
#effect ".direction", offsetof(HitReactionDef, effect.by_direction), 0, 180, 0, 1, false,                          \
        "direction of the blow, deg: 0 pushes forward, 180 backward", "factor of the curve over the speed"             \
  }
// NOLINTEND(bugprone-macro-parentheses)

static const CurveRow curve_rows[] = {
    HIT_CURVES(strength_drop, "change of the struck part's speed, m/s", "share of the joint's strength that is lost"),
    HIT_CURVES(blend, "change of the struck part's speed, m/s", "physical share of the shown pose"),
    HIT_CURVES(stagger, "impulse over the mass of the body, m/s", "weight of the stagger animation"),
};
const CurveTable hit_reaction_curves = {curve_rows, (int)(sizeof curve_rows / sizeof curve_rows[0])};

HitReactionDef hit_reaction_def_default(void) {
  HitReactionDef def = {0};
  param_defaults(&hit_reaction_params, &def);
  // A bullet that changes a part's speed by 1 m/s takes most of the joint's stiffness, so that the eye sees it, and
  // shows physics alone; 20 N s on 75 kg stagger in full. All blows count alike, from wherever they come.
  const Curve always = {.count = 1, .y = {1}};
  const Curve drop = {.count = 4, .x = {0, 0.5, 1.25, 12}, .y = {0, 0.5, 0.8, 0.85}};
  def.strength_drop = (HitCurve){drop, always};
  def.blend = (HitCurve){{.count = 4, .x = {0, 0.1, 0.5, 1}, .y = {0, 0.5, 0.9, 1}}, always};
  def.stagger = (HitCurve){{.count = 2, .x = {0, 20.0 / 75}, .y = {0, 1}}, always};
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    def.mask[i] = 1;
  return def;
}

// Joints between two parts along the skeleton: both climb to the root, the common way is left out.
static int chain_distance(const BodyDef *body, int a, int b) {
  int distance = 0;
  while (a != b) {
    if (a > b) // parents come before children, so the larger index is never above the other
      a = body->parts[a].parent;
    else
      b = body->parts[b].parent;
    distance++;
  }
  return distance;
}

void hit_reaction_init(HitReaction *reaction, const HitReactionDef *def, const BodyDef *body) {
  *reaction = (HitReaction){.def = *def, .body = body, .since_last = HUGE_VAL};
  for (int i = 0; i < body->part_count; i++) {
    reaction->strength[i] = 1;
    for (int k = 0; k < body->part_count; k++)
      reaction->distance[i][k] = (unsigned char)chain_distance(body, i, k);
  }
}

// Age, s, from which all effects fade: the delay of the voluntary reaction, or later if the effects still rise then.
static double fading_age(const HitReactionDef *def) {
  double risen = def->delay + fmax(def->attack, fmax(def->blend_attack, def->stagger_attack));
  return fmax(risen, def->voluntary_delay);
}

// The share of an effect at an age. Each effect rises in its own time, all fade together. The slope is 0 wherever
// two phases meet.
static double envelope(const HitReactionDef *def, double attack, double age) {
  double risen = smooth_step((age - def->delay) / attack);
  return risen * (1 - smooth_step((age - fading_age(def)) / def->recovery));
}

// The share of the lost strength at an age: the reflex restores a part of it.
static double weakness(const HitReactionDef *def, double age) {
  double reflex = def->reflex * smooth_step((age - def->reflex_delay) / def->reflex_attack);
  return envelope(def, def->attack, age) * (1 - reflex);
}

// Shares of the four ways of a direction in the ground plane; their sum is at most 1.
static void direction_shares(vec3s direction, float shares[STAGGER_COUNT]) {
  float length = hypotf(direction.x, direction.z);
  float left = length > 0 ? direction.x / length : 0, forward = length > 0 ? direction.z / length : 0;
  shares[STAGGER_LEFT] = fmaxf(left, 0);
  shares[STAGGER_FORWARD] = fmaxf(forward, 0);
  shares[STAGGER_RIGHT] = fmaxf(-left, 0);
  shares[STAGGER_BACKWARD] = fmaxf(-forward, 0);
  float sum = fmaxf(fabsf(left) + fabsf(forward), 1);
  for (int i = 0; i < STAGGER_COUNT; i++)
    shares[i] /= sum;
}

// deg between a blow's way over the ground and forward: 0 .. 180, the same for either side.
static double blow_angle(vec3s impulse_m) {
  return atan2(fabs((double)impulse_m.x), (double)impulse_m.z) / RAD_PER_DEGREE;
}

static double hit_curve_value(const HitCurve *curve, double dv, double angle) {
  return curve_value(&curve->by_dv, dv) * curve_value(&curve->by_direction, angle);
}

// Computes the peak values of a hit's effects from its whole impulse.
static void set_heights(const HitReaction *reaction, Hit *hit) {
  const HitReactionDef *def = &reaction->def;
  const BodyDef *body = reaction->body;
  double impulse = (double)glms_vec3_norm(hit->impulse_m), angle = blow_angle(hit->impulse_m);
  double dv = impulse / body->parts[hit->part].mass;
  double drop = hit_curve_value(&def->strength_drop, dv, angle), blend = hit_curve_value(&def->blend, dv, angle);
  for (int i = 0; i < body->part_count; i++) {
    int distance = reaction->distance[hit->part][i];
    double mask = (double)def->mask[i];
    hit->drop[i] = (float)(drop * mask * pow(def->falloff, distance));
    hit->blend[i] = (float)(blend * mask * pow(def->blend_falloff, distance));
  }
  float weight = (float)hit_curve_value(&def->stagger, impulse / body->mass, angle);
  direction_shares(hit->impulse_m, hit->stagger);
  for (int i = 0; i < STAGGER_COUNT; i++)
    hit->stagger[i] *= weight;
}

// A free entry for a new hit; if there is none, that of the oldest hit.
static Hit *free_place(HitReaction *reaction) {
  if (reaction->count < HIT_MAX_ACTIVE)
    return &reaction->hits[reaction->count++];
  Hit *oldest = &reaction->hits[0];
  for (int i = 1; i < HIT_MAX_ACTIVE; i++)
    if (reaction->hits[i].age > oldest->age)
      oldest = &reaction->hits[i];
  return oldest;
}

void hit_reaction_hit(HitReaction *reaction, int part, int event, vec3s impulse_m) {
  float size = glms_vec3_norm(impulse_m);
  if (!reaction->def.enabled || !(size > 0))
    return;
  for (int i = 0; i < reaction->count; i++) {
    Hit *hit = &reaction->hits[i];
    if (hit->event != event || hit->part != part)
      continue;
    hit->impulse_m = glms_vec3_add(hit->impulse_m, impulse_m);
    hit->age = fmin(hit->age, fading_age(&reaction->def)); // the effect lasts as long as the push goes on
    set_heights(reaction, hit);
    return;
  }
  if (reaction->since_last < reaction->def.immunity)
    return;
  reaction->since_last = 0;
  Hit *hit = free_place(reaction);
  *hit = (Hit){.part = part, .event = event, .impulse_m = impulse_m};
  set_heights(reaction, hit);
}

static void forget_faded_hits(HitReaction *reaction) {
  double life = fading_age(&reaction->def) + reaction->def.recovery;
  int kept = 0;
  for (int i = 0; i < reaction->count; i++)
    if (reaction->hits[i].age < life)
      reaction->hits[kept++] = reaction->hits[i];
  reaction->count = kept;
}

// The sum of the effects of all hits, combined like independent probabilities: 1 - (1 - a)(1 - b) ...
typedef struct Demand {
  float kept[BODY_MAX_PARTS], animated[BODY_MAX_PARTS]; // shares of strength and of animation that they leave
  float calm[STAGGER_COUNT];
} Demand;

static void find_demand(const HitReaction *reaction, Demand *demand) {
  const HitReactionDef *def = &reaction->def;
  int parts = reaction->body->part_count;
  for (int i = 0; i < parts; i++)
    demand->kept[i] = demand->animated[i] = 1;
  for (int i = 0; i < STAGGER_COUNT; i++)
    demand->calm[i] = 1;
  for (int n = 0; n < reaction->count; n++) {
    const Hit *hit = &reaction->hits[n];
    float weakened = (float)weakness(def, hit->age);
    float physical = (float)envelope(def, def->blend_attack, hit->age);
    float staggering = (float)envelope(def, def->stagger_attack, hit->age);
    for (int i = 0; i < parts; i++) {
      demand->kept[i] *= 1 - weakened * hit->drop[i];
      demand->animated[i] *= 1 - physical * hit->blend[i];
    }
    for (int i = 0; i < STAGGER_COUNT; i++)
      demand->calm[i] *= 1 - staggering * hit->stagger[i];
  }
}

// The largest change of a result in a step: that of one full hit, where 1.5 is the steepest slope of smooth_step.
static float approach(float value, float goal, double rise_time, double fall_time, double dt) {
  if (value == goal) // as it is long after a hit
    return goal;
  double most = goal > value ? 1.5 * dt / rise_time : 1.5 * dt / fall_time;
  return fabs((double)(goal - value)) <= most ? goal : value + copysignf((float)most, goal - value);
}

// Limits the sum of the weights of the four directions to 1.
static void step_stagger(HitReaction *reaction, const float calm[STAGGER_COUNT], double dt) {
  const HitReactionDef *def = &reaction->def;
  float sum = 0;
  for (int i = 0; i < STAGGER_COUNT; i++)
    sum += 1 - calm[i];
  for (int i = 0; i < STAGGER_COUNT; i++)
    reaction->stagger[i] =
        approach(reaction->stagger[i], (1 - calm[i]) / fmaxf(sum, 1), def->stagger_attack, def->recovery, dt);
  sum = 0;
  for (int i = 0; i < STAGGER_COUNT; i++)
    sum += reaction->stagger[i];
  for (int i = 0; i < STAGGER_COUNT; i++)
    reaction->stagger[i] /= fmaxf(sum, 1);
}

void hit_reaction_step(HitReaction *reaction, double dt) {
  const HitReactionDef *def = &reaction->def;
  reaction->since_last += dt;
  for (int i = 0; i < reaction->count; i++)
    reaction->hits[i].age += dt;
  forget_faded_hits(reaction);
  Demand demand;
  find_demand(reaction, &demand);
  double regain_time = fmin(def->recovery, def->reflex_attack);
  for (int i = 0; i < reaction->body->part_count; i++) {
    float least = (float)def->min_strength, strength = demand.kept[i] > least ? demand.kept[i] : least;
    reaction->strength[i] = approach(reaction->strength[i], strength, regain_time, def->attack, dt);
    reaction->blend[i] = approach(reaction->blend[i], 1 - demand.animated[i], def->blend_attack, def->recovery, dt);
  }
  step_stagger(reaction, demand.calm, dt);
}

static void hit_state(Hit *hit, int parts, StateStream *stream) {
  state_int(stream, &hit->part, 0, parts - 1);
  STATE(stream, hit->event, hit->impulse_m.raw, hit->age, hit->stagger);
  state_bytes(stream, hit->drop, (size_t)parts * sizeof *hit->drop);
  state_bytes(stream, hit->blend, (size_t)parts * sizeof *hit->blend);
}

void hit_reaction_state(HitReaction *reaction, StateStream *stream) {
  int parts = reaction->body->part_count;
  state_section(stream, "reaction", 1);
  int count = state_count(stream, &reaction->count, HIT_MAX_ACTIVE, sizeof(double));
  for (int i = 0; i < count; i++)
    hit_state(&reaction->hits[i], parts, stream);
  STATE(stream, reaction->since_last, reaction->stagger);
  state_bytes(stream, reaction->strength, (size_t)parts * sizeof *reaction->strength);
  state_bytes(stream, reaction->blend, (size_t)parts * sizeof *reaction->blend);
}
