// A trace as an MCAP file for Foxglove, Rerun and PlotJuggler. Channels:
//
//   /poses             foxglove.FrameTransforms: every part's frame NAME/PART in the frame "world", each frame; also
//                      platform/NAME, and object/NAME while it exists
//   /bodies            foxglove.SceneUpdate: the parts' shapes in these frames, once
//   /ground            foxglove.SceneUpdate: the ground as triangles, platforms as boxes in their frames, once
//   /objects           foxglove.SceneUpdate: props and balls in their frames object/NAME, once, if there are any
//   /contacts          foxglove.SceneUpdate: an arrow for the mean force of each contact since the frame before, each
//                      frame
//   /hits              foxglove.SceneUpdate: an arrow for each event, as long as the impulse is large
//   /NAME/angles       a character's joint angles as JSON, rad, as in .sto
//
// Frames are at the joints. World axes are x forward, y to the left, z up; times count from the run's beginning.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/export/export.h"
#include "scenes/export/foxglove.h"
#include "scenes/export/joint_angles.h"
#include "scenes/export/mcap_file.h"
#include "scenes/export/mcap_objects.h"
#include "scenes/export/mcap_world.h"
#include "scenes/export/round_trip.h"
#include "sim/base/numbers.h"

enum { OTHER_CHANNELS = 6, FRAME_ID_SIZE = TRACE_NAME_SIZE + SKELETON_NAME_SIZE + 8, NUMBERS_OF_A_POSE = 7 };

static_assert(SCENE_MAX_CHARACTERS + OTHER_CHANNELS <= MCAP_MAX_CHANNELS, "a channel for each character");

typedef struct Actor {
  TraceMotion *motion;
  JointAngles angles;
  double *values; // [frame_count * angles.count]
  unsigned channel;
} Actor;

typedef struct McapExport {
  Actor *actors;
  int actor_count, frame_count, part_count; // parts of all characters
  TraceEvent *events;
  int event_count;
  McapWorld world;
  McapObjects objects;
  unsigned poses, bodies, hits, ground, objects_channel, contacts; // channels
  McapWriter writer;
} McapExport;

// ---- Reading the trace ----

static bool read_actor(Actor *actor, TraceReader *reader, const SceneDef *def, const char *name, TracePose pose,
                       Error *error) {
  actor->motion = trace_motion_read(reader, def, name, pose, error);
  if (!actor->motion)
    return false;
  joint_angles_init(&actor->angles, actor->motion->body);
  actor->values = malloc((size_t)actor->motion->frame_count * (size_t)actor->angles.count * sizeof *actor->values);
  if (!actor->values)
    return error_set(error, "out of memory");
  joint_angles_measure(&actor->angles, actor->motion, NULL, actor->values, (size_t)actor->angles.count);
  return true;
}

static bool read_world(McapExport *export, TraceReader *reader, SceneDef *def, const char *only, Error *error) {
  const TraceMotion *motions[SCENE_MAX_CHARACTERS];
  for (int a = 0; a < export->actor_count; a++)
    motions[a] = export->actors[a].motion;
  return mcap_world_read(&export->world, reader, def, motions, export->actor_count, only, error);
}

static bool read_all(McapExport *export, TraceReader *reader, SceneDef *def, const ExportOptions *options,
                     Error *error) {
  const int wanted = options->character ? 1 : def->character_count;
  export->actors = calloc((size_t)wanted, sizeof *export->actors);
  if (!export->actors)
    return error_set(error, "out of memory");
  for (; export->actor_count < wanted; export->actor_count++) {
    Actor *actor = &export->actors[export->actor_count];
    const char *name = options->character ? options->character : def->characters[export->actor_count].name;
    if (!read_actor(actor, reader, def, name, options->pose, error)) {
      trace_motion_free(actor->motion);
      return false;
    }
    export->part_count += actor->motion->joint_count;
  }
  export->frame_count = trace_frame_count(reader);
  export->events = trace_events(reader, &export->event_count);
  return mcap_objects_read(&export->objects, reader, error) &&
         read_world(export, reader, def, options->character, error);
}

