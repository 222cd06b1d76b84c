// Trials of a skill: their beginning, hits and commands, the end of each, and the reward.
#include "scenes/train/skill_task.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ragdoll/character/character_skill.h"
#include "scenes/run/scene_state.h"
#include "sim/base/numbers.h"

PARAM_TABLE(skill_reward_params, SkillReward, SKILL_REWARD_PARAMS, "reward", "What a skill is rewarded for.")
PARAM_TABLE(skill_stage_params, SkillStage, SKILL_STAGE_PARAMS, "stages", "Stages of a training, in their order.")

const char *const skill_term_names[SKILL_TERMS] = {"pose",     "rates",    "ends",   "root",
                                                   "velocity", "contacts", "change", "power"};

// A trial has failed when the pelvis is this much lower or higher than the target, as a share of the legs' length, or
// tilted or turned away this far.
static const double FALLEN_DROP = 0.35, FLUNG_UP = 0.4;
static const double LEAST_UP = 0.5, LEAST_AHEAD = 0.3; // cosines

static Character *pupil(const SkillTrial *trial) { return trial->scene->characters[0]; }

// Legs count fully, other parts by their mass: a hand says little about a motion.
static void weigh_parts(SkillTask *task) {
  const BodyDef *body = task->skill->body;
  const double full = 0.07 * body->mass;
  for (int i = 0; i < body->part_count; i++)
    task->part_weight[i] = body->parts[i].carries ? 1 : (float)fmin(1, body->parts[i].mass / full);
}

bool skill_task_init(SkillTask *task, SceneDef *scene, SkillDef *skill, const SkillReward *reward, int trial_count,
                     int seed, Error *error) {
  *task = (SkillTask){.scene = scene, .skill = skill, .reward = *reward, .trial_count = trial_count, .seed = seed};
  task->trials = calloc((size_t)trial_count, sizeof *task->trials);
  if (!task->trials)
    return error_set(error, "no memory for %d trials", trial_count);
  weigh_parts(task);
  return true;
}

static void close_trial(SkillTrial *trial) {
  scene_destroy(trial->scene);
  scene_def_free(trial->def);
  free(trial->fresh);
  trial->scene = NULL;
  trial->def = NULL;
  trial->fresh = NULL;
}

void skill_task_free(SkillTask *task) {
  for (int i = 0; i < task->trial_count && task->trials; i++)
    close_trial(&task->trials[i]);
  free(task->trials);
  *task = (SkillTask){0};
}

static bool keep_fresh(SkillTrial *trial, Error *error) {
  trial->fresh_size = scene_state_size(trial->scene);
  trial->fresh = malloc(trial->fresh_size);
  return (trial->fresh && scene_state_save(trial->scene, trial->fresh, trial->fresh_size, error)) ||
         error_set(error, "no memory for the state of a scene");
}

// Builds the scene of a copy, with its own ground.
static bool open_trial(SkillTask *task, int index, Error *error) {
  SkillTrial *trial = &task->trials[index];
  char ground_text[64], seed[64], consumer[64];
  const char *overrides[2] = {ground_text, seed};
  snprintf(consumer, sizeof consumer, "ground.%d.%d", task->stage_number, index);
  Rng ground = rng_make((uint64_t)task->seed, consumer);
  double share = rng_unit(&ground) * task->stage.roughness;
  if (share > 0)
    snprintf(ground_text, sizeof ground_text, "terrain.amplitude=%.6g", task->scene->terrain.amplitude * share);
  else
    snprintf(ground_text, sizeof ground_text, "terrain.kind=flat");
  snprintf(seed, sizeof seed, "seed=%d", rng_index(&ground, 1000000));
  close_trial(trial);
  trial->def = scene_def_variant(task->scene, overrides, 2, error);
  if (!trial->def)
    return false;
  trial->def->characters[0].skills[0] = task->skill;
  trial->def->characters[0].skill_count = 1;
  trial->scene = scene_create(trial->def, error);
  if (trial->scene)
    trial->scene->unseen = pupil(trial)->unseen = true;
  return trial->scene && keep_fresh(trial, error);
}

bool skill_task_begin(SkillTask *task, int number, const SkillStage *stage, Error *error) {
  task->stage = *stage;
  task->stage_number = number;
  for (int i = 0; i < task->trial_count; i++) {
    char consumer[64];
    snprintf(consumer, sizeof consumer, "trial.%d.%d", number, i);
    task->trials[i].rng = rng_make((uint64_t)task->seed, consumer);
    if (!open_trial(task, i, error))
      return false;
  }
  return true;
}

// ---- The beginning of a trial ----

static double draw_every(SkillTrial *trial, const SkillStage *stage) {
  return rng_range(&trial->rng, stage->every[0], stage->every[1]);
}

