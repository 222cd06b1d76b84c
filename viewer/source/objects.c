// Reads props and balls from a world or from a trace, for pictures.
#include "viewer/source/objects.h"

#include <stdio.h>
#include <string.h>

#include "sim/world/world_body.h"

versors object_rotation(const World *world, int body) {
  double q[4];
  world_body_rotation(world, body, q);
  return (versors){{(float)q[0], (float)q[1], (float)q[2], (float)q[3]}};
}

static void list_object(ObjectList *list, const World *world, int body) {
  if (list->count == OBJECTS_MAX)
    return;
  double size[3];
  world_body_size(world, body, size);
  list->objects[list->count++] = (PictureObject){.position_w = vec3_from_doubles(world_body_position(world, body)),
                                                 .rotation = object_rotation(world, body),
                                                 .size = vec3_from_doubles(size),
                                                 .box = world_body_is_box(world, body),
                                                 .ground = world->bodies[body].ground,
                                                 .name = world->bodies[body].name};
}

void objects_of_world(ObjectList *list, const World *world) {
  list->count = 0;
  for (int i = 0; i < world->platform_count; i++)
    if (world->bodies[world->platforms[i].body].mass > 0)
      list_object(list, world, world->platforms[i].body);
  for (int i = 0; i < world->loose_count; i++)
    list_object(list, world, world->loose[i]);
}

typedef struct Search {
  TraceReader *reader;
  const Frames *frames;
  TraceObject *objects;
  int count, max;
} Search;

static int find_channel(const Search *search, const char *group, const char *name, int width) {
  char path[3 * TRACE_NAME_SIZE];
  snprintf(path, sizeof path, "%s/%s", group, name);
  int channel = frames_find(search->frames, path);
  return channel >= 0 && frames_channel(search->frames, channel)->width == width ? channel : -1;
}

// Called for each "/objects/NAME/position"; ground that no force moves is skipped.
static void add_object(void *context, const char *path) {
  Search *search = context;
  char name[TRACE_NAME_SIZE], rest[16], group[2 * TRACE_NAME_SIZE], shape[16];
  if (search->count == search->max || sscanf(path, "/objects/%63[^/]/%15s", name, rest) != 2 ||
      strcmp(rest, "position") != 0)
    return;
  snprintf(group, sizeof group, "/objects/%s", name);
  double size[3], mass = 0, ground = 0; // older traces lack `ground`
  trace_values(search->reader, group, "ground", &ground, 1);
  trace_values(search->reader, group, "mass", &mass, 1);
  trace_value_text(search->reader, group, "shape", shape, sizeof shape);
  TraceObject object = {.position = find_channel(search, group, "position", 3),
                        .rotation = find_channel(search, group, "rotation", 4),
                        .look = {.box = strcmp(shape, "box") == 0, .ground = ground != 0}};
  snprintf(object.name, sizeof object.name, "%s", name);
  if ((ground != 0 && !(mass > 0)) || object.position < 0 || object.rotation < 0 ||
      trace_values(search->reader, group, "size", size, 3) != 3)
    return;
  object.look.size = vec3_from_doubles(size);
  search->objects[search->count++] = object;
}

int objects_find(TraceReader *reader, const Frames *frames, TraceObject *objects, int max) {
  Search search = {reader, frames, objects, 0, max};
  trace_visit(reader, add_object, &search);
  return search.count;
}

bool objects_read(Frames *frames, const TraceObject *object, int frame, PictureObject *seen) {
  *seen = object->look;
  seen->name = object->name;
  return frames_read(frames, object->position, frame, seen->position_w.raw, NULL) &&
         frames_read(frames, object->rotation, frame, seen->rotation.raw, NULL) && !glms_vec3_isnan(seen->position_w);
}
