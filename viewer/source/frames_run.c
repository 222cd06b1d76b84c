// Frames of a run in memory: a ring buffer in which each frame is a contiguous block of values and contacts.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/record/contact_sums.h"
#include "scenes/record/record.h"
#include "viewer/source/frames_internal.h"

// Where the recorder writes a channel's values before they are converted to floats.
typedef struct StagedChannel {
  TraceType type;
  size_t offset; // bytes, in `staged`
  size_t count;  // values
  size_t place;  // index of the first value among a frame's floats
} StagedChannel;

// A stored frame.
typedef struct Slot {
  double time;   // s
  size_t offset; // bytes, in the ring
  int contacts;
} Slot;

typedef struct RunFrames {
  Frames frames;
  Recorder *recorder;
  StagedChannel *channels; // in the order of declaration; 0 is /time
  int channel_count, channel_capacity;
  double *staged;                          // the values of the frame being recorded
  size_t staged_size;                      // bytes
  FrameContact contacts[CONTACT_SUMS_MAX]; // of that frame
  int contact_count;
  size_t value_count; // of a frame
  char *ring;
  size_t ring_size, head; // bytes; where the next frame begins if it fits
  Slot *slots;            // frame i is in slot i % slot_count
  int slot_count;
} RunFrames;

// ---- Recording ----

static size_t type_size(TraceType type) {
  switch (type) {
  case TRACE_FLOAT32:
    return sizeof(float);
  case TRACE_FLOAT64:
    return sizeof(double);
  case TRACE_UINT8:
    return sizeof(uint8_t);
  case TRACE_INT32:
    return sizeof(int32_t);
  case TRACE_UINT64:
    return sizeof(uint64_t);
  }
  return 0;
}

static bool copy_names(FrameChannel *shown, const TraceChannel *channel) {
  if (!channel->row_names || channel->shape[0] <= 0)
    return true;
  shown->names = calloc((size_t)shown->rows, sizeof *shown->names);
  for (int i = 0; shown->names && i < shown->rows; i++)
    strncpy(shown->names[i], channel->row_names[i], sizeof shown->names[i] - 1);
  return shown->names != NULL;
}

static int declare(void *context, const TraceChannel *channel, Error *error) {
  RunFrames *run = context;
  if (run->channel_count == run->channel_capacity) {
    int capacity = run->channel_capacity > 0 ? 2 * run->channel_capacity : 64;
    StagedChannel *grown = realloc(run->channels, (size_t)capacity * sizeof *grown);
    if (grown) {
      run->channels = grown;
      run->channel_capacity = capacity;
    }
  }
  StoredChannel *stored = frames_add_channel(&run->frames, channel, channel->row_names != NULL);
  if (run->channel_count == run->channel_capacity || !stored || !copy_names(&stored->shown, channel)) {
    error_set(error, "%s: out of memory", channel->path);
    return -1;
  }
  StagedChannel staged = {channel->type, run->staged_size, channel_size(&stored->shown), run->value_count};
  stored->place = staged.place;
  run->value_count += staged.count;
  size_t bytes = staged.count * type_size(staged.type);
  run->staged_size += (bytes + sizeof(double) - 1) / sizeof(double) * sizeof(double);
  run->channels[run->channel_count] = staged;
  return run->channel_count++;
}

static void *row(void *context, int channel) {
  RunFrames *run = context;
  return (char *)run->staged + run->channels[channel].offset;
}

static void add_contact(void *context, const RecordContact *contact) {
  RunFrames *run = context;
  if (run->contact_count == CONTACT_SUMS_MAX)
    return;
  run->contacts[run->contact_count++] =
      (FrameContact){.body = contact->part,
                     .other = contact->other,
                     .position_w = vec3_from_doubles(contact->position),
                     .normal_w = {{contact->normal[0], contact->normal[1], contact->normal[2]}},
                     .impulse_w = vec3_from_doubles(contact->impulse)};
}

// ---- The ring ----

static size_t values_size(const RunFrames *run) { return run->value_count * sizeof(float); }

static Slot *slot_of(const RunFrames *run, int frame) { return &run->slots[frame % run->slot_count]; }

static bool oldest_lies_in(const RunFrames *run, size_t from, size_t to) {
  if (run->frames.first == run->frames.end)
    return false;
  size_t offset = slot_of(run, run->frames.first)->offset;
  return offset >= from && offset < to;
}

// Makes room for a new frame of `size` bytes by dropping the oldest frames. Frames in the ring are in order of age, so
// the first one after the head is the oldest.
static size_t make_room(RunFrames *run, size_t size) {
  Frames *frames = &run->frames;
  if (run->head + size > run->ring_size) {
    while (oldest_lies_in(run, run->head, run->ring_size))
      frames->first++;
    run->head = 0;
  }
  while (oldest_lies_in(run, run->head, run->head + size) || frames->end - frames->first == run->slot_count)
    frames->first++;
  size_t place = run->head;
  run->head += size;
  return place;
}

