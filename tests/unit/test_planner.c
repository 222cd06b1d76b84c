// Planners: what they sense, which moves follow which and when, and that feet and pose are continuous between moves.
#include "planner_fixture.h"
#include "sim/base/plane2.h"

static const double DT = 1.0 / 240;

// ---- Sensing ----

static void senses_in_its_own_frame(void **state) {
  (void)state;
  SensePlace place = {1, 2, M_PI / 2, 0}; // faces +x
  Sense sense = sense_make(&place, (double[]){1, 5}, 0.5);
  assert_true(fabs(sense.goal_bearing + M_PI / 2) < 1e-12); // +z is to its right
  assert_true(fabs(sense.goal_distance - 3) < 1e-12);
  sense_add(&sense, &place, (double[]){4, 2}, (double[]){-1, 0.5}, 0.4);
  const SenseObstacle *o = &sense.obstacles[0];
  assert_true(fabs(o->forward - 3) < 1e-12 && fabs(o->left) < 1e-12);
  assert_true(fabs(o->velocity_forward + 1) < 1e-12 && fabs(o->velocity_left + 0.5) < 1e-12);
}

static void keeps_the_nearest_obstacles(void **state) {
  (void)state;
  SensePlace place = {0};
  Sense sense = sense_make(&place, (double[]){0, 9}, 0);
  for (int i = 0; i < 2 * SENSE_MAX_OBSTACLES; i++) // far ones first
    sense_add(&sense, &place, (double[]){0, 200.0 - i}, (double[]){0, 0}, 0.1);
  assert_int_equal(sense.count, SENSE_MAX_OBSTACLES);
  for (int i = 0; i < sense.count; i++)
    assert_true(sense.obstacles[i].forward <= 200 - SENSE_MAX_OBSTACLES);
}

static void a_blocked_path_is_avoided(void **state) {
  PlannerFixture *f = *state;
  SensePlace place = {0};
  double inputs[SENSE_INPUT_COUNT], at_rest[2] = {0, 0};
  Sense sense = sense_make(&place, (double[]){0, 9}, 1);
  sense_inputs(&sense, &f->def->sense, inputs);
  assert_true(inputs[SENSE_WAY] == 0 && inputs[SENSE_AHEAD] == f->def->sense.horizon);
  assert_true(inputs[SENSE_OBSTACLE_DISTANCE] == SENSE_FAR && inputs[SENSE_CONTACT_TIME] == SENSE_FAR);

  sense_add(&sense, &place, (double[]){0.2, 2.5}, at_rest, 0.5); // a little to the left
  sense_inputs(&sense, &f->def->sense, inputs);
  assert_true(inputs[SENSE_WAY] < -5 && inputs[SENSE_WAY] > -60); // passed on the right
  double gap = sqrt(0.2 * 0.2 + 2.5 * 2.5) - 0.5 - f->def->sense.radius;
  assert_true(fabs(inputs[SENSE_OBSTACLE_DISTANCE] - gap) < 1e-12);
  double contact = 2.5 - sqrt(0.8 * 0.8 - 0.2 * 0.2);
  assert_true(fabs(inputs[SENSE_CONTACT_TIME] - contact) < 1e-12); // at 1 m/s
}

// A crossing obstacle is let pass: a path that will be free counts as free.
static void what_moves_is_met_where_it_will_be(void **state) {
  PlannerFixture *f = *state;
  SensePlace place = {0};
  double inputs[SENSE_INPUT_COUNT];
  Sense sense = sense_make(&place, (double[]){0, 9}, 1);
  sense_add(&sense, &place, (double[]){0, 2.5}, (double[]){1, 0}, 0.3); // gone by then
  sense_inputs(&sense, &f->def->sense, inputs);
  assert_true(inputs[SENSE_WAY] == 0);
  sense = sense_make(&place, (double[]){0, 9}, 1);
  sense_add(&sense, &place, (double[]){-2.5, 2.5}, (double[]){1, 0}, 0.3); // there by then, to the left of him later
  sense_inputs(&sense, &f->def->sense, inputs);
  assert_true(inputs[SENSE_WAY] != 0);
}

