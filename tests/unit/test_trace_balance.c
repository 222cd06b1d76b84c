// From the file alone, momentum balances: between any two frames of a trace it changes by gravity, contacts, events and
// assist, of characters and of objects, linear and angular: of a man who balances by himself without any assist. And
// what a drive gave is within what it had.
#include "tests/unit/small_scene.h"

#include "sim/world/projectile.h"

enum { MOST_PARTS = 32, MOST_FRAMES = 200, MOST_CONTACTS = 4096 };

// A run with bullets, a push, and a ball that strikes the runner.

static const char *const RUN[] = {
    "duration=2.5", "terrain.x=[-5, 5]", "expect=[]",
    "events=[{every: [0.15, 0.4], from: 0.3, part: any, impulse: [2, 12], direction: [0, 360]},"
    " {kind: push, time: 1.2, part: chest, impulse: 20, direction: 60, duration: 0.2}]"};

// A man walks by himself and is pushed.

static const char *const WALK[] = {
    "duration=3.3", "expect=[]", "characters.man.script=[{time: 0.1, speed: 1}]",
    "events=[{kind: push, character: man, part: chest, time: 2, impulse: 55, direction: 70, duration: 0.2}]"};

static void throw_ball(Scene *scene) {
  const double *com = scene->characters[0]->sensed.com;
  Projectile ball = {3, 0.11, {com[0] + 3, com[1] + 0.5, com[2] + 1}, {-12, 0, 0}, 1000, 0};
  ball.velocity[2] = 3.5 - 1 / 0.25;
  assert_true(projectile_create(scene->world, &ball) >= 0);
}

// throw_at: the step before which a ball is thrown, -1: none.
static void record_run(const char *path, const char *name, const char *const *overrides, int count, long throw_at) {
  Error error = {0};
  SceneDef *def = scene_def_read(name, overrides, count, &error);
  assert_string_equal(error.text, "");
  Scene *scene = small_scene(def);
  TraceInfo info = scene_trace_info(def);
  TraceWriter *writer = trace_create(path, &info, &error);
  assert_true(scene_record(scene, writer, &error));
  for (long i = 0; i < def->step_count; i++) {
    if (i == throw_at)
      throw_ball(scene);
    assert_true(scene_step(scene));
  }
  scene_finish(scene);
  assert_true(trace_close(writer, "complete", &error));
  scene_destroy(scene);
  scene_def_free(def);
}

// The trace as a reader of the format has it.

typedef struct Contacts {
  int first[MOST_FRAMES], count[MOST_FRAMES], part[MOST_CONTACTS], other[MOST_CONTACTS];
  double position[MOST_CONTACTS][3], impulse[MOST_CONTACTS][3], moment[MOST_CONTACTS][3];
} Contacts;

typedef struct Bodies {
  int first_number, count; // by which contacts call them
  double mass[MOST_PARTS], inertia[MOST_PARTS][3];
  double position[MOST_FRAMES][MOST_PARTS][3], rotation[MOST_FRAMES][MOST_PARTS][4];
  double velocity[MOST_FRAMES][MOST_PARTS][3], spin[MOST_FRAMES][MOST_PARTS][3];
} Bodies;

typedef struct Data {
  int frames, steps_per_frame;
  double gravity[3], time[MOST_FRAMES];
  Contacts contacts;
  Bodies man, ball;
  double force[MOST_FRAMES][3], torque[MOST_FRAMES][3], point[MOST_FRAMES][3];
  TraceEvent *events;
  int event_count;
} Data;

static TraceReader *reader;

static void read_rows(const char *path, TraceType type, long rows, void *values) {
  Error error = {0};
  if (!trace_read(reader, path, type, 0, rows, values, &error))
    fail_msg("%s", error.text);
}

// Rows of `count` bodies into places of MOST_PARTS.
static void read_bodies(const char *folder, const char *name, int frames, int count, int width, double *values) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  double *packed = calloc((size_t)frames * (size_t)count * (size_t)width, sizeof *packed);
  read_rows(path, TRACE_FLOAT64, frames, packed);
  for (int i = 0; i < frames; i++)
    memcpy(&values[i * MOST_PARTS * width], &packed[i * count * width], (size_t)count * (size_t)width * sizeof *values);
  free(packed);
}

