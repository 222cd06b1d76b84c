// The beginning of a trial: the pupil lies as a fall has left it, is in the middle of its clip, stands, or has just got
// up.
#include <math.h>
#include <stdlib.h>

#include "ragdoll/character/character_fall.h"
#include "ragdoll/character/character_skill.h"
#include "scenes/run/scene_state.h"
#include "scenes/train/skill_task_internal.h"

// Share of the trials that begin with a new fall; others begin with one that was kept.
static const double NEW_FALLS = 0.02;

// s: a fall and lying still take no longer than MOST_FALL, and getting up after that no longer than MOST_RISE; who is
// still on his feet after CAUGHT does not fall.
static const double MOST_FALL = 12, MOST_RISE = 12, CAUGHT = 2.5;

// s: a trial of going that begins at rest waits at most so long, in which a body that was set in motion finds a stance.
static const double MOST_WAIT = 2;

// A leg that has been swung at the start of a trial is ahead of the body by the way that the body goes in STRIDE_TIME
// (s), and by a little more, and its knee is bent; rad and m of what is drawn.
static const double STRIDE_TIME = 0.35, STRIDE_MORE[2] = {0.1, 0.3}, STRIDE_KNEE = 0.6;

// Whether the pupil has begun to get up by the skill's clip.
static bool begins_to_rise(const SkillTask *task, const Character *character) {
  return character->down && character->fall.machine.state == FALL_RISING &&
         character->fall.entry.clip == task->skill->clip;
}

// Pushes the pupil as hard as it takes to fell it, from any side.
static void push_over(const SkillTask *task, SkillTrial *trial) {
  Rng *rng = &trial->rng;
  skill_pupil(trial)->intent.heading = rng_range(rng, -180, 180);
  static const char *const parts[] = {"chest", "pelvis", "thigh_l", "thigh_r"};
  int part = skeleton_find(&task->skill->body->skeleton, parts[rng_index(rng, 4)]);
  ActiveEvent push = {.kind = EVENT_PUSH,
                      .part = part < 0 ? 0 : part,
                      .size = rng_range(rng, task->stage.push[0], task->stage.push[1]),
                      .start = trial->scene->world->time,
                      .spread = 0.1};
  event_aim(rng_range(rng, -M_PI, M_PI), 0, 0, push.size, push.impulse_w);
  events_strike(&trial->scene->events, &push);
}

// Pushes the pupil over and steps until it begins to get up. False when that does not happen, or by another clip.
static bool fell(SkillTask *task, int index) {
  if (!skill_task_anew(task, index))
    return false;
  SkillTrial *trial = &task->trials[index];
  Character *character = skill_pupil(trial);
  push_over(task, trial);
  while (trial->scene->world->time < MOST_FALL && scene_step(trial->scene)) {
    if (begins_to_rise(task, character))
      return true;
    bool rises = character->down && character->fall.machine.state == FALL_RISING;
    if (rises || (!character->down && trial->scene->world->time > CAUGHT))
      return false;
  }
  return false;
}

// Brings the pupil to where a trial begins by `prepare`, and keeps that state, in place of another if there are enough.
static bool keep_start(SkillTask *task, int index, bool (*prepare)(SkillTask *, int)) {
  enum { MOST_TRIES = 400 };
  SkillTrial *trial = &task->trials[index];
  int tries = 0;
  while (!prepare(task, index))
    if (++tries == MOST_TRIES || !trial->scene)
      return false;
  SkillKept kept = {0};
  kept.state = skill_task_save(trial->scene, &kept.size);
  if (!kept.state)
    return false;
  int place = trial->kept_count < SKILL_MOST_KEPT ? trial->kept_count++ : rng_index(&trial->rng, SKILL_MOST_KEPT);
  free(trial->kept[place].state);
  trial->kept[place] = kept;
  return true;
}

