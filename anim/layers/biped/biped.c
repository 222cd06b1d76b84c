// The layer of the biped: its parameters, its initial state, a step, its debug drawing and its trace channels.
#include "anim/layers/biped/biped.h"

#include <math.h>

#include "anim/layers/biped/biped_internal.h"
#include "sim/base/numbers.h"
#include "sim/base/plane2.h"

PARAM_TABLE(biped_params, BipedDef, BIPED_PARAMS, "layers.biped", "Two legs that walk and run by themselves.")

static const double SHORTEST_DT = 1e-5; // s: shorter steps do not advance the state
static const double AT_REST = 0.1;      // m/s: a faster body starts in the middle of its stride

// ---- Start ----

static void init_root(const BipedDef *def, Biped *biped, const LayerStep *step) {
  double level[2];
  for (int k = 0; k < 2; k++)
    biped->velocity[k].value = step->root_velocity[2 * k];
  turn_level(-step->heading, (double[2]){biped->velocity[0].value, biped->velocity[1].value}, level);
  double change2 = def->froude * BIPED_GRAVITY * (def->leg_length + def->ankle_height);
  biped->runs = level[1] > 0 && level[1] * level[1] > change2;
  biped->running.value = biped->runs;
  biped->turning.value = step->turn_rate;
  biped->gait = biped_gait(def, level, step->turn_rate, biped->running.value);
  biped->cadence.value = biped->gait.cadence;
  biped->standing = length_2d(level) < AT_REST;
}

// The hip phase from the plans of the feet: that of the swinging foot with the larger progress. When both feet stand,
// the front one is taken to have just landed.
static double phase_of_plans(const BipedDef *def, const Biped *biped, const LayerStep *step) {
  const FootPlan *plans = step->plans;
  double duty = biped->gait.duty;
  int leader = -1;
  for (int i = 0; i < BIPED_LEGS; i++)
    if (plans[i].known && !plans[i].standing && (leader < 0 || plans[i].progress > plans[leader].progress))
      leader = i;
  double phase = leader >= 0 ? duty + plans[leader].progress * (1 - duty) : 0.5 * (duty - 0.5);
  if (leader < 0) {
    double ahead[BIPED_LEGS];
    for (int i = 0; i < BIPED_LEGS; i++)
      ahead[i] = plans[i].landing[0] * step->root_velocity[0] + plans[i].landing[1] * step->root_velocity[2];
    leader = ahead[1] > ahead[0];
  }
  return 2 * biped_foot_phase(2 * phase, 1 - def->legs[leader].offset);
}

static void init_foot(const BipedDef *def, Biped *biped, const LayerStep *step, const ModelPose *pose_w, int index) {
  const BipedLeg *leg = &def->legs[index];
  BipedFoot *foot = &biped->feet[index];
  const BipedGait *gait = &biped->gait;
  int joint = leg->leg.ankle;
  versors turn = glms_quat_mul(pose_w->rotation[joint], glms_quat_conjugate(leg->foot_m));
  vec3s front = glms_quat_rotatev(turn, (vec3s){{(float)sin(leg->yaw), 0, (float)cos(leg->yaw)}});
  double level = hypot((double)front.x, (double)front.z), y, z;
  foot->yaw = level > 0 ? atan2((double)front.x, (double)front.z) : step->heading + leg->yaw;
  double pitch = atan2((double)front.y, level);
  // Its footprint: the place of its sole if it came down level, pivoting about the edge on which it stands.
  biped_roll(leg, pitch, &y, &z);
  double middle = sin(leg->yaw) * (double)leg->sole.x + cos(leg->yaw) * (double)leg->sole.z, sole[2];
  turn_level(foot->yaw - leg->yaw, (double[2]){(double)leg->sole.x, (double)leg->sole.z}, sole);
  foot->place[0] = (double)pose_w->position[joint].x + sole[0] - sin(foot->yaw) * (z + middle);
  foot->place[1] = (double)pose_w->position[joint].z + sole[1] - cos(foot->yaw) * (z + middle);
  foot->phase = biped_foot_phase(biped->hip_phase, leg->offset);
  foot->pitch = foot->shown_pitch = pitch;
  foot->swung = foot->phase >= gait->duty;
  if (!biped->standing && foot->swung) {
    biped_lift_foot(def, biped, step, index, gait->duty, 1);
    foot->progress = (foot->phase - gait->duty) / (1 - gait->duty);
    foot->pitch_gap = pitch - biped_swing_pitch(gait, foot->progress);
    foot->pitch_gap_rate = 0;
  }
  foot->landing[0] = foot->place[0];
  foot->landing[1] = foot->place[1];
  foot->landing_yaw = foot->yaw;
}

