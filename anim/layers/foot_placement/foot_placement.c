// The layer of foot placement: its parameters, its initial state, a step, and its trace channels.
#include "anim/layers/foot_placement/foot_placement.h"

#include <math.h>
#include <string.h>

#include "anim/layers/foot_placement/foot_placement_internal.h"
#include "sim/base/numbers.h"

PARAM_TABLE(foot_placement_params, FootPlacementDef, FOOT_PLACEMENT_PARAMS, "layers.foot_placement",
            "Adapts the feet of the animation to uneven ground.")

static const double SHORTEST_DT = 1e-5; // s: shorter steps do not advance the state

// ---- Legs ----

static void find_leg(const FootPlacementDef *def, const Skeleton *skeleton, const ModelPose *bind, int index,
                     PlacedLeg *placed) {
  const Leg *leg = &skeleton->legs[index];
  *placed = (PlacedLeg){.leg = *leg};
  double x = (double)bind->position[leg->ankle].x;
  placed->side = x > 1e-4 ? 1 : x < -1e-4 ? -1 : 0;
  vec3s heel = leg->heel_l, toe = leg->toe_l;
  double ahead = def->foot_length > 0 ? def->foot_length : (double)toe.z;
  double half = def->foot_half_width > 0 ? def->foot_half_width : (double)leg->half_width;
  double outer = placed->side < 0 ? -half : half;
  const double offset[FOOT_RAYS][2] = {[FOOT_RAY_ANKLE] = {0, 0},
                                       [FOOT_RAY_TOE] = {(double)toe.x, ahead},
                                       [FOOT_RAY_HEEL] = {(double)heel.x, (double)heel.z},
                                       [FOOT_RAY_OUTER] = {outer, 0},
                                       [FOOT_RAY_INNER] = {-outer, 0}};
  memcpy(placed->offset, offset, sizeof offset);
  placed->sole[0] = (double)leg->sole_l.x;
  placed->sole[1] = (double)leg->sole_l.z;
  placed->length = (double)glms_vec3_distance(heel, toe);
  placed->height = def->foot_height > 0 ? def->foot_height : fmax(-(double)leg->sole_l.y, 0);
  placed->reach = pose_leg_length(bind, leg);
}

bool foot_placement_read(FootPlacementDef *def, const Node *map, const Skeleton *skeleton, Error *error) {
  if (skeleton->leg_count == 0) {
    const char *text = "'%s' has no legs, so no feet can be placed";
    return map ? node_error(map, error, text, skeleton->name) : error_set(error, text, skeleton->name);
  }
  Pose bind_pose = pose_bind(skeleton);
  ModelPose bind;
  pose_to_model(skeleton, &bind_pose, &bind);
  def->count = skeleton->leg_count;
  for (int i = 0; i < def->count; i++)
    find_leg(def, skeleton, &bind, i, &def->legs[i]);
  return true;
}

// ---- A step ----

static FootPlan *plan_of(const LayerStep *step, int index) { return step->plans ? &step->plans[index] : NULL; }

static bool is_left_alone(const FootPlan *plan) { return plan && plan->on_ground; }

// Sets the goals of the ankles, and the plans' fields that others read.
static void set_goals(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step,
                      const ModelPose *model, const FootPose *poses) {
  for (int i = 0; i < def->count; i++) {
    FootPlan *plan = plan_of(step, i);
    PlacedFoot *foot = &placement->feet[i];
    if (!is_left_alone(plan)) {
      foot_place(foot, &poses[i], step->root_position[1], &foot->goal, &foot->goal_rotation);
      foot_push_off(def, placement, step, i, model, poses[i].heel[1] - step->root_position[1]);
    }
    if (plan) {
      memcpy(plan->animated, poses[i].middle, sizeof plan->animated);
      plan->clearance = poses[i].clearance;
      plan->heel = poses[i].heel[1] - step->root_position[1];
      plan->toe = poses[i].toe[1] - step->root_position[1];
    }
  }
}

// A stance is reported as refused once: when it begins, or when it loses its ground.
static void set_refusals(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step) {
  for (int i = 0; i < def->count; i++) {
    FootPlan *plan = plan_of(step, i);
    if (!plan || is_left_alone(plan))
      continue;
    PlacedFoot *foot = &placement->feet[i];
    plan->refusal = foot->lost ? FOOT_NO_GROUND : foot->refusal;
    plan->standing = plan->standing && !foot->lost;
    plan->refused_now = step->dt > SHORTEST_DT && foot->standing && !foot->refused && plan->refusal != FOOT_NOT_REFUSED;
    foot->refused |= plan->refused_now;
  }
}

