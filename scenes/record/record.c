// The recorder: declares a character's channels in a trace or another sink, sums contacts and assist over the steps of
// a frame, and fills in frames.
#include "scenes/record/record.h"
#include "ragdoll/character/character_metrics.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/record/contact_sums.h"
#include "scenes/record/hit_table.h"
#include "scenes/record/record_channels.h"
#include "scenes/record/record_layers.h"
#include "scenes/record/record_objects.h"
#include "sim/world/world_body.h"

typedef struct CharacterRecord {
  Character *character;
  int channels[CHARACTER_CHANNELS]; // -1: the channel has no rows
  RecordLayers layers;
  ContactSum assist_force; // sums over the steps since the last frame
  double assist_torque[3];
} CharacterRecord;

struct Recorder {
  RecordSink sink;
  TraceWriter *trace; // NULL: another sink
  const World *world;
  CharacterRecord *characters;
  int character_count;
  int world_channels[WORLD_CHANNELS];
  int hit_lists[HIT_COLUMNS]; // in a trace
  uint64_t contacts_written;
  int steps;   // since the last frame
  bool passed; // in a silent recorder: a frame was due after the last step
  ContactSums contacts;
  RecordObjects objects; // in a trace
};

// Whether the recorder has no sink and only sums.
static bool is_silent(const Recorder *recorder) { return !recorder->sink.declare; }

// ---- Declaring ----

static int row_count(RecordRows rows, const CharacterDef *def) {
  const BodyDef *body = def->body;
  switch (rows) {
  case ROWS_ONE:
    return 1;
  case ROWS_JOINTS:
    return body->part_count - 1;
  case ROWS_PARTS:
    return body->part_count;
  case ROWS_FEET:
    return body->skeleton.leg_count;
  case ROWS_TRACKS:
    return def->graph ? graph_track_count(def->graph) : 0;
  case ROWS_GRAPH:
    return def->graph != NULL;
  }
  return 0;
}

// "none, no ground, too high ...": in the order of FootRefusal.
static bool declare_reasons(TraceWriter *trace, const char *path, Error *error) {
  char reasons[256] = "none";
  for (int i = 1; i < FOOT_REFUSAL_COUNT; i++) {
    size_t size = strlen(reasons);
    snprintf(reasons + size, sizeof reasons - size, ", %s", foot_refusal_name((FootRefusal)i));
  }
  return trace_text_attribute(trace, path, "reasons", reasons, error);
}

// Declares torque limits of the joints, masses and inertias of the parts and the part that the assist holds, which
// balances of momentum need in addition to the channels; and the meaning of the numbers of refusals.
static bool declare_attributes(TraceWriter *trace, RecordRows rows, const char *path, const CharacterDef *def,
                               Error *error) {
  const BodyDef *body = def->body;
  double mass[BODY_MAX_PARTS], inertia[3 * BODY_MAX_PARTS], products[3 * BODY_MAX_PARTS], limit[BODY_MAX_PARTS];
  bool has_products = false;
  for (int i = 0; i < body->part_count; i++) {
    mass[i] = def->actual.mass * body->parts[i].mass;
    for (int k = 0; k < 3; k++) {
      inertia[3 * i + k] = def->actual.mass * body->parts[i].inertia[k];
      products[3 * i + k] = def->actual.mass * body->parts[i].products[k];
    }
    has_products |= part_has_products(&body->parts[i]);
    if (i > 0)
      limit[i - 1] = body->parts[i].joint.strength * def->drive.strength;
  }
  if (rows == ROWS_JOINTS && strstr(path, "/joints/"))
    return trace_attribute(trace, path, "limit", limit, body->part_count - 1, error);
  if (rows == ROWS_PARTS)
    return trace_attribute(trace, path, "mass", mass, body->part_count, error) &&
           trace_attribute(trace, path, "inertia", inertia, 3 * body->part_count, error) &&
           (!has_products || trace_attribute(trace, path, "inertia_products", products, 3 * body->part_count, error));
  if (rows == ROWS_FEET && strstr(path, "/feet/refusal"))
    return declare_reasons(trace, path, error);
  if (strstr(path, "/assist/"))
    return trace_text_attribute(trace, path, "part", def->assist.part, error) &&
           trace_number_attribute(trace, path, "kinematic", def->drive.kinematic ? 1 : 0, error);
  return true;
}

