// How the body follows its feet: the pelvis is lowered until the leg farthest from its goal reaches it, and the legs
// place the feet.
#include <math.h>

#include "anim/ik.h"
#include "anim/layers/foot_placement/foot_placement_internal.h"
#include "anim/spring.h"
#include "sim/base/numbers.h"

static const double SHIFT = 0.5;                           // share of the feet's displacement by which the pelvis is
                                                           // shifted
static const double SHIFT_TIME = 0.2;                      // s: time constant of that shift
static const double LONGEST = 0.999;                       // of a leg's length: absolute limit of its reach
static const double FOLDED = 0.3;                          // of it: from hip to ankle of a fully bent knee (145 deg)
static const double DROP_SPEED = 1.0;                      // m/s: limit of the pelvis
static const double AHEAD = 0.15;                          // s: prediction horizon for the needs of feet
static const double SOON = 0.5;                            // share of the ground's rise ahead that the root is
                                                           // predicted to have risen by then
static const double LANDING_FROM = 0.6, LANDING_BY = 0.25; // s before a landing at which the pelvis begins to be
                                                           // lowered for it, and has been lowered
static const double EASY = 0.985; // of the reach: the pelvis is lowered for more distant goals before it is necessary
static const double MUCH =
    0.04; // m: a pelvis that is lowered this much for a landing also bends a knee that the animation stretches
static const double LOCK_COSTS = 0.03; // m: largest lowering of the pelvis for a lock
static const double SINK_TIME = 0.05;  // s: time constant of the lowering
static const double RISE_TIME = 0.7;   // s: time constant with which a pelvis that is lower than needed rises again
static const double PUSH_MOST = 20, PUSH_DAMP = 0.1;   // deg, s
static const double PUSH_FROM = 0.004, PUSH_BY = 0.03; // m: height of the animation's heel over its ground at which the
                                                       // push-off begins, and is complete
static const float SHORT_MISS = 0.01f; // m: a foot that touches down farther from its place counts as refused
static const float TINY = 1e-6f;       // m

static bool is_left_alone(const FootPlan *plans, int index) { return plans && plans[index].on_ground; }

// ---- Pelvis, level ----

// Displacement of a foot's place from the animation's, x and z. Returns its weight, 0 .. 1: 1 for a standing foot; it
// decreases in the first half of a swing and increases again in the second half.
static double place_shift(const PlacedFoot *foot, const FootPlan *plan, double shift[2]) {
  bool swings = !foot->standing && plan && plan->known;
  bool comes = swings && plan->progress > 0.5;
  for (int k = 0; k < 2; k++)
    shift[k] = comes ? foot->spot[k] : foot->base_shift[k];
  if (!foot->active || !foot->ground.found || (!foot->standing && !swings))
    return 0;
  return foot->weight * (swings ? smooth_step(fabs(2 * plan->progress - 1)) : 1);
}

void foot_shift_pelvis(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, ModelPose *model,
                       const FootPlan *plans) {
  double sum = 0, wanted[2] = {0};
  for (int i = 0; i < def->count; i++) {
    if (is_left_alone(plans, i))
      continue;
    double shift[2], count = place_shift(&placement->feet[i], plans ? &plans[i] : NULL, shift);
    sum += count;
    for (int k = 0; k < 2; k++)
      wanted[k] += count * shift[k];
  }
  for (int k = 0; k < 2; k++) {
    double goal = sum > 0 ? SHIFT * wanted[k] / sum : 0;
    if (placement->settles)
      placement->shift[k] = goal;
    else if (step->dt > 0)
      spring_step(&placement->shift[k], &placement->shift_velocity[k], goal, SHIFT_TIME, step->dt);
    step->pose_w->position[0].raw[2 * k] += (float)placement->shift[k];
    for (int i = 0; i < step->skeleton->count; i++)
      model->position[i].raw[2 * k] += (float)placement->shift[k];
  }
}

// ---- Pelvis, down ----

// How far a hip must be lowered for its ankle to be within reach.
static double sink_for(const double hip[3], const double ankle[3], double reach) {
  double x = hip[0] - ankle[0], z = hip[2] - ankle[2];
  return max_d(hip[1] - ankle[1] - sqrt(max_d(reach * reach - x * x - z * z, 0)), 0);
}

// The largest reach of the leg: by the parameter `stretch`, or as far as the animation stretches it if that is more.
static double allowed_reach(const FootPlacementDef *def, const PlacedLeg *leg, const ModelPose *model) {
  double own = (double)glms_vec3_distance(model->position[leg->leg.hip], model->position[leg->leg.ankle]);
  return max_d(def->stretch * leg->reach, min_d(own, LONGEST * leg->reach));
}