static void init_level(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step) {
  bool first = !placement->begun;
  if (first)
    *placement = (FootPlacement){.begun = true, .mask = GROUND_ALL};
  placement->settles = true;
  placement->drop = placement->drop_velocity = placement->held_drop = 0;
  memset(placement->shift, 0, sizeof placement->shift);
  memset(placement->shift_velocity, 0, sizeof placement->shift_velocity);
  ModelPose model;
  pose_to_model(step->skeleton, step->pose_w, &model);
  FootPose poses[SKELETON_MAX_LEGS];
  for (int i = 0; i < def->count; i++) {
    PlacedFoot *foot = &placement->feet[i], was = *foot;
    *foot = (PlacedFoot){.active = first || was.active, .normal = {0, 1, 0}, .begin = -1, .from_normal = {0, 1, 0}};
    foot->plant_weight = foot->plant_goal = first ? 1 : was.plant_goal;
    poses[i] = foot_pose(&def->legs[i], &model, step->root_position[1]);
    foot->hip = model.position[def->legs[i].leg.hip];
    for (int k = 0; k < 2; k++)
      foot->place[2 * k] = poses[i].print[k];
  }
  for (int i = 0; i < def->count; i++)
    foot_start(def, placement, step, i, &poses[i], plan_of(step, i));
}

static void apply_level(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step) {
  if (step->teleported)
    init_level(def, placement, step);
  ModelPose model;
  FootPose poses[SKELETON_MAX_LEGS];
  pose_to_model(step->skeleton, step->pose_w, &model);
  bool goes_on = step->dt > SHORTEST_DT;
  for (int i = 0; i < def->count; i++) {
    poses[i] = foot_pose(&def->legs[i], &model, step->root_position[1]);
    if (goes_on && !is_left_alone(plan_of(step, i)))
      foot_move(def, placement, step, i, &poses[i], plan_of(step, i));
  }
  if (goes_on)
    foot_look_ahead(def, placement, step);
  foot_shift_pelvis(def, placement, step, &model, step->plans);
  set_goals(def, placement, step, &model, poses);
  if (goes_on || placement->settles)
    foot_find_drop(def, placement, step, &model, step->plans);
  placement->settles = false;
  foot_place_legs(def, placement, step, &model, step->plans);
  set_refusals(def, placement, step);
}

// For `up` other than the world's: applies the layer in a frame in which `up` is vertical.
static void on_level(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step,
                     void (*work)(const FootPlacementDef *, FootPlacement *, const LayerStep *)) {
  if (foot_up_is_worlds(def)) {
    work(def, placement, step);
    return;
  }
  FootUp up;
  LayerStep turned = foot_up_begin(def, step, &up);
  work(def, placement, &turned);
  foot_up_end(&up, step);
}

void foot_placement_init(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step) {
  on_level(def, placement, step, init_level);
}

void foot_placement_apply(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step) {
  on_level(def, placement, step, apply_level);
}

// ---- By hand ----

static PlacedFoot *foot_of(FootPlacement *placement, int foot) {
  return foot >= 0 && foot < SKELETON_MAX_LEGS ? &placement->feet[foot] : NULL;
}

void foot_placement_set_active(FootPlacement *placement, int foot, bool active) {
  PlacedFoot *placed = foot_of(placement, foot);
  if (placed)
    placed->active = active;
}

bool foot_placement_is_active(const FootPlacement *placement, int foot) {
  return foot >= 0 && foot < SKELETON_MAX_LEGS && placement->feet[foot].active;
}

static void plant(FootPlacement *placement, int foot, double goal, double speed) {
  PlacedFoot *placed = foot_of(placement, foot);
  if (!placed)
    return;
  placed->plant_goal = goal;
  placed->plant_speed = speed;
  if (!(speed > 0))
    placed->plant_weight = goal;
}

void foot_placement_enable_plant(FootPlacement *placement, int foot, double speed) { plant(placement, foot, 1, speed); }
void foot_placement_disable_plant(FootPlacement *placement, int foot, double speed) {
  plant(placement, foot, 0, speed);
}
void foot_placement_set_plant_weight(FootPlacement *placement, int foot, double weight) {
  plant(placement, foot, fmax(0, fmin(weight, 1)), 0);
}
double foot_placement_get_plant_weight(const FootPlacement *placement, int foot) {
  return foot >= 0 && foot < SKELETON_MAX_LEGS ? placement->feet[foot].plant_weight : 0;
}
void foot_placement_set_ray_mask(FootPlacement *placement, unsigned mask) { placement->mask = mask; }
unsigned foot_placement_get_ray_mask(const FootPlacement *placement) { return placement->mask; }

// ---- The layer ----

