// Trials of a skill: hits and commands, the end of each, and their state.
#include "scenes/train/skill_task_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ragdoll/character/character_fall.h"
#include "ragdoll/character/character_skill.h"
#include "scenes/run/scene_state.h"
#include "scenes/sweep/mpi_link.h"
#include "scenes/train/rank_share.h"
#include "sim/base/numbers.h"

PARAM_TABLE(skill_reward_params, SkillReward, SKILL_REWARD_PARAMS, "reward", "What a skill is rewarded for.")
PARAM_TABLE(skill_stage_params, SkillStage, SKILL_STAGE_PARAMS, "stages", "Stages of a training, in their order.")

// A trial has failed when the pelvis is this much lower or higher than the target, as a share of the legs' length, or
// tilted or turned away this far.
static const double FALLEN_DROP = 0.35, FLUNG_UP = 0.4;
static const double LEAST_UP = 0.5, LEAST_AHEAD = 0.3; // cosines

// Getting up has failed when the pelvis is lower than its target by this, or off the ground turned away from it; or
// when the body does not follow the clip for so long that it begins anew.
static const double LAGGING = 0.25, TURNED = 1.3; // m, rad

// s: so long who began lying must stand after getting up, by whatever leads him then.
static const double STANDING = 1.5;

static const double MOST_PUSHED = 5; // m/s: of a part other than the pelvis, by a push on it alone

// Changes of the help in getting up, as shares of all, and the shares of failed tries that decide.
static const double FADE = 0.95, FADE_STEP = 0.005, FADE_BELOW = 0.3, GROW = 1.03, GROW_ABOVE = 0.5;
// Changes of the size of hits, as shares of the largest, and the failures for each hit that decide.
static const double HITS_STEP = 0.01, HARDER_BELOW = 0.2, SOFTER_ABOVE = 0.32;
enum { FEWEST_ENDS = 20 };

// Legs count fully, other parts by their mass: a hand says little about a motion, unless the reward gives it weight.
static void weigh_parts(SkillTask *task) {
  const BodyDef *body = task->skill->body;
  const double full = 0.07 * body->mass;
  for (int i = 0; i < body->part_count; i++)
    task->part_weight[i] =
        body->parts[i].carries ? 1 : (float)fmax(task->reward.light, fmin(1, body->parts[i].mass / full));
}

bool skill_task_init(SkillTask *task, SceneDef *scene, SkillDef *skill, const SkillReward *reward, int trial_count,
                     int seed, Error *error) {
  *task = (SkillTask){.scene = scene, .skill = skill, .reward = *reward, .trial_count = trial_count, .seed = seed};
  task->trials = calloc((size_t)trial_count, sizeof *task->trials);
  if (!task->trials)
    return error_set(error, "no memory for %d trials", trial_count);
  task->rises = skill->clip != scene->characters[0].move;
  weigh_parts(task);
  return true;
}

