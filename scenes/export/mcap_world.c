// Ground, platforms and contacts of a trace as Foxglove's messages.
#include "scenes/export/mcap_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes/export/foxglove.h"
#include "sim/world/convert.h"

enum { PLATFORM_ID_SIZE = PARAM_TEXT_SIZE + 16 };

static void platform_id(const PlatformDef *platform, char id[PLATFORM_ID_SIZE]) {
  snprintf(id, PLATFORM_ID_SIZE, "platform/%s", platform->name);
}

static const double *vectors(const TraceList *list, const char *name) {
  const ListColumn *column = trace_list_column(list, name);
  return column && column->type == TRACE_FLOAT64 && column->width == 3 ? column->values : NULL;
}

bool mcap_world_read(McapWorld *world, TraceReader *reader, SceneDef *def, const TraceMotion *const *motions,
                     int motion_count, const char *only, Error *error) {
  *world = (McapWorld){.def = def, .only = only};
  if (!ground_mesh_under(def, motions, motion_count, &world->ground, error))
    return false;
  world->contacts = trace_list_read(reader, "contacts", error);
  if (!world->contacts)
    return false;
  world->positions = vectors(world->contacts, "position");
  world->impulses = vectors(world->contacts, "impulse");
  if (!world->contacts->frame || !world->positions || !world->impulses)
    return error_set(error, "the trace's /contacts are invalid");
  return true;
}

void mcap_world_free(McapWorld *world) {
  ground_mesh_free(&world->ground);
  trace_list_free(world->contacts);
  *world = (McapWorld){0};
}

void mcap_world_add_frames(const McapWorld *world, double time, TextBuffer *transforms) {
  const uint64_t time_ns = (uint64_t)llround(1e9 * fmax(0, time));
  for (int i = 0; i < world->def->platform_count; i++) {
    const PlatformDef *platform = &world->def->platforms[i];
    char id[PLATFORM_ID_SIZE];
    double position[3], rotation[4];
    if (platform->mass > 0) // an object like others
      continue;
    platform_id(platform, id);
    platform_def_place(platform, fmax(0, time), position, rotation);
    foxglove_add_transform(transforms, time_ns, id, vec3_from_doubles(position), quat_from_ode(rotation));
  }
}

static void add_vertex(TextBuffer *triangles, const float place[3]) {
  foxglove_add_vertex(triangles, (vec3s){{place[0], place[1], place[2]}});
}

// The triangles of a level have no vertices in common.
static void add_level(const GroundMesh *ground, TextBuffer *triangles) {
  for (long i = 0; i < ground->triangle_count; i++)
    for (int k = 0; k < 3; k++)
      add_vertex(triangles, ground->triangles[i][k]);
}

static void add_rows(const GroundMesh *ground, TextBuffer *triangles) {
  for (int i = 0; i < ground->columns * ground->rows; i++)
    add_vertex(triangles, ground->positions[i]);
  for (int color = 0; color < 2; color++)
    foxglove_add_indices(triangles, ground->indices[color], ground->index_counts[color]);
}

void mcap_world_add_ground(const McapWorld *world, TextBuffer *update) {
  const GroundMesh *ground = &world->ground;
  TextBuffer triangles = {0};
  if (ground->triangle_count > 0)
    add_level(ground, &triangles);
  else if (ground->columns > 0)
    add_rows(ground, &triangles);
  if (triangles.size > 0)
    foxglove_add_ground(update, &triangles);
  for (int i = 0; i < world->def->platform_count; i++) {
    char id[PLATFORM_ID_SIZE];
    if (world->def->platforms[i].mass > 0)
      continue;
    platform_id(&world->def->platforms[i], id);
    foxglove_add_box(update, id, vec3_from_doubles(world->def->platforms[i].size));
  }
}

static bool touches(const McapWorld *world, long row) {
  static const char *const columns[] = {"part", "other"};
  for (int i = 0; i < 2; i++) {
    const ListColumn *column = trace_list_column(world->contacts, columns[i]);
    char owner[TRACE_NAME_SIZE] = "", text[TRACE_NAME_SIZE];
    if (column && column->names)
      trace_list_text(column, row, owner, text);
    if (strcmp(owner, world->only) == 0)
      return true;
  }
  return false;
}

void mcap_world_add_contacts(McapWorld *world, int frame, uint64_t time_ns, double interval, TextBuffer *update) {
  const TraceList *list = world->contacts;
  TextBuffer entity = foxglove_begin_contacts(time_ns);
  for (; world->next < list->rows && list->frame[world->next] <= frame; world->next++) {
    const double *position = world->positions + 3 * world->next, *impulse = world->impulses + 3 * world->next;
    if (list->frame[world->next] != frame || !(interval > 0) || (world->only && !touches(world, world->next)))
      continue;
    const double force[3] = {impulse[0] / interval, impulse[1] / interval, impulse[2] / interval};
    foxglove_add_contact(&entity, vec3_from_doubles(position), vec3_from_doubles(force));
  }
  foxglove_end_contacts(update, &entity);
}
