// What a skill is trained in: copies of a scene in which it leads the first character, the trials that begin there, and
// the reward for each decision.
#ifndef STAGGER_SCENES_TRAIN_SKILL_TASK_H
#define STAGGER_SCENES_TRAIN_SKILL_TASK_H

#include "scenes/run/scene.h"

// Shares of the reward, and how steeply each falls with the error. Each term is 1 without error. The form is that of
// DeepMimic (Peng and others 2018, ACM Trans Graph 37:143).
#define SKILL_REWARD_PARAMS(ROW, T)                                                                                    \
  ROW(T, REAL, pose, "0.315", 0, 10, "-", "Share of the rotations of the joints.")                                     \
  ROW(T, REAL, pose_scale, "2", 0, 1000, "1/rad^2", "Decay by the sum of squared errors, weighted by mass.")           \
  ROW(T, REAL, light, "0", 0, 1, "-",                                                                                  \
      "Least weight of a part in pose, rates and change. Legs have 1, other parts as much as they have mass: at 0 "    \
      "arms and hands count little.")                                                                                  \
  ROW(T, REAL, rates, "0.09", 0, 10, "-", "Share of the angular velocities of the joints.")                            \
  ROW(T, REAL, rates_scale, "0.005", 0, 1000, "s^2/rad^2", "Decay by the sum of squared errors.")                      \
  ROW(T, REAL, ends, "0.18", 0, 10, "-", "Share of the places of feet, hands and head.")                               \
  ROW(T, REAL, ends_scale, "8", 0, 1000, "1/m^2", "Decay by the sum of squared errors.")                               \
  ROW(T, REAL, root, "0.135", 0, 10, "-", "Share of the pelvis's height and rotation.")                                \
  ROW(T, REAL, height_scale, "40", 0, 1000, "1/m^2", "Decay by the squared error of its height.")                      \
  ROW(T, REAL, tilt_scale, "5", 0, 1000, "1/rad^2", "Decay by the squared error of its rotation.")                     \
  ROW(T, REAL, velocity, "0.18", 0, 10, "-", "Share of the pelvis's velocity.")                                        \
  ROW(T, REAL, velocity_scale, "8", 0, 1000, "s^2/m^2", "Decay by the squared error of its level velocity.")           \
  ROW(T, REAL, contacts, "0.1", 0, 10, "-", "Share of feet that stand when the clip's do.")                            \
  ROW(T, REAL, change, "0.004", 0, 1, "-", "Cost of the squared change of actions from one decision to the next.")     \
  ROW(T, REAL, power, "4e-5", 0, 1, "1/W", "Cost of the sum of the joints' mechanical power.")                         \
  ROW(T, REAL, steps, "0", 0, 10, "-", "Cost of each touch-down of a foot.")                                           \
  ROW(T, REAL, shortfall, "0", 0, 100, "1/m",                                                                          \
      "Cost of each touch-down, for each m by which the extrapolated centre of mass is then outside the base of "      \
      "support: of a step too short to come to rest by it.")                                                           \
  ROW(T, REAL, calm, "0", 0, 10, "m/s",                                                                                \
      "Speed of the pelvis, relative to the target's, at which pose, rates and ends have faded to a constant by 1/e: " \
      "nothing asks for a particular pose while the body is moved. 0: they always count.")                             \
  ROW(T, REAL, hurry, "1", 0, 100, "-", "Cost of the squared change of the clip's pace.")

typedef struct SkillReward {
  SKILL_REWARD_PARAMS(PARAM_FIELD, SkillReward)
} SkillReward;

