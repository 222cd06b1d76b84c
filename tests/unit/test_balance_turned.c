// A man who balances does not know which way he faces, or which side is left: turned or mirrored about, he does the
// same.
#include "ragdoll/character/character_metrics.h"
#include "sim/base/numbers.h"
#include "sim/base/plane2.h"
#include "tests/fixture.h"

enum { SAMPLES = 12 };

// What he did: every 0.25 s after a push, in the frame he began in.
typedef struct Deed {
  double com[SAMPLES][3], feet[SAMPLES][2][3], arms[SAMPLES][3]; // m; arms: the left hand
  int steps;
} Deed;

static void into_frame(const double point[3], double heading, double side, double place[3]) {
  Plane2 level = plane2_turn(plane2_of(point), -heading);
  place[0] = side * level.x;
  place[1] = point[1];
  place[2] = level.z;
}

static void sample(const Fixture *f, double heading, double side, int n, Deed *deed) {
  const Character *c = f->character;
  into_frame(c->sensed.com, heading, side, deed->com[n]);
  for (int i = 0; i < 2; i++)
    into_frame(c->balance.feet[i].sole, heading, side, deed->feet[n][side > 0 ? i : 1 - i]);
  int hand = fixture_part(f, side > 0 ? "forearm_l" : "forearm_r");
  into_frame(dBodyGetPosition(c->ragdoll->ode[hand]), heading, side, deed->arms[n]);
}

// Struck on the pelvis for 0.1 s as he faces that way; direction in deg from his front, to his left.
static void push_him(double heading, double impulse, double direction, double side, Deed *deed) {
  Fixture f;
  *deed = (Deed){.steps = 0};
  fixture_init(&f);
  f.character_def.balance.enabled = true;
  f.character_def.start.heading = f.character_def.intent.heading = heading / RAD_PER_DEGREE;
  fixture_start(&f);
  int rate = (int)(1 / f.world_def.dt + 0.5), blows = rate / 10, body = f.character->ragdoll->body[0];
  for (int i = 0; i < rate * 7 / 2; i++) {
    int since = i - rate / 2;
    if (since >= 0 && since < blows) {
      Impulse queued = {.body = body, .source = IMPULSE_PUSH};
      double way = heading + side * direction * RAD_PER_DEGREE;
      memcpy(queued.point, dBodyGetPosition(f.world->bodies[body].ode), sizeof queued.point);
      queued.impulse[0] = impulse / blows * sin(way);
      queued.impulse[2] = impulse / blows * cos(way);
      assert_true(world_apply_impulse(f.world, &queued));
    }
    if (!fixture_step(&f))
      fail_msg("%s", f.world->stop_reason);
    if (since >= 0 && since % (rate / 4) == 0)
      sample(&f, heading, side, since / (rate / 4), deed);
    assert_false(f.character->sensed.fallen);
  }
  deed->steps = f.character->balance.steps;
  fixture_end(&f);
}

static void check_same(const Deed *a, const Deed *b, double most, const char *what) {
  double worst = 0;
  for (int n = 0; n < SAMPLES; n++)
    for (int k = 0; k < 3; k++) {
      worst = fmax(worst, fabs(a->com[n][k] - b->com[n][k]));
      worst = fmax(worst, fabs(a->arms[n][k] - b->arms[n][k]));
      for (int i = 0; i < 2; i++)
        worst = fmax(worst, fabs(a->feet[n][i][k] - b->feet[n][i][k]));
    }
  print_message("%s: %.2g m apart, %d and %d steps\n", what, worst, a->steps, b->steps);
  if (!(worst <= most && a->steps == b->steps))
    fail_msg("%s: %.3g m apart, %d and %d steps", what, worst, a->steps, b->steps);
}

static void does_the_same_whichever_way_it_faces(void **state) {
  (void)state;
  Deed ahead, turned;
  push_him(0, 58, 20, 1, &ahead);
  assert_true(ahead.steps > 0);
  push_him(M_PI / 2, 58, 20, 1, &turned); // by quarters, since the solver's friction has four sides
  check_same(&ahead, &turned, 1e-3, "a quarter to the left");
  push_him(M_PI, 58, 20, 1, &turned);
  check_same(&ahead, &turned, 1e-3, "half a turn");
}

static void does_the_same_to_either_side(void **state) {
  (void)state;
  Deed left, right;
  push_him(0, 50, 70, 1, &left);
  push_him(0, 50, 70, -1, &right);
  assert_true(left.steps > 0);
  check_same(&left, &right, 1e-3, "mirrored");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(does_the_same_whichever_way_it_faces),
      cmocka_unit_test(does_the_same_to_either_side),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
