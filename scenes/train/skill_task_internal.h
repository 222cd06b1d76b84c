// What the parts of skill_task share.
#ifndef STAGGER_SCENES_TRAIN_SKILL_TASK_INTERNAL_H
#define STAGGER_SCENES_TRAIN_SKILL_TASK_INTERNAL_H

#include "scenes/train/skill_task.h"

// What is summed over the steps of a decision.
typedef struct SkillCourse {
  double power;     // W
  double matched;   // shares of feet that did as the clip's
  int steps_taken;  // touch-downs of feet
  double shortfall; // m: sum over them, see short_of_support
  int steps;        // of the simulation
} SkillCourse;

static inline Character *skill_pupil(const SkillTrial *trial) { return trial->scene->characters[0]; }

static inline double sum_squares(const float values[], int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += (double)values[i] * (double)values[i];
  return sum;
}

enum { SKILL_GROUND_CHANGES = 6 };

// Changes of a copy's scene, as KEY=VALUE: its own ground and seed.
typedef struct SkillGround {
  char text[SKILL_GROUND_CHANGES][64];
  int count;
} SkillGround;

// The ground of a copy: in every second one a slope, if the stage has any; otherwise the scene's bumps or stairs, as
// high as the copy's share of the stage's roughness says. Stairs lead up first, or down.
SkillGround skill_task_ground(const SkillTask *task, int index);

// After each step of the simulation.
void skill_course_step(const SkillTask *task, SkillTrial *trial, SkillCourse *course);

// After the last step of a decision. inputs: what is seen then.
double skill_task_reward(const SkillTask *task, SkillTrial *trial, const SkillCourse *course, const float inputs[]);

#endif