static void close_trial(SkillTrial *trial) {
  for (int i = 0; i < trial->kept_count; i++) {
    free(trial->kept[i].state);
    trial->kept[i] = (SkillKept){0};
  }
  trial->kept_count = 0;
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

void *skill_task_save(const Scene *scene, size_t *size) {
  *size = scene_state_size(scene);
  void *state = malloc(*size);
  if (state && scene_state_save(scene, state, *size, NULL))
    return state;
  free(state);
  return NULL;
}

static bool keep_fresh(SkillTrial *trial, Error *error) {
  trial->fresh = skill_task_save(trial->scene, &trial->fresh_size);
  return trial->fresh || error_set(error, "no memory for the state of a scene");
}

// Gives the pupil the skill that learns, in place of the scene's for the same clip and beside those for other clips.
static void give_skill(CharacterDef *pupil, const SkillDef *skill) {
  const int index = character_skill_index(pupil, skill->clip);
  pupil->skills[index < 0 ? pupil->skill_count++ : index] = skill; // there is room for a skill for each clip
}

// Builds the scene of a copy, with its own ground.
static bool open_trial(SkillTask *task, int index, Error *error) {
  SkillTrial *trial = &task->trials[index];
  SkillGround changes = skill_task_ground(task, index);
  const char *overrides[SKILL_GROUND_CHANGES];
  for (int i = 0; i < changes.count; i++)
    overrides[i] = changes.text[i];
  close_trial(trial);
  trial->def = scene_def_variant(task->scene, overrides, changes.count, error);
  if (!trial->def)
    return false;
  give_skill(&trial->def->characters[0], task->skill);
  trial->scene = scene_create(trial->def, error);
  if (trial->scene)
    trial->scene->unseen = skill_pupil(trial)->unseen = true;
  return trial->scene && keep_fresh(trial, error);
}

bool skill_task_anew(SkillTask *task, int index) {
  SkillTrial *trial = &task->trials[index];
  return (trial->scene && scene_state_restore(trial->scene, trial->fresh, trial->fresh_size, NULL)) ||
         open_trial(task, index, NULL);
}

bool skill_task_begin(SkillTask *task, int number, const SkillStage *stage, Error *error) {
  task->stage = *stage;
  task->stage_number = number;
  task->assist = stage->assist;
  task->hit_share = stage->growth;
  for (int i = 0; i < task->trial_count; i++) {
    char consumer[64];
    snprintf(consumer, sizeof consumer, "trial.%d.%d", number, i);
    task->trials[i].rng = rng_make((uint64_t)task->seed, consumer);
    if (!open_trial(task, i, error))
      return false;
  }
  return true;
}

// ---- A trial ----

static double draw_every(SkillTrial *trial, const SkillStage *stage) {
  return rng_range(&trial->rng, stage->every[0], stage->every[1]);
}

// Small random motion, so that no two trials are the same.
static void shake(SkillTrial *trial, double noise) {
  Ragdoll *ragdoll = skill_pupil(trial)->ragdoll;
  for (int i = 0; i < ragdoll->def->part_count; i++) {
    double spin[3];
    for (int k = 0; k < 3; k++)
      spin[k] = noise * rng_normal(&trial->rng);
    ragdoll_add_spin(ragdoll, i, spin);
  }
}

// Measures the inputs of the coming decision.
static void look(const SkillTask *task, SkillTrial *trial, float inputs[]) {
  Character *character = skill_pupil(trial);
  size_t size = sizeof *inputs * (size_t)task->skill->table.input_count;
  character_skill_look(character);
  if (character->skill.active == task->skill)
    memcpy(trial->seen, character_skill_inputs(character), size);
  memcpy(inputs, trial->seen, size);
}

void skill_task_reset(SkillTask *task, int index, float inputs[]) {
  SkillTrial *trial = &task->trials[index];
  const SkillStage *stage = &task->stage;
  Rng *rng = &trial->rng;
  trial->turns = rng_unit(rng) < stage->turning;
  trial->paces = stage->pacing > 0 && rng_unit(rng) < stage->pacing;
  if (!skill_task_place(task, index)) {
    task->broken = true;
    close_trial(trial);
    memset(inputs, 0, sizeof *inputs * (size_t)task->skill->table.input_count);
    return;
  }
  trial->time = 0;
  trial->is_hit = rng_unit(rng) < stage->hits;
  trial->next_hit = rng_range(rng, 0.2, 2);
  trial->next_turn = rng_range(rng, 0.5, 2);
  trial->next_pace = trial->paces ? rng_range(rng, 0.5, 3) : 0;
  memset(trial->last, 0, sizeof trial->last);
  memset(trial->swung, 0, sizeof trial->swung);
  trial->scene->world->def.friction = rng_range(rng, stage->friction[0], stage->friction[1]);
  skill_pupil(trial)->drive.def.strength = rng_range(rng, stage->strength[0], stage->strength[1]);
  bool varies = stage->mass[0] != stage->mass[1];
  double mass = varies ? rng_range(rng, stage->mass[0], stage->mass[1]) : stage->mass[0];
  ragdoll_set_mass(skill_pupil(trial)->ragdoll, mass);
  shake(trial, stage->noise);
  look(task, trial, inputs);
  if (stage->delay[1] > 0)
    skill_pupil(trial)->skill.delay = rng_range(rng, stage->delay[0], stage->delay[1]);
}

// ---- Its course ----

// A push that lasts, on the pelvis or another part, which it does not make faster than MOST_PUSHED.
static void push_instead(const SkillTask *task, SkillTrial *trial, ActiveEvent *hit) {
  const SkillStage *stage = &task->stage;
  hit->kind = EVENT_PUSH;
  hit->spread = rng_range(&trial->rng, stage->push_time[0], stage->push_time[1]);
  if (rng_unit(&trial->rng) < stage->pelvis)
    hit->part = 0;
  if (hit->part != 0)
    hit->size = fmin(hit->size, MOST_PUSHED * task->skill->body->parts[hit->part].mass);
}

// A bullet or a push on any part, from any side.
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
                     .size = task->hit_share * rng_range(rng, stage->impulse[0], stage->impulse[1]),
                     .start = trial->scene->world->time};
  if (stage->push_time[1] > 0)
    push_instead(task, trial, &hit);
  double direction = rng_range(rng, 0, 360), elevation = rng_range(rng, -20, 20);
  event_aim(skill_pupil(trial)->root.heading, direction, elevation, hit.size, hit.impulse_w);
  events_strike(&trial->scene->events, &hit);
  trial->strikes++;
}

