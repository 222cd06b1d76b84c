// Runs a scene with and without each hit and computes the differences of the parts' momenta, as CSV and as a table.
#include "scenes/run/propagation.h"

#include <math.h>
#include <stdlib.h>

#include "scenes/run/twin.h"
#include "sim/base/numbers.h"
#include "sim/base/text_buffer.h"
#include "sim/world/world_body.h"

// The entry of the event with that number, added when it is new; NULL: no event, or too many.
static Propagation *find_hit(PropagationList *list, int event) {
  for (int i = 0; i < list->count; i++)
    if (list->hits[i].event == event)
      return &list->hits[i];
  if (list->count == PROPAGATION_MOST_HITS) {
    if (event > list->latest) { // numbers increase; a push strikes in many steps
      list->left_out++;
      list->latest = event;
    }
    return NULL;
  }
  list->latest = event;
  list->hits[list->count] = (Propagation){.event = event, .part = -1};
  return &list->hits[list->count++];
}

static int window_steps(double dt) { return (int)ceil(PROPAGATION_WINDOW / dt - 1e-9); }

// Stores the impulses of the step that began at `start`.
static bool note_impulses(PropagationList *list, const Scene *scene, double start) {
  const World *world = scene->world;
  int next = 0;
  for (const Impulse *impulse; (impulse = twin_next_hit(world, &next));) {
    const WorldBody *body = &world->bodies[impulse->body];
    Propagation *hit = find_hit(list, impulse->event);
    if (!hit)
      continue;
    if (hit->part < 0) {
      hit->time = start;
      hit->dt = world->def.dt;
      hit->character = body->owner;
      hit->part = body->part;
      hit->struck = scene->characters[body->owner]->def;
      hit->change = calloc((size_t)window_steps(hit->dt), sizeof *hit->change);
      if (!hit->change)
        return false;
    }
    for (int k = 0; k < 3 && start - hit->time < PROPAGATION_WINDOW; k++)
      hit->impulse[k] += impulse->impulse[k];
  }
  return true;
}

// Adds the momenta of the struck body's parts after a step, times `sign`. False: the hit's window is over.
static bool add_momenta(Propagation *hit, const Scene *scene, float sign) {
  const Character *character = scene->characters[hit->character];
  const int step = (int)lround((scene->world->time - hit->time) / hit->dt) - 1;
  if (step < 0)
    return true;
  if (step >= window_steps(hit->dt))
    return false;
  for (int i = 0; i < character->def->body->part_count; i++) {
    const double *velocity = world_body_velocity(scene->world, character->ragdoll->body[i]);
    const double mass = character->def->actual.mass * character->def->body->parts[i].mass;
    for (int k = 0; k < 3; k++)
      hit->change[step][i][k] += sign * (float)(mass * velocity[k]);
  }
  hit->step_count = step + 1;
  return true;
}

static bool run_with_all(SceneDef *def, PropagationList *list, Error *error) {
  Scene *scene = scene_create(def, error);
  if (!scene)
    return false;
  bool good = true;
  while (good && scene->world->steps < def->step_count) {
    const double start = scene->world->time;
    if (!scene_step(scene))
      break;
    good = note_impulses(list, scene, start);
    for (int i = 0; good && i < list->count; i++)
      add_momenta(&list->hits[i], scene, 1);
  }
  scene_destroy(scene);
  if (!good)
    error_set(error, "out of memory");
  return good;
}

static bool run_without(SceneDef *def, Propagation *hit, Error *error) {
  Scene *scene = twin_create(def, hit->event, error);
  if (!scene)
    return false;
  const int steps = hit->step_count;
  hit->step_count = 0;
  while (hit->step_count < steps && scene->world->steps < def->step_count && scene_step(scene))
    add_momenta(hit, scene, -1);
  scene_destroy(scene);
  return true;
}

bool propagation_measure(SceneDef *def, PropagationList *list, Error *error) {
  *list = (PropagationList){.count = 0};
  bool good = run_with_all(def, list, error);
  for (int i = 0; good && i < list->count; i++)
    good = run_without(def, &list->hits[i], error);
  return good;
}

void propagation_free(PropagationList *list) {
  for (int i = 0; i < list->count; i++)
    free(list->hits[i].change);
  list->count = 0;
}

double propagation_size(const Propagation *hit, int step, int part) {
  const float *change = hit->change[step][part];
  return length3((const double[3]){(double)change[0], (double)change[1], (double)change[2]});
}

PartArrival propagation_arrival(const Propagation *hit, int part) {
  PartArrival arrival = {.first = NAN};
  const double least = PROPAGATION_ARRIVAL * length3(hit->impulse);
  for (int i = 0; i < hit->step_count; i++) {
    const double size = propagation_size(hit, i, part), age = (i + 1) * hit->dt;
    if (isnan(arrival.first) && size >= least && size > 0)
      arrival.first = age;
    if (size > arrival.peak) {
      arrival.peak = size;
      arrival.peak_time = age;
    }
  }
  return arrival;
}

// ---- As text ----

// The component of a change of momentum along the hit's direction.
static double along(const Propagation *hit, const float change[3]) {
  const double size = length3(hit->impulse);
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += (double)change[k] * hit->impulse[k];
  return size > 0 ? sum / size : 0;
}

char *propagation_csv(const PropagationList *list) {
  TextBuffer text = {0};
  text_print(&text, "hit,time,character,struck,impulse,part,age,x,y,z,size,along\n");
  for (int n = 0; n < list->count; n++) {
    const Propagation *hit = &list->hits[n];
    const BodyDef *body = hit->struck->body;
    for (int i = 0; i < body->part_count; i++)
      for (int s = 0; s < hit->step_count; s++) {
        const float *change = hit->change[s][i];
        text_print(&text, "%d,%.6f,%s,%s,%.6g,%s,%.6f,%.6g,%.6g,%.6g,%.6g,%.6g\n", n + 1, hit->time, hit->struck->name,
                   body->parts[hit->part].name, length3(hit->impulse), body->parts[i].name, (s + 1) * hit->dt,
                   (double)change[0], (double)change[1], (double)change[2], propagation_size(hit, s, i),
                   along(hit, change));
      }
  }
  if (text.failed)
    text_free(&text);
  return text.bytes;
}

void propagation_print(FILE *file, const PropagationList *list) {
  for (int n = 0; n < list->count; n++) {
    const Propagation *hit = &list->hits[n];
    const BodyDef *body = hit->struck->body;
    fprintf(file, "\nHit %d: %.2f N s on %s's %s at %.3f s, compared with the same run without it\n", n + 1,
            length3(hit->impulse), hit->struck->name, body->parts[hit->part].name, hit->time);
    fprintf(file, "  %-12s  %8s  %8s  %8s\n  %-12s  %8s  %8s  %8s\n", "part", "reached", "most", "after", "", "ms",
            "N s", "ms");
    for (int i = 0; i < body->part_count; i++) {
      const PartArrival arrival = propagation_arrival(hit, i);
      if (isnan(arrival.first))
        fprintf(file, "  %-12s  %8s  %8.3f  %8.1f\n", body->parts[i].name, "-", arrival.peak, 1000 * arrival.peak_time);
      else
        fprintf(file, "  %-12s  %8.1f  %8.3f  %8.1f\n", body->parts[i].name, 1000 * arrival.first, arrival.peak,
                1000 * arrival.peak_time);
    }
  }
  if (list->left_out > 0)
    fprintf(file, "\nOnly the first %d hits are shown.\n", PROPAGATION_MOST_HITS);
}
