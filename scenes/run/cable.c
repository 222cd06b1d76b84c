// The winch and the spring of a cable, and the lean of the character that it holds.
#include "scenes/run/cable.h"

#include <math.h>
#include <string.h>

#include "ragdoll/character/character_metrics.h"
#include "sim/base/numbers.h"
#include "sim/world/world_body.h"

static const double STIFFNESS = 3e4;  // N/m
static const double LEAST_PULL = 5;   // N: the winch takes up slack
static const double PACE = 0.08;      // m/s at which the winch gives way
static const double SLOWING = 0.2;    // s: time constant with which it comes to rest at the lean
static const double NEAR = 0.005;     // rad: from where on the winch is locked
static const double FORCE_TIME = 0.1; // s over which the reported force is smoothed

// The lean along `way` of the line from the middle of the ankles to the centre of mass, rad; height: out, m.
static double lean_of(const Cable *cable, const Character *character, double *height) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  const double *com = character->sensed.com;
  double middle[3] = {0};
  for (int i = 0; i < skeleton->leg_count; i++) {
    double ankle[3];
    ragdoll_point(character->ragdoll, skeleton->legs[i].ankle, GLMS_VEC3_ZERO, ankle);
    for (int axis = 0; axis < 3; axis++)
      middle[axis] += ankle[axis] / skeleton->leg_count;
  }
  *height = com[1] - middle[1];
  return atan2(plane2_dot(plane2_sub(plane2_of(com), plane2_of(middle)), cable->way), *height);
}

void cable_attach(Cable *cable, const World *world, const Character *character, int part, const double point_l[3],
                  Plane2 way, double lean) {
  *cable = (Cable){.attached = true, .part = part, .way = way, .lean = lean};
  memcpy(cable->point_l, point_l, sizeof cable->point_l);
  double point[3];
  world_body_point_to_world(world, character->ragdoll->body[part], point_l, point);
  cable->end = plane2_dot(plane2_of(point), way);
}

// Gives way toward the lean, in a step of length h, and takes up slack. at: m, of the point along the cable. Returns
// the speed of the far end, m/s.
static double give_way(Cable *cable, const Character *character, double at, double h) {
  if (cable->reached)
    return 0;
  double height, lack = cable->lean - lean_of(cable, character, &height), before = cable->end;
  double rate = fmax(0, fmin(PACE, lack * height / SLOWING));
  cable->end = fmin(before + rate * h, at - LEAST_PULL / STIFFNESS);
  cable->reached = lack < NEAR;
  return (cable->end - before) / h;
}

double cable_force(const World *world, int body, const double point[3], Plane2 way, double end, double rate,
                   double mass, double least) {
  const double h = world->def.dt, damping = 2 * sqrt(STIFFNESS * mass);
  double velocity[3], mobility[3][3];
  world_body_point_velocity(world, body, point, velocity);
  world_body_mobility(world, body, point, mobility);
  const double at = plane2_dot(plane2_of(point), way), speed = plane2_dot(plane2_of(velocity), way) - rate;
  const Plane2 x = {.x = mobility[0][0], .z = mobility[0][2]}, z = {.x = mobility[2][0], .z = mobility[2][2]};
  const double yields = way.x * plane2_dot(x, way) + way.z * plane2_dot(z, way);
  // Of the velocity at the end of the step, so that the spring is stable on a light part, as in poke_drag_begin.
  const double resist = damping + STIFFNESS * h;
  return fmax(least, (STIFFNESS * (at - end) + resist * speed) / (1 + resist * h * yields));
}

void cable_pull(Cable *cable, const World *world, const Character *character, Impulse *impulse) {
  const int body = character->ragdoll->body[cable->part];
  const double h = world->def.dt;
  *impulse = (Impulse){.body = body, .source = IMPULSE_CABLE, .event = -1};
  world_body_point_to_world(world, body, cable->point_l, impulse->point);
  const double rate = give_way(cable, character, plane2_dot(plane2_of(impulse->point), cable->way), h);
  const double force =
      cable_force(world, body, impulse->point, cable->way, cable->end, rate, character->def->body->mass, LEAST_PULL);
  cable->force += h / FORCE_TIME * (force - cable->force);
  impulse->impulse[0] = -force * h * cable->way.x;
  impulse->impulse[2] = -force * h * cable->way.z;
}

void cable_release(Cable *cable, const World *world, const Character *character) {
  double height, weight = character->def->body->mass * fabs(world->def.gravity[1]);
  if (cable->attached)
    metrics_release(character->judged->metrics, lean_of(cable, character, &height), cable->force / weight);
  cable->attached = false;
}

void cable_state(Cable *cable, int part_count, StateStream *stream) {
  STATE(stream, cable->attached, cable->reached, cable->point_l, cable->way.x, cable->way.z, cable->lean, cable->end,
        cable->force);
  state_int(stream, &cable->part, 0, part_count - 1);
}
