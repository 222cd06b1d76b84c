// The state of a foot from step to step: locked while it stands, swinging over obstacles, and back to the animation
// where nothing supports it.
#include <math.h>
#include <string.h>

#include "anim/layers/foot_placement/foot_placement_internal.h"
#include "sim/base/numbers.h"
#include "sim/base/plane2.h"

static const double SETTLE_TIME = 0.04; // s: time constant with which the remainder of a jump decays
static const double DOWN_BELOW = 0.01;  // m over the animation's ground: without plans, feet lower than this begin to
                                        // stand
static const double UP_ABOVE = 0.02;    // m: and feet higher than this stop standing
static const double FLAT = 0.005;       // m: height difference of heel and toe of a level foot

// ---- The ground under a foot ----

static void print_of(const PlacedFoot *foot, const FootPose *pose, double print[2]) {
  const double point[3] = {pose->print[0], 0, pose->print[1]};
  foot_shift_point(foot, pose, point, print);
}

// Finds the ground under a foot whose middle is at x, z at the beginning of the step. True when it supports the foot.
static bool stand_on(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                     const double middle[2], double yaw, double level, bool closely) {
  PlacedFoot *foot = &placement->feet[index];
  FootRange range = foot_range(def, &def->legs[index], level);
  if (foot->standing && foot->ground.found)
    range.lowest = range.bottom -= FOOT_STAYS;
  FootLook look = {.def = def,
                   .leg = &def->legs[index],
                   .mask = placement->mask,
                   .step = step,
                   .middle = {middle[0], middle[1]},
                   .yaw = yaw,
                   .range = range};
  FootGround before = foot->ground;
  foot->ground = foot_ground_find(def, look.leg, look.mask, step, middle, yaw, &range);
  if (foot->standing)
    foot_stay_below_edge(&look, &before, &foot->ground);
  if (closely)
    foot_look_closer(&look, &before, &foot->ground);
  if (foot->ground.found || foot->refusal != FOOT_CROSSES) // FOOT_CROSSES is determined during the swing, and kept
    foot->refusal = foot->ground.refusal;
  if (!foot->ground.found)
    return false;
  memcpy(foot->place, foot->ground.place, sizeof foot->place);
  foot_set_normal(foot, def, foot->ground.normal);
  return true;
}

// Finds the ground under the animated foot, turned and shifted.
static bool stand_on_print(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                           const FootPose *pose, double level, bool closely) {
  PlacedFoot *foot = &placement->feet[index];
  double print[2], begin[2];
  print_of(foot, pose, print);
  for (int k = 0; k < 2; k++) {
    foot->place[2 * k] = print[k];
    begin[k] = print[k] - (foot->ground.found ? foot->ground.velocity[2 * k] * step->dt : 0);
  }
  return stand_on(def, placement, step, index, begin, pose->yaw + foot->turn, level, closely);
}

// A change of the foot's mapping since an earlier moment is kept as a nudge, upward only, so that the foot's height
// does not jump.
static void keep_height(PlacedFoot *foot, const FootPose *pose, double level, const double before[3]) {
  double now[3];
  foot_carry_middle(foot, pose, level, now);
  foot->nudge[1] += before[1] - now[1];
}

static void settle(PlacedFoot *foot, double dt) {
  double share = -expm1(-dt / SETTLE_TIME);
  for (int k = 0; k < 3; k++) {
    double change = min_d(max_d(share * foot->nudge[k], -FOOT_FASTEST * dt), FOOT_FASTEST * dt);
    foot->nudge[k] -= change;
  }
}

// ---- Standing ----

// Shares of the load on heel and toe.
static void share_load(const FootPose *pose, double load[2]) {
  load[1] = smooth_step(0.5 + 0.5 * (pose->heel[1] - pose->toe[1]) / FLAT);
  load[0] = 1 - load[1];
}

static void note_held(PlacedFoot *foot, const FootPose *pose) {
  double ends[2][3];
  foot_support_ends(pose, foot->support_span, ends);
  for (int i = 0; i < 2; i++)
    foot_shift_point(foot, pose, ends[i], foot->held[i]);
  foot->held_yaw = pose->yaw + foot->turn;
}

