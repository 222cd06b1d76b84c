// What the parts of the balance controller come to in states drawn from wide ranges, far beyond those of any scene:
// means over all draws to nine digits. They change with any figure, limit or sign; which of them says where.
#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "tests/fixture.h"
#include "tests/unit/drill.h"

enum { DRAWS = 300, TERRAINS = 6, EDGE = TERRAINS, GROUNDS };

static Fixture f;
static Terrain *terrains[TERRAINS];
static Ground grounds[GROUNDS];
static Balancer built; // as it is before its first step

static void add_terrain(int index, TerrainKind kind, double pitch, double amplitude) {
  Error error = {0};
  TerrainDef def;
  param_defaults(&terrain_params, &def);
  def.kind = kind;
  def.pitch = pitch;
  def.amplitude = amplitude;
  def.start = -0.5;
  def.cell = 0.05;
  def.x[0] = def.z[0] = -3;
  def.x[1] = def.z[1] = 3;
  terrains[index] = terrain_create(&def, 7, NULL, &error);
  fixture_check(&error);
  grounds[index] = terrain_ground(terrains[index]);
}

// Bumpy ground that ends at x = 0.1 m, and nothing behind.
static bool edge_ray(const void *context, unsigned mask, const double origin[3], const double direction[3],
                     double length, GroundHit *hit) {
  const Ground *whole = context;
  return whole->ray(whole->context, mask, origin, direction, length, hit) && hit->position_w[0] < 0.1;
}

static bool edge_height(const void *context, double x, double z, double from, double *height, double normal[3]) {
  const Ground *whole = context;
  return x < 0.1 && whole->height(whole->context, x, z, from, height, normal);
}

static int begin(void **state) {
  (void)state;
  fixture_init(&f);
  f.character_def.balance.enabled = true;
  fixture_start(&f);
  built = f.character->balance;
  add_terrain(0, TERRAIN_FLAT, 0, 0);
  add_terrain(1, TERRAIN_SLOPE, 9, 0);
  add_terrain(2, TERRAIN_SLOPE, -17, 0);
  add_terrain(3, TERRAIN_NOISE, 0, 0.08);
  add_terrain(4, TERRAIN_STAIRS, 0, 0);
  add_terrain(5, TERRAIN_BLOCKS, 0, 0.06);
  grounds[EDGE] = (Ground){.context = &grounds[3], .ray = edge_ray, .height = edge_height};
  return 0;
}

static int end(void **state) {
  (void)state;
  for (int i = 0; i < TERRAINS; i++)
    terrain_destroy(terrains[i]);
  fixture_end(&f);
  return 0;
}

// ---- Draws ----

static bool one_in(Rng *rng, int count) { return rng_index(rng, count) == 0; }

// Of a range, now and then of one that is four times as wide.
static double wide(Rng *rng, double middle, double range) {
  const double most = one_in(rng, 5) ? 4 * range : range;
  return rng_range(rng, middle - most, middle + most);
}

static Plane2 wide2(Rng *rng, double range) {
  const double x = wide(rng, 0, range);
  return (Plane2){.x = x, .z = wide(rng, 0, range)};
}

static versors tilted(Rng *rng, double range) {
  vec3s turn;
  for (int k = 0; k < 3; k++)
    turn.raw[k] = (float)wide(rng, 0, range);
  return quat_exp(turn);
}

static double height_at(const Ground *ground, double x, double z) {
  double height;
  return ground->height(ground->context, x, z, GROUND_HIGHEST, &height, NULL) ? height : 0;
}

