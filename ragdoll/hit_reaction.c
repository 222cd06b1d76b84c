#include "ragdoll/hit_reaction.h"

#include <math.h>

#include "sim/numbers.h"

PARAM_TABLE(hit_reaction_params, HitReactionDef, HIT_REACTION_PARAMS, "hit_reaction",
            "What hits do to strength, to the shown pose and to the animation.")

const char *const hit_reaction_keys[] = {"strength_drop", "blend", NULL};

HitReactionDef hit_reaction_def_default(void) {
  HitReactionDef def = {0};
  param_defaults(&hit_reaction_params, &def);
  // A bullet that changes a part's speed by 1 m/s takes a third of the joint's strength and shows mostly physics.
  def.strength_drop = (Curve){.count = 4, .x = {0, 1, 4, 12}, .y = {0, 0.35, 0.7, 0.85}};
  def.blend = (Curve){.count = 4, .x = {0, 0.25, 1, 3}, .y = {0, 0.3, 0.8, 1}};
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

// Age at which all effects of a hit stand at their height.
static double full_age(const HitReactionDef *def) {
  return def->delay + fmax(def->attack, fmax(def->blend_attack, def->stagger_attack));
}

// The share of an effect that is felt at an age: each rises in its own time, all hold and fade together, with zero
// slope at every seam.
static double envelope(const HitReactionDef *def, double attack, double age) {
  if (age < def->delay + attack)
    return smooth_step((age - def->delay) / attack);
  return 1 - smooth_step((age - full_age(def) - def->hold) / def->recovery);
}

// Left, forward and right shares of a direction in the ground plane; a blow from the front leaves the normal gait.
static void direction_shares(vec3s direction, float shares[STAGGER_COUNT]) {
  float length = sqrtf(direction.x * direction.x + direction.z * direction.z);
  shares[STAGGER_LEFT] = length > 0 ? fmaxf(direction.x, 0) / length : 0;
  shares[STAGGER_FORWARD] = length > 0 ? fmaxf(direction.z, 0) / length : 0;
  shares[STAGGER_RIGHT] = length > 0 ? fmaxf(-direction.x, 0) / length : 0;
  float sum = fmaxf(shares[0] + shares[1] + shares[2], 1);
  for (int i = 0; i < STAGGER_COUNT; i++)
    shares[i] /= sum;
}

// The heights of a hit's effects from its whole impulse.
static void set_heights(const HitReaction *reaction, Hit *hit) {
  const HitReactionDef *def = &reaction->def;
  double impulse = (double)glms_vec3_norm(hit->impulse_m);
  double dv = impulse / reaction->body->parts[hit->part].mass;
  double drop = curve_value(&def->strength_drop, dv), blend = curve_value(&def->blend, dv);
  for (int i = 0; i < reaction->body->part_count; i++) {
    double share = pow(def->falloff, reaction->distance[hit->part][i]);
    hit->drop[i] = (float)(drop * share);
    hit->blend[i] = (float)(blend * share);
  }
  float weight = (float)fmin(impulse / def->stagger_impulse, 1);
  direction_shares(hit->impulse_m, hit->stagger);
  for (int i = 0; i < STAGGER_COUNT; i++)
    hit->stagger[i] *= weight;
}

// A place for a new hit; when all are taken, that of the oldest one.
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
    hit->age = fmin(hit->age, full_age(&reaction->def)); // the effect lasts as long as the push goes on
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
  double life = full_age(&reaction->def) + reaction->def.hold + reaction->def.recovery;
  int kept = 0;
  for (int i = 0; i < reaction->count; i++)
    if (reaction->hits[i].age < life)
      reaction->hits[kept++] = reaction->hits[i];
  reaction->count = kept;
}

// Several hits add up like independent chances, 1 - (1-a)(1-b)..: never beyond 1, never a jump when one comes or goes.
void hit_reaction_step(HitReaction *reaction, double dt) {
  reaction->since_last += dt;
  for (int i = 0; i < reaction->count; i++)
    reaction->hits[i].age += dt;
  forget_faded_hits(reaction);
  const HitReactionDef *def = &reaction->def;
  float calm[STAGGER_COUNT] = {1, 1, 1}, kept[BODY_MAX_PARTS], animated[BODY_MAX_PARTS];
  int parts = reaction->body->part_count;
  for (int i = 0; i < parts; i++)
    kept[i] = animated[i] = 1;
  for (int n = 0; n < reaction->count; n++) {
    const Hit *hit = &reaction->hits[n];
    float weakened = (float)envelope(def, def->attack, hit->age);
    float physical = (float)envelope(def, def->blend_attack, hit->age);
    float staggering = (float)envelope(def, def->stagger_attack, hit->age);
    for (int i = 0; i < parts; i++) {
      kept[i] *= 1 - weakened * hit->drop[i];
      animated[i] *= 1 - physical * hit->blend[i];
    }
    for (int i = 0; i < STAGGER_COUNT; i++)
      calm[i] *= 1 - staggering * hit->stagger[i];
  }
  for (int i = 0; i < parts; i++) {
    reaction->strength[i] = fmaxf(kept[i], (float)reaction->def.min_strength);
    reaction->blend[i] = 1 - animated[i];
  }
  float sum = 0;
  for (int i = 0; i < STAGGER_COUNT; i++)
    sum += reaction->stagger[i] = 1 - calm[i];
  for (int i = 0; i < STAGGER_COUNT; i++)
    reaction->stagger[i] /= fmaxf(sum, 1);
}