// A new heading, which takes up to 3 s to reach; or straight on.
static void steer(SkillTask *task, SkillTrial *trial) {
  if (!trial->turns || trial->time < trial->next_turn)
    return;
  Character *character = skill_pupil(trial);
  double most = 3 * task->skill->params.turn_rate;
  trial->next_turn = trial->time + rng_range(&trial->rng, 0.5, 3);
  double change = rng_unit(&trial->rng) < 0.4 ? 0 : rng_range(&trial->rng, -most, most);
  character->intent.heading = remainder(character->root.heading / RAD_PER_DEGREE + change, 360);
}

// A new speed.
static void pace(const SkillTask *task, SkillTrial *trial) {
  if (!trial->paces || trial->time < trial->next_pace)
    return;
  trial->next_pace = trial->time + rng_range(&trial->rng, 1.5, 4);
  skill_pupil(trial)->intent.speed = skill_task_draw_speed(task, trial);
}

static bool has_failed(const SkillTask *task, const Character *character, const float inputs[]) {
  const FallMachine *fall = &character->fall.machine;
  if (task->rises) { // who does not follow the clip for a while begins anew, and that is a failed try
    bool turned = !(sum_squares(&inputs[SKILL_TILT], 3) < TURNED * TURNED) && !character_fall_on_ground(character);
    return fall->state != FALL_RISING || fall->tries > 0 || !((double)inputs[SKILL_HEIGHT] > -LAGGING) || turned;
  }
  double drop = (double)inputs[SKILL_HEIGHT] / task->skill->table.length;
  return character->down || character->sensed.fallen || !(drop > -FALLEN_DROP && drop < FLUNG_UP) ||
         !((double)inputs[SKILL_UP + 1] > LEAST_UP) || !((double)inputs[SKILL_FORWARD + 2] > LEAST_AHEAD);
}

// Whether the pupil, which another skill or its balance leads now, stays on its feet for a while.
static bool stays_up(SkillTrial *trial) {
  const Character *character = skill_pupil(trial);
  double until = trial->scene->world->time + STANDING;
  while (!character->down && trial->scene->world->time < until)
    if (!scene_step(trial->scene))
      return false;
  return !character->down;
}

// Whether the pupil has got up, or stands and is led by the skill for that.
static bool hands_over(const SkillTask *task, const SkillTrial *trial) {
  const Character *character = skill_pupil(trial);
  if (character->down)
    return false;
  return task->rises ? character->fall.machine.reason == FALL_STANDING : !skill_task_leads(task, trial);
}

static SkillOutcome take_step(SkillTask *task, int index, const float outputs[], float inputs[]) {
  SkillTrial *trial = &task->trials[index];
  if (!trial->scene || skill_pupil(trial)->skill.active != task->skill) // broken
    return (SkillOutcome){.reward = 0, .ended = true, .failed = true};
  Character *character = skill_pupil(trial);
  SkillCourse course = {0};
  character_skill_decide(character, outputs);
  bool runs = true;
  do {
    strike(task, trial);
    steer(task, trial);
    pace(task, trial);
    runs = scene_step(trial->scene);
    trial->time += trial->scene->world->def.dt;
    skill_course_step(task, trial, &course);
  } while (runs && character->skill.active && character->skill.steps_left > 0);
  look(task, trial, inputs);
  if (runs && hands_over(task, trial)) {
    const bool stays = (task->rises && !trial->lies) || stays_up(trial);
    return (SkillOutcome){.reward = stays ? 1 : 0, .ended = true, .failed = !stays};
  }
  if (!runs || character->skill.active != task->skill)
    return (SkillOutcome){.reward = 0, .ended = true, .failed = true};
  float measured[SKILL_MAX_INPUTS], *now = inputs; // it is judged by what is, not by what it sees late of it
  if (character->skill.delay > 0) {
    character_skill_measure(character, measured);
    now = measured;
  }
  if (has_failed(task, character, now))
    return (SkillOutcome){.reward = 0, .ended = true, .failed = true};
  SkillOutcome outcome = {.reward = (float)skill_task_reward(task, trial, &course, now)};
  outcome.ended = trial->time >= task->stage.episode;
  memcpy(trial->last, character->skill.actions, sizeof trial->last);
  return outcome;
}

