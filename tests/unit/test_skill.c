// What a skill sees of a body and what its actions do: tables of several bodies, exact values, mirror images, and
// places in the world.
#include "tests/fixture.h"

#include "anim/mirror.h"
#include "ragdoll/skill/skill.h"
#include "sim/base/rng.h"
#include "sim/world/convert.h"

static const double STEP = 0.05; // s, of which velocities are made: long, so that rounding is not magnified

// A body over level or uneven ground, and a skill that looks at it.
typedef struct Sight {
  FileSet files;
  BodyDef *body;
  Terrain *terrain;
  World *world;
  Ragdoll *ragdoll;
  Clip clip;
  SkillDef skill;
  Ground ground;
  Pose target_m;
  JointGoal goals[BODY_MAX_PARTS];
  float strength[BODY_MAX_PARTS];
  double foot_force[SKELETON_MAX_LEGS][3];
  float last[SKILL_MAX_ACTIONS];
  SkillView view;
} Sight;

// Bumps; context: NULL for level ground, otherwise the sign of x.
static bool ground_height(const void *context, double x, double z, double from, double *height, double normal_w[3]) {
  (void)from;
  (void)normal_w;
  const double *side = context;
  *height = side ? 0.05 * sin(*side * x + 0.3) + 0.1 * z : 0;
  return true;
}

static const char *name_of(char name[64], const char *body) {
  snprintf(name, 64, "bodies/%s.yaml", body);
  return name;
}

static void open_sight(Sight *sight, const char *body) {
  Error error = {0};
  char name[64];
  TerrainDef terrain;
  WorldDef world;
  *sight = (Sight){.clip = {.loop = true, .duration = 1, .root_velocity_l = {{0, 0, 3}}}};
  snprintf(sight->files.folder, sizeof sight->files.folder, "%s", files_scenes_folder());
  sight->body = body_read(&sight->files, name_of(name, body), &error);
  fixture_check(&error);
  param_defaults(&terrain_params, &terrain);
  param_defaults(&world_params, &world);
  sight->terrain = terrain_create(&terrain, 1, &sight->files, &error);
  sight->world = world_create(&world, sight->terrain, 1, &error);
  fixture_check(&error);
  sight->target_m = pose_bind(&sight->body->skeleton);
  sight->ragdoll = ragdoll_create(sight->body, sight->world, 0, &sight->target_m, &error);
  fixture_check(&error);
  sight->skill.body = sight->body;
  sight->skill.clip = &sight->clip;
  param_defaults(&skill_params, &sight->skill.params);
  skill_table_make(&sight->skill.table, sight->body, &sight->skill.params, &error);
  fixture_check(&error);
  sight->ground = (Ground){.height = ground_height};
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    sight->strength[i] = 1;
  sight->view = (SkillView){.ragdoll = sight->ragdoll,
                            .ground = &sight->ground,
                            .goals = sight->goals,
                            .strength = sight->strength,
                            .foot_force = (const double(*)[3])sight->foot_force,
                            .target_m = &sight->target_m,
                            .speed = 3};
}

static void close_sight(Sight *sight) {
  ragdoll_destroy(sight->ragdoll);
  world_destroy(sight->world);
  terrain_destroy(sight->terrain);
  body_free(sight->body);
  files_free(&sight->files);
}

// The target moves from one pose to another in the root's frame, which stands at the origin of the world.
static void want(Sight *sight, const Pose *before, const Pose *target) {
  vec3s turn = quat_log(glms_quat_mul(target->rotation[0], glms_quat_conjugate(before->rotation[0])));
  sight->target_m = *target;
  drive_follow(sight->body, target, before, STEP, sight->goals);
  sight->view.pelvis = target->rotation[0];
  sight->view.pelvis_turn = glms_vec3_scale(turn, (float)(1 / STEP));
  sight->view.pelvis_velocity =
      glms_vec3_scale(glms_vec3_sub(target->position[0], before->position[0]), (float)(1 / STEP));
  sight->view.pelvis_height = (double)target->position[0].y;
}

// The body is in a pose, and moves toward the next.
static void put(Sight *sight, const Pose *pose, const Pose *next) {
  ragdoll_set_pose(sight->ragdoll, pose, next, STEP);
}