// A stage of a training; each goes on from the weights of the one before.
#define SKILL_STAGE_PARAMS(ROW, T)                                                                                     \
  ROW(T, TEXT, name, "\"\"", 0, 0, "", "What is learnt in it.")                                                        \
  ROW(T, REAL, samples, "1e6", 1, 1e12, "-", "Number of decisions.")                                                   \
  ROW(T, REAL, episode, "10", 0.5, 600, "s", "Longest trial.")                                                         \
  ROW(T, RANGE, speed, "[0, 0]", -10, 10, "m/s", "Wanted speed, drawn for each trial; 0: the clip's.")                 \
  ROW(T, REAL, turning, "0", 0, 1, "-", "Share of trials in which the wanted heading changes.")                        \
  ROW(T, REAL, pacing, "0", 0, 1, "-", "Share of trials in which the wanted speed changes.")                           \
  ROW(T, REAL, standing, "0", 0, 1, "-",                                                                               \
      "Share of the wanted speeds that are 0 instead: starts and stops. Where the scene gives the pupil a clip "       \
      "`animation.stand` and a skill for that, the other skill leads it at rest: before the trial begins, and "        \
      "after it has ended well, when the pupil has to stay up by it.")                                                 \
  ROW(T, REAL, hits, "0", 0, 1, "-", "Share of trials with bullets on any part, from any side.")                       \
  ROW(T, RANGE, impulse, "[2, 15]", 0, 1000, "N s", "Size of a bullet.")                                               \
  ROW(T, RANGE, every, "[0.8, 2]", 0.05, 100, "s", "Time from one bullet to the next.")                                \
  ROW(T, REAL, feet, "0", 0, 1, "-", "Share of bullets that strike a foot, in addition to chance.")                    \
  ROW(T, REAL, growth, "1", 0, 1, "-",                                                                                 \
      "Size of hits at the beginning of the stage, as a share of `impulse`; it grows to 1 as the pupil learns.")       \
  ROW(T, RANGE, push_time, "[0, 0]", 0, 2, "s",                                                                        \
      "Above 0, hits are pushes that last so long, not bullets; on parts other than the pelvis at most 5 m/s times "   \
      "the part's mass.")                                                                                              \
  ROW(T, REAL, pelvis, "0", 0, 1, "-", "Share of pushes on the pelvis, in addition to chance.")                        \
  ROW(T, REAL, start_speed, "0", 0, 5, "m/s",                                                                          \
      "In every second trial of those that begin at rest the body is already moved, at most so fast, to any side; in " \
      "half of these a leg is swung that way.")                                                                        \
  ROW(T, REAL, risen, "0", 0, 1, "-",                                                                                  \
      "Share of trials of going that begin as getting up after a fall has left the pupil, by other skills of the "     \
      "scene.")                                                                                                        \
  ROW(T, REAL, roughness, "0", 0, 10, "-",                                                                             \
      "Largest factor of the terrain amplitude, or the rise of stairs, of the scene. It differs from copy to copy of " \
      "the scene; half of the stairs lead down first.")                                                                \
  ROW(T, RANGE, slope, "[0, 0]", -45, 45, "deg",                                                                       \
      "Slope of the ground, in every second copy of the scene, drawn for each; the others have bumps. Above 0 it "     \
      "rises ahead and to the sides, below 0 it falls, in a direction that is drawn, too.")                            \
  ROW(T, RANGE, friction, "[0.9, 0.9]", 0.05, 5, "-", "Coulomb friction, drawn for each trial.")                       \
  ROW(T, RANGE, strength, "[1, 1]", 0.1, 2, "-", "Factor of the joints' strength, drawn for each trial.")              \
  ROW(T, RANGE, delay, "[0, 0]", 0, 0.2, "s",                                                                          \
      "Age of what decisions are made of, drawn for each trial; [0, 0]: as `control` has it.")                         \
  ROW(T, RANGE, mass, "[1, 1]", 0.2, 5, "-",                                                                           \
      "Factor of the masses and inertias of all parts, one number drawn for each trial. Control does not know it.")    \
  ROW(T, RANGE, push, "[120, 220]", 0, 1000, "N s",                                                                    \
      "Push that fells the pupil, when it learns to get up or sets off after that.")                                   \
  ROW(T, REAL, beginning, "0.3", 0, 1, "-",                                                                            \
      "Share of trials that begin as a fall has left the pupil, when it learns to get up; others begin in the middle " \
      "of the clip.")                                                                                                  \
  ROW(T, REAL, assist, "0", 0, 1, "-",                                                                                 \
      "Help in getting up at the beginning of the stage, as a share of the scene's limits; it fades as the pupil "     \
      "learns.")                                                                                                       \
  ROW(T, REAL, noise, "0.4", 0, 10, "rad/s", "Standard deviation of parts' angular velocity at the start of a trial.") \
  ROW(T, RANGE, deviation, "[0, 0]", 0, 10, "-",                                                                       \
      "Limits of the standard deviation of actions; [0, 0]: as `learner` has it. What is learnt with much noise may "  \
      "fail without: small ones in a late stage.")