SkillOutcome skill_task_step(SkillTask *task, int index, const float outputs[], float inputs[]) {
  SkillTrial *trial = &task->trials[index];
  SkillOutcome outcome = take_step(task, index, outputs, inputs);
  if (outcome.ended && (trial->lies || !task->rises)) {
    trial->ends++;
    trial->failures += outcome.failed;
  }
  return outcome;
}

// ---- State and figures ----

void skill_task_gather(SkillTask *task) {
  for (int i = 0; i < task->trial_count; i++) {
    SkillTrial *trial = &task->trials[i];
    const int rank = rank_share_owner(i, task->trial_count);
    link_share(rank, &trial->ends, sizeof trial->ends);
    link_share(rank, &trial->failures, sizeof trial->failures);
    link_share(rank, &trial->strikes, sizeof trial->strikes);
    link_share(rank, trial->terms, sizeof trial->terms);
    link_share(rank, &trial->decisions, sizeof trial->decisions);
  }
}

static void fade_help(SkillTask *task, int ends, int failures) {
  double failed = (double)failures / ends;
  if (failed < FADE_BELOW)
    task->assist = fmax(0, FADE * task->assist - FADE_STEP);
  else if (failed > GROW_ABOVE && task->assist > 0)
    task->assist = fmin(task->stage.assist, GROW * task->assist);
}

static void change_hits(SkillTask *task, int strikes, int failures) {
  double failed = (double)failures / strikes;
  if (failed < HARDER_BELOW)
    task->hit_share = fmin(1, task->hit_share + HITS_STEP);
  else if (failed > SOFTER_ABOVE)
    task->hit_share = fmax(task->stage.growth, task->hit_share - HITS_STEP);
}

void skill_task_fade(SkillTask *task) {
  int ends = 0, failures = 0, strikes = 0;
  for (int i = 0; i < task->trial_count; i++) {
    ends += task->trials[i].ends;
    failures += task->trials[i].failures;
    strikes += task->trials[i].strikes;
  }
  if (ends < FEWEST_ENDS)
    return;
  for (int i = 0; i < task->trial_count; i++)
    task->trials[i].ends = task->trials[i].failures = task->trials[i].strikes = 0;
  fade_help(task, ends, failures);
  if (strikes > 0)
    change_hits(task, strikes, failures);
}

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

// The states that were kept.
static void kept_state(SkillTrial *trial, StateStream *stream) {
  int count = trial->kept_count;
  state_int(stream, &count, 0, SKILL_MOST_KEPT);
  for (int i = 0; i < count && !stream->failed; i++) {
    SkillKept *kept = &trial->kept[i];
    int size = (int)kept->size;
    state_int(stream, &size, 0, 1 << 30);
    if (state_restores(stream) && !stream->failed) {
      free(kept->state);
      *kept = (SkillKept){malloc((size_t)size), (size_t)size};
      trial->kept_count = i + 1;
      if (!kept->state)
        state_fail(stream, "no memory for the start of a trial");
    }
    if (!stream->failed)
      state_bytes(stream, kept->state, (size_t)size);
  }
}

void skill_task_state(SkillTask *task, int index, StateStream *stream) {
  SkillTrial *trial = &task->trials[index];
  state_section(stream, "trial", 8);
  state_rng(&trial->rng, stream);
  STATE(stream, trial->time, trial->next_hit, trial->next_turn, trial->next_pace, trial->is_hit, trial->turns,
        trial->paces, trial->lies, trial->ends, trial->failures, trial->strikes, trial->last, trial->swung,
        trial->terms, trial->decisions, trial->seen);
  kept_state(trial, stream);
  scene_bytes(trial, stream);
  FallDef *help = &trial->def->characters[0].fall;
  double mass = skill_pupil(trial)->ragdoll->mass_factor;
  STATE(stream, trial->scene->world->def.friction, skill_pupil(trial)->drive.def.strength, help->force, help->torque,
        mass);
  if (!state_restores(stream) || stream->failed)
    return;
  ragdoll_set_mass(skill_pupil(trial)->ragdoll, mass);
  character_skill_look(skill_pupil(trial)); // the coming decision needs to know whether it was seen in a mirror
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