// The earliest of those that will be too near, its direction, and the time of its closest approach.
static void an_approach_is_reported(void **state) {
  PlannerFixture *f = *state;
  SensePlace place = {0};
  double inputs[SENSE_INPUT_COUNT];
  Sense sense = sense_make(&place, (double[]){0, 9}, 1);
  sense_add(&sense, &place, (double[]){0, 1}, (double[]){0, 0}, 0.3);   // at rest
  sense_add(&sense, &place, (double[]){3, 1}, (double[]){0, 1}, 0.3);   // moves along
  sense_add(&sense, &place, (double[]){2, 2.5}, (double[]){1, 0}, 0.3); // moves away
  sense_inputs(&sense, &f->def->sense, inputs);
  assert_true(inputs[SENSE_APPROACH_TIME] == SENSE_FAR && inputs[SENSE_APPROACH_BEARING] == 0);
  sense_add(&sense, &place, (double[]){0, 8}, (double[]){0, -1}, 0.3); // head on, in 4 s
  sense_add(&sense, &place, (double[]){-3, 3}, (double[]){1, 0}, 0.3); // crosses from the right, in 3 s
  sense_inputs(&sense, &f->def->sense, inputs);
  assert_true(fabs(inputs[SENSE_APPROACH_TIME] - 3) < 1e-12);
  assert_true(fabs(inputs[SENSE_APPROACH_BEARING] + 45) < 1e-9);
}

// A walker ahead moves across and away but turns toward: its path after the lead meets head on. A turn to the other
// side gives the mirror image; no turn or no lead changes nothing.
static void a_turning_walker_is_led(void **state) {
  PlannerFixture *f = *state;
  SenseDef def = f->def->sense;
  def.lead = 0.3;
  SensePlace place = {0};
  const double across[2] = {1, 0}, quarter = M_PI / 2 / def.lead; // m/s; rad/s
  double led[2], inputs[SENSE_INPUT_COUNT];
  sense_lead(&def, across, 0, led);
  assert_true(led[0] == 1 && led[1] == 0);
  for (int side = -1; side <= 1; side += 2) {
    sense_lead(&def, across, side * quarter, led);
    assert_true(fabs(led[0]) < 1e-12 && fabs(led[1] + side) < 1e-12); // +x turns left to -z
    Sense sense = sense_make(&place, (double[]){0, 9}, 1);
    sense_add(&sense, &place, (double[]){0, 6}, led, 0.3);
    sense_inputs(&sense, &def, inputs);
    assert_true((inputs[SENSE_APPROACH_TIME] < SENSE_FAR) == (side > 0));
  }
  def.lead = 0;
  sense_lead(&def, across, quarter, led);
  assert_true(led[0] == 1 && led[1] == 0);
}

// Two paths pass an obstacle of the same size at the same distance: the path keeps farther off if the obstacle moves.
static void more_is_kept_from_what_moves(void **state) {
  PlannerFixture *f = *state;
  SenseDef wary = f->def->sense, plain = wary;
  plain.moving_margin = 0;
  SensePlace place = {0};
  const double beside[2] = {-wary.radius - 0.3 - wary.margin - wary.moving_margin / 3, 2}; // m
  for (int moves = 0; moves < 2; moves++) {
    double speed = moves ? 0.5 : 0, a[SENSE_INPUT_COUNT], b[SENSE_INPUT_COUNT];
    Sense sense = sense_make(&place, (double[]){0, 9}, 1);
    sense_add(&sense, &place, beside, (double[]){0, -speed}, 0.3);
    sense_inputs(&sense, &wary, a);
    sense_inputs(&sense, &plain, b);
    assert_true(b[SENSE_WAY] == 0);
    assert_true(moves ? a[SENSE_WAY] > 0 : a[SENSE_WAY] == 0);
  }
}

