// Gives each planned character what it can see: the other characters, platforms, props and the ground around it.
#include "scenes/run/scene_plan.h"

#include <math.h>
#include <stdlib.h>

#include "ragdoll/character/character_metrics.h"
#include "ragdoll/character/character_plan.h"
#include "sim/world/world_body.h"

// A box is represented by a row of circles, seen from above.
enum { BOX_CIRCLES = 8, MOST_OBSTACLES = (SCENE_MAX_PLATFORMS + SCENE_MAX_PROPS) * BOX_CIRCLES + SCENE_MAX_CHARACTERS };
static const double THIN = 0.15; // m: least spacing of these circles, for thin boxes

static const double BODY_HEIGHT = 2; // m: height of a walking character

struct Surroundings {
  PlanObstacle obstacles[MOST_OBSTACLES];
  int count;
};

Surroundings *scene_plan_create(Error *error) {
  Surroundings *all = calloc(1, sizeof *all);
  if (!all)
    error_set(error, "out of memory for the surroundings of planned characters");
  return all;
}

void scene_plan_destroy(Surroundings *all) { free(all); }

static void add_characters(Surroundings *all, const Scene *scene) {
  for (int i = 0; i < scene->character_count; i++) {
    const Character *character = scene->characters[i];
    const PlannerDef *planner = character->def->planner;
    const double *root = character->root.position, *velocity = character->root.velocity;
    all->obstacles[all->count++] = (PlanObstacle){.position = {root[0], root[2]},
                                                  .velocity = {velocity[0], velocity[2]},
                                                  .turn = character->root.turn_rate,
                                                  .radius = planner ? planner->sense.radius : 0.3,
                                                  .low = root[1],
                                                  .high = root[1] + BODY_HEIGHT,
                                                  .owner = i};
  }
}

// The axis of a body that is nearest to vertical.
static int upright_axis(double matrix[3][3]) {
  int best = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(matrix[1][k]) > fabs(matrix[1][best]))
      best = k;
  return best;
}

static void add_box(Surroundings *all, const World *world, int body, const double size[3]) {
  const double *place = world_body_position(world, body), *velocity = world_body_velocity(world, body);
  double matrix[3][3];
  world_body_matrix(world, body, matrix);
  int up = upright_axis(matrix), along = (up + 1) % 3, across = (up + 2) % 3;
  if (size[across] > size[along]) {
    int longer = across;
    across = along;
    along = longer;
  }
  double half = size[along] / 2, width = size[across] / 2, height = 0;
  for (int k = 0; k < 3; k++)
    height += fabs(matrix[1][k]) * size[k] / 2;
  int count = (int)fmin(BOX_CIRCLES, ceil(half / fmax(width, THIN) - 1e-9));
  for (int i = 0; i < count; i++) {
    double way = half * ((2.0 * i + 1) / count - 1);
    all->obstacles[all->count++] =
        (PlanObstacle){.position = {place[0] + way * matrix[0][along], place[2] + way * matrix[2][along]},
                       .velocity = {velocity[0], velocity[2]},
                       .radius = hypot(half / count, width),
                       .low = place[1] - height,
                       .high = place[1] + height,
                       .owner = -1};
  }
}

static void add_ball(Surroundings *all, const World *world, int body, double radius) {
  const double *place = world_body_position(world, body), *velocity = world_body_velocity(world, body);
  all->obstacles[all->count++] = (PlanObstacle){.position = {place[0], place[2]},
                                                .velocity = {velocity[0], velocity[2]},
                                                .radius = radius,
                                                .low = place[1] - radius,
                                                .high = place[1] + radius,
                                                .owner = -1};
}

static void look_around(Surroundings *all, const Scene *scene) {
  const SceneDef *def = scene->def;
  all->count = 0;
  add_characters(all, scene);
  for (int i = 0; i < def->platform_count; i++)
    add_box(all, scene->world, scene->platforms[i], def->platforms[i].size);
  for (int i = 0; i < def->prop_count; i++) {
    const PropDef *prop = &def->props[i];
    if (prop->shape == PROP_BALL)
      add_ball(all, scene->world, scene->props[i], prop->size[0] / 2);
    else
      add_box(all, scene->world, scene->props[i], prop->size);
  }
}

void scene_plan(Scene *scene) {
  Surroundings *all = scene->surroundings;
  bool looked = false;
  for (int i = 0; i < scene->character_count; i++) {
    if (!character_plans(scene->characters[i]))
      continue;
    if (!looked)
      look_around(all, scene);
    looked = true;
    character_plan_sense(scene->characters[i], all->obstacles, all->count);
    character_metrics_plan(scene->characters[i]);
  }
}