void biped_init(const BipedDef *def, Biped *biped, const LayerStep *step) {
  *biped = (Biped){0};
  init_root(def, biped, step);
  // Both feet stand in the middle of double support, where the hips have no sway.
  biped->hip_phase = biped->gait.duty - 0.5;
  if (!biped->standing && step->plans)
    biped->hip_phase = phase_of_plans(def, biped, step);
  ModelPose pose_w;
  pose_to_model(step->skeleton, step->pose_w, &pose_w);
  for (int i = 0; i < BIPED_LEGS; i++)
    init_foot(def, biped, step, &pose_w, i);
}

// ---- Step ----

static void set_plans(const Biped *biped, FootPlan *plans) {
  for (int i = 0; i < BIPED_LEGS; i++) {
    const BipedFoot *foot = &biped->feet[i];
    plans[i] = (FootPlan){.known = true,
                          .standing = !foot->swinging,
                          .progress = foot->swinging ? foot->progress : 1,
                          .time_left = foot->swinging ? foot->time_left : 0,
                          .landing = {foot->landing[0], foot->landing[1]},
                          .landing_yaw = foot->landing_yaw};
  }
}

void biped_apply(const BipedDef *def, Biped *biped, const LayerStep *step) {
  LayerStep now = *step;
  if (step->teleported)
    biped_init(def, biped, step);
  if (!(step->dt > SHORTEST_DT))
    now.dt = 0;
  if (now.dt > 0)
    biped_walk(def, biped, &now);
  BipedHips hips = biped_hips(def, biped, &now);
  biped_reach(def, biped, &now, &hips);
  biped_place_body(def, biped, &now, &hips);
  biped_place_legs(def, biped, &now, &hips);
  if (step->plans)
    set_plans(biped, step->plans);
}

// ---- What it shows ----

static const uint32_t REST_COLOR = 0x2f9e44ff, FOOT_COLOR = 0x1971c2ff, SHORT_COLOR = 0xe03131ff;
static const double SHOWN_FULL = 0.9895; // of the leg: when longer, it is drawn as stretched out

// Draws a sole on the ground as a line from its middle to the toes.
static void draw_sole(const double place[2], double yaw, double level, uint32_t color, DebugDraw *draw) {
  const double length = 0.13, at[3] = {place[0], level, place[1]};
  const double toe[3] = {place[0] + length * sin(yaw), level, place[1] + length * cos(yaw)};
  debug_point(draw, at, 0.012f, color);
  debug_line(draw, at, toe, 0.004f, color);
}

void biped_debug(const BipedDef *def, const Biped *biped, const LayerStep *step, DebugDraw *draw) {
  double level = step->root_position[1];
  debug_group(draw, DEBUG_FEET);
  for (int i = 0; i < BIPED_LEGS; i++) {
    const BipedFoot *foot = &biped->feet[i];
    double rest[2];
    biped_rest(def, &biped->gait, i, step->root_position, step->heading, rest);
    draw_sole(rest, step->heading + def->legs[i].yaw, level, REST_COLOR, draw);
    draw_sole(foot->place, foot->yaw, level, foot->stretch > SHOWN_FULL ? SHORT_COLOR : FOOT_COLOR, draw);
    if (!foot->swinging)
      continue;
    const double from[3] = {foot->place[0], level + foot->lift, foot->place[1]};
    const double to[3] = {foot->landing[0], level, foot->landing[1]};
    debug_arrow(draw, from, to, 0.003f, FOOT_COLOR);
    draw_sole(foot->landing, foot->landing_yaw, level, FOOT_COLOR, draw);
  }
}

// ---- The layer ----

LAYER_FUNCTIONS(biped, BipedDef, Biped)

static void turn_vector(const RootRebase *rebase, double x_z[2]) {
  const RootRebase turn = {.turn = rebase->turn};
  double point[3] = {x_z[0], 0, x_z[1]};
  root_rebase_point(&turn, point);
  x_z[0] = point[0];
  x_z[1] = point[2];
}

static void rebase_place(const RootRebase *rebase, double place[2]) {
  double point[3] = {place[0], 0, place[1]};
  root_rebase_point(rebase, point);
  place[0] = point[0];
  place[1] = point[2];
}

static void turn_springs(const RootRebase *rebase, Spring springs[2]) {
  double values[2] = {springs[0].value, springs[1].value}, rates[2] = {springs[0].velocity, springs[1].velocity};
  turn_vector(rebase, values);
  turn_vector(rebase, rates);
  for (int k = 0; k < 2; k++)
    springs[k] = (Spring){.value = values[k], .velocity = rates[k], .goal = springs[k].goal};
}

