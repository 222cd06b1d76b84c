// Draws the random values of events, and turns events that are due into impulses and thrown balls.
#include "scenes/run/events.h"
#include "ragdoll/character/character_metrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/world/world_body.h"

static const double SLIVER = 1e-6; // share of a step: times this near to its end count as its end, because of rounding

static double draw(Rng *rng, const double range[2]) { return rng_range(rng, range[0], range[1]); }

void events_init(Events *events, const EventDef *defs, int count, uint64_t seed) {
  *events = (Events){.defs = defs, .count = count, .muted = -1};
  for (int i = 0; i < count; i++) {
    EventSource *source = &events->sources[i];
    char name[32];
    snprintf(name, sizeof name, "events.%d", i);
    source->rng = rng_make(seed, name);
    snprintf(name, sizeof name, "events.%d.deviation", i);
    source->deviation = rng_make(seed, name);
    source->next = defs[i].repeated ? defs[i].from : draw(&source->rng, defs[i].time);
    source->left = defs[i].repeated ? defs[i].count : 1;
  }
}

double event_share(EventKind kind, double spread, double age) {
  if (age < 0)
    return 0;
  if (age >= spread)
    return 1;
  double x = age / spread;
  if (kind == EVENT_PUSH)
    return x;
  if (kind == EVENT_PULL)
    return smooth_step(x);
  return x < 0.5 ? 2 * x * x : 1 - 2 * (1 - x) * (1 - x);
}

void event_aim(double heading, double direction, double elevation, double size, double impulse_w[3]) {
  double turn = heading + direction * M_PI / 180, rise = elevation * M_PI / 180;
  const double way[3] = {sin(turn) * cos(rise), sin(rise), cos(turn) * cos(rise)};
  for (int i = 0; i < 3; i++)
    impulse_w[i] = size * way[i];
}

// Half of the smallest extent of a part's first shape, m.
static double smallest_half(const PartDef *part) {
  double half = INFINITY;
  for (int axis = 0; axis < 3; axis++)
    half = fmin(half, shape_own_half_size(&part->shapes[0], axis));
  return half;
}

// Draws the values of one event of a list. The number of random draws does not depend on their use.
static ActiveEvent draw_event(const EventDef *def, EventSource *source, World *world, const Character *character) {
  Rng *rng = &source->rng;
  int part = def->parts[rng_index(rng, def->part_count)];
  double direction = draw(rng, def->direction), elevation = draw(rng, def->elevation);
  double size = draw(rng, def->impulse);
  double duration = draw(rng, def->duration);
  double radius = 0.3 * sqrt(rng_unit(rng)), angle = 2 * M_PI * rng_unit(rng);
  direction += draw(&source->deviation, def->deviation);

  ActiveEvent event = {
      .kind = (EventKind)def->kind, .target = def->target, .part = part, .start = source->next, .size = size};
  if (def->kind == EVENT_PROJECTILE)
    event.size = 1; // the vector is only a direction
  if (def->kind == EVENT_PULL)
    event.size = draw(rng, def->travel);
  event.spread = def->kind == EVENT_PUSH || def->kind == EVENT_PULL ? duration : character->def->hit_reaction.spread;
  event_aim(character->root.heading, direction, elevation, event.size, event.impulse_w);

  // The line of a bullet or ball passes the centre of mass at a random distance: an offset perpendicular to its
  // direction.
  if (def->has_point) {
    memcpy(event.offset_l, def->point, sizeof event.offset_l);
  } else if (def->kind != EVENT_PUSH && def->kind != EVENT_PULL) {
    double turn = character->root.heading + direction * M_PI / 180, rise = elevation * M_PI / 180;
    const double side[3] = {cos(turn), 0, -sin(turn)};
    const double up[3] = {-sin(turn) * sin(rise), cos(rise), -cos(turn) * sin(rise)};
    radius *= smallest_half(&character->def->body->parts[part]);
    double offset_w[3];
    for (int i = 0; i < 3; i++)
      offset_w[i] = radius * (cos(angle) * side[i] + sin(angle) * up[i]);
    world_body_vector_from_world(world, character->ragdoll->body[part], offset_w, event.offset_l);
  }
  if (def->kind == EVENT_PULL) {
    double point[3];
    world_body_point_to_world(world, character->ragdoll->body[part], event.offset_l, point);
    event.from = event.size > 0 ? plane2_dot(plane2_of(point), plane2_of(event.impulse_w)) / event.size : 0;
  }
  return event;
}

int events_number(Events *events) { return events->started++; }

