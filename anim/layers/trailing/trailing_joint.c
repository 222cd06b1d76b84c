// One trailing joint: a particle on a spring, its limits, and the swing that points the bone at the particle.
#include <string.h>

#include "anim/layers/trailing/trailing_internal.h"

static const double ON_JOINT = 3e-5; // m: a particle nearer to the joint has no direction
static const double OPPOSITE = 1e-6; // sine of the angle below which opposite directions do not determine an axis
static const double AT_REST = 1e-9;  // m and m/s below which a particle is at its goal

void trailing_perpendicular(const double v[3], double out[3]) {
  int smallest = fabs(v[0]) <= fabs(v[1]) ? (fabs(v[0]) <= fabs(v[2]) ? 0 : 2) : (fabs(v[1]) <= fabs(v[2]) ? 1 : 2);
  double other[3] = {smallest == 0, smallest == 1, smallest == 2};
  cross(v, other, out);
  make_unit(out);
}

TrailingFigures trailing_figures(const TrailingJoint *joint) {
  TrailingFigures figures = {.joint = *joint, .length = length3(joint->rest_offset)};
  figures.can_trail = figures.length >= TRAILING_SHORTEST_OFFSET;
  for (int k = 0; k < 3 && figures.can_trail; k++)
    figures.rest[k] = joint->rest_offset[k] / figures.length;
  double s = sin(joint->angle_limit / 2), c = cos(joint->angle_limit / 2);
  figures.half_sine = s;
  figures.half_cosine = c;
  figures.sine = 2 * s * c;
  figures.cosine = 1 - 2 * s * s;
  figures.deflection = joint->gravity * joint->damp_seconds * joint->damp_seconds / 4;
  return figures;
}

// ---- Where the particle is ----

void trailing_bearing(const TrailingFigures *figures, const double position[3], const double rotation[4],
                      const TrailingState *state, TrailingBearing *bearing) {
  if (!figures->can_trail) {
    *bearing = (TrailingBearing){.cosine = 1};
    return;
  }
  double offset_w[3], offset[3], across[3];
  add_scaled(state->particle, -1, position, offset_w);
  turn(rotation, -1, offset_w, offset);
  bearing->distance = length3(offset_w);
  bool is_on_joint = bearing->distance <= ON_JOINT;
  const double *way = is_on_joint ? state->direction_l : offset;
  cross(figures->rest, way, across);
  double per_length = is_on_joint ? 1 : 1 / bearing->distance;
  bearing->sine = per_length * length3(across);
  bearing->cosine = per_length * dot3(figures->rest, way);
  scale(per_length, way, bearing->direction);
  scale(per_length, across, bearing->across);
}

// Evaluated as sin(angle - limit) > 0, without an arc tangent; for a particle behind and a limit ahead, which may be
// half a turn apart, the cosines are compared.
static bool is_beyond_limit(const TrailingFigures *figures, const TrailingBearing *bearing) {
  return bearing->sine * figures->cosine > bearing->cosine * figures->sine ||
         (bearing->cosine < 0 && figures->cosine > 0);
}

// The unit axis of the swing, perpendicular to rest; zero when there is no swing. `last` is the direction of the swing
// to use when the particle is straight behind the joint.
static void find_axis(const TrailingFigures *figures, const TrailingBearing *bearing, const double last[3],
                      double axis[3]) {
  double sine = bearing->sine;
  memcpy(axis, bearing->across, sizeof bearing->across);
  if (sine < OPPOSITE && bearing->cosine < 0) {
    cross(figures->rest, last, axis);
    sine = length3(axis);
  }
  if (sine < OPPOSITE && bearing->cosine < 0)
    trailing_perpendicular(figures->rest, axis);
  else if (sine > 0)
    make_unit(axis);
}

// ---- Limits ----

// Removes the component of the velocity along a unit vector, in the world.
static void stop_along(TrailingState *state, const double way[3]) {
  double speed = dot3(state->velocity, way);
  if (speed > 0)
    add_scaled(state->velocity, -speed, way, state->velocity);
}

// Moves the direction to the edge of the cone: it turns about the joint, at right angles to the cone's axis.
static void stay_in_cone(const TrailingFigures *figures, const double rotation[4], TrailingBearing *bearing,
                         TrailingState *state) {
  double axis[3], side[3], outward_l[3], outward[3];
  find_axis(figures, bearing, state->direction_l, axis);
  cross(axis, figures->rest, side);
  for (int k = 0; k < 3; k++)
    bearing->direction[k] = figures->cosine * figures->rest[k] + figures->sine * side[k];
  cross(axis, bearing->direction, outward_l);
  turn(rotation, 1, outward_l, outward);
  stop_along(state, outward);
}

// Limits the distance to the allowed range.
static void stay_at_distance(double distance, const double rotation[4], TrailingBearing *bearing,
                             TrailingState *state) {
  double leaving[3];
  turn(rotation, 1, bearing->direction, leaving);
  for (int k = 0; k < 3 && bearing->distance < distance; k++)
    leaving[k] = -leaving[k];
  stop_along(state, leaving);
  bearing->distance = distance;
}