static void draw_foot(Rng *rng, const Ground *ground, double side, BalanceFoot *foot) {
  const double x = side * wide(rng, 0.1, 0.06), z = wide(rng, 0, 0.15);
  const double floor = height_at(ground, x, z) + (one_in(rng, 2) ? 0 : fmax(0, wide(rng, 0, 0.04)));
  *foot = (BalanceFoot){.hip = {side * 0.09 + wide(rng, 0, 0.02), floor + wide(rng, 0.9, 0.03), wide(rng, 0, 0.04)},
                        .knee = {side * 0.1, floor + 0.5, wide(rng, 0.05, 0.05)},
                        .ankle = {x, floor + wide(rng, 0.08, 0.01), z},
                        .yaw = wide(rng, 0, 0.2),
                        .loaded = !one_in(rng, 3),
                        .lowest = floor,
                        .misplaced = {.x = wide(rng, 0, 0.01), .z = wide(rng, 0, 0.01)}};
  const double ahead = 0.05;
  const Plane2 sole = plane2_turn((Plane2){.x = 0, .z = ahead}, foot->yaw);
  foot->sole[0] = x + sole.x;
  foot->sole[1] = floor;
  foot->sole[2] = z + sole.z;
  for (int k = 0; k < 3; k++) {
    foot->place[k] = foot->ankle[k] + wide(rng, 0, 0.02);
    foot->force[k] = wide(rng, k == 1 ? 500 : 0, 200);
  }
  for (int k = 0; k < 2; k++)
    foot->hangs[k] = one_in(rng, 4) ? rng_range(rng, 0, 0.08) : 0;
}

static void draw_landing(Rng *rng, const Ground *ground, Balancer *balance) {
  const double *ankle = balance->feet[balance->swing].ankle;
  BalanceLanding *landing = &balance->landing;
  *landing = (BalanceLanding){.ankle = {ankle[0] + wide(rng, 0, 0.1), 0, ankle[2] + wide(rng, 0.2, 0.3)},
                              .yaw = wide(rng, 0, 0.2),
                              .sloped = one_in(rng, 2)};
  landing->ankle[1] = height_at(ground, landing->ankle[0], landing->ankle[2]) + wide(rng, 0.08, 0.03);
  landing->normal[0] = wide(rng, 0, 0.1);
  landing->normal[1] = 1;
  landing->normal[2] = wide(rng, 0, 0.1);
  const double length = length3(landing->normal);
  for (int k = 0; k < 3; k++)
    landing->normal[k] /= length;
  for (int k = 0; k < 2; k++)
    landing->hangs[k] = one_in(rng, 4) ? rng_range(rng, 0, 0.08) : 0;
}

static void draw_step(Rng *rng, const Ground *ground, Balancer *balance) {
  balance->swing = rng_index(rng, 2);
  balance->duration = wide(rng, 0.4, 0.08);
  balance->double_support = one_in(rng, 2) ? rng_range(rng, 0, 0.15) : 0;
  balance->step_time = rng_range(rng, -balance->double_support, 1.3 * balance->duration);
  balance->evenness = one_in(rng, 2) ? 1 : rng_unit(rng);
  balance->rolled = one_in(rng, 2) ? 0 : rng_range(rng, 0, 0.5);
  balance->trust = one_in(rng, 2) ? balance->evenness : rng_range(rng, 0, balance->evenness);
  balance->landed_pitch = one_in(rng, 2) ? 0 : rng_range(rng, -0.2, 0);
  for (int k = 0; k < 3; k++)
    balance->trusted_velocity[k] = one_in(rng, 2) ? balance->ground_velocity[k] : wide(rng, 0, 0.1);
  balance->step_start = wide2(rng, 0.2);
  balance->step_speed = one_in(rng, 2) ? balance->speed : wide2(rng, 0.8);
  balance->error = wide2(rng, 0.04);
  draw_landing(rng, ground, balance);
  for (int k = 0; k < 3; k++) {
    balance->swing_ankle[k] = balance->feet[balance->swing].ankle[k] + wide(rng, k == 1 ? 0.03 : 0, 0.03);
    balance->swing_velocity[k] = wide(rng, 0, 1.2);
  }
  balance->lift_yaw = wide(rng, 0, 0.2);
  balance->swing_yaw = wide(rng, 0, 0.2);
  for (int k = 0; k < 2; k++)
    balance->swing_goal[k] = tilted(rng, 0.2);
  balance->has_swing_goal = one_in(rng, 2);
  balance->trip = (BalanceTrip){.caught = one_in(rng, 3),
                                .time = rng_range(rng, 0, 0.3),
                                .raising = one_in(rng, 3),
                                .high_steps = rng_index(rng, 4),
                                .unseen = one_in(rng, 2),
                                .place = wide2(rng, 0.3)};
}

