// What a hit does to a character: the struck joints weaken and recover, the shown pose becomes physical and fades back
// to animation, and the animation itself staggers in the direction of the hit. Strength and shown pose go by curves
// over dv = impulse / mass of the struck part, so that a bullet to the hand and a shove to the chest are measured by
// what they do to the part; staggering is of the whole body, and goes by impulse / mass of the body. Each curve may be
// scaled by a second one over the direction of the blow.
//
// In time: at once the muscles give way; after `reflex_delay` a reflex stiffens the struck chain again in part (long
// latency stretch reflexes: 50 to 120 ms); from `voluntary_delay` on (voluntary reactions: 150 to 250 ms) everything
// recovers. Several hits add up, and no result ever changes faster than a single full hit makes it.
// Method: Zordan et al. 2005, Dynamic response for motion capture animation; formulas are our own.
#ifndef STAGGER_RAGDOLL_REACTION_HIT_REACTION_H
#define STAGGER_RAGDOLL_REACTION_HIT_REACTION_H

#include "anim/curve.h"
#include "ragdoll/body/ragdoll.h"
#include "sim/base/state.h"

#define HIT_REACTION_PARAMS(ROW, T)                                                                                    \
  ROW(T, BOOL, enabled, "true", 0, 1, "", "Whether hits weaken joints, show physics and stagger the animation.")       \
  ROW(T, REAL, falloff, "0.5", 0, 1, "-", "Share of the lost strength that the next joint of the chain loses.")        \
  ROW(T, REAL, blend_falloff, "0.9", 0, 1, "-",                                                                        \
      "The same of the physical share: the body's own deviation fades already.")                                       \
  ROW(T, REAL, delay, "0", 0, 0.5, "s", "How long strength holds after a hit before the muscles give way.")            \
  ROW(T, REAL, attack, "0.02", 0.001, 1, "s", "Time in which strength drops.")                                         \
  ROW(T, REAL, blend_attack, "0.001", 0.001, 1, "s", "Time in which the physical share of the shown pose rises.")      \
  ROW(T, REAL, stagger_attack, "0.15", 0.001, 1, "s", "Time in which the animation begins to stagger.")                \
  ROW(T, REAL, reflex, "0.4", 0, 1, "-", "Share of the lost strength that the reflex gives back.")                     \
  ROW(T, REAL, reflex_delay, "0.1", 0, 1, "s", "Time from the hit to the reflex; 0.08 to 0.12 s in man.")              \
  ROW(T, REAL, reflex_attack, "0.04", 0.001, 1, "s", "Time in which the reflex stiffens the struck chain.")            \
  ROW(T, REAL, voluntary_delay, "0.2", 0, 5, "s",                                                                      \
      "Time from the hit to the voluntary reaction, with which recovery begins; 0.15 to 0.25 s in man.")               \
  ROW(T, REAL, recovery, "0.6", 0.01, 10, "s", "Time in which all effects fade away, smoothly.")                       \
  ROW(T, REAL, min_strength, "0.05", 0, 1, "-", "Strength that even the hardest hit leaves.")                          \
  ROW(T, REAL, spread, "0", 0, 0.1, "s", "Time over which a bullet's impulse is spread, as a triangle.")               \
  ROW(T, REAL, immunity, "0", 0, 10, "s", "Time after a hit in which further hits do not add to the reaction.")        \
  ROW(T, REAL, tone, "0", -1, 1, "-",                                                                                  \
      "Muscle tone of the whole body: -1 slack, 0 normal, 1 so tense that no hit takes strength and "                  \
      "that joints above the legs are four times as stiff.")

// The size of an effect: a curve over dv, times a factor over the direction of the blow.
typedef struct HitCurve {
  Curve by_dv;        // m/s -> 0..1
  Curve by_direction; // deg between the blow's horizontal direction and forward, 0..180, either side -> 0..1
} HitCurve;

typedef struct HitReactionDef {
  HIT_REACTION_PARAMS(PARAM_FIELD, HitReactionDef)
  HitCurve strength_drop;      // dv of the struck part -> share of strength lost at its joint
  HitCurve blend;              // dv of the struck part -> physical share of the shown pose at its joint
  HitCurve stagger;            // dv of the whole body -> weight of the unstable animation
  float mask[BODY_MAX_PARTS];  // 0..1: how far a joint takes part in strength_drop and blend
  float tones[BODY_MAX_PARTS]; // -1..1: of single joints, beside `tone`
} HitReactionDef;

extern const ParamTable hit_reaction_params;
extern const CurveTable hit_reaction_curves;

HitReactionDef hit_reaction_def_default(void);

typedef enum StaggerWay { STAGGER_LEFT, STAGGER_FORWARD, STAGGER_RIGHT, STAGGER_BACKWARD, STAGGER_COUNT } StaggerWay;

enum { HIT_MAX_ACTIVE = 16 };

// A hit that still has an effect.
typedef struct Hit {
  int part, event;              // the struck part, and the event that struck it
  vec3s impulse_m;              // N s so far, character's frame
  double age;                   // s
  float drop[BODY_MAX_PARTS];   // largest share of strength lost, for each joint
  float blend[BODY_MAX_PARTS];  // largest physical share
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

// Saves or restores.
void hit_reaction_state(HitReaction *reaction, StateStream *stream);

#endif