// Feet keep their place relative to the body, which has moved with respect to the animation.
static void rebase_root(const void *def, void *state, const RootRebase *rebase) {
  Biped *biped = state;
  bool in_world = ((const BipedDef *)def)->swing != BIPED_SWING_PUBLISHED;
  for (int i = 0; i < BIPED_LEGS; i++) {
    BipedFoot *foot = &biped->feet[i];
    rebase_place(rebase, foot->place);
    rebase_place(rebase, foot->landing);
    if (in_world) {
      rebase_place(rebase, foot->from);
      foot->from_yaw += rebase->turn;
    }
    foot->yaw += rebase->turn;
    foot->landing_yaw += rebase->turn;
  }
  turn_springs(rebase, biped->velocity);
  turn_springs(rebase, biped->lean);
}

enum { PHASE, PLANTED, PROGRESS, LIFT, PITCH, STRETCH, ASYMMETRY, UNPINNED, CHANNELS };

static const LayerChannel channels[CHANNELS] = {
    [PHASE] = {"phase", "-", "Phase of the foot's cycle, 0 to 1; the foot lands at 0.", 1},
    [PLANTED] = {"planted", "-", "1 while the foot stands.", 1},
    [PROGRESS] = {"progress", "-", "Progress of the foot's swing, 0 to 1.", 1},
    [LIFT] = {"lift", "m", "Height of the sole's lowest point above the animation's ground.", 1},
    [PITCH] = {"pitch", "rad", "Pitch of the foot, positive: toes up.", 1},
    [STRETCH] = {"stretch", "-", "Distance from hip to ankle, as a share of the leg's length.", 1},
    [ASYMMETRY] = {"asymmetry", "m",
                   "Distance by which the foot was ahead of its rest position at its last mid-stance.", 1},
    [UNPINNED] = {"unpinned", "-",
                  "Number of times so far that a foot, of either leg, was released because the leg was too short.", 1},
};

static double channel_value(const Biped *biped, const BipedFoot *foot, int channel) {
  switch (channel) {
  case PHASE:
    return foot->phase;
  case PLANTED:
    return foot->swinging ? 0 : 1;
  case PROGRESS:
    return foot->progress;
  case LIFT:
    return foot->lift;
  case PITCH:
    return foot->pitch;
  case STRETCH:
    return foot->stretch;
  case ASYMMETRY:
    return foot->asymmetry;
  default:
    return (double)biped->unpinned;
  }
}

LAYER_LEG_ROWS(BipedDef, Biped, BIPED_LEGS, channel_value(state, &state->feet[row], channel))

// ---- Saving and restoring ----

static void foot_state(BipedFoot *foot, StateStream *stream) {
  STATE(stream, foot->place, foot->yaw, foot->swinging, foot->phase, foot->stand_phase, foot->lift_phase,
        foot->land_phase, foot->progress, foot->swung, foot->from, foot->from_yaw, foot->height, foot->lift,
        foot->extra);
  STATE(stream, foot->pitch, foot->shown_pitch, foot->pitch_rate, foot->raise, foot->pitch_gap, foot->pitch_gap_rate,
        foot->landing, foot->landing_yaw, foot->time_left, foot->asymmetry, foot->stretch, foot->mid_passed);
}

static void gait_state(BipedGait *gait, StateStream *stream) {
  STATE(stream, gait->speed, gait->ahead, gait->moving, gait->running, gait->vigor, gait->cadence, gait->duty,
        gait->roll, gait->lead, gait->step_height, gait->narrow, gait->low, gait->rise, gait->strike);
}

static void save_or_restore(const void *def, void *state, StateStream *stream) {
  (void)def;
  Biped *biped = state;
  for (int i = 0; i < BIPED_LEGS; i++)
    foot_state(&biped->feet[i], stream);
  Spring *const springs[] = {&biped->velocity[0], &biped->velocity[1], &biped->lean[0], &biped->lean[1],
                             &biped->running,     &biped->turning,     &biped->cadence, &biped->sink};
  for (size_t i = 0; i < sizeof springs / sizeof *springs; i++)
    STATE(stream, springs[i]->value, springs[i]->velocity);
  STATE(stream, biped->hip_phase, biped->sunk, biped->runs, biped->standing, biped->steps, biped->unpinned);
  gait_state(&biped->gait, stream);
}

const LayerKind biped_layer = {
    .name = "biped",
    .doc = "Two legs that walk and run by themselves, and the body above them.",
    .params = &biped_params,
    .def_size = sizeof(BipedDef),
    .state_size = sizeof(Biped),
    .read = layer_read,
    .init = layer_init,
    .state = save_or_restore,
    .apply = layer_apply,
    .rebase = rebase_root,
    .debug = layer_debug,
    .channels = channels,
    .channel_count = CHANNELS,
    .rows = layer_rows,
    .row_name = layer_row_name,
    .record = layer_record,
};
