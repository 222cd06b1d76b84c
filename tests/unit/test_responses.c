// Responses to blows: none before its latency, none when they are off, the hand where it was struck, the foot of a
// struck shin off the ground; and reflexes that act after their delay.
#include "tests/fixture.h"

#include "sim/base/numbers.h"
#include "sim/world/convert.h"

static const double H = 1.0 / 240;

static void start(Fixture *f, bool responds) {
  fixture_init(f);
  f->world_def.dt = H;
  f->character_def.balance.enabled = true;
  f->character_def.hit_reaction.enabled = false;
  f->character_def.responses.enabled = responds;
  fixture_start(f);
}

static void steps(Fixture *f, int count) {
  for (int i = 0; i < count; i++)
    assert_true(fixture_step(f));
}

// A blow in one step, N s along z, on the front of a part. Returns its place in the part's frame, m.
static vec3s strike(Fixture *f, const char *name, double impulse) {
  Ragdoll *ragdoll = f->character->ragdoll;
  int part = fixture_part(f, name);
  Impulse blow = {.body = ragdoll->body[part], .impulse = {0, 0, impulse}, .source = IMPULSE_BULLET, .event = 1};
  memcpy(blow.point, dBodyGetPosition(ragdoll->ode[part]), sizeof blow.point);
  blow.point[2] += 0.1;
  assert_true(world_apply_impulse(f->world, &blow));
  double joint[3];
  ragdoll_point(ragdoll, part, GLMS_VEC3_ZERO, joint);
  vec3s arm = glms_vec3_sub(vec3_from_ode(blow.point), vec3_from_ode(joint));
  return glms_quat_rotatev(glms_quat_conjugate(quat_from_ode(dBodyGetQuaternion(ragdoll->ode[part]))), arm);
}

// Two men, one with responses, are equal to the bit until the first latency (0.07 s, less 15 %) is over; then they are
// not.
static void nothing_happens_before_its_latency(void **state) {
  (void)state;
  Fixture f[2];
  for (int i = 0; i < 2; i++) {
    start(&f[i], i == 0);
    f[i].character->responses.def.arms = 0; // which follow the body, not the blow
    steps(&f[i], 120);
    strike(&f[i], "chest", -30);
  }
  int same = 0;
  for (; same < 240; same++) {
    steps(&f[0], 1);
    steps(&f[1], 1);
    if (world_hash(f[0].world) != world_hash(f[1].world))
      break;
  }
  assert_true(same * H >= 0.07 * 0.85 - 2 * H);
  assert_true(same * H < 0.07 * 1.15 + 4 * H);
  fixture_end(&f[0]);
  fixture_end(&f[1]);
}

// Distance in m from the nearer wrist to the struck point.
static double hand_distance(const Fixture *f, int part, vec3s place_l) {
  double place[3], nearest = INFINITY;
  ragdoll_point(f->character->ragdoll, part, place_l, place);
  static const char *const hands[] = {"hand_l", "hand_r"};
  for (int i = 0; i < 2; i++) {
    double hand[3];
    ragdoll_point(f->character->ragdoll, fixture_part(f, hands[i]), GLMS_VEC3_ZERO, hand);
    double way[3] = {hand[0] - place[0], hand[1] - place[1], hand[2] - place[2]};
    nearest = fmin(nearest, length3(way));
  }
  return nearest;
}

// By the body, not by the target alone: the wrist comes within a hand's length of the struck point.
static void a_hand_goes_to_the_struck_place(void **state) {
  (void)state;
  static const struct {
    const char *part;
    double impulse;
  } cases[] = {{"chest", -40}, {"abdomen", -40}, {"upper_arm_l", -15}, {"head", -12}};
  for (int i = 0; i < 4; i++) {
    Fixture f;
    start(&f, true);
    steps(&f, 120);
    vec3s place = strike(&f, cases[i].part, cases[i].impulse);
    int part = fixture_part(&f, cases[i].part);
    double nearest = INFINITY;
    for (int k = 0; k < 360; k++) {
      steps(&f, 1);
      double distance = hand_distance(&f, part, place);
      if (k * H < 0.2)
        assert_true(distance > 0.2);
      nearest = fmin(nearest, distance);
    }
    if (nearest > 0.18)
      fail_msg("%s: the nearest wrist is %.3f m off", cases[i].part, nearest);
    fixture_end(&f);
  }
}