static bool declare_character(Recorder *recorder, CharacterRecord *record, Error *error) {
  const BodyDef *body = record->character->def->body;
  const GraphDef *graph = record->character->def->graph;
  const char *names[ROWS_GRAPH + 1][GRAPH_MAX_TRACKS] = {{NULL}};
  char tracks[GRAPH_MAX_TRACKS][GRAPH_TRACK_NAME_SIZE];
  for (int i = 0; graph && i < graph_track_count(graph); i++) {
    graph_track_name(graph, i, tracks[i]);
    names[ROWS_TRACKS][i] = tracks[i];
  }
  for (int i = 0; i < body->part_count; i++) {
    names[ROWS_PARTS][i] = body->parts[i].name;
    if (i > 0)
      names[ROWS_JOINTS][i - 1] = body->parts[i].name;
  }
  for (int i = 0; i < body->skeleton.leg_count; i++)
    names[ROWS_FEET][i] = body->skeleton.legs[i].name;

  for (int i = 0; i < CHARACTER_CHANNELS; i++) {
    const RecordChannel *row = &character_channels[i];
    int rows = row_count(row->rows, record->character->def);
    record->channels[i] = -1;
    if (rows == 0)
      continue;
    char path[256];
    snprintf(path, sizeof path, "/characters/%s/%s", record->character->def->name, row->path);
    TraceChannel channel = {.path = path, .type = row->type, .unit = row->unit, .description = row->description};
    if (row->rows == ROWS_ONE || row->rows == ROWS_GRAPH) {
      channel.shape[0] = row->width > 1 ? row->width : 0;
    } else {
      channel.shape[0] = rows;
      channel.shape[1] = row->width > 1 ? row->width : 0;
      channel.row_names = names[row->rows];
    }
    record->channels[i] = recorder->sink.declare(recorder->sink.context, &channel, error);
    if (record->channels[i] < 0 ||
        (recorder->trace && !declare_attributes(recorder->trace, row->rows, path, record->character->def, error)))
      return false;
  }
  return record_layers_declare(&record->layers, record->character, &recorder->sink, error);
}

static bool declare_hits(Recorder *recorder, const char *const *bodies, int body_count, Error *error) {
  const char **characters = malloc((size_t)(recorder->character_count + 1) * sizeof *characters);
  if (!characters)
    return error_set(error, "out of memory for a trace");
  for (int i = 0; i < recorder->character_count; i++)
    characters[i] = recorder->characters[i].character->def->name;
  const bool good = hit_table_declare(recorder->trace, characters, recorder->character_count, bodies, body_count,
                                      recorder->hit_lists, error);
  free(characters);
  return good;
}

// Declares the names for the indices of bodies: "character/part", or an object that exists from the beginning.
static bool declare_bodies(Recorder *recorder, Error *error) {
  const World *world = recorder->world;
  int parts = recorder->objects.part_count, count = parts + recorder->objects.count;
  char(*text)[2 * SKELETON_NAME_SIZE] = calloc((size_t)count + 1, sizeof *text);
  const char **names = calloc((size_t)count + 1, sizeof *names);
  bool good = text && names;
  for (int i = 0; good && i < count; i++) {
    if (i < parts) {
      const WorldBody *body = &world->bodies[recorder->objects.platform_count + i];
      const CharacterDef *def = recorder->characters[body->owner].character->def;
      snprintf(text[i], sizeof text[i], "%s/%s", def->name, def->body->parts[body->part].name);
    } else
      snprintf(text[i], sizeof text[i], "%s", recorder->objects.list[i - parts].name);
    names[i] = text[i];
  }
  good = good && trace_names(recorder->trace, world_channels[CONTACT_PART].path, names, count, error) &&
         trace_names(recorder->trace, world_channels[CONTACT_OTHER].path, names, count, error) &&
         declare_hits(recorder, names, count, error);
  free(names);
  free(text);
  return good || error_set(error, "out of memory");
}

// Declares the lists, which only a trace has. before: objects of the same run, may be NULL.
static bool declare_world(Recorder *recorder, const RecordObjects *before, Error *error) {
  if (is_silent(recorder))
    return record_objects_create(&recorder->objects, NULL, recorder->world, before, error);
  for (int i = 0; i < WORLD_CHANNELS; i++) {
    const RecordChannel *row = &world_channels[i];
    TraceChannel channel = {.path = row->path,
                            .type = row->type,
                            .shape = {row->width > 1 ? row->width : 0},
                            .unit = row->unit,
                            .description = row->description};
    bool is_list = i != CONTACT_FIRST && i != CONTACT_COUNT;
    if (is_list && !recorder->trace)
      continue;
    recorder->world_channels[i] = is_list ? trace_list(recorder->trace, &channel, error)
                                          : recorder->sink.declare(recorder->sink.context, &channel, error);
    if (recorder->world_channels[i] < 0)
      return false;
  }
  const World *world = recorder->world;
  return !recorder->trace || (trace_attribute(recorder->trace, "/", "gravity", world->def.gravity, 3, error) &&
                              record_objects_create(&recorder->objects, recorder->trace, world, before, error) &&
                              declare_bodies(recorder, error));
}

