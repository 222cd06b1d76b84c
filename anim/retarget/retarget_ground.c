// Learns from the source's standing feet where the ground is and how its soles are tilted, since files contain neither.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "anim/retarget/retarget_internal.h"
#include "sim/base/numbers.h"

static const float LOWEST_SHARE = 0.1f; // share of all keys that lie lower than the first guess of the ground's height
static const float STILL_SPEED = 0.25f; // m/s: a foot stands flat if its ankle is slower,
static const float STILL_TURN = 0.6f;   // rad/s: the foot turns slower,
static const float STILL_HEIGHT = 0.1f; // m: and the ankle is this close to the lowest one
static const float STANDING_HEIGHT = 0.75f, STANDING_UPRIGHT = 0.7f; // of a leg's length; cosine (45 deg): a pelvis
                                                                     // that is lower or leans more does not stand
static const float TREAD_HEIGHT = 0.04f; // m: the lowest sole stands if it is lower than this
static const float TREAD_SPEED = 0.25f;  // m/s: a slower treadmill velocity is no walk
static const float TREAD_STEADY = 0.7f;  // mean velocity over mean speed; 1 when all speeds have the same direction
static const float TREAD_ASIDE = 0.3f;   // share of the speed to the side below which the motion is straight
static const float TREAD_SHARE = 0.15f;  // share of all keys in which a foot must stand: runs fly for long
static const float TREAD_BOTH = 0.2f;    // share of those in which each foot must
enum { FEWEST_KEYS = 3 };

static int compare(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static float quantile(float *values, int count, float share) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[(int)(share * (float)(count - 1))];
}

static float sole_height(const Clip *clip, int leg, int key) {
  vec3s points[2];
  sole_points(clip->skeleton, &clip->skeleton->legs[leg], &clip->keys[key], points);
  return fminf(points[0].y, points[1].y);
}

static void lower(Clip *clip, float height) {
  for (int k = 0; k < clip->key_count; k++)
    clip->keys[k].position[0].y -= height;
}

// Position and rotation of the foot over the ground.
static void foot_at(const Clip *clip, int ankle, int key, vec3s *position, versors *rotation) {
  *position = glms_vec3_zero();
  *rotation = glms_quat_identity();
  for (int i = ankle; i >= 0; i = clip->skeleton->parent[i]) {
    *position = glms_vec3_add(clip->keys[key].position[i], glms_quat_rotatev(clip->keys[key].rotation[i], *position));
    *rotation = glms_quat_mul(clip->keys[key].rotation[i], *rotation);
  }
  vec3s root;
  versors turn;
  clip_root_at(clip, key * clip_key_step(clip), &root, &turn);
  *position = glms_vec3_add(root, glms_quat_rotatev(turn, *position));
  *rotation = glms_quat_mul(turn, *rotation);
}

// Whether the body stands on its feet at a key: its pelvis is upright and high above the lower foot.
static bool is_upright(const Clip *clip, int key) {
  const Skeleton *skeleton = clip->skeleton;
  vec3s position, hip = clip->keys[key].position[0];
  versors rotation,
      turn = glms_quat_mul(clip->keys[key].rotation[0], glms_quat_conjugate(skeleton->bind_rotation_l[0]));
  float height = 0;
  for (int l = 0; l < skeleton->leg_count; l++) {
    foot_at(clip, skeleton->legs[l].ankle, key, &position, &rotation);
    height = fmaxf(height, (hip.y - position.y) / skeleton_leg_length(skeleton, &skeleton->legs[l]));
  }
  return height > STANDING_HEIGHT && glms_quat_rotatev(turn, (vec3s){{0, 1, 0}}).y > STANDING_UPRIGHT;
}

// The tilts of a sole at the keys in which it stands flat: it is low, and still over the ground. moves: it may slide,
// as feet on the spot do, if it does not turn. Returns their number.
static int collect_tilts(const Clip *clip, const Leg *leg, versors bind_m, bool moves, float *pitches, float *rolls) {
  float lowest = FLT_MAX, step = (float)clip_key_step(clip);
  vec3s position, last_position;
  versors rotation, last_rotation;
  int count = 0;
  for (int k = 0; k < clip->key_count; k++) {
    foot_at(clip, leg->ankle, k, &position, &rotation);
    lowest = fminf(lowest, position.y);
  }
  foot_at(clip, leg->ankle, 0, &last_position, &last_rotation);
  for (int k = 1; k < clip->key_count; k++) {
    foot_at(clip, leg->ankle, k, &position, &rotation);
    bool still = (moves || glms_vec3_distance(position, last_position) < STILL_SPEED * step) &&
                 quat_angle_between(rotation, last_rotation) < STILL_TURN * step;
    if (still && position.y < lowest + STILL_HEIGHT && is_upright(clip, k)) {
      versors turn = glms_quat_mul(rotation, glms_quat_conjugate(bind_m));
      // The world's up direction in the sole's frame.
      vec3s up = glms_quat_rotatev(glms_quat_conjugate(turn), (vec3s){{0, 1, 0}});
      pitches[count] = atan2f(up.z, up.y);
      rolls[count++] = (float)angle_of_sine((double)-up.x);
    }
    last_position = position;
    last_rotation = rotation;
  }
  return count;
}

