// The layer of the stepper: its parameters, its initial state, a step, its debug drawing and its trace channels.
#include "anim/layers/stepper/stepper.h"

#include <math.h>

#include "anim/layers/stepper/stepper_internal.h"
#include "sim/base/numbers.h"

PARAM_TABLE(stepper_params, StepperDef, STEPPER_PARAMS, "layers.stepper", "Legs that walk by themselves.")

static const double LEAD_SHARE = 0.5;   // share of the angle limit: largest angle by which feet land turned ahead
static const double GROUND_GAP = 0.15;  // leg lengths: a foot that is nearer to the ground stands on it
static const double SHORTEST_DT = 1e-5; // s: shorter steps do not advance the state

StepperRoot stepper_root(const StepperDef *def, const Stepper *stepper, const LayerStep *step) {
  double most_lead = LEAD_SHARE * def->angle_limit * RAD_PER_DEGREE;
  StepperRoot root = {.heading = stepper_heading(step->heading), .turn_rate = step->turn_rate};
  for (int k = 0; k < 3; k++)
    root.position[k] = step->root_position[k];
  root.velocity[0] = step->root_velocity[0];
  root.velocity[1] = step->root_velocity[2];
  root.speed = length_2d(root.velocity);
  root.lead = stepper_heading(fmin(fmax(root.turn_rate * def->lead_time, -most_lead), most_lead));
  root.step_duration = stepper_step_duration(def, stepper, &root);
  return root;
}

// ---- Start ----

// The heading for which the foot stands straight, from the direction into which its joint has turned the front.
static double foot_heading(const StepperRestLeg *rest, versors rotation_w) {
  versors turn = glms_quat_mul(rotation_w, glms_quat_conjugate(rest->foot_rotation_m));
  vec3s front = glms_quat_rotatev(turn, (vec3s){{0, 0, 1}});
  return atan2((double)front.x, (double)front.z);
}

static void init_foot(const StepperDef *def, const LayerStep *step, const ModelPose *pose_w, const Leg *leg,
                      const StepperRestLeg *rest, StepperFoot *foot) {
  int joint = leg->ankle;
  vec3s sole = glms_vec3_add(pose_w->position[joint], glms_quat_rotatev(pose_w->rotation[joint], leg->sole_l));
  *foot = (StepperFoot){.place = {(double)sole.x, (double)sole.y, (double)sole.z}, .normal = {0, 1, 0}};
  foot->rotation = pose_w->rotation[joint];
  foot->yaw = foot->landing_yaw = foot_heading(rest, foot->rotation);
  double ground[3] = {0}, normal[3] = {0};
  bool carried = stepper_ground(def, step, foot->place[0], foot->place[2], ground, normal) == FOOT_NOT_REFUSED;
  // It stands when it is on the ground, or on the level of the root, as in a pose made for flat ground.
  double gap = fmin(fabs(foot->place[1] - ground[1]), fabs(foot->place[1] - step->root_position[1]));
  foot->stepping = !carried || gap > GROUND_GAP * def->leg_length;
  for (int k = 0; k < 3; k++) {
    foot->place[k] = foot->stepping ? foot->place[k] : ground[k];
    foot->normal[k] = carried ? normal[k] : foot->normal[k];
    foot->landing[k] = foot->place[k];
  }
  if (!foot->stepping)
    foot->rotation = stepper_foot_rotation(rest, foot->normal, foot->yaw);
}

void stepper_init(const StepperDef *def, Stepper *stepper, const LayerStep *step) {
  // When the layer restarts after a clip took over, that clip's pose does not define a stance.
  if (!stepper->has_stance && step->animation_m && def->rest == STEPPER_REST_START)
    stepper_find_stance(def, step->skeleton, step->animation_m, &stepper->stance);
  else if (!stepper->has_stance)
    stepper->stance = def->bind;
  *stepper = (Stepper){.stance = stepper->stance, .has_stance = true, .active = -1, .standing = true};
  ModelPose pose_w;
  pose_to_model(step->skeleton, step->pose_w, &pose_w);
  for (int i = 0; i < def->count; i++)
    init_foot(def, step, &pose_w, &def->legs[i].leg, &stepper->stance.legs[i], &stepper->feet[i]);
  StepperRoot root = stepper_root(def, stepper, step);
  stepper_measure(def, stepper, &root);
}

// ---- Step ----

// Whether a stance has begun in this step at another place than the wanted one.
static bool refused_now(const StepperFoot *foot) { return foot->landed && foot->refusal != FOOT_NOT_REFUSED; }

