// Blends animation and body into the output pose, and keeps planted feet in place. Only this file writes `shown`.
#include "ragdoll/character/character_shown.h"

#include "ragdoll/shown/physics_blend.h"
#include "sim/base/numbers.h"

// Fastest change of the output pose due to a change of its physical share.
static const double BLEND_TURN = 1.2;   // rad/s
static const double BLEND_SHIFT = 0.15; // m/s: a straight knee above a planted foot turns by 5 deg for one millimetre

// m: a foot whose heel is this much higher than its toe in the animation is leaving the ground and is no longer held.
static const double ROLLS_OFF = 0.02;

// A foot with a physical share above this does not stand once the body's foot has been in the air for this time;
// shorter gaps are chatter of contacts.
static const float SHOWS_BODY = 0.9f;
static const double IN_THE_AIR = 0.01; // s

// deg: nor does one that has tipped over an edge of its sole by more than this, as that of a body that topples has.
// Held flat, its ankle would turn as fast as the body topples.
static const float TIPPED = 4;

// Angle in rad by which a foot of the body is tilted against that of the animation.
static float tilt_of_foot(const Character *character, int ankle) {
  static const vec3s up = {{0, 1, 0}};
  const Skeleton *skeleton = &character->def->body->skeleton;
  vec3s position;
  versors target, body;
  pose_joint_transform(skeleton, &character->target, ankle, &position, &target);
  pose_joint_transform(skeleton, &character->sensed.pose, ankle, &position, &body);
  return vec3_angle_between(glms_quat_rotatev(target, up), glms_quat_rotatev(body, up));
}

// Whether the animation has its foot on the ground, and that applies to the shown foot.
static bool foot_stands(const Character *character, int leg) {
  const FootPlan *plan = &character->foot_plans[leg];
  int ankle = character->def->body->skeleton.legs[leg].ankle;
  bool shows_body = character->shown.blend[ankle] > SHOWS_BODY;
  if (shows_body &&
      (character->sensed.air_time[leg] > IN_THE_AIR || tilt_of_foot(character, ankle) > TIPPED * (float)RAD_PER_DEGREE))
    return false;
  return plan->known && plan->standing && plan->heel - plan->toe < ROLLS_OFF;
}

void character_shown_init(Character *character) {
  character->shown.pose = character->target;
  foot_lock_init(&character->shown.foot_lock);
}

// Whether nothing but the body is shown: a larger share of physics than this does not exist.
static bool shows_body_alone(const Character *character) {
  for (int i = 0; i < character->def->body->part_count; i++)
    if (character->shown.blend[i] < 1)
      return false;
  return true;
}

// Mixes animation and body by their shares, which follow what the last hits ask; `lost`: by that of the body alone.
static void mix_pose(Character *character, const Pose *measured_before, bool lost) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  double dt = character->world->def.dt;
  float goals[BODY_MAX_PARTS];
  for (int i = 0; i < skeleton->count; i++)
    goals[i] = lost ? 1 : character->hit_reaction.blend[i];
  BlendPair before = {&character->previous_target, measured_before},
            now = {&character->target, &character->sensed.pose};
  physics_blend_follow(skeleton, &before, &now, goals, (float)(BLEND_TURN * dt), (float)(BLEND_SHIFT * dt),
                       character->shown.blend);
  if (!character->drive.def.kinematic && !shows_body_alone(character)) { // a kinematic body is the animation
    float least[BODY_MAX_PARTS];
    physics_blend_least(skeleton, now.target_w, now.measured_w, least);
    for (int i = 0; i < skeleton->count; i++)
      character->shown.blend[i] = fmaxf(character->shown.blend[i], least[i]);
  }
  physics_blend(skeleton, &character->target, &character->sensed.pose, character->shown.blend, &character->shown.pose);
}

void character_blend_output(Character *character, const Pose *measured_before, bool lost) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  double dt = character->world->def.dt;
  if (lost && shows_body_alone(character)) // and goes on to do so
    pose_copy(&character->sensed.pose, &character->shown.pose);
  else
    mix_pose(character, measured_before, lost);

  bool standing[SKELETON_MAX_LEGS], turns[SKELETON_MAX_LEGS];
  for (int i = 0; i < skeleton->leg_count; i++) {
    standing[i] = !lost && foot_stands(character, i);
    turns[i] = character->shown.blend[skeleton->legs[i].ankle] > SHOWS_BODY;
  }
  foot_lock_rebase(&character->shown.foot_lock, skeleton, &character->target, &character->root.rebase);
  foot_lock_apply(&character->shown.foot_lock, skeleton, &character->ground, &character->target, standing, turns, dt,
                  &character->shown.pose);
}
