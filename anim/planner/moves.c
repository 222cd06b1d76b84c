// Moves and the changes between them: for every pair of moves, the best point of entry, the shift of the root that
// keeps standing feet in place, and whether the change is within the limits.
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

bool move_stands(const Move *move, int leg, double time) {
  const float inside = 1e-3f; // s: a contact is looked up slightly after its beginning, when the foot certainly stands
  const Clip *clip = move->clip;
  float moment = clip->loop ? (float)time + inside : fminf((float)time + inside, clip->duration - inside);
  return clip_contact(clip, move->mirrored ? mirror_leg(clip->skeleton, leg) : leg, fmodf(moment, clip->duration));
}

static vec3s sole(const Skeleton *skeleton, const Pose *pose, int leg) {
  vec3s position;
  versors rotation;
  pose_joint_transform(skeleton, pose, skeleton->legs[leg].ankle, &position, &rotation);
  return glms_vec3_add(position, glms_quat_rotatev(rotation, skeleton->legs[leg].sole_l));
}

// A moment in a move: positions of the soles in the root's frame, and which feet stand now and for a while.
typedef struct Moment {
  double time;
  vec3s soles[SKELETON_MAX_LEGS];
  bool stands[SKELETON_MAX_LEGS], stays[SKELETON_MAX_LEGS];
} Moment;

static Moment look_at(const Move *move, double time) {
  // s of the clip: a foot that leaves the ground sooner does not count as standing for a while.
  const double leaving = 0.13;
  const Skeleton *skeleton = move->clip->skeleton;
  Moment moment = {.time = time};
  Pose pose;
  move_pose(move, time, &pose);
  for (int leg = 0; leg < skeleton->leg_count; leg++) {
    moment.soles[leg] = sole(skeleton, &pose, leg);
    moment.stands[leg] = move_stands(move, leg, time);
    moment.stays[leg] = moment.stands[leg] && move_stands(move, leg, time + leaving);
  }
  return moment;
}

// The shift of the root that keeps standing feet in place, and the remaining slip. A foot must not move if it stands
// after the change and either stood before or will stand for a while. A foot that was in the air and is about to leave
// the ground again need not be placed for that.
static void fit_feet(const Moment *before, const Moment *next, int leg_count, MoveChange *change) {
  vec3s way[SKELETON_MAX_LEGS], mean = glms_vec3_zero();
  int count = 0;
  for (int leg = 0; leg < leg_count; leg++)
    if (next->stays[leg] || (next->stands[leg] && before->stands[leg])) {
      way[count] = glms_vec3_sub(before->soles[leg], next->soles[leg]);
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

static float mean_angle(const Move *a, double a_time, const Move *b, double b_time) {
  Pose from, to;
  move_pose(a, a_time, &from);
  move_pose(b, b_time, &to);
  float sum = 0;
  for (int i = 0; i < from.count; i++)
    sum += quat_angle_between(from.rotation[i], to.rotation[i]);
  return sum / (float)from.count;
}

// Points of entry that are tried: in the first fifth of a loop; other moves are entered at their beginning.
enum { ENTRIES = 9 };

typedef struct Entries {
  Moment moments[ENTRIES];
  int count;
} Entries;

static void find_entries(const Move *move, Entries *entries) {
  entries->count = move->clip->loop && !move->holds ? ENTRIES : 1;
  for (int k = 0; k < entries->count; k++)
    entries->moments[k] = look_at(move, move->from + 0.2 * (move->to - move->from) * k / (ENTRIES - 1));
}

// Chooses the entry with the least slip of the standing feet.
static void choose_entry(const Moment *before, const Entries *entries, int leg_count, MoveChange *change) {
  const float good = 0.002f; // m: smaller slips count as equal
  for (int k = 0; k < entries->count; k++) {
    MoveChange other = *change;
    fit_feet(before, &entries->moments[k], leg_count, &other);
    if (k > 0 && shift(&other) + other.slip >= shift(change) + change->slip)
      continue;
    *change = other;
    change->entry = (float)entries->moments[k].time;
    if (shift(change) + change->slip < good)
      return;
  }
}

// A moving clip is entered at the pace at which the body keeps its speed.
static void find_pace(const MoveLimits *limits, const Move *a, const Move *b, MoveChange *change) {
  const double goes = 0.3; // m/s: slower moves count as standing
  double pace = b->pace;
  if (fabs(b->entry) > goes && a->exit * b->entry > 0)
    pace = fmin(fmax(b->pace * a->exit / b->entry, limits->slowest), limits->fastest);
  change->pace = (float)pace;
  change->jump = (float)fabs(a->exit - b->entry * pace / b->pace);
}

static MoveChange find_change(const MoveSet *set, const Move *a, const Moment *before, const Move *b,
                              const Entries *entries) {
  MoveChange change = {.open = true, .entry = (float)a->cancel, .pace = (float)b->pace};
  if (a == b && a->holds)
    return change;
  const MoveLimits *limits = &set->limits;
  choose_entry(before, entries, set->skeleton->leg_count, &change);
  find_pace(limits, a, b, &change);
  change.open = (double)change.slip <= limits->slip && (double)shift(&change) <= limits->shift &&
                (double)change.jump <= limits->jump;
  change.jolt = change.open ? mean_angle(a, a->cancel, b, (double)change.entry) : INFINITY;
  return change;
}

bool moves_find_changes(MoveSet *set) {
  set->changes = calloc((size_t)set->count * (size_t)set->count, sizeof *set->changes);
  if (!set->changes)
    return false;
  for (int b = 0; b < set->count; b++) {
    Entries entries;
    find_entries(&set->moves[b], &entries);
    for (int a = 0; a < set->count; a++) {
      Moment before = look_at(&set->moves[a], set->moves[a].cancel);
      set->changes[a * set->count + b] = find_change(set, &set->moves[a], &before, &set->moves[b], &entries);
    }
  }
  return true;
}
