// What many tests need: the human body, a flat world, a character in it. Any error fails the test with its text.
#ifndef STAGGER_TESTS_FIXTURE_H
#define STAGGER_TESTS_FIXTURE_H

// cmocka wants these first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ragdoll/character/character.h"

typedef struct Fixture {
  FileSet files;
  BodyDef *body;
  TerrainDef terrain_def;
  WorldDef world_def;
  CharacterDef character_def;
  Terrain *terrain;
  World *world;
  Character *character;
} Fixture;

static inline void fixture_check(const Error *error) {
  if (error->text[0])
    fail_msg("%s", error->text);
}

// Descriptions at their defaults, the human body loaded; change them, then call fixture_start.
static inline void fixture_init(Fixture *f) {
  Error error = {0};
  memset(f, 0, sizeof *f);
  snprintf(f->files.folder, sizeof f->files.folder, "%s", files_scenes_folder());
  f->body = body_read(&f->files, "bodies/human.yaml", &error);
  fixture_check(&error);
  param_defaults(&terrain_params, &f->terrain_def);
  param_defaults(&world_params, &f->world_def);
  CharacterDef *def = &f->character_def;
  snprintf(def->name, sizeof def->name, "tester");
  def->body = f->body;
  param_defaults(&start_params, &def->start);
  param_defaults(&actual_params, &def->actual);
  param_defaults(&root_params, &def->root);
  param_defaults(&intent_params, &def->intent);
  param_defaults(&drive_params, &def->drive);
  param_defaults(&assist_params, &def->assist);
  param_defaults(&balance_params, &def->balance);
  param_defaults(&fall_params, &def->fall);
  param_defaults(&responses_params, &def->responses);
  def->hit_reaction = hit_reaction_def_default();
}

static inline void fixture_start(Fixture *f) {
  Error error = {0};
  f->terrain = terrain_create(&f->terrain_def, 1, &f->files, &error);
  fixture_check(&error);
  f->world = world_create(&f->world_def, f->terrain, 1, &error);
  fixture_check(&error);
  f->character = character_create(&f->character_def, f->world, terrain_ground(f->terrain), NULL, 0, 0, &error);
  fixture_check(&error);
}

static inline bool fixture_step(Fixture *f) {
  character_pre_step(f->character);
  bool going = world_step(f->world);
  character_post_step(f->character);
  return going;
}

static inline void fixture_end(Fixture *f) {
  character_destroy(f->character);
  world_destroy(f->world);
  terrain_destroy(f->terrain);
  body_free(f->body);
  files_free(&f->files);
}

// Set up and tear down of a group of tests that have a body, but start no character: the state is the fixture.
static inline int fixture_set_up_body(void **state) {
  static Fixture f;
  fixture_init(&f);
  *state = &f;
  return 0;
}

static inline int fixture_tear_down_body(void **state) {
  Fixture *f = *state;
  body_free(f->body);
  files_free(&f->files);
  return 0;
}

// The index of a part by name; the test fails if there is none.
static inline int fixture_part(const Fixture *f, const char *name) {
  int index = skeleton_find(&f->body->skeleton, name);
  if (index < 0)
    fail_msg("no part %s", name);
  return index;
}

// Sums over the bodies of the world: momentum and angular momentum about the origin.
static inline void fixture_momentum(const World *world, double linear[3], double angular[3]) {
  for (int k = 0; k < 3; k++)
    linear[k] = angular[k] = 0;
  for (int i = 0; i < world->body_count; i++) {
    dBodyID body = world->bodies[i].ode;
    dMass mass;
    dBodyGetMass(body, &mass);
    const dReal *x = dBodyGetPosition(body), *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    dVector3 w_l, spin_l, spin;
    dBodyVectorFromWorld(body, w[0], w[1], w[2], w_l);
    dMultiply0_331(spin_l, mass.I, w_l);
    dBodyVectorToWorld(body, spin_l[0], spin_l[1], spin_l[2], spin);
    for (int k = 0; k < 3; k++) {
      int a = (k + 1) % 3, b = (k + 2) % 3;
      linear[k] += mass.mass * v[k];
      angular[k] += mass.mass * (x[a] * v[b] - x[b] * v[a]) + spin[k];
    }
  }
}

#endif
