// The public interface's views: the state of a scene as arrays that stay at their place. A recorder whose frames go
// into memory fills them after the last step of each call, so that a view has the values that a trace would have.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/library/library_internal.h"
#include "sim/base/reserve.h"
#include "sim/world/world_body.h"

// Channels that only views have: each joint's rotation and velocity relative to its parent.
enum { JOINT_ANGLE, JOINT_VELOCITY, OWN_CHANNELS };

static const RecordChannel own_channels[OWN_CHANNELS] = {
    [JOINT_ANGLE] = {"joints/angle", TRACE_FLOAT64, ROWS_JOINTS, 3, "rad",
                     "Rotation vector of the part against its parent, from the bind pose, parent's frame"},
    [JOINT_VELOCITY] = {"joints/velocity", TRACE_FLOAT64, ROWS_JOINTS, 3, "rad/s",
                        "Angular velocity of the part against its parent, parent's frame"},
};

static size_t type_size(TraceType type) {
  static const size_t SIZES[] = {[TRACE_FLOAT32] = sizeof(float),
                                 [TRACE_FLOAT64] = sizeof(double),
                                 [TRACE_UINT8] = sizeof(uint8_t),
                                 [TRACE_INT32] = sizeof(int32_t),
                                 [TRACE_UINT64] = sizeof(uint64_t)};
  return SIZES[type];
}

// ---- Channels in memory ----

static ViewChannel *find_channel(const Views *views, const char *path) {
  for (int i = 0; i < views->count; i++)
    if (strcmp(views->channels[i].path, path) == 0)
      return &views->channels[i];
  return NULL;
}

static void free_channel(ViewChannel *channel) {
  free(channel->path);
  free(channel->data);
  free(channel->unit);
  free(channel->description);
}

// The index of the channel of a path: an existing one, or a new one. -1 and an error: out of memory.
static int add_channel(Views *views, const TraceChannel *channel, Error *error) {
  const int rows = channel->row_names ? channel->shape[0] : 1;
  const int columns = channel->row_names ? channel->shape[1] : channel->shape[0];
  ViewChannel made = {.type = channel->type, .rows = rows, .columns = columns > 0 ? columns : 1};
  made.size = (size_t)made.rows * (size_t)made.columns * type_size(channel->type);
  ViewChannel *known = find_channel(views, channel->path);
  if (known && known->size == made.size)
    return (int)(known - views->channels);
  if (known) {
    error_set(error, "%s: has another size than before", channel->path);
    return -1;
  }
  const bool room = reserve(&views->channels, &views->capacity, views->count + 1, sizeof *views->channels);
  made.path = strdup(channel->path);
  made.data = calloc(1, made.size);
  made.unit = strdup(channel->unit);
  made.description = strdup(channel->description);
  if (!room || !made.path || !made.data || !made.unit || !made.description) {
    free_channel(&made);
    error_set(error, "%s: out of memory", channel->path);
    return -1;
  }
  views->channels[views->count] = made;
  return views->count++;
}

// ---- The recorder's sink ----

static int declare(void *context, const TraceChannel *channel, Error *error) {
  return add_channel(context, channel, error);
}

static void *row(void *context, int channel) {
  const Views *views = context;
  return views->channels[channel].data;
}

static void skip_contact(void *context, const RecordContact *contact) {
  (void)context;
  (void)contact;
}

static bool end_frame(void *context, double time) {
  (void)context;
  (void)time;
  return true;
}

// ---- Channels of views only ----

// data: out, where the values of each own channel are; NULL for a body of one part.
static bool add_own_channels(Views *views, const Character *character, double *data[OWN_CHANNELS], Error *error) {
  const int joints = character->def->body->part_count - 1;
  const char *const named[] = {""}; // with names it has one row per joint
  for (int i = 0; i < OWN_CHANNELS && joints > 0; i++) {
    char path[256];
    snprintf(path, sizeof path, "/characters/%s/%s", character->def->name, own_channels[i].path);
    TraceChannel channel = {.path = path,
                            .type = own_channels[i].type,
                            .shape = {joints, own_channels[i].width},
                            .unit = own_channels[i].unit,
                            .description = own_channels[i].description,
                            .row_names = named};
    const int index = add_channel(views, &channel, error);
    if (index < 0)
      return false;
    data[i] = views->channels[index].data;
  }
  return true;
}

static bool add_all_own_channels(Views *views, const Scene *scene, Error *error) {
  free(views->own);
  views->own = calloc((size_t)scene->character_count * OWN_CHANNELS + 1, sizeof *views->own);
  if (!views->own)
    return error_set(error, "out of memory for views");
  for (int i = 0; i < scene->character_count; i++)
    if (!add_own_channels(views, scene->characters[i], &views->own[i * OWN_CHANNELS], error))
      return false;
  return true;
}

