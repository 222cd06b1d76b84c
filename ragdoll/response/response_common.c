// What all responses use: their course over time, turns of a joint, the direction of a blow, and where a part is.
#include <math.h>

#include "ragdoll/response/responses_internal.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

double response_course(const Blow *blow, double strength, double latency, double rise, double hold, double fall) {
  double since = blow->age - latency * blow->late;
  return strength * smooth_step(since / rise) * (1 - smooth_step((since - rise - hold) / fall));
}

double response_wave(const Blow *blow, double size, double latency, double rise, double hold, double fall) {
  return response_course(blow, size * blow->size * blow->pain, latency, rise, hold, fall);
}

void response_turn(Pose *pose, int joint, double x, double y, double z) {
  vec3s turn = glms_vec3_scale((vec3s){{(float)x, (float)y, (float)z}}, (float)RAD_PER_DEGREE);
  pose->rotation[joint] = glms_quat_mul(quat_exp(turn), pose->rotation[joint]);
}

Plane2 response_way(const Blow *blow, double heading) {
  Plane2 way = plane2_turn(plane2_of(blow->impulse), -heading);
  double length = plane2_length(way);
  return length > 0.2 * length3(blow->impulse) ? plane2_scale(way, 1 / length) : (Plane2){.x = 0, .z = 0};
}

vec3s response_place(const Ragdoll *ragdoll, int part) {
  double place[3];
  ragdoll_point(ragdoll, part, GLMS_VEC3_ZERO, place);
  return vec3_from_ode(place);
}

versors response_rotation(const Ragdoll *ragdoll, int part) {
  return quat_from_ode(dBodyGetQuaternion(ragdoll->ode[part]));
}