// Turns and shifts the foot so that the supported part of its sole stays where it was.
static void hold(PlacedFoot *foot, const FootPose *pose, double plant_weight) {
  double load[2], ends[2][3], heel[2], toe[2];
  share_load(pose, load);
  foot_support_ends(pose, foot->support_span, ends);
  foot->turn = foot->lock_turn = wrap_angle(foot->held_yaw - pose->yaw);
  memcpy(foot->shift, foot->lock_shift, sizeof foot->shift);
  foot_shift_point(foot, pose, ends[0], heel);
  foot_shift_point(foot, pose, ends[1], toe);
  for (int k = 0; k < 2; k++)
    foot->lock_shift[k] += load[0] * (foot->held[0][k] - heel[k]) + load[1] * (foot->held[1][k] - toe[k]);
  memcpy(foot->shift, foot->lock_shift, sizeof foot->shift);
  note_held(foot, pose);
  for (int k = 0; k < 2; k++)
    foot->shift[k] = foot->base_shift[k] + plant_weight * (foot->lock_shift[k] - foot->base_shift[k]);
  foot->turn = foot->base_turn + plant_weight * wrap_angle(foot->lock_turn - foot->base_turn);
}

// Moves a standing foot with its ground. before: the ground's place at the beginning of the step.
static void ride(PlacedFoot *foot, const double before[3], double dt) {
  double turn = foot->ground.turn_rate * dt;
  for (int i = 0; i < 2; i++) {
    double arm[2] = {foot->held[i][0] - before[0], foot->held[i][1] - before[2]}, turned[2];
    turn_level(turn, arm, turned);
    for (int k = 0; k < 2; k++)
      foot->held[i][k] = foot->ground.place[2 * k] + turned[k];
  }
  foot->held_yaw += turn;
}

static bool has_left(const FootPlacementDef *def, const PlacedFoot *foot) {
  double away[2] = {foot->lock_shift[0] - foot->base_shift[0], foot->lock_shift[1] - foot->base_shift[1]};
  return length_2d(away) > def->plant_distance ||
         fabs(wrap_angle(foot->lock_turn - foot->base_turn)) > def->plant_angle * RAD_PER_DEGREE;
}

// The correction decays to none, no faster than a foot may move.
static void relax(const FootPlacementDef *def, PlacedFoot *foot, double dt) {
  double left = def->transition_time > 0 ? exp(-3 * dt / def->transition_time) : 0, size = length_2d(foot->shift);
  if ((1 - left) * size > FOOT_FASTEST * dt)
    left = 1 - FOOT_FASTEST * dt / size;
  foot->shift[0] *= left;
  foot->shift[1] *= left;
  foot->turn *= left;
}

static void touch_down(PlacedFoot *foot) {
  foot->standing = foot->touched = true;
  foot->let_go = foot->dragged = foot->refused = false;
  foot->turn = wrap_angle(foot->turn);
  for (int k = 0; k < 2; k++) {
    foot->shift[k] += foot->nudge[2 * k] + foot->lead[k];
    foot->lead[k] = 0;
    foot->lock_shift[k] = foot->base_shift[k] = foot->shift[k];
    foot->nudge[2 * k] = 0;
  }
  foot->lock_turn = foot->base_turn = foot->turn;
}

// Sets the dip for the ground on which the foot has come to stand, which may differ from the predicted one.
static void roll_over_ground(PlacedFoot *foot, const FootPose *pose) {
  memcpy(foot->support_span, foot->ground.support_span, sizeof foot->support_span);
  memcpy(foot->drop, foot->ground.drop, sizeof foot->drop);
  foot->dip = foot_dip(pose, foot->support_span, foot->drop);
  note_held(foot, pose);
}

// The plane on which a foot stands in this step.
typedef struct FootPlane {
  double place[3], normal[3];
} FootPlane;

static FootPlane foot_plane(const PlacedFoot *foot) {
  FootPlane plane;
  memcpy(plane.place, foot->place, sizeof plane.place);
  memcpy(plane.normal, foot->normal, sizeof plane.normal);
  return plane;
}