// The pupil is where `prepare` brings it, now or earlier.
static bool begin_kept(SkillTask *task, int index, bool (*prepare)(SkillTask *, int)) {
  SkillTrial *trial = &task->trials[index];
  if (!trial->scene || trial->kept_count < SKILL_MOST_KEPT || rng_unit(&trial->rng) < NEW_FALLS)
    return keep_start(task, index, prepare);
  const SkillKept *kept = &trial->kept[rng_index(&trial->rng, trial->kept_count)];
  return scene_state_restore(trial->scene, kept->state, kept->size, NULL);
}

// The pupil lies, in a state that was kept or a new one, or is in the middle of getting up.
static bool begin_rising(SkillTask *task, int index) {
  if (!begin_kept(task, index, fell))
    return false;
  SkillTrial *trial = &task->trials[index];
  Character *character = skill_pupil(trial);
  const FallDef *help = &task->scene->characters[0].fall;
  trial->def->characters[0].fall.force = help->force * task->assist;
  trial->def->characters[0].fall.torque = help->torque * task->assist;
  character->fall.assisted = task->assist > 0;
  trial->lies = rng_unit(&trial->rng) < task->stage.beginning;
  if (!trial->lies)
    character_fall_rise_at(character, rng_unit(&trial->rng));
  return true;
}

// Whether the skill that learns leads in the coming step, and not another one of the pupil.
bool skill_task_leads(const SkillTask *task, const SkillTrial *trial) {
  return character_skill_of_clip(skill_pupil(trial)) == task->skill;
}

// A wanted speed within the stage's, or the clip's if it gives none.
static double draw_going(const SkillTask *task, SkillTrial *trial) {
  const SkillStage *stage = &task->stage;
  double speed = rng_range(&trial->rng, stage->speed[0], stage->speed[1]);
  return speed == 0 ? (double)task->skill->clip->root_velocity_l.z : speed;
}

// The same, or 0.
double skill_task_draw_speed(const SkillTask *task, SkillTrial *trial) {
  const SkillStage *stage = &task->stage;
  bool stands = stage->standing > 0 && rng_unit(&trial->rng) < stage->standing;
  return stands ? 0 : draw_going(task, trial);
}

// Another skill leads the pupil while it stands: lets it, for a while, until the one that learns is to set off. False
// when the pupil does not stay up.
static bool set_off(const SkillTask *task, SkillTrial *trial) {
  Character *character = skill_pupil(trial);
  const double until = trial->scene->world->time + rng_range(&trial->rng, 0, MOST_WAIT);
  while (trial->scene->world->time < until)
    if (!scene_step(trial->scene) || character->down)
      return false;
  character->intent.speed = draw_going(task, trial);
  return skill_task_leads(task, trial);
}

// The pupil is in the middle of its clip, on its way somewhere; or at rest, where the speed is 0.
static bool place_pupil(SkillTask *task, int index, double speed) {
  SkillTrial *trial = &task->trials[index];
  if (!skill_task_anew(task, index))
    return false;
  Rng *rng = &trial->rng;
  CharacterPlace place = {.position = {rng_range(rng, -2, 2), 0, rng_range(rng, 0, 20)},
                          .heading = trial->turns ? rng_range(rng, -M_PI, M_PI) : 0,
                          .speed = speed,
                          .phase = rng_unit(rng)};
  return character_place(skill_pupil(trial), &place, NULL);
}

// Swings a leg as if on its way to a step in a direction, from the character's heading, of a body with a speed, m/s.
static void swing_leg(SkillTask *task, SkillTrial *trial, double direction, double speed, Pose *pose) {
  const Skeleton *skeleton = &task->skill->body->skeleton;
  Rng *rng = &trial->rng;
  double forward = cos(direction), left = sin(direction);
  int near = left > 0 ? 0 : 1; // the leg on that side
  bool aside = fabs(left) > 0.3 && rng_unit(rng) < 0.8;
  const Leg *leg = &skeleton->legs[aside ? near : rng_index(rng, 2)];
  double far = rng_range(rng, STRIDE_MORE[0], STRIDE_MORE[1]) + STRIDE_TIME * speed; // rad, about as m of a leg
  double knee = rng_range(rng, 0, STRIDE_KNEE);
  vec3s hip_turn = {{(float)(-far * forward - 0.4 * knee), 0, (float)(far * left)}};
  vec3s knee_turn = {{(float)knee, 0, 0}};
  pose->rotation[leg->hip] = glms_quat_mul(quat_exp(hip_turn), pose->rotation[leg->hip]);
  pose->rotation[leg->knee] = glms_quat_mul(quat_exp(knee_turn), pose->rotation[leg->knee]);
}

