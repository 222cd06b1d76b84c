// Balances of momentum and angular momentum from a trace alone: what a character or an object gains between two frames,
// less gravity, contacts, events and the reported hand.
#ifndef STAGGER_TESTS_TRACE_BALANCE_H
#define STAGGER_TESTS_TRACE_BALANCE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/trace/trace.h"

enum { BALANCE_MOST_PARTS = 64 };

// The contents of a trace, as read from its format.
typedef struct BalanceTrace {
  TraceReader *reader;
  int frames;
  double dt, gravity[3];
  double *time;
  int *first, *count, *part, *other; // of contacts
  double (*position)[3], (*impulse)[3], (*moment)[3];
  TraceEvent *events;
  int event_count;
} BalanceTrace;

// Parts of a character or an object. The row of a part in a frame is frame * count + part.
typedef struct BalanceBodies {
  char character[TRACE_NAME_SIZE]; // name of the character in events; "" for an object
  int first_number, count;         // name in the table of contacts
  double mass[BALANCE_MOST_PARTS], inertia[BALANCE_MOST_PARTS][3];
  double (*position)[3], (*rotation)[4], (*velocity)[3], (*spin)[3];
  double (*force)[3], (*torque)[3], (*point)[3]; // of the assist, a row for each frame; NULL for an object
  bool kinematic;
} BalanceBodies;

// N s and N m s, about the centre of mass of the frame before.
typedef struct Balance {
  double linear[3], angular[3];
} Balance;

// One frame's balance.
typedef struct BalanceFrame {
  bool by_hand;         // the body is kinematic: the hand's force is what remains
  Balance change, rest; // of the momenta, and the part of it that remains unexplained
  double impulses;      // N s: magnitudes of all external impulses, and of what the parts gained
  double events;        // N s: those by events, which a trace stores in single precision
  double events_reach;  // N m s: their impulses times the distance of their points from the origin
  double sagging;       // N m s: of the weight, whose position between frames is not in the trace
  double turning;       // N m s: of the parts' spins, see balance_allowed
  double opening;       // m: how far a joint opens in a step in which the fastest part moves straight on
} BalanceFrame;

// Reading.

static inline void *balance_read(TraceReader *reader, const char *path, TraceType type, int width, long rows) {
  Error error = {0};
  const size_t size = type == TRACE_INT32 ? sizeof(int) : sizeof(double);
  void *values = calloc((size_t)rows * (size_t)width + 1, size);
  long found;
  int row_size;
  if (values && trace_shape(reader, path, &found, &row_size) && found >= rows && row_size == width &&
      trace_read(reader, path, type, 0, rows, values, &error))
    return values;
  printf("%s: not as expected. %s\n", path, error.text);
  exit(1);
}

