// What drawn questions to grounds of all kinds come to: heights and normals, rays, planes, and contacts with shapes
// that lie, stand and stick in them. To nine digits.
#include <stdlib.h>
#include <string.h>

#include "sim/base/rng.h"
#include "sim/terrain/height_image.h"
#include "tests/terrain_fixture.h"
#include "tests/unit/drill.h"

typedef struct Drill {
  const char *name;
  TerrainKind kind;
  double cell, amplitude, length, pitch, roll; // m, m, m, deg, deg
  bool endless;
} Drill;

static const Drill DRILLS[] = {
    {"flat", TERRAIN_FLAT, 0.25, 0, 1, 0, 0, true},         {"small flat", TERRAIN_FLAT, 0.25, 0, 1, 0, 0, false},
    {"slope", TERRAIN_SLOPE, 0.2, 0, 1, 20, -10, true},     {"stairs", TERRAIN_STAIRS, 0.1, 0.17, 0.29, 0, 0, true},
    {"blocks", TERRAIN_BLOCKS, 0.1, 0.1, 0.4, 0, 0, false}, {"noise", TERRAIN_NOISE, 0.15, 0.2, 1.1, 0, 0, true},
    {"stones", TERRAIN_STONES, 0.1, 0.3, 0.4, 0, 0, false}, {"small stones", TERRAIN_STONES, 0.1, 0.3, 0.2, 0, 0, true},
    {"gap", TERRAIN_GAP, 0.2, 0.5, 1.5, 0, 0, true},        {"kerb", TERRAIN_KERB, 0.1, 0.12, 1, 0, 0, false},
    {"level", TERRAIN_MESH, 0.25, 0.3, 0.7, 0, 0, false}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { HEIGHTS, NORMALS, RAYS, PLANES, TOUCHED, DEPTHS, NEAR, SUMS };
static const char *const NAMES[SUMS] = {"heights",  "normals", "rays",           "planes",
                                        "contacts", "depths",  "contacts nearby"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {-99.001110235, -0.22720209469, -0.68125826497, 0.10862634196, 1.1879996182, -0.063229184239, 0},
    {-289.1917069, -0.15489502806, -1.1288964949, 0.11484244164, 1.4940390431, -0.056392098276, 0},
    {-89.267627717, -0.071112562728, -0.56579637489, 0.11857210145, 1.1221957869, -0.057596074929, 0},
    {-96.335967159, -0.19689936396, -0.65222021117, 0.10007920489, 0.86340535133, -0.068533508708, 0},
    {-289.99756673, -0.13066679635, -1.1883574797, 0.10800473199, 1.3886004467, -0.054145534271, 0},
    {-97.038701181, -0.21727361561, -0.59726341623, 0.10396426719, 1.2716759763, -0.063475431857, 0},
    {-290.40546647, -0.14856535077, -1.1065681777, 0.10241024227, 0.9807621955, -0.067749327085, 0},
    {-99.000884209, -0.22604637465, -0.67904609005, 0.10862634196, 1.0492693948, -0.068700652842, 0},
    {-98.995222504, -0.22529906441, -0.66550413344, 0.10536288962, 1.2847955043, -0.058935243575, 0},
    {-289.92857492, -0.14839055478, -1.0386265734, 0.11080197684, 1.0779557681, -0.072642597499, 0},
    {18.382332848, -0.14134203826, -1.4559196031, 0, -1.8317203371, -0.10092123091, 3.6977223735},
};

// A rolling floor with a smaller one above it, and a wall, as an OBJ file.
static char *make_level(double height, double length) {
  enum { SIDE = 13 };
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  for (int floor = 0; floor < 2; floor++)
    for (int i = 0; i < SIDE * SIDE; i++) {
      const int column = i % SIDE - SIDE / 2, row = i / SIDE - SIDE / 2;
      const double x = column * length * (floor ? 0.4 : 1), z = row * length;
      fprintf(out, "v %.6g %.6g %.6g\n", x, 2.2 * floor + height * sin(1.3 * x) * cos(0.9 * z), z);
    }
  for (int floor = 0; floor < 2; floor++)
    for (int k = 0; k + 1 < SIDE; k++)
      for (int i = 0; i + 1 < SIDE; i++) {
        const int at = 1 + floor * SIDE * SIDE + k * SIDE + i;
        fprintf(out, "f %d %d %d %d\n", at, at + SIDE, at + SIDE + 1, at + 1);
      }
  fprintf(out, "v 1 -1 -3\nv 1 -1 3\nv 1 3 3\nv 1 3 -3\nf -4 -3 -2 -1\n");
  fclose(out);
  return text;
}

static Terrain *make_ground(const Drill *drill) {
  Error error = {0};
  FileSet files = {0};
  TerrainDef def = default_def();
  def.kind = drill->kind;
  def.cell = drill->cell;
  def.endless = drill->endless;
  def.pitch = drill->pitch;
  def.roll = drill->roll;
  def.height = 0.1;
  def.amplitude = def.rise = def.depth = drill->amplitude;
  def.wavelength = def.run = def.size = def.length = drill->length;
  def.spacing = 1.4 * drill->length;
  def.jitter = 0.05; // m: of the small stones less, so that none touches another
  def.start = -0.6;
  def.steps = 4;
  def.across[0] = -2, def.across[1] = 1.5;
  def.x[0] = def.z[0] = -4;
  def.x[1] = def.z[1] = 4.03;
  snprintf(def.file, sizeof def.file, "level.obj");
  char *text = make_level(drill->amplitude, drill->length);
  files_put(&files, "level.obj", text, strlen(text));
  Terrain *terrain = terrain_create(&def, 9, &files, &error);
  if (!terrain)
    fail_msg("%s: %s", drill->name, error.text);
  files_free(&files);
  free(text);
  return terrain;
}

// Half of the places are on the lines and corners of a grid of 5 cm.
static double place(Rng *rng, double range) {
  const double at = rng_range(rng, -range, range);
  return rng_index(rng, 2) ? at : round(at * 20) / 20;
}

static void ask(const Terrain *terrain, Rng *rng, DrillSum sums[SUMS]) {
  const Ground ground = terrain_ground(terrain);
  double height = 0, normal[3] = {0, 0, 0};
  const double x = place(rng, 5), z = place(rng, 5), from = rng_index(rng, 2) ? GROUND_HIGHEST : rng_range(rng, -1, 3);
  drill_add(&sums[HEIGHTS], ground.height(ground.context, x, z, from, &height, normal));
  drill_add(&sums[HEIGHTS], height);
  drill_add_all(&sums[NORMALS], normal, 3);
  double origin[3], direction[3];
  GroundHit hit = {.distance = 9, .normal_w = {9, 9, 9}, .velocity_w = {9, 9, 9}, .turn_rate = 9}; // all is set
  rng_direction(rng, direction);
  for (int k = 0; k < 3; k++)
    origin[k] = k == 1 ? rng_range(rng, -0.5, 4) : place(rng, 5);
  if (rng_index(rng, 4) == 0)
    direction[0] = direction[2] = 0, direction[1] = -1;
  drill_add(&sums[RAYS], terrain_ray(terrain, origin, direction, rng_range(rng, 0, 6), &hit));
  drill_add(&sums[RAYS], hit.distance);
  drill_add_all(&sums[RAYS], hit.position_w, 3);
  drill_add_all(&sums[RAYS], hit.normal_w, 3);
  drill_add_all(&sums[RAYS], hit.velocity_w, 3);
  drill_add(&sums[RAYS], hit.turn_rate);
  const double way = rng_index(rng, 2) ? 0.3 : 2, to[2] = {x + way * direction[0], z + way * direction[2]};
  drill_add(&sums[PLANES], terrain_is_plane(terrain, (const double[2]){x, z}, to));
}

static void add_contacts(const dContactGeom *contacts, int count, DrillSum *all, DrillSum *depths) {
  drill_add(all, count);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) {
      drill_add(all, contacts[i].pos[k]);
      drill_add(all, contacts[i].normal[k]);
    }
    drill_add(depths, contacts[i].depth);
  }
}