static bool shelf(const void *context, double x, double z, double from, double *height, double normal[3]) {
  (void)from;
  (void)context;
  (void)normal;
  *height = x > 1.6 ? 1 : 0; // a step of a metre to the left
  return z < 1.8;            // nothing farther ahead
}

static void bad_ground_is_an_obstacle(void **state) {
  PlannerFixture *f = *state;
  SensePlace place = {0};
  Ground ground = {.height = shelf};
  Sense sense = sense_make(&place, (double[]){0, 9}, 1);
  sense_ground(&sense, &place, &f->def->sense, &ground);
  double ahead = SENSE_FAR, left = SENSE_FAR;
  for (int i = 0; i < sense.count; i++) {
    const SenseObstacle *o = &sense.obstacles[i];
    assert_true(o->left > -1.9); // the ground on the right is good
    if (fabs(o->left) < 0.01)
      ahead = o->forward - o->radius;
    if (fabs(o->forward) < 0.01)
      left = o->left - o->radius;
  }
  assert_true(fabs(ahead - 2) < 0.26 && fabs(left - 1.75) < 0.26); // found in steps of 0.25 m
}

static bool edge(const void *context, double x, double z, double from, double *height, double normal[3]) {
  (void)from;
  (void)normal;
  (void)x;
  *height = 0;
  return z < *(const double *)context;
}

// Wherever the ground ends ahead, it does so for the planner too, no later than a quarter of a metre behind the edge.
static void the_ground_ends_where_it_does(void **state) {
  PlannerFixture *f = *state;
  SensePlace place = {0};
  for (double end = 0.6; end < f->def->sense.reach - 0.3; end += 0.07) {
    Ground ground = {.height = edge, .context = &end};
    Sense sense = sense_make(&place, (double[]){0, 9}, 1);
    sense_ground(&sense, &place, &f->def->sense, &ground);
    double ahead = SENSE_FAR;
    for (int i = 0; i < sense.count; i++)
      if (fabs(sense.obstacles[i].left) < 1e-6 && sense.obstacles[i].forward > 0)
        ahead = fmin(ahead, sense.obstacles[i].forward - sense.obstacles[i].radius);
    assert_true(ahead >= end - 1e-9 && ahead <= end + 0.25 + 1e-9);
  }
}

// ---- Rules ----

// Two who meet both turn right; of two who cross, the one with the other on his right turns, and the one with the other
// on his left continues as if alone.
static void the_right_is_given_way(void **state) {
  PlannerFixture *f = *state;
  SensePlace place = {0};
  Planner planner = planner_make(f->def, NULL, false);
  const double starts[3][2] = {{0, 5}, {-2.5, 2.5}, {2.5, 2.5}}, goes[3][2] = {{0, -1}, {1, 0}, {-1, 0}};
  double turn[3], strength[3] = {-1, -1, -1};
  for (int i = 0; i < 3; i++) {
    Sense sense = sense_make(&place, (double[]){0, 9}, 1);
    sense_add(&sense, &place, starts[i], goes[i], 0.3);
    planner_demand(&planner, &sense);
    turn[i] = planner.demand_turn;
    for (int r = 0; r < f->def->fuzzy.rule_count; r++)
      if (strcmp(f->def->fuzzy.rules[r].name, "yield") == 0)
        strength[i] = planner.strengths[r];
  }
  assert_true(turn[0] < -0.1 && turn[1] < -0.1);
  assert_true(strength[0] > 0.3 && strength[1] > 0.5 && strength[2] == 0); // of the weight, 0.6
}

