// Hands of a struck man: which one goes to the struck place, how far and when; and the guard against another blow.
#include "ragdoll/response/responses_internal.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"
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
  assert_true(calm.able && calm.body.hands[0] >= 0 && calm.body.hands[1] >= 0);
  return 0;
}

static int end(void **state) {
  (void)state;
  fixture_end(&f);
  return 0;
}

// A blow from the front to a place of a part, m in its frame.
static Blow blow_at(int part, vec3s place, double age, double pain) {
  return (Blow){.active = true,
                .part = part,
                .age = age,
                .impulse = {0, 0, -20},
                .point_l = place,
                .pain = pain,
                .late = 1,
                .size = 1,
                .hand = RESPONSE_NO_HAND};
}

static ResponseHand hand_for(const char *part, vec3s place, double pain) {
  Responses responses = calm;
  const Blow blow = blow_at(part ? fixture_part(&f, part) : calm.body.chest, place, 0, pain);
  return response_choose_hand(&responses, f.character->ragdoll, &blow);
}

// ---- Which hand ----

// The other one holds a struck arm; both go before the face from a pain of 0.28; none goes between the shoulder blades
// or far down; otherwise the nearer one.
static void nearer_hand_goes(void **state) {
  (void)state;
  const struct {
    const char *part; // NULL: the chest
    vec3s place;
    double pain;
    ResponseHand hand;
  } cases[] = {{"upper_arm_l", {{0.5f, 0, 0}}, 0.5, RESPONSE_RIGHT},
               {"hand_l", {{0.5f, 0, 0}}, 0.5, RESPONSE_RIGHT},
               {"forearm_r", {{-0.5f, 0, 0}}, 0.5, RESPONSE_LEFT},
               {"head", {{0.1f, 0, 0}}, 0.29, RESPONSE_BOTH},
               {"head", {{0.1f, 0, 0}}, 0.27, RESPONSE_LEFT},
               {"head", {{-0.1f, 0, -0.1f}}, 0.27, RESPONSE_RIGHT}, // also behind it
               {NULL, {{0.1f, -0.3f, 0.1f}}, 0.9, RESPONSE_LEFT},
               {NULL, {{-0.1f, -0.3f, 0.1f}}, 0.9, RESPONSE_RIGHT},
               {NULL, {{0.1f, -0.74f, 0.1f}}, 0.5, RESPONSE_LEFT},
               {NULL, {{0.1f, -0.76f, 0.1f}}, 0.5, RESPONSE_NO_HAND},
               {NULL, {{0.17f, -0.19f, -0.06f}}, 0.5, RESPONSE_NO_HAND},
               {NULL, {{-0.17f, -0.19f, -0.06f}}, 0.5, RESPONSE_NO_HAND},
               {NULL, {{0.19f, -0.19f, -0.06f}}, 0.5, RESPONSE_LEFT},
               {NULL, {{0.17f, -0.21f, -0.06f}}, 0.5, RESPONSE_LEFT},
               {NULL, {{0.17f, -0.19f, -0.04f}}, 0.5, RESPONSE_LEFT}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const ResponseHand hand = hand_for(cases[i].part, cases[i].place, cases[i].pain);
    if (hand != cases[i].hand)
      fail_msg("case %d: hand %d", (int)i, (int)hand);
  }
}

// To a place within 6 cm of the middle either may go; once chosen it stays.
static void either_hand_goes_to_the_middle(void **state) {
  (void)state;
  const double places[][2] = {{0.061, 1}, {0.03, 0.75}, {0, 0.5}, {-0.03, 0.25}, {-0.061, 0}}; // share of the left hand
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    Responses responses = calm;
    const Blow blow = blow_at(calm.body.chest, (vec3s){{(float)places[i][0], -0.3f, 0.1f}}, 0, 0.5);
    int left = 0;
    for (int k = 0; k < 4000; k++)
      left += response_choose_hand(&responses, f.character->ragdoll, &blow) == RESPONSE_LEFT;
    const double most = places[i][1] == 0 || places[i][1] == 1 ? 0 : 0.03;
    assert_true(fabs(left / 4000.0 - places[i][1]) <= most);
  }
  Responses responses = calm;
  Blow blow = blow_at(calm.body.chest, (vec3s){{0.2f, -0.3f, 0.1f}}, 0, 0.5);
  blow.hand = RESPONSE_RIGHT;
  assert_int_equal(response_choose_hand(&responses, f.character->ragdoll, &blow), RESPONSE_LEFT);
  blow.age = 0.01;
  assert_int_equal(response_choose_hand(&responses, f.character->ragdoll, &blow), RESPONSE_RIGHT);
}