static void read_state(const char *folder, int frames, Bodies *bodies) {
  read_bodies(folder, "position", frames, bodies->count, 3, &bodies->position[0][0][0]);
  read_bodies(folder, "rotation", frames, bodies->count, 4, &bodies->rotation[0][0][0]);
  read_bodies(folder, "linear_velocity", frames, bodies->count, 3, &bodies->velocity[0][0][0]);
  read_bodies(folder, "angular_velocity", frames, bodies->count, 3, &bodies->spin[0][0][0]);
}

static void read_contacts(Contacts *contacts, int frames) {
  long rows;
  int width;
  assert_true(trace_shape(reader, "/contacts/impulse", &rows, &width) && rows > 100 && rows < MOST_CONTACTS);
  read_rows("/contacts/first", TRACE_INT32, frames, contacts->first);
  read_rows("/contacts/count", TRACE_INT32, frames, contacts->count);
  read_rows("/contacts/part", TRACE_INT32, rows, contacts->part);
  read_rows("/contacts/other", TRACE_INT32, rows, contacts->other);
  read_rows("/contacts/position", TRACE_FLOAT64, rows, contacts->position);
  read_rows("/contacts/impulse", TRACE_FLOAT64, rows, contacts->impulse);
  read_rows("/contacts/moment", TRACE_FLOAT64, rows, contacts->moment);
}

// A man of 16 parts by his name.
static Data *read_data(const char *name) {
  Data *data = calloc(1, sizeof *data);
  data->frames = trace_frame_count(reader);
  assert_true(data->frames > 100 && data->frames <= MOST_FRAMES);
  data->steps_per_frame = (int)round(1 / (trace_number(reader, "frame_rate") * trace_number(reader, "dt")));
  assert_int_equal(trace_values(reader, "/", "gravity", data->gravity, 3), 3);
  read_rows("/time", TRACE_FLOAT64, data->frames, data->time);
  read_contacts(&data->contacts, data->frames);
  char parts[64], path[128];
  snprintf(parts, sizeof parts, "/characters/%s/parts", name);
  snprintf(path, sizeof path, "%s/position", parts);
  data->man.count = trace_values(reader, path, "mass", data->man.mass, MOST_PARTS);
  assert_int_equal(data->man.count, 16);
  assert_int_equal(trace_values(reader, path, "inertia", &data->man.inertia[0][0], 3 * MOST_PARTS), 48);
  read_state(parts, data->frames, &data->man);
  snprintf(path, sizeof path, "/characters/%s/assist/force", name);
  read_rows(path, TRACE_FLOAT64, data->frames, data->force);
  snprintf(path, sizeof path, "/characters/%s/assist/torque", name);
  read_rows(path, TRACE_FLOAT64, data->frames, data->torque);
  snprintf(path, sizeof path, "/characters/%s/assist/point", name);
  read_rows(path, TRACE_FLOAT64, data->frames, data->point);
  data->events = trace_events(reader, &data->event_count);
  return data;
}

static void read_ball(Data *data) {
  static const char BALL[] = "/objects/ball_1";
  double number;
  data->ball.count = 1;
  assert_int_equal(trace_values(reader, BALL, "number", &number, 1), 1);
  data->ball.first_number = (int)number;
  assert_int_equal(trace_values(reader, BALL, "mass", data->ball.mass, 1), 1);
  assert_int_equal(trace_values(reader, BALL, "inertia", data->ball.inertia[0], 3), 3);
  read_state(BALL, data->frames, &data->ball);
}

// Sums of impulses and of their moments about a point.

typedef struct Balance {
  double linear[3], angular[3];
} Balance;

static void add_impulse(Balance *sum, const double at[3], const double point[3], const double impulse[3], double sign) {
  for (int k = 0; k < 3; k++) {
    int y = (k + 1) % 3, z = (k + 2) % 3;
    sum->linear[k] += sign * impulse[k];
    sum->angular[k] += sign * ((point[y] - at[y]) * impulse[z] - (point[z] - at[z]) * impulse[y]);
  }
}