// Where the middle of the sole would be if the ground had only moved by its own velocity since the last step.
static void carry_on_plane(const PlacedFoot *foot, const FootPlane *plane, const FootPose *pose, double level,
                           double rise, double carried[3]) {
  PlacedFoot as_before = *foot;
  memcpy(as_before.normal, plane->normal, sizeof as_before.normal);
  memcpy(as_before.place, plane->place, sizeof as_before.place);
  as_before.place[1] += rise;
  foot_carry_middle(&as_before, pose, level, carried);
}

// Finds the ground under a standing foot and moves the foot with it. When the surface under the foot changes, as when
// the edge of a platform passes, the foot does not jump to the next one: the difference becomes a nudge. Ground that
// rises as a whole under the foot lifts it.
static bool stand_on_held(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                          const FootPose *pose, const FootPlane *last) {
  PlacedFoot *foot = &placement->feet[index];
  const double middle[2] = {last->place[0], last->place[2]};
  int rays = foot->ground.supported_rays;
  bool found = stand_on(def, placement, step, index, middle, foot->held_yaw, step->root_position[1], true);
  if (!found)
    return false;
  ride(foot, last->place, step->dt);
  double jump = foot->place[1] - last->place[1] - foot->ground.velocity[1] * step->dt;
  if (fabs(jump) > FOOT_EVEN) {
    foot->nudge[1] -= jump < 0 || foot->ground.supported_rays != rays ? jump : 0;
    roll_over_ground(foot, pose);
  }
  return true;
}

static void hold_or_relax(const FootPlacementDef *def, PlacedFoot *foot, const FootPose *pose, double plant,
                          double dt) {
  if (foot->let_go) {
    relax(def, foot, dt);
  } else {
    if (foot->dragged || !(plant > 0))
      note_held(foot, pose);
    else
      hold(foot, pose, plant);
    foot->let_go = plant > 0 && has_left(def, foot);
  }
  foot->dip = foot_dip(pose, foot->support_span, foot->drop);
}

// A foot whose ground has dropped away in this step, by `drop` (m), or in the swing that ends, does not stand until it
// has come down.
static void note_lost(PlacedFoot *foot, double drop, bool stood, bool slides) {
  if (stood)
    foot->lost = drop > FOOT_EDGE || ((foot->lost || slides) && foot->nudge[1] > FOOT_EVEN);
  else
    foot->lost &= foot->nudge[1] > FOOT_EDGE;
}

static bool stand(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                  const FootPose *pose, const FootPlan *plan) {
  PlacedFoot *foot = &placement->feet[index];
  double level = step->root_position[1], before[3];
  double plant = def->plant && !(plan && plan->slides) ? foot->plant_weight : 0;
  bool slides = foot->let_go || foot->dragged, locked = foot->standing && plant >= 1 && !slides, found = false;
  const FootPlane last = foot_plane(foot);
  double nudge = foot->nudge[1], rise = 0;
  bool stood = foot->standing;
  if (foot->standing) {
    found = stand_on_held(def, placement, step, index, pose, &last);
    hold_or_relax(def, foot, pose, plant, step->dt);
    rise = found ? foot->ground.velocity[1] * step->dt : 0;
  }
  if (!locked)
    foot->nudge[1] = nudge; // the place of a free foot is computed below from its previous place
  carry_on_plane(foot, &last, pose, level, rise, before);
  if (!foot->standing)
    touch_down(foot);
  if (!locked) {
    found = stand_on_print(def, placement, step, index, pose, level, true);
    // for a sliding foot a change of surface is an edge that passes, not a loss of the ground
    if (foot->touched || slides)
      roll_over_ground(foot, pose);
    keep_height(foot, pose, level, before);
  }
  note_lost(foot, foot->nudge[1] - nudge, stood, slides);
  settle(foot, step->dt);
  return found;
}

// ---- In the air ----

