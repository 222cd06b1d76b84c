// Puts feet on the ground during their contacts: the sole lies flat or rolls over its edges without slipping, and the
// corrections are spread over the swings. The pelvis is lowered where a leg would be too short.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "anim/ik.h"
#include "anim/retarget/retarget_internal.h"

// rad: a standing sole that is pitched less is laid flat (5 deg), one pitched twice as much is left as it is; a
// physical body wobbles on the edges of its soles.
static const float FLAT_PITCH = 0.08f;
static const float ROLL_OVER = 0.05f;    // rad of pitch over which the weight goes from heel to toe
static const float STEEP = 0.35f;        // horizontal length of a foot's unit heading below which it is too steep to be
                                         // standing flat
static const float PIVOT = 0.8f;         // rad: a standing foot that turns less is held at one heading
static const float PIVOT_SURE = 1.2f;    // rad: one that turns more than this pivots
static const float FADE_TIME = 0.35f;    // s: longest part of a swing in which a foot blends to or from its own path
static const float LIFT = 0.2f;          // share of a swing, at either end, in which a foot rises from the ground or
                                         // comes down
static const float FEET_APART = 0.03f;   // m between the edges of feet that pass each other
static const float LARGEST_ASIDE = 0.1f; // m
static const float BESIDE = 1.2f;        // of a foot's length: feet further apart along the direction of motion do not
                                         // collide
static const float LEG_REACH = 0.997f;   // of the leg's length
static const float DROP_TIME = 0.12f;    // s before and after, over which the lowering of the pelvis is spread
static const float LARGEST_DROP = 0.15f; // m
static const float STRAY = 0.006f; // m: a foot that is kept this far from its place by the joints' ranges is lifted
enum { PASSES = 4 };

typedef struct Plant {
  Clip *clip;
  const RetargetLimits *limits;
  float clearance; // m
  ModelPose bind_m;
  Foot *own, *goal;      // [legs * keys]: as retargeted, and as wanted
  bool *stands;          // [legs * keys]
  float *drop, *scratch; // [keys] m
} Plant;

static float smooth(float t) {
  t = fminf(fmaxf(t, 0), 1);
  return t * t * (3 - 2 * t);
}

// Converts a foot from the clip's root frame at a key to the ground over which the root moves; keys of a loop continue
// past its end.
static Foot foot_to_ground(const Clip *clip, int key, Foot foot) {
  vec3s position;
  versors rotation;
  clip_root_at(clip, key * clip_key_step(clip), &position, &rotation);
  return (Foot){glms_vec3_add(position, glms_quat_rotatev(rotation, foot.position)),
                glms_quat_mul(rotation, foot.rotation)};
}

static Foot foot_from_ground(const Clip *clip, int key, Foot foot) {
  vec3s position;
  versors rotation;
  clip_root_at(clip, key * clip_key_step(clip), &position, &rotation);
  versors back = glms_quat_conjugate(rotation);
  return (Foot){glms_quat_rotatev(back, glms_vec3_sub(foot.position, position)), glms_quat_mul(back, foot.rotation)};
}

// ---- Standing ----

static vec3s sole_direction(const Leg *leg, versors rotation) {
  return glms_quat_rotatev(rotation, glms_vec3_normalize(glms_vec3_sub(leg->toe_l, leg->heel_l)));
}

// The heading of a foot in a contact: its mean, and the largest deviation to either side.
typedef struct Heading {
  float mean, range; // rad
} Heading;

static Heading contact_heading(const Plant *plant, int l, int begin, int length) {
  const Clip *clip = plant->clip;
  const Leg *leg = &clip->skeleton->legs[l];
  Heading heading = {0};
  vec3s sum = glms_vec3_zero();
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < length; i++) {
      Foot own = plant->own[l * clip->key_count + (begin + i) % clip->key_count];
      vec3s ahead = sole_direction(leg, foot_to_ground(clip, begin + i, own).rotation);
      float plane = hypotf(ahead.x, ahead.z);
      if (pass == 0)
        sum = glms_vec3_add(sum, ahead);
      else if (plane > STEEP)
        heading.range = fmaxf(heading.range, fabsf(remainderf(atan2f(ahead.x, ahead.z) - heading.mean, 2 * GLM_PIf)));
    }
    heading.mean = atan2f(sum.x, sum.z);
  }
  return heading;
}