static void look(const Sight *sight, float inputs[SKILL_MAX_INPUTS]) {
  skill_observe(&sight->skill, &sight->view, sight->last, inputs);
}

static int input_of(const Sight *sight, const char *name) {
  for (int i = 0; i < sight->skill.table.input_count; i++)
    if (strcmp(sight->skill.table.inputs[i].name, name) == 0)
      return i;
  fail_msg("no input '%s'", name);
  return -1;
}

static void assert_input(const Sight *sight, const float inputs[], const char *name, double value) {
  double is = (double)inputs[input_of(sight, name)];
  if (!(fabs(is - value) <= 2e-6))
    fail_msg("'%s' is %.9g, not %.9g", name, is, value);
}

static void assert_same(const Sight *sight, const float a[], const float b[], double tolerance) {
  for (int i = 0; i < sight->skill.table.input_count; i++)
    if (!(fabs((double)(a[i] - b[i])) <= tolerance))
      fail_msg("'%s' is %.9g and %.9g", sight->skill.table.inputs[i].name, (double)a[i], (double)b[i]);
}

static vec3s random_vector(Rng *rng, double range) {
  vec3s v;
  for (int i = 0; i < 3; i++)
    v.raw[i] = (float)rng_range(rng, -range, range);
  return v;
}

// A pose near another one: joints turned, and the pelvis moved.
static Pose near_pose(const Pose *pose, double range, Rng *rng) {
  Pose near = *pose;
  near.position[0] = glms_vec3_add(near.position[0], random_vector(rng, range));
  for (int i = 0; i < near.count; i++)
    near.rotation[i] = glms_quat_normalize(glms_quat_mul(quat_exp(random_vector(rng, range)), near.rotation[i]));
  return near;
}

// ---- Tables ----

static void check_channels(const SkillChannel channels[], int count) {
  for (int i = 0; i < count; i++) {
    const SkillChannel *channel = &channels[i];
    assert_in_range(channel->twin, 0, count - 1);
    assert_int_equal(channels[channel->twin].twin, i);
    assert_true(channel->sign == channels[channel->twin].sign && fabsf(channel->sign) == 1);
    assert_true(channel->name[0] != '\0');
    for (int k = 0; k < i; k++)
      assert_string_not_equal(channel->name, channels[k].name);
  }
}

static void test_tables_of_bodies(void **state) {
  (void)state;
  const struct {
    const char *name;
    bool fits;
  } bodies[] = {{"human", true}, {"human_scarf", true}, {"winged", true}, {"lizard", false}, {"spider", false}};
  for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
    FileSet files = {0};
    Error error = {0};
    SkillParams params;
    static SkillTable table;
    char name[64];
    snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
    BodyDef *body = body_read(&files, name_of(name, bodies[k].name), &error);
    fixture_check(&error);
    param_defaults(&skill_params, &params);
    bool fits = skill_table_make(&table, body, &params, &error);
    if (fits != bodies[k].fits)
      fail_msg("%s: %s", bodies[k].name, fits ? "fits" : error.text);
    if (fits) {
      check_channels(table.inputs, table.input_count);
      check_channels(table.actions, table.action_count);
      assert_true(table.length > 0);
      for (int i = 0; i < table.action_count - 1; i++)
        if (!(table.action_unit[i] > 0 && table.action_unit[i] <= (float)params.farthest))
          fail_msg("%s: '%s' turns by %g", bodies[k].name, table.actions[i].name, (double)table.action_unit[i]);
      assert_string_equal(table.actions[table.action_count - 1].name, "pace");
      const int last = table.input_count - table.action_count; // the last actions are the last inputs
      for (int i = 0; i < table.action_count; i++) {
        assert_int_equal(table.inputs[last + i].twin, last + table.actions[i].twin);
        assert_true(table.inputs[last + i].sign == table.actions[i].sign);
      }
    } else {
      assert_non_null(strstr(error.text, "too many joints for a skill"));
      assert_non_null(strstr(error.text, body->name));
    }
    body_free(body);
    files_free(&files);
  }
}