// The weight of a swinging foot: it decreases with the distance from both ends of the swing.
static double count_of(const PlacedFoot *foot, const FootPlan *plan) {
  if (foot->standing || !plan || !plan->known)
    return foot->standing ? 1 : 0;
  double half = 4 * plan->progress * (1 - plan->progress);
  return 1 - half * half;
}

// The same after the hip has moved by `way`.
static double sink_later(const double hip[3], const double way[3], const double ankle[3], double reach) {
  const double then[3] = {hip[0] + way[0], hip[1] + way[1], hip[2] + way[2]};
  return sink_for(then, ankle, reach);
}

// The lowering that a foot will need, beyond what the animation needs. animated: the animation's ankle then.
static double later_need(const double hip[3], const double way[3], const double goal[3], const double animated[3],
                         double reach) {
  return max_d(sink_later(hip, way, goal, reach) - sink_later(hip, way, animated, reach), 0);
}

// The lowering that a swinging foot will need at its landing.
static double landing_need(const FootPlacementDef *def, const LayerStep *step, const PlacedFoot *foot, int index,
                           const FootPlan *plan, const double hip[3]) {
  const PlacedLeg *leg = &def->legs[index];
  if (!plan || !plan->known || foot->standing || plan->time_left > LANDING_FROM)
    return 0;
  const double back[2] = {leg->sole[1] * sin(plan->landing_yaw), leg->sole[1] * cos(plan->landing_yaw)};
  const double animated[3] = {
      plan->landing[0] - back[0],
      step->root_position[1] + step->root_velocity[1] * plan->time_left + leg->height,
      plan->landing[1] - back[1],
  };
  const double *place = foot->ground.place;
  const double goal[3] = {place[0] - back[0], place[1] + leg->height, place[2] - back[1]};
  double reach = EASY * def->stretch * leg->reach, way[3];
  for (int k = 0; k < 3; k++)
    way[k] = step->root_velocity[k] * plan->time_left;
  double need = later_need(hip, way, goal, animated, reach);
  need += smooth_step(need / MUCH) * sink_later(hip, way, animated, reach);
  return smooth_step((LANDING_FROM - plan->time_left) / (LANDING_FROM - LANDING_BY)) * need;
}

// Joints of a leg and their goals, in double.
typedef struct LegPlaces {
  double hip[3], animated[3], goal[3]; // animated: the ankle
} LegPlaces;

static LegPlaces leg_places(const PlacedFoot *foot, const Leg *leg, const ModelPose *model) {
  LegPlaces places;
  for (int k = 0; k < 3; k++) {
    places.hip[k] = (double)model->position[leg->hip].raw[k];
    places.animated[k] = (double)model->position[leg->ankle].raw[k];
    places.goal[k] = (double)foot->goal.raw[k];
  }
  return places;
}

// Predicts the root's displacement: it rises with the ground ahead even if its present velocity is level.
void foot_look_ahead(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step) {
  double at[2], height, *way = placement->ahead;
  for (int k = 0; k < 3; k++)
    way[k] = step->root_velocity[k] * AHEAD;
  for (int k = 0; k < 2; k++)
    at[k] = step->root_position[2 * k] + way[2 * k];
  if (foot_height_at(def, placement->mask, step, at, step->root_position[1], &height))
    way[1] = max_d(way[1], SOON * min_d(height - step->root_position[1], def->ray_start_height));
}

// The lowering that a standing foot needs now and soon: its place stays while hip and animation move with the root.
static double standing_need(const LegPlaces *places, const double way[3], double reach) {
  static const double nowhere[3] = {0};
  double animated[3] = {places->animated[0], places->animated[1] + way[1], places->animated[2]};
  return max_d(later_need(places->hip, nowhere, places->goal, places->animated, reach),
               later_need(places->hip, way, places->goal, animated, reach));
}

// Toes beyond an edge come down to the ground there, not through it.
static void keep_toe_up(PlacedFoot *foot, const PlacedLeg *leg) {
  double toe[3], *n = foot->normal;
  vec3_to_doubles(glms_vec3_add(foot->goal, glms_quat_rotatev(foot->goal_rotation, leg->leg.toe_l)), toe);
  double plane = foot->place[1] - (n[0] * (toe[0] - foot->place[0]) + n[2] * (toe[2] - foot->place[2])) / n[1];
  foot->goal.y += (float)max_d(plane - foot->drop[1] - toe[1], 0);
}