// The rotation of a standing foot: one constant heading unless it pivots; its own pitch unless that is small; no roll.
// pitch: rad, positive with toes up.
static versors standing_rotation(const Plant *plant, const Leg *leg, Heading heading, versors own, float *pitch) {
  versors bind = plant->bind_m.rotation[leg->ankle];
  vec3s ahead = sole_direction(leg, own), bind_ahead = sole_direction(leg, bind);
  float plane = hypotf(ahead.x, ahead.z), own_pitch = atan2f(ahead.y, plane);
  float turned = remainderf(atan2f(ahead.x, ahead.z) - heading.mean, 2 * GLM_PIf);
  float pivot = smooth((heading.range - PIVOT) / (PIVOT_SURE - PIVOT));
  float yaw = heading.mean + pivot * turned - atan2f(bind_ahead.x, bind_ahead.z);
  *pitch = own_pitch * smooth(fabsf(own_pitch) / FLAT_PITCH - 1);
  versors level = {{0, sinf(yaw / 2), 0, cosf(yaw / 2)}}, tilt = {{-sinf(*pitch / 2), 0, 0, cosf(*pitch / 2)}};
  versors standing = glms_quat_mul(glms_quat_mul(level, tilt), bind);
  // A foot that stands steeply on its toes keeps its rotation.
  return quat_slerp(own, standing, smooth(plane / STEEP - 1));
}

static vec3s sole_point(const Leg *leg, float pitch) {
  float toe = smooth(0.5f - pitch / (2 * ROLL_OVER));
  return glms_vec3_lerp(leg->heel_l, leg->toe_l, toe);
}

static float lowest_of(const Leg *leg, versors rotation) {
  return fminf(glms_quat_rotatev(rotation, leg->heel_l).y, glms_quat_rotatev(rotation, leg->toe_l).y);
}

// Plants one contact, keys [begin, begin + length): the supporting edge (heel or toe) does not move, and the whole
// contact keeps its mean position.
static void plant_contact(Plant *plant, int l, int begin, int length) {
  Clip *clip = plant->clip;
  const Leg *leg = &clip->skeleton->legs[l];
  int keys = clip->key_count;
  Foot *own = plant->own + l * keys, *goal = plant->goal + l * keys;
  vec3s at = glms_vec3_zero(), offset = glms_vec3_zero();
  versors last = glms_quat_identity();
  float last_pitch = 0;
  Heading heading = contact_heading(plant, l, begin, length);
  for (int i = 0; i < length; i++) {
    int k = (begin + i) % keys;
    Foot foot = foot_to_ground(clip, begin + i, own[k]);
    float pitch;
    versors rotation = standing_rotation(plant, leg, heading, foot.rotation, &pitch);
    if (i > 0) {
      vec3s bearing = sole_point(leg, (pitch + last_pitch) / 2);
      at = glms_vec3_add(at, glms_vec3_sub(glms_quat_rotatev(last, bearing), glms_quat_rotatev(rotation, bearing)));
    }
    at.y = -lowest_of(leg, rotation);
    offset = glms_vec3_muladds(glms_vec3_sub(foot.position, at), 1 / (float)length, offset);
    goal[k] = (Foot){at, rotation}; // still relative to the ground; converted below
    last = rotation;
    last_pitch = pitch;
  }
  offset.y = 0;
  for (int i = 0; i < length; i++) {
    int k = (begin + i) % keys;
    goal[k].position = glms_vec3_add(goal[k].position, offset);
    goal[k] = foot_from_ground(clip, begin + i, goal[k]);
  }
}

// ---- Swinging ----

// Adds the displacement of a planted key to a swinging foot.
static void add_shift(const Foot *own, const Foot *goal, float weight, Foot *foot) {
  foot->position = glms_vec3_muladds(glms_vec3_sub(goal->position, own->position), weight, foot->position);
  versors turn = glms_quat_mul(goal->rotation, glms_quat_conjugate(own->rotation));
  foot->rotation = glms_quat_normalize(glms_quat_mul(quat_slerp(glms_quat_identity(), turn, weight), foot->rotation));
}

// The height of a swinging sole whose unconstrained height is `low`: never below the ground, and at least the clearance
// between LIFT after the swing's begin and LIFT before its end. share: elapsed share of the swing.
static float swing_height(const Plant *plant, float share, bool has_ends, float low) {
  if (!has_ends)
    return fmaxf(low, 0);
  float least = plant->clearance * smooth(share / LIFT) * smooth((1 - share) / LIFT), soft = least / 2;
  // the larger of the two, smoothly
  return (low + least + sqrtf((low - least) * (low - least) + soft * soft)) / 2;
}

// How far a swinging foot must move sideways to pass another foot: people's feet pass closer than the boxes of a
// physical body can.
static vec3s step_aside(const Plant *plant, int l, int key, vec3s at) {
  const Skeleton *skeleton = plant->clip->skeleton;
  vec3s aside = glms_vec3_zero();
  for (int other = 0; other < skeleton->leg_count; other++) {
    if (other == l)
      continue;
    int i = other * plant->clip->key_count + key;
    vec3s to = glms_vec3_sub(at, plant->stands[i] ? plant->goal[i].position : plant->own[i].position);
    float side =
        plant->bind_m.position[skeleton->legs[l].ankle].x - plant->bind_m.position[skeleton->legs[other].ankle].x > 0
            ? 1.0f
            : -1.0f;
    float apart = skeleton->legs[l].half_width + skeleton->legs[other].half_width + FEET_APART - side * to.x;
    float length = glms_vec3_distance(skeleton->legs[l].heel_l, skeleton->legs[l].toe_l);
    float beside = smooth((BESIDE * length - fabsf(to.z)) / (0.5f * length));
    aside.x += side * beside * fmaxf(fminf(apart, LARGEST_ASIDE), 0);
  }
  return aside;
}