// ---- Where it goes ----

static Pose straight(void) {
  Pose pose = {0};
  for (int i = 0; i < f.body->part_count; i++)
    pose.rotation[i] = glms_quat_identity();
  return pose;
}

// m, chest's frame.
static vec3s wrist_of(const Pose *pose, int side) {
  const Skeleton *skeleton = &f.body->skeleton;
  const int arm = calm.body.arms[side], forearm = calm.body.forearms[side];
  const vec3s hand = glms_quat_rotatev(pose->rotation[forearm], skeleton->bind_position_l[calm.body.hands[side]]);
  const vec3s elbow = glms_vec3_add(skeleton->bind_position_l[forearm], hand);
  return glms_vec3_add(skeleton->bind_position_l[arm], glms_quat_rotatev(pose->rotation[arm], elbow));
}

typedef void Respond(Responses *responses, const Blow *blow, const ResponseStep *step);

static Pose pose_after(Respond *respond, Responses *responses, const Blow *blow) {
  Pose pose = straight();
  const ResponseStep step = {.ragdoll = f.character->ragdoll, .h = 0.01, .pose_w = &pose};
  respond(responses, blow, &step);
  return pose;
}

static void check_place(vec3s is, vec3s wanted, double most, int line) {
  if (!((double)glms_vec3_distance(is, wanted) < most))
    fail_msg("line %d: at %g, %g, %g, not at %g, %g, %g", line, (double)is.x, (double)is.y, (double)is.z,
             (double)wanted.x, (double)wanted.y, (double)wanted.z);
}
#define assert_place(is, wanted, most) check_place(is, wanted, most, __LINE__)

// Both hands go before the face.
static void hands_cover_the_face(void **state) {
  (void)state;
  Responses responses = calm;
  Blow blow = blow_at(calm.body.head, GLMS_VEC3_ZERO, 1, 0.9);
  blow.hand = RESPONSE_BOTH;
  const Pose pose = pose_after(response_reach, &responses, &blow);
  assert_place(wrist_of(&pose, 0), ((vec3s){{0.06f, 0.28f, 0.2f}}), 2e-3);
  assert_place(wrist_of(&pose, 1), ((vec3s){{-0.06f, 0.28f, 0.2f}}), 2e-3);
}

// Where the wrist is of a hand that covers a place of the chest: 7 cm out from it, level, and 6 cm below.
static vec3s covered(vec3s place) {
  const vec3s center = vec3_from_ode(f.character->ragdoll->com_l[calm.body.chest]);
  const float away = hypotf(place.x - center.x, place.z - center.z);
  return (vec3s){
      {place.x + 0.07f * (place.x - center.x) / away, place.y - 0.06f, place.z + 0.07f * (place.z - center.z) / away}};
}

// The share of the way that a hand has gone: it follows from its height, whose way is straight.
static double share_of(const Responses *calm_one, const Blow *blow, double busy, vec3s *wrist) {
  Responses responses = *calm_one;
  responses.busy = busy;
  const Pose none = straight(), pose = pose_after(response_reach, &responses, blow);
  const vec3s from = wrist_of(&none, 0), goal = covered(blow->point_l);
  *wrist = wrist_of(&pose, 0);
  return (double)((wrist->y - from.y) / (goal.y - from.y));
}

static void hand_goes_to_the_struck_place(void **state) {
  (void)state;
  const vec3s place = {{0.06f, -0.05f, 0.15f}};
  const Pose none = straight();
  const vec3s from = wrist_of(&none, 0), goal = covered(place);
  Blow blow = blow_at(calm.body.chest, place, 1, 0.5);
  vec3s wrist;
  blow.hand = RESPONSE_LEFT;
  assert_true(fabs(share_of(&calm, &blow, 0, &wrist) - 1) < 0.01);
  assert_place(wrist, goal, 2e-3);
  // On the way it goes forward first, around the trunk by 24 cm at most, and inward last.
  assert_true(fabs(share_of(&calm, &blow, 0.2, &wrist) - 0.8) < 0.01);
  assert_place(wrist,
               ((vec3s){{from.x + 0.64f * (goal.x - from.x), from.y + 0.8f * (goal.y - from.y),
                         from.z + 0.96f * (goal.z - from.z) + 0.24f * 4 * 0.8f * 0.2f}}),
               2e-3);
  assert_true((double)glms_vec3_norm(wrist_of(&none, 1)) > 0); // the other arm hangs on
  Responses responses = calm;
  const Pose pose = pose_after(response_reach, &responses, &blow);
  assert_place(wrist_of(&pose, 1), wrist_of(&none, 1), 1e-6);
}