static void turn(const double q[4], const double v[3], double sign, double out[3]) {
  double cross[3];
  for (int k = 0; k < 3; k++) {
    int y = (k + 1) % 3, z = (k + 2) % 3;
    cross[k] = 2 * sign * (q[y] * v[z] - q[z] * v[y]);
  }
  for (int k = 0; k < 3; k++) {
    int y = (k + 1) % 3, z = (k + 2) % 3;
    out[k] = v[k] + q[3] * cross[k] + sign * (q[y] * cross[z] - q[z] * cross[y]);
  }
}

// Momentum of bodies in a frame, about a point.
static void add_momentum(const Bodies *bodies, int frame, const double at[3], double sign, Balance *sum) {
  for (int i = 0; i < bodies->count; i++) {
    double momentum[3], spin_l[3], spin[3];
    for (int k = 0; k < 3; k++)
      momentum[k] = bodies->mass[i] * bodies->velocity[frame][i][k];
    add_impulse(sum, at, bodies->position[frame][i], momentum, sign);
    turn(bodies->rotation[frame][i], bodies->spin[frame][i], -1, spin_l);
    for (int k = 0; k < 3; k++)
      spin_l[k] *= bodies->inertia[i][k];
    turn(bodies->rotation[frame][i], spin_l, 1, spin);
    for (int k = 0; k < 3; k++)
      sum->angular[k] += sign * spin[k];
  }
}

static double find_center(const Bodies *bodies, int frame, double center[3]) {
  double mass = 0;
  memset(center, 0, 3 * sizeof *center);
  for (int i = 0; i < bodies->count; i++) {
    mass += bodies->mass[i];
    for (int k = 0; k < 3; k++)
      center[k] += bodies->mass[i] * bodies->position[frame][i][k];
  }
  for (int k = 0; k < 3; k++)
    center[k] /= mass;
  return mass;
}

// Weight acts where the centre of mass is when each step begins.
static void add_gravity(const Data *data, const Bodies *bodies, int frame, const double at[3], Balance *sum) {
  double from[3], to[3], weight[3], duration = data->time[frame] - data->time[frame - 1];
  double mass = find_center(bodies, frame - 1, from),
         share = (data->steps_per_frame - 1) / (2.0 * data->steps_per_frame);
  find_center(bodies, frame, to);
  for (int k = 0; k < 3; k++) {
    weight[k] = mass * data->gravity[k] * duration;
    from[k] += share * (to[k] - from[k]);
  }
  add_impulse(sum, at, from, weight, 1);
}

static void add_contacts(const Contacts *contacts, const Bodies *bodies, int frame, const double at[3], Balance *sum) {
  for (int i = contacts->first[frame]; i < contacts->first[frame] + contacts->count[frame]; i++) {
    const int sides[2] = {contacts->part[i], contacts->other[i]};
    for (int side = 0; side < 2; side++) {
      double sign = side == 0 ? 1 : -1;
      if (sides[side] < bodies->first_number || sides[side] >= bodies->first_number + bodies->count)
        continue;
      add_impulse(sum, at, contacts->position[i], contacts->impulse[i], sign);
      for (int k = 0; k < 3; k++)
        sum->angular[k] += sign * contacts->moment[i][k];
    }
  }
}

static bool is_in_frame(const Data *data, const TraceEvent *event, int frame) {
  return event->time > data->time[frame - 1] - 1e-6 && event->time < data->time[frame] - 1e-6;
}

// What a ball gave is among the contacts.
static void add_events(const Data *data, int frame, const double at[3], Balance *sum) {
  for (int i = 0; i < data->event_count; i++) {
    const TraceEvent *event = &data->events[i];
    if (strcmp(event->kind, "projectile") == 0 || !is_in_frame(data, event, frame))
      continue;
    double point[3], impulse[3];
    for (int k = 0; k < 3; k++) {
      point[k] = (double)event->point[k];
      impulse[k] = (double)event->impulse[k];
    }
    add_impulse(sum, at, point, impulse, 1);
  }
}

