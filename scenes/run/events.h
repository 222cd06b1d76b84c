// Events: hits on the characters from outside. Every event, single or of a random list, results in impulses on parts.
#ifndef STAGGER_SCENES_RUN_EVENTS_H
#define STAGGER_SCENES_RUN_EVENTS_H

#include "scenes/description/event_def.h"
#include "scenes/run/cable.h"
#include "sim/trace/trace.h"
#include "sim/world/projectile.h"

enum { EVENTS_MAX_ACTIVE = 256 };

// An event that has begun and has not yet applied all of its impulse.
typedef struct ActiveEvent {
  EventKind kind;
  int target; // index of the character
  int part;
  double offset_l[3];  // m, from the part's centre of mass, part's frame
  double size;         // N s, total; m of a pull
  double impulse_w[3]; // N s, the total as a vector, world frame; m of a pull
  double from;         // m, of a pull: where the point was, along the way
  double start;        // s
  double spread;       // s over which the impulse is spread; 0: all in one step
  double given;        // share of the impulse, or of the way, so far
  int number;          // the event's number, which its impulses carry
} ActiveEvent;

typedef struct EventSource {
  Rng rng;
  Rng deviation; // a generator of its own, so that the other draws are the same with and without it
  double next;   // s: time of the next event
  int left;      // number of events still to come
  Cable cable;   // of a release
} EventSource;

// The events of a running scene. The size is fixed: events beyond EVENTS_MAX_ACTIVE at one time are counted as dropped.
typedef struct Events {
  const EventDef *defs;
  int count;
  EventSource sources[EVENTS_MAX];
  ActiveEvent active[EVENTS_MAX_ACTIVE];
  int active_count;
  Projectiles balls;
  int started; // number of events so far, which is the number of the next one
  int muted;   // number of an event that applies no impulse, as if it did not happen; -1: none
  long dropped;
} Events;

// defs must outlive the events; count <= EVENTS_MAX. Random numbers come from (seed, "events.<index>").
void events_init(Events *events, const EventDef *defs, int count, uint64_t seed);

// Times the reactions of characters that a cable holds from its release. To be called before the first step.
void events_time_reactions(const Events *events, Character *const *characters);

// Throws the balls that are due and queues the impulses of the coming step [world->time, world->time + dt) in the
// world. Reports them to the trace (may be NULL; with the time of the step's beginning) and to the metrics of the
// character that is hit.
void events_step(Events *events, World *world, Character *const *characters, TraceWriter *trace);

// Begins an event that is not in a list, as events_step does with events that are due; its impulses are applied from
// the next step on. `number` and `given` are set here. False, and counted as dropped, when too many are active.
bool events_strike(Events *events, const ActiveEvent *event);

// Saves or restores active events, random generators and balls, after the world; but not which event is muted.
void events_state(Events *events, const World *world, Character *const *characters, int character_count,
                  StateStream *stream);

// Reserves an event number for impulses of another origin.
int events_number(Events *events);

// The impulse of an event of `size` N s: direction and elevation in degrees as in EVENT_PARAMS, heading in rad.
void event_aim(double heading, double direction, double elevation, double size, double impulse_w[3]);

// Reports an impulse of the step that begins at `time` to the trace (may be NULL). A body without owner has no
// character.
void event_report(const char *kind, double time, const World *world, Character *const *characters,
                  const Impulse *impulse, TraceWriter *trace);

// The share of an event's impulse that has been applied `age` seconds after its start: a push increases uniformly over
// its duration, the way of a pull as a smooth step, a bullet as the integral of a triangle over `spread`, or at once
// when that is 0.
double event_share(EventKind kind, double spread, double age);

#endif
