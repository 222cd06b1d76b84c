// Bodies in plain numbers: the only access of scenes and viewer to ODE's data.
#include "sim/world/world_body.h"

#include <string.h>

#include "sim/base/numbers.h"

static dBodyID ode_of(const World *world, int body) { return world->bodies[body].ode; }

const double *world_body_position(const World *world, int body) { return dBodyGetPosition(ode_of(world, body)); }

const double *world_body_velocity(const World *world, int body) { return dBodyGetLinearVel(ode_of(world, body)); }

const double *world_body_spin(const World *world, int body) { return dBodyGetAngularVel(ode_of(world, body)); }

void world_body_rotation(const World *world, int body, double rotation[4]) {
  const dReal *q = dBodyGetQuaternion(ode_of(world, body));
  memcpy(rotation, &q[1], 3 * sizeof *rotation);
  rotation[3] = q[0];
}

void world_body_matrix(const World *world, int body, double matrix[3][3]) {
  const dReal *rows = dBodyGetRotation(ode_of(world, body));
  for (int i = 0; i < 3; i++)
    memcpy(matrix[i], &rows[4 * i], sizeof matrix[i]);
}

void world_body_point_to_world(const World *world, int body, const double point_l[3], double point_w[3]) {
  dVector3 point;
  dBodyGetRelPointPos(ode_of(world, body), point_l[0], point_l[1], point_l[2], point);
  memcpy(point_w, point, 3 * sizeof *point_w);
}

void world_body_point_from_world(const World *world, int body, const double point_w[3], double point_l[3]) {
  dVector3 point;
  dBodyGetPosRelPoint(ode_of(world, body), point_w[0], point_w[1], point_w[2], point);
  memcpy(point_l, point, 3 * sizeof *point_l);
}

void world_body_vector_to_world(const World *world, int body, const double vector_l[3], double vector_w[3]) {
  dVector3 vector;
  dBodyVectorToWorld(ode_of(world, body), vector_l[0], vector_l[1], vector_l[2], vector);
  memcpy(vector_w, vector, 3 * sizeof *vector_w);
}

void world_body_vector_from_world(const World *world, int body, const double vector_w[3], double vector_l[3]) {
  dVector3 vector;
  dBodyVectorFromWorld(ode_of(world, body), vector_w[0], vector_w[1], vector_w[2], vector);
  memcpy(vector_l, vector, 3 * sizeof *vector_l);
}

void world_body_point_velocity(const World *world, int body, const double point_w[3], double velocity_w[3]) {
  dVector3 velocity;
  dBodyGetPointVel(ode_of(world, body), point_w[0], point_w[1], point_w[2], velocity);
  memcpy(velocity_w, velocity, 3 * sizeof *velocity_w);
}

void world_body_inertia(const World *world, int body, double *mass, double inertia_l[3][3]) {
  dMass found;
  dBodyGetMass(ode_of(world, body), &found);
  *mass = found.mass;
  for (int i = 0; i < 3; i++)
    memcpy(inertia_l[i], &found.I[4 * i], sizeof inertia_l[i]);
}

void world_body_mobility(const World *world, int body, const double point_w[3], double mobility[3][3]) {
  const double *center = world_body_position(world, body);
  const double arm[3] = {point_w[0] - center[0], point_w[1] - center[1], point_w[2] - center[2]};
  double mass, inertia_l[3][3];
  world_body_inertia(world, body, &mass, inertia_l);
  for (int axis = 0; axis < 3; axis++) {
    double unit[3] = {0}, moment[3], moment_l[3], spin_l[3], spin[3];
    unit[axis] = 1;
    cross3(arm, unit, moment);
    world_body_vector_from_world(world, body, moment, moment_l);
    solve_columns3((const double(*)[3])inertia_l, moment_l, spin_l);
    world_body_vector_to_world(world, body, spin_l, spin);
    cross3(spin, arm, mobility[axis]);
    mobility[axis][axis] += 1 / mass;
  }
}

static bool has_shape(const World *world, int body, int kind) {
  dGeomID geom = dBodyGetFirstGeom(ode_of(world, body));
  return geom && dGeomGetClass(geom) == kind;
}

bool world_body_is_box(const World *world, int body) { return has_shape(world, body, dBoxClass); }

bool world_body_is_ball(const World *world, int body) { return has_shape(world, body, dSphereClass); }

void world_body_size(const World *world, int body, double size[3]) {
  dGeomID geom = dBodyGetFirstGeom(ode_of(world, body));
  if (world_body_is_box(world, body)) {
    dVector3 lengths;
    dGeomBoxGetLengths(geom, lengths);
    memcpy(size, lengths, 3 * sizeof *size);
  } else {
    size[0] = size[1] = size[2] = 2 * dGeomSphereGetRadius(geom);
  }
}