static void take_sums(Recorder *recorder, const Recorder *before) {
  recorder->steps = before->steps;
  recorder->contacts = before->contacts;
  for (int i = 0; i < recorder->character_count; i++) {
    recorder->characters[i].assist_force = before->characters[i].assist_force;
    memcpy(recorder->characters[i].assist_torque, before->characters[i].assist_torque,
           sizeof recorder->characters[i].assist_torque);
  }
}

// before (may be NULL): a recorder of the same run whose sums are continued.
static Recorder *create(const RecordSink *sink, TraceWriter *trace, const World *world, Character *const *characters,
                        int count, const Recorder *before, Error *error) {
  Recorder *recorder = calloc(1, sizeof *recorder);
  CharacterRecord *records = calloc((size_t)count + 1, sizeof *records);
  if (!recorder || !records) {
    free(recorder);
    free(records);
    error_set(error, "out of memory");
    return NULL;
  }
  recorder->sink = *sink;
  recorder->trace = trace;
  if (trace)
    recorder->sink.context = recorder;
  recorder->world = world;
  record_objects_count(&recorder->objects, world);
  recorder->characters = records;
  recorder->character_count = count;
  bool good = true;
  for (int i = 0; i < count && good; i++) {
    records[i].character = characters[i];
    good = is_silent(recorder) || declare_character(recorder, &records[i], error);
  }
  if (!good || !declare_world(recorder, before ? &before->objects : NULL, error)) {
    recorder_destroy(recorder);
    return NULL;
  }
  if (before)
    take_sums(recorder, before);
  return recorder;
}

// ---- A trace as a sink, whose context is its recorder ----

static int declare_in_trace(void *context, const TraceChannel *channel, Error *error) {
  return trace_channel(((Recorder *)context)->trace, channel, error);
}

static void *row_in_trace(void *context, int channel) { return trace_row(((Recorder *)context)->trace, channel); }

static void append_contact(void *context, const RecordContact *contact) {
  const Recorder *recorder = context;
  const int *lists = recorder->world_channels;
  trace_append(recorder->trace, lists[CONTACT_PART], &contact->part, 1);
  trace_append(recorder->trace, lists[CONTACT_OTHER], &contact->other, 1);
  trace_append(recorder->trace, lists[CONTACT_POSITION], contact->position, 1);
  trace_append(recorder->trace, lists[CONTACT_NORMAL], contact->normal, 1);
  trace_append(recorder->trace, lists[CONTACT_IMPULSE], contact->impulse, 1);
  trace_append(recorder->trace, lists[CONTACT_MOMENT], contact->moment, 1);
}

static bool end_frame_in_trace(void *context, double time) {
  return trace_end_frame(((Recorder *)context)->trace, time);
}

static const RecordSink TRACE_SINK = {
    .declare = declare_in_trace, .row = row_in_trace, .contact = append_contact, .end_frame = end_frame_in_trace};

Recorder *recorder_create(TraceWriter *writer, const World *world, Character *const *characters, int count,
                          Error *error) {
  return create(&TRACE_SINK, writer, world, characters, count, NULL, error);
}

Recorder *recorder_create_silent(const World *world, Character *const *characters, int count, Error *error) {
  return create(&(RecordSink){0}, NULL, world, characters, count, NULL, error);
}

Recorder *recorder_create_after(const Recorder *silent, TraceWriter *writer, Error *error) {
  Character **characters = malloc((size_t)(silent->character_count + 1) * sizeof *characters);
  if (!characters) {
    error_set(error, "out of memory for a trace");
    return NULL;
  }
  for (int i = 0; i < silent->character_count; i++)
    characters[i] = silent->characters[i].character;
  Recorder *recorder = create(&TRACE_SINK, writer, silent->world, characters, silent->character_count, silent, error);
  free(characters);
  return recorder;
}