// Corrects a swing, keys [begin, begin + length). The contacts before and after are planted, unless the clip ends
// there.
static void plant_swing(Plant *plant, int l, int begin, int length, bool after_contact, bool before_contact) {
  const Clip *clip = plant->clip;
  const Leg *leg = &clip->skeleton->legs[l];
  int keys = clip->key_count;
  Foot *own = plant->own + l * keys, *goal = plant->goal + l * keys;
  float fade = fminf(FADE_TIME / (float)clip_key_step(clip), (float)(length + 1));
  int from = (begin + keys - 1) % keys, to = (begin + length) % keys;
  bool ends = after_contact && before_contact;
  for (int i = 0; i < length; i++) {
    int k = (begin + i) % keys;
    goal[k] = own[k];
    if (after_contact)
      add_shift(&own[from], &goal[from], 1 - smooth((float)(i + 1) / fade), &goal[k]);
    if (before_contact)
      add_shift(&own[to], &goal[to], 1 - smooth((float)(length - i) / fade), &goal[k]);
    float share = (float)(i + 1) / (float)(length + 1);
    if (ends && plant->clearance > 0) {
      float amid = smooth(share / LIFT) * smooth((1 - share) / LIFT);
      goal[k].position = glms_vec3_muladds(step_aside(plant, l, k, goal[k].position), amid, goal[k].position);
    }
    float low = goal[k].position.y + lowest_of(leg, goal[k].rotation);
    goal[k].position.y += swing_height(plant, share, ends, low) - low;
  }
}

// Calls plant_contact or plant_swing for every span of equal keys; spans of a loop may continue past its end.
static void plant_leg(Plant *plant, int l, bool standing) {
  const Clip *clip = plant->clip;
  const bool *stands = plant->stands + l * clip->key_count;
  int keys = clip->key_count, start = 0;
  while (clip->loop && start < keys && stands[start] == stands[(start + keys - 1) % keys])
    start++;
  bool wraps = clip->loop && start < keys;
  start %= keys;
  for (int i = 0, length; i < keys; i += length) {
    int begin = start + i;
    for (length = 1; i + length < keys && stands[(begin + length) % keys] == stands[begin % keys];)
      length++;
    if (stands[begin % keys] != standing)
      continue;
    if (standing)
      plant_contact(plant, l, begin, length);
    else
      plant_swing(plant, l, begin, length, wraps || begin > 0, wraps || begin + length < keys);
  }
}

// ---- Pelvis ----

// How far the pelvis must be lowered at a key so that all legs reach.
static float needed_drop(const Plant *plant, int key) {
  const Clip *clip = plant->clip;
  const Skeleton *skeleton = clip->skeleton;
  float drop = 0;
  for (int l = 0; l < skeleton->leg_count; l++) {
    const Leg *leg = &skeleton->legs[l];
    vec3s hip = retarget_foot(skeleton, &clip->keys[key], leg->hip).position;
    vec3s goal = plant->goal[l * clip->key_count + key].position;
    float reach = LEG_REACH * (glms_vec3_norm(skeleton->bind_position_l[leg->knee]) +
                               glms_vec3_norm(skeleton->bind_position_l[leg->ankle]));
    float aside = hypotf(hip.x - goal.x, hip.z - goal.z);
    drop = fmaxf(drop, hip.y - goal.y - sqrtf(fmaxf(reach * reach - aside * aside, 0)));
  }
  return fminf(drop, LARGEST_DROP);
}

// The largest drop nearby, then a mean over the same time: smooth, and never less than needed.
static void lower_pelvis(Plant *plant) {
  const Clip *clip = plant->clip;
  int keys = clip->key_count, half = (int)(DROP_TIME / (float)clip_key_step(clip) / 2);
  half = half < keys / 4 ? half : keys / 4;
  for (int k = 0; k < keys; k++)
    plant->scratch[k] = needed_drop(plant, k);
  for (int pass = 0; pass < 3; pass++) { // one maximum, then two means, so that there are no corners
    for (int k = 0; k < keys; k++) {
      float most = 0, sum = 0;
      int window = pass == 0 ? 2 * half : half;
      for (int i = -window; i <= window; i++) {
        int at = k + i;
        at = clip->loop ? (at + keys) % keys : at < 0 ? 0 : at >= keys ? keys - 1 : at;
        most = fmaxf(most, plant->scratch[at]);
        sum += plant->scratch[at];
      }
      plant->drop[k] = pass == 0 ? most : sum / (float)(2 * window + 1);
    }
    float *swap = plant->drop;
    plant->drop = plant->scratch;
    plant->scratch = swap;
  }
  for (int k = 0; k < keys; k++)
    clip->keys[k].position[0].y -= plant->scratch[k];
}