static void add_assist(const Data *data, int frame, const double at[3], Balance *sum) {
  double impulse[3], duration = data->time[frame] - data->time[frame - 1];
  for (int k = 0; k < 3; k++) {
    impulse[k] = data->force[frame][k] * duration;
    sum->angular[k] += data->torque[frame][k] * duration;
  }
  add_impulse(sum, at, data->point[frame], impulse, 1);
}

static void raise_to(const double value[3], double *most) {
  for (int k = 0; k < 3; k++)
    assert_true(isfinite(value[k]));
  *most = fmax(*most, sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2]));
}

static double square3(const double v[3]) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

// Of the frames: the most momentum in N s, the RMS of angular momentum in N m s, whose worst frames come by chance.
typedef struct Worst {
  double change, turning; // of momentum and angular momentum
  double linear, angular; // of it unexplained
} Worst;

static Worst weigh_frames(const Data *data) {
  Worst worst = {0};
  for (int frame = 1; frame < data->frames; frame++) {
    double at[3];
    find_center(&data->man, frame - 1, at);
    Balance rest = {{0}, {0}};
    add_momentum(&data->man, frame - 1, at, -1, &rest);
    add_momentum(&data->man, frame, at, 1, &rest);
    raise_to(rest.linear, &worst.change);
    worst.turning += square3(rest.angular) / (data->frames - 1);
    Balance given = {{0}, {0}};
    add_gravity(data, &data->man, frame, at, &given);
    add_contacts(&data->contacts, &data->man, frame, at, &given);
    add_events(data, frame, at, &given);
    if (isfinite(data->point[frame][0])) // somebody holds it
      add_assist(data, frame, at, &given);
    for (int k = 0; k < 3; k++) {
      rest.linear[k] -= given.linear[k];
      rest.angular[k] -= given.angular[k];
    }
    raise_to(rest.linear, &worst.linear);
    worst.angular += square3(rest.angular) / (data->frames - 1);
  }
  worst.turning = sqrt(worst.turning);
  worst.angular = sqrt(worst.angular);
  print_message("in a frame: linear %.2g of %.3g N s at most, angular %.2g of %.3g N m s RMS\n", worst.linear,
                worst.change, worst.angular, worst.turning);
  return worst;
}

static void test_characters_balance(void **state) {
  const Data *data = *state;
  assert_int_equal(data->frames, 151);
  assert_true(data->event_count > 40);
  Worst worst = weigh_frames(data);
  assert_true(worst.change > 15 && worst.turning > 1);
  assert_true(worst.linear < 2e-6);                   // events are in single precision
  assert_true(worst.angular < 0.006 * worst.turning); // steps turn bodies by their spin at the end, joints give way
                                                      // by micrometres
}

// Weight, ground and the push explain all that a man does who balances by himself: the trace shows no other hand.
static void test_a_walker_is_moved_by_ground_and_push_alone(void **state) {
  (void)state;
  char path[32];
  small_file(path);
  record_run(path, "walk_push", WALK, sizeof WALK / sizeof WALK[0], -1);
  Error error = {0};
  TraceReader *other = reader;
  reader = trace_open(path, &error);
  assert_non_null(reader);
  remove(path);
  Data *data = read_data("man");
  double way = data->man.position[data->frames - 1][0][2] - data->man.position[0][0][2], assist = 0;
  for (int frame = 0; frame < data->frames; frame++) {
    raise_to(data->force[frame], &assist);
    raise_to(data->torque[frame], &assist);
  }
  Worst worst = weigh_frames(data);
  assert_true(way > 1.5 && data->event_count > 0);
  assert_true(assist == 0);
  assert_true(worst.change > 10 && worst.turning > 0.5);
  assert_true(worst.linear < 2e-6);
  assert_true(worst.angular < 0.001 * worst.turning);
  free(data->events);
  free(data);
  trace_reader_close(reader);
  reader = other;
}

