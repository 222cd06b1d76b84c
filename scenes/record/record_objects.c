// Platforms, props and balls in a trace: their groups, their numbers in lists of contacts, and their rows in each
// frame.
#include "scenes/record/record_objects.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/world/rope.h"
#include "sim/world/world_body.h"

const RecordChannel object_channels[] = {
    [OBJECT_POSITION] = {"position", TRACE_FLOAT64, ROWS_ONE, 3, "m",
                         "Centre of mass, world; NaN while the object does not exist"},
    [OBJECT_ROTATION] = {"rotation", TRACE_FLOAT64, ROWS_ONE, 4, "", "Rotation, world, x y z w"},
    [OBJECT_VELOCITY] = {"linear_velocity", TRACE_FLOAT64, ROWS_ONE, 3, "m/s", "Velocity of the centre of mass, world"},
    [OBJECT_SPIN] = {"angular_velocity", TRACE_FLOAT64, ROWS_ONE, 3, "rad/s", "Angular velocity, world"},
};
const int object_channel_count = OBJECT_CHANNELS;

const RecordChannel rope_channel = {"/ropes/tension",
                                    TRACE_FLOAT64,
                                    ROWS_ONE,
                                    1,
                                    "N",
                                    "Tension of each rope in the last step, in the scene's order; 0: slack"};

void record_ball_name(int index, char name[TRACE_NAME_SIZE]) { snprintf(name, TRACE_NAME_SIZE, "ball_%d", index + 1); }

static void measure(const World *world, int body, double *mass, double size[3]) {
  *mass = world->bodies[body].mass;
  world_body_size(world, body, size);
}

// The object for a body, without its name.
static RecordObject read_object(const World *world, int body) {
  RecordObject object = {.body = body, .box = world_body_is_box(world, body), .ground = world->bodies[body].ground};
  double mass, matrix[3][3];
  measure(world, body, &object.mass, object.size);
  world_body_inertia(world, body, &mass, matrix);
  for (int i = 0; i < 3 && object.mass > 0; i++)
    object.inertia[i] = matrix[i][i];
  return object;
}

static bool describe(const RecordObject *object, int number, const char *group, TraceWriter *trace, Error *error) {
  return trace_text_attribute(trace, group, "shape", object->box ? "box" : "sphere", error) &&
         trace_attribute(trace, group, "size", object->size, 3, error) &&
         trace_number_attribute(trace, group, "mass", object->mass, error) &&
         trace_attribute(trace, group, "inertia", object->inertia, 3, error) &&
         trace_number_attribute(trace, group, "ground", object->ground, error) &&
         trace_number_attribute(trace, group, "number", number, error);
}

static bool declare_in_trace(RecordObject *object, int number, TraceWriter *trace, Error *error) {
  char group[2 * TRACE_NAME_SIZE], path[3 * TRACE_NAME_SIZE];
  snprintf(group, sizeof group, "/objects/%s", object->name);
  bool good = trace_group(trace, group, error) && describe(object, number, group, trace, error);
  for (int i = 0; good && i < OBJECT_CHANNELS; i++) {
    const RecordChannel *row = &object_channels[i];
    snprintf(path, sizeof path, "%s/%s", group, row->path);
    TraceChannel channel = {
        .path = path, .type = row->type, .shape = {row->width}, .unit = row->unit, .description = row->description};
    object->channels[i] = trace_channel(trace, &channel, error);
    good = object->channels[i] >= 0;
  }
  return good;
}

static bool append(RecordObjects *objects, const RecordObject *object, TraceWriter *trace, Error *error) {
  RecordObject *appended = &objects->list[objects->count];
  *appended = *object;
  if (trace && !declare_in_trace(appended, objects->part_count + objects->count, trace, error))
    return false;
  objects->count++;
  return true;
}

static bool declare(RecordObjects *objects, int body, TraceWriter *trace, const World *world, Error *error) {
  RecordObject object = read_object(world, body);
  if (world->bodies[body].ground || world->bodies[body].prop)
    snprintf(object.name, sizeof object.name, "%s", world->bodies[body].name);
  else
    record_ball_name(objects->ball_count++, object.name);
  return append(objects, &object, trace, error);
}

static RecordObject *find_object(RecordObjects *objects, int body) {
  for (int i = 0; i < objects->count; i++)
    if (objects->list[i].body == body)
      return &objects->list[i];
  return NULL;
}

// Whether the body is still the same object; otherwise the object is gone.
static bool still_is(const RecordObject *object, const World *world) {
  double mass, size[3];
  measure(world, object->body, &mass, size);
  return mass == object->mass && size[0] == object->size[0] && size[1] == object->size[1] && size[2] == object->size[2];
}

