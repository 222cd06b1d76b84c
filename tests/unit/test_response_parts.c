// The parts of the responses to a blow, each for itself: when it comes, how far it goes, and to whom.
#include "ragdoll/response/responses_internal.h"
#include "sim/base/numbers.h"
#include "tests/fixture.h"

static Fixture f;
static Responses calm; // who answers as the defaults have it, without random factors

static int begin(void **state) {
  (void)state;
  ResponsesDef def;
  fixture_init(&f);
  fixture_start(&f);
  param_defaults(&responses_params, &def);
  def.enabled = true;
  def.variation = 0;
  responses_init(&calm, &def, f.body, 1, 0);
  assert_true(calm.able);
  return 0;
}

static int end(void **state) {
  (void)state;
  fixture_end(&f);
  return 0;
}

static Pose straight(void) {
  Pose pose = {0};
  for (int i = 0; i < f.body->part_count; i++)
    pose.rotation[i] = glms_quat_identity();
  return pose;
}

// A blow to a part, an age ago (s), whose way points to `degrees` from ahead, to the left; 180: it came from the front.
static Blow blow_to(const char *part, double age, double pain, double degrees) {
  const double way = degrees * RAD_PER_DEGREE;
  return (Blow){.active = true,
                .part = fixture_part(&f, part),
                .age = age,
                .impulse = {20 * sin(way), 0, 20 * cos(way)},
                .pain = pain,
                .jolt = pain,
                .late = 1,
                .size = 1,
                .hand = RESPONSE_NO_HAND};
}

typedef void Respond(Responses *responses, const Blow *blow, const ResponseStep *step);

// The pose that a response makes of a straight one.
static Pose pose_after(Respond *respond, Responses *responses, const Blow *blow) {
  Pose pose = straight();
  const ResponseStep step = {.ragdoll = f.character->ragdoll, .h = 0.01, .pose_w = &pose};
  respond(responses, blow, &step);
  return pose;
}

static void check_turn(const Pose *pose, int joint, double x, double y, double z, int line) {
  const vec3s turn = glms_vec3_scale(quat_log(pose->rotation[joint]), (float)(1 / RAD_PER_DEGREE));
  if (!(fabs((double)turn.x - x) < 1e-3 && fabs((double)turn.y - y) < 1e-3 && fabs((double)turn.z - z) < 1e-3))
    fail_msg("line %d: %s is turned by %g, %g, %g deg, not %g, %g, %g", line, f.body->parts[joint].name, (double)turn.x,
             (double)turn.y, (double)turn.z, x, y, z);
}
#define assert_turned(pose, joint, x, y, z) check_turn(pose, joint, x, y, z, __LINE__)

// The sum over the spine, each joint of which has the same share.
static void check_spine(const Pose *pose, double x, double y, double z, int line) {
  const Skeleton *skeleton = &f.body->skeleton;
  int count = 0;
  for (int joint = calm.body.chest; joint > 0; joint = skeleton->parent[joint])
    count++;
  assert_true(count >= 2);
  for (int joint = calm.body.chest; joint > 0; joint = skeleton->parent[joint])
    check_turn(pose, joint, x / count, y / count, z / count, line);
}
#define assert_spine(pose, x, y, z) check_spine(pose, x, y, z, __LINE__)

// ---- The course of a response ----

