// What a character comes to, in sums of which each depends on much of it.
#ifndef STAGGER_TESTS_CHARACTER_DRILL_H
#define STAGGER_TESTS_CHARACTER_DRILL_H

#include "tests/unit/drill.h"
#include "tests/unit/small_scene.h"

#include "ragdoll/character/character_metrics.h"

enum { LED, TARGET, GOALS, SENSED, FEET, PLANNED, MACHINES, CHARACTER_SUMS };
#define CHARACTER_SUM_NAMES "led", "target", "goals", "sensed", "feet", "planned", "machines"

// A number that may be none.
static inline double drill_known(double value) { return isnan(value) ? -1 : value; }

static inline void drill_add_pose(DrillSum *sum, const Pose *pose) {
  drill_add_floats(sum, pose->position[0].raw, 3);
  for (int i = 0; i < pose->count; i++)
    drill_add_floats(sum, pose->rotation[i].raw, 4);
}

static inline void drill_add_goals(const Character *c, DrillSum sums[]) {
  for (int i = 1; i < c->def->body->part_count; i++) {
    const JointGoal *goal = &c->joint_goals[i];
    drill_add_floats(&sums[GOALS], goal->rotation.raw, 4);
    drill_add_floats(&sums[GOALS], goal->angular_velocity_l.raw, 3);
    for (int k = 0; k < 3; k++)
      drill_add(&sums[GOALS], (double)goal->feed_forward_l.raw[k] / 100);
    drill_add(&sums[GOALS], (double)goal->stiffness / 1000);
    drill_add(&sums[GOALS], (double)goal->damping / 100);
  }
}

static inline void drill_add_feet(const Character *c, DrillSum sums[]) {
  for (int i = 0; i < c->def->body->skeleton.leg_count; i++) {
    const FootState *foot = &c->judged->feet[i];
    drill_add_all(&sums[FEET], foot->position, 3);
    const double state[] = {fmax(foot->ground_height, -10),
                            fmin(foot->clearance, 10),
                            foot->planted,
                            foot->flat,
                            (double)foot->phase,
                            c->sensed.foot_loaded[i],
                            c->sensed.foot_caught[i],
                            fmin(c->sensed.air_time[i], 10)};
    drill_add_all(&sums[FEET], state, 8);
    const FootPlan *plan = &c->foot_plans[i];
    const double plans[] = {plan->known, plan->standing, plan->known ? plan->progress : 0,
                            plan->known ? plan->time_left : 0, plan->known ? (double)plan->refusal : 0};
    drill_add_all(&sums[FEET], plans, 5);
  }
}

static inline void drill_add_planned(const Character *c, DrillSum sums[]) {
  const CharacterPlan *plan = &c->plan;
  const double plans[] = {plan->fresh,
                          plan->detours,
                          plan->stuck,
                          plan->stuck_time,
                          drill_known(plan->clearance),
                          plan->reached,
                          plan->sense.goal_bearing,
                          plan->sense.goal_distance,
                          (double)plan->changes};
  if (c->def->planner)
    drill_add_all(&sums[PLANNED], plans, 9);
  const double jump[] = {c->jump.active, c->jump.active ? c->jump.time : 0, c->jump.active ? c->jump.crouched : 0};
  drill_add_all(&sums[PLANNED], jump, 3);
  if (c->def->skill_count > 0) {
    const double skill[] = {c->skill.active != NULL, c->skill.steps_left, c->skill.pace, c->skill.sways_left};
    drill_add_all(&sums[PLANNED], skill, 4);
  }
  const double lead[] = {c->lead.balance, c->lead.catches, c->lead.calm_time};
  drill_add_all(&sums[PLANNED], lead, 3);
}

static inline void drill_add_machines(const Character *c, DrillSum sums[]) {
  const CharacterFall *fall = &c->fall;
  const FallMachine *machine = &fall->machine;
  const double fallen[] = {(double)machine->state, machine->time, machine->loaded,        machine->still,
                           machine->stuck,         c->down,       (double)fall->strength, fall->landed};
  drill_add_all(&sums[MACHINES], fallen, 8);
  const double seen[] = {drill_known(c->judged->support_margin),
                         drill_known(c->judged->pressure[0]),
                         drill_known(c->judged->pressure[1]),
                         c->play.look.goal_pitch,
                         c->play.look.goal_yaw,
                         c->play.moving,
                         c->play.stand_time};
  drill_add_all(&sums[MACHINES], seen, 7);
  drill_add_floats(&sums[MACHINES], c->shown.blend, c->def->body->part_count);
}

static inline void drill_add_character(const Character *c, DrillSum sums[]) {
  const double root[] = {c->root.heading,  c->root.turn_rate, c->root.speed[0], c->root.speed[1],
                         c->root.airborne, c->intent.speed,   c->intent.heading};
  drill_add_all(&sums[LED], c->root.position, 3);
  drill_add_all(&sums[LED], c->root.velocity, 3);
  drill_add_all(&sums[LED], root, 7);
  drill_add_pose(&sums[TARGET], &c->target);
  drill_add_pose(&sums[TARGET], &c->shown.pose);
  drill_add_goals(c, sums);
  const double sensed[] = {c->sensed.other_load / 100, c->sensed.fallen, c->sensed.pelvis_drop, c->sensed.held[0]};
  drill_add_pose(&sums[SENSED], &c->sensed.pose);
  drill_add_all(&sums[SENSED], c->sensed.com, 3);
  drill_add_all(&sums[SENSED], c->sensed.com_velocity, 3);
  drill_add_all(&sums[SENSED], sensed, 4);
  drill_add_floats(&sums[SENSED], c->sensed.joint_error, c->def->body->part_count);
  drill_add_feet(c, sums);
  drill_add_planned(c, sums);
  drill_add_machines(c, sums);
}

// What was measured of a character.
static inline double drill_metrics(const Character *character) {
  DrillSum sum = {0};
  for (int i = 0; i < metric_row_count; i++) {
    double value = NAN;
    metrics_value(character->judged->metrics, metric_rows[i].name, &value);
    drill_add(&sum, isnan(value) ? -1 : value / (1 + fabs(value)));
  }
  return sum.sum;
}

#endif