LAYER_FUNCTIONS(foot_placement, FootPlacementDef, FootPlacement)

static void rebase_level(const RootRebase *rebase, double point[2]) {
  double moved[3] = {point[0], 0, point[1]};
  root_rebase_point(rebase, moved);
  point[0] = moved[0];
  point[1] = moved[2];
}

static void turn_vector(double turn, double v[3]) {
  const RootRebase rebase = {.turn = turn};
  root_rebase_point(&rebase, v);
}

// Feet keep their place relative to the body, which has moved with respect to the animation.
static void rebase_root(const void *def, void *state, const RootRebase *rebase) {
  for (int i = 0; i < ((const FootPlacementDef *)def)->count; i++) {
    PlacedFoot *foot = &((FootPlacement *)state)->feet[i];
    root_rebase_point(rebase, foot->place);
    root_rebase_point(rebase, foot->from);
    root_rebase_point(rebase, foot->ground.place);
    root_rebase_point(rebase, foot->animated);
    root_rebase_point(rebase, foot->shown);
    rebase_level(rebase, foot->held[0]);
    rebase_level(rebase, foot->held[1]);
    foot->held_yaw += rebase->turn;
    double *directions[] = {foot->normal, foot->from_normal, foot->ground.normal, foot->nudge};
    for (int k = 0; k < 4; k++)
      turn_vector(rebase->turn, directions[k]);
    double *levels[] = {foot->shift, foot->lead, foot->lock_shift, foot->base_shift, foot->spot};
    for (int k = 0; k < 5; k++) {
      double v[3] = {levels[k][0], 0, levels[k][1]};
      turn_vector(rebase->turn, v);
      levels[k][0] = v[0];
      levels[k][1] = v[2];
    }
  }
  FootPlacement *placement = state;
  double *pelvis[] = {placement->shift, placement->shift_velocity};
  for (int k = 0; k < 2; k++) {
    double v[3] = {pelvis[k][0], 0, pelvis[k][1]};
    turn_vector(rebase->turn, v);
    pelvis[k][0] = v[0];
    pelvis[k][1] = v[2];
  }
}

enum { OFFSET, WEIGHT, PLANTED, SHIFTED, REFUSAL, MISSING, EXTENSION, DROP, CHANNELS };

static const LayerChannel channels[CHANNELS] = {
    [OFFSET] = {"offset", "m", "Height of the ankle's goal above the animation's ankle.", 1},
    [WEIGHT] = {"weight", "-", "Weight of the ground relative to the animation: 0 where nothing supports the foot.", 1},
    [PLANTED] = {"planted", "-", "1 while the foot is locked in the world, times its plant weight.", 1},
    [SHIFTED] = {"shifted", "m", "Horizontal distance of the foot from the animation's.", 1},
    [REFUSAL] = {"refusal", "-", "0 none" FOOT_REFUSALS(FOOT_REFUSAL_LISTED, ) ".", 1},
    [MISSING] = {"missing", "m", "Length that the leg lacks to reach the foot's place.", 1},
    [EXTENSION] = {"extension", "-", "Distance from hip to ankle, as a share of the leg's length.", 1},
    [DROP] = {"drop", "m",
              "Distance by which the pelvis is lowered so that feet reach the ground: the same for all legs.", 1},
};

static double channel_value(const FootPlacement *placement, const PlacedFoot *foot, int channel) {
  switch (channel) {
  case OFFSET:
    return foot->offset;
  case WEIGHT:
    return foot->weight;
  case PLANTED:
    return foot->standing && !foot->let_go ? foot->plant_weight : 0;
  case SHIFTED:
    return length_2d(foot->shift);
  case REFUSAL:
    return (double)foot->refusal;
  case MISSING:
    return foot->lacking;
  case EXTENSION:
    return foot->extension;
  default:
    return placement->drop;
  }
}

LAYER_LEG_ROWS(FootPlacementDef, FootPlacement, def->count, channel_value(state, &state->feet[row], channel))

static void layer_state(const void *def, void *state, StateStream *stream) { foot_placement_state(def, state, stream); }

const LayerKind foot_placement_layer = {
    .name = "foot_placement",
    .doc = "Adapts the feet of the animation to uneven ground.",
    .params = &foot_placement_params,
    .def_size = sizeof(FootPlacementDef),
    .state_size = sizeof(FootPlacement),
    .read = layer_read,
    .init = layer_init,
    .state = layer_state,
    .apply = layer_apply,
    .rebase = rebase_root,
    .debug = layer_debug,
    .channels = channels,
    .channel_count = CHANNELS,
    .rows = layer_rows,
    .row_name = layer_row_name,
    .record = layer_record,
};