// Writes the plans for foot placement and metrics. The feet are on the true ground already.
static void set_plans(const StepperDef *def, const Stepper *stepper, bool goes_on, FootPlan *plans) {
  for (int i = 0; i < def->count; i++) {
    const StepperFoot *foot = &stepper->feet[i];
    const double *landing = foot->stepping ? foot->landing : foot->place;
    plans[i] = (FootPlan){.known = true,
                          .on_ground = true,
                          .standing = !foot->stepping,
                          .progress = foot->stepping ? foot->progress : 1,
                          .landing = {landing[0], landing[2]},
                          .landing_yaw = foot->stepping ? foot->landing_yaw : foot->yaw,
                          .refusal = foot->refusal,
                          .refused_now = goes_on && refused_now(foot)};
  }
}

void stepper_apply(const StepperDef *def, Stepper *stepper, const LayerStep *step) {
  if (step->teleported)
    stepper_init(def, stepper, step);
  StepperRoot root = stepper_root(def, stepper, step);
  bool goes_on = step->dt > SHORTEST_DT;
  if (goes_on) {
    stepper_walk(def, stepper, step, &root);
    stepper_react(def, stepper, step, &root);
  }
  stepper_place_body(def, stepper, step, &root);
  if (goes_on)
    stepper_find_sink(def, stepper, step);
  stepper_place_legs(def, stepper, step);
  for (int i = 0; i < def->count && goes_on; i++)
    stepper->refusals += refused_now(&stepper->feet[i]);
  if (step->plans)
    set_plans(def, stepper, goes_on, step->plans);
}

// ---- What it shows ----

static const uint32_t REFERENCE_COLOR = 0x2f9e44ff, FOOT_COLOR = 0x1971c2ff, ESCAPED_COLOR = 0xe03131ff;

enum { CIRCLE_CORNERS = 24 };

// Draws the allowed offset in every direction, on the level of the reference.
static void draw_allowed(const StepperDef *def, double unit, const StepperFoot *foot, Heading heading, uint32_t color,
                         DebugDraw *draw) {
  double last[3] = {0};
  for (int i = 0; i <= CIRCLE_CORNERS; i++) {
    double angle = 2 * M_PI * i / CIRCLE_CORNERS, allowed = stepper_allowed(def, unit, cos(angle)), offset[2];
    level_to_world(heading, (double[2]){allowed * sin(angle), allowed * cos(angle)}, offset);
    double corner[3] = {foot->reference[0] + offset[0], foot->reference[1], foot->reference[2] + offset[1]};
    if (i > 0)
      debug_line(draw, last, corner, 0.002f, color);
    for (int k = 0; k < 3; k++)
      last[k] = corner[k];
  }
}

void stepper_debug(const StepperDef *def, const Stepper *stepper, const LayerStep *step, DebugDraw *draw) {
  float size = (float)(0.1 * stepper->stance.unit);
  debug_group(draw, DEBUG_FEET);
  for (int i = 0; i < def->count; i++) {
    const StepperFoot *foot = &stepper->feet[i];
    const double sole[3] = {foot->place[0], foot->place[1] + foot->lift, foot->place[2]};
    bool refused = foot->refusal != FOOT_NOT_REFUSED;
    uint32_t color = foot->escaped ? ESCAPED_COLOR : FOOT_COLOR;
    debug_point(draw, foot->reference, size, foot->escaped ? ESCAPED_COLOR : REFERENCE_COLOR);
    draw_allowed(def, stepper->stance.unit, foot, stepper_heading(step->heading),
                 foot->escaped ? ESCAPED_COLOR : REFERENCE_COLOR, draw);
    debug_line(draw, foot->reference, sole, 0.002f, color);
    debug_point(draw, sole, size, color);
    if (foot->stepping)
      debug_arrow(draw, sole, foot->landing, 0.003f, refused ? ESCAPED_COLOR : FOOT_COLOR);
    if (refused)
      debug_label(draw, foot->landing, ESCAPED_COLOR, "%s", foot_refusal_name(foot->refusal));
  }
}

// ---- The layer ----

LAYER_FUNCTIONS(stepper, StepperDef, Stepper)

enum { DISTANCE, PLANTED, PROGRESS, ESCAPED, MISSING, CHANNELS };

