// The bodies of a world in plain numbers: position, motion, mass properties. For code that must not use ODE. All
// indices are into world->bodies. Pointers refer to the present state and are valid until the next step.
#ifndef STAGGER_SIM_WORLD_WORLD_BODY_H
#define STAGGER_SIM_WORLD_WORLD_BODY_H

#include "sim/world/world.h"

// Position (m) and velocity (m/s) of the centre of mass and angular velocity (rad/s), in the world.
const double *world_body_position(const World *world, int body);
const double *world_body_velocity(const World *world, int body);
const double *world_body_spin(const World *world, int body);

// The rotation from the body's frame to the world: a unit quaternion x y z w, and the same as a matrix, by rows.
void world_body_rotation(const World *world, int body, double rotation[4]);
void world_body_matrix(const World *world, int body, double matrix[3][3]);

// Converts points (m, relative to the centre of mass in the body's frame; world) and free vectors between the frames.
void world_body_point_to_world(const World *world, int body, const double point_l[3], double point_w[3]);
void world_body_point_from_world(const World *world, int body, const double point_w[3], double point_l[3]);
void world_body_vector_to_world(const World *world, int body, const double vector_l[3], double vector_w[3]);
void world_body_vector_from_world(const World *world, int body, const double vector_w[3], double vector_l[3]);

// Velocity (m/s, world) of the body's matter at a point (m, world).
void world_body_point_velocity(const World *world, int body, const double point_w[3], double velocity_w[3]);

// kg, and kg m^2 about the centre of mass, in the body's frame.
void world_body_inertia(const World *world, int body, double *mass, double inertia_l[3][3]);

// The inverse effective mass at a point of a body (m, world), for the body alone: the change of the point's velocity by
// an impulse of 1 N s along each axis, as columns, 1/kg.
void world_body_mobility(const World *world, int body, const double point_w[3], double mobility[3][3]);

// The first shape of a body that is a single box or ball: props, balls, platforms. Size in m: lengths of the edges, or
// three times the diameter as a vector.
bool world_body_is_box(const World *world, int body);
bool world_body_is_ball(const World *world, int body);
void world_body_size(const World *world, int body, double size[3]);

#endif
