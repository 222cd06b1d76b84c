// The reward of a decision in a trial of a skill.
#include <math.h>
#include <string.h>

#include "scenes/train/skill_task_internal.h"
#include "sim/base/support.h"

const char *const skill_term_names[SKILL_TERMS] = {"pose",     "rates",  "ends",  "root",  "velocity",
                                                   "contacts", "change", "power", "steps", "shortfall"};

static const double LEAST_SWING = 0.03; // s: a foot off the ground for less has not taken a step
static const double MOVED = 0.6;        // the terms of the pose while the body is moved

// m by which the extrapolated centre of mass is outside the base of support; 0: inside, or nothing carries the feet.
static double short_of_support(const Character *character) {
  enum { MOST_POINTS = 64 };
  const World *world = character->world;
  const Skeleton *skeleton = &character->def->body->skeleton;
  double points[MOST_POINTS][3];
  int count = 0;
  for (int i = 0; i < world->contact_count; i++)
    for (int k = 0; k < skeleton->leg_count && count < MOST_POINTS; k++)
      if (world->contacts[i].body == character->ragdoll->body[skeleton->legs[k].ankle])
        memcpy(points[count++], world->contacts[i].position, sizeof points[0]);
  const BodyState *sensed = &character->sensed;
  double margin =
      support_margin(sensed->com, sensed->com_velocity, character->root.position[1], (const double(*)[3])points, count);
  return margin < 0 ? -margin : 0;
}

void skill_course_step(const SkillTask *task, SkillTrial *trial, SkillCourse *course) {
  const Character *character = skill_pupil(trial);
  const BodyDef *body = task->skill->body;
  const Clip *clip = task->skill->clip;
  for (int i = 1; i < body->part_count; i++)
    course->power += fabs(character->ragdoll->joints[i].power);
  int legs = body->skeleton.leg_count;
  for (int i = 0; i < legs; i++) {
    bool rests = character->play.moving < 0.5; // more of a stance than of the clip
    bool stands = rests || clip_contact(clip, i, (float)character->play.phase_time);
    bool loaded = character->sensed.foot_loaded[i];
    course->matched += (stands == loaded) / (double)legs;
    if (loaded && trial->swung[i] > LEAST_SWING) {
      course->steps_taken++;
      course->shortfall += task->reward.shortfall > 0 ? short_of_support(character) : 0;
    }
    trial->swung[i] = loaded ? 0 : trial->swung[i] + trial->scene->world->def.dt;
  }
  course->steps++;
}

// ---- Reward ----

// Sum of squares over the axes of the joints, weighted by their parts.
static double sum_joints(const SkillTask *task, const float axes[]) {
  const SkillTable *table = &task->skill->table;
  double sum = 0;
  for (int i = 0; i < table->axis_count; i++)
    sum += (double)(task->part_weight[table->axis_part[i]] * axes[i] * axes[i]);
  return sum;
}

// While the body is moved, nothing asks for a particular pose: those terms fade to a constant with its speed.
static void let_be(const SkillReward *share, const float velocity[3], double terms[]) {
  if (share->calm <= 0)
    return;
  double speed2 = (double)(velocity[0] * velocity[0] + velocity[2] * velocity[2]);
  double calm = exp(-speed2 / (share->calm * share->calm));
  static const int poses[] = {SKILL_TERM_POSE, SKILL_TERM_RATES, SKILL_TERM_ENDS};
  for (int i = 0; i < 3; i++)
    terms[poses[i]] = calm * terms[poses[i]] + (1 - calm) * MOVED;
}

// A sum of squares does not depend on whether the inputs are seen in a mirror.
double skill_task_reward(const SkillTask *task, SkillTrial *trial, const SkillCourse *course, const float inputs[]) {
  const SkillTable *table = &task->skill->table;
  const SkillReward *share = &task->reward;
  const CharacterSkill *skill = &skill_pupil(trial)->skill;
  const float *velocity = &inputs[SKILL_VELOCITY];
  double height = (double)inputs[SKILL_HEIGHT], change = 0, pace = skill->pace - 1;
  for (int i = 0; i < table->action_count - 1; i++) {
    double d = (double)(skill->actions[i] - trial->last[i]);
    change += (double)task->part_weight[table->axis_part[table->action_axis[i]]] * d * d;
  }
  double rates = sum_joints(task, &inputs[table->rate_at]) / (SKILL_RATE_UNIT * SKILL_RATE_UNIT);
  double *terms = trial->terms, now[SKILL_TERMS];
  now[SKILL_TERM_POSE] = exp(-share->pose_scale * sum_joints(task, &inputs[table->error_at]));
  now[SKILL_TERM_RATES] = exp(-share->rates_scale * rates);
  now[SKILL_TERM_ENDS] = exp(-share->ends_scale * sum_squares(&inputs[table->end_at], 3 * table->end_count));
  now[SKILL_TERM_ROOT] =
      exp(-share->height_scale * height * height - share->tilt_scale * sum_squares(&inputs[SKILL_TILT], 3));
  now[SKILL_TERM_VELOCITY] =
      0.6 * exp(-share->velocity_scale * (double)(velocity[0] * velocity[0] + velocity[2] * velocity[2])) +
      0.4 * exp(-2 * (double)(velocity[1] * velocity[1]) - 0.05 * sum_squares(&inputs[SKILL_TURN], 3));
  now[SKILL_TERM_CONTACTS] = course->matched / course->steps;
  now[SKILL_TERM_CHANGE] = change;
  now[SKILL_TERM_POWER] = course->power / course->steps;
  now[SKILL_TERM_STEPS] = course->steps_taken;
  now[SKILL_TERM_SHORTFALL] = course->shortfall;
  let_be(share, velocity, now);
  for (int i = 0; i < SKILL_TERMS; i++)
    terms[i] += now[i];
  trial->decisions++;
  return share->pose * now[SKILL_TERM_POSE] + share->rates * now[SKILL_TERM_RATES] +
         share->ends * now[SKILL_TERM_ENDS] + share->root * now[SKILL_TERM_ROOT] +
         share->velocity * now[SKILL_TERM_VELOCITY] + share->contacts * now[SKILL_TERM_CONTACTS] -
         share->steps * now[SKILL_TERM_STEPS] - share->shortfall * course->shortfall - share->change * change -
         share->power * now[SKILL_TERM_POWER] - share->hurry * pace * pace;
}