static Sense random_sense(Rng *rng) {
  SensePlace place = {0, 0, rng_range(rng, -M_PI, M_PI), 0};
  double goal[2] = {rng_range(rng, -6, 6), rng_range(rng, -6, 6)};
  double share = rng_unit(rng) < 0.2 ? 0.1 : 1; // from time to time he is there
  goal[0] *= share;
  goal[1] *= share;
  Sense sense = sense_make(&place, goal, rng_range(rng, 0, 3));
  for (int i = rng_index(rng, 8); i > 0; i--) {
    double angle = rng_range(rng, -M_PI, M_PI), distance = rng_range(rng, 0.7, 5);
    double position[2] = {distance * sin(angle), distance * cos(angle)};
    double velocity[2] = {rng_range(rng, -1, 1), rng_range(rng, -1, 1)};
    sense_add(&sense, &place, position, velocity, rng_range(rng, 0.1, 0.4));
  }
  return sense;
}

static void every_rule_fires(void **state) {
  PlannerFixture *f = *state;
  Planner planner = planner_make(f->def, NULL, false);
  Rng rng = rng_make(1, "rules");
  double most[FUZZY_MAX_RULES] = {0};
  for (int i = 0; i < 4000; i++) {
    Sense sense = random_sense(&rng);
    planner_demand(&planner, &sense);
    assert_true(isfinite(planner.demand_turn) && isfinite(planner.demand_speed));
    for (int r = 0; r < f->def->fuzzy.rule_count; r++)
      most[r] = fmax(most[r], planner.strengths[r]);
  }
  for (int r = 0; r < f->def->fuzzy.rule_count; r++)
    if (most[r] < 0.5)
      fail_msg("rule %s fires with %.2f at most", f->def->fuzzy.rules[r].name, most[r]);
}

static void a_mirrored_world_is_met_mirrored(void **state) {
  PlannerFixture *f = *state;
  PlannerDef def = *f->def;
  def.sense.keep_right = 0; // which distinguishes right from left
  for (int i = 0; i < def.fuzzy.rule_count; i++)
    if (strcmp(def.fuzzy.rules[i].name, "yield") == 0)
      def.fuzzy.rules[i].weight = 0;
  Planner planner = planner_make(&def, NULL, false), image = planner;
  Rng rng = rng_make(2, "mirror");
  for (int i = 0; i < 500; i++) {
    Sense sense = random_sense(&rng), mirrored = sense;
    mirrored.goal_bearing = -sense.goal_bearing;
    for (int k = 0; k < sense.count; k++) {
      mirrored.obstacles[k].left *= -1;
      mirrored.obstacles[k].velocity_left *= -1;
    }
    planner_demand(&planner, &sense);
    planner_demand(&image, &mirrored);
    if (fabs(fabs(planner.inputs[SENSE_WAY]) - 180) < 1 || planner.inputs[SENSE_WAY] == image.inputs[SENSE_WAY])
      continue; // straight back, or both sides are equally good
    assert_true(fabs(planner.demand_turn + image.demand_turn) < 1e-9);
    assert_true(fabs(planner.demand_speed - image.demand_speed) < 1e-9);
  }
}

// For any obstacles the state is turn, speed and phase.
static void the_state_knows_no_obstacles(void **state) {
  PlannerFixture *f = *state;
  const PlannerDef *def = f->def;
  Planner planner = planner_make(def, NULL, false);
  assert_true(planner.state == -1 && planner.action == -1); // nothing is decided yet
  assert_int_equal(planner_states(def, false), def->turns.count * def->speeds.count * def->moves.phase_count);
  Rng rng = rng_make(3, "states");
  for (int i = 0; i < 200; i++) {
    Sense a = random_sense(&rng), b = random_sense(&rng);
    planner.demand_turn = rng_range(&rng, -2, 2);
    planner.demand_speed = rng_range(&rng, 0, 3);
    int move = rng_index(&rng, def->moves.count);
    assert_int_equal(planner_state(&planner, &a, move), planner_state(&planner, &b, move));
  }
}

// ---- Moves ----