// A foot that rolls over its toes in the animation rolls farther when its leg is short, so that the pelvis need not be
// lowered for it. If its toes are beyond an edge it rolls over that edge.
void foot_push_off(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                   const ModelPose *model, double heel_height) {
  PlacedFoot *foot = &placement->feet[index];
  const PlacedLeg *leg = &def->legs[index];
  double front = foot->support_span[1], heel = leg->offset[FOOT_RAY_HEEL][1], goal = 0;
  double lever = front < 1 ? heel + front * (leg->offset[FOOT_RAY_TOE][1] - heel) : leg->offset[FOOT_RAY_TOE][1];
  if (step->dt > 0) {
    if (foot->standing && foot->ground.found && lever > 0) {
      LegPlaces places = leg_places(foot, &leg->leg, model);
      double need = foot->weight * standing_need(&places, placement->ahead, EASY * def->stretch * leg->reach);
      double most = PUSH_MOST * RAD_PER_DEGREE * smooth_step((heel_height - PUSH_FROM) / (PUSH_BY - PUSH_FROM));
      goal = min_d(most, asin(min_d(need / lever, 1)));
    }
    spring_follow(&foot->push, goal, PUSH_DAMP, step->dt);
  }
  versors roll = glms_quatv((float)foot->push.value, glms_quat_rotatev(foot->goal_rotation, (vec3s){{1, 0, 0}}));
  vec3s pivot_l = front < 1 ? glms_vec3_lerp(leg->leg.heel_l, leg->leg.toe_l, (float)front) : leg->leg.toe_l;
  vec3s pivot = glms_vec3_add(foot->goal, glms_quat_rotatev(foot->goal_rotation, pivot_l));
  foot->goal_rotation = glms_quat_normalize(glms_quat_mul(roll, foot->goal_rotation));
  foot->goal = glms_vec3_sub(pivot, glms_quat_rotatev(foot->goal_rotation, pivot_l));
  if (front < 1)
    keep_toe_up(foot, leg);
}

// A locked foot from which the animation has moved away (as in blends of clips that are not synchronised) must not make
// the body crouch: the foot follows the animation as far as its leg needs.
static void spare_the_pelvis(PlacedFoot *foot, const FootPlacement *placement, const LegPlaces *places, double reach) {
  LegPlaces free = *places;
  free.goal[0] -= foot->shift[0] - foot->base_shift[0];
  free.goal[2] -= foot->shift[1] - foot->base_shift[1];
  double costs = standing_need(places, placement->ahead, reach) - standing_need(&free, placement->ahead, reach);
  foot->dragged = costs > LOCK_COSTS;
}

void foot_find_drop(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step,
                    const ModelPose *model, const FootPlan *plans) {
  static const double nowhere[3] = {0};
  double wanted = 0, landing = 0, needed = 0, dt = step->dt;
  for (int i = 0; i < def->count; i++) {
    PlacedFoot *foot = &placement->feet[i];
    const PlacedLeg *leg = &def->legs[i];
    if (is_left_alone(plans, i) || !foot->ground.found || !foot->active)
      continue;
    const FootPlan *plan = plans ? &plans[i] : NULL;
    LegPlaces places = leg_places(foot, &leg->leg, model);
    double count = count_of(foot, plan), easy = EASY * def->stretch * leg->reach;
    double now = later_need(places.hip, nowhere, places.goal, places.animated, easy);
    needed = max_d(needed, foot->weight * count * sink_for(places.hip, places.goal, allowed_reach(def, leg, model)));
    if (foot->standing && dt > 0)
      spare_the_pelvis(foot, placement, &places, easy);
    wanted = max_d(wanted, foot->standing ? standing_need(&places, placement->ahead, easy) : count * now);
    landing = max_d(landing, landing_need(def, step, foot, i, plan, places.hip));
  }
  double held = placement->held_drop, sunk = held - (wanted - held) * expm1(-dt / SINK_TIME);
  placement->held_drop = max_d(max_d(wanted > held ? sunk : wanted, landing), held * exp(-dt / RISE_TIME));
  double last = placement->drop, most = DROP_SPEED * dt;
  spring_step(&placement->drop, &placement->drop_velocity, placement->held_drop, def->pelvis_damp, dt);
  if (placement->drop < needed) {
    placement->drop = needed;
    placement->drop_velocity = max_d(placement->drop_velocity, dt > 0 ? min_d((needed - last) / dt, DROP_SPEED) : 0);
  }
  if (placement->settles)
    placement->drop = placement->held_drop = max_d(wanted, needed);
  else
    placement->drop = min_d(max_d(placement->drop, last - most), last + most);
  placement->drop = min_d(max_d(placement->drop, 0), def->pelvis_drop);
}

// ---- Legs ----

// A goal beyond the reach is approached asymptotically, so that no knee snaps straight.
static vec3s soften(vec3s hip, vec3s ankle, double reach, double longest) {
  vec3s way = glms_vec3_sub(ankle, hip);
  double distance = (double)glms_vec3_norm(way), rest = longest - reach;
  if (distance <= reach || !(distance > 0))
    return ankle;
  double soft = rest > 0 ? reach - rest * expm1(-(distance - reach) / rest) : reach;
  return glms_vec3_add(hip, glms_vec3_scale(way, (float)(soft / distance)));
}

