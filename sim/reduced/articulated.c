// Factors the mass matrix of trees in articulated-body form, and applies its inverse and the root of the inverse to
// wrenches.
#include "sim/reduced/articulated.h"

#include <math.h>

#include "sim/base/wide.h"
#include "sim/reduced/spatial.h"

// The spatial inertia of a rigid body about O, symmetric: it maps a motion to a wrench of momentum.
WIDE_PART void rigid_inertia(const ForestBody *body, SpatialVector inertia[6]) {
  const double *c = body->center, (*own)[4] = body->inertia_w, m = body->mass;
  const double moment[3] = {m * c[0], m * c[1], m * c[2]};
  const double xx = own[0][0] + moment[1] * c[1] + moment[2] * c[2],
               yy = own[1][1] + moment[0] * c[0] + moment[2] * c[2],
               zz = own[2][2] + moment[0] * c[0] + moment[1] * c[1], xy = own[0][1] - moment[0] * c[1],
               xz = own[0][2] - moment[0] * c[2], yz = own[1][2] - moment[1] * c[2];
  // In this order gcc 12 makes no instruction that valgrind 3.19 does not know, so that steps can be counted.
  inertia[4] = (SpatialVector){{-moment[2], 0, moment[0], 0}, {m, 0}};
  inertia[2] = (SpatialVector){{xz, yz, zz, -moment[1]}, {moment[0], 0}};
  inertia[0] = (SpatialVector){{xx, xy, xz, 0}, {-moment[2], moment[1]}};
  inertia[1] = (SpatialVector){{xy, yy, yz, moment[2]}, {0, -moment[0]}};
  inertia[3] = (SpatialVector){{0, moment[2], -moment[1], m}, {0, 0}};
  inertia[5] = (SpatialVector){{moment[1], -moment[0], 0, 0}, {0, m}};
}

// Adds a dof: subtracts from the inertia below the joint the part that is not transmitted to the body above.
WIDE_PART void free_dof(ForestDof *dof, double stiffness, SpatialVector inertia[6]) {
  SpatialVector answer = {{0}, {0}}; // the wrench at unit rate
  for (int j = 0; j < 6; j++)
    answer = add_scaled6(answer, dof->motion[j], inertia[j]);
  dof->inverse = 1 / (dot6(six(dof->motion), answer) + stiffness);
  dof->whitener = sqrt(dof->inverse);
  SpatialVector push = add_scaled6((SpatialVector){{0}, {0}}, dof->inverse, answer);
  six_put(dof->push, push);
  for (int j = 0; j < 6; j++)
    inertia[j] = sub_scaled6(inertia[j], dof->push[j], answer);
}

WIDE void articulated_factor(Forest *forest, const double *stiffness) {
  for (int i = 0; i < forest->body_count; i++)
    rigid_inertia(&forest->bodies[i], forest->inertia[i].rows);
  for (int i = forest->body_count - 1; i >= 0; i--) {
    const ForestBody *body = &forest->bodies[i];
    SpatialVector *inertia = forest->inertia[i].rows;
    for (int k = body->first + body->dofs - 1; k >= body->first; k--)
      free_dof(&forest->dofs[k], stiffness[k], inertia);
    for (int j = 0; body->parent >= 0 && j < 6; j++)
      forest->inertia[body->parent].rows[j] = add_scaled6(forest->inertia[body->parent].rows[j], 1, inertia[j]);
  }
}

WIDE void articulated_gather(const Forest *forest, double *wrenches, const double *drive, double *z) {
  for (int i = forest->body_count - 1; i >= 0; i--) {
    const ForestBody *body = &forest->bodies[i];
    SpatialVector wrench = six(&wrenches[6 * i]);
    for (int k = body->first + body->dofs - 1; k >= body->first; k--) {
      const ForestDof *dof = &forest->dofs[k];
      double effort = dot6(six(dof->motion), wrench) + drive[k];
      z[k] = effort * dof->inverse;
      wrench = sub_scaled6(wrench, effort, six(dof->push));
    }
    if (body->parent < 0)
      continue;
    wrench = add_scaled6(wrench, 1, six(&wrenches[6 * body->parent]));
    six_put(&wrenches[6 * body->parent], wrench);
  }
}

WIDE void articulated_spread(const Forest *forest, const double *z, double *motions, double *u) {
  for (int i = 0; i < forest->body_count; i++) {
    const ForestBody *body = &forest->bodies[i];
    SpatialVector motion = {{0}, {0}};
    if (body->parent >= 0)
      motion = six(&motions[6 * body->parent]);
    for (int k = body->first; k < body->first + body->dofs; k++) {
      const ForestDof *dof = &forest->dofs[k];
      u[k] = z[k] - dot6(six(dof->push), motion);
      motion = add_scaled6(motion, u[k], six(dof->motion));
    }
    six_put(&motions[6 * i], motion);
  }
}

// For several wrenches at once, so that their dofs are read only once.
WIDE_PART void whiten(const Forest *forest, const ForestBody *on, int count, const double *const wrenches[],
                      double *const entries[]) {
  SpatialVector left[3];
  for (int n = 0; n < count; n++)
    left[n] = six(wrenches[n]);
  for (int i = on->depth - 1; i >= 0; i--) {
    const ForestDof *dof = &forest->dofs[on->path[i]];
    const SpatialVector motion = six(dof->motion), push = six(dof->push);
    for (int n = 0; n < count; n++) {
      double effort = dot6(motion, left[n]);
      entries[n][i] = effort * dof->whitener;
      left[n] = sub_scaled6(left[n], effort, push);
    }
  }
}

WIDE void articulated_whiten(const Forest *forest, int body, int count, const double *const wrenches[],
                             double *const entries[]) {
  const ForestBody *on = &forest->bodies[body];
  int n = 0;
  for (; n + 3 <= count; n += 3)
    whiten(forest, on, 3, &wrenches[n], &entries[n]);
  for (; n < count; n++)
    whiten(forest, on, 1, &wrenches[n], &entries[n]);
}