static void touch(const Terrain *terrain, dGeomID ground, dGeomID shape, Rng *rng, DrillSum sums[SUMS]) {
  enum { MOST = 12 };
  dContactGeom contacts[MOST];
  double axis[3], height = 0;
  const double x = place(rng, 4.2), z = place(rng, 4.2);
  terrain_height(terrain, x, z, &height, NULL);
  rng_direction(rng, axis);
  dQuaternion turn;
  dQFromAxisAndAngle(turn, axis[0], axis[1], axis[2], rng_index(rng, 3) ? rng_range(rng, -3, 3) : 0);
  dGeomSetPosition(shape, x, height + rng_range(rng, -0.1, 0.25), z);
  dGeomSetQuaternion(shape, turn);
  const int most = 1 + rng_index(rng, MOST), count = dCollide(ground, shape, most, contacts, sizeof *contacts);
  add_contacts(contacts, count, &sums[TOUCHED], &sums[DEPTHS]);
  const double reach = rng_range(rng, 0, 0.3);
  const int near = terrain_contacts_near(ground, shape, reach, most, contacts, sizeof *contacts);
  add_contacts(contacts, near, &sums[NEAR], &sums[NEAR]);
}

static void run(const Drill *drill, double means[SUMS]) {
  enum { QUESTIONS = 4000 };
  Rng rng = rng_make(1, drill->name);
  Terrain *terrain = make_ground(drill);
  dSpaceID space = dSimpleSpaceCreate(NULL);
  if (drill->kind == TERRAIN_NOISE) // in a hollow
    terrain->outside_height = terrain->highest + 0.3;
  dGeomID ground = terrain_add_geom(terrain, space);
  dReal bounds[6];
  dGeomGetAABB(ground, bounds);
  for (int i = 0; i < 6; i++)
    means[HEIGHTS] += (i + 1) * (isfinite(bounds[i]) ? bounds[i] : bounds[i] > 0 ? 100 : -100);
  const dGeomID shapes[] = {dCreateSphere(NULL, 0.1), dCreateCapsule(NULL, 0.06, 0.3), dCreateBox(NULL, 0.2, 0.1, 0.3),
                            dCreateBox(NULL, 0.9, 0.05, 0.6), dCreateSphere(NULL, 0.5)};
  for (int n = 0; n < QUESTIONS; n++) {
    DrillSum sums[SUMS] = {{0}};
    ask(terrain, &rng, sums);
    for (int i = 0; i < 5; i++)
      touch(terrain, ground, shapes[i], &rng, sums);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / QUESTIONS;
  }
  for (int i = 0; i < 5; i++)
    dGeomDestroy(shapes[i]);
  dSpaceDestroy(space);
  terrain_destroy(terrain);
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  dInitODE2(0);
  for (int i = 0; i < DRILL_COUNT; i++) {
    double means[SUMS] = {0};
    run(&DRILLS[i], means);
    wrong += !drill_is_kept(DRILLS[i].name, NAMES, means, OUTCOMES[i], SUMS);
  }
  dCloseODE();
  assert_int_equal(wrong, 0);
}

