// The body above the legs: how pelvis, trunk, head and arms move with the phase.
#include <math.h>

#include "anim/lanes.h"
#include "anim/layers/biped/biped_internal.h"
#include "sim/base/numbers.h"
#include "sim/base/plane2.h"

// Amplitudes in deg, of walking and of running, as in the clips walk and run and from the sources named there. Peaks of
// sine waves are given as phases of the left foot's cycle.
static const double PELVIS_PITCH[2] = {0.5, 3};
static const double PELVIS_YAW[2] = {4.4, 3};                      // the hip on the side of the landing foot is in
                                                                   // front
static const double PELVIS_ROLL[2] = {3.5, 4.5}, ROLL_PEAK = 0.16; // the hip of the standing foot is higher
static const double CHEST_PITCH[2] = {2.5, 9};
static const double CHEST_YAW[2] = {5, 11}, CHEST_PEAK = 0.02; // relative to the pelvis
static const double CHEST_ROLL[2] = {1, 1.5};                  // over the standing foot
static const double HEAD_PITCH[2] = {2, 4};
static const double SWAY[2] = {0.024, 0.02}; // m, for a man
static const double LEAN_SHIFT = 0.25; // share of the lean that moves the hips, as in a lean about the soles; the rest
                                       // bends the body

// Angles of an arm over the cycle of the foot on its side: mean and amplitude, deg; positive angles are backward.
static const double ARM_MEAN[2] = {-2, 10}, ARM_SWING[2] = {16, 21}, ARM_PEAK[2] = {0.02, -0.03};
static const double ARM_IN[2] = {-8, -12}, ARM_OUT[2] = {9, 16};
static const double ELBOW_MEAN[2] = {-24, -92}, ELBOW_SWING[2] = {9, 14}, ELBOW_PEAK[2] = {0.07, -0.05};
static const double USUAL_WALK = 1.3, SWING_MOST = 1.5; // m/s for a man; at higher walking speeds turns and swings are
                                                        // larger, by SWING_MOST at most

static double wave(double phase, double peak) { return cos(2 * M_PI * (phase - peak)); }

static double of_gait(const BipedGait *gait, const double pair[2]) { return mix_d(pair[0], pair[1], gait->running); }

static versors turn_about(int axis, double degrees) { return quat_about(axis, degrees * RAD_PER_DEGREE); }

// Pitch about the left axis, roll about the front axis, yaw about the up axis; deg.
static versors from_angles(double pitch, double yaw, double roll) {
  return glms_quat_mul(glms_quat_mul(turn_about(0, pitch), turn_about(2, roll)), turn_about(1, yaw));
}

static double left_phase(const Biped *biped) { return 0.5 * biped->hip_phase; }

// ---- Pelvis ----

// The vertical motion of the hips. Walking: an inverted pendulum, lowest when both feet stand. Running: a spring,
// lowest at mid-stance, followed by flight.
static double hips_height(const Biped *biped) {
  const BipedGait *gait = &biped->gait;
  double both_feet = (gait->duty - 0.5) / 2;
  double walk = gait->low + 0.5 * gait->rise * (1 - wave(2 * left_phase(biped), 2 * both_feet));
  double half = 1 / gait->cadence, stance = fmin(2 * half * gait->duty, half);
  double since = (biped->hip_phase - floor(biped->hip_phase)) * half;
  double run = gait->strike + biped_run_bounce(since, stance, half - stance);
  return mix_d(walk, run, gait->running);
}

static versors lean_of(const Biped *biped) {
  return quat_exp((vec3s){{(float)biped->lean[1].value, 0, (float)-biped->lean[0].value}});
}

static versors heading_of(const LayerStep *step) { return turn_about(1, step->heading / RAD_PER_DEGREE); }

BipedHips biped_hips(const BipedDef *def, const Biped *biped, const LayerStep *step) {
  const BipedGait *gait = &biped->gait;
  double phase = left_phase(biped), share = gait->moving * fabs(gait->ahead) * def->twist;
  double wide = mix_d(fmin(gait->speed / sqrt(def->size) / USUAL_WALK, SWING_MOST), 1, gait->running);
  double yaw = -of_gait(gait, PELVIS_YAW) * share * wide * wave(phase, 0);
  double roll = of_gait(gait, PELVIS_ROLL) * share * fmin(gait->roll, 1) * wave(phase, ROLL_PEAK);
  versors own = from_angles(of_gait(gait, PELVIS_PITCH) * gait->moving * gait->ahead, yaw, roll);
  BipedHips hips;
  hips.turn = glms_quat_normalize(glms_quat_mul(lean_of(biped), glms_quat_mul(heading_of(step), own)));

  double height = hips_height(biped);
  const double level[2] = {of_gait(gait, SWAY) * def->size * def->sway * gait->moving * wave(phase, 0.5 * gait->duty),
                           def->hips_z};
  double world[2];
  turn_level(step->heading, level, world);
  for (int k = 0; k < 2; k++)
    world[k] += step->root_position[2 * k] + LEAN_SHIFT * height * sin(biped->lean[k].value);
  hips.place = (vec3s){{(float)world[0], (float)(step->root_position[1] + height), (float)world[1]}};
  return hips;
}