static bool declare_new_ones(RecordObjects *objects, TraceWriter *trace, const World *world, Error *error) {
  for (int body = 0; body < world->body_count; body++) {
    if (world->bodies[body].owner != WORLD_NO_OWNER)
      continue;
    RecordObject *object = find_object(objects, body);
    if (object && still_is(object, world))
      continue;
    if (object)
      object->body = -1;
    bool is_object = world_body_is_box(world, body) || world_body_is_ball(world, body);
    if (is_object && objects->count < RECORD_MAX_OBJECTS && !declare(objects, body, trace, world, error))
      return false;
  }
  return true;
}

void record_objects_count(RecordObjects *objects, const World *world) {
  *objects = (RecordObjects){.platform_count = world->platform_count};
  int body = objects->platform_count;
  while (body < world->body_count && world->bodies[body].owner != WORLD_NO_OWNER)
    body++;
  objects->part_count = body - objects->platform_count;
}

// Their names: the number, and what each ties to what.
static bool declare_ropes(RecordObjects *objects, TraceWriter *trace, const World *world, Error *error) {
  char names[WORLD_MAX_ROPES][TRACE_NAME_SIZE];
  const char *listed[WORLD_MAX_ROPES];
  for (int i = 0; i < world->rope_count; i++) {
    const int *ends = world->ropes[i].bodies;
    const char *other = ends[1] == WORLD_GROUND ? "the world" : world->bodies[ends[1]].name;
    snprintf(names[i], TRACE_NAME_SIZE, "%d: %.24s, %.24s", i, world->bodies[ends[0]].name, other);
    listed[i] = names[i];
  }
  TraceChannel channel = {.path = rope_channel.path,
                          .type = rope_channel.type,
                          .shape = {world->rope_count},
                          .unit = rope_channel.unit,
                          .description = rope_channel.description,
                          .row_names = listed};
  objects->tensions = trace_group(trace, "/ropes", error) ? trace_channel(trace, &channel, error) : -1;
  return objects->tensions >= 0;
}

bool record_objects_create(RecordObjects *objects, TraceWriter *trace, const World *world, const RecordObjects *before,
                           Error *error) {
  record_objects_count(objects, world);
  if (trace && !trace_group(trace, "/objects", error))
    return false;
  if (trace && world->rope_count > 0 && !declare_ropes(objects, trace, world, error))
    return false;
  for (int i = 0; before && i < before->count; i++)
    if (!append(objects, &before->list[i], trace, error))
      return false;
  objects->ball_count = before ? before->ball_count : 0;
  return declare_new_ones(objects, trace, world, error);
}

static void object_state(RecordObject *object, const World *world, StateStream *stream) {
  state_text(stream, object->name, sizeof object->name);
  state_int(stream, &object->body, -1, world->body_count - 1);
  STATE(stream, object->box, object->ground, object->mass, object->size, object->inertia);
}

void record_objects_state(RecordObjects *objects, const World *world, StateStream *stream) {
  int count = state_count(stream, &objects->count, RECORD_MAX_OBJECTS, sizeof(double));
  for (int i = 0; i < count; i++)
    object_state(&objects->list[i], world, stream);
  state_int(stream, &objects->ball_count, 0, INT_MAX);
}

static void fill(const RecordObject *object, TraceWriter *trace, const World *world) {
  double *rows[OBJECT_CHANNELS];
  for (int i = 0; i < OBJECT_CHANNELS; i++)
    rows[i] = trace_row(trace, object->channels[i]);
  if (object->body < 0) {
    for (int i = 0; i < OBJECT_CHANNELS; i++)
      for (int k = 0; k < object_channels[i].width; k++)
        rows[i][k] = (double)NAN;
    return;
  }
  memcpy(rows[OBJECT_POSITION], world_body_position(world, object->body), 3 * sizeof(double));
  world_body_rotation(world, object->body, rows[OBJECT_ROTATION]);
  memcpy(rows[OBJECT_VELOCITY], world_body_velocity(world, object->body), 3 * sizeof(double));
  memcpy(rows[OBJECT_SPIN], world_body_spin(world, object->body), 3 * sizeof(double));
}

bool record_objects_frame(RecordObjects *objects, TraceWriter *trace, const World *world) {
  if (!declare_new_ones(objects, trace, world, NULL))
    return false;
  for (int i = 0; trace && i < objects->count; i++)
    fill(&objects->list[i], trace, world);
  double *tensions = trace && world->rope_count > 0 ? trace_row(trace, objects->tensions) : NULL;
  for (int i = 0; tensions && i < world->rope_count; i++)
    tensions[i] = rope_tension(world, i);
  return true;
}

int record_body_number(const RecordObjects *objects, int body) {
  if (body >= 0 && body < objects->platform_count)
    return objects->part_count + body;
  return body >= 0 && body < objects->platform_count + objects->part_count ? body - objects->platform_count : body;
}

int record_objects_number(const RecordObjects *objects, int body) {
  if (body < objects->platform_count + objects->part_count)
    return record_body_number(objects, body);
  for (int i = 0; i < objects->count; i++)
    if (objects->list[i].body == body)
      return objects->part_count + i;
  return RECORD_LOST_OBJECT;
}