// Sets a body at rest in motion as a push would, turning about its feet, and swings a leg in half of the trials.
static void set_in_motion(SkillTask *task, SkillTrial *trial) {
  const SkillStage *stage = &task->stage;
  Character *character = skill_pupil(trial);
  bool goes = character->root.speed[0] != 0;
  if (goes || stage->start_speed <= 0 || rng_unit(&trial->rng) < 0.5)
    return;
  Rng *rng = &trial->rng;
  double direction = rng_range(rng, -M_PI, M_PI), speed = rng_range(rng, 0, stage->start_speed);
  double h = trial->scene->world->def.dt, lean = speed / task->skill->table.length * h; // rad in a step
  Pose now = character->target;
  if (task->skill->body->skeleton.leg_count == 2 && rng_unit(rng) < 0.5)
    swing_leg(task, trial, direction, speed, &now);
  double bearing = character->root.heading + direction;
  vec3s axis = {{(float)cos(bearing), 0, (float)-sin(bearing)}};
  vec3s about = {
      {(float)character->root.position[0], (float)character->root.position[1], (float)character->root.position[2]}};
  versors turn = quat_exp(glms_vec3_scale(axis, (float)lean));
  Pose next = now;
  next.position[0] = glms_vec3_add(about, glms_quat_rotatev(turn, glms_vec3_sub(now.position[0], about)));
  next.rotation[0] = glms_quat_mul(turn, now.rotation[0]);
  ragdoll_set_pose(character->ragdoll, &now, &next, h);
}

// Fells the pupil, which other skills lead meanwhile, lets it get up, and steps until the one that learns is to set
// off.
static bool got_up(SkillTask *task, int index) {
  SkillTrial *trial = &task->trials[index];
  if (!place_pupil(task, index, 0))
    return false;
  Character *character = skill_pupil(trial);
  double until = trial->scene->world->time + CAUGHT;
  push_over(task, trial);
  while (!character->down)
    if (trial->scene->world->time > until || !scene_step(trial->scene))
      return false;
  until = trial->scene->world->time + MOST_FALL + MOST_RISE;
  while (character->down)
    if (trial->scene->world->time > until || !scene_step(trial->scene))
      return false;
  until = trial->scene->world->time + MOST_WAIT;
  character->intent.speed = draw_going(task, trial);
  while (!skill_task_leads(task, trial))
    if (character->down || trial->scene->world->time > until || !scene_step(trial->scene))
      return false;
  return true;
}

// The pupil has got up after a fall, and sets off.
static bool begin_risen(SkillTask *task, int index) {
  SkillTrial *trial = &task->trials[index];
  if (!begin_kept(task, index, got_up))
    return false;
  skill_pupil(trial)->intent.speed = draw_going(task, trial);
  return true;
}

// The pupil moves by the skill that learns, or is about to.
static bool begin_moving(SkillTask *task, int index) {
  enum { MOST_TRIES = 20 }; // who stands may fall before it sets off
  SkillTrial *trial = &task->trials[index];
  if (task->stage.risen > 0 && rng_unit(&trial->rng) < task->stage.risen)
    return begin_risen(task, index);
  for (int i = 0; i < MOST_TRIES; i++) {
    if (!place_pupil(task, index, skill_task_draw_speed(task, trial)))
      return false;
    set_in_motion(task, trial);
    if (skill_task_leads(task, trial) || set_off(task, trial))
      return true;
  }
  return false;
}

bool skill_task_place(SkillTask *task, int index) {
  return task->rises ? begin_rising(task, index) : begin_moving(task, index);
}
