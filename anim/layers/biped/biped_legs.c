// The legs: heels rise and the pelvis is lowered so that feet can be reached; then hips, knees and ankles are posed.
#include <math.h>

#include "anim/ik.h"
#include "anim/lanes.h"
#include "anim/layers/biped/biped_internal.h"
#include "anim/spring.h"
#include "sim/base/numbers.h"
#include "sim/base/plane2.h"

static const double LONGEST = 0.9899;                       // of the leg, from hip to ankle: keeps the leg within 0.99
                                                            // including rounding
static const double EASY = 0.988;                           // of the leg: beyond it the heel of a trailing foot rises
static const double EASY_SINK = 0.9895;                     // of the leg: beyond it the pelvis is lowered
static const double HEEL_FROM = 0.3, HEEL_ALL = 0.55;       // of the stance: the heel may rise from the first share on,
                                                            // without limit from the second
static const double STEEPEST = -75 * RAD_PER_DEGREE;        // rad: steepest pitch of a foot on its toes
static const double HEEL_SPEED = 12;                        // rad/s: fastest rise of a heel
static const double SOFT = 4 * RAD_PER_DEGREE;              // rad over which the rise of a heel starts smoothly
static const double SWING_REACH = 0.985, SWING_SOFT = 0.04; // of the leg; m of smoothing: beyond it swinging feet are
                                                            // lifted
static const double SWING_LAST = 0.12;                      // of the swing: in the last part feet come down to their
                                                            // landing place in any case
static const double LIFT_SPEED = 0.3;                       // of the limit of a foot's speed
static const double LANDING_FROM = 0.9;                     // of the swing: from here on the pelvis is lowered for the
                                                            // landing foot
static const double LEAST_PATIENCE = 0.2;                   // of the largest lowering
static const double LET_GO_AGAIN = 0.35;              // of the stance: a foot that lets go earlier swings twice in the
                                                      // cycle
static const double BRIEF_SWING = 0.6;                // of the usual swing's duration
static const double SINK_DAMP = 0.1;                  // s
static const double BULGE = 0.02;                     // m, for a man: swinging feet pass outside the standing foot
static const double KNEE_PITCH = 55 * RAD_PER_DEGREE; // rad of the foot's pitch that knees follow at most

typedef struct FootGoal {
  vec3s hip, ankle;
  versors turn; // rotation of the foot from the bind pose
} FootGoal;

static vec3s hip_place(const BipedDef *def, const BipedLeg *leg, const BipedHips *hips) {
  vec3s middle = glms_vec3_scale(glms_vec3_add(def->legs[0].hip_m, def->legs[1].hip_m), 0.5f);
  return glms_vec3_add(hips->place, quat_turn(hips->turn, glms_vec3_sub(leg->hip_m, middle)));
}

// Heading of the foot's frame: the foot's yaw relative to the bind pose.
static double frame_yaw(const BipedLeg *leg, const BipedFoot *foot) { return foot->yaw - leg->yaw; }

static versors foot_turn(const BipedLeg *leg, const BipedFoot *foot) {
  versors yaw = quat_about(1, frame_yaw(leg, foot));
  vec3s left = {{(float)cos(leg->yaw), 0, (float)-sin(leg->yaw)}};
  return glms_quat_mul(yaw, quat_exp(glms_vec3_scale(left, (float)-foot->pitch)));
}