static void draw_balancer(Rng *rng, const Ground *ground, Balancer *balance) {
  *balance = built;
  BalanceBody *body = &balance->body;
  body->length = one_in(rng, 2) ? 1 : rng_range(rng, 0.8, 1.2);
  body->time = sqrt(body->length);
  body->force = one_in(rng, 2) ? 1 : rng_range(rng, 0.5, 1.5);
  for (int i = 0; i < BALANCE_LEGS; i++)
    draw_foot(rng, ground, i == 0 ? 1 : -1, &balance->feet[i]);
  const double floor = (balance->feet[0].sole[1] + balance->feet[1].sole[1]) / 2;
  for (int k = 0; k < 3; k++) {
    balance->com[k] = k == 1 ? floor + wide(rng, 1, 0.05) : wide(rng, 0, 0.1);
    balance->velocity[k] = wide(rng, 0, k == 1 ? 0.2 : 0.6);
    balance->tilt[k] = wide(rng, 0, 0.05);
  }
  balance->omega = wide(rng, 3.3, 0.3);
  balance->held = one_in(rng, 8) ? wide2(rng, 0.05) : (Plane2){.x = 0, .z = 0};
  balance->xi = plane2_add(plane2_of(balance->com), plane2_scale(plane2_of(balance->velocity), 1 / balance->omega));
  balance->margin = wide(rng, 0.01, 0.04);
  balance->pelvis = tilted(rng, 0.15);
  balance->mode_time = one_in(rng, 4) ? 0 : rng_range(rng, 0, 4);
  balance->heading = wide(rng, 0, 0.3);
  balance->turn_rate = wide(rng, 0, 0.5);
  balance->walking = one_in(rng, 2);
  balance->speed = wide2(rng, balance->walking ? 0.4 : 0.01);
  balance->speed.z += balance->walking ? rng_range(rng, 0, 1) : 0;
  balance->speed_excess = wide2(rng, 0.2);
  balance->wanted_to_step = one_in(rng, 2);
  balance->reference = wide2(rng, 0.08);
  balance->recovering = one_in(rng, 2);
  balance->settling = one_in(rng, 2);
  balance->staggered = one_in(rng, 3);
  balance->realigning_feet = one_in(rng, 3);
  balance->shift = wide2(rng, 0.03);
  balance->lean = wide2(rng, 0.1);
  balance->shifting_to_swing = rng_index(rng, 3) - 1;
  balance->last_swing = rng_index(rng, 2);
  balance->to_lift = one_in(rng, 4) ? rng_index(rng, 2) : -1;
  balance->arms_spread = rng_unit(rng);
  balance->steps = rng_index(rng, 3);
  balance->mode = one_in(rng, 2) ? BALANCE_STANDING : BALANCE_STEPPING;
  draw_step(rng, ground, balance);
}

static BalanceCommand draw_command(Rng *rng) {
  BalanceCommand command = {.velocity = one_in(rng, 3) ? (Plane2){.x = 0, .z = 0} : wide2(rng, 0.7),
                            .heading = wide(rng, 0, 0.5),
                            .shift = wide2(rng, 0.03),
                            .tilt = quat_log(tilted(rng, 0.05)),
                            .ground_turn = one_in(rng, 2) ? 0 : wide(rng, 0, 0.3),
                            .held = one_in(rng, 6) ? wide2(rng, 0.05) : (Plane2){.x = 0, .z = 0},
                            .arms = one_in(rng, 2) ? 0 : rng_unit(rng),
                            .arms_are_held = one_in(rng, 3),
                            .muscles_are_slow = one_in(rng, 3)};
  for (int k = 0; k < 3; k++)
    command.ground_velocity[k] = one_in(rng, 2) ? 0 : wide(rng, 0, 0.3);
  for (int i = 0; i < BALANCE_LEGS; i++) {
    command.foot_loaded[i] = !one_in(rng, 3);
    command.lift_foot[i] = one_in(rng, 3);
    command.foot_caught[i] = one_in(rng, 3);
    for (int k = 0; k < 3; k++)
      command.foot_force[i][k] = wide(rng, k == 1 ? 400 : 0, 200);
  }
  return command;
}