// The corrections of the two limits are perpendicular to each other, so that neither undoes the other. bearing: of the
// particle after the correction, the same as for dt = 0.
static void keep_within_limits(const TrailingFigures *figures, const double position[3], const double rotation[4],
                               TrailingState *state, TrailingBearing *bearing) {
  trailing_bearing(figures, position, rotation, state, bearing);
  double nearest = figures->joint.distance[0] * figures->length;
  double farthest = figures->joint.distance[1] * figures->length;
  bool is_near = bearing->distance<nearest, is_far = bearing->distance> farthest;
  state->clamped = is_beyond_limit(figures, bearing);
  if (state->clamped)
    stay_in_cone(figures, rotation, bearing, state);
  if (is_near || is_far)
    stay_at_distance(is_near ? nearest : farthest, rotation, bearing, state);
  memcpy(state->direction_l, bearing->direction, sizeof state->direction_l);
  if (!state->clamped && !is_near && !is_far)
    return;
  turn(rotation, 1, bearing->direction, state->particle);
  add_scaled(position, bearing->distance, state->particle, state->particle);
  trailing_bearing(figures, position, rotation, state, bearing);
}

// ---- The particle ----

static void find_rest(const TrailingFigures *figures, const double position[3], const double rotation[4],
                      double rest[3]) {
  trailing_rest_arm(figures, rotation, rest);
  add_scaled(position, 1, rest, rest);
}

// One coordinate of the particle, whose goal moves at a constant speed. The spring's steady state behind such a goal is
// a lag of speed * damp_seconds; relative to that it moves as about a resting goal.
static void follow(double *x, double *velocity, double goal_from, double goal_to, double damp_seconds,
                   const SpringStep *spring) {
  double speed = (goal_to - goal_from) / spring->dt, lag = speed * damp_seconds;
  double offset = *x - (goal_from - lag), rate = *velocity - speed;
  spring_apply(spring, &offset, &rate, 0);
  if (fabs(offset) < AT_REST && fabs(rate) < AT_REST)
    offset = rate = 0;
  *x = goal_to - lag + offset;
  *velocity = speed + rate;
}

void trailing_reset(const TrailingJoint *joint, const double position[3], const double rotation[4],
                    TrailingState *state) {
  TrailingFigures figures = trailing_figures(joint);
  *state = (TrailingState){0};
  memcpy(state->joint, position, sizeof state->joint);
  find_rest(&figures, position, rotation, state->rest);
  memcpy(state->particle, state->rest, sizeof state->particle);
  memcpy(state->direction_l, figures.rest, sizeof state->direction_l);
  if (figures.can_trail && joint->gravity > 0) {
    TrailingBearing bearing;
    state->particle[1] -= figures.deflection;
    keep_within_limits(&figures, position, rotation, state, &bearing);
  }
}

void trailing_move(const TrailingFigures *figures, const SpringStep *spring, const double position[3],
                   const double rotation[4], const double rest[3], TrailingState *state, TrailingBearing *bearing) {
  if (!figures->can_trail) {
    trailing_bearing(figures, position, rotation, state, bearing);
    return;
  }
  const double below[3] = {0, figures->deflection, 0};
  for (int k = 0; k < 3; k++)
    follow(&state->particle[k], &state->velocity[k], state->rest[k] - below[k], rest[k] - below[k],
           figures->joint.damp_seconds, spring);
  memcpy(state->joint, position, sizeof state->joint);
  memcpy(state->rest, rest, sizeof state->rest);
  keep_within_limits(figures, position, rotation, state, bearing);
}

void trailing_step(const TrailingJoint *joint, const double position[3], const double rotation[4], double dt,
                   TrailingState *state) {
  if (!(dt >= TRAILING_SHORTEST_STEP))
    return;
  TrailingFigures figures = trailing_figures(joint);
  SpringStep spring = spring_over(joint->damp_seconds, dt);
  TrailingBearing bearing;
  double rest[3];
  find_rest(&figures, position, rotation, rest);
  trailing_move(&figures, &spring, position, rotation, rest, state, &bearing);
}

void trailing_carry(TrailingState *state, const double shift[3]) {
  add_scaled(state->particle, 1, shift, state->particle);
  add_scaled(state->rest, 1, shift, state->rest);
}

// ---- The swing ----

// From half the angle, which is computed from the larger of its sine and cosine.
void trailing_swing_rotation(const TrailingFigures *figures, const TrailingBearing *bearing, const double last[3],
                             double rotation[4]) {
  double axis[3], length;
  bool is_beyond = is_beyond_limit(figures, bearing);
  if (bearing->cosine >= 0 && !is_beyond) {
    rotation[3] = sqrt(0.5 + 0.5 * bearing->cosine);
    length = 0.5 / rotation[3];
    memcpy(axis, bearing->across, sizeof axis);
  } else {
    find_axis(figures, bearing, last, axis);
    length = is_beyond ? figures->half_sine : sqrt(0.5 - 0.5 * bearing->cosine);
    rotation[3] = is_beyond ? figures->half_cosine : 0.5 * bearing->sine / length;
  }
  scale(length, axis, rotation);
}

double trailing_swing_angle(const TrailingFigures *figures, const TrailingBearing *bearing) {
  return fmin(atan2(bearing->sine, bearing->cosine), figures->joint.angle_limit);
}

// The angle is limited here too: the joint may have turned without a step of the particle.
TrailingSwing trailing_swing(const TrailingJoint *joint, const double position[3], const double rotation[4],
                             const TrailingState *state) {
  TrailingFigures figures = trailing_figures(joint);
  TrailingBearing bearing;
  trailing_bearing(&figures, position, rotation, state, &bearing);
  TrailingSwing swing = {.angle = trailing_swing_angle(&figures, &bearing)};
  trailing_swing_rotation(&figures, &bearing, state->direction_l, swing.rotation);
  return swing;
}