// The edge on which the foot stands keeps its place; in a swing the foot is lifted by its height.
static FootGoal find_goal(const BipedDef *def, const Biped *biped, const LayerStep *step, const BipedHips *hips,
                          int index) {
  const BipedLeg *leg = &def->legs[index];
  const BipedFoot *foot = &biped->feet[index];
  FootGoal goal = {.hip = hip_place(def, leg, hips), .turn = foot_turn(leg, foot)};
  vec3s edge = foot->pitch > 0 ? leg->heel : leg->toe, level = glms_vec3_sub(edge, leg->sole);
  double u = foot->progress, out = 4 * u * (1 - u), aside[2];
  versors yaw = quat_about(1, frame_yaw(leg, foot));
  level = quat_turn(yaw, level);
  const double bulge[2] = {
      foot->swinging ? leg->side * BULGE * def->size * biped->gait.moving * fabs(biped->gait.ahead) * out * out : 0, 0};
  turn_level(step->heading, bulge, aside);
  vec3s stand = {{(float)(foot->place[0] + aside[0]) + level.x, (float)(step->root_position[1] + foot->lift) + level.y,
                  (float)(foot->place[1] + aside[1]) + level.z}};
  goal.ankle = glms_vec3_sub(stand, quat_turn(goal.turn, edge));
  goal.ankle.y += (float)foot->extra;
  return goal;
}

// ---- Lift ----

// A swinging leg that is too short to reach its goal swings higher, on the arc of its reach.
static double lift_into_reach(const BipedLeg *leg, const BipedFoot *foot, const FootGoal *goal) {
  double reach = SWING_REACH * leg->length, share = fmin(foot->progress, 1 - foot->progress) / SWING_LAST;
  double x = (double)(goal->ankle.x - goal->hip.x), z = (double)(goal->ankle.z - goal->hip.z);
  double lacking = (double)(goal->hip.y - goal->ankle.y) - sqrt(fmax(reach * reach - x * x - z * z, 0));
  if (lacking <= -SWING_SOFT)
    return 0;
  double soft = lacking < SWING_SOFT ? (lacking + SWING_SOFT) * (lacking + SWING_SOFT) / (4 * SWING_SOFT) : lacking;
  return smooth_step(share) * soft;
}

static void lift_foot(const BipedDef *def, Biped *biped, const LayerStep *step, const BipedHips *hips, int index) {
  BipedFoot *foot = &biped->feet[index];
  double most = LIFT_SPEED * biped_most_speed(step) * step->dt, before = foot->extra;
  foot->extra = 0;
  if (!foot->swinging)
    return;
  FootGoal goal = find_goal(def, biped, step, hips, index);
  foot->extra = before + fmin(fmax(lift_into_reach(&def->legs[index], foot, &goal) - before, -most), most);
}

// ---- Heels ----

// The pitch, down to STEEPEST, at which the ankle of a foot on its toes comes within reach: the ankle moves on a circle
// about the toes in the foot's vertical plane. Not negative when it is in reach with the heel down.
static double needed_pitch(const BipedLeg *leg, const BipedFoot *foot, const FootGoal *goal, double reach) {
  double up = -(double)leg->toe.y, back = hypot((double)leg->toe.x, (double)leg->toe.z), radius = hypot(up, back);
  vec3s toe = glms_vec3_add(goal->ankle, quat_turn(goal->turn, leg->toe));
  vec3s to_hip = glms_vec3_sub(goal->hip, toe);
  double c = cos(foot->yaw), s = sin(foot->yaw);
  double forward = s * (double)to_hip.x + c * (double)to_hip.z, aside = c * (double)to_hip.x - s * (double)to_hip.z;
  double height = (double)to_hip.y, distance = hypot(forward, height), within = reach * reach - aside * aside;
  if (!(radius > 0 && distance > 0))
    return 0;
  // Elevation angles, from straight back over the toes: of the ankle with the heel down, and of the hip.
  double level = atan2(up, back), hip = atan2(height, -forward);
  double cosine = (distance * distance + radius * radius - within) / (2 * radius * distance);
  double ankle = hip - angle_of_cosine(cosine);
  return fmax(level - ankle, STEEPEST);
}

// The smaller of two values, smoothed where they are close.
static double soft_least(double a, double b) {
  double gap = fmin(fabs(a - b) / SOFT, 1);
  return fmin(a, b) - SOFT * 0.25 * (1 - gap) * (1 - gap);
}