bool events_strike(Events *events, const ActiveEvent *event) {
  if (events->active_count == EVENTS_MAX_ACTIVE) {
    events->dropped++;
    return false;
  }
  ActiveEvent *active = &events->active[events->active_count++];
  *active = *event;
  active->number = events_number(events);
  active->given = 0;
  return true;
}

// Throws a ball so that it meets its point after distance / speed if the character keeps its velocity: in the
// character's frame its path is straight except for gravity. It starts above the ground.
static void throw_ball(Events *events, const EventDef *def, EventSource *source, World *world,
                       const Character *character) {
  ActiveEvent event = draw_event(def, source, world, character);
  Rng *rng = &source->rng;
  Projectile ball = {.mass = draw(rng, def->mass), .event = events_number(events)};
  double speed = draw(rng, def->speed), distance, time, ground;
  ball.radius = draw(rng, def->radius);
  distance = draw(rng, def->distance);
  time = distance / speed;
  double point[3];
  world_body_point_to_world(world, character->ragdoll->body[event.part], event.offset_l, point);
  for (int i = 0; i < 3; i++)
    ball.position[i] = point[i] - distance * event.impulse_w[i];
  if (terrain_height_below(world->terrain, ball.position[0], ball.position[2], point[1] + GROUND_OVER_ROOT, &ground,
                           NULL))
    ball.position[1] = fmax(ball.position[1], ground + ball.radius);
  ball.arrival = time;
  projectile_aim(ball.position, point, character->sensed.com_velocity, world->def.gravity, time, ball.velocity);
  events->dropped += projectiles_throw(&events->balls, world, &ball) < 0;
}

static void start_event(Events *events, const EventDef *def, EventSource *source, World *world,
                        const Character *character) {
  if (def->kind == EVENT_PROJECTILE) {
    throw_ball(events, def, source, world, character);
    return;
  }
  if (def->kind == EVENT_RELEASE) {
    cable_release(&source->cable, world, character);
    return;
  }
  ActiveEvent event = draw_event(def, source, world, character);
  if (event.size != 0)
    events_strike(events, &event);
}

static void start_due_events(Events *events, World *world, Character *const *characters) {
  // An event at the very end of the step belongs to the next one.
  double end = world->time + world->def.dt * (1 - SLIVER);
  for (int i = 0; i < events->count; i++) {
    const EventDef *def = &events->defs[i];
    EventSource *source = &events->sources[i];
    while (source->left > 0 && source->next < end) {
      start_event(events, def, source, world, characters[def->target]);
      source->left--;
      if (def->repeated) {
        source->next += draw(&source->rng, def->every);
        if (source->next > def->until)
          source->left = 0;
      }
    }
  }
}

// ---- Cables ----

void events_time_reactions(const Events *events, Character *const *characters) {
  for (int i = 0; i < events->count; i++)
    if (events->defs[i].kind == EVENT_RELEASE)
      metrics_set_onset(characters[events->defs[i].target]->judged->metrics, events->sources[i].next);
}

static void attach_cable(const EventDef *def, EventSource *source, const World *world, const Character *character) {
  const int part = def->parts[rng_index(&source->rng, def->part_count)];
  const double direction = draw(&source->rng, def->direction) + draw(&source->deviation, def->deviation);
  const double lean = draw(&source->rng, def->lean) * RAD_PER_DEGREE;
  const double turn = character->root.heading + direction * RAD_PER_DEGREE;
  cable_attach(&source->cable, world, character, part, def->point, (Plane2){.x = sin(turn), .z = cos(turn)}, lean);
}

// Pulls by the cables of releases that are still to come.
static void pull_cables(Events *events, World *world, Character *const *characters, TraceWriter *trace) {
  for (int i = 0; i < events->count; i++) {
    EventSource *source = &events->sources[i];
    const EventDef *def = &events->defs[i];
    if (def->kind != EVENT_RELEASE || source->left == 0)
      continue;
    const Character *character = characters[def->target];
    if (!source->cable.attached)
      attach_cable(def, source, world, character);
    Impulse impulse;
    cable_pull(&source->cable, world, character, &impulse);
    if (world_apply_impulse(world, &impulse))
      event_report("cable", world->time, world, characters, &impulse, trace);
  }
}