static inline void *balance_read_in(TraceReader *reader, const char *folder, const char *name, int width, long rows) {
  char path[2 * TRACE_NAME_SIZE + 64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return balance_read(reader, path, TRACE_FLOAT64, width, rows);
}

static inline BalanceTrace balance_open(TraceReader *reader) {
  BalanceTrace trace = {.reader = reader, .frames = trace_frame_count(reader), .dt = trace_number(reader, "dt")};
  long contacts = 0;
  int width;
  trace_values(reader, "/", "gravity", trace.gravity, 3);
  trace_shape(reader, "/contacts/impulse", &contacts, &width);
  trace.time = balance_read(reader, "/time", TRACE_FLOAT64, 1, trace.frames);
  trace.first = balance_read(reader, "/contacts/first", TRACE_INT32, 1, trace.frames);
  trace.count = balance_read(reader, "/contacts/count", TRACE_INT32, 1, trace.frames);
  trace.part = balance_read(reader, "/contacts/part", TRACE_INT32, 1, contacts);
  trace.other = balance_read(reader, "/contacts/other", TRACE_INT32, 1, contacts);
  trace.position = balance_read(reader, "/contacts/position", TRACE_FLOAT64, 3, contacts);
  trace.impulse = balance_read(reader, "/contacts/impulse", TRACE_FLOAT64, 3, contacts);
  trace.moment = balance_read(reader, "/contacts/moment", TRACE_FLOAT64, 3, contacts);
  trace.events = trace_events(reader, &trace.event_count);
  return trace;
}

static inline void balance_close(BalanceTrace *trace) {
  void *const owned[] = {trace->time,     trace->first,   trace->count,  trace->part,  trace->other,
                         trace->position, trace->impulse, trace->moment, trace->events};
  for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
    free(owned[i]);
}

static inline void balance_read_state(const BalanceTrace *trace, const char *folder, BalanceBodies *bodies) {
  const int frames = trace->frames, count = bodies->count;
  bodies->position = balance_read_in(trace->reader, folder, "position", 3 * count, frames);
  bodies->rotation = balance_read_in(trace->reader, folder, "rotation", 4 * count, frames);
  bodies->velocity = balance_read_in(trace->reader, folder, "linear_velocity", 3 * count, frames);
  bodies->spin = balance_read_in(trace->reader, folder, "angular_velocity", 3 * count, frames);
}

// first_number: index of the character's first part.
static inline BalanceBodies balance_character(const BalanceTrace *trace, const char *name, int first_number) {
  BalanceBodies bodies = {.first_number = first_number};
  char folder[TRACE_NAME_SIZE + 32], path[TRACE_NAME_SIZE + 64];
  snprintf(bodies.character, sizeof bodies.character, "%s", name);
  snprintf(folder, sizeof folder, "/characters/%s/parts", name);
  snprintf(path, sizeof path, "%s/position", folder);
  bodies.count = trace_values(trace->reader, path, "mass", bodies.mass, BALANCE_MOST_PARTS);
  trace_values(trace->reader, path, "inertia", &bodies.inertia[0][0], 3 * BALANCE_MOST_PARTS);
  balance_read_state(trace, folder, &bodies);
  snprintf(folder, sizeof folder, "/characters/%s/assist", name);
  snprintf(path, sizeof path, "%s/force", folder);
  double kinematic = 0;
  bodies.kinematic = trace_values(trace->reader, path, "kinematic", &kinematic, 1) == 1 && kinematic == 1;
  bodies.force = balance_read_in(trace->reader, folder, "force", 3, trace->frames);
  bodies.torque = balance_read_in(trace->reader, folder, "torque", 3, trace->frames);
  bodies.point = balance_read_in(trace->reader, folder, "point", 3, trace->frames);
  return bodies;
}

static inline BalanceBodies balance_object(const BalanceTrace *trace, const char *name) {
  BalanceBodies bodies = {.count = 1};
  char folder[TRACE_NAME_SIZE + 32];
  double number = -1;
  snprintf(folder, sizeof folder, "/objects/%s", name);
  trace_values(trace->reader, folder, "number", &number, 1);
  trace_values(trace->reader, folder, "mass", bodies.mass, 1);
  trace_values(trace->reader, folder, "inertia", bodies.inertia[0], 3);
  bodies.first_number = (int)number;
  balance_read_state(trace, folder, &bodies);
  return bodies;
}

static inline void balance_free(BalanceBodies *bodies) {
  void *const owned[] = {bodies->position, bodies->rotation, bodies->velocity, bodies->spin,
                         bodies->force,    bodies->torque,   bodies->point};
  for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
    free(owned[i]);
}

// Sums of impulses and of their moments about a point.

static inline void balance_add(Balance *sum, const double at[3], const double point[3], const double impulse[3],
                               double sign) {
  double arm[3], moment[3];
  for (int k = 0; k < 3; k++)
    arm[k] = point[k] - at[k];
  cross3(arm, impulse, moment);
  for (int k = 0; k < 3; k++) {
    sum->linear[k] += sign * impulse[k];
    sum->angular[k] += sign * moment[k];
  }
}

static inline void balance_turn(const double q[4], const double v[3], double sign, double out[3]) {
  const double axis[3] = {sign * q[0], sign * q[1], sign * q[2]};
  double once[3], twice[3];
  cross3(axis, v, once);
  cross3(axis, once, twice);
  for (int k = 0; k < 3; k++)
    out[k] = v[k] + 2 * (q[3] * once[k] + twice[k]);
}

// Momentum of the bodies in a frame.
static inline void balance_add_momentum(const BalanceBodies *bodies, int frame, const double at[3], double sign,
                                        Balance *sum) {
  for (int i = 0; i < bodies->count; i++) {
    const int row = frame * bodies->count + i;
    double momentum[3], spin_l[3], spin[3];
    for (int k = 0; k < 3; k++)
      momentum[k] = bodies->mass[i] * bodies->velocity[row][k];
    balance_add(sum, at, bodies->position[row], momentum, sign);
    balance_turn(bodies->rotation[row], bodies->spin[row], -1, spin_l);
    for (int k = 0; k < 3; k++)
      spin_l[k] *= bodies->inertia[i][k];
    balance_turn(bodies->rotation[row], spin_l, 1, spin);
    for (int k = 0; k < 3; k++)
      sum->angular[k] += sign * spin[k];
  }
}

// Returns the mass.
static inline double balance_center(const BalanceBodies *bodies, int frame, double center[3]) {
  double mass = 0;
  center[0] = center[1] = center[2] = 0;
  for (int i = 0; i < bodies->count; i++) {
    mass += bodies->mass[i];
    for (int k = 0; k < 3; k++)
      center[k] += bodies->mass[i] * bodies->position[frame * bodies->count + i][k];
  }
  for (int k = 0; k < 3; k++)
    center[k] /= mass;
  return mass;
}

static inline double balance_steps(const BalanceTrace *trace, int frame) {
  return round((trace->time[frame] - trace->time[frame - 1]) / trace->dt);
}

// Weight acts at the centre of mass at the beginning of each step.
static inline void balance_add_gravity(const BalanceTrace *trace, const BalanceBodies *bodies, int frame,
                                       const double at[3], BalanceFrame *out, Balance *sum) {
  const double duration = trace->time[frame] - trace->time[frame - 1], steps = balance_steps(trace, frame);
  double from[3], to[3], weight[3];
  const double mass = balance_center(bodies, frame - 1, from);
  balance_center(bodies, frame, to);
  for (int k = 0; k < 3; k++) {
    weight[k] = mass * trace->gravity[k] * duration;
    from[k] += (steps - 1) / (2 * steps) * (to[k] - from[k]);
  }
  balance_add(sum, at, from, weight, 1);
  out->impulses += length3(weight);
}

static inline void balance_add_contacts(const BalanceTrace *trace, const BalanceBodies *bodies, int frame,
                                        const double at[3], BalanceFrame *out, Balance *sum) {
  for (int i = trace->first[frame]; i < trace->first[frame] + trace->count[frame]; i++) {
    const int sides[2] = {trace->part[i], trace->other[i]};
    for (int side = 0; side < 2; side++) {
      const double sign = side == 0 ? 1 : -1;
      if (sides[side] < bodies->first_number || sides[side] >= bodies->first_number + bodies->count)
        continue;
      balance_add(sum, at, trace->position[i], trace->impulse[i], sign);
      out->impulses += length3(trace->impulse[i]);
      for (int k = 0; k < 3; k++)
        sum->angular[k] += sign * trace->moment[i][k];
    }
  }
}

// Events of kinds whose impulses are not among the contacts.
static inline bool balance_is_force(const char *kind) {
  return strcmp(kind, "impulse") == 0 || strcmp(kind, "push") == 0 || strcmp(kind, "drag") == 0 ||
         strcmp(kind, "cable") == 0 || strcmp(kind, "pull") == 0;
}

static inline void balance_add_events(const BalanceTrace *trace, const BalanceBodies *bodies, int frame,
                                      const double at[3], BalanceFrame *out, Balance *sum) {
  const double late = 1e-6; // s: a step that begins at a frame, up to rounding, belongs to the next frame
  for (int i = 0; i < trace->event_count; i++) {
    const TraceEvent *event = &trace->events[i];
    if (strcmp(event->character, bodies->character) != 0 || !balance_is_force(event->kind) ||
        event->time <= trace->time[frame - 1] - late || event->time >= trace->time[frame] - late)
      continue;
    double point[3], impulse[3];
    for (int k = 0; k < 3; k++) {
      point[k] = (double)event->point[k];
      impulse[k] = (double)event->impulse[k];
    }
    balance_add(sum, at, point, impulse, 1);
    out->impulses += length3(impulse);
    out->events += length3(impulse);
    out->events_reach += length3(impulse) * length3(point);
  }
}

static inline void balance_add_hand(const BalanceTrace *trace, const BalanceBodies *bodies, int frame,
                                    const double at[3], BalanceFrame *out, Balance *sum) {
  const double duration = trace->time[frame] - trace->time[frame - 1];
  if (!bodies->force)
    return;
  double impulse[3];
  for (int k = 0; k < 3; k++) {
    impulse[k] = bodies->force[frame][k] * duration;
    sum->angular[k] += bodies->torque[frame][k] * duration;
  }
  if (length3(impulse) > 0)
    balance_add(sum, at, bodies->point[frame], impulse, 1);
  out->impulses += length3(impulse);
}

static inline void balance_weigh_parts(const BalanceTrace *trace, const BalanceBodies *bodies, int frame,
                                       BalanceFrame *out) {
  for (int i = 0; i < bodies->count; i++) {
    const int now = frame * bodies->count + i, before = now - bodies->count;
    const double *inertia = bodies->inertia[i];
    const double spread =
        max_d(inertia[0], max_d(inertia[1], inertia[2])) - min_d(inertia[0], min_d(inertia[1], inertia[2]));
    const double spin = length3(bodies->spin[now]) + length3(bodies->spin[before]);
    double gain[3];
    for (int k = 0; k < 3; k++)
      gain[k] = bodies->mass[i] * (bodies->velocity[now][k] - bodies->velocity[before][k]);
    out->impulses += length3(gain);
    const double largest = max_d(inertia[0], max_d(inertia[1], inertia[2]));
    const double angle = length3(bodies->spin[before]) * trace->dt;
    out->opening = max_d(out->opening, angle * angle / 2 * sqrt(3 * largest / bodies->mass[i]));
    out->turning += spread / 2 * spin * spin * trace->dt * balance_steps(trace, frame);
  }
}

// frame: 1 or larger.
static inline BalanceFrame balance_frame(const BalanceTrace *trace, const BalanceBodies *bodies, int frame) {
  BalanceFrame out = {.by_hand = bodies->kinematic};
  Balance given = {{0}, {0}};
  double at[3];
  balance_center(bodies, frame - 1, at);
  balance_add_momentum(bodies, frame - 1, at, -1, &out.change);
  balance_add_momentum(bodies, frame, at, 1, &out.change);
  balance_add_gravity(trace, bodies, frame, at, &out, &given);
  balance_add_contacts(trace, bodies, frame, at, &out, &given);
  balance_add_events(trace, bodies, frame, at, &out, &given);
  balance_add_hand(trace, bodies, frame, at, &out, &given);
  balance_weigh_parts(trace, bodies, frame, &out);
  const double duration = trace->time[frame] - trace->time[frame - 1];
  if (balance_steps(trace, frame) > 1)
    out.sagging = length3(trace->gravity) * duration * duration / 8 * out.impulses;
  for (int k = 0; k < 3; k++) {
    out.rest.linear[k] = out.change.linear[k] - given.linear[k];
    out.rest.angular[k] = out.change.angular[k] - given.angular[k];
  }
  return out;
}

// The largest unexplained change that is allowed, N s.
//
// All is computed in double precision, except for the impulses of events, whose numbers have errors of up to 2^-24.
static inline double balance_allowed_linear(const BalanceFrame *frame) {
  return 1e-11 * frame->impulses + 6e-8 * frame->events;
}

// N m s. arm, m: how far joints are open at rest, which is the lever of the impulses that they carry; none carries more
// than all impulses together. A part that turns moves along the tangent for a step, which opens each of its two joints,
// half a rod's length from its middle, by (h w)^2 / 2 of that.
//
// A step of first order adds h w' x I w' - h w x I w to the spin of a part with different moments of inertia, with w of
// the step before: at most h (|w'| + |w|)^2 (Imax - Imin) / 2. Between two frames of several steps the centre of mass
// may leave the straight line: velocities differ by at most J / m, where J is the sum of all impulses, the mean
// position by T J / (8 m), and the moment of the weight by g T^2 J / 8.
static inline double balance_allowed_angular(const BalanceFrame *frame, double arm) {
  const double digits = 1e-10 * frame->impulses + 2e-7 * (frame->events + frame->events_reach);
  return digits + frame->sagging +
         (frame->by_hand ? 0 : (arm + (arm > 1e-6 ? 2 * frame->opening : 0)) * frame->impulses + frame->turning);
}

#endif