static void raise_heel(const BipedDef *def, Biped *biped, const LayerStep *step, const BipedHips *hips, int index) {
  const BipedLeg *leg = &def->legs[index];
  BipedFoot *foot = &biped->feet[index];
  if (foot->swinging) {
    foot->raise = 0;
    return;
  }
  double progress = biped_stance_progress(&biped->gait, foot), goal = 0;
  double share = biped->standing ? 0 : smooth_step((progress - HEEL_FROM) / (HEEL_ALL - HEEL_FROM));
  FootGoal flat = find_goal(def, biped, step, hips, index);
  double needed = share > 0 ? needed_pitch(leg, foot, &flat, EASY * leg->length) : 0;
  if (needed < 0)
    goal = share * (soft_least(foot->pitch, needed) - foot->pitch);
  double most = HEEL_SPEED * step->dt;
  foot->raise += fmin(fmax(goal - foot->raise, -most), most);
  foot->pitch += foot->raise;
  // Limits the foot's angular velocity when the gait changes suddenly.
  double arm = (double)glms_vec3_norm(glms_vec3_sub(leg->toe, leg->sole));
  if (arm > 0)
    most = biped_most_speed(step) * step->dt / arm;
  foot->pitch = foot->shown_pitch + fmin(fmax(foot->pitch - foot->shown_pitch, -most), most);
}

// ---- Pelvis ----

// How far a hip must be lowered for its ankle to be within reach.
static double sink_for(const FootGoal *goal, double reach) {
  double x = (double)(goal->hip.x - goal->ankle.x), z = (double)(goal->hip.z - goal->ankle.z);
  return (double)(goal->hip.y - goal->ankle.y) - sqrt(fmax(reach * reach - x * x - z * z, 0));
}

// A foot in the air counts only shortly before its landing.
static double landing_share(const BipedFoot *foot) {
  return foot->swinging ? smooth_step((foot->progress - LANDING_FROM) / (1 - LANDING_FROM)) : 1;
}

// Share of its largest lowering that the pelvis uses before a foot lets go: less at the end of a stance, if the other
// foot is down or the body runs.
static double patience(const Biped *biped, int leg) {
  const BipedFoot *foot = &biped->feet[leg], *other = &biped->feet[1 - leg];
  double last = smooth_step((biped_stance_progress(&biped->gait, foot) - 0.5) / 0.3);
  return 1 - (1 - LEAST_PATIENCE) * last * (other->swinging ? biped->gait.running : 1);
}

// Lets a trailing foot swing and land within its cycle. Shortly after its landing there is time to land in the same
// cycle; at the end of the cycle the swing is shorter than usual.
static void let_go(const BipedDef *def, Biped *biped, const LayerStep *step, int leg) {
  BipedFoot *foot = &biped->feet[leg];
  double duty = biped->gait.duty;
  bool again = !foot->swung && foot->phase < LET_GO_AGAIN * duty;
  double end = again ? foot->phase + 1 - duty : fmax(1, foot->phase + BRIEF_SWING * (1 - duty));
  biped_lift_foot(def, biped, step, leg, foot->phase, end);
  foot->swung = !again;
  biped->unpinned++;
}

static void find_sink(const BipedDef *def, Biped *biped, const LayerStep *step, const BipedHips *hips) {
  double most = def->sink * def->leg_length, easy = 0, needed = 0;
  for (int i = 0; i < BIPED_LEGS; i++) {
    BipedFoot *foot = &biped->feet[i];
    double length = def->legs[i].length, share = landing_share(foot);
    FootGoal goal = find_goal(def, biped, step, hips, i);
    double lacking = sink_for(&goal, LONGEST * length);
    if (!foot->swinging && lacking > most * patience(biped, i)) {
      let_go(def, biped, step, i);
      continue;
    }
    easy = fmax(easy, share * sink_for(&goal, EASY_SINK * length));
    // In a run the body is in flight until the foot is down, so it is not lowered for a swinging foot.
    needed = fmax(needed, (foot->swinging ? 1 - biped->gait.running : 1) * share * lacking);
  }
  spring_follow(&biped->sink, fmin(easy, most), SINK_DAMP, step->dt);
  needed = fmin(needed, most);
  if (needed > biped->sink.value) { // down at once, up again by the spring
    biped->sink.velocity = fmax(biped->sink.velocity, 0);
    biped->sink.value = needed;
  }
  biped->sunk = biped->sink.value;
}

