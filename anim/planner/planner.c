// A planner's step: sensed values become a demand, the present move advances, and at the points where it may be left
// the next move is chosen.
#include "anim/planner/planner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/numbers.h"

// ---- The table's rows and columns ----

static int nearest_level(const PlannerLevels *levels, double value) {
  int nearest = 0;
  for (int i = 1; i < levels->count; i++)
    if (fabs(levels->values[i] - value) < fabs(levels->values[nearest] - value))
      nearest = i;
  return nearest;
}

static int level_between(const PlannerLevels *borders, double value) {
  int level = 0;
  while (level < borders->count && value >= borders->values[level])
    level++;
  return level;
}

// Index of the sector of a bearing; the sectors are equal, and the first one is centred straight ahead.
static int sector(double bearing, int count) {
  int index = (int)floor(wrap_angle(bearing) / (2 * M_PI) * count + 0.5);
  return ((index % count) + count) % count;
}

int planner_states(const PlannerDef *def, bool direct) {
  if (!direct)
    return def->turns.count * def->speeds.count * def->moves.phase_count;
  int goals = def->goal_sectors * (def->goal_borders.count + 1);
  // Obstacles beyond the last border count as none, for which there is one state.
  int obstacles = def->obstacle_sectors * def->obstacle_borders.count + 1;
  return goals * obstacles * def->moves.phase_count;
}

int planner_actions(const PlannerDef *def) { return def->moves.count * def->blends.count; }

static int direct_state(const PlannerDef *def, const Sense *sense) {
  if (!sense) // no sense means at the goal with no obstacles
    return 0;
  double gap;
  int goal = sector(sense->goal_bearing, def->goal_sectors) * (def->goal_borders.count + 1) +
             level_between(&def->goal_borders, sense->goal_distance);
  int nearest = sense_nearest(sense, &def->sense, &gap), near = level_between(&def->obstacle_borders, gap);
  int obstacle = 0;
  if (nearest >= 0 && near < def->obstacle_borders.count) {
    const SenseObstacle *o = &sense->obstacles[nearest];
    obstacle = 1 + sector(atan2(o->left, o->forward), def->obstacle_sectors) * def->obstacle_borders.count + near;
  }
  return goal * (def->obstacle_sectors * def->obstacle_borders.count + 1) + obstacle;
}

int planner_state(const Planner *planner, const Sense *sense, int move) {
  const PlannerDef *def = planner->def;
  int around = planner->direct ? direct_state(def, sense)
                               : nearest_level(&def->turns, planner->demand_turn / RAD_PER_DEGREE) * def->speeds.count +
                                     nearest_level(&def->speeds, planner->demand_speed);
  return around * def->moves.phase_count + def->moves.moves[move].phase;
}

const char *planner_action_name(const PlannerDef *def, int action, char *text, size_t size) {
  const Move *move = &def->moves.moves[action / def->blends.count];
  snprintf(text, size, "%s/%g", move->name, def->blends.values[action % def->blends.count]);
  return text;
}

const char *planner_state_name(const PlannerDef *def, bool direct, int state, char *text, size_t size) {
  const char *phase = def->moves.phases[state % def->moves.phase_count];
  int around = state / def->moves.phase_count;
  if (!direct) {
    snprintf(text, size, "turn %g, speed %g, %s", def->turns.values[around / def->speeds.count],
             def->speeds.values[around % def->speeds.count], phase);
    return text;
  }
  int obstacles = def->obstacle_sectors * def->obstacle_borders.count + 1;
  int goal = around / obstacles, obstacle = around % obstacles - 1, borders = def->goal_borders.count + 1;
  int goal_sector = goal / borders, obstacle_sector = obstacle / def->obstacle_borders.count;
  int written = snprintf(text, size, "goal at %g deg in %d, ", goal_sector * 360.0 / def->goal_sectors, goal % borders);
  size_t used = (size_t)written < size ? (size_t)written : size;
  if (obstacle < 0)
    snprintf(text + used, size - used, "no obstacle, %s", phase);
  else
    snprintf(text + used, size - used, "obstacle at %g deg in %d, %s", obstacle_sector * 360.0 / def->obstacle_sectors,
             obstacle % def->obstacle_borders.count, phase);
  return text;
}

// ---- Demand and decision ----

Planner planner_make(const PlannerDef *def, const QTable *table, bool direct) {
  Planner planner = {.def = def, .table = table, .direct = direct, .state = -1, .action = -1};
  planner.time = def->moves.moves[0].from;
  planner.first_pace = def->moves.moves[0].pace;
  planner.due = def->moves.moves[0].cancel - def->moves.moves[0].from;
  return planner;
}

void planner_demand(Planner *planner, const Sense *sense) {
  const PlannerDef *def = planner->def;
  double inputs[FUZZY_MAX_VARIABLES], outputs[FUZZY_MAX_VARIABLES];
  sense_inputs(sense, &def->sense, planner->inputs);
  for (int i = 0; i < def->fuzzy.input_count; i++)
    inputs[i] = planner->inputs[def->sources[i]];
  fuzzy_evaluate(&def->fuzzy, inputs, outputs, planner->strengths);
  planner->demand_turn = outputs[def->turn_output] * RAD_PER_DEGREE;
  planner->demand_speed = outputs[def->speed_output];
}

int planner_allowed(const PlannerDef *def, int move, bool *allowed) {
  int count = 0;
  for (int action = 0; action < planner_actions(def); action++) {
    allowed[action] = moves_change(&def->moves, move, action / def->blends.count)->open;
    count += allowed[action];
  }
  return count;
}