// A wrist that goes to a place beside or behind the trunk does not go around before it, and the elbow comes behind.
static void hand_goes_straight_beside_and_behind(void **state) {
  (void)state;
  const vec3s places[] = {{{0.2f, -0.1f, 0.03f}}, {{0.08f, -0.25f, -0.15f}}};
  const Skeleton *skeleton = &f.body->skeleton;
  const Pose none = straight();
  const vec3s from = wrist_of(&none, 0);
  for (int i = 0; i < 2; i++) {
    Blow blow = blow_at(calm.body.chest, places[i], 1, 0.5);
    vec3s wrist;
    blow.hand = RESPONSE_LEFT;
    const vec3s goal = covered(places[i]);
    share_of(&calm, &blow, 0.2, &wrist);
    assert_place(wrist,
                 ((vec3s){{from.x + 0.64f * (goal.x - from.x), from.y + 0.8f * (goal.y - from.y),
                           from.z + 0.96f * (goal.z - from.z)}}),
                 i == 0 ? 3e-3 : 8e-3); // an arm that is nearly straight goes softly
    Responses responses = calm;
    const Pose pose = pose_after(response_reach, &responses, &blow);
    const vec3s elbow =
        glms_quat_rotatev(pose.rotation[calm.body.arms[0]], skeleton->bind_position_l[calm.body.forearms[0]]);
    assert_int_equal(elbow.z < -0.1f, i == 1);
  }
}

// To a low place before the body the forearm comes from above: its wrist is 6 cm above the place, not below.
static void hand_comes_from_above(void **state) {
  (void)state;
  const double cases[][3] = {// height and depth of the place; the wrist's height over it, m
                             {-0.04, 0.15, -0.06},
                             {-0.15, 0.15, 0},
                             {-0.26, 0.15, 0.06},
                             {-0.26, 0.02, -0.06}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Blow blow = blow_at(calm.body.chest, (vec3s){{0.12f, (float)cases[i][0], (float)cases[i][1]}}, 1, 0.5);
    Responses responses = calm;
    blow.hand = RESPONSE_LEFT;
    const Pose pose = pose_after(response_reach, &responses, &blow);
    const double over = (double)wrist_of(&pose, 0).y - cases[i][0];
    if (!(fabs(over - cases[i][2]) < 3e-3))
      fail_msg("case %d: %g m over the place", (int)i, over);
  }
}

// A struck hand or forearm is bent before the belly, a struck upper arm hangs on; the other hand holds it from the
// front, its wrist half a hand nearer to the middle.
static void other_hand_holds_a_struck_arm(void **state) {
  (void)state;
  const char *const parts[] = {"upper_arm_", "forearm_", "hand_"};
  const Pose none = straight();
  for (int i = 0; i < 6; i++) {
    const int side = i % 2, other = 1 - side;
    const float sign = side == RESPONSE_LEFT ? 1 : -1;
    char name[20];
    snprintf(name, sizeof name, "%s%c", parts[i / 2], side == RESPONSE_LEFT ? 'l' : 'r');
    const int part = fixture_part(&f, name);
    Blow blow = blow_at(part, (vec3s){{0.04f, -0.02f, 0}}, 1.1, 0.9);
    blow.hand = other == 0 ? RESPONSE_LEFT : RESPONSE_RIGHT;
    Responses responses = calm;
    const Pose pose = pose_after(response_reach, &responses, &blow);
    const vec3s own = wrist_of(&pose, side);
    assert_place(own, i < 2 ? wrist_of(&none, side) : ((vec3s){{sign * 0.1f, -0.02f, 0.24f}}), 3e-3);
    const Ragdoll *ragdoll = f.character->ragdoll;
    vec3s axis = vec3_from_ode(ragdoll->com_l[part]);
    axis.y = -0.02f;
    vec3s held =
        glms_vec3_sub(glms_vec3_add(response_place(ragdoll, part), axis), response_place(ragdoll, calm.body.chest));
    held.x -= sign * 0.08f;
    held.z += 0.07f;
    const double left = (double)glms_vec3_distance(wrist_of(&pose, other), held);
    // A forearm or a hand that hangs is out of reach.
    assert_true(left < (i < 2 ? 5e-3 : 0.6 * (double)glms_vec3_distance(wrist_of(&none, other), held)));
    // Nor does it guard against another blow.
    blow.hand = RESPONSE_NO_HAND;
    blow.impulse[0] = -20 * (double)sign;
    blow.impulse[2] = 0;
    const Pose guarding = pose_after(response_guard, &responses, &blow);
    assert_place(wrist_of(&guarding, side), wrist_of(&none, side), 1e-6);
  }
}