static int find_move(const MoveSet *moves, const char *name) {
  for (int i = 0; i < moves->count; i++)
    if (strcmp(moves->moves[i].name, name) == 0)
      return i;
  fail_msg("no move %s", name);
  return -1;
}

static void moves_are_read_from_clips(void **state) {
  PlannerFixture *f = *state;
  const MoveSet *moves = &f->def->moves;
  const Move *walk = &moves->moves[find_move(moves, "walk_1+40")];
  const Move *image = &moves->moves[find_move(moves, "walk_1+40.mirrored")];
  assert_true(fabs(walk->forward - 1.3) < 1e-6 && fabs(walk->turn - 40 * RAD_PER_DEGREE) < 1e-9);
  assert_true(image->mirrored && image->forward == walk->forward && image->turn == -walk->turn);
  assert_string_equal(moves->phases[walk->phase], "left_mid");
  assert_string_equal(moves->phases[image->phase], "right_mid");
  const Move *turn = &moves->moves[find_move(moves, "turn_90")];
  assert_true(fabs(turn->turn * 1.6 - M_PI / 2) < 1e-5);
}

static bool is_open(const MoveSet *moves, const char *from, const char *to) {
  return moves_change(moves, find_move(moves, from), find_move(moves, to))->open;
}

// Feet and speed decide; there is no table of transitions.
static void feet_decide_what_can_follow(void **state) {
  PlannerFixture *f = *state;
  const MoveSet *moves = &f->def->moves;
  assert_true(is_open(moves, "stand", "walk_start+0"));
  assert_true(is_open(moves, "walk_start+0", "walk_1+0")); // left strike behind it
  assert_false(is_open(moves, "walk_start+0", "walk_1+0.mirrored"));
  assert_true(is_open(moves, "walk_1+0", "walk_on_1.4-75"));
  assert_false(is_open(moves, "walk_1+0", "walk_1+0"));
  assert_true(is_open(moves, "walk_on_1+0", "walk_1+0.mirrored"));
  assert_true(is_open(moves, "walk_on_1.4+0", "run_0.6+0.mirrored"));
  assert_true(is_open(moves, "run_0.6+0", "walk_1.4+0.mirrored"));
  assert_false(is_open(moves, "walk_on_0.6+0", "run_0.6+0.mirrored")); // too slow for a run
  assert_false(is_open(moves, "run_1+0", "stand"));
  assert_false(is_open(moves, "run_1+0", "walk_1+0.mirrored"));
}

// Follows a demand that changes at random; the caller examines each step.
typedef struct Drill {
  Planner planner;
  Rng rng;
  double position[2], heading;
} Drill;

static PlannerStep drill_step(Drill *drill, double most_turn) {
  if (rng_unit(&drill->rng) < DT / 1.0) {
    drill->planner.demand_turn = rng_range(&drill->rng, -most_turn, most_turn);
    drill->planner.demand_speed = rng_range(&drill->rng, 0, 3);
  }
  PlannerStep step = planner_step(&drill->planner, NULL, DT);
  double shift[2] = {step.shift_left, step.shift_forward}, speed[2] = {step.left, step.forward}, way[2], now[2];
  turn_level(drill->heading, shift, now);
  turn_level(drill->heading, speed, way);
  for (int k = 0; k < 2; k++)
    drill->position[k] += now[k] + way[k] * DT;
  drill->heading += step.turn * DT;
  return step;
}

static void moves_are_left_in_their_windows(void **state) {
  PlannerFixture *f = *state;
  Drill drill = {planner_make(f->def, NULL, false), rng_make(4, "drill"), {0}, 0};
  int changes = 0;
  for (int i = 0; i < 60 * 240; i++) {
    Planner before = drill.planner;
    const Move *move = &f->def->moves.moves[before.move];
    PlannerStep step = drill_step(&drill, 1.5);
    bool due = move->holds ? before.since >= before.due : before.time >= move->cancel;
    assert_int_equal(step.decided, due);
    assert_true(move->holds || before.time < move->to + 0.02 || move->cancel == move->to);
    if (!step.decided || drill.planner.move == before.move)
      continue;
    const MoveChange *change = moves_change(&f->def->moves, before.move, drill.planner.move);
    assert_true(change->open && (double)change->slip <= f->def->moves.limits.slip);
    changes++;
  }
  assert_in_range(changes, 60, 400);
}