#define CONVERT(T)                                                                                                     \
  for (size_t i = 0; i < channel->count; i++)                                                                          \
  to[i] = (float)((const T *)from)[i]

static void convert(const StagedChannel *channel, const void *from, float *to) {
  switch (channel->type) {
  case TRACE_FLOAT32:
    memcpy(to, from, channel->count * sizeof *to);
    break;
  case TRACE_FLOAT64:
    CONVERT(double);
    break;
  case TRACE_UINT8:
    CONVERT(uint8_t);
    break;
  case TRACE_INT32:
    CONVERT(int32_t);
    break;
  case TRACE_UINT64:
    CONVERT(uint64_t);
    break;
  }
}

static bool end_frame(void *context, double time) {
  RunFrames *run = context;
  *(double *)row(run, 0) = time;
  size_t contacts_size = (size_t)run->contact_count * sizeof(FrameContact);
  size_t place = make_room(run, values_size(run) + contacts_size);
  float *values = (float *)(void *)(run->ring + place);
  for (int i = 0; i < run->channel_count; i++)
    convert(&run->channels[i], row(run, i), values + run->channels[i].place);
  memcpy(values + run->value_count, run->contacts, contacts_size);
  *slot_of(run, run->frames.end) = (Slot){time, place, run->contact_count};
  run->frames.end++;
  run->contact_count = 0;
  memset(run->staged, 0, run->staged_size);
  return true;
}

// ---- Reading ----

static const float *values_of_frame(const RunFrames *run, int frame) {
  return (const float *)(const void *)(run->ring + slot_of(run, frame)->offset);
}

static const float *read_values(Frames *frames, int channel, int frame, Error *error) {
  (void)error;
  return values_of_frame((const RunFrames *)frames, frame) + frames->channels[channel].place;
}

static double read_time(const Frames *frames, int frame) { return slot_of((const RunFrames *)frames, frame)->time; }

static int read_contacts(Frames *frames, int frame, FrameContact *contacts, int most, Error *error) {
  (void)error;
  const RunFrames *run = (const RunFrames *)frames;
  int count = slot_of(run, frame)->contacts;
  count = count < most ? count : most;
  if (count <= 0)
    return 0;
  memcpy(contacts, values_of_frame(run, frame) + run->value_count, (size_t)count * sizeof *contacts);
  return count;
}

// ---- Creation ----

static void free_run(Frames *frames) {
  RunFrames *run = (RunFrames *)frames;
  recorder_destroy(run->recorder);
  free(run->channels);
  free(run->staged);
  free(run->ring);
  free(run->slots);
}

static const FramesKind RUN_KIND = {read_values, read_time, read_contacts, free_run};

// Allocates memory for the frames once all channels are declared: three times the size of the largest frame, so that
// wherever one lies another one fits beside it.
static bool allocate(RunFrames *run, size_t bytes) {
  size_t largest = values_size(run) + sizeof run->contacts;
  size_t slots = bytes / (values_size(run) + sizeof(Slot)) + 2;
  slots = slots < 1 << 24 ? slots : 1 << 24;
  run->slot_count = (int)slots;
  run->ring_size = bytes > slots * sizeof(Slot) ? bytes - slots * sizeof(Slot) : 0;
  if (run->ring_size < 3 * largest)
    run->ring_size = 3 * largest;
  run->staged = calloc(1, run->staged_size);
  run->ring = malloc(run->ring_size + 1); // never zero bytes
  run->slots = calloc(slots, sizeof *run->slots);
  return run->staged && run->ring && run->slots;
}

Frames *frames_of_run(const World *world, Character *const *characters, int count, size_t bytes, Error *error) {
  RunFrames *run = calloc(1, sizeof *run);
  if (!run) {
    error_set(error, "out of memory");
    return NULL;
  }
  run->frames.kind = &RUN_KIND;
  const RecordSink sink = {
      .context = run, .declare = declare, .row = row, .contact = add_contact, .end_frame = end_frame};
  if (declare(run, &trace_time_channel, error) >= 0)
    run->recorder = recorder_create_for(&sink, world, characters, count, error);
  if (!run->recorder || !allocate(run, bytes)) {
    error_set(error, "out of memory for the frames of a run");
    frames_free(&run->frames);
    return NULL;
  }
  frames_sort_channels(&run->frames);
  return &run->frames;
}

void frames_step(Frames *frames) {
  if (frames->kind == &RUN_KIND)
    recorder_step(((RunFrames *)frames)->recorder);
}

void frames_add(Frames *frames) {
  if (frames->kind == &RUN_KIND)
    recorder_frame(((RunFrames *)frames)->recorder, false);
}
