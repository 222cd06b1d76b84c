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

// The present state of a scene, which the caller frees. NULL: no memory.
void *skill_task_save(const Scene *scene, size_t *size);

// Restores a copy's scene as it was before its first step; after ODE has stopped in the middle of a step it is built
// anew. False when that fails.
bool skill_task_anew(SkillTask *task, int index);

// Brings the pupil of a copy to where a trial begins. False when that cannot be had, or ODE has stopped.
bool skill_task_place(SkillTask *task, int index);

// Whether the skill that learns leads in the coming step, and not another one of the pupil.
bool skill_task_leads(const SkillTask *task, const SkillTrial *trial);

// A wanted speed within the stage's, or the clip's if it gives none; or 0, by the stage's share of starts and stops.
double skill_task_draw_speed(const SkillTask *task, SkillTrial *trial);

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