// rad: largest turn of a joint by the responses, of a body that stands still, over some time after a blow to the chest.
static double response_for(Fixture *f, Responses *responses, double seconds, double beyond) {
  double largest = 0;
  for (double time = 0; time < seconds; time += H) {
    Pose pose = f->character->sensed.pose;
    const Pose before = pose;
    responses_step(responses,
                   &(ResponseStep){.ragdoll = f->character->ragdoll, .h = H, .beyond = beyond, .pose_w = &pose});
    for (int i = 1; i < pose.count; i++)
      largest = fmax(largest, (double)quat_angle_between(before.rotation[i], pose.rotation[i]));
  }
  return largest;
}

// A body that is about to fall neither reaches, bows, looks nor guards; half a second after it is caught it does.
static void balance_comes_first(void **state) {
  (void)state;
  Fixture f;
  start(&f, true);
  steps(&f, 1);
  Responses *responses = &f.character->responses;
  responses->def.startle = responses->def.arms = 0; // these do not wait
  const double impulse[3] = {0, 0, -40},
               *chest = dBodyGetPosition(f.character->ragdoll->ode[fixture_part(&f, "chest")]);
  responses_strike(responses, f.character->ragdoll, fixture_part(&f, "chest"), 7, impulse, chest);
  assert_true(response_for(&f, responses, 0.8, 1) < 1e-6);
  assert_true(response_for(&f, responses, 0.5, 0) > 0.2);
  fixture_end(&f);
}

// What hurts is force, not impulse: of the same 40 N s the hand goes to the place that a blow of one step struck, and
// stays where it is when they last 0.2 s, though these startle him as much.
static void a_shove_does_not_hurt(void **state) {
  (void)state;
  double pain[2], jolt[2];
  for (int shove = 0; shove < 2; shove++) {
    Fixture f;
    start(&f, true);
    steps(&f, 1);
    Responses *responses = &f.character->responses;
    responses->def.startle = responses->def.arms = 0;
    const int part = fixture_part(&f, "chest"), count = shove ? 48 : 1;
    const double impulse[3] = {0, 0, -40.0 / count}, *chest = dBodyGetPosition(f.character->ragdoll->ode[part]);
    for (int k = 0; k < count; k++) {
      responses_strike(responses, f.character->ragdoll, part, 7, impulse, chest);
      response_for(&f, responses, H / 2, 0);
    }
    pain[shove] = responses->blows[0].pain;
    jolt[shove] = responses->blows[0].jolt;
    double turn = response_for(&f, responses, 0.9, 0);
    assert_true(shove ? turn < 0.1 : turn > 0.5);
    fixture_end(&f);
  }
  const double share = 40 / (16 * sqrt(11.97));
  assert_true(fabs(pain[0] - (1 - exp(-pow(share, 1.5)))) < 1e-9);
  assert_true(fabs(pain[1] - (1 - exp(-pow(share / (1 + 47 * H / 0.02), 1.5)))) < 1e-9);
  assert_true(fabs(jolt[1] - pain[0]) < 1e-9);
}

// rad: largest turn of the left upper arm within some time in which he is thrown a way, and back from it at the end.
static double arm_for(Fixture *f, double seconds, double beyond, Plane2 off) {
  Responses *responses = &f->character->responses;
  const int arm = fixture_part(f, "upper_arm_l");
  double largest = 0;
  for (double time = 0; time < seconds; time += H) {
    Pose pose = f->character->sensed.pose;
    const versors before = pose.rotation[arm];
    responses_step(
        responses,
        &(ResponseStep){.ragdoll = f->character->ragdoll, .h = H, .beyond = beyond, .off = off, .pose_w = &pose});
    largest = fmax(largest, (double)quat_angle_between(before, pose.rotation[arm]));
  }
  return largest;
}