// Human and mirror image: a sample of twins and signs by hand.
static void test_twins_of_the_human(void **state) {
  (void)state;
  Sight sight;
  open_sight(&sight, "human");
  const SkillChannel *inputs = sight.skill.table.inputs;
  const struct {
    const char *name, *twin;
    float sign;
  } samples[] = {{"pelvis velocity x", "pelvis velocity x", -1},   {"pelvis turn x", "pelvis turn x", 1},
                 {"pelvis turn y", "pelvis turn y", -1},           {"thigh_l error x", "thigh_r error x", 1},
                 {"thigh_l rate z", "thigh_r rate z", -1},         {"foot_r place x", "foot_l place x", -1},
                 {"left leg load", "right leg load", 1},           {"turn rate", "turn rate", -1},
                 {"last upper_arm_l y", "last upper_arm_r y", -1}, {"shin_r strength", "shin_l strength", 1}};
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    const SkillChannel *input = &inputs[input_of(&sight, samples[i].name)];
    assert_string_equal(inputs[input->twin].name, samples[i].twin);
    assert_true(input->sign == samples[i].sign);
  }
  close_sight(&sight);
}

// ---- Exact values ----

static void test_at_the_target(void **state) {
  (void)state;
  Sight sight;
  float inputs[SKILL_MAX_INPUTS];
  open_sight(&sight, "human");
  const Skeleton *skeleton = &sight.body->skeleton;
  Pose pose = pose_bind(skeleton);
  want(&sight, &pose, &pose);
  put(&sight, &pose, NULL);
  sight.view.phase = 0.125;
  sight.view.speed = 3.5;
  sight.view.turn_rate = -0.25;
  sight.strength[skeleton_find(skeleton, "shin_l")] = 0.5f;
  sight.foot_force[1][1] = 0.75 * sight.body->mass * 9.81;
  sight.last[2] = 0.5f;
  look(&sight, inputs);
  const SkillTable *table = &sight.skill.table;
  for (int i = 0; i < table->input_count; i++) {
    bool is_error = i < SKILL_UP || (i >= SKILL_VELOCITY && i < table->end_at + 3 * table->end_count);
    if (is_error && !(fabsf(inputs[i]) < 2e-6f))
      fail_msg("'%s' is %g at the target", table->inputs[i].name, (double)inputs[i]);
  }
  const struct {
    const char *name;
    double value;
  } known[] = {{"pelvis up x", 0},
               {"pelvis up y", 1},
               {"pelvis up z", 0},
               {"pelvis forward x", 0},
               {"pelvis forward y", 0},
               {"pelvis forward z", 1},
               {"phase sine", sqrt(0.5)},
               {"phase cosine", sqrt(0.5)},
               {"phase sine 2", 1},
               {"phase cosine 2", 0},
               {"speed", 0.5},
               {"turn rate", -0.25},
               {"shin_l strength", 0.5},
               {"shin_r strength", 1},
               {"left leg load", 0},
               {"right leg load", 0.75},
               {"left leg velocity z", 0}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    assert_input(&sight, inputs, known[i].name, known[i].value);
  assert_true(inputs[table->input_count - table->action_count + 2] == 0.5f);
  ModelPose model;
  pose_to_model(skeleton, &pose, &model);
  const Leg *leg = &skeleton->legs[0];
  assert_input(&sight, inputs, "left leg heel height", (double)(model.position[leg->ankle].y + leg->heel_l.y));
  assert_input(&sight, inputs, "left leg toe height", (double)(model.position[leg->ankle].y + leg->toe_l.y));
  close_sight(&sight);
}

// A body that moves just as its target does has no error of velocity.
static void test_moving_as_the_target(void **state) {
  (void)state;
  Sight sight;
  float inputs[SKILL_MAX_INPUTS];
  Rng rng = rng_make(1, "poses");
  open_sight(&sight, "human");
  Pose before = pose_bind(&sight.body->skeleton), target = before, next = before;
  target.position[0].z += 0.15f;
  next.position[0].z += 0.3f;
  want(&sight, &before, &target);
  put(&sight, &target, &next);
  look(&sight, inputs);
  for (int i = SKILL_VELOCITY; i < SKILL_TURN + 3; i++)
    assert_true(fabsf(inputs[i]) < 1e-5f);
  assert_true(fabs((double)inputs[input_of(&sight, "right leg velocity z")] - 3) < 1e-5);
  for (int k = 0; k < 5; k++) { // any pose, at rest
    target = near_pose(&before, 0.5, &rng);
    want(&sight, &target, &target);
    put(&sight, &target, NULL);
    look(&sight, inputs);
    const SkillTable *table = &sight.skill.table;
    for (int i = 0; i < table->end_at + 3 * table->end_count; i++)
      if ((i < SKILL_UP || i >= SKILL_VELOCITY) && !(fabsf(inputs[i]) < 1e-5f))
        fail_msg("'%s' is %g at the target", table->inputs[i].name, (double)inputs[i]);
  }
  close_sight(&sight);
}

static void test_known_errors(void **state) {
  (void)state;
  Sight sight;
  float inputs[SKILL_MAX_INPUTS];
  open_sight(&sight, "human");
  const Skeleton *skeleton = &sight.body->skeleton;
  Pose target = pose_bind(skeleton), pose = target, next;
  int shin = skeleton_find(skeleton, "shin_l"), arm = skeleton_find(skeleton, "upper_arm_r");
  want(&sight, &target, &target);

  pose.position[0] = glms_vec3_add(pose.position[0], (vec3s){{0.3f, 0.1f, -0.2f}}); // only the height counts
  pose.rotation[0] = quat_exp((vec3s){{0, 0.3f, 0}});
  put(&sight, &pose, NULL);
  look(&sight, inputs);
  assert_input(&sight, inputs, "pelvis height", 0.1);
  assert_input(&sight, inputs, "pelvis error x", 0);
  assert_input(&sight, inputs, "pelvis error y", -0.3);
  assert_input(&sight, inputs, "pelvis forward x", sin(0.3));
  assert_input(&sight, inputs, "pelvis forward z", cos(0.3));
  assert_input(&sight, inputs, "pelvis up y", 1);
  assert_input(&sight, inputs, "shin_l error x", 0);

  pose = next = target;
  pose.rotation[shin] = glms_quat_mul(quat_exp((vec3s){{0.2f, 0, 0}}), target.rotation[shin]);
  next.rotation[shin] = glms_quat_mul(quat_exp((vec3s){{0.3f, 0, 0}}), target.rotation[shin]);
  next.rotation[arm] = glms_quat_mul(quat_exp((vec3s){{0, 0, -0.1f}}), target.rotation[arm]);
  next.position[0].x += 0.05f;
  put(&sight, &pose, &next);
  look(&sight, inputs);
  assert_input(&sight, inputs, "shin_l error x", -0.2);
  assert_input(&sight, inputs, "shin_r error x", 0);
  assert_true(fabs((double)inputs[input_of(&sight, "shin_l rate x")] + SKILL_RATE_UNIT * 0.1 / STEP) < 1e-5);
  assert_true(fabs((double)inputs[input_of(&sight, "upper_arm_r rate z")] - SKILL_RATE_UNIT * 0.1 / STEP) < 1e-5);
  assert_true(fabs((double)inputs[input_of(&sight, "pelvis velocity x")] - 1) < 1e-5);
  ModelPose model;
  pose_to_model(skeleton, &pose, &model);
  int foot = skeleton->legs[0].ankle;
  double turned = (double)model.position[foot].z; // m, with the shin turned
  pose_to_model(skeleton, &target, &model);
  assert_input(&sight, inputs, "foot_l place z", turned - (double)model.position[foot].z);
  assert_true(fabsf(inputs[input_of(&sight, "foot_l place z")]) > 0.05f);
  close_sight(&sight);
}

// ---- Mirror ----

// A body, its target and all that is wanted, in random states; and their images in a mirror at x = 0.
typedef struct Image {
  Pose pose, next, before, target;
} Image;

static Image mirrored_image(const Skeleton *skeleton, const Image *image) {
  Image out;
  mirror_pose(skeleton, &image->pose, &out.pose);
  mirror_pose(skeleton, &image->next, &out.next);
  mirror_pose(skeleton, &image->before, &out.before);
  mirror_pose(skeleton, &image->target, &out.target);
  return out;
}

static void mirror_surroundings(Sight *sight) {
  const Skeleton *skeleton = &sight->body->skeleton;
  float strength[BODY_MAX_PARTS], last[SKILL_MAX_ACTIONS];
  double force[SKELETON_MAX_LEGS][3];
  memcpy(strength, sight->strength, sizeof strength);
  memcpy(force, sight->foot_force, sizeof force);
  memcpy(last, sight->last, sizeof last);
  for (int i = 0; i < sight->body->part_count; i++)
    sight->strength[i] = strength[skeleton->twin[i]];
  for (int i = 0; i < skeleton->leg_count; i++) {
    memcpy(sight->foot_force[i], force[mirror_leg(skeleton, i)], sizeof force[0]);
    sight->foot_force[i][0] *= -1;
  }
  skill_actions(&sight->skill, true, last, sight->last);
  sight->view.turn_rate *= -1;
  sight->view.heading *= -1;
}

static void see_in_mirror(const char *body, uint64_t seed) {
  Sight sight;
  float inputs[SKILL_MAX_INPUTS], mirrored[SKILL_MAX_INPUTS], halves[SKILL_MAX_INPUTS];
  const double side = 1, other_side = -1;
  Rng rng = rng_make(seed, body);
  open_sight(&sight, body);
  const Skeleton *skeleton = &sight.body->skeleton;
  Pose bind = pose_bind(skeleton);
  Image image = {.target = near_pose(&bind, 0.4, &rng)};
  image.before = near_pose(&image.target, 0.05, &rng);
  image.pose = near_pose(&image.target, 0.3, &rng);
  image.next = near_pose(&image.pose, 0.05, &rng);
  sight.view.heading = 0.2; // the target is seen from a heading of its own
  sight.view.turn_rate = 0.7;
  sight.view.phase = 0.3;
  sight.ground.context = &side;
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    sight.strength[i] = (float)rng_unit(&rng);
  for (int i = 0; i < SKELETON_MAX_LEGS; i++)
    sight.foot_force[i][1] = rng_range(&rng, 0, 500);
  for (int i = 0; i < sight.skill.table.action_count; i++)
    sight.last[i] = (float)rng_range(&rng, -1, 1);

  want(&sight, &image.before, &image.target);
  put(&sight, &image.pose, &image.next);
  look(&sight, inputs);
  sight.skill.params.mirror = true; // the second half of a cycle that repeats itself
  look(&sight, halves);

  Image other = mirrored_image(skeleton, &image);
  mirror_surroundings(&sight);
  sight.ground.context = &other_side;
  want(&sight, &other.before, &other.target);
  put(&sight, &other.pose, &other.next);
  sight.skill.params.mirror = false;
  sight.view.mirrored = true;
  assert_true(skill_sees_mirror(&sight.skill, &sight.view));
  look(&sight, mirrored);
  assert_same(&sight, inputs, mirrored, 2e-5);

  sight.view.mirrored = false;
  assert_false(skill_sees_mirror(&sight.skill, &sight.view));
  look(&sight, mirrored);
  int place = input_of(&sight, "pelvis velocity x");
  assert_true(fabsf(mirrored[place] - inputs[place]) > 1e-3f); // without a mirror it looks different
  sight.skill.params.mirror = true;
  sight.view.phase = 0.8;
  assert_true(skill_sees_mirror(&sight.skill, &sight.view));
  look(&sight, mirrored);
  assert_same(&sight, halves, mirrored, 2e-5);
  sight.view.mirrored = true; // a mirrored clip in its second half is seen as it is
  assert_false(skill_sees_mirror(&sight.skill, &sight.view));
  close_sight(&sight);
}

static void test_mirrored_body_in_mirrored_surroundings(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 5; seed++)
    see_in_mirror("human", seed);
  see_in_mirror("winged", 1);
}