static void sole_w(const Drill *drill, const Pose *pose, int leg, double out[2]) {
  const Skeleton *skeleton = drill->planner.def->moves.skeleton;
  vec3s position;
  versors rotation;
  pose_joint_transform(skeleton, pose, skeleton->legs[leg].ankle, &position, &rotation);
  vec3s sole = glms_vec3_add(position, glms_quat_rotatev(rotation, skeleton->legs[leg].sole_l));
  turn_level(drill->heading, (double[]){(double)sole.x, (double)sole.z}, out);
  out[0] += drill->position[0];
  out[1] += drill->position[1];
}

// In the near future: a foot that is about to leave the ground rolls over its toes.
static bool foot_stands(const Planner *planner, int leg) {
  const double a_while = 0.13; // s
  const Move *move = &planner->def->moves.moves[planner->move];
  const Clip *clip = move->clip;
  int of_clip = move->mirrored ? 1 - leg : leg;
  double later = planner->time + a_while, end = (double)clip->duration;
  return clip_contact(clip, of_clip, (float)fmod(planner->time, end)) &&
         clip_contact(clip, of_clip, (float)(clip->loop ? fmod(later, end) : later));
}

// Straight on, through all changes of speed and gait: from a change until its blend is over, a foot that stands all the
// time moves by 2 cm at most.
static void feet_stay_through_changes(void **state) {
  PlannerFixture *f = *state;
  Drill drill = {planner_make(f->def, NULL, false), rng_make(5, "straight"), {0}, 0};
  double first[2][2], worst = 0;
  bool standing[2] = {false, false};
  int runs = 0;
  for (int i = 0; i < 120 * 240; i++) {
    drill.planner.demand_turn = 0;
    PlannerStep step = drill_step(&drill, 0);
    Pose pose;
    planner_pose(&drill.planner, &pose);
    runs += step.decided && strncmp(f->def->moves.moves[drill.planner.move].name, "run_0.6", 7) == 0;
    for (int leg = 0; leg < 2; leg++) {
      double now[2];
      sole_w(&drill, &pose, leg, now);
      if (step.decided) {
        memcpy(first[leg], now, sizeof now);
        standing[leg] = foot_stands(&drill.planner, leg);
      }
      standing[leg] = standing[leg] && foot_stands(&drill.planner, leg) && drill.planner.since < drill.planner.blend;
      if (standing[leg])
        worst = fmax(worst, hypot(now[0] - first[leg][0], now[1] - first[leg][1]));
    }
  }
  assert_true(runs > 3); // gaits did change
  if (worst > 0.02)
    fail_msg("a standing foot moves %.4f m", worst);
}

static void the_pose_does_not_jump(void **state) {
  PlannerFixture *f = *state;
  Drill drill = {planner_make(f->def, NULL, false), rng_make(6, "jump"), {0}, 0};
  for (int i = 0; i < 60 * 240; i++) {
    Drill before = drill;
    Pose old, new;
    PlannerStep step = drill_step(&drill, 1.5);
    if (!step.decided)
      continue;
    planner_pose(&before.planner, &old);
    planner_pose(&drill.planner, &new);
    double a[2], b[2];
    for (int leg = 0; leg < 2; leg++) {
      sole_w(&before, &old, leg, a);
      sole_w(&drill, &new, leg, b);
      assert_true(hypot(a[0] - b[0], a[1] - b[1]) < 0.06); // a foot swings at up to 12 m/s
    }
    for (int j = 1; j < old.count; j++)
      assert_true(quat_angle_between(old.rotation[j], new.rotation[j]) < 0.12f); // of a step: 29 rad/s
  }
}