// ---- Trunk, head and arms ----

// Sets a joint to its bind pose turned by `turn` relative to its parent, blended with the animation below.
static void turn_joint(const BipedJoint *joint, versors turn, double share, Pose *pose) {
  versors local = glms_quat_mul(glms_quat_conjugate(joint->parent_m), glms_quat_mul(turn, joint->bind_m));
  pose->rotation[joint->joint] = quat_slerp(pose->rotation[joint->joint], glms_quat_normalize(local), (float)share);
}

static void place_trunk(const BipedDef *def, const Biped *biped, const LayerStep *step, versors pelvis) {
  const BipedGait *gait = &biped->gait;
  double phase = left_phase(biped), share = fabs(gait->ahead) * def->twist;
  double sized = share * fmin(gait->roll, 1), forward = fmax(gait->ahead, 0.3);
  versors own =
      from_angles(of_gait(gait, CHEST_PITCH) * forward, of_gait(gait, CHEST_YAW) * sized * wave(phase, CHEST_PEAK),
                  -of_gait(gait, CHEST_ROLL) * share * wave(phase, 0.5 * gait->duty));
  versors heading = heading_of(step);
  versors chest = glms_quat_mul(lean_of(biped), glms_quat_mul(heading, own));
  versors bend = glms_quat_mul(glms_quat_conjugate(pelvis), chest);
  versors part = quat_slerp(glms_quat_identity(), bend, 1.0f / (float)(def->spine_count > 0 ? def->spine_count : 1));
  for (int i = 0; i < def->spine_count; i++)
    turn_joint(&def->spine[i], part, gait->moving, step->pose_w);
  if (def->head.joint < 0)
    return;
  versors head = glms_quat_mul(heading, turn_about(0, of_gait(gait, HEAD_PITCH)));
  turn_joint(&def->head, glms_quat_mul(glms_quat_conjugate(chest), head), gait->moving, step->pose_w);
}

static void place_arm(const BipedDef *def, const Biped *biped, const BipedArm *arm, Pose *pose) {
  const BipedGait *gait = &biped->gait;
  double phase = left_phase(biped) + (arm->side > 0 ? 0 : 0.5);
  double man_speed = gait->speed / sqrt(def->size);
  double size = def->arm_swing * fabs(gait->ahead) * mix_d(fmin(man_speed / USUAL_WALK, SWING_MOST), 1, gait->running);
  double back = of_gait(gait, ARM_MEAN) + size * of_gait(gait, ARM_SWING) * wave(phase, of_gait(gait, ARM_PEAK));
  double elbow = of_gait(gait, ELBOW_MEAN) + size * of_gait(gait, ELBOW_SWING) * wave(phase, of_gait(gait, ELBOW_PEAK));
  versors swing = from_angles(back, arm->side * of_gait(gait, ARM_IN), arm->side * of_gait(gait, ARM_OUT));
  turn_joint(&arm->upper, glms_quat_mul(swing, arm->hang), gait->moving, pose);
  vec3s bend = glms_vec3_scale(arm->elbow_m, (float)(fmin(elbow, 0) * RAD_PER_DEGREE));
  turn_joint(&arm->lower, quat_exp(bend), gait->moving, pose);
}

void biped_place_body(const BipedDef *def, const Biped *biped, const LayerStep *step, const BipedHips *hips) {
  Pose *pose = step->pose_w;
  pose->position[0] = glms_vec3_sub(hips->place, quat_turn(hips->turn, def->root_to_hips_m));
  pose->rotation[0] = glms_quat_normalize(glms_quat_mul(hips->turn, def->root_m));
  place_trunk(def, biped, step, hips->turn);
  for (int i = 0; i < def->arm_count; i++)
    place_arm(def, biped, &def->arms[i], pose);
}