Recorder *recorder_create_for(const RecordSink *sink, const World *world, Character *const *characters, int count,
                              Error *error) {
  return create(sink, NULL, world, characters, count, NULL, error);
}

void recorder_destroy(Recorder *recorder) {
  if (!recorder)
    return;
  free(recorder->characters);
  free(recorder);
}

TraceWriter *recorder_trace(const Recorder *recorder) { return recorder ? recorder->trace : NULL; }

long recorder_dropped(const Recorder *recorder) { return recorder ? recorder->contacts.dropped : 0; }

// ---- Steps ----

// The step has moved the held part; the force acted at its position before. Of a kinematic body all parts are held.
static void add_assist(CharacterRecord *record, const World *world) {
  const Character *character = record->character;
  const Assist *assist = &character->assist;
  const bool all = character->drive.def.kinematic;
  if (assist->part < 0 && !all)
    return;
  const int body = character->ragdoll->body[all ? 0 : assist->part];
  const double *position = all ? character->sensed.com : world_body_position(world, body);
  const double *velocity = all ? character->sensed.com_velocity : world_body_velocity(world, body);
  Contact step = {.body = assist->part};
  for (int k = 0; k < 3; k++) {
    step.position[k] = position[k] - world->def.dt * velocity[k];
    step.impulse[k] = assist->force_w[k];
    record->assist_torque[k] += assist->torque_w[k];
  }
  contact_sum_add(&record->assist_force, &step);
}

static void clear_assist(CharacterRecord *record) {
  record->assist_force = (ContactSum){.body = 0};
  memset(record->assist_torque, 0, sizeof record->assist_torque);
}

// Begins new sums after a frame that was not written.
static void begin_sums(Recorder *recorder) {
  for (int i = 0; i < recorder->character_count; i++)
    clear_assist(&recorder->characters[i]);
  recorder->contacts.count = recorder->steps = 0;
  recorder->passed = false;
}

void recorder_step(Recorder *recorder) {
  const World *world = recorder->world;
  if (recorder->passed) {
    begin_sums(recorder);
    record_objects_frame(&recorder->objects, NULL, world);
  }
  for (int i = 0; i < world->contact_count; i++)
    contact_sums_add(&recorder->contacts, &world->contacts[i]);
  for (int i = 0; i < recorder->character_count; i++)
    add_assist(&recorder->characters[i], world);
  recorder->steps++;
  if (recorder->trace) {
    uint64_t hash = world_hash(world);
    trace_append(recorder->trace, recorder->world_channels[STEP_HASH], &hash, 1);
  }
}

// ---- Frames ----

static void *row_of(const Recorder *recorder, int channel) {
  return recorder->sink.row(recorder->sink.context, channel);
}

static float *float_row(const Recorder *recorder, const CharacterRecord *record, CharacterChannelIndex channel) {
  return record->channels[channel] < 0 ? NULL : row_of(recorder, record->channels[channel]);
}

static double *double_row(const Recorder *recorder, const CharacterRecord *record, CharacterChannelIndex channel) {
  return row_of(recorder, record->channels[channel]);
}

static void fill_pose(const Recorder *recorder, const CharacterRecord *record, CharacterChannelIndex first,
                      const Pose *pose) {
  memcpy(float_row(recorder, record, first), pose->position[0].raw, 3 * sizeof(float));
  memcpy(float_row(recorder, record, first + 1), pose->rotation[0].raw, 4 * sizeof(float));
  float *rotation = float_row(recorder, record, first + 2);
  for (int i = 1; i < pose->count; i++)
    memcpy(&rotation[4 * (i - 1)], pose->rotation[i].raw, 4 * sizeof(float));
}

static void fill_parts(const Recorder *recorder, const CharacterRecord *record) {
  const Ragdoll *ragdoll = record->character->ragdoll;
  double *position = double_row(recorder, record, PART_POSITION);
  double *rotation = double_row(recorder, record, PART_ROTATION);
  double *velocity = double_row(recorder, record, PART_VELOCITY);
  double *spin = double_row(recorder, record, PART_SPIN);
  for (int i = 0; i < ragdoll->def->part_count; i++) {
    const int body = ragdoll->body[i];
    memcpy(&position[3 * i], world_body_position(recorder->world, body), 3 * sizeof(double));
    world_body_rotation(recorder->world, body, &rotation[4 * i]);
    memcpy(&velocity[3 * i], world_body_velocity(recorder->world, body), 3 * sizeof(double));
    memcpy(&spin[3 * i], world_body_spin(recorder->world, body), 3 * sizeof(double));
  }
}