// ---- Joints ----

static vec3s within_reach(const FootGoal *goal, double reach) {
  vec3s way = glms_vec3_sub(goal->ankle, goal->hip);
  float length = glms_vec3_norm(way);
  return length > (float)reach ? glms_vec3_add(goal->hip, glms_vec3_scale(way, (float)reach / length)) : goal->ankle;
}

// The direction in which the knee points: that of the foot, so that the ankle need not twist, but not parallel to the
// leg.
static vec3s knee_direction(const BipedFoot *foot) {
  double pitch = fmax(foot->pitch, -KNEE_PITCH), c = cos(pitch);
  return (vec3s){{(float)(sin(foot->yaw) * c), (float)sin(pitch), (float)(cos(foot->yaw) * c)}};
}

static void place_leg(const BipedLeg *leg, BipedFoot *foot, const BipedHips *hips, const FootGoal *goal, Pose *pose) {
  versors pelvis = hips->turn;
  TwoBoneJob job = {.root = goal->hip,
                    .mid = glms_vec3_add(goal->hip, quat_turn(pelvis, glms_vec3_sub(leg->knee_m, leg->hip_m))),
                    .end = glms_vec3_add(goal->hip, quat_turn(pelvis, glms_vec3_sub(leg->ankle_m, leg->hip_m))),
                    .root_rotation = glms_quat_mul(pelvis, leg->thigh_m),
                    .mid_rotation = glms_quat_mul(pelvis, leg->shin_m),
                    .end_rotation = glms_quat_mul(goal->turn, leg->foot_m),
                    .keep_end_rotation = true,
                    .mode = leg->hinge ? TWO_BONE_HINGE : TWO_BONE_FREE,
                    .target = within_reach(goal, LONGEST * leg->length),
                    .pole = knee_direction(foot)};
  two_bone_solve(&job);
  versors carrier = glms_quat_mul(pelvis, leg->carrier_m), thigh = job.new_root_rotation, shin = job.new_mid_rotation;
  pose->rotation[leg->leg.hip] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(carrier), thigh));
  pose->rotation[leg->leg.knee] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(thigh), shin));
  pose->rotation[leg->leg.ankle] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(shin), job.new_end_rotation));
  foot->stretch = (double)glms_vec3_distance(job.new_end, goal->hip) / leg->length;
}

void biped_reach(const BipedDef *def, Biped *biped, const LayerStep *step, BipedHips *hips) {
  if (step->dt > 0) {
    BipedHips sunk = *hips; // the hips before this lowering
    sunk.place.y -= (float)biped->sunk;
    for (int i = 0; i < BIPED_LEGS; i++) {
      lift_foot(def, biped, step, &sunk, i);
      raise_heel(def, biped, step, &sunk, i);
    }
    find_sink(def, biped, step, hips);
    for (int i = 0; i < BIPED_LEGS; i++) {
      BipedFoot *foot = &biped->feet[i];
      foot->pitch_rate = (foot->pitch - foot->shown_pitch) / step->dt;
      foot->shown_pitch = foot->pitch;
    }
  }
  hips->place.y -= (float)biped->sunk;
}

void biped_place_legs(const BipedDef *def, Biped *biped, const LayerStep *step, const BipedHips *hips) {
  for (int i = 0; i < BIPED_LEGS; i++) {
    FootGoal goal = find_goal(def, biped, step, hips, i);
    place_leg(&def->legs[i], &biped->feet[i], hips, &goal, step->pose_w);
  }
}