// Distance of a move from the demand; 36 deg/s count as much as 1 m/s.
static double miss(const Planner *planner, const Move *move) {
  return fabs(move->turn - planner->demand_turn) / (M_PI / 5) + fabs(move->exit - planner->demand_speed);
}

int planner_best(const Planner *planner, int state, const bool *allowed, bool *known) {
  const PlannerDef *def = planner->def;
  int best = -1, closest = -1;
  for (int action = 0; action < planner_actions(def); action++) {
    if (!allowed[action])
      continue;
    const MoveSet *moves = &def->moves;
    if (closest < 0 || miss(planner, &moves->moves[action / def->blends.count]) <
                           miss(planner, &moves->moves[closest / def->blends.count]))
      closest = action;
    if (planner->table && *q_visits(planner->table, state, action) > 0 &&
        (best < 0 || *q_value(planner->table, state, action) > *q_value(planner->table, state, best)))
      best = action;
  }
  *known = best >= 0;
  return best >= 0 ? best : closest;
}

// ---- Moving ----

static double fading(const Planner *planner) {
  return planner->blend > 0 ? 1 - smooth_step(planner->since / planner->blend) : 0;
}

// The pose without the turning of the legs.
static void straight_pose(const Planner *planner, Pose *pose) {
  move_pose(&planner->def->moves.moves[planner->move], planner->time, pose);
  float weight = (float)fading(planner);
  if (weight > 0 && planner->offset.count == pose->count)
    pose_add(pose, &planner->offset, weight, pose);
}

void planner_pose(const Planner *planner, Pose *pose) {
  straight_pose(planner, pose);
  bent_legs_pose(&planner->legs, planner->def->moves.skeleton, pose);
}

// Time in s since the present move may be left; negative while it may not.
static double lateness(const Planner *planner) {
  const Move *move = &planner->def->moves.moves[planner->move];
  return move->holds ? planner->since - planner->due : (planner->time - move->cancel) / move->pace;
}

bool planner_is_due(const Planner *planner) { return lateness(planner) >= 0; }

// Starts another move from the present pose; the difference of the poses decays (after Bollo 2018, but by a smooth
// step). late: s of the next move that have passed already, so that the end of a move between two steps costs no time.
static void begin_move(Planner *planner, int action, double late, PlannerStep *step) {
  const PlannerDef *def = planner->def;
  int next = action / def->blends.count;
  const Move *move = &def->moves.moves[next];
  const MoveChange *change = moves_change(&def->moves, planner->move, next);
  if (next == planner->move && move->holds) {
    planner->due += move->cancel - move->from;
    return;
  }
  Pose now, then;
  straight_pose(planner, &now);
  step->shift_left = (double)change->left;
  step->shift_forward = (double)change->forward;
  now.position[0] = glms_vec3_sub(now.position[0], (vec3s){{change->left, 0, change->forward}});
  planner->move = next;
  planner->blend = def->blends.values[action % def->blends.count];
  planner->first_pace = (double)change->pace;
  planner->time = (double)change->entry + late * (double)change->pace;
  planner->since = 0;
  planner->due = move->cancel - move->from;
  move_pose(move, planner->time, &then);
  pose_difference(&now, &then, &planner->offset);
}

static void decide(Planner *planner, const Sense *sense, PlannerStep *step) {
  double late = lateness(planner);
  if (late < 0)
    return;
  bool allowed[PLANNER_MAX_ACTIONS], known = true;
  planner_allowed(planner->def, planner->move, allowed);
  planner->state = planner_state(planner, sense, planner->move);
  planner->action = planner->choose ? planner->choose(planner->context, planner, planner->state, allowed)
                                    : planner_best(planner, planner->state, allowed, &known);
  planner->decisions++;
  planner->unknown += !known;
  begin_move(planner, planner->action, late, step);
  step->decided = true;
}

PlannerStep planner_step(Planner *planner, const Sense *sense, double dt) {
  if (sense)
    planner_demand(planner, sense);
  PlannerStep step = {0};
  decide(planner, sense, &step);
  const Move *move = &planner->def->moves.moves[planner->move];
  const double ramp = 0.25; // s over which the pace changes from that at entry to the move's own
  double share = smooth_step(planner->since / ramp);
  double pace = planner->first_pace + (move->pace - planner->first_pace) * share;
  step.forward = move->forward * pace / move->pace;
  step.left = move->left * pace / move->pace;
  step.turn = move->turn;
  bent_legs_step(&planner->legs, move, planner->time, dt);
  planner->time += dt * pace;
  planner->since += dt;
  return step;
}

// ---- Saving and restoring ----

void planner_run_state(Planner *planner, StateStream *stream) {
  const PlannerDef *def = planner->def;
  const Skeleton *skeleton = def->moves.skeleton;
  state_section(stream, "planner", 1);
  state_int(stream, &planner->move, 0, def->moves.count - 1);
  STATE(stream, planner->time, planner->since, planner->blend, planner->first_pace, planner->due, planner->inputs,
        planner->demand_turn, planner->demand_speed, planner->strengths, planner->decisions, planner->unknown);
  state_int(stream, &planner->state, -1, planner_states(def, planner->direct) - 1);
  state_int(stream, &planner->action, -1, planner_actions(def) - 1);
  pose_state(&planner->offset, skeleton->count, stream);
  bent_legs_state(&planner->legs, skeleton->leg_count, stream);
}