// Turns the foot by the median tilt of its sole while it stands still. Returns that tilt, rad.
static double level_sole(Clip *clip, const Leg *leg, versors bind_m, float *pitches, float *rolls) {
  int count = collect_tilts(clip, leg, bind_m, false, pitches, rolls);
  if (count < FEWEST_KEYS)
    count = collect_tilts(clip, leg, bind_m, true, pitches, rolls);
  if (count < FEWEST_KEYS)
    return 0;
  float pitch = quantile(pitches, count, 0.5f), roll = quantile(rolls, count, 0.5f);
  versors tilt = glms_quat_mul(quat_exp((vec3s){{pitch, 0, 0}}), quat_exp((vec3s){{0, 0, roll}}));
  versors level = glms_quat_mul(glms_quat_mul(glms_quat_conjugate(bind_m), tilt), bind_m);
  for (int k = 0; k < clip->key_count; k++) {
    versors *foot = &clip->keys[k].rotation[leg->ankle];
    *foot = glms_quat_normalize(glms_quat_mul(*foot, level));
  }
  return (double)quat_angle_between(tilt, glms_quat_identity());
}

static int collect_heights(const Clip *clip, bool standing_only, bool *stands, float *heights) {
  int count = 0;
  for (int l = 0; l < clip->skeleton->leg_count; l++) {
    if (standing_only)
      contacts_find_keys(clip, l, stands);
    for (int k = 0; k < clip->key_count; k++)
      if (!standing_only || stands[k])
        heights[count++] = sole_height(clip, l, k);
  }
  return count;
}

bool retarget_level_soles(Clip *clip, double *tilt, Error *error) {
  const Skeleton *skeleton = clip->skeleton;
  size_t keys = (size_t)clip->key_count;
  float *values = malloc(2 * keys * sizeof *values);
  Pose bind = pose_bind(skeleton);
  ModelPose bind_m;
  pose_to_model(skeleton, &bind, &bind_m);
  *tilt = 0;
  for (int l = 0; values && l < skeleton->leg_count; l++) {
    const Leg *leg = &skeleton->legs[l];
    *tilt = fmax(*tilt, level_sole(clip, leg, bind_m.rotation[leg->ankle], values, values + keys));
  }
  bool good = values != NULL;
  free(values);
  return good || error_set(error, "out of memory for clip '%s'", clip->name);
}

bool retarget_ground(Clip *clip, Error *error) {
  size_t keys = (size_t)clip->key_count;
  float *heights = malloc(keys * (size_t)(clip->skeleton->leg_count + 1) * sizeof *heights);
  bool *stands = malloc(keys * sizeof *stands), good = heights && stands;
  if (good) {
    lower(clip, quantile(heights, collect_heights(clip, false, stands, heights), LOWEST_SHARE));
    int standing = collect_heights(clip, true, stands, heights);
    if (standing > 0)
      lower(clip, quantile(heights, standing, 0.5f));
  }
  free(heights);
  free(stands);
  return good || error_set(error, "out of memory for clip '%s'", clip->name);
}

// Velocity of the lowest heel or toe over the ground between this key and the next, which on a treadmill is the belt's.
// Returns the leg, -1: none is low.
static int tread_velocity(const Clip *clip, int key, vec3s *velocity) {
  const Skeleton *skeleton = clip->skeleton;
  int next = (key + 1) % clip->key_count, leg = -1;
  float lowest = TREAD_HEIGHT;
  for (int l = 0; l < skeleton->leg_count; l++) {
    vec3s here[2], there[2];
    sole_points(skeleton, &skeleton->legs[l], &clip->keys[key], here);
    sole_points(skeleton, &skeleton->legs[l], &clip->keys[next], there);
    for (int p = 0; p < 2; p++)
      if (here[p].y + there[p].y < 2 * lowest) {
        lowest = (here[p].y + there[p].y) / 2;
        *velocity = glms_vec3_scale(glms_vec3_sub(there[p], here[p]), 1 / (float)clip_key_step(clip));
        leg = l;
      }
  }
  return leg;
}

bool retarget_tread(Clip *clip) {
  float *values = malloc((size_t)clip->key_count * 2 * sizeof *values);
  if (!values)
    return false;
  float *x = values, *z = values + clip->key_count, way = 0;
  vec3s sum = glms_vec3_zero(), velocity;
  int count = 0, keys = clip->loop ? clip->key_count : clip->key_count - 1, of_leg[SKELETON_MAX_LEGS] = {0};
  for (int k = 0; k < keys; k++) {
    int leg = is_upright(clip, k) ? tread_velocity(clip, k, &velocity) : -1;
    if (leg >= 0) {
      of_leg[leg]++;
      velocity.y = 0;
      sum = glms_vec3_add(sum, velocity);
      way += glms_vec3_norm(velocity);
      x[count] = velocity.x;
      z[count++] = velocity.z;
    }
  }
  bool both = true;
  for (int l = 0; l < 2 && l < clip->skeleton->leg_count; l++)
    both = both && (float)of_leg[l] >= TREAD_BOTH * (float)count;
  bool treads = both && (float)count > TREAD_SHARE * (float)keys && glms_vec3_norm(sum) > TREAD_STEADY * way &&
                way > TREAD_SPEED * (float)count;
  if (treads) {
    clip->root_velocity_l = (vec3s){{-quantile(x, count, 0.5f), 0, -quantile(z, count, 0.5f)}};
    if (fabsf(clip->root_velocity_l.x) < TREAD_ASIDE * fabsf(clip->root_velocity_l.z))
      clip->root_velocity_l.x = 0;
  }
  free(values);
  return treads;
}