// When it goes and comes back, and from what pain on. At 0.5 of pain: after 0.28 s, in 0.41 s, for 0.95 s, back in 0.7.
static void hand_takes_its_time(void **state) {
  (void)state;
  const vec3s place = {{0.1f, -0.05f, 0.15f}};
  const double rise = 0.45 - 0.08 * 0.5, hold = 0.5 + 0.9 * 0.5;
  const double cases[][3] = {// age, pain; share
                             {0.27, 0.5, 0},
                             {0.28 + 0.8 * rise, 0.5, 0.896},
                             {0.28 + rise, 0.5, 1},
                             {0.28 + rise + hold, 0.5, 1},
                             {0.28 + rise + hold + 0.2 * 0.7, 0.5, 0.896},
                             {0.28 + rise + hold + 0.7, 0.5, 0},
                             {1, 0.1, 0},
                             {1, 0.128, 0.784},
                             {1, 0.14, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Blow blow = blow_at(calm.body.chest, place, cases[i][0], cases[i][1]);
    vec3s wrist;
    blow.hand = RESPONSE_LEFT;
    const double share = share_of(&calm, &blow, 0, &wrist);
    if (!(fabs(share - cases[i][2]) < 0.01))
      fail_msg("%g s after a blow of %g: %g of the way", cases[i][0], cases[i][1], share);
  }
  // To a struck head it goes 0.06 s sooner.
  for (int i = 0; i < 2; i++) {
    Responses responses = calm;
    Blow blow = blow_at(calm.body.head, place, i == 0 ? 0.219 : 0.26, 0.5);
    blow.hand = RESPONSE_LEFT;
    const Pose none = straight(), pose = pose_after(response_reach, &responses, &blow);
    assert_int_equal(glms_vec3_distance(wrist_of(&pose, 0), wrist_of(&none, 0)) > 1e-4f, i == 1);
  }
}

// The elbow's way from the straight line between shoulder and wrist, unit, and that of a pole.
static vec3s off_line(vec3s point, vec3s wrist) {
  const vec3s line = glms_vec3_normalize(wrist);
  return glms_vec3_normalize(glms_vec3_sub(point, glms_vec3_scale(line, glms_vec3_dot(point, line))));
}

// The elbow of a hand that stays on its own side is low and outside; of one that goes within 2 cm of the middle or
// across, before the body; between 6 cm and 2 cm it goes from one to the other.
static void elbow_stays_low(void **state) {
  (void)state;
  const struct {
    float x;
    vec3s pole;
  } cases[] = {{0.061f, {{0.5f, -0.85f, 0.05f}}},
               {0.04f, {{0.95f, -0.925f, 0.525f}}},
               {0.019f, {{1.4f, -1, 1}}},
               {-0.08f, {{1.4f, -1, 1}}}};
  const Skeleton *skeleton = &f.body->skeleton;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int side = 0; side < 2; side++) {
      Responses responses = calm;
      Blow blow = blow_at(calm.body.chest, GLMS_VEC3_ZERO, 1.1, 0.9);
      // A wrist there: a guard whose blow comes from the other side brings it to any x.
      blow.hand = side == 0 ? RESPONSE_RIGHT : RESPONSE_LEFT;
      const double sign = side == 0 ? 1 : -1, way = (0.08 - (double)cases[i].x) / 0.12;
      blow.impulse[0] = 20 * sign * fmin(way, 1);
      blow.impulse[2] = -20 * sqrt(fmax(0, 1 - way * way));
      const Pose pose = pose_after(response_guard, &responses, &blow);
      const int arm = calm.body.arms[side], forearm = calm.body.forearms[side];
      const vec3s wrist = glms_vec3_sub(wrist_of(&pose, side), skeleton->bind_position_l[arm]);
      const vec3s elbow = glms_quat_rotatev(pose.rotation[arm], skeleton->bind_position_l[forearm]);
      const vec3s pole = {{(float)sign * cases[i].pole.x, cases[i].pole.y, cases[i].pole.z}};
      if (way < 1)
        assert_true(fabs((double)wrist_of(&pose, side).x - sign * (double)cases[i].x) < 2e-3);
      assert_place(off_line(elbow, wrist), off_line(pole, wrist), 0.02);
    }
}