// Heading of a foot in the world.
static double foot_heading(const Drill *drill, const Pose *pose, int leg) {
  const Skeleton *skeleton = drill->planner.def->moves.skeleton;
  vec3s position;
  versors rotation;
  pose_joint_transform(skeleton, pose, skeleton->legs[leg].ankle, &position, &rotation);
  vec3s toe = glms_quat_rotatev(rotation, glms_vec3_sub(skeleton->legs[leg].toe_l, skeleton->legs[leg].heel_l));
  return drill->heading + atan2((double)toe.x, (double)toe.z);
}

// Turning all the time at 75 deg/s: a standing foot turns with the clip, by a few degrees, not with the path.
static void feet_stand_still_on_a_curved_path(void **state) {
  PlannerFixture *f = *state;
  Drill drill = {planner_make(f->def, NULL, false), rng_make(8, "bend"), {0}, 0};
  double last[2] = {0, 0}, feet = 0, way = 0;
  bool stood[2] = {false, false};
  for (int i = 0; i < 20 * 240; i++) {
    drill.planner.demand_turn = 75 * RAD_PER_DEGREE;
    drill.planner.demand_speed = 1.3;
    drill_step(&drill, 0);
    Pose pose;
    planner_pose(&drill.planner, &pose);
    const Move *move = &f->def->moves.moves[drill.planner.move];
    bool settled = move->bend > 1 && drill.planner.since > drill.planner.blend;
    for (int leg = 0; leg < 2; leg++) {
      double heading = foot_heading(&drill, &pose, leg);
      bool stands = settled && foot_stands(&drill.planner, leg);
      if (stands && stood[leg]) {
        feet += wrap_angle(heading - last[leg]);
        way += move->turn * DT;
      }
      last[leg] = heading;
      stood[leg] = stands;
    }
  }
  assert_true(way > 3);
  if (fabs(feet) > 0.1 * way)
    fail_msg("standing feet turn by %.2f of the way's turn", feet / way);
}

// ---- Policies ----

static void a_policy_comes_back_to_the_last_bit(void **state) {
  PlannerFixture *f = *state;
  Policy policy, again;
  Error error = {0};
  assert_true(policy_init(&policy, f->def, false));
  Rng rng = rng_make(7, "policy");
  for (int i = 0; i < 3000; i++) {
    int s = rng_index(&rng, policy.table.states), a = rng_index(&rng, policy.table.actions);
    *q_value(&policy.table, s, a) = (float)rng_normal(&rng);
    *q_visits(&policy.table, s, a) = (uint32_t)rng_next(&rng) | 1u;
  }
  policy.seed = 5;
  policy.decisions = 1234;
  policy.reward_sum = 0.1 + 0.2;
  policy.curve[policy.point_count++] = (PolicyPoint){10, 2, 1.0 / 3, 0.1, 1.2, -0.7};
  snprintf(policy.scene, sizeof policy.scene, "some_scene");
  snprintf(policy.version, sizeof policy.version, "1");
  policy.inputs[policy.input_count++] = (PolicyInput){"clips/walk.yaml", 0xfedcba9876543210u};
  const char *odd =
      "a \"b\" \\ \xc3\xa9 \xe2\x80\xa8 \xf0\x9f\x8f\x83 \t: #.yaml"; // quotes, e with an accent, a line separator ...
  policy.inputs[policy.input_count] = (PolicyInput){.hash = 1};
  snprintf(policy.inputs[policy.input_count++].name, POLICY_NAME_SIZE, "%s", odd);
  char *text = policy_write(&policy, f->def);
  if (!policy_read(&again, f->def, "policy.yaml", text, &error))
    fail_msg("%s", error.text);
  size_t count = (size_t)policy.table.states * (size_t)policy.table.actions;
  assert_memory_equal(again.table.values, policy.table.values, count * sizeof(float));
  assert_memory_equal(again.table.visits, policy.table.visits, count * sizeof(uint32_t));
  assert_string_equal(again.inputs[1].name, odd);
  assert_true(again.reward_sum == policy.reward_sum && again.curve[0].success == policy.curve[0].success);
  char *rewritten = policy_write(&again, f->def);
  assert_string_equal(rewritten, text);
  policy_free(&again);

  *strstr(text, "walk_start+0/") = 'W';
  assert_false(policy_read(&again, f->def, "policy.yaml", text, &error));
  assert_non_null(!strstr(error.text, "Walk_start") ? strstr(error.text, "is not the planner's") : NULL);
  error = (Error){0};
  assert_false(policy_read(&again, f->def, "policy.yaml", "policy: fuzzy\n", &error));
  assert_non_null(strstr(error.text, "'reward' is missing here"));
  free(text);
  free(rewritten);
  policy_free(&policy);
}

