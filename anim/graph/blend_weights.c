// Weights of the children of one- and two-dimensional blends. In the plane, gradient bands are used: Cartesian ones, or
// polar ones for children that stand for directions and speeds.
#include "anim/graph/blend_weights.h"

#include <math.h>

#include "anim/graph/graph.h"

static const float ANGLE_WEIGHT = 2;   // weight of an angle in rad compared with a relative radius
static const float INNER = 0.25f;      // share of the smallest radius within which the effect of angles fades out
static const float ORIGIN = 1e-6f;     // radius below which a point has no direction
static const float PI = (float)GLM_PI; // rad

void blend_weights(const float *positions, int count, float value, float *weights) {
  for (int i = 0; i < count; i++)
    weights[i] = 0;
  int i = 0;
  while (i + 1 < count && value >= positions[i + 1])
    i++;
  bool outside = value <= positions[0] || i + 1 == count;
  float t = outside ? 0 : (value - positions[i]) / (positions[i + 1] - positions[i]);
  weights[i] = 1 - t;
  if (!outside)
    weights[i + 1] = t;
}

// The share of its weight that a child loses to another one; `value` and `other` are relative to the child.
static float band_share(const float value[2], const float other[2]) {
  float length2 = other[0] * other[0] + other[1] * other[1];
  return (value[0] * other[0] + value[1] * other[1]) / length2;
}

static void normalise(float *weights, int count) {
  float total = 0;
  for (int i = 0; i < count; i++)
    total += weights[i];
  for (int i = 0; i < count; i++)
    weights[i] = total > 0 ? weights[i] / total : 1 / (float)count;
}

void blend_weights_flat(const float (*positions)[2], int count, const float value[2], float *weights) {
  for (int i = 0; i < count; i++) {
    const float *at = positions[i], here[2] = {value[0] - at[0], value[1] - at[1]};
    weights[i] = 1;
    for (int j = 0; j < count; j++) {
      const float other[2] = {positions[j][0] - at[0], positions[j][1] - at[1]};
      if (j != i)
        weights[i] = fminf(weights[i], 1 - band_share(here, other));
    }
    weights[i] = fmaxf(weights[i], 0);
  }
  normalise(weights, count);
}

// ---- Directions ----

static float wrap_angle(float angle) {
  while (angle > PI)
    angle -= 2 * PI;
  while (angle <= -PI)
    angle += 2 * PI;
  return angle;
}

// The component of an angle b along an angle a (both -pi .. pi). Beyond the direction opposite to a the angle b is
// counted from the other side, so that nothing jumps where b wraps around.
static float angle_along(float a, float b) {
  if (a < 0) {
    a = -a;
    b = -b;
  }
  return b < 0 ? fmaxf(b, a - b - PI) : fminf(b, a + PI - b);
}

void blend_weights_polar(const float (*positions)[2], int count, const float value[2], float *weights) {
  float radius[GRAPH_MAX_CHILDREN], angle[GRAPH_MAX_CHILDREN], smallest = INFINITY;
  float r = hypotf(value[0], value[1]), direction = r > ORIGIN ? atan2f(value[0], value[1]) : 0;
  for (int i = 0; i < count; i++) {
    radius[i] = hypotf(positions[i][0], positions[i][1]);
    angle[i] = radius[i] > ORIGIN ? atan2f(positions[i][0], positions[i][1]) : direction;
    smallest = fminf(smallest, radius[i]);
  }
  float angle_share = smallest > ORIGIN ? fminf(r / (INNER * smallest), 1) : 1;

  for (int i = 0; i < count; i++) {
    float to_value = wrap_angle(direction - angle[i]);
    weights[i] = 1;
    for (int j = 0; j < count; j++) {
      if (j == i)
        continue;
      float mean = (radius[i] + radius[j]) / 2, to_other = wrap_angle(angle[j] - angle[i]);
      float along = ANGLE_WEIGHT * angle_share * angle_along(to_other, to_value);
      float here[2] = {(r - radius[i]) / mean, along};
      float other[2] = {(radius[j] - radius[i]) / mean, ANGLE_WEIGHT * fabsf(to_other)};
      weights[i] = fminf(weights[i], 1 - band_share(here, other));
    }
    weights[i] = fmaxf(weights[i], 0);
  }
  normalise(weights, count);
}