// The body in a bent pose, in motion.
static void draw_body(Rng *rng, const Ground *ground, Pose *pose) {
  *pose = pose_bind(&f.body->skeleton);
  for (int i = 1; i < pose->count; i++)
    pose->rotation[i] = glms_quat_mul(pose->rotation[i], tilted(rng, 0.12));
  pose->rotation[0] = tilted(rng, 0.1);
  pose->position[0].x = (float)wide(rng, 0, 0.1);
  pose->position[0].z = (float)wide(rng, 0, 0.1);
  pose->position[0].y += (float)height_at(ground, (double)pose->position[0].x, (double)pose->position[0].z);
  Pose next = *pose;
  const double dt = 0.01;
  for (int i = 0; i < pose->count; i++)
    next.rotation[i] = glms_quat_mul(next.rotation[i], tilted(rng, 0.01));
  for (int k = 0; k < 3; k++)
    next.position[0].raw[k] += (float)wide(rng, 0, k == 1 ? 0.002 : 0.006);
  ragdoll_set_pose(f.character->ragdoll, pose, &next, dt);
}

// ---- What comes out ----

enum { TURNS, RATES, TORQUES, GAINS, FEET, STATE, LANDING, SWING, PLACES, FLAGS, SUMS };
static const char *const NAMES[SUMS] = {"turns", "rates",   "torques", "gains",  "feet",
                                        "state", "landing", "swing",   "places", "flags"};

static void add2(DrillSum *to, Plane2 value) {
  drill_add(to, value.x);
  drill_add(to, value.z);
}

static void fold_balancer(const Balancer *b, DrillSum folds[SUMS]) {
  DrillSum *state = &folds[STATE], *flags = &folds[FLAGS];
  const double times[] = {b->omega,     b->margin,   b->mode_time,      b->heading,  b->turn_rate,   b->arms_spread,
                          b->step_time, b->duration, b->double_support, b->evenness, b->rolled,      b->hip_height,
                          b->trip.time, b->lift_yaw, b->swing_yaw,      b->trust,    b->landed_pitch};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++)
    drill_add(state, times[i]);
  drill_add_all(state, b->tilt, 3);
  drill_add_all(state, b->trusted_velocity, 3);
  const Plane2 planes[] = {b->held, b->xi,    b->speed,      b->speed_excess, b->reference, b->shift,
                           b->lean, b->error, b->step_start, b->step_speed,   b->trip.place};
  for (size_t i = 0; i < sizeof planes / sizeof *planes; i++)
    add2(state, planes[i]);
  drill_add_all(&folds[LANDING], b->landing.ankle, 3);
  drill_add_all(&folds[LANDING], b->landing.normal, 3);
  drill_add(&folds[LANDING], b->landing.yaw);
  drill_add(&folds[LANDING], b->landing.hangs[0]);
  drill_add(&folds[LANDING], b->landing.hangs[1]);
  drill_add_all(&folds[SWING], b->swing_ankle, 3);
  drill_add_all(&folds[SWING], b->swing_velocity, 3);
  for (int i = 0; i < BALANCE_LEGS; i++) {
    const BalanceFoot *foot = &b->feet[i];
    drill_add_all(&folds[PLACES], foot->place, 3);
    drill_add_all(&folds[PLACES], foot->sole, 3);
    drill_add(&folds[PLACES], foot->yaw);
    drill_add(&folds[PLACES], foot->lowest);
    drill_add(&folds[PLACES], foot->hangs[0]);
    drill_add(&folds[PLACES], foot->hangs[1]);
    drill_add(&folds[PLACES], foot->force[1] * 1e-3);
    drill_add(flags, foot->loaded);
    drill_add(flags, b->lift_wanted[i]);
  }
  const int values[] = {(int)b->mode,   b->walking,         b->wanted_to_step,    b->recovering,    b->settling,
                        b->staggered,   b->realigning_feet, b->shifting_to_swing, b->last_swing,    b->to_lift,
                        b->swing,       b->has_swing_goal,  b->trip.caught,       b->trip.raising,  b->trip.high_steps,
                        b->trip.unseen, b->steps,           b->realigning_steps,  b->landing.sloped};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    drill_add(flags, values[i]);
}