// ---- Place and heading ----

// Shifts and turns the body in the world, in double precision.
static void displace(Sight *sight, double turn, const double shift[3]) {
  double s = sin(turn), c = cos(turn);
  dQuaternion up = {cos(turn / 2), 0, sin(turn / 2), 0};
  for (int i = 0; i < sight->body->part_count; i++) {
    dBodyID body = sight->ragdoll->ode[i];
    const dReal *x = dBodyGetPosition(body), *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    dQuaternion turned;
    dQMultiply0(turned, up, dBodyGetQuaternion(body));
    dBodySetPosition(body, c * x[0] + s * x[2] + shift[0], x[1] + shift[1], c * x[2] - s * x[0] + shift[2]);
    dBodySetLinearVel(body, c * v[0] + s * v[2], v[1], c * v[2] - s * v[0]);
    dBodySetAngularVel(body, c * w[0] + s * w[2], w[1], c * w[2] - s * w[0]);
    dBodySetQuaternion(body, turned);
  }
}

static void test_place_and_heading_do_not_matter(void **state) {
  (void)state;
  Sight sight;
  float inputs[SKILL_MAX_INPUTS], elsewhere[SKILL_MAX_INPUTS];
  Rng rng = rng_make(4, "places");
  open_sight(&sight, "human");
  Pose bind = pose_bind(&sight.body->skeleton), target = near_pose(&bind, 0.3, &rng);
  Pose before = near_pose(&target, 0.05, &rng), pose = near_pose(&target, 0.2, &rng);
  Pose next = near_pose(&pose, 0.05, &rng);
  want(&sight, &before, &target);
  put(&sight, &pose, &next);
  look(&sight, inputs);
  for (int k = 0; k < 4; k++) {
    double turn = rng_range(&rng, -3, 3);
    const double shift[3] = {rng_range(&rng, -900, 900), 0, rng_range(&rng, -900, 900)};
    put(&sight, &pose, &next);
    displace(&sight, turn, shift);
    sight.view.heading = turn;
    look(&sight, elsewhere);
    assert_same(&sight, inputs, elsewhere, 1e-5);
  }
  close_sight(&sight);
}

