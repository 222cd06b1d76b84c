// The responses of a struck character, beside the passive reaction of its body: he starts and tenses, raises his arms
// as he loses his balance, moves a hand to the struck place or both before the face, bows over his belly, gives way
// in a struck knee, unloads a struck shin, looks to where the blow came from and guards himself against another one.
//
// Each response has a size (0: none) and a latency in the scene. Latencies are counted from the blow: none is below
// what a nerve and a muscle take, and they vary, with the sizes, from blow to blow, drawn from the scene's seed. How
// strong a response is goes by how much the blow hurts: 1 - exp(-(impulse / (tolerance sqrt(mass)))^1.5), mass of the
// struck part in kg: a light part hurts sooner. The impulse of a blow that lasts counts over 1 + its duration / 0.02 s:
// a shove of the impulse of a punch moves a body as far, but does not hurt. Only the startle, which is of the balance
// too, counts it whole. Latencies, angles and this formula are assumed; they are of the order that is known of people
// (startle of the neck 0.06 to 0.12 s, voluntary reactions 0.15 to 0.25 s).
//
// Balance comes first: a body that is about to fall does not reach, bow, look or guard until a step has caught it.
#ifndef STAGGER_RAGDOLL_RESPONSE_RESPONSES_H
#define STAGGER_RAGDOLL_RESPONSE_RESPONSES_H

#include "ragdoll/body/ragdoll.h"
#include "ragdoll/reaction/fall_pose.h"
#include "sim/base/plane2.h"
#include "sim/base/rng.h"

#define RESPONSES_PARAMS(ROW, T)                                                                                       \
  ROW(T, BOOL, enabled, "false", 0, 1, "", "Whether it answers to hits beside what its body does by itself.")          \
  ROW(T, REAL, tolerance, "16", 1, 1000, "N s/kg^0.5",                                                                 \
      "Impulse over the root of the struck part's mass at which a blow hurts by 63 %.")                                \
  ROW(T, REAL, variation, "0.15", 0, 0.5, "-", "By so much latencies and sizes differ from blow to blow, either way.") \
  ROW(T, REAL, startle, "1", 0, 3, "-", "He ducks: head, shoulders, elbows.")                                          \
  ROW(T, REAL, startle_latency, "0.07", 0.05, 2, "s", "Time from the blow until he ducks.")                            \
  ROW(T, REAL, tension, "1.5", 0, 10, "-", "Stiffness that his muscles gain as he ducks, as a share of their own.")    \
  ROW(T, REAL, arms, "1", 0, 3, "-", "Arms go out to where he is thrown.")                                             \
  ROW(T, REAL, arms_latency, "0.2", 0.05, 2, "s", "Time in which they follow.")                                        \
  ROW(T, REAL, reach, "1", 0, 3, "-", "A hand goes to the struck place, both before the face.")                        \
  ROW(T, REAL, reach_latency, "0.28", 0.1, 2, "s", "Time from the blow until it goes.")                                \
  ROW(T, REAL, bow, "1", 0, 3, "-", "He bows over a blow to the belly, and bends away from one to the side.")          \
  ROW(T, REAL, bow_latency, "0.2", 0.1, 2, "s", "Time from the blow until he bows.")                                   \
  ROW(T, REAL, buckle, "1", 0, 3, "-", "The knee of a struck leg gives way.")                                          \
  ROW(T, REAL, buckle_latency, "0.06", 0.05, 2, "s", "Time from the blow until it does.")                              \
  ROW(T, REAL, hop, "1", 0, 3, "-", "Who balances takes a foot off the ground whose shin was struck.")                 \
  ROW(T, REAL, hop_latency, "0.25", 0.1, 2, "s", "Time from the blow until he does.")                                  \
  ROW(T, REAL, look, "1", 0, 3, "-", "He looks to where the blow came from.")                                          \
  ROW(T, REAL, look_latency, "0.35", 0.15, 2, "s", "Time from the blow until he does.")                                \
  ROW(T, REAL, guard, "1", 0, 3, "-", "He holds a forearm between himself and where the blow came from.")              \
  ROW(T, REAL, guard_latency, "0.45", 0.15, 2, "s", "Time from the blow until he does.")

typedef struct ResponsesDef {
  RESPONSES_PARAMS(PARAM_FIELD, ResponsesDef)
} ResponsesDef;

extern const ParamTable responses_params;

enum { RESPONSES_MAX_BLOWS = 4 };

typedef enum ResponseHand { RESPONSE_LEFT, RESPONSE_RIGHT, RESPONSE_BOTH, RESPONSE_NO_HAND } ResponseHand;

typedef struct Blow {
  bool active;
  int part, event;   // the struck part, and the event that struck it
  double age;        // s
  double impulse[3]; // N s so far, world
  vec3s point_l;     // m: where, part's frame
  double pain, jolt; // 0..1: how much it hurts, and how much it startles, however long it lasts
  double late, size; // random factors about 1, of latencies and of sizes
  ResponseHand hand; // that goes to the struck place
} Blow;

typedef struct Responses {
  ResponsesDef def;
  FallBody body;
  bool able; // the body has head, arms and two legs
  Rng rng;
  Blow blows[RESPONSES_MAX_BLOWS];
  double arms_out[2], arms_velocity[2], arms_uneven[2]; // how far each arm is out, -, 1/s; random factor
  double arms_time, calm_time;    // s since they began to go out, and since he was last about to lose his balance
  Plane2 thrown;                  // unit: where to, ahead and left, smoothed
  double busy;                    // 0..1: how much balance occupies him
  float tension[BODY_MAX_PARTS];  // out: stiffness that joints gain, as a share of their own
  float strength[BODY_MAX_PARTS]; // out: 0..1, what is left of a joint's strength
  bool lifts[SKELETON_MAX_LEGS];  // out: this foot is to come off the ground
} Responses;

// Input of one step.
typedef struct ResponseStep {
  const Ragdoll *ragdoll;
  double heading; // rad, of the character
  double h;       // s
  Plane2 off;     // m ahead and left: how far the extrapolated centre of mass is from where it should be
  double beyond;  // 0: the body can be balanced without a step; 1: it is about to fall
  Pose *pose_w;   // in and out: the target
} ResponseStep;

void responses_init(Responses *responses, const ResponsesDef *def, const BodyDef *body, uint64_t seed, int index);

// An impulse, N s, world, struck a part at a point, m, world. Those of one event and part are one blow.
void responses_strike(Responses *responses, const Ragdoll *ragdoll, int part, int event, const double impulse[3],
                      const double point[3]);

// Changes the target pose, and finds tension, strength and lifted feet. Off or unable, it leaves the pose bit for bit.
void responses_step(Responses *responses, const ResponseStep *step);

// Saves or restores them.
void responses_state(Responses *responses, StateStream *stream);

#endif
