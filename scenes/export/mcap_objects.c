// Reads /objects of a trace, but for platforms that no force moves, and writes them as Foxglove's messages.
#include "scenes/export/mcap_objects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/pose.h"
#include "scenes/export/foxglove.h"

enum { OBJECT_ID_SIZE = TRACE_NAME_SIZE + 8 };

typedef struct Search {
  TraceReader *reader;
  McapObjects *objects;
  bool failed; // no memory
} Search;

// Called for each "/objects/NAME/position". Platforms are ground; those without a mass follow their description.
static void note_object(void *context, const char *path) {
  Search *search = context;
  char rest[16], group[2 * TRACE_NAME_SIZE], shape[16];
  McapObject object = {.box = false};
  double ground = 0, mass = 0;
  if (search->failed || sscanf(path, "/objects/%63[^/]/%15s", object.name, rest) != 2 || strcmp(rest, "position") != 0)
    return;
  snprintf(group, sizeof group, "/objects/%s", object.name);
  trace_values(search->reader, group, "ground", &ground, 1);
  trace_values(search->reader, group, "mass", &mass, 1);
  trace_value_text(search->reader, group, "shape", shape, sizeof shape);
  object.box = strcmp(shape, "box") == 0;
  if ((ground != 0 && mass == 0) || trace_values(search->reader, group, "size", object.size, 3) != 3)
    return;
  McapObjects *objects = search->objects;
  McapObject *grown = realloc(objects->list, ((size_t)objects->count + 1) * sizeof *grown);
  search->failed = !grown;
  if (!grown)
    return;
  objects->list = grown;
  grown[objects->count++] = object;
}

static double *read_channel(TraceReader *reader, const McapObject *object, const char *name, int width, Error *error) {
  char path[3 * TRACE_NAME_SIZE];
  int shape[2];
  const int frames = trace_frame_count(reader);
  snprintf(path, sizeof path, "/objects/%s/%s", object->name, name);
  if (!trace_channel_shape(reader, path, shape) || shape[0] != width || shape[1] != 0) {
    error_set(error, "the trace's %s has not %d numbers a frame", path, width);
    return NULL;
  }
  double *values = malloc(((size_t)frames * (size_t)width + 1) * sizeof *values);
  if (!values)
    error_set(error, "out of memory");
  if (values && trace_read(reader, path, TRACE_FLOAT64, 0, frames, values, error))
    return values;
  free(values);
  return NULL;
}

bool mcap_objects_read(McapObjects *objects, TraceReader *reader, Error *error) {
  *objects = (McapObjects){.count = 0};
  Search search = {.reader = reader, .objects = objects};
  trace_visit(reader, note_object, &search);
  if (search.failed)
    return error_set(error, "out of memory");
  for (int i = 0; i < objects->count; i++) {
    McapObject *object = &objects->list[i];
    object->positions = read_channel(reader, object, "position", 3, error);
    object->rotations = object->positions ? read_channel(reader, object, "rotation", 4, error) : NULL;
    if (!object->rotations)
      return false;
  }
  return true;
}

void mcap_objects_free(McapObjects *objects) {
  for (int i = 0; i < objects->count; i++) {
    free(objects->list[i].positions);
    free(objects->list[i].rotations);
  }
  free(objects->list);
  *objects = (McapObjects){.count = 0};
}

static void object_id(const McapObject *object, char id[OBJECT_ID_SIZE]) {
  snprintf(id, OBJECT_ID_SIZE, "object/%s", object->name);
}

void mcap_objects_add_shapes(const McapObjects *objects, TextBuffer *update) {
  for (int i = 0; i < objects->count; i++) {
    const McapObject *object = &objects->list[i];
    const double *size = object->size;
    PartDef part = {.shapes = {{.kind = SHAPE_SPHERE, .size = {size[0] / 2}}}, .shape_count = 1};
    if (object->box)
      part.shapes[0] = (ShapeDef){.kind = SHAPE_BOX, .size = {size[0], size[1], size[2]}};
    char id[OBJECT_ID_SIZE];
    object_id(object, id);
    foxglove_add_part(update, 0, id, &part);
  }
}

void mcap_objects_add_frames(const McapObjects *objects, int frame, uint64_t time_ns, TextBuffer *transforms) {
  for (int i = 0; i < objects->count; i++) {
    const double *p = objects->list[i].positions + 3 * (size_t)frame;
    const double *q = objects->list[i].rotations + 4 * (size_t)frame;
    const versors turn = {{(float)q[0], (float)q[1], (float)q[2], (float)q[3]}};
    if (!isfinite(p[0] + p[1] + p[2]) || !isfinite(q[0] + q[1] + q[2] + q[3]))
      continue;
    char id[OBJECT_ID_SIZE];
    object_id(&objects->list[i], id);
    foxglove_add_transform(transforms, time_ns, id, vec3_from_doubles(p), turn);
  }
}