static const LayerChannel channels[CHANNELS] = {
    [DISTANCE] = {"distance", "m", "Horizontal distance of the foot from its reference.", 1},
    [PLANTED] = {"planted", "-", "1 while the foot stands.", 1},
    [PROGRESS] = {"progress", "-", "Progress of the foot's step, 0 to 1.", 1},
    [ESCAPED] = {"escaped", "-", "1 while the foot stands farther away than allowed, by the factor `escape`.", 1},
    [MISSING] = {"missing", "m", "Length that the leg lacks to reach the foot's place.", 1},
};

static float channel_value(const StepperFoot *foot, int channel) {
  switch (channel) {
  case DISTANCE:
    return (float)foot->distance;
  case PLANTED:
    return foot->stepping ? 0 : 1;
  case PROGRESS:
    return (float)foot->progress;
  case ESCAPED:
    return foot->escaped ? 1 : 0;
  default:
    return foot->missing;
  }
}

LAYER_LEG_ROWS(StepperDef, Stepper, def->count, channel_value(&state->feet[row], channel))

static const char *const other_keys[] = {"offset", "height", "groups", "spine", NULL};
static const char *const other_docs[] = {("Curve: cosine of the angle between the direction from reference to foot and "
                                          "the front -> allowed distance, in `scale`."),
                                         "Curve: progress of a step, 0 to 1 -> height, in `scale`.",
                                         "Lists of legs that step together, in turn; alternate legs without it.",
                                         "Joints from the hind to the front legs, which bend to the side."};

// Feet keep their place relative to the body, which has moved with respect to the animation.
static void rebase_root(const void *def, void *state, const RootRebase *rebase) {
  const versors turn = quat_about(1, rebase->turn);
  for (int i = 0; i < ((const StepperDef *)def)->count; i++) {
    StepperFoot *foot = &((Stepper *)state)->feet[i];
    root_rebase_point(rebase, foot->place);
    root_rebase_point(rebase, foot->landing);
    root_rebase_point(rebase, foot->reference);
    foot->rotation = glms_quat_mul(turn, foot->rotation);
    foot->yaw += rebase->turn;
    foot->landing_yaw += rebase->turn;
  }
}

// ---- Saving and restoring ----

static void stance_state(StepperStance *stance, int legs, StateStream *stream) {
  STATE(stream, stance->unit, stance->hip_height);
  for (int i = 0; i < legs; i++) {
    StepperRestLeg *leg = &stance->legs[i];
    STATE(stream, leg->reference, leg->foot_rotation_m.raw, leg->pole_p.raw, leg->easy_reach, leg->front);
  }
}

static void foot_state(StepperFoot *foot, StateStream *stream) {
  STATE(stream, foot->place, foot->lift, foot->rotation.raw, foot->yaw, foot->stepping, foot->progress, foot->clearance,
        foot->landing, foot->normal, foot->landing_yaw, foot->reference);
  STATE(stream, foot->distance, foot->allowed, foot->angle, foot->escaped, foot->taken, foot->settled, foot->landed,
        foot->missing);
  STATE_CHOICE(stream, foot->refusal, FOOT_REFUSAL_COUNT);
}

static void spring_state(Spring *spring, StateStream *stream) {
  STATE(stream, spring->goal, spring->value, spring->velocity);
}

static void save_or_restore(const void *values, void *state, StateStream *stream) {
  const StepperDef *def = values;
  Stepper *stepper = state;
  STATE(stream, stepper->has_stance, stepper->active_moved, stepper->standing, stepper->still_time, stepper->steps,
        stepper->escapes, stepper->refusals, stepper->sunk);
  state_int(stream, &stepper->active, -1, def->group_count - 1);
  stance_state(&stepper->stance, def->count, stream);
  for (int i = 0; i < def->count; i++)
    foot_state(&stepper->feet[i], stream);
  Spring *const springs[] = {&stepper->bob,     &stepper->sink,    &stepper->lean[0], &stepper->lean[1],
                             &stepper->sway[0], &stepper->sway[1], &stepper->sway[2], &stepper->bend};
  for (size_t i = 0; i < sizeof springs / sizeof *springs; i++)
    spring_state(springs[i], stream);
}

const LayerKind stepper_layer = {
    .name = "stepper",
    .doc = "Any number of legs that walk by themselves under a body that is moved.",
    .params = &stepper_params,
    .curves = &stepper_curves,
    .def_size = sizeof(StepperDef),
    .state_size = sizeof(Stepper),
    .other_keys = other_keys,
    .other_docs = other_docs,
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
