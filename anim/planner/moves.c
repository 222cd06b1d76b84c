#include "anim/planner/moves.h"

#include <math.h>
#include <stdlib.h>

#include "anim/mirror.h"

PARAM_TABLE(move_limit_params, MoveLimits, MOVE_LIMIT_PARAMS, "limits", "When one move may follow another.")

void moves_free(MoveSet *set) {
  free(set->changes);
  set->changes = NULL;
}

void move_pose(const Move *move, double time, Pose *pose) {
  clip_sample(move->clip, (float)time, pose);
  if (move->mirrored)
    mirror_pose(move->clip->skeleton, pose, pose);
}

static bool stands(const Move *move, int leg, double time) {
  const float inside = 1e-3f; // s: where a foot comes down it stands
  const Clip *clip = move->clip;
  float moment = clip->loop ? (float)time + inside : fminf((float)time + inside, clip->duration - inside);
  return clip_contact(clip, move->mirrored ? mirror_leg(clip->skeleton, leg) : leg, fmodf(moment, clip->duration));
}

static vec3s sole(const Skeleton *skeleton, const Pose *pose, int leg) {
  vec3s position;
  versors rotation;
  pose_place_joint(skeleton, pose, skeleton->legs[leg].ankle, &position, &rotation);
  return glms_vec3_add(position, glms_quat_rotatev(rotation, skeleton->legs[leg].sole_l));
}

// Whether a foot has to be where it was: it stands, and did before or will for a while. One that was in the air and is
// about to leave the ground need not come down for that.
static bool is_planted(const Move *before, const Move *next, int leg, double time) {
  const double leaving = 0.13; // s of the clip
  return stands(next, leg, time) && (stands(before, leg, before->cancel) || stands(next, leg, time + leaving));
}

// How the root shifts for the feet that stay, and how far one of them moves nevertheless.
static void fit_feet(const Move *a, const Pose *before, const Move *next, double time, const Pose *pose,
                     MoveChange *change) {
  const Skeleton *skeleton = next->clip->skeleton;
  vec3s way[SKELETON_MAX_LEGS], mean = glms_vec3_zero();
  int count = 0;
  for (int leg = 0; leg < skeleton->leg_count; leg++)
    if (is_planted(a, next, leg, time)) {
      way[count] = glms_vec3_sub(sole(skeleton, before, leg), sole(skeleton, pose, leg));
      mean = glms_vec3_add(mean, way[count++]);
    }
  mean = glms_vec3_scale(mean, count > 0 ? 1 / (float)count : 0);
  change->left = mean.x;
  change->forward = mean.z;
  change->slip = 0;
  for (int i = 0; i < count; i++)
    change->slip = fmaxf(change->slip, hypotf(way[i].x - mean.x, way[i].z - mean.z));
}

static float shift(const MoveChange *change) { return hypotf(change->left, change->forward); }

static float mean_angle(const Pose *a, const Pose *b) {
  float sum = 0;
  for (int i = 0; i < a->count; i++)
    sum += quat_angle_between(a->rotation[i], b->rotation[i]);
  return sum / (float)a->count;
}

// The moment of the next clip at which standing feet are the nearest to where they were: the first fifth of a loop is
// searched, other moves begin at their beginning.
static void find_entry(const Move *a, const Pose *pose, const Move *b, MoveChange *change) {
  enum { SAMPLES = 9 };
  const float good = 0.002f; // m
  for (int k = 0; k < (b->clip->loop && !b->holds ? SAMPLES : 1); k++) {
    MoveChange other = *change;
    double entry = b->from + 0.2 * (b->to - b->from) * k / (SAMPLES - 1);
    Pose next;
    move_pose(b, entry, &next);
    fit_feet(a, pose, b, entry, &next, &other);
    if (k > 0 && shift(&other) + other.slip >= shift(change) + change->slip)
      continue;
    *change = other;
    change->entry = (float)entry;
    change->jolt = mean_angle(pose, &next);
    if (shift(change) + change->slip < good)
      return;
  }
}

// A clip that goes is entered at the pace at which its body is as fast as it was.
static void find_pace(const MoveLimits *limits, const Move *a, const Move *b, MoveChange *change) {
  const double goes = 0.3; // m/s
  double pace = b->pace;
  if (fabs(b->entry) > goes && a->exit * b->entry > 0)
    pace = fmin(fmax(b->pace * a->exit / b->entry, limits->slowest), limits->fastest);
  change->pace = (float)pace;
  change->jump = (float)fabs(a->exit - b->entry * pace / b->pace);
}

static MoveChange find_change(const MoveSet *set, const Move *a, const Pose *pose, const Move *b) {
  MoveChange change = {.open = true, .entry = (float)a->cancel, .pace = (float)b->pace};
  if (a == b && a->holds)
    return change;
  find_entry(a, pose, b, &change);
  find_pace(&set->limits, a, b, &change);
  const MoveLimits *limits = &set->limits;
  change.open = (double)change.slip <= limits->slip && (double)shift(&change) <= limits->shift &&
                (double)change.jump <= limits->jump;
  return change;
}

bool moves_find_changes(MoveSet *set) {
  set->changes = calloc((size_t)set->count * (size_t)set->count, sizeof *set->changes);
  if (set->changes == NULL)
    return false;
  for (int a = 0; a < set->count; a++) {
    Pose pose;
    move_pose(&set->moves[a], set->moves[a].cancel, &pose);
    for (int b = 0; b < set->count; b++)
      set->changes[a * set->count + b] = find_change(set, &set->moves[a], &pose, &set->moves[b]);
  }
  return true;
}
