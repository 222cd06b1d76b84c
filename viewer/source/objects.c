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

void objects_of_world(ObjectList *list, const World *world) {
  list->count = 0;
  for (int i = world->body_count - 1; i >= 0 && world->bodies[i].owner == WORLD_NO_OWNER; i--) {
    if (world->bodies[i].ground || list->count == OBJECTS_MAX)
      return;
    PictureObject *object = &list->objects[list->count++];
    double size[3];
    world_body_size(world, i, size);
    object->box = world_body_is_box(world, i);
    object->position_w = vec3_from_doubles(world_body_position(world, i));
    object->rotation = object_rotation(world, i);
    object->size = vec3_from_doubles(size);
  }
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

// Called for each "/objects/NAME/position"; ground is skipped.
static void add_object(void *context, const char *path) {
  Search *search = context;
  char name[TRACE_NAME_SIZE], rest[16], group[2 * TRACE_NAME_SIZE], shape[16];
  if (search->count == search->max || sscanf(path, "/objects/%63[^/]/%15s", name, rest) != 2 ||
      strcmp(rest, "position") != 0)
    return;
  snprintf(group, sizeof group, "/objects/%s", name);
  double size[3], ground = 0; // older traces lack `ground`
  trace_values(search->reader, group, "ground", &ground, 1);
  trace_value_text(search->reader, group, "shape", shape, sizeof shape);
  TraceObject object = {.position = find_channel(search, group, "position", 3),
                        .rotation = find_channel(search, group, "rotation", 4),
                        .look.box = strcmp(shape, "box") == 0};
  if (ground != 0 || object.position < 0 || object.rotation < 0 ||
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
  return frames_read(frames, object->position, frame, seen->position_w.raw, NULL) &&
         frames_read(frames, object->rotation, frame, seen->rotation.raw, NULL) && !glms_vec3_isnan(seen->position_w);
}