// Each step that catches him may leave him off balance again: his arms go out once, and less than half as far again,
// until he has been calm for half a second.
static void the_arms_go_out_once(void **state) {
  (void)state;
  Fixture f;
  start(&f, true);
  steps(&f, 1);
  const Plane2 left = {.x = 0.3, .z = 0}, right = {.x = -0.3, .z = 0};
  const double first = arm_for(&f, 0.45, 1, left);
  arm_for(&f, 0.48, 0, left);
  const double again = arm_for(&f, 0.45, 1, right);
  arm_for(&f, 2, 0, right);
  const double later = arm_for(&f, 0.45, 1, left);
  assert_true(first > 0.5 && again < 0.5 * first && again > 0.05);
  assert_true(fabs(later - first) < 0.15 * first);
  fixture_end(&f);
}

static void a_struck_shin_is_taken_off_the_ground(void **state) {
  (void)state;
  double highest[2] = {0};
  for (int responds = 0; responds < 2; responds++) {
    Fixture f;
    start(&f, responds == 1);
    steps(&f, 120);
    strike(&f, "shin_l", -15);
    int foot = fixture_part(&f, "foot_l");
    double low = dBodyGetPosition(f.character->ragdoll->ode[foot])[1];
    for (int k = 0; k < 360; k++) {
      steps(&f, 1);
      highest[responds] = fmax(highest[responds], dBodyGetPosition(f.character->ragdoll->ode[foot])[1] - low);
    }
    assert_false(f.character->down);
    fixture_end(&f);
  }
  assert_true(highest[1] > 0.03 && highest[1] > highest[0] + 0.02); // m
}

// A constant error is answered after the delay, no step sooner, for any step length.
static void a_reflex_answers_after_its_delay(void **state) {
  (void)state;
  static const double lengths[] = {1.0 / 120, 1.0 / 240, 1.0 / 960};
  for (int i = 0; i < 3; i++) {
    Fixture f;
    start(&f, false);
    int elbow = fixture_part(&f, "forearm_l");
    f.body->parts[elbow].joint.reflex_stiffness = 10;
    f.body->parts[elbow].joint.reflex_damping = 0;
    static Reflexes reflexes;
    reflexes = (Reflexes){0};
    Ragdoll *ragdoll = f.character->ragdoll;
    float strength[BODY_MAX_PARTS];
    for (int k = 0; k < BODY_MAX_PARTS; k++)
      strength[k] = 1;
    double h = lengths[i], answered = -1;
    for (int k = 0; k * h < 0.2 && answered < 0; k++) {
      JointGoal goals[BODY_MAX_PARTS] = {0};
      drive_follow(f.body, &f.character->target, &f.character->target, h, goals);
      if (k > 0) // the first moment is without an error
        goals[elbow].rotation = glms_quat_mul(quat_exp((vec3s){{-0.3f, 0, 0}}), goals[elbow].rotation);
      reflexes_step(&reflexes, &f.character->drive.def, &f.character->senses, ragdoll, &f.character->target, strength,
                    h, goals);
      if (fabs((double)goals[elbow].feed_forward_l.x + 3) < 0.3)
        answered = (k - 1) * h;
    }
    assert_true(answered >= 0.05 - 1e-9 && answered <= 0.05 + fmax(h, REFLEX_INTERVAL) + h);
    fixture_end(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_happens_before_its_latency),
      cmocka_unit_test(a_hand_goes_to_the_struck_place),
      cmocka_unit_test(balance_comes_first),
      cmocka_unit_test(a_shove_does_not_hurt),
      cmocka_unit_test(the_arms_go_out_once),
      cmocka_unit_test(a_struck_shin_is_taken_off_the_ground),
      cmocka_unit_test(a_reflex_answers_after_its_delay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