static void wave_rises_holds_and_falls(void **state) {
  (void)state;
  // Latency 0.2 s, times 1.5: it begins at 0.3, is half there at 0.35, whole from 0.4 to 0.7, half at 0.8, and ends at
  // 0.9.
  const double cases[][2] = {{0, 0}, {0.3, 0}, {0.35, 0.5}, {0.4, 1}, {0.7, 1}, {0.8, 0.5}, {0.9, 0}, {3, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const Blow blow = {.age = cases[i][0], .late = 1.5, .size = 0.5, .pain = 0.6};
    assert_true(fabs(response_wave(&blow, 2, 0.2, 0.1, 0.3, 0.2) - 2 * 0.5 * 0.6 * cases[i][1]) < 1e-9);
  }
}

// The way of a blow is level, in the body's frame; of one that comes nearly from above there is none.
static void way_of_a_blow(void **state) {
  (void)state;
  Blow blow = {.impulse = {3, 0, 0}};
  Plane2 way = response_way(&blow, M_PI / 2); // he faces +x
  assert_true(fabs(way.x) < 1e-12 && fabs(way.z - 1) < 1e-12);
  way = response_way(&blow, 0);
  assert_true(fabs(way.x - 1) < 1e-12 && fabs(way.z) < 1e-12);
  for (int i = 0; i < 2; i++) {
    blow.impulse[0] = i == 0 ? 0.19 : 0.21;
    blow.impulse[1] = -sqrt(1 - blow.impulse[0] * blow.impulse[0]);
    assert_true(fabs(plane2_length(response_way(&blow, 0)) - i) < 1e-12);
  }
}

// ---- Head and trunk ----

// Who is struck ducks in 0.08 s, 0.07 s after the blow: head by 14 deg, trunk by 6, shoulders forward by 12 and up by
// 14, elbows by 40; and tenses everything but the legs.
static void startle(void **state) {
  (void)state;
  const double cases[][3] = {// age; share of the ducking, of the tension
                             {0.07, 0, 0}, {0.11, 0.5, 0.5}, {0.15, 1, 1}, {0.23, 1, 1}, {0.23 + 0.225, 0.5, 1 - 0.0},
                             {0.68, 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Responses responses = calm;
    const Blow blow = blow_to("pelvis", cases[i][0], 0.8, 180);
    const Pose pose = pose_after(response_startle, &responses, &blow);
    const double size = 0.8 * cases[i][1];
    assert_turned(&pose, calm.body.head, 14 * size, 0, 0);
    assert_spine(&pose, 6 * size, 0, 0);
    for (int side = 0; side < 2; side++) {
      assert_turned(&pose, calm.body.arms[side], -12 * size, 0, (side == 0 ? 14 : -14) * size);
      assert_turned(&pose, calm.body.forearms[side], -40 * size, 0, 0);
    }
  }
  const double tensions[][2] = {{0.07, 0}, {0.11, 0.5}, {0.15, 1}, {0.4, 1}, {0.7, 0.5}, {1, 0}};
  for (size_t i = 0; i < sizeof tensions / sizeof *tensions; i++) {
    Responses responses = calm;
    const Blow blow = blow_to("pelvis", tensions[i][0], 0.8, 180);
    pose_after(response_startle, &responses, &blow);
    for (int part = 1; part < f.body->part_count; part++) {
      const double wanted = f.body->parts[part].carries ? 0 : 1.5 * 0.8 * tensions[i][1];
      assert_true(fabs((double)responses.tension[part] - wanted) < 1e-5);
    }
  }
}

// He bows over a blow to the belly by 30 deg, to the chest by 12, elsewhere by 6, 0.2 s after it and in 0.25 s, and
// bends away by 12 from one that came from the side; over the belly by 0.6 of 30 deg wherever it came from.
static void bow(void **state) {
  (void)state;
  const double late = 0.2 + 0.25 + 0.1; // s, when he has bowed
  const struct {
    const char *part;
    double age, way, forward, aside;
  } cases[] = {{"pelvis", late, 180, 30, 0},
               {"pelvis", late, 0, 18, 0},
               {"pelvis", late, 90, 18, -12},
               {"pelvis", late, -90, 18, 12},
               {f.body->parts[calm.body.chest].name, late, 180, 12, 0},
               {f.body->parts[calm.body.chest].name, late, 0, 0, 0},
               {"head", late, 180, 6, 0},
               {"thigh_l", late, 180, 6, 0},
               {"head", late, 90, 0, -12},
               {"pelvis", 0.2, 180, 0, 0},
               {"pelvis", 0.325, 180, 15, 0},
               {"pelvis", 0.2 + 0.25 + 0.3 + 0.25, 180, 30, 0},
               {"pelvis", 0.2 + 0.25 + 0.3 + 0.25 + 0.45, 180, 15, 0},
               {"pelvis", 0.2 + 0.25 + 0.3 + 0.25 + 0.9, 180, 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int busy = 0; busy < 2; busy++) {
      Responses responses = calm;
      responses.busy = 0.5 * busy;
      const Blow blow = blow_to(cases[i].part, cases[i].age, 0.5, cases[i].way);
      const Pose pose = pose_after(response_bow, &responses, &blow);
      const double size = busy ? 0.25 : 0.5; // pain
      assert_spine(&pose, cases[i].forward * size, 0, cases[i].aside * size);
    }
}

// He looks to where the blow came from: the head by 0.75 of the way and the trunk by the rest, up to 70 deg; less far
// the more it hurts, to a quarter, and the more surely.
static void look(void **state) {
  (void)state;
  const struct {
    const char *part;
    double age, pain, way, from, share; // deg; 0..1: how far he has got
  } cases[] = {
      {"pelvis", 0.8, 0.5, 150, -30, 1},  {"pelvis", 0.8, 0.5, -150, 30, 1},  {"pelvis", 0.8, 0.5, 90, -70, 1},
      {"pelvis", 0.8, 0.5, -70, 70, 1},   {"pelvis", 0.8, 0.9, -150, 30, 1},  {"pelvis", 0.8, 0.1, -150, 30, 1},
      {"head", 0.8, 0.5, -150, 30, 0.3},  {"pelvis", 0.35, 0.5, -150, 30, 0}, {"pelvis", 0.5, 0.5, -150, 30, 0.5},
      {"pelvis", 0.65, 0.5, -150, 30, 1}, {"pelvis", 1.15, 0.5, -150, 30, 1}, {"pelvis", 1.45, 0.5, -150, 30, 0.5},
      {"pelvis", 1.75, 0.5, -150, 30, 0}, {"pelvis", 0.8, 0, -150, 30, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double pain = cases[i].pain, share = cases[i].share * (1 - exp(-4 * pain)) * fmax(0.25, 1 - pain);
    for (int busy = 0; busy < 2; busy++) {
      Responses responses = calm;
      responses.busy = 0.5 * busy;
      const Blow blow = blow_to(cases[i].part, cases[i].age, pain, cases[i].way);
      const Pose pose = pose_after(response_look, &responses, &blow);
      const double turned = cases[i].from * share * (busy ? 0.5 : 1);
      assert_turned(&pose, calm.body.head, 0, 0.75 * turned, 0);
      assert_spine(&pose, 0, 0.25 * turned, 0);
    }
  }
  Responses responses = calm;
  responses.def.look = 3; // he does not turn farther than to where it came from
  Blow blow = blow_to("pelvis", 0.8, 0.5, -150);
  Pose pose = pose_after(response_look, &responses, &blow);
  assert_turned(&pose, calm.body.head, 0, 0.75 * 30 * 0.5 * (1 - exp(-2)), 0);
  blow.impulse[1] = 1000; // from below
  pose = pose_after(response_look, &responses, &blow);
  assert_turned(&pose, calm.body.head, 0, 0, 0);
}

// ---- Legs ----

// A struck thigh's or shin's knee keeps 0.35 of its strength or more, for 0.08 s.
static void knee_gives_way(void **state) {
  (void)state;
  const struct {
    const char *part;
    double age, pain, left;
  } cases[] = {{"thigh_l", 0.15, 0.4, 0.6}, {"shin_l", 0.15, 0.4, 0.6}, {"shin_l", 0.15, 0.9, 0.35},
               {"foot_l", 0.15, 0.9, 1},    {"pelvis", 0.15, 0.9, 1},   {"shin_l", 0.06, 0.4, 1},
               {"shin_l", 0.085, 0.4, 0.8}, {"shin_l", 0.11, 0.4, 0.6}, {"shin_l", 0.19, 0.4, 0.6},
               {"shin_l", 0.29, 0.4, 0.8},  {"shin_l", 0.39, 0.4, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Responses responses = calm;
    const Blow blow = blow_to(cases[i].part, cases[i].age, cases[i].pain, 0);
    pose_after(response_buckle, &responses, &blow);
    for (int part = 0; part < f.body->part_count; part++) {
      const double left = part == fixture_part(&f, "shin_l") ? cases[i].left : 1;
      assert_true(fabs((double)responses.strength[part] - left) < 1e-5);
    }
  }
}

// A shin or foot that was struck with a pain above 0.25 is lifted from 0.25 s to 0.75 s after the blow.
static void struck_shin_is_lifted(void **state) {
  (void)state;
  const struct {
    const char *part;
    double age, pain;
    bool lifts;
  } cases[] = {{"shin_r", 0.3, 0.26, true},  {"foot_r", 0.3, 0.26, true},   {"shin_r", 0.3, 0.25, false},
               {"thigh_r", 0.3, 0.9, false}, {"shin_r", 0.249, 0.9, false}, {"shin_r", 0.25, 0.9, true},
               {"shin_r", 0.749, 0.9, true}, {"shin_r", 0.751, 0.9, false}, {"pelvis", 0.3, 0.9, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Responses responses = calm;
    const Blow blow = blow_to(cases[i].part, cases[i].age, cases[i].pain, 0);
    pose_after(response_hop, &responses, &blow);
    for (int leg = 0; leg < f.body->skeleton.leg_count; leg++) {
      const bool right = f.body->skeleton.legs[leg].knee == fixture_part(&f, "shin_r");
      assert_int_equal(responses.lifts[leg], right && cases[i].lifts);
    }
  }
}

// ---- Arms ----

// The arms of a body that is thrown that way, m ahead and left, for so many s; `beyond`: 1 about to fall.
static Pose arms_after(Responses *responses, double ahead, double left, double beyond, double seconds) {
  Pose pose;
  for (int i = 0; i < (int)(seconds * 500 + 0.5); i++) {
    pose = straight();
    const ResponseStep step = {
        .ragdoll = f.character->ragdoll, .h = 0.002, .off = {.x = left, .z = ahead}, .beyond = beyond, .pose_w = &pose};
    response_arms(responses, &step);
  }
  return pose;
}

// They go out to where the body falls: flexion, abduction and elbow in deg, of which 0.35 are left while he is caught.
static void arms_go_where_the_body_falls(void **state) {
  (void)state;
  const double cases[][6] = {// ahead, left; flexion, abduction of the left and of the right arm, elbow
                             {0.1, 0, 40, 22, 22, 55},
                             {-0.3, 0, 30, 22, 22, 50},
                             {0, 0.2, 14, 22 + 40, 22 + 26, 42},
                             {0, -0.2, 14, 22 + 26, 22 + 40, 42}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Responses responses = calm;
    const Pose pose = arms_after(&responses, cases[i][0], cases[i][1], 1, 20);
    for (int side = 0; side < 2; side++) {
      const int arm = calm.body.arms[side], forearm = calm.body.forearms[side];
      assert_turned(&pose, arm, -0.35 * cases[i][2], 0, 0.35 * (side == 0 ? cases[i][3] : -cases[i][4]));
      assert_turned(&pose, forearm, -0.35 * cases[i][5], 0, 0);
      assert_true(fabs((double)responses.tension[arm] - 0.35 * 0.7) < 1e-4);
      assert_true(fabs((double)responses.tension[forearm] - 0.35 * 0.7) < 1e-4);
    }
  }
  Responses responses = calm;
  responses.def.arms = 20;
  Pose pose = arms_after(&responses, 0.1, 0, 1, 6);
  assert_turned(&pose, calm.body.arms[0], -40 * 1.2, 0, 22 * 1.2); // not farther than 1.2 of it
  assert_true(fabs((double)responses.tension[calm.body.arms[0]] - 0.7) < 1e-4);
  responses = calm;
  pose = arms_after(&responses, 0.1, 0, 0.5, 6); // half way beyond what feet can hold
  assert_turned(&pose, calm.body.arms[0], -0.35 * 20, 0, 0.35 * 11);
  pose = arms_after(&responses, 0, 0, 0, 6); // and down again
  assert_turned(&pose, calm.body.arms[0], 0, 0, 0);
}

// In the first 0.2 s of a reaction the arms follow another way with a time constant of 0.08 s, later with 0.8 s; up
// they take arms_latency, down 0.45 s.
static void arms_take_their_time(void **state) {
  (void)state;
  const double times[][2] = {{0.1, 0.08}, {0.19, 0.08}, {0.21, 0.8}, {5, 0.8}};
  for (int i = 0; i < 4; i++) {
    Responses responses = calm;
    responses.calm_time = 0;
    responses.arms_time = times[i][0];
    arms_after(&responses, 0, 1, 1, 0.002);
    const double share = 0.002 / times[i][1];
    assert_true(fabs(responses.thrown.x - share) < 1e-12 && fabs(responses.thrown.z - (1 - share)) < 1e-12);
    const Plane2 before = responses.thrown;
    arms_after(&responses, 1, 0, 0, 0.002); // who is held by his feet is not thrown
    assert_true(responses.thrown.x == before.x && responses.thrown.z == before.z);
  }
  Responses slow = calm, quick = calm;
  slow.def.arms_latency = 0.45;
  slow.calm_time = 0;
  slow.arms_time = 0.1;
  quick.arms_out[0] = 1;
  for (int i = 0; i < 14; i++) { // rising in 0.45 s and coming down are the same way
    arms_after(&slow, 1, 0, 1, 0.02);
    arms_after(&quick, 1, 0, 0, 0.02);
    assert_true(fabs(slow.arms_out[0] - (1 - quick.arms_out[0])) < 1e-9);
  }
}

// Nothing is asked of the arms for 0.1 s; after 0.45 s of a reaction it fades within 0.4 s.
static void arms_go_out_once(void **state) {
  (void)state;
  const double times[][2] = {{0, 0},        {0.097, 0}, {0.099, 1}, {0.448, 1}, {0.648, 1 - 0.65 / 2},
                             {0.848, 0.35}, {4, 0.35}};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
    Responses responses = calm;
    responses.calm_time = 0;
    responses.arms_time = times[i][0];
    responses.def.arms_latency = 1e-5; // at once
    arms_after(&responses, 0.1, 0, 1, 0.002);
    assert_true(fabs(responses.arms_out[0] - times[i][1]) < 1e-6);
  }
}

// A reaction is over when the body has been beyond its feet by less than a tenth for 0.5 s.
static void reaction_ends_with_calm(void **state) {
  (void)state;
  Responses responses = calm;
  arms_after(&responses, 0.1, 0, 0.11, 0.1);
  assert_true(fabs(responses.arms_time - 0.1) < 1e-9 && responses.calm_time == 0);
  arms_after(&responses, 0.1, 0, 0.09, 0.496);
  assert_true(fabs(responses.calm_time - 0.496) < 1e-9 && fabs(responses.arms_time - 0.596) < 1e-9);
  arms_after(&responses, 0.1, 0, 0.09, 0.006);
  assert_true(responses.arms_time == 0);
  arms_after(&responses, 0.1, 0, 0.11, 0.002);
  assert_true(responses.calm_time == 0 && fabs(responses.arms_time - 0.002) < 1e-9);
}

// ---- All together ----

static void strike(Responses *responses, const char *part, int event, double impulse) {
  const int index = fixture_part(&f, part);
  const dReal *at = dBodyGetPosition(f.character->ragdoll->ode[index]);
  responses_strike(responses, f.character->ragdoll, index, event, (const double[3]){0, 0, impulse}, at);
}

// How much a blow hurts goes by its impulse over the root of the struck part's mass; what one event gives a part adds
// up.
static void blows_hurt_by_their_impulse(void **state) {
  (void)state;
  Responses responses = calm;
  const double mass = f.body->parts[fixture_part(&f, "pelvis")].mass;
  strike(&responses, "pelvis", 1, 16 * sqrt(mass));
  assert_true(fabs(responses.blows[0].pain - (1 - exp(-1))) < 1e-9);
  strike(&responses, "pelvis", 1, 16 * sqrt(mass));
  assert_true(fabs(responses.blows[0].pain - (1 - exp(-pow(2, 1.5)))) < 1e-9);
  assert_false(responses.blows[1].active);
  strike(&responses, "pelvis", 2, 0); // nothing
  assert_false(responses.blows[1].active);
  strike(&responses, "pelvis", 2, 1);
  strike(&responses, "head", 2, 1);
  strike(&responses, "head", 3, 1);
  const int events[RESPONSES_MAX_BLOWS] = {1, 2, 2, 3};
  for (int i = 0; i < RESPONSES_MAX_BLOWS; i++)
    assert_true(responses.blows[i].active && responses.blows[i].event == events[i]);
  responses.blows[2].age = 0.5;
  strike(&responses, "head", 4, 1); // the oldest is forgotten for it
  assert_int_equal(responses.blows[2].event, 4);
  assert_true(responses.blows[2].age == 0 && fabs(responses.blows[2].impulse[2] - 1) < 1e-12);
}

// A blow that lasts hurts by its force: its impulse counts over 1 + its duration / 0.02 s; it startles by all of it.
// What has hurt does not hurt less.
static void shove_hurts_less_than_a_punch(void **state) {
  (void)state;
  Responses responses = calm;
  const double unit = 16 * sqrt(f.body->parts[fixture_part(&f, "pelvis")].mass);
  strike(&responses, "pelvis", 1, 0.1 * unit);
  const double first = responses.blows[0].pain;
  responses.blows[0].age = 0.06;
  strike(&responses, "pelvis", 1, 0.9 * unit);
  assert_true(fabs(responses.blows[0].jolt - (1 - exp(-1))) < 1e-9);
  assert_true(fabs(responses.blows[0].pain - (1 - exp(-pow(1.0 / 4, 1.5)))) < 1e-9);
  responses.blows[0].age = 20;
  responses.blows[0].pain = first;
  strike(&responses, "pelvis", 1, 0.1 * unit);
  assert_true(responses.blows[0].pain == first);
}

// A push through the inside of a part touched the side that it comes from, half the part's size from its middle; at the
// height where it acts. One that acts nearer to the skin, or straight down, stays where it is.
static void pushes_touch_the_skin(void **state) {
  (void)state;
  const int part = fixture_part(&f, "head");
  const double half[2] = {shape_half_size(&f.body->parts[part].shapes[0], 0),
                          shape_half_size(&f.body->parts[part].shapes[0], 2)};
  const double cases[][8] = {// impulse along x, y, z; place along x, z in half sizes, up in m; touched along x, z
                             {5, 0, 0, 0, 0, 0, -1, 0},     {-5, 0, 0, 0, 0, 0.02, 1, 0},
                             {0, 3, -5, 0.3, 0.3, 0, 0, 1}, {5, 0, 0, 0.4, 0.4, 0, 0.4, 0.4},
                             {0, -5, 0, 0, 0, 0, 0, 0},     {0, 0, 5, 0, 0.9, 0, 0, 0.9}};
  const dReal *place = dBodyGetPosition(f.character->ragdoll->ode[part]);
  const versors turn = response_rotation(f.character->ragdoll, part);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Responses responses = calm;
    const double *c = cases[i];
    const vec3s off = glms_quat_rotatev(turn, (vec3s){{(float)(c[3] * half[0]), (float)c[5], (float)(c[4] * half[1])}});
    const vec3s impulse = glms_quat_rotatev(turn, (vec3s){{(float)c[0], (float)c[1], (float)c[2]}});
    const double at[3] = {place[0] + (double)off.x, place[1] + (double)off.y, place[2] + (double)off.z};
    const double push[3] = {(double)impulse.x, (double)impulse.y, (double)impulse.z};
    responses_strike(&responses, f.character->ragdoll, part, 1, push, at);
    const double *com = f.character->ragdoll->com_l[part];
    const double touched[3] = {com[0] + c[6] * half[0], com[1] + c[5], com[2] + c[7] * half[1]};
    for (int axis = 0; axis < 3; axis++)
      assert_true(fabs((double)responses.blows[0].point_l.raw[axis] - touched[axis]) < 1e-4);
  }
}

// Latencies, sizes and arms vary by the parameter, either way.
static void blows_vary(void **state) {
  (void)state;
  Responses responses = calm;
  responses.def.variation = 0.2;
  double least = 9, most = 0, arms[2] = {0};
  for (int i = 0; i < 400; i++) {
    strike(&responses, "pelvis", i, 1);
    for (int k = 0; k < RESPONSES_MAX_BLOWS; k++) {
      const Blow *blow = &responses.blows[k];
      if (blow->active) {
        least = fmin(least, fmin(blow->late, blow->size));
        most = fmax(most, fmax(blow->late, blow->size));
        for (int side = 0; side < 2; side++)
          arms[side] = fmax(arms[side], responses.arms_uneven[side]);
      }
      responses.blows[k].age += 1;
    }
  }
  assert_true(least >= 0.8 && least < 0.81 && most <= 1.2 && most > 1.19);
  for (int side = 0; side < 2; side++)
    assert_true(arms[side] <= 1.44 && arms[side] > 1.35);
}

// A blow is forgotten after 5 s; who was about to fall attends to other things after 0.5 s.
static void blows_are_forgotten(void **state) {
  (void)state;
  Responses responses = calm;
  Pose pose = straight();
  ResponseStep step = {.ragdoll = f.character->ragdoll, .h = 0.125, .beyond = 1, .pose_w = &pose};
  strike(&responses, "pelvis", 1, 10);
  responses_step(&responses, &step);
  assert_true(responses.busy == 1);
  step.beyond = 0;
  for (int i = 1; i <= 5; i++) {
    responses_step(&responses, &step);
    assert_true(fabs(responses.busy - fmax(0, 1 - 0.25 * i)) < 1e-12);
  }
  for (int i = 6; i < 39; i++)
    responses_step(&responses, &step);
  assert_true(responses.blows[0].active); // 4.875 s old
  responses_step(&responses, &step);
  assert_false(responses.blows[0].active);
}

// What is left of the pose's rest, of strength and of the feet's rest by one response alone, of a blow with that hand.
static bool answers_by(size_t response, const char *part, ResponseHand hand) {
  static const size_t responses_of[] = {offsetof(ResponsesDef, startle), offsetof(ResponsesDef, arms),
                                        offsetof(ResponsesDef, reach),   offsetof(ResponsesDef, bow),
                                        offsetof(ResponsesDef, buckle),  offsetof(ResponsesDef, hop),
                                        offsetof(ResponsesDef, look),    offsetof(ResponsesDef, guard)};
  Responses responses = calm;
  responses.def.tension = 0;
  for (size_t i = 0; i < sizeof responses_of / sizeof *responses_of; i++)
    if (responses_of[i] != response)
      *(double *)(void *)((char *)&responses.def + responses_of[i]) = 0;
  strike(&responses, part, 1, -200);
  responses.blows[0].hand = hand;
  bool moved = false;
  for (int i = 0; i < 60; i++) {
    Pose pose = straight();
    const ResponseStep step = {.ragdoll = f.character->ragdoll,
                               .heading = 0.5,
                               .h = 0.02,
                               .off = {.x = 0, .z = 0.1},
                               .beyond = 0.3,
                               .pose_w = &pose};
    responses_step(&responses, &step);
    for (int joint = 1; joint < f.body->part_count; joint++)
      moved |= fabsf(pose.rotation[joint].w) < 0.9999f || responses.strength[joint] < 1;
    moved |= responses.lifts[0] || responses.lifts[1];
  }
  return moved;
}

// Each response answers by itself, and none where all sizes are 0.
static void each_response_is_applied(void **state) {
  (void)state;
  assert_true(answers_by(offsetof(ResponsesDef, startle), "pelvis", RESPONSE_NO_HAND));
  assert_true(answers_by(offsetof(ResponsesDef, arms), "pelvis", RESPONSE_NO_HAND));
  assert_true(answers_by(offsetof(ResponsesDef, reach), "pelvis", RESPONSE_LEFT));
  assert_true(answers_by(offsetof(ResponsesDef, bow), "pelvis", RESPONSE_NO_HAND));
  assert_true(answers_by(offsetof(ResponsesDef, buckle), "thigh_l", RESPONSE_NO_HAND));
  assert_true(answers_by(offsetof(ResponsesDef, hop), "shin_l", RESPONSE_NO_HAND));
  assert_true(answers_by(offsetof(ResponsesDef, look), "pelvis", RESPONSE_NO_HAND));
  assert_true(answers_by(offsetof(ResponsesDef, guard), "pelvis", RESPONSE_NO_HAND));
  assert_false(answers_by(SIZE_MAX, "shin_l", RESPONSE_LEFT));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wave_rises_holds_and_falls),
      cmocka_unit_test(way_of_a_blow),
      cmocka_unit_test(startle),
      cmocka_unit_test(bow),
      cmocka_unit_test(look),
      cmocka_unit_test(knee_gives_way),
      cmocka_unit_test(struck_shin_is_lifted),
      cmocka_unit_test(pushes_touch_the_skin),
      cmocka_unit_test(arms_go_where_the_body_falls),
      cmocka_unit_test(arms_take_their_time),
      cmocka_unit_test(arms_go_out_once),
      cmocka_unit_test(reaction_ends_with_calm),
      cmocka_unit_test(blows_hurt_by_their_impulse),
      cmocka_unit_test(blows_vary),
      cmocka_unit_test(shove_hurts_less_than_a_punch),
      cmocka_unit_test(blows_are_forgotten),
      cmocka_unit_test(each_response_is_applied),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