static void free_all(McapExport *export) {
  for (int a = 0; a < export->actor_count; a++) {
    trace_motion_free(export->actors[a].motion);
    free(export->actors[a].values);
  }
  free(export->actors);
  free(export->events);
  mcap_world_free(&export->world);
  mcap_objects_free(&export->objects);
  mcap_free(&export->writer);
}

static uint64_t nanoseconds(double seconds) { return seconds > 0 ? (uint64_t)llround(1e9 * seconds) : 0; }

static uint64_t time_of(const McapExport *export, int frame) {
  return nanoseconds(export->actors[0].motion->time[frame]);
}

// ---- Messages ----

static void make_poses(const McapExport *export, int frame, TextBuffer *message) {
  for (int a = 0; a < export->actor_count; a++) {
    const TraceMotion *motion = export->actors[a].motion;
    vec3s positions[SKELETON_MAX_JOINTS];
    versors rotations[SKELETON_MAX_JOINTS];
    trace_motion_place(motion, frame, positions, rotations);
    for (int j = 0; j < motion->joint_count; j++) {
      char id[FRAME_ID_SIZE];
      snprintf(id, sizeof id, "%s/%s", motion->character, motion->body->parts[j].name);
      foxglove_add_transform(message, time_of(export, frame), id, positions[j], rotations[j]);
    }
  }
  mcap_world_add_frames(&export->world, export->actors[0].motion->time[frame], message);
  mcap_objects_add_frames(&export->objects, frame, time_of(export, frame), message);
}

static void make_bodies(const McapExport *export, TextBuffer *message) {
  for (int a = 0; a < export->actor_count; a++) {
    const BodyDef *body = export->actors[a].motion->body;
    for (int p = 0; p < body->part_count; p++) {
      char id[FRAME_ID_SIZE];
      snprintf(id, sizeof id, "%s/%s", export->actors[a].motion->character, body->parts[p].name);
      foxglove_add_part(message, time_of(export, 0), id, &body->parts[p]);
    }
  }
}

static void make_angles(const Actor *actor, int frame, TextBuffer *message) {
  for (int i = 0; i < actor->angles.count; i++) {
    text_print(message, "%s\"%s\":", i > 0 ? "," : "{", actor->angles.names[i]);
    text_float64(message, actor->values[(size_t)frame * (size_t)actor->angles.count + (size_t)i]);
  }
  text_print(message, "}");
}

static void put_message(McapExport *export, unsigned channel, uint64_t time, TextBuffer *message) {
  mcap_message(&export->writer, channel, time, message);
  text_free(message);
}

// ---- The file ----

static void put_angle_channel(McapWriter *writer, Actor *actor) {
  TextBuffer schema = {0};
  char name[FRAME_ID_SIZE], topic[FRAME_ID_SIZE];
  text_print(&schema, "{\"type\":\"object\",\"properties\":");
  for (int i = 0; i < actor->angles.count; i++)
    text_print(&schema, "%s\"%s\":{\"type\":\"number\"}", i > 0 ? "," : "{", actor->angles.names[i]);
  text_print(&schema, "}}");
  snprintf(name, sizeof name, "stagger.angles.%s", actor->motion->character);
  snprintf(topic, sizeof topic, "/%s/angles", actor->motion->character);
  actor->channel = mcap_channel(writer, mcap_schema(writer, name, "jsonschema", &schema), topic, "json");
  text_free(&schema);
}

static void put_channels(McapExport *export) {
  TextBuffer schema = {0};
  McapWriter *writer = &export->writer;
  foxglove_schema(&schema);
  const unsigned transforms = mcap_schema(writer, "foxglove.FrameTransforms", "protobuf", &schema);
  const unsigned update = mcap_schema(writer, "foxglove.SceneUpdate", "protobuf", &schema);
  text_free(&schema);
  export->poses = mcap_channel(writer, transforms, "/poses", "protobuf");
  export->bodies = mcap_channel(writer, update, "/bodies", "protobuf");
  export->hits = mcap_channel(writer, update, "/hits", "protobuf");
  export->ground = mcap_channel(writer, update, "/ground", "protobuf");
  export->objects_channel = mcap_channel(writer, update, "/objects", "protobuf");
  export->contacts = mcap_channel(writer, update, "/contacts", "protobuf");
  for (int a = 0; a < export->actor_count; a++)
    put_angle_channel(writer, &export->actors[a]);
}

