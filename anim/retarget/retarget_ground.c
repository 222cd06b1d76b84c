// Learns from the source's standing feet where the ground is and how its soles are tilted, since files contain neither.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "anim/retarget/retarget_internal.h"

static const float LOWEST_SHARE = 0.1f;  // share of all keys that lie lower than the first guess of the ground's height
static const float STILL_SPEED = 0.25f;  // m/s: a foot stands flat if its ankle is slower,
static const float STILL_TURN = 0.6f;    // rad/s: the foot turns slower,
static const float STILL_HEIGHT = 0.1f;  // m: and the ankle is this close to the lowest one
static const float LARGEST_TILT = 0.6f;  // rad: largest tilt of a rest pose's foot that is corrected
static const float TREAD_HEIGHT = 0.04f; // m: the lowest sole stands if it is lower than this
static const float TREAD_SPEED = 0.25f;  // m/s: a slower treadmill velocity is no walk
static const float TREAD_STEADY = 0.7f;  // mean velocity over mean speed; 1 when all speeds have the same direction
static const float TREAD_ASIDE = 0.3f;   // share of the speed to the side below which the motion is straight
static const float TREAD_SHARE = 0.3f;   // share of all keys in which a foot must stand
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

// Turns the foot by the median tilt of its sole while it stands still.
static void level_sole(Clip *clip, const Leg *leg, versors bind_m, float *pitches, float *rolls) {
  float lowest = FLT_MAX;
  vec3s position, last_position = glms_vec3_zero();
  versors rotation, last_rotation = glms_quat_identity();
  for (int k = 0; k < clip->key_count; k++) {
    foot_at(clip, leg->ankle, k, &position, &rotation);
    lowest = fminf(lowest, position.y);
  }
  int count = 0;
  float step = (float)clip_key_step(clip);
  for (int k = 0; k < clip->key_count; k++) {
    foot_at(clip, leg->ankle, k, &position, &rotation);
    bool still = k > 0 && glms_vec3_distance(position, last_position) < STILL_SPEED * step &&
                 quat_angle_between(rotation, last_rotation) < STILL_TURN * step;
    if (still && position.y < lowest + STILL_HEIGHT) {
      versors turn = glms_quat_mul(rotation, glms_quat_conjugate(bind_m));
      // The world's up direction in the sole's frame.
      vec3s up = glms_quat_rotatev(glms_quat_conjugate(turn), (vec3s){{0, 1, 0}});
      float pitch = atan2f(up.z, up.y), roll = atan2f(-up.x, up.y);
      if (fabsf(pitch) < LARGEST_TILT && fabsf(roll) < LARGEST_TILT) {
        pitches[count] = pitch;
        rolls[count++] = roll;
      }
    }
    last_position = position;
    last_rotation = rotation;
  }
  if (count < FEWEST_KEYS)
    return;
  versors level = quat_exp((vec3s){{quantile(pitches, count, 0.5f), 0, quantile(rolls, count, 0.5f)}});
  level = glms_quat_mul(glms_quat_mul(glms_quat_conjugate(bind_m), level), bind_m);
  for (int k = 0; k < clip->key_count; k++) {
    versors *foot = &clip->keys[k].rotation[leg->ankle];
    *foot = glms_quat_normalize(glms_quat_mul(*foot, level));
  }
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

bool retarget_ground(Clip *clip, Error *error) {
  const Skeleton *skeleton = clip->skeleton;
  size_t keys = (size_t)clip->key_count;
  float *values = malloc(keys * (size_t)(skeleton->leg_count + 2) * sizeof *values);
  bool *stands = malloc(keys * sizeof *stands);
  if (values && stands) {
    Pose bind = pose_bind(skeleton);
    ModelPose bind_m;
    pose_to_model(skeleton, &bind, &bind_m);
    for (int l = 0; l < skeleton->leg_count; l++) {
      const Leg *leg = &skeleton->legs[l];
      level_sole(clip, leg, bind_m.rotation[leg->ankle], values, values + keys);
    }
    lower(clip, quantile(values, collect_heights(clip, false, stands, values), LOWEST_SHARE));
    int standing = collect_heights(clip, true, stands, values);
    if (standing > 0)
      lower(clip, quantile(values, standing, 0.5f));
  }
  bool good = values && stands;
  free(values);
  free(stands);
  return good || error_set(error, "out of memory for clip '%s'", clip->name);
}

// Velocity of the lowest heel or toe over the ground between this key and the next, which on a treadmill is the belt's.
// False: none is low.
static bool tread_velocity(const Clip *clip, int key, vec3s *velocity) {
  const Skeleton *skeleton = clip->skeleton;
  int next = (key + 1) % clip->key_count;
  float lowest = TREAD_HEIGHT;
  bool found = false;
  for (int l = 0; l < skeleton->leg_count; l++) {
    vec3s here[2], there[2];
    sole_points(skeleton, &skeleton->legs[l], &clip->keys[key], here);
    sole_points(skeleton, &skeleton->legs[l], &clip->keys[next], there);
    for (int p = 0; p < 2; p++)
      if (here[p].y + there[p].y < 2 * lowest) {
        lowest = (here[p].y + there[p].y) / 2;
        *velocity = glms_vec3_scale(glms_vec3_sub(there[p], here[p]), 1 / (float)clip_key_step(clip));
        found = true;
      }
  }
  return found;
}

bool retarget_tread(Clip *clip) {
  float *values = malloc((size_t)clip->key_count * 2 * sizeof *values);
  if (!values)
    return false;
  float *x = values, *z = values + clip->key_count, way = 0;
  vec3s sum = glms_vec3_zero(), velocity;
  int count = 0, keys = clip->loop ? clip->key_count : clip->key_count - 1;
  for (int k = 0; k < keys; k++)
    if (tread_velocity(clip, k, &velocity)) {
      velocity.y = 0;
      sum = glms_vec3_add(sum, velocity);
      way += glms_vec3_norm(velocity);
      x[count] = velocity.x;
      z[count++] = velocity.z;
    }
  bool treads = (float)count > TREAD_SHARE * (float)keys && glms_vec3_norm(sum) > TREAD_STEADY * way &&
                way > TREAD_SPEED * (float)count;
  if (treads) {
    clip->root_velocity_l = (vec3s){{-quantile(x, count, 0.5f), 0, -quantile(z, count, 0.5f)}};
    if (fabsf(clip->root_velocity_l.x) < TREAD_ASIDE * fabsf(clip->root_velocity_l.z))
      clip->root_velocity_l.x = 0;
  }
  free(values);
  return treads;
}