// ---- Legs ----

static void reach_goals(Plant *plant, int key, double *excess) {
  Clip *clip = plant->clip;
  const Skeleton *skeleton = clip->skeleton;
  Pose *pose = &clip->keys[key];
  for (int l = 0; l < skeleton->leg_count; l++) {
    const Leg *leg = &skeleton->legs[l];
    Foot goal = plant->goal[l * clip->key_count + key];
    leg_reach(skeleton, leg, goal.position, goal.rotation, pose);
    if (retarget_ankle_is_universal(plant->limits, leg))
      retarget_turn_leg(skeleton, leg, goal.rotation, 1, pose);
  }
  *excess = fmax(*excess, retarget_limit(skeleton, plant->limits, 0, pose, NULL));
}

static void plant_once(Plant *plant, double *excess) {
  Clip *clip = plant->clip;
  const Skeleton *skeleton = clip->skeleton;
  int keys = clip->key_count;
  for (int l = 0; l < skeleton->leg_count; l++) {
    for (int k = 0; k < keys; k++)
      plant->own[l * keys + k] = retarget_foot(skeleton, &clip->keys[k], skeleton->legs[l].ankle);
    plant_leg(plant, l, true);
  }
  for (int l = 0; l < skeleton->leg_count; l++)
    plant_leg(plant, l, false);
  lower_pelvis(plant);
  for (int k = 0; k < keys; k++)
    reach_goals(plant, k, excess);
}

// Feet that stand but were kept from their place by the joints' ranges are made to swing. Returns whether there were
// any.
static bool lift_strays(Plant *plant) {
  const Clip *clip = plant->clip;
  const Skeleton *skeleton = clip->skeleton;
  bool changed = false;
  for (int l = 0; l < skeleton->leg_count; l++) {
    const Leg *leg = &skeleton->legs[l];
    bool *stands = plant->stands + l * clip->key_count;
    for (int k = 0; k < clip->key_count; k++) {
      Foot is = retarget_foot(skeleton, &clip->keys[k], leg->ankle), goal = plant->goal[l * clip->key_count + k];
      float off = glms_vec3_distance(is.position, goal.position) +
                  quat_angle_between(is.rotation, goal.rotation) * glms_vec3_norm(leg->heel_l);
      if (stands[k] && off > STRAY) {
        stands[k] = false;
        changed = true;
      }
    }
    if (changed)
      contacts_drop_short(clip, stands);
  }
  return changed;
}

bool retarget_plant(Clip *clip, const RetargetLimits *limits, double clearance, double *excess, Error *error) {
  const Skeleton *skeleton = clip->skeleton;
  int keys = clip->key_count, legs = skeleton->leg_count;
  size_t feet = (size_t)keys * (size_t)legs, pose_bytes = (size_t)keys * sizeof *clip->keys;
  Plant plant = {.clip = clip,
                 .limits = limits,
                 .clearance = (float)clearance,
                 .own = malloc(feet * sizeof *plant.own),
                 .goal = malloc(feet * sizeof *plant.goal),
                 .stands = malloc(feet * sizeof *plant.stands),
                 .drop = malloc((size_t)keys * sizeof *plant.drop),
                 .scratch = malloc((size_t)keys * sizeof *plant.scratch)};
  Pose *before = malloc(pose_bytes), bind = pose_bind(skeleton);
  bool good = plant.own && plant.goal && plant.stands && plant.drop && plant.scratch && before;
  if (good && keys > 1) {
    pose_to_model(skeleton, &bind, &plant.bind_m);
    memcpy(before, clip->keys, pose_bytes);
    for (int l = 0; l < legs; l++)
      contacts_find_keys(clip, l, plant.stands + l * keys);
    double reached_excess = 0;
    for (int pass = 0; pass < PASSES; pass++) {
      memcpy(clip->keys, before, pose_bytes);
      reached_excess = 0;
      plant_once(&plant, &reached_excess);
      if (!lift_strays(&plant))
        break;
    }
    *excess = fmax(*excess, reached_excess);
    clip->contact_count = 0;
    for (int l = 0; l < legs; l++)
      contacts_add(clip, l, plant.stands + l * keys);
  }
  free(plant.own);
  free(plant.goal);
  free(plant.stands);
  free(plant.drop);
  free(plant.scratch);
  free(before);
  return good || error_set(error, "out of memory for clip '%s'", clip->name);
}
