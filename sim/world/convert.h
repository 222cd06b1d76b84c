// Conversions between ODE's numbers (double, quaternions w x y z) and cglm's (float, x y z w); they are made here only.
#ifndef STAGGER_SIM_WORLD_CONVERT_H
#define STAGGER_SIM_WORLD_CONVERT_H

#include <cglm/struct.h>
#include <math.h>
#include <ode/ode.h>

static inline vec3s vec3_from_ode(const dReal *v) { return (vec3s){{(float)v[0], (float)v[1], (float)v[2]}}; }

static inline versors quat_from_ode(const dReal *q) {
  return (versors){{(float)q[1], (float)q[2], (float)q[3], (float)q[0]}};
}

static inline void vec3_to_ode(vec3s v, dReal out[3]) {
  out[0] = (dReal)v.x;
  out[1] = (dReal)v.y;
  out[2] = (dReal)v.z;
}

// Normalised in double, so that float rounding never reaches ODE. A zero quaternion becomes the identity.
static inline void quat_to_ode(versors q, dQuaternion out) {
  double w = (double)q.w, x = (double)q.x, y = (double)q.y, z = (double)q.z;
  double length = sqrt(w * w + x * x + y * y + z * z);
  double scale = length > 0 ? 1 / length : 0;
  out[0] = length > 0 ? w * scale : 1;
  out[1] = x * scale;
  out[2] = y * scale;
  out[3] = z * scale;
}

#endif