// Small random motion, so that no two trials are the same.
static void shake(SkillTrial *trial, double noise) {
  Ragdoll *ragdoll = pupil(trial)->ragdoll;
  for (int i = 0; i < ragdoll->def->part_count; i++) {
    double spin[3];
    for (int k = 0; k < 3; k++)
      spin[k] = noise * rng_normal(&trial->rng);
    ragdoll_add_spin(ragdoll, i, spin);
  }
}

void skill_task_reset(SkillTask *task, int index, float inputs[]) {
  SkillTrial *trial = &task->trials[index];
  const SkillStage *stage = &task->stage;
  const SkillDef *skill = task->skill;
  Error error = {0};
  bool restored = trial->scene && scene_state_restore(trial->scene, trial->fresh, trial->fresh_size, &error);
  if (!restored && !open_trial(task, index, &error)) { // as after ODE has stopped in the middle of a step
    task->broken = true;
    close_trial(trial);
    memset(inputs, 0, sizeof *inputs * (size_t)skill->table.input_count);
    return;
  }
  Character *character = pupil(trial);
  Rng *rng = &trial->rng;
  trial->time = 0;
  trial->is_hit = rng_unit(rng) < stage->hits;
  trial->turns = rng_unit(rng) < stage->turning;
  trial->next_hit = rng_range(rng, 0.2, 2);
  trial->next_turn = rng_range(rng, 0.5, 2);
  memset(trial->last, 0, sizeof trial->last);
  double speed = rng_range(rng, stage->speed[0], stage->speed[1]);
  CharacterPlace place = {.position = {rng_range(rng, -2, 2), 0, rng_range(rng, 0, 20)},
                          .heading = trial->turns ? rng_range(rng, -M_PI, M_PI) : 0,
                          .speed = speed == 0 ? (double)skill->clip->root_velocity_l.z : speed,
                          .phase = rng_unit(rng)};
  trial->scene->world->def.friction = rng_range(rng, stage->friction[0], stage->friction[1]);
  character->drive.def.strength = rng_range(rng, stage->strength[0], stage->strength[1]);
  if (!character_place(character, &place, &error))
    task->broken = true;
  shake(trial, stage->noise);
  character_skill_look(character);
  memcpy(inputs, character->skill.inputs, sizeof *inputs * (size_t)skill->table.input_count);
}

// ---- Its course ----

// A bullet on any part, from any side.
static void strike(SkillTask *task, SkillTrial *trial) {
  const SkillStage *stage = &task->stage;
  if (!trial->is_hit || trial->time < trial->next_hit)
    return;
  trial->next_hit = trial->time + draw_every(trial, stage);
  const BodyDef *body = task->skill->body;
  Rng *rng = &trial->rng;
  int part = rng_index(rng, body->part_count), legs = body->skeleton.leg_count;
  if (legs > 0 && rng_unit(rng) < stage->feet)
    part = body->skeleton.legs[rng_index(rng, legs)].ankle;
  ActiveEvent hit = {.kind = EVENT_IMPULSE,
                     .part = part,
                     .size = rng_range(rng, stage->impulse[0], stage->impulse[1]),
                     .start = trial->scene->world->time};
  double direction = rng_range(rng, 0, 360), elevation = rng_range(rng, -20, 20);
  event_aim(pupil(trial)->root.heading, direction, elevation, hit.size, hit.impulse_w);
  events_strike(&trial->scene->events, &hit);
}

// A new heading, which takes up to 3 s to reach; or straight on.
static void steer(SkillTask *task, SkillTrial *trial) {
  if (!trial->turns || trial->time < trial->next_turn)
    return;
  Character *character = pupil(trial);
  double most = 3 * task->skill->params.turn_rate;
  trial->next_turn = trial->time + rng_range(&trial->rng, 0.5, 3);
  double change = rng_unit(&trial->rng) < 0.4 ? 0 : rng_range(&trial->rng, -most, most);
  character->intent.heading = remainder(character->root.heading / RAD_PER_DEGREE + change, 360);
}

// What is summed over the steps of a decision.
typedef struct Course {
  double power;   // W
  double matched; // shares of feet that did as the clip's
  int steps;
} Course;

static void judge_step(const SkillTask *task, const Character *character, Course *course) {
  const BodyDef *body = task->skill->body;
  const Clip *clip = task->skill->clip;
  for (int i = 1; i < body->part_count; i++)
    course->power += fabs(character->ragdoll->joints[i].power);
  int legs = body->skeleton.leg_count;
  for (int i = 0; i < legs; i++) {
    bool stands = clip_contact(clip, i, (float)character->play.phase_time);
    course->matched += (stands == character->sensed.foot_loaded[i]) / (double)legs;
  }
  course->steps++;
}

// ---- Reward ----

static double sum_squares(const float values[], int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += (double)values[i] * (double)values[i];
  return sum;
}

// Sum of squares over the axes of the joints, weighted by their parts.
static double sum_joints(const SkillTask *task, const float axes[]) {
  const SkillTable *table = &task->skill->table;
  double sum = 0;
  for (int i = 0; i < table->axis_count; i++)
    sum += (double)(task->part_weight[table->axis_part[i]] * axes[i] * axes[i]);
  return sum;
}

