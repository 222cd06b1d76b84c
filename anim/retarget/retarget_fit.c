// Whether a motion's figure stands as the body does that is to play it: how its trunk continues its legs, and how high
// its hands hang.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "anim/retarget/retarget_internal.h"

static const double OTHER_TRUNK = 0.873; // rad, 50 deg: a figure whose trunk and legs differ so much stands otherwise
static const double LOW_HANDS = 0.5;     // of the height of our hands: lower ones are feet

enum { POSTURE_FRAMES = 100 }; // most frames examined

// The places of all joints of the skeleton, of which some are known.
typedef struct Places {
  vec3s at[SKELETON_MAX_JOINTS];
  bool known[SKELETON_MAX_JOINTS];
} Places;

static bool mean_of(const Places *places, const int *joints, int count, vec3s *mean) {
  *mean = glms_vec3_zero();
  for (int i = 0; i < count; i++) {
    if (!places->known[joints[i]])
      return false;
    *mean = glms_vec3_muladds(places->at[joints[i]], 1.0f / (float)count, *mean);
  }
  return count > 0;
}

// The top of the trunk: the middle of the upper arms, or else the last joint of the middle.
static bool trunk_top(const Skeleton *skeleton, const Places *places, vec3s *top) {
  int arms[SKELETON_MAX_JOINTS], count = 0, last = -1;
  for (int i = 1; i < skeleton->count; i++) {
    JointMeaning meaning = {.role = ROLE_NONE};
    if (joint_meanings(skeleton->names[i], &meaning, 1) > 0 && meaning.role == ROLE_UPPER_ARM)
      arms[count++] = i;
    if (skeleton->twin[i] == i && places->known[i] && (meaning.role == ROLE_NECK || meaning.role == ROLE_CHEST))
      last = i;
  }
  return mean_of(places, arms, count, top) || (last >= 0 && mean_of(places, &last, 1, top));
}

static double trunk_angle(const Skeleton *skeleton, const Places *places) {
  int hips[SKELETON_MAX_LEGS], ankles[SKELETON_MAX_LEGS], count = skeleton->leg_count < 2 ? skeleton->leg_count : 2;
  vec3s hip, ankle, top;
  for (int l = 0; l < count; l++) { // the first two legs are the hind ones
    hips[l] = skeleton->legs[l].hip;
    ankles[l] = skeleton->legs[l].ankle;
  }
  if (!mean_of(places, hips, count, &hip) || !mean_of(places, ankles, count, &ankle) ||
      !trunk_top(skeleton, places, &top))
    return -1;
  vec3s trunk = glms_vec3_sub(top, hip), legs = glms_vec3_sub(ankle, hip);
  if (!(glms_vec3_norm(trunk) > 0 && glms_vec3_norm(legs) > 0))
    return -1;
  return (double)glms_vec3_angle(trunk, legs);
}

// Height of the lower hand, or else elbow, over the lower ankle, as a share of the leg's length; negative: unknown.
static double hand_height(const Skeleton *skeleton, const Places *places) {
  static const Role roles[2] = {ROLE_HAND, ROLE_FOREARM};
  float foot = FLT_MAX, hand = FLT_MAX;
  for (int l = 0; l < skeleton->leg_count; l++)
    if (places->known[skeleton->legs[l].ankle])
      foot = fminf(foot, places->at[skeleton->legs[l].ankle].y);
  for (int r = 0; r < 2 && hand == FLT_MAX; r++)
    for (int i = 1; i < skeleton->count; i++) {
      JointMeaning meaning = {.role = ROLE_NONE};
      if (places->known[i] && joint_meanings(skeleton->names[i], &meaning, 1) > 0 && meaning.role == roles[r])
        hand = fminf(hand, places->at[i].y);
    }
  const Leg *leg = &skeleton->legs[0];
  float length = glms_vec3_distance(places->at[leg->hip], places->at[leg->knee]) +
                 glms_vec3_distance(places->at[leg->knee], places->at[leg->ankle]);
  return hand < FLT_MAX && foot < FLT_MAX && length > 0 ? fmax((double)((hand - foot) / length), 0) : -1;
}

RetargetPosture retarget_skeleton_posture(const Skeleton *skeleton) {
  if (skeleton->leg_count == 0)
    return (RetargetPosture){-1, -1};
  Pose bind = pose_bind(skeleton);
  ModelPose model;
  pose_to_model(skeleton, &bind, &model);
  Places places;
  for (int i = 0; i < skeleton->count; i++) {
    places.at[i] = model.position[i];
    places.known[i] = true;
  }
  return (RetargetPosture){trunk_angle(skeleton, &places), hand_height(skeleton, &places)};
}

RetargetPosture retarget_motion_posture(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton) {
  const RetargetPosture ours = retarget_skeleton_posture(skeleton);
  RetargetPosture best = {-1, -1};
  double least = HUGE_VAL; // rad, between the best trunk and ours
  vec3s *positions = malloc((size_t)motion->joint_count * sizeof *positions);
  versors *rotations = malloc((size_t)motion->joint_count * sizeof *rotations);
  int step = motion->frame_count / POSTURE_FRAMES + 1;
  for (int f = -1; positions && rotations && ours.trunk >= 0 && f < motion->frame_count; f = f < 0 ? 0 : f + step) {
    if (f < 0)
      retarget_place_rest(motion, positions, rotations);
    else
      motion_place(motion, f, positions, rotations);
    Places places;
    for (int i = 0; i < skeleton->count; i++) {
      places.known[i] = map->source[i] >= 0;
      places.at[i] = places.known[i] ? positions[map->source[i]] : glms_vec3_zero();
    }
    double trunk = trunk_angle(skeleton, &places);
    if (trunk >= 0 && fabs(trunk - ours.trunk) < least) {
      best.trunk = trunk;
      least = fabs(trunk - ours.trunk);
    }
    best.hands = fmax(best.hands, hand_height(skeleton, &places));
  }
  free(positions);
  free(rotations);
  return best;
}

bool retarget_posture_fits(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton,
                           char how[RETARGET_HOW_SIZE]) {
  const RetargetPosture theirs = retarget_motion_posture(motion, map, skeleton),
                        ours = retarget_skeleton_posture(skeleton);
  how[0] = '\0';
  if (theirs.trunk >= 0 && fabs(theirs.trunk - ours.trunk) > OTHER_TRUNK)
    snprintf(how, RETARGET_HOW_SIZE, "its trunk is at %.0f deg to its legs, not at %.0f", theirs.trunk * 180 / M_PI,
             ours.trunk * 180 / M_PI);
  else if (theirs.hands >= 0 && theirs.hands < LOW_HANDS * ours.hands)
    snprintf(how, RETARGET_HOW_SIZE,
             "its hands are never higher than %.2f of a leg's length over its feet, not at %.2f", theirs.hands,
             ours.hands);
  return how[0] == '\0';
}