typedef struct SkillStage {
  SKILL_STAGE_PARAMS(PARAM_FIELD, SkillStage)
} SkillStage;

extern const ParamTable skill_reward_params, skill_stage_params;

enum {
  SKILL_TERM_POSE,
  SKILL_TERM_RATES,
  SKILL_TERM_ENDS,
  SKILL_TERM_ROOT,
  SKILL_TERM_VELOCITY,
  SKILL_TERM_CONTACTS,
  SKILL_TERM_CHANGE,
  SKILL_TERM_POWER,
  SKILL_TERM_STEPS,
  SKILL_TERM_SHORTFALL,
  SKILL_TERMS
};
extern const char *const skill_term_names[SKILL_TERMS];

// How a trial began: a state of the scene.
typedef struct SkillKept {
  void *state;
  size_t size;
} SkillKept;

enum { SKILL_MOST_KEPT = 6 };

// One copy of the scene.
typedef struct SkillTrial {
  Rng rng;
  SceneDef *def; // a variant, with its own roughness
  Scene *scene;
  void *fresh; // the state of the scene before its first step
  size_t fresh_size;
  SkillKept kept[SKILL_MOST_KEPT]; // as a fall, or getting up after it, has left the pupil
  int kept_count;
  float seen[SKILL_MAX_INPUTS];                // inputs of the last decision
  double time, next_hit, next_turn, next_pace; // s of the trial
  bool is_hit, turns, paces, lies;
  int ends, failures, strikes;     // since skill_task_fade: trials that count and have ended, those that failed, hits
  float last[SKILL_MAX_ACTIONS];   // actions of the decision before
  double swung[SKELETON_MAX_LEGS]; // s since a foot was loaded
  double terms[SKILL_TERMS];       // sums since skill_task_terms
  long decisions;
} SkillTrial;

typedef struct SkillTask {
  SceneDef *scene; // the first character has `skill` beside those for other clips
  SkillDef *skill; // its network is not used
  bool rises;      // it is a skill of getting up
  SkillReward reward;
  SkillStage stage;
  double assist;    // share of the help in getting up at present
  double hit_share; // of the size of hits at present
  SkillTrial *trials;
  int trial_count, seed, stage_number;
  float part_weight[BODY_MAX_PARTS]; // of pose and rates: by mass, 1 for legs
  bool broken;                       // a scene could not be restored or built
} SkillTask;

// scene and skill must outlive the task. Call skill_task_begin before anything else.
bool skill_task_init(SkillTask *task, SceneDef *scene, SkillDef *skill, const SkillReward *reward, int trial_count,
                     int seed, Error *error);
void skill_task_free(SkillTask *task);

// Begins a stage: builds the scenes anew. number: of the stage; the same number gives the same scenes and trials.
bool skill_task_begin(SkillTask *task, int number, const SkillStage *stage, Error *error);

// Begins a trial of copy `index` at a random moment of the clip. inputs: of the first decision.
void skill_task_reset(SkillTask *task, int index, float inputs[]);

// Lets the help in getting up fade when few trials fail, and hits grow when few of them fell the pupil; and the other
// way round when many do. Of getting up trials count that began lying: those that begin in the middle of the clip are
// easier. It waits until enough of them have ended since the last change.
void skill_task_fade(SkillTask *task);

typedef struct SkillOutcome {
  float reward;
  bool ended, failed; // ended but not failed: time is up
} SkillOutcome;

// One decision and the steps until the next.
SkillOutcome skill_task_step(SkillTask *task, int index, const float outputs[], float inputs[]);

// Saves or restores a copy in the middle of a trial.
void skill_task_state(SkillTask *task, int index, StateStream *stream);

// Called by all ranks together, before skill_task_fade and skill_task_terms: all get what the trials of the others have
// counted, see rank_share.h.
void skill_task_gather(SkillTask *task);

// Means of the reward's terms per decision since the last call.
void skill_task_terms(SkillTask *task, double terms[SKILL_TERMS]);

#endif