// ---- Actions ----

static void test_an_action_turns_its_joint_alone(void **state) {
  (void)state;
  Sight sight;
  open_sight(&sight, "human");
  const SkillTable *table = &sight.skill.table;
  Pose pose = pose_bind(&sight.body->skeleton);
  sight.skill.params.gain = 0.8;
  want(&sight, &pose, &pose);
  for (int i = 0; i < table->action_count; i++)
    for (int in_mirror = 0; in_mirror < 2; in_mirror++) {
      float outputs[SKILL_MAX_ACTIONS] = {0}, actions[SKILL_MAX_ACTIONS];
      versors turns[BODY_MAX_PARTS];
      JointGoal goals[BODY_MAX_PARTS];
      double pace;
      outputs[i] = 0.5f;
      memcpy(goals, sight.goals, sizeof goals);
      skill_actions(&sight.skill, in_mirror, outputs, actions);
      skill_interpret(&sight.skill, actions, turns, &pace);
      skill_turn_goals(&sight.skill, turns, goals);
      int acts = in_mirror ? table->actions[i].twin : i, last = table->action_count - 1;
      float sign = in_mirror ? table->actions[i].sign : 1;
      assert_true(fabs(pace - (i == last ? 1 + 0.5 * sight.skill.params.pace : 1)) < 1e-7);
      for (int k = 1; k < sight.body->part_count; k++) {
        const JointGoal *before = &sight.goals[k];
        vec3s turn = quat_log(glms_quat_mul(goals[k].rotation, glms_quat_conjugate(before->rotation)));
        vec3s wanted = GLMS_VEC3_ZERO;
        if (i != last && table->axis_part[table->action_axis[acts]] == k)
          wanted.raw[table->axis[table->action_axis[acts]]] = 0.5f * sign * table->action_unit[acts];
        assert_true(glms_vec3_distance(turn, wanted) < 1e-6f);
        double gain = sight.body->parts[k].carries ? sight.skill.params.leg_gain : 0.8;
        assert_true(fabs(goals[k].stiffness - gain * before->stiffness) <= 1e-9 * before->stiffness);
        assert_true(fabs(goals[k].damping - gain * before->damping) <= 1e-9 * before->damping);
        assert_memory_equal(&goals[k].angular_velocity_l, &before->angular_velocity_l, sizeof(vec3s));
      }
    }
  close_sight(&sight);
}