// Between four pixels an image is as high as by the lines through them.
static void images_are_bilinear(void **state) {
  (void)state;
  enum { WIDTH = 5, HEIGHT = 4 };
  uint16_t grey[WIDTH * HEIGHT];
  Rng rng = rng_make(3, "image");
  const HeightImage image = {WIDTH, HEIGHT, grey};
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    grey[i] = (uint16_t)rng_index(&rng, 65536);
  for (int n = 0; n < 500; n++) {
    double u = rng_unit(&rng), v = rng_unit(&rng);
    if (n % 5 == 0)
      u = n % 2;
    if (n % 7 == 0)
      v = n % 2;
    const int i = u < 1 ? (int)(u * (WIDTH - 1)) : WIDTH - 2, k = v < 1 ? (int)(v * (HEIGHT - 1)) : HEIGHT - 2;
    const double x = u * (WIDTH - 1) - i, y = v * (HEIGHT - 1) - k;
    const uint16_t *at = &grey[k * WIDTH + i];
    const double wanted =
        (at[0] * (1 - x) * (1 - y) + at[1] * x * (1 - y) + at[WIDTH] * (1 - x) * y + at[WIDTH + 1] * x * y) / 65535;
    assert_near(height_image_sample(&image, u, v), wanted, 1e-12);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drills_come_to),
      cmocka_unit_test(images_are_bilinear),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
