// One row for each kind of joint: stiffness, damping and rate of a man of 75 kg who falls. Other bodies have them in
// proportion to their weight and the length of their legs.
#include "ragdoll/reaction/fall_tone.h"

#include <math.h>

typedef enum FallJoint { TRUNK, NECK, SHOULDER, ELBOW, WRIST, HIP, KNEE, ANKLE } FallJoint;

// Assumed. Legs that fall do not stand any more: they give way under the body and brake it, but no more than a tenth as
// stiff as those that carry it. Arms are as stiff as they have to be to break a fall and yield at the elbow; the rate
// of shoulder and elbow follows from the speed of the hand.
static const FallTone TONES[] = {
    [TRUNK] = {.stiffness = 1000, .damping = 90, .rate = 2},   [NECK] = {.stiffness = 160, .damping = 9, .rate = 5},
    [SHOULDER] = {.stiffness = 140, .damping = 12, .rate = 0}, [ELBOW] = {.stiffness = 110, .damping = 8, .rate = 0},
    [WRIST] = {.stiffness = 30, .damping = 1, .rate = 4},      [HIP] = {.stiffness = 320, .damping = 80, .rate = 2.2},
    [KNEE] = {.stiffness = 300, .damping = 80, .rate = 2.7},   [ANKLE] = {.stiffness = 120, .damping = 8, .rate = 4},
};
static const double MAN_MASS = 75, MAN_LEG = 0.93; // kg, m

static FallJoint kind_of(const FallBody *fall, int joint) {
  const Skeleton *skeleton = &fall->body->skeleton;
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    if (joint == leg->hip || joint == leg->knee || joint == leg->ankle)
      return joint == leg->hip ? HIP : joint == leg->knee ? KNEE : ANKLE;
  }
  for (int i = 0; i < 2; i++)
    if (joint == fall->arms[i] || joint == fall->forearms[i] || joint == fall->hands[i])
      return joint == fall->arms[i] ? SHOULDER : joint == fall->forearms[i] ? ELBOW : WRIST;
  return joint == fall->head ? NECK : TRUNK;
}

FallTone fall_tone(const FallBody *fall, int joint, double hand_speed) {
  FallJoint kind = kind_of(fall, joint);
  FallTone tone = TONES[kind];
  double size = fall->body->mass * fall->leg_length / (MAN_MASS * MAN_LEG);
  tone.stiffness *= size;
  tone.damping *= size;
  if (kind == SHOULDER || kind == ELBOW)
    tone.rate = hand_speed / fall->arm_length;
  return tone;
}