static void test_objects_balance(void **state) {
  Data *data = *state;
  int came = 0, hit_frames = 0;
  while (came < data->frames && isnan(data->ball.position[came][0][0]))
    came++;
  assert_int_equal(came, 46); // steps 184 of 4 a frame, the first after it was thrown
  double linear = 0, angular = 0;
  for (int frame = came + 1; frame < data->frames; frame++) {
    double at[3];
    find_center(&data->ball, frame - 1, at);
    Balance rest = {{0}, {0}}, given = {{0}, {0}};
    add_momentum(&data->ball, frame - 1, at, -1, &rest);
    add_momentum(&data->ball, frame, at, 1, &rest);
    add_contacts(&data->contacts, &data->ball, frame, at, &given);
    hit_frames += given.linear[0] != 0;
    add_gravity(data, &data->ball, frame, at, &given);
    for (int k = 0; k < 3; k++) {
      rest.linear[k] -= given.linear[k];
      rest.angular[k] -= given.angular[k];
    }
    raise_to(rest.linear, &linear);
    // Its spin fades (see projectile.h), which nothing but the balance of its contacts would tell.
    if (frame < came + 12)
      raise_to(rest.angular, &angular);
  }
  print_message("ball: linear %.2g N s, angular %.2g N m s in a frame at most\n", linear, angular);
  assert_true(hit_frames > 0 && linear < 1e-9 && angular < 0.01);
}

static void test_objects_are_described(void **state) {
  Data *data = *state;
  char names[MOST_PARTS][TRACE_NAME_SIZE];
  assert_int_equal(trace_row_names(reader, "/contacts/other", names, MOST_PARTS), 16);
  assert_int_equal(data->ball.first_number, 16);
  double size[3];
  assert_int_equal(trace_values(reader, "/objects/ball_1", "size", size, 3), 3);
  for (int k = 0; k < 3; k++) {
    assert_near(size[k], 0.22, 1e-12);
    assert_near(data->ball.inertia[0][k], 0.4 * 3 * 0.11 * 0.11, 1e-12);
  }
  assert_near(data->ball.mass[0], 3, 1e-12);
  int struck = 0;
  for (int i = 0; i < data->event_count; i++)
    struck += strcmp(data->events[i].kind, "projectile") == 0;
  assert_true(struck > 0);
}

// The drives give at most their share of the limit.
static void test_strength_bounds_torque(void **state) {
  Data *data = *state;
  enum { JOINTS = 15 };
  double limit[JOINTS];
  static float torque[MOST_FRAMES][JOINTS][3], strength[MOST_FRAMES][JOINTS];
  assert_int_equal(trace_values(reader, "/characters/runner/joints/torque", "limit", limit, JOINTS), JOINTS);
  read_rows("/characters/runner/joints/torque", TRACE_FLOAT32, data->frames, torque);
  read_rows("/characters/runner/joints/strength", TRACE_FLOAT32, data->frames, strength);
  double most = 0;
  for (int i = 1; i < data->frames; i++)
    for (int k = 0; k < JOINTS; k++) {
      const float *t = torque[i][k];
      double size = sqrt((double)(t[0] * t[0] + t[1] * t[1] + t[2] * t[2])), had = limit[k] * (double)strength[i][k];
      if (size > 1.001 * had)
        fail_msg("joint %d in frame %d: %g of %g N m", k, i, size, had);
      most = fmax(most, size / had);
    }
  assert_true(most > 0.9); // it is no idle bound
}

static int read_trace(void **state) {
  char path[32];
  small_file(path);
  record_run(path, "hit_run", RUN, sizeof RUN / sizeof RUN[0], 182); // between two frames
  Error error = {0};
  reader = trace_open(path, &error);
  remove(path);
  if (!reader)
    return 1;
  Data *data = read_data("runner");
  read_ball(data);
  *state = data;
  return 0;
}

static int close_trace(void **state) {
  Data *data = *state;
  free(data->events);
  free(data);
  trace_reader_close(reader);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_characters_balance),     cmocka_unit_test(test_a_walker_is_moved_by_ground_and_push_alone),
      cmocka_unit_test(test_objects_balance),        cmocka_unit_test(test_objects_are_described),
      cmocka_unit_test(test_strength_bounds_torque),
  };
  return cmocka_run_group_tests(tests, read_trace, close_trace);
}