// A foot in the air without a plan keeps its height over the ground below it.
static bool hover(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                  const FootPose *pose) {
  PlacedFoot *foot = &placement->feet[index];
  double level = step->root_position[1], most = foot_most_way(foot, pose, step), before[3];
  relax(def, foot, step->dt);
  foot_carry_middle(foot, pose, level, before);
  foot->dip = 0;
  double under = (double)pose->ankle.y - def->legs[index].height;
  bool found = stand_on_print(def, placement, step, index, pose, under, false);
  keep_height(foot, pose, level, before);
  settle(foot, step->dt);
  if (foot->weight > 0) {
    const FootFrame frame = foot_frame(foot, pose);
    foot_limit_speed(foot, &frame, pose, level, foot->shown, most);
  }
  return found;
}

// ---- A step ----

static void fade(const FootPlacementDef *def, PlacedFoot *foot, bool found, double dt) {
  double goal = found && foot->active ? 1 : 0, most = def->transition_time > 0 ? dt / def->transition_time : 1;
  foot->weight += min_d(max_d(goal - foot->weight, -most), most);
  double change = foot->plant_goal - foot->plant_weight;
  double step = foot->plant_speed > 0 ? foot->plant_speed * dt : 1;
  foot->plant_weight += min_d(max_d(change, -step), step);
}

static bool stands(const PlacedFoot *foot, const FootPose *pose, const FootPlan *plan) {
  if (plan && plan->known)
    return plan->standing;
  return pose->clearance < (foot->standing ? UP_ABOVE : DOWN_BELOW);
}

void foot_move(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
               const FootPose *pose, const FootPlan *plan) {
  PlacedFoot *foot = &placement->feet[index];
  double level = step->root_position[1];
  bool found, standing = stands(foot, pose, plan);
  foot->touched = false;
  if (foot->standing && !standing)
    foot_lift_off(foot);
  if (standing)
    found = stand(def, placement, step, index, pose, plan);
  else if (plan && plan->known)
    found = foot_swing(def, placement, step, index, pose, plan);
  else
    found = hover(def, placement, step, index, pose);
  if (!found)
    for (int k = 0; k < 3; k++)
      foot->nudge[k] *= exp(-step->dt / SETTLE_TIME);
  fade(def, foot, found, step->dt);
  memcpy(foot->animated, pose->middle, sizeof foot->animated);
  foot_carry_middle(foot, pose, level, foot->shown);
}

// A character may start with a foot on a place that the search for landing places would not choose; the foot is then
// moved to the place that the search chooses.
static void find_footing(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                         const FootPose *pose) {
  PlacedFoot *foot = &placement->feet[index];
  const FootPlan here = {
      .known = true, .standing = true, .landing = {pose->print[0], pose->print[1]}, .landing_yaw = pose->yaw};
  foot_find_spot(def, placement, step, index, &here);
  for (int k = 0; k < 2 && foot->ground.found; k++)
    foot->shift[k] = foot->lock_shift[k] = foot->base_shift[k] = foot->spot[k];
}

void foot_start(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                const FootPose *pose, const FootPlan *plan) {
  PlacedFoot *foot = &placement->feet[index];
  double level = step->root_position[1];
  foot->place[1] = level;
  foot->standing = stands(foot, pose, plan);
  bool found = stand_on_print(def, placement, step, index, pose, level, true);
  if (found && foot->standing && plan && plan->known && !foot_stands_well(&foot->ground)) {
    find_footing(def, placement, step, index, pose);
    found = stand_on_print(def, placement, step, index, pose, level, true);
  }
  foot->weight = found && foot->active ? 1 : 0;
  memcpy(foot->support_span, foot->ground.support_span, sizeof foot->support_span);
  memcpy(foot->drop, foot->ground.drop, sizeof foot->drop);
  foot->dip = foot->standing ? foot_dip(pose, foot->support_span, foot->drop) : 0;
  note_held(foot, pose);
  memcpy(foot->from, foot->place, sizeof foot->from);
  memcpy(foot->from_normal, foot->normal, sizeof foot->from_normal);
  foot->progress = plan && plan->known ? plan->progress : 0;
  memcpy(foot->animated, pose->middle, sizeof foot->animated);
  foot_carry_middle(foot, pose, level, foot->shown);
}