// The best tried move, never an untried one; if nothing was tried, the move nearest to the demand.
static void an_unknown_move_is_the_last_resort(void **state) {
  PlannerFixture *f = *state;
  QTable table;
  assert_true(q_table_init(&table, planner_states(f->def, false), planner_actions(f->def)));
  Planner planner = planner_make(f->def, &table, false);
  planner.demand_speed = 1.3;
  bool allowed[PLANNER_MAX_ACTIONS], known;
  const int actions = planner_actions(f->def);
  for (int i = 0; i < PLANNER_MAX_ACTIONS; i++)
    allowed[i] = i % 2;
  const int open = planner_allowed(f->def, 0, allowed);
  int count = 0;
  for (int i = 0; i < actions; i++)
    count += allowed[i];
  assert_true(open > 0 && count == open);
  for (int i = actions; i < PLANNER_MAX_ACTIONS; i++) // of no move
    assert_int_equal(allowed[i], i % 2);
  int row = planner_state(&planner, NULL, 0), blends = f->def->blends.count;
  int closest = planner_best(&planner, row, allowed, &known);
  assert_false(known);
  assert_int_equal(strncmp(f->def->moves.moves[closest / blends].name, "walk_start+0", 12), 0);
  int other = find_move(&f->def->moves, "turn_90") * blends;
  *q_visits(&table, row, other) = 1;
  *q_value(&table, row, other) = -5;
  assert_int_equal(planner_best(&planner, row, allowed, &known), other);
  assert_true(known);
  q_table_free(&table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(senses_in_its_own_frame),
      cmocka_unit_test(keeps_the_nearest_obstacles),
      cmocka_unit_test(a_blocked_path_is_avoided),
      cmocka_unit_test(what_moves_is_met_where_it_will_be),
      cmocka_unit_test(an_approach_is_reported),
      cmocka_unit_test(a_turning_walker_is_led),
      cmocka_unit_test(more_is_kept_from_what_moves),
      cmocka_unit_test(bad_ground_is_an_obstacle),
      cmocka_unit_test(the_ground_ends_where_it_does),
      cmocka_unit_test(the_right_is_given_way),
      cmocka_unit_test(every_rule_fires),
      cmocka_unit_test(a_mirrored_world_is_met_mirrored),
      cmocka_unit_test(the_state_knows_no_obstacles),
      cmocka_unit_test(moves_are_read_from_clips),
      cmocka_unit_test(feet_decide_what_can_follow),
      cmocka_unit_test(moves_are_left_in_their_windows),
      cmocka_unit_test(feet_stay_through_changes),
      cmocka_unit_test(the_pose_does_not_jump),
      cmocka_unit_test(feet_stand_still_on_a_curved_path),
      cmocka_unit_test(a_policy_comes_back_to_the_last_bit),
      cmocka_unit_test(an_unknown_move_is_the_last_resort),
  };
  return cmocka_run_group_tests(tests, planner_set_up, planner_tear_down);
}