// A goal stays under a bowl around the hip, whose bottom is as deep as a knee folds, or as low as the animation has the
// foot: a leg folded farther would spin about the hip as the goal passes it.
static vec3s keep_from_hip(vec3s hip, vec3s ankle, double animated_height, double reach) {
  double nearest = FOLDED * reach, x = (double)(ankle.x - hip.x), z = (double)(ankle.z - hip.z);
  double bowl = -nearest * max_d(0, 1 - (x * x + z * z) / (4 * nearest * nearest));
  ankle.y = fminf(ankle.y, hip.y + (float)max_d(bowl, animated_height));
  return ankle;
}

// Rolls the leg about the line from hip to ankle until its knee points in the direction of the hint.
static void roll_knee(const FootPlacementDef *def, const LayerStep *step, const PlacedLeg *leg, versors foot_w) {
  if (length3(def->hint_offset) <= 0)
    return;
  const Leg *joints = &leg->leg;
  ModelPose model;
  pose_to_model(step->skeleton, step->pose_w, &model);
  vec3s hip = model.position[joints->hip], along = glms_vec3_sub(model.position[joints->ankle], hip);
  versors heading = quat_about(1, step->heading);
  vec3s offset = {{(float)def->hint_offset[0], (float)def->hint_offset[1], (float)def->hint_offset[2]}};
  vec3s knee = glms_vec3_sub(model.position[joints->knee], hip);
  vec3s hint = glms_vec3_add(knee, glms_quat_rotatev(heading, offset));
  if (glms_vec3_norm(along) < TINY)
    return;
  along = glms_vec3_normalize(along);
  knee = glms_vec3_sub(knee, glms_vec3_scale(along, glms_vec3_dot(knee, along)));
  hint = glms_vec3_sub(hint, glms_vec3_scale(along, glms_vec3_dot(hint, along)));
  if (glms_vec3_norm(knee) < TINY || glms_vec3_norm(hint) < TINY)
    return;
  float sine = glms_vec3_dot(along, glms_vec3_cross(knee, hint)), angle = atan2f(sine, glms_vec3_dot(knee, hint));
  versors roll = glms_quatv(angle, along), hip_w = glms_quat_mul(roll, model.rotation[joints->hip]);
  versors carrier =
      glms_quat_mul(model.rotation[joints->hip], glms_quat_conjugate(step->pose_w->rotation[joints->hip]));
  versors shin_w = glms_quat_mul(roll, model.rotation[joints->knee]);
  step->pose_w->rotation[joints->hip] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(carrier), hip_w));
  step->pose_w->rotation[joints->ankle] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(shin_w), foot_w));
}

static void place_leg(const FootPlacementDef *def, PlacedFoot *foot, const LayerStep *step, int index,
                      const ModelPose *model, versors rotation) {
  const PlacedLeg *leg = &def->legs[index];
  vec3s hip = foot->hip;
  double reach = allowed_reach(def, leg, model);
  double animated_height = (double)(model->position[leg->leg.ankle].y - model->position[leg->leg.hip].y);
  vec3s goal = soften(hip, foot->goal, reach, LONGEST * leg->reach);
  goal = keep_from_hip(hip, goal, animated_height, leg->reach);
  float missing = leg_reach(step->skeleton, &leg->leg, goal, rotation, step->pose_w);
  roll_knee(def, step, leg, rotation);
  foot->lacking = (double)(missing + glms_vec3_distance(goal, foot->goal));
  foot->extension = (double)glms_vec3_distance(hip, goal) / leg->reach;
}

void foot_place_legs(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step,
                     const ModelPose *model, FootPlan *plans) {
  bool moved = placement->drop > 0 || length_2d(placement->shift) > 0;
  step->pose_w->position[0].y -= (float)placement->drop;
  for (int i = 0; i < def->count; i++) {
    PlacedFoot *foot = &placement->feet[i];
    const Leg *leg = &def->legs[i].leg;
    bool alone = is_left_alone(plans, i) || foot->weight <= 0;
    versors rotation = model->rotation[leg->ankle];
    vec3s animated = model->position[leg->ankle];
    animated.x -= (float)placement->shift[0];
    animated.z -= (float)placement->shift[1];
    foot->hip = model->position[leg->hip];
    foot->hip.y -= (float)placement->drop;
    foot->lacking = 0;
    foot->offset = alone ? 0 : (double)(foot->goal.y - animated.y);
    if (alone && !moved)
      continue;
    if (alone)
      foot->goal = animated;
    place_leg(def, foot, step, i, model, alone ? rotation : foot->goal_rotation);
    bool refused = foot->touched && foot->lacking > (double)SHORT_MISS;
    if (refused && foot->refusal == FOOT_NOT_REFUSED)
      foot->refusal = FOOT_OUT_OF_REACH;
  }
}
