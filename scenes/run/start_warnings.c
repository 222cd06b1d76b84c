// Looks for bodies that overlap each other or the ground before the first step, and writes one sentence for each pair.
#include "scenes/run/start_warnings.h"

#include "scenes/output/explanations.h"
#include "sim/world/world_overlap.h"

// m; standing soles and props are some mm deep in the ground, feet on uneven ground a few cm.
static const double LEAST_IN_EACH_OTHER = 0.02, LEAST_IN_GROUND = 0.1;

enum { MOST_WARNINGS = 16 };

// Writes, for example, "the foot_l of man", "crate", "the ground".
static void describe(const Scene *scene, int body, char *text, size_t size) {
  if (body == WORLD_GROUND) {
    snprintf(text, size, "the ground");
    return;
  }
  const WorldBody *is = &scene->world->bodies[body];
  if (is->owner != WORLD_NO_OWNER)
    snprintf(text, size, "%s of %s", is->name, scene->characters[is->owner]->def->name);
  else
    snprintf(text, size, "%s", is->name);
}

static bool is_ground(const World *world, int body) { return body == WORLD_GROUND || world->bodies[body].ground; }

static void warn(const Scene *scene, const WorldOverlap *overlap, FILE *out) {
  char body[160], other[160];
  const bool swap = is_ground(scene->world, overlap->body);
  describe(scene, swap ? overlap->other : overlap->body, body, sizeof body);
  describe(scene, swap ? overlap->body : overlap->other, other, sizeof other);
  const bool heap = !is_ground(scene->world, overlap->body) && !is_ground(scene->world, overlap->other) &&
                    scene->def->world.solver == SOLVER_STEP;
  explained_printf(out, "%s: warning: %s starts %.2f m inside of %s%s", scene->def->path, body, overlap->depth, other,
                   heap ? ": they are driven apart, which 'world.solver: reduced' does far faster" : "");
}

void start_warnings(const Scene *scene, FILE *out) {
  static WorldOverlap overlaps[1024];
  const int room = (int)(sizeof overlaps / sizeof overlaps[0]);
  const int count = world_overlaps(scene->world, LEAST_IN_EACH_OTHER, overlaps, room);
  int told = 0, left_out = 0;
  for (int i = 0; i < count && i < room; i++) {
    const bool in_ground = is_ground(scene->world, overlaps[i].body) || is_ground(scene->world, overlaps[i].other);
    if (in_ground && overlaps[i].depth <= LEAST_IN_GROUND)
      continue;
    if (told == MOST_WARNINGS) {
      left_out++;
      continue;
    }
    warn(scene, &overlaps[i], out);
    told++;
  }
  if (left_out > 0)
    explained_printf(out, "%s: warning: %d more start inside of each other", scene->def->path, left_out);
}