static void test_actions_in_the_mirror_and_back(void **state) {
  (void)state;
  Sight sight;
  Rng rng = rng_make(2, "actions");
  open_sight(&sight, "human");
  int count = sight.skill.table.action_count;
  float outputs[SKILL_MAX_ACTIONS], actions[SKILL_MAX_ACTIONS], again[SKILL_MAX_ACTIONS];
  for (int i = 0; i < count; i++)
    outputs[i] = (float)rng_range(&rng, -3.9, 3.9);
  skill_actions(&sight.skill, false, outputs, actions);
  assert_memory_equal(actions, outputs, (size_t)count * sizeof *actions);
  skill_actions(&sight.skill, true, outputs, actions);
  skill_actions(&sight.skill, true, actions, again);
  assert_memory_equal(again, outputs, (size_t)count * sizeof *again);
  assert_memory_not_equal(actions, outputs, (size_t)count * sizeof *actions);
  close_sight(&sight);
}

static void test_actions_are_limited_and_numbers(void **state) {
  (void)state;
  Sight sight;
  open_sight(&sight, "human");
  const float bad[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 4.5f};
  const float right[] = {0, 0, 0, 4, -4, 4};
  int count = sight.skill.table.action_count;
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    float outputs[SKILL_MAX_ACTIONS], actions[SKILL_MAX_ACTIONS], inputs[SKILL_MAX_INPUTS];
    versors turns[BODY_MAX_PARTS];
    double pace;
    for (int i = 0; i < count; i++)
      outputs[i] = sight.last[i] = bad[k];
    skill_actions(&sight.skill, false, outputs, actions);
    for (int i = 0; i < count; i++)
      assert_true(actions[i] == right[k]);
    skill_interpret(&sight.skill, actions, turns, &pace);
    double most = sight.skill.params.pace;
    assert_true(fabs(pace - (1 + fmax(-most, fmin(most, most * (double)right[k])))) < 1e-7);
    sight.foot_force[0][1] = (double)bad[k]; // nor does a bad measurement reach the network
    want(&sight, &sight.target_m, &sight.target_m);
    look(&sight, inputs);
    for (int i = 0; i < sight.skill.table.input_count; i++)
      assert_true(isfinite(inputs[i]));
  }
  close_sight(&sight);
}