// A sum of squares does not depend on whether the inputs are seen in a mirror.
static double reward(const SkillTask *task, SkillTrial *trial, const Course *course, const float inputs[]) {
  const SkillTable *table = &task->skill->table;
  const SkillReward *share = &task->reward;
  const CharacterSkill *skill = &pupil(trial)->skill;
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
  for (int i = 0; i < SKILL_TERMS; i++)
    terms[i] += now[i];
  trial->decisions++;
  return share->pose * now[SKILL_TERM_POSE] + share->rates * now[SKILL_TERM_RATES] +
         share->ends * now[SKILL_TERM_ENDS] + share->root * now[SKILL_TERM_ROOT] +
         share->velocity * now[SKILL_TERM_VELOCITY] + share->contacts * now[SKILL_TERM_CONTACTS] -
         share->change * change - share->power * now[SKILL_TERM_POWER] - share->hurry * pace * pace;
}

static bool has_failed(const SkillTask *task, const Character *character, const float inputs[]) {
  double drop = (double)inputs[SKILL_HEIGHT] / task->skill->table.length;
  return character->down || character->sensed.fallen || !(drop > -FALLEN_DROP && drop < FLUNG_UP) ||
         !((double)inputs[SKILL_UP + 1] > LEAST_UP) || !((double)inputs[SKILL_FORWARD + 2] > LEAST_AHEAD);
}

SkillOutcome skill_task_step(SkillTask *task, int index, const float outputs[], float inputs[]) {
  SkillTrial *trial = &task->trials[index];
  if (!trial->scene) // broken
    return (SkillOutcome){.reward = 0, .ended = true, .failed = true};
  Character *character = pupil(trial);
  Course course = {0};
  character_skill_decide(character, outputs);
  bool runs = true;
  do {
    strike(task, trial);
    steer(task, trial);
    runs = scene_step(trial->scene);
    trial->time += trial->scene->world->def.dt;
    judge_step(task, character, &course);
  } while (runs && character->skill.active && character->skill.steps_left > 0);
  character_skill_look(character);
  if (!runs || !character->skill.active)
    return (SkillOutcome){.reward = 0, .ended = true, .failed = true};
  memcpy(inputs, character->skill.inputs, sizeof *inputs * (size_t)task->skill->table.input_count);
  if (has_failed(task, character, inputs))
    return (SkillOutcome){.reward = 0, .ended = true, .failed = true};
  SkillOutcome outcome = {.reward = (float)reward(task, trial, &course, inputs)};
  outcome.ended = trial->time >= task->stage.episode;
  memcpy(trial->last, character->skill.actions, sizeof trial->last);
  return outcome;
}

// ---- State and figures ----

// The state of the scene, which is a text of its own.
static void scene_bytes(SkillTrial *trial, StateStream *stream) {
  int size = state_restores(stream) ? 0 : (int)scene_state_size(trial->scene);
  state_int(stream, &size, 0, 1 << 30);
  if (stream->failed)
    return;
  if (state_restores(stream)) {
    const unsigned char *bytes = stream->bytes + stream->at;
    state_pass(stream, (size_t)size);
    if (!stream->failed && !scene_state_restore(trial->scene, bytes, (size_t)size, stream->error))
      stream->failed = true;
    return;
  }
  unsigned char *bytes = malloc((size_t)size);
  if (!bytes || !scene_state_save(trial->scene, bytes, (size_t)size, stream->error))
    state_fail(stream, "the scene of a trial cannot be saved");
  else
    state_bytes(stream, bytes, (size_t)size);
  free(bytes);
}

void skill_task_state(SkillTask *task, int index, StateStream *stream) {
  SkillTrial *trial = &task->trials[index];
  state_section(stream, "trial", 2);
  state_rng(&trial->rng, stream);
  STATE(stream, trial->time, trial->next_hit, trial->next_turn, trial->is_hit, trial->turns, trial->last, trial->terms,
        trial->decisions);
  scene_bytes(trial, stream);
  STATE(stream, trial->scene->world->def.friction, pupil(trial)->drive.def.strength);
  if (state_restores(stream) && !stream->failed)
    character_skill_look(pupil(trial)); // the coming decision needs to know whether it was seen in a mirror
}

void skill_task_terms(SkillTask *task, double terms[SKILL_TERMS]) {
  double decisions = 0;
  memset(terms, 0, SKILL_TERMS * sizeof *terms);
  for (int i = 0; i < task->trial_count; i++) {
    SkillTrial *trial = &task->trials[i];
    for (int k = 0; k < SKILL_TERMS; k++)
      terms[k] += trial->terms[k];
    decisions += (double)trial->decisions;
    memset(trial->terms, 0, sizeof trial->terms);
    trial->decisions = 0;
  }
  for (int k = 0; k < SKILL_TERMS && decisions > 0; k++)
    terms[k] /= decisions;
}