static void fold_step(const BalanceStep *step, DrillSum folds[SUMS]) {
  for (int i = 1; i < f.body->part_count; i++) {
    drill_add_floats(&folds[TURNS], step->goals[i].rotation.raw, 4);
    drill_add_floats(&folds[RATES], step->goals[i].angular_velocity_l.raw, 3);
    for (int k = 0; k < 3; k++)
      drill_add(&folds[TORQUES], 1e-2 * (double)step->goals[i].feed_forward_l.raw[k]);
    drill_add(&folds[GAINS], 1e-3 * step->goals[i].stiffness);
    drill_add(&folds[GAINS], 1e-2 * step->goals[i].damping);
  }
  for (int i = 0; i < BALANCE_LEGS; i++) {
    drill_add_all(&folds[FEET], step->feet[i].ankle, 3);
    drill_add(&folds[FEET], step->feet[i].yaw);
    drill_add_floats(&folds[FEET], step->feet[i].sole.raw, 4);
  }
  add2(&folds[FEET], step->hips);
}

// ---- The drills ----

// What one draw is given to.
typedef struct Draw {
  Rng *rng;
  const Ground *ground;
  Balancer balance;
  BalanceCommand command;
  BalanceStep step;
  Pose pose, previous;
  JointGoal goals[BODY_MAX_PARTS];
} Draw;

static Plane2 near_foot(Draw *draw, int side) {
  return plane2_add(plane2_of(draw->balance.feet[side].sole), wide2(draw->rng, 0.05));
}

static void do_swing(Draw *draw) {
  draw->balance.mode = BALANCE_STEPPING;
  draw->balance.step_time = fabs(draw->balance.step_time);
  balance_swing(&draw->step);
}
static void do_stance(Draw *draw) { balance_stance(&draw->step, near_foot(draw, 1 - draw->balance.swing)); }
static void do_stand(Draw *draw) {
  draw->balance.mode = BALANCE_STANDING;
  draw->balance.def.sway = one_in(draw->rng, 2) ? 1 : 0;
  balance_stand(&draw->step);
}
static void do_push_off(Draw *draw) {
  draw->balance.mode = BALANCE_STEPPING;
  draw->balance.double_support = 0.1;
  draw->balance.step_time = -rng_range(draw->rng, 0, 0.1);
  balance_push_off(&draw->step, near_foot(draw, 1 - draw->balance.swing));
}
static void do_decide(Draw *draw) {
  balance_decide(&draw->balance, f.character->ragdoll, draw->ground, &draw->command, draw->step.h);
  balance_update_trip(&draw->balance, &draw->command, draw->step.h);
}
static void do_plan(Draw *draw) {
  draw->balance.mode = BALANCE_STEPPING;
  balance_plan_landing(&draw->balance, draw->ground, near_foot(draw, 1 - draw->balance.swing));
}
static void do_follow(Draw *draw) {
  balance_follow_animation(&draw->balance, &draw->command, draw->step.h);
  balance_lean(&draw->balance, draw->step.h);
  balance_move_arms(&draw->balance, rng_unit(draw->rng), draw->step.h, &draw->pose);
  balance_calm_spine(&draw->balance, &draw->pose, &draw->previous, draw->step.h);
  for (int i = 0; i < draw->pose.count; i++)
    draw->goals[i].rotation = draw->pose.rotation[i];
}
static void do_take_over(Draw *draw) {
  const BalanceMotion motion = {
      .heading = wide(draw->rng, 0, 0.5), .speed = wide2(draw->rng, 0.4), .share = wide(draw->rng, 0.4, 0.4)};
  balance_take_over(&draw->balance, f.character->ragdoll, draw->ground, &draw->command, &motion, draw->step.h);
}
static void do_whole(Draw *draw) {
  draw->balance.def.delay = one_in(draw->rng, 2) ? 0.01 : 0;
  draw->balance.def.noise_velocity = draw->balance.def.noise_trunk = draw->balance.def.noise_joints =
      one_in(draw->rng, 2) ? 0.1 : 0;
  for (int i = 0; i < 3; i++) {
    const Pose before = draw->previous;
    draw->previous = draw->pose;
    balance_step(&draw->balance, f.character->ragdoll, draw->ground, &draw->command, draw->step.h, &draw->pose,
                 i == 0 ? &before : &draw->previous, draw->goals);
  }
  for (int i = 0; i < BALANCE_LEGS; i++)
    draw->step.feet[i].sole = draw->pose.rotation[draw->balance.body.legs[i].leg->hip];
}