static void fill_joints(const Recorder *recorder, const CharacterRecord *record) {
  const Character *character = record->character;
  const Drive *drive = &character->drive;
  float *error = float_row(recorder, record, JOINT_ERROR), *torque = float_row(recorder, record, JOINT_TORQUE);
  float *strength = float_row(recorder, record, JOINT_STRENGTH), *blend = float_row(recorder, record, JOINT_BLEND);
  for (int i = 1; i < character->ragdoll->def->part_count; i++) {
    error[i - 1] = character->sensed.joint_error[i];
    strength[i - 1] = drive->def.enabled ? drive->strength[i] : 0;
    blend[i - 1] = character->shown.blend[i];
    for (int k = 0; k < 3; k++)
      torque[3 * (i - 1) + k] = (float)character->ragdoll->joints[i].torque_w[k];
  }
}

static void fill_feet(const Recorder *recorder, const CharacterRecord *record) {
  const Character *character = record->character;
  int count = character->def->body->skeleton.leg_count;
  if (count == 0)
    return;
  float *position = float_row(recorder, record, FOOT_POSITION), *ground = float_row(recorder, record, FOOT_GROUND);
  float *clearance = float_row(recorder, record, FOOT_CLEARANCE), *phase = float_row(recorder, record, FOOT_PHASE);
  unsigned char *planted = row_of(recorder, record->channels[FOOT_PLANTED]);
  unsigned char *flat = row_of(recorder, record->channels[FOOT_FLAT]);
  unsigned char *standing = row_of(recorder, record->channels[FOOT_STANDING]);
  float *progress = float_row(recorder, record, FOOT_PROGRESS);
  int *refusal = row_of(recorder, record->channels[FOOT_REFUSED]);
  for (int i = 0; i < count; i++) {
    const FootState *foot = &character->judged->feet[i];
    for (int k = 0; k < 3; k++)
      position[3 * i + k] = (float)foot->position[k];
    ground[i] = (float)foot->ground_height;
    clearance[i] = (float)foot->clearance;
    planted[i] = foot->planted;
    flat[i] = foot->flat;
    phase[i] = foot->phase;
    const FootPlan *plan = &character->foot_plans[i];
    standing[i] = plan->known && plan->standing;
    progress[i] = plan->known ? (float)plan->progress : 0;
    refusal[i] = plan->known ? (int)plan->refusal : 0;
  }
}

static void fill_graph(const Recorder *recorder, const CharacterRecord *record) {
  const Graph *graph = record->character->graph;
  if (!graph)
    return;
  graph_track_weights(graph, float_row(recorder, record, GRAPH_WEIGHT));
  int *refused = row_of(recorder, record->channels[GRAPH_REFUSED]);
  *refused = (int)graph_refusals(graph);
}

static void fill_assist(const Recorder *recorder, CharacterRecord *record) {
  const Character *character = record->character;
  double *force = double_row(recorder, record, ASSIST_FORCE), *torque = double_row(recorder, record, ASSIST_TORQUE);
  double *point = double_row(recorder, record, ASSIST_POINT), normal[3];
  double steps = recorder->steps > 0 ? recorder->steps : 1;
  for (int k = 0; k < 3; k++) {
    force[k] = record->assist_force.impulse[k] / steps;
    torque[k] = record->assist_torque[k] / steps;
    point[k] = (double)NAN;
  }
  if (record->assist_force.weight > 0) {
    double moment[3];
    contact_sum_result(&record->assist_force, point, normal);
    contact_sum_moment(&record->assist_force, point, moment);
    for (int k = 0; k < 3; k++)
      torque[k] += moment[k] / steps;
  } else if (character->assist.part >= 0)
    memcpy(point, world_body_position(recorder->world, character->ragdoll->body[character->assist.part]),
           3 * sizeof *point);
  clear_assist(record);
}

static void fill_whole(const Recorder *recorder, const CharacterRecord *record) {
  const Character *character = record->character;
  memcpy(double_row(recorder, record, COM_POSITION), character->sensed.com, sizeof character->sensed.com);
  memcpy(double_row(recorder, record, COM_VELOCITY), character->sensed.com_velocity,
         sizeof character->sensed.com_velocity);
  *float_row(recorder, record, SUPPORT_MARGIN) = (float)character->judged->support_margin;
  int *state = row_of(recorder, record->channels[STATE]);
  *state = (int)character->fall.machine.state;
}

