// What a hit does to a character: the struck joints weaken and recover, the shown pose becomes physical and fades back
// to animation, and the animation itself staggers in the direction of the hit. All by curves over dv = impulse / mass
// of the struck part, so that a bullet to the hand and a shove to the chest are measured by what they do to the part.
// Method: Zordan et al. 2005, Dynamic response for motion capture animation; formulas are our own.
#ifndef STAGGER_RAGDOLL_HIT_REACTION_H
#define STAGGER_RAGDOLL_HIT_REACTION_H

#include "anim/curve.h"
#include "ragdoll/ragdoll.h"

#define HIT_REACTION_PARAMS(ROW, T)                                                                                    \
  ROW(T, BOOL, enabled, "true", 0, 1, "", "Whether hits weaken joints, show physics and stagger the animation.")       \
  ROW(T, REAL, falloff, "0.5", 0, 1, "-", "Share of the effect that the next joint of the chain still feels.")         \
  ROW(T, REAL, delay, "0", 0, 0.5, "s", "Reaction delay: how long strength holds before the muscles give way.")        \
  ROW(T, REAL, attack, "0.02", 0.001, 1, "s", "Time in which strength drops.")                                         \
  ROW(T, REAL, blend_attack, "0.001", 0.001, 1, "s", "Time in which the physical share of the shown pose rises.")      \
  ROW(T, REAL, stagger_attack, "0.15", 0.001, 1, "s", "Time in which the animation begins to stagger.")                \
  ROW(T, REAL, hold, "0.05", 0, 5, "s", "Time for which the effects last in full.")                                    \
  ROW(T, REAL, recovery, "0.6", 0.01, 10, "s", "Time in which they fade away, smoothly.")                              \
  ROW(T, REAL, min_strength, "0.15", 0, 1, "-", "Strength that even the hardest hit leaves.")                          \
  ROW(T, REAL, spread, "0", 0, 0.1, "s", "Time over which a bullet's impulse is spread, as a triangle.")               \
  ROW(T, REAL, stagger_impulse, "20", 0.1, 1000, "N s", "Impulse at which the animation staggers in full.")            \
  ROW(T, REAL, immunity, "0", 0, 10, "s", "Time after a hit in which further hits do not add to the reaction.")

typedef struct HitReactionDef {
  HIT_REACTION_PARAMS(PARAM_FIELD, HitReactionDef)
  Curve strength_drop; // dv in m/s -> share of strength lost at the struck joint, 0..1
  Curve blend;         // dv in m/s -> physical share of the shown pose at the struck joint, 0..1
} HitReactionDef;

extern const ParamTable hit_reaction_params;
extern const char *const hit_reaction_keys[]; // keys of the section beside the table: strength_drop, blend

HitReactionDef hit_reaction_def_default(void);

enum { STAGGER_LEFT, STAGGER_FORWARD, STAGGER_RIGHT, STAGGER_COUNT, HIT_MAX_ACTIVE = 16 };

// One hit that still has an effect.
typedef struct Hit {
  int part, event;              // what was struck, and by which happening
  vec3s impulse_m;              // N s so far, character's frame
  double age;                   // s
  float drop[BODY_MAX_PARTS];   // share of strength lost at its height, for each joint
  float blend[BODY_MAX_PARTS];  // physical share at its height
  float stagger[STAGGER_COUNT]; // weights of the unstable clips at its height
} Hit;

typedef struct HitReaction {
  HitReactionDef def;
  const BodyDef *body;
  unsigned char distance[BODY_MAX_PARTS][BODY_MAX_PARTS]; // joints between two parts along the skeleton
  Hit hits[HIT_MAX_ACTIVE];
  int count;
  double since_last;              // s since the last hit that counted
  float strength[BODY_MAX_PARTS]; // result: 1 untouched .. min_strength
  float blend[BODY_MAX_PARTS];    // result: 0 animation .. 1 physics, entry 0 is the root
  float stagger[STAGGER_COUNT];   // result: weights of the unstable clips, sum <= 1
} HitReaction;

void hit_reaction_init(HitReaction *reaction, const HitReactionDef *def, const BodyDef *body);

// An impulse in N s, in the character's frame (X left, Z forward), struck a part. Impulses of one event and part are
// one hit, however many steps they are spread over. An impulse of 0 changes nothing at all.
void hit_reaction_hit(HitReaction *reaction, int part, int event, vec3s impulse_m);

// Advances by dt and recomputes strength, blend and stagger.
void hit_reaction_step(HitReaction *reaction, double dt);

#endif