static void put_hit(McapExport *export, const TraceEvent *event) {
  TextBuffer message = {0};
  char id[2 * FRAME_ID_SIZE];
  const vec3s point = {{event->point[0], event->point[1], event->point[2]}};
  const vec3s impulse = {{event->impulse[0], event->impulse[1], event->impulse[2]}};
  snprintf(id, sizeof id, "%s on %s/%s", event->kind, event->character, event->part);
  if (isfinite(glms_vec3_norm(point)) && isfinite(glms_vec3_norm(impulse)))
    foxglove_add_hit(&message, nanoseconds(event->time), id, point, impulse);
  put_message(export, export->hits, nanoseconds(event->time), &message);
}

static void put_frame(McapExport *export, int frame) {
  TextBuffer poses = {0}, contacts = {0};
  const double *time = export->actors[0].motion->time;
  make_poses(export, frame, &poses);
  put_message(export, export->poses, time_of(export, frame), &poses);
  mcap_world_add_contacts(&export->world, frame, time_of(export, frame), frame > 0 ? time[frame] - time[frame - 1] : 0,
                          &contacts);
  put_message(export, export->contacts, time_of(export, frame), &contacts);
  for (int a = 0; a < export->actor_count; a++) {
    TextBuffer angles = {0};
    make_angles(&export->actors[a], frame, &angles);
    put_message(export, export->actors[a].channel, time_of(export, frame), &angles);
  }
}

// Events are in the order of their times, as frames are. One after the last frame is not in the file.
static void put_all(McapExport *export) {
  TextBuffer bodies = {0}, ground = {0}, objects = {0};
  int event = 0;
  mcap_begin(&export->writer);
  put_channels(export);
  make_bodies(export, &bodies);
  put_message(export, export->bodies, time_of(export, 0), &bodies);
  mcap_world_add_ground(&export->world, &ground);
  put_message(export, export->ground, time_of(export, 0), &ground);
  mcap_objects_add_shapes(&export->objects, &objects);
  if (objects.size > 0)
    put_message(export, export->objects_channel, time_of(export, 0), &objects);
  for (int f = 0; f < export->frame_count; f++) {
    for (; event < export->event_count && nanoseconds(export->events[event].time) <= time_of(export, f); event++)
      put_hit(export, &export->events[event]);
    put_frame(export, f);
  }
  mcap_finish(&export->writer);
}

// Finds the poses in the file and counts the frames that are not the trace's.
static int count_different_frames(const McapExport *export) {
  size_t at = 0, size = 0;
  int differences = 0;
  for (int f = 0; f < export->frame_count; f++) {
    TextBuffer expected = {0};
    make_poses(export, f, &expected);
    const char *found = mcap_next(&export->writer.file, export->poses, &at, &size);
    const bool same = found && expected.bytes && size == expected.size && memcmp(found, expected.bytes, size) == 0;
    differences += !same;
    text_free(&expected);
  }
  return differences;
}

static void tell(const McapExport *export, ExportResult *result) {
  const TraceMotion *motion = export->actors[0].motion;
  const long numbers = (long)NUMBERS_OF_A_POSE * (export->part_count + export->world.def->platform_count);
  snprintf(result->contents, sizeof result->contents, "%s%s, %s pose, %d frames at %.6g Hz, %d parts, %d hits",
           motion->character, export->actor_count > 1 ? " and others" : "", trace_pose_names[motion->pose],
           motion->frame_count, motion->frame_rate, export->part_count, (int)export->writer.messages[export->hits]);
  round_trip_tell_bits(numbers * export->frame_count, numbers * count_different_frames(export), result->round_trip,
                       sizeof result->round_trip);
}

bool export_mcap(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error) {
  McapExport export = {.actor_count = 0};
  bool good = read_all(&export, reader, def, options, error);
  if (good) {
    put_all(&export);
    good = !export.writer.file.failed || error_set(error, "out of memory");
  }
  if (good) {
    tell(&export, result);
    result->bytes = export.writer.file.bytes;
    result->size = export.writer.file.size;
    export.writer.file = (TextBuffer){0}; // belongs to the result now
  }
  free_all(&export);
  return good;
}
