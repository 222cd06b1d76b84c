// Events: what strikes the characters from outside. Every event, single or of a random list, ends as impulses on parts.
#ifndef STAGGER_SCENES_RUN_EVENTS_H
#define STAGGER_SCENES_RUN_EVENTS_H

#include "scenes/description/event_def.h"
#include "sim/trace/trace.h"
#include "sim/world/projectile.h"

enum { EVENTS_MAX_ACTIVE = 256 };

// An event that has begun and not yet given all of its impulse.
typedef struct ActiveEvent {
  EventKind kind;
  int target; // index of the character
  int part;
  double offset_l[3];  // m, from the part's centre of mass, part's frame
  double size;         // N s, the whole of it
  double impulse_w[3]; // N s, the same as a vector, world
  double start;        // s
  double spread;       // s; 0: all in one step
  double given;        // share of the impulse given so far
  int number;          // its impulses carry it
} ActiveEvent;

typedef struct EventSource {
  Rng rng;
  Rng deviation; // has its own, so that the others are the same with and without it
  double next;   // s
  int left;      // how many more
} EventSource;

// The events of a running scene. Fixed size: events beyond EVENTS_MAX_ACTIVE at one time are counted as dropped.
typedef struct Events {
  const EventDef *defs;
  int count;
  EventSource sources[EVENTS_MAX];
  ActiveEvent active[EVENTS_MAX_ACTIVE];
  int active_count;
  Projectiles balls;
  int started; // so far; the next event's number
  int muted;   // the number of an event that gives no impulse, as if it did not happen; -1: none
  long dropped;
} Events;

// defs must outlive the events; count <= EVENTS_MAX. Random numbers come from (seed, "events.<index>").
void events_init(Events *events, const EventDef *defs, int count, uint64_t seed);

// Throws the balls that are due, and queues the impulses of the coming step [world->time, world->time + dt) with the
// world, and reports them to the trace (may be NULL; time: beginning of the step) and to the metrics of the character
// that is struck.
void events_step(Events *events, World *world, Character *const *characters, TraceWriter *trace);

// Begins an event that is in no list, as events_step does with those whose time has come: its impulses come with the
// following steps. `number` and `given` are set here. False and counted as dropped when too many are active.
bool events_strike(Events *events, const ActiveEvent *event);

// Saves or restores, after the world: events under way, random generators, balls; not which one is muted.
void events_state(Events *events, const World *world, Character *const *characters, int character_count,
                  StateStream *stream);

// A number for a happening whose impulses come from elsewhere: no event has it.
int events_number(Events *events);

// The impulse of an event of a size in N s: direction and elevation in degrees as in EVENT_PARAMS, heading in rad.
void event_aim(double heading, double direction, double elevation, double size, double impulse_w[3]);

// Tells the trace (may be NULL) of an impulse of the step that begins at `time`. A body without owner has no character.
void event_report(const char *kind, double time, const World *world, Character *const *characters,
                  const Impulse *impulse, TraceWriter *trace);

// The share of an event's impulse that is given `age` seconds after its start: a push rises evenly over its duration, a
// bullet as the integral of a triangle over `spread`, or at once when that is 0.
double event_share(EventKind kind, double spread, double age);

#endif
