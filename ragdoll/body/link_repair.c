// Repairs of models of which no body could be made: links without mass, tensors of inertia that no body has, and more
// links than a body has parts. Notes tell each.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ragdoll/body/link_model.h"
#include "sim/base/numbers.h"

static const double DENSITY = 1000;      // kg/m^3, of links without a mass
static const double LEAST_MASS = 0.001;  // kg, of a part
static const double SHARE = 0.01;        // of the mass that hangs on a link that has neither mass nor shape
static const double NEARLY_ZERO = 1e-9;  // of the trace: less is rounding
static const double ALIKE = 0.02;        // of the mass: ends differ by less
static const double TOLD = 1e-5;         // of the trace: smaller repairs are those of digits that the file lacks
static const double LEAST_MOMENT = 1e-6; // of the trace, to which negative second moments are raised

static double whole_mass(const LinkModel *model) {
  double mass = 0;
  for (int i = 0; i < model->count; i++)
    mass += model->links[i].mass;
  return mass;
}

// ---- Masses ----

static void add_ball(Link *link, double mass, const double place[3]) {
  const double radius = pow(3 * mass / (4 * M_PI * DENSITY), 1.0 / 3), moment = 0.4 * mass * radius * radius;
  double tensor[3][3] = {{moment, 0, 0}, {0, moment, 0}, {0, 0, moment}};
  link_add_mass(link, mass, place, tensor);
}

static void fill_by_shapes(LinkModel *model, Link *link) {
  for (int i = 0; i < link->shape_count; i++) {
    const LinkShape *shape = &link->shapes[i];
    const double mass = DENSITY * solid_volume(shape->kind, shape->size);
    double moments[3], tensor[3][3];
    solid_inertia(shape->kind, shape->size, mass, moments);
    turned_inertia(moments, shape->frame.rotation, tensor);
    link_add_mass(link, mass, shape->frame.place, tensor);
  }
  link_note(model, "%s has no mass; of its shapes, at %g kg/m^3, it has %.3g kg", link->name, DENSITY, link->mass);
}

static void fill_without_shapes(LinkModel *model, Link *link) {
  const double mass = max_d(SHARE * whole_mass(model), LEAST_MASS);
  if (!(whole_mass(model) > 0))
    return; // an error later
  add_ball(link, mass, link->place);
  link_note(model, "%s has neither mass nor shape; a ball of %.3g kg is taken", link->name, mass);
}

static void raise_mass(LinkModel *model, Link *link) {
  const double factor = LEAST_MASS / link->mass;
  link_note(model, "%s: its mass of %.3g kg is raised to %g kg", link->name, link->mass, LEAST_MASS);
  link->mass = LEAST_MASS;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      link->inertia[i][k] *= factor;
}

// Those without shape, mass and children, until there are none.
static void drop_empty(LinkModel *model) {
  for (int i = model->count - 1; i > 0; i--) {
    Link *link = &model->links[i];
    if (link->mass > 0 || link->shape_count > 0 || links_count_children(model, i) > 0)
      continue;
    link_note(model, "%s has neither mass nor shape and is left out", link->name);
    link->joint_count = 0;
    links_merge_fixed(model);
  }
}

static void fill(LinkModel *model) {
  drop_empty(model);
  for (int i = 0; i < model->count; i++)
    if (!(model->links[i].mass > 0) && model->links[i].shape_count > 0)
      fill_by_shapes(model, &model->links[i]);
  for (int i = 0; i < model->count; i++)
    if (!(model->links[i].mass > 0))
      fill_without_shapes(model, &model->links[i]);
}

void links_repair_masses(LinkModel *model) {
  if (model->fills_masses)
    fill(model);
  const double whole = whole_mass(model);
  for (int i = 0; i < model->count; i++) {
    Link *link = &model->links[i];
    if (link->mass > 0 && link->mass < LEAST_MASS && whole > 1000 * LEAST_MASS)
      raise_mass(model, link);
  }
}

// ---- Tensors ----

static double smallest_eigenvalue(double a[3][3]) {
  const double middle = (a[0][0] + a[1][1] + a[2][2]) / 3;
  double b[3][3], square = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      b[i][k] = a[i][k] - (i == k ? middle : 0);
      square += b[i][k] * b[i][k];
    }
  const double size = sqrt(square / 6);
  if (!(size > 0))
    return middle;
  const double half = triple3(b[0], b[1], b[2]) / (2 * size * size * size);
  return middle + 2 * size * cos(angle_of_cosine(half) / 3 + 2 * M_PI / 3);
}

// The second moments of the mass, whose smallest one along any axis is at least 0: trace / 2 less the tensor.
static void repair_inertia(LinkModel *model, Link *link) {
  const double trace = link->inertia[0][0] + link->inertia[1][1] + link->inertia[2][2];
  if (!(trace > 0)) {
    memset(link->inertia, 0, sizeof link->inertia);
    const double mass = link->mass;
    link->mass = 0;
    add_ball(link, mass, (const double[3]){link->com[0], link->com[1], link->com[2]});
    link_note(model, "%s has no moments of inertia; those of a ball of its mass are taken", link->name);
    return;
  }
  double second[3][3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      second[i][k] = (i == k ? trace / 2 : 0) - link->inertia[i][k];
  const double smallest = smallest_eigenvalue(second);
  if (smallest >= -NEARLY_ZERO * trace)
    return;
  const double more = 2 * (LEAST_MOMENT * trace - smallest); // along each axis, half of it of either other one
  for (int i = 0; i < 3; i++)
    link->inertia[i][i] += more;
  if (more > TOLD * trace)
    link_note(model, "%s: no body has its moments of inertia; each is raised by %.3g kg m^2", link->name, more);
}

void links_repair_inertias(LinkModel *model) {
  for (int i = 0; i < model->count; i++)
    if (model->links[i].mass > 0)
      repair_inertia(model, &model->links[i]);
}

// ---- Count ----

static int lightest_end(const LinkModel *model) {
  int lightest = -1;
  for (int i = 1; i < model->count; i++)
    if (links_count_children(model, i) == 0 && (lightest < 0 || model->links[i].mass < model->links[lightest].mass))
      lightest = i;
  return lightest;
}

// With all ends of about the same mass, so that left and right stay alike.
void links_drop_lightest(LinkModel *model, int most) {
  const int before = model->count;
  char first[LINK_NAME_SIZE] = "";
  for (int lightest; model->count > most && (lightest = lightest_end(model)) > 0;) {
    const double mass = model->links[lightest].mass * (1 + ALIKE);
    if (model->count == before)
      snprintf(first, sizeof first, "%s", model->links[lightest].name);
    for (int i = 1; i < model->count; i++)
      if (links_count_children(model, i) == 0 && model->links[i].mass <= mass)
        model->links[i].joint_count = 0;
    links_merge_fixed(model);
  }
  if (model->count < before)
    link_note(model, "a body has at most %d parts: the joints of the %d lightest ends, such as %s, are held still",
              most, before - model->count, first);
}