void event_report(const char *kind, double time, const World *world, Character *const *characters,
                  const Impulse *impulse, TraceWriter *trace) {
  if (!trace)
    return;
  const WorldBody *body = &world->bodies[impulse->body];
  TraceEvent report = {.time = time};
  snprintf(report.kind, sizeof report.kind, "%s", kind);
  if (body->owner != WORLD_NO_OWNER)
    snprintf(report.character, sizeof report.character, "%s", characters[body->owner]->def->name);
  snprintf(report.part, sizeof report.part, "%s", body->name);
  for (int i = 0; i < 3; i++) {
    report.point[i] = (float)impulse->point[i];
    report.impulse[i] = (float)impulse->impulse[i];
  }
  trace_append_event(trace, &report);
}

// The impulse of a pull in the coming step, in which its cable's end goes from one share of its way to another. Returns
// its size, N s.
static double pull(const ActiveEvent *event, const World *world, const Character *character, double after,
                   Impulse *impulse) {
  const Plane2 way = plane2_scale(plane2_of(event->impulse_w), -1 / event->size);
  const double rate = (after - event->given) * event->size / world->def.dt;
  const double end = -event->from - event->given * event->size;
  const double size =
      world->def.dt * cable_force(world, impulse->body, impulse->point, way, end, -rate, character->def->body->mass, 0);
  impulse->impulse[0] = -size * way.x;
  impulse->impulse[2] = -size * way.z;
  return size;
}

static const char *kind_name(EventKind kind) {
  return kind == EVENT_PUSH ? "push" : kind == EVENT_PULL ? "pull" : "impulse";
}

// Applies the event's share of the impulse for the coming step. Returns false when the event is complete.
static bool apply_event(const Events *events, ActiveEvent *event, World *world, Character *const *characters,
                        TraceWriter *trace) {
  const Character *character = characters[event->target];
  double age = world->time + world->def.dt - event->start;
  bool is_last = age > event->spread - world->def.dt * SLIVER;
  double total = is_last ? 1 : event_share(event->kind, event->spread, age);
  double share = total - event->given, size = share * event->size;

  Impulse impulse = {.body = character->ragdoll->body[event->part],
                     .source = event->kind == EVENT_IMPULSE ? IMPULSE_BULLET : IMPULSE_PUSH,
                     .event = event->number};
  world_body_point_to_world(world, impulse.body, event->offset_l, impulse.point);
  for (int i = 0; i < 3; i++)
    impulse.impulse[i] = event->kind == EVENT_PULL ? 0 : share * event->impulse_w[i];
  if (event->kind == EVENT_PULL)
    size = pull(event, world, character, total, &impulse);
  event->given = total;
  if (event->number != events->muted && world_apply_impulse(world, &impulse)) {
    metrics_hit(character->judged->metrics, world->time, size, world->bodies[impulse.body].name);
    event_report(kind_name(event->kind), world->time, world, characters, &impulse, trace);
  }
  return total < 1;
}

void events_step(Events *events, World *world, Character *const *characters, TraceWriter *trace) {
  start_due_events(events, world, characters);
  pull_cables(events, world, characters, trace);
  int kept = 0;
  for (int i = 0; i < events->active_count; i++)
    if (apply_event(events, &events->active[i], world, characters, trace))
      events->active[kept++] = events->active[i];
  events->active_count = kept;
}

// ---- Saving and restoring ----

static void active_state(ActiveEvent *event, Character *const *characters, int character_count, StateStream *stream) {
  STATE_CHOICE(stream, event->kind, EVENT_KINDS);
  state_int(stream, &event->target, 0, character_count - 1);
  if (stream->failed)
    return;
  state_int(stream, &event->part, 0, characters[event->target]->def->body->part_count - 1);
  STATE(stream, event->offset_l, event->size, event->impulse_w, event->from, event->start, event->spread, event->given,
        event->number);
}

void events_state(Events *events, const World *world, Character *const *characters, int character_count,
                  StateStream *stream) {
  state_section(stream, "events", 4);
  state_same(stream, events->count, "events");
  for (int i = 0; i < events->count; i++) {
    EventSource *source = &events->sources[i];
    state_rng(&source->rng, stream);
    state_rng(&source->deviation, stream);
    STATE(stream, source->next, source->left);
    if (events->defs[i].kind == EVENT_RELEASE)
      cable_state(&source->cable, characters[events->defs[i].target]->def->body->part_count, stream);
  }
  int count = state_count(stream, &events->active_count, EVENTS_MAX_ACTIVE, sizeof(double));
  for (int i = 0; i < count; i++)
    active_state(&events->active[i], characters, character_count, stream);
  projectiles_state(&events->balls, world, stream);
  STATE(stream, events->started, events->dropped);
}