typedef struct Drill {
  const char *name;
  void (*run)(Draw *draw);
} Drill;

static const Drill DRILLS[] = {{"swing", do_swing},       {"stance", do_stance},       {"stand", do_stand},
                               {"push off", do_push_off}, {"decide", do_decide},       {"plan", do_plan},
                               {"follow", do_follow},     {"take over", do_take_over}, {"whole step", do_whole}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {-0.24638171473, 0.97263747616, -0.00087176041317, 0.493884932, 0.13278458072, 0.90870697884, -0.43270818383,
     0.046841473386, -0.18655853242, 0.048398573663},
    {-0.22475404529, 0.0020010126535, -0.011553285515, 0.18384520211, 0.1432375503, 0.72181573397, -0.41682687939,
     -0.066270144986, -0.18304998301, 0.27004427615},
    {-0.52655590004, 0, 0.11677855627, 0.85991514757, 0.2515724697, 0.73913709089, -0.40858444752, -0.045521031312,
     -0.18735656742, 0.43672685644},
    {-0.1369900873, 0, -0.035627702941, 0.32282055795, 0.13980637095, 0.53297576101, -0.39685303661, -0.061380040815,
     -0.16768375477, 0.24800747626},
    {0, 0, 0, 0, 0.0027503403561, 1.7951275003, -0.41902855743, -0.07109329322, -0.17149911759, 1.10423233},
    {0, 0, 0, 0, 0.0026260143871, 0.80450639946, -0.17641061781, 0.020068848783, -0.17563590812, 0.18530331724},
    {-0.77317968922, 0, 0, 0, 0.0011439728745, 0.78091988305, -0.41858108034, -0.069375336765, -0.18241085777,
     0.28547483259},
    {0, 0, 0, 0, -0.0042867297494, 1.9306457515, 0, -0.048366530339, -0.1045620093, 2.3779903363},
    {-0.65175216497, -21.227819152, 0.051829606546, -1.0637615368, 0.26827911056, 1.6960281881, -0.16640933307,
     -0.37257581396, -0.16206845017, 1.007456465},
};

static void run(int drill, double means[SUMS]) {
  Rng rng = rng_make(3, DRILLS[drill].name);
  memset(means, 0, SUMS * sizeof *means);
  for (int i = 0; i < DRAWS * GROUNDS; i++) {
    static Draw draw;
    memset(&draw, 0, sizeof draw);
    draw.rng = &rng;
    draw.ground = &grounds[i % GROUNDS];
    draw_balancer(&rng, draw.ground, &draw.balance);
    draw.command = draw_command(&rng);
    draw_body(&rng, draw.ground, &draw.pose);
    draw.previous = draw.pose;
    for (int k = 1; k < draw.pose.count; k++)
      draw.previous.rotation[k] = glms_quat_mul(draw.pose.rotation[k], tilted(&rng, 0.01));
    draw.step = (BalanceStep){.balance = &draw.balance,
                              .ragdoll = f.character->ragdoll,
                              .ground = draw.ground,
                              .h = one_in(&rng, 2) ? 1.0 / 240 : 1.0 / 60,
                              .muscles_are_slow = one_in(&rng, 3),
                              .goals = draw.goals,
                              .pelvis = tilted(&rng, 0.1),
                              .pelvis_yaw = wide(&rng, 0, 0.2),
                              .hips = wide2(&rng, 0.1)};
    DRILLS[drill].run(&draw);
    DrillSum folds[SUMS] = {{0}};
    fold_balancer(&draw.balance, folds);
    fold_step(&draw.step, folds);
    for (int k = 0; k < SUMS; k++)
      means[k] += folds[k].sum / (DRAWS * GROUNDS);
  }
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < DRILL_COUNT; i++) {
    double means[SUMS];
    run(i, means);
    wrong += !drill_is_kept(DRILLS[i].name, NAMES, means, OUTCOMES[i], SUMS);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, begin, end);
}