static void fill_own_channels(double *const data[OWN_CHANNELS], const Character *character) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  const World *world = character->world;
  const int *body = character->ragdoll->body;
  for (int i = 1; i < skeleton->count; i++) {
    const int parent = body[skeleton->parent[i]];
    const double *spin = world_body_spin(world, body[i]), *parent_spin = world_body_spin(world, parent);
    const double spin_w[3] = {spin[0] - parent_spin[0], spin[1] - parent_spin[1], spin[2] - parent_spin[2]};
    world_body_vector_from_world(world, parent, spin_w, &data[JOINT_VELOCITY][3 * (i - 1)]);
    vec3_to_doubles(quat_log(character->sensed.pose.rotation[i]), &data[JOINT_ANGLE][3 * (i - 1)]);
  }
}

// ---- Views of a scene ----

bool views_attach(Views *views, Scene *scene, Error *error) {
  const RecordSink sink = {
      .context = views, .declare = declare, .row = row, .contact = skip_contact, .end_frame = end_frame};
  views->recorder = recorder_create_for(&sink, scene->world, scene->characters, scene->character_count, error);
  const bool good = views->recorder && add_all_own_channels(views, scene, error);
  if (good)
    views_update(views, scene, false);
  else
    views_detach(views);
  return good;
}

void views_detach(Views *views) {
  recorder_destroy(views->recorder);
  views->recorder = NULL;
}

void views_update(Views *views, Scene *scene, bool stepped) {
  if (!views->recorder)
    return;
  if (stepped)
    recorder_step(views->recorder);
  for (int i = 0; i < views->count; i++)
    memset(views->channels[i].data, 0, views->channels[i].size);
  recorder_frame(views->recorder, false);
  for (int i = 0; i < scene->character_count; i++)
    fill_own_channels(&views->own[i * OWN_CHANNELS], scene->characters[i]);
}

void views_free(Views *views) {
  views_detach(views);
  for (int i = 0; i < views->count; i++)
    free_channel(&views->channels[i]);
  free(views->channels);
  free(views->own);
  *views = (Views){0};
}

// The part of a channel's path that names it among those of a character; NULL if it belongs to another one.
static const char *name_for(const ViewChannel *channel, const Character *character) {
  static const char ALL[] = "/characters/";
  const char *name = channel->path + strlen(ALL);
  size_t length = strlen(character->def->name);
  return strncmp(name, character->def->name, length) == 0 && name[length] == '/' ? name + length + 1 : NULL;
}

// Makes the channels at the first request for a view.
static bool have_channels(StaggerScene *scene, StaggerError **error) {
  Error cause = {0};
  return scene->views.recorder || views_attach(&scene->views, scene->scene, &cause) || library_fail(error, &cause);
}

const char *stagger_view_name(StaggerScene *scene, int character, int index) {
  const Character *owner = library_character(scene, character, NULL);
  if (!owner || !have_channels(scene, NULL))
    return NULL;
  for (int i = 0; i < scene->views.count; i++) {
    const char *name = name_for(&scene->views.channels[i], owner);
    if (name && index-- == 0)
      return name;
  }
  return NULL;
}

bool stagger_scene_view(StaggerScene *scene, int character, const char *name, StaggerView *view, StaggerError **error) {
  static const StaggerType TYPES[] = {[TRACE_FLOAT32] = STAGGER_FLOAT32,
                                      [TRACE_FLOAT64] = STAGGER_FLOAT64,
                                      [TRACE_UINT8] = STAGGER_UINT8,
                                      [TRACE_INT32] = STAGGER_INT32,
                                      [TRACE_UINT64] = STAGGER_UINT64};
  const Character *owner = library_character(scene, character, error);
  if (!owner || !have_channels(scene, error))
    return false;
  char path[512];
  snprintf(path, sizeof path, "/characters/%s/%s", owner->def->name, name);
  const ViewChannel *channel = find_channel(&scene->views, path);
  if (!channel)
    return library_error(error, "%s has no view '%s': stagger_view_name lists them", owner->def->name, name);
  *view = (StaggerView){.data = channel->data,
                        .type = TYPES[channel->type],
                        .rows = channel->rows,
                        .columns = channel->columns,
                        .unit = channel->unit,
                        .description = channel->description};
  return true;
}

// ---- Contacts ----

int stagger_scene_contacts(const StaggerScene *scene, StaggerContact *contacts, int most) {
  const World *world = scene->scene->world;
  for (int i = 0; i < world->contact_count && i < most; i++) {
    const Contact *contact = &world->contacts[i];
    const WorldBody *body = &world->bodies[contact->body];
    const WorldBody *other = contact->other == WORLD_GROUND ? NULL : &world->bodies[contact->other];
    const bool own = body->owner != WORLD_NO_OWNER, others = other && other->owner != WORLD_NO_OWNER;
    contacts[i] = (StaggerContact){.character = own ? body->owner : -1,
                                   .part = own ? body->part : -1,
                                   .other_character = others ? other->owner : -1,
                                   .other_part = others ? other->part : -1,
                                   .depth = contact->depth};
    memcpy(contacts[i].position, contact->position, sizeof contact->position);
    memcpy(contacts[i].normal, contact->normal, sizeof contact->normal);
    memcpy(contacts[i].impulse, contact->impulse, sizeof contact->impulse);
  }
  return world->contact_count;
}