// Units follow from strength, gain and reach, up to the farthest.
static void test_units_of_actions(void **state) {
  (void)state;
  Sight sight;
  static SkillTable table;
  Error error = {0};
  open_sight(&sight, "human");
  SkillParams params = sight.skill.params;
  params.reach = 0.2;
  params.farthest = 0.3;
  assert_true(skill_table_make(&table, sight.body, &params, &error));
  int capped = 0;
  for (int i = 0; i < table.action_count - 1; i++) {
    const PartDef *part = &sight.body->parts[table.axis_part[table.action_axis[i]]];
    double gain = part->carries ? params.leg_gain : params.gain;
    double unit = 0.2 * part->joint.strength / (gain * part->joint.stiffness);
    assert_true(fabs((double)table.action_unit[i] - fmin(unit, 0.3)) < 1e-6);
    capped += unit > 0.3;
  }
  assert_in_range(capped, 1, table.action_count - 2);
  close_sight(&sight);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tables_of_bodies),
      cmocka_unit_test(test_twins_of_the_human),
      cmocka_unit_test(test_at_the_target),
      cmocka_unit_test(test_moving_as_the_target),
      cmocka_unit_test(test_known_errors),
      cmocka_unit_test(test_mirrored_body_in_mirrored_surroundings),
      cmocka_unit_test(test_place_and_heading_do_not_matter),
      cmocka_unit_test(test_an_action_turns_its_joint_alone),
      cmocka_unit_test(test_actions_in_the_mirror_and_back),
      cmocka_unit_test(test_actions_are_limited_and_numbers),
      cmocka_unit_test(test_units_of_actions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