// ---- The guard ----

static vec3s guard(double pain, double age, ResponseHand busy_hand, double way_x, double way_z, int side) {
  Responses responses = calm;
  Blow blow = blow_at(calm.body.chest, GLMS_VEC3_ZERO, age, pain);
  blow.hand = busy_hand;
  blow.impulse[0] = 20 * way_x;
  blow.impulse[2] = 20 * way_z;
  const Pose pose = pose_after(response_guard, &responses, &blow);
  return wrist_of(&pose, side);
}

// From a pain of 0.4, wholly from 0.6, the free hand or the nearer one goes before the chin, 12 cm to where the blow
// came from; not for a blow from behind, nor with both hands before the face.
static void forearm_guards(void **state) {
  (void)state;
  const Pose none = straight();
  const vec3s left = wrist_of(&none, 0), right = wrist_of(&none, 1);
  const vec3s before = {{0.08f, 0.2f, 0.27f}}, mirror = {{-0.08f, 0.2f, 0.27f}};
  const double held = 0.45 + 0.3 + 0.35;
  assert_place(guard(0.61, held, RESPONSE_RIGHT, 0, -1, 0), before, 2e-3);
  assert_place(guard(0.61, held, RESPONSE_RIGHT, 0, -1, 1), right, 1e-6);
  assert_place(guard(0.61, held, RESPONSE_LEFT, 0, -1, 1), mirror, 2e-3);
  assert_place(guard(0.61, held, RESPONSE_LEFT, 0, -1, 0), left, 1e-6);
  assert_place(guard(0.61, held, RESPONSE_BOTH, 0, -1, 0), left, 1e-6);
  assert_place(guard(0.61, held, RESPONSE_BOTH, 0, -1, 1), right, 1e-6);
  // Pushed to the left: it came from the right.
  assert_place(guard(0.61, held, RESPONSE_NO_HAND, 0.6, -0.8, 1), ((vec3s){{-0.08f - 0.072f, 0.2f, 0.27f}}), 2e-3);
  assert_place(guard(0.61, held, RESPONSE_NO_HAND, -0.6, -0.8, 0), ((vec3s){{0.08f + 0.072f, 0.2f, 0.27f}}), 2e-3);
  assert_place(guard(0.61, held, RESPONSE_NO_HAND, 0.8, 0.6, 1), right, 1e-6);
  assert_true(glms_vec3_distance(guard(0.61, held, RESPONSE_NO_HAND, 0.88, 0.47, 1), right) > 0.1f);
  // How sure: smooth from 0.4 to 0.6 of pain; and its time: after 0.45 s, in 0.3 s, for 0.7 s, back in 0.9 s.
  const double cases[][3] = {{0.39, held, 0},
                             {0.56, held, 0.896},
                             {0.6, held, 1},
                             {0.7, 0.44, 0},
                             {0.7, 0.45 + 0.24, 0.896},
                             {0.7, 0.45 + 0.3, 1},
                             {0.7, 0.45 + 0.3 + 0.7, 1},
                             {0.7, 1.45 + 0.18, 0.896},
                             {0.7, 1.45 + 0.9, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const vec3s wrist = guard(cases[i][0], cases[i][1], RESPONSE_RIGHT, 0, -1, 0);
    const double share = (double)((wrist.y - left.y) / (before.y - left.y));
    if (!(fabs(share - cases[i][2]) < 0.01))
      fail_msg("%g s after a blow of %g: %g of the way", cases[i][1], cases[i][0], share);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nearer_hand_goes),      cmocka_unit_test(either_hand_goes_to_the_middle),
      cmocka_unit_test(hands_cover_the_face),  cmocka_unit_test(hand_goes_to_the_struck_place),
      cmocka_unit_test(hand_takes_its_time),   cmocka_unit_test(elbow_stays_low),
      cmocka_unit_test(forearm_guards),        cmocka_unit_test(hand_goes_straight_beside_and_behind),
      cmocka_unit_test(hand_comes_from_above), cmocka_unit_test(other_hand_holds_a_struck_arm),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