static void write_contacts(Recorder *recorder) {
  int *first = row_of(recorder, recorder->world_channels[CONTACT_FIRST]);
  int *count = row_of(recorder, recorder->world_channels[CONTACT_COUNT]);
  *first = (int)recorder->contacts_written;
  *count = recorder->contacts.count;
  for (int i = 0; i < recorder->contacts.count; i++) {
    const ContactSum *sum = &recorder->contacts.sums[i];
    RecordContact contact = {.part = record_body_number(&recorder->objects, sum->body),
                             .other = record_body_number(&recorder->objects, sum->other)};
    if (recorder->trace) {
      contact.part = record_objects_number(&recorder->objects, sum->body);
      contact.other = record_objects_number(&recorder->objects, sum->other);
    }
    double normal[3];
    contact_sum_result(sum, contact.position, normal);
    contact_sum_moment(sum, contact.position, contact.moment);
    for (int k = 0; k < 3; k++) {
      contact.normal[k] = (float)normal[k];
      contact.impulse[k] = sum->impulse[k];
    }
    recorder->sink.contact(recorder->sink.context, &contact);
  }
  recorder->contacts_written += (uint64_t)recorder->contacts.count;
  recorder->contacts.count = 0;
}

// At a frame that a silent recorder does not write: the sums are kept until the next step, since a recording may begin
// here.
static bool pass_frame(Recorder *recorder, bool judged) {
  for (int i = 0; i < recorder->character_count && !judged; i++)
    character_measure_feet(recorder->characters[i].character);
  recorder->passed = true;
  return true;
}

bool recorder_frame(Recorder *recorder, bool judged) {
  if (is_silent(recorder))
    return pass_frame(recorder, judged);
  for (int i = 0; i < recorder->character_count; i++) {
    CharacterRecord *record = &recorder->characters[i];
    fill_pose(recorder, record, TARGET_POSITION, &record->character->target);
    fill_pose(recorder, record, MEASURED_POSITION, &record->character->sensed.pose);
    fill_pose(recorder, record, OUTPUT_POSITION, &record->character->shown.pose);
    fill_parts(recorder, record);
    record_layers_fill(&record->layers, record->character, &recorder->sink);
    fill_joints(recorder, record);
    if (!judged)
      character_measure_feet(record->character);
    fill_feet(recorder, record);
    fill_graph(recorder, record);
    fill_whole(recorder, record);
    fill_assist(recorder, record);
  }
  if (recorder->trace && !record_objects_frame(&recorder->objects, recorder->trace, recorder->world))
    return false;
  write_contacts(recorder);
  recorder->steps = 0;
  return recorder->sink.end_frame(recorder->sink.context, recorder->world->time);
}

static int find_body(const World *world, int owner, const char *part) {
  int body = world->body_count - 1;
  while (body >= 0 && (world->bodies[body].owner != owner || strcmp(world->bodies[body].name, part) != 0))
    body--;
  return body;
}

void recorder_finish(Recorder *recorder) {
  for (int i = 0; recorder->trace && i < recorder->character_count; i++) {
    int count;
    const MetricsHit *hits = metrics_hits(recorder->characters[i].character->judged->metrics, &count);
    for (int k = 0; k < count; k++) {
      int body = record_body_number(&recorder->objects, find_body(recorder->world, i, hits[k].part));
      hit_table_add(recorder->trace, recorder->hit_lists, i, body, &hits[k]);
    }
  }
}

void recorder_state(Recorder *recorder, StateStream *stream) {
  int bodies = recorder->world->body_count;
  state_section(stream, "sums", 1);
  state_int(stream, &recorder->steps, 0, INT_MAX);
  STATE(stream, recorder->passed);
  contact_sums_state(&recorder->contacts, bodies, stream);
  state_same(stream, recorder->character_count, "characters");
  for (int i = 0; i < recorder->character_count && !stream->failed; i++) {
    CharacterRecord *record = &recorder->characters[i];
    contact_sum_state(&record->assist_force, bodies, stream);
    STATE(stream, record->assist_torque);
  }
  if (!recorder->trace || !state_restores(stream)) {
    record_objects_state(&recorder->objects, recorder->world, stream);
    return;
  }
  RecordObjects *passed =
      malloc(sizeof *passed); // the trace's objects are declared already and stay; the saved list is skipped
  if (!passed) {
    state_fail(stream, "out of memory");
    return;
  }
  record_objects_count(passed, recorder->world);
  record_objects_state(passed, recorder->world, stream);
  free(passed);
}
