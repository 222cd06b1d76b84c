// The place where a foot lands when none near its planned one supports all of it.
#include "anim/layers/foot_placement/foot_placement_internal.h"
#include "sim/base/rng.h"
#include "tests/unit/foot_placement_fixture.h"

// Furrows of any direction, and slots across the way without ground.
typedef struct Furrows {
  double height, way[2];                        // m; rad/m
  double slot_every, slot_length, slot_from[2]; // m of z; an odd and an even slot
} Furrows;

static bool furrows_height(const void *context, double x, double z, double from, double *height, double normal[3]) {
  (void)from;
  const Furrows *f = context;
  const double angle = f->way[0] * x + f->way[1] * z;
  const double along = z + f->slot_from[x > 0.1], into = along - f->slot_every * floor(along / f->slot_every);
  if (into < f->slot_length)
    return false;
  *height = f->height * sin(angle);
  if (!normal)
    return true;
  const double slope[2] = {f->height * f->way[0] * cos(angle), f->height * f->way[1] * cos(angle)};
  const double size = sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
  normal[0] = -slope[0] / size;
  normal[1] = 1 / size;
  normal[2] = -slope[1] / size;
  return true;
}

static bool furrows_ray(const void *context, unsigned mask, const double origin[3], const double direction[3],
                        double length, GroundHit *hit) {
  (void)direction;
  double height;
  *hit = (GroundHit){.distance = 0};
  if (!(mask & GROUND_TERRAIN) ||
      !furrows_height(context, origin[0], origin[2], GROUND_HIGHEST, &height, hit->normal_w) ||
      origin[1] - height > length)
    return false;
  hit->distance = fmax(origin[1] - height, 0);
  const double at[3] = {origin[0], origin[1] - hit->distance, origin[2]};
  memcpy(hit->position_w, at, sizeof at);
  return true;
}

static Furrows random_furrows(Rng *rng) {
  const double angle = rng_range(rng, 0, 2 * M_PI), pitch = rng_range(rng, 20, 70);
  return (Furrows){.height = rng_range(rng, 0.002, 0.02),
                   .way = {pitch * sin(angle), pitch * cos(angle)},
                   .slot_every = rng_range(rng, 0.15, 0.4),
                   .slot_length = rng_range(rng, 0.01, 0.12),
                   .slot_from = {rng_unit(rng), rng_unit(rng)}};
}

// What a place is worth: its rays that meet the supporting surface, four for the whole length of the sole, less two if
// it is blocked, and less one for each cm of unevenness, up to two. whole: it supports all of the foot.
static double worth(const Stand *stand, const double place[2], bool *whole) {
  const PlacedLeg *leg = &stand->def.legs[0];
  FootLook look = {.def = &stand->def,
                   .leg = leg,
                   .mask = stand->placement.mask,
                   .step = &stand->step,
                   .middle = {place[0], place[1]},
                   .range = foot_range(&stand->def, leg, 0)};
  look.range.bottom -= FOOT_STAYS;
  FootGround ground = foot_ground_find(look.def, leg, look.mask, look.step, look.middle, 0, &look.range);
  foot_look_closer(&look, NULL, &ground);
  *whole = foot_stands_well(&ground) && ground.supported == FOOT_RAYS;
  if (!ground.found)
    return -1;
  const double blocked = ground.blocked || ground.sole.blocked ? 2 : 0;
  return 1 + ground.supported + 4 * (ground.support_span[1] - ground.support_span[0]) - blocked -
         fmin(ground.sole.uneven / 0.01, 2);
}

// No place within 21 cm, in steps of 3 cm in eight directions, is worth more than the one that is found.
static void the_best_place_is_taken(void **state) {
  (void)state;
  static Stand stand;
  static Furrows furrows;
  Rng rng = rng_make(3, "furrows");
  set_up(&stand);
  stand.crouch = 0.2; // so that the leg reaches all of them
  int used = 0;
  for (int n = 0; n < 400; n++) {
    furrows = random_furrows(&rng);
    stand.ground = (Ground){.context = &furrows, .ray = furrows_ray, .height = furrows_height};
    begin(&stand);
    PlacedFoot *foot = &stand.placement.feet[0];
    stand.placement.feet[1].standing = false;
    stand.placement.feet[1].place[0] = -5; // out of the way
    foot->spot_moved = false;
    const FootPlan plan = {
        .known = true, .time_left = 0.1, .landing = {(double)foot->hip.raw[0], (double)foot->hip.raw[2]}};
    double best = -INFINITY;
    bool any_whole = false, whole;
    for (int ring = 0; ring <= 7; ring++)
      for (int i = 0; i < 8; i++) {
        const double angle = i * M_PI / 4, away = 0.03 * ring;
        const double place[2] = {plan.landing[0] + away * sin(angle), plan.landing[1] + away * cos(angle)};
        best = fmax(best, worth(&stand, place, &whole));
        any_whole |= whole;
      }
    if (any_whole)
      continue; // the nearest of those is taken, if there is room around it
    used++;
    foot_find_spot(&stand.def, &stand.placement, &stand.step, 0, &plan);
    const double found[2] = {plan.landing[0] + foot->spot[0], plan.landing[1] + foot->spot[1]};
    const double value = worth(&stand, found, &whole);
    if (!(value >= best - 1e-9))
      fail_msg("ground %d: %g, but there is a place of %g", n, value, best);
  }
  assert_in_range(used, 40, 400);
  print_message("%d of 400 grounds have no place for all of a foot\n", used);
  tear_down(&stand);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_best_place_is_taken)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
