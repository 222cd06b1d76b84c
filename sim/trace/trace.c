// Writes traces: channels and lists are declared, frames are copied into blocks, and a thread writes whole blocks and
// flushes.
#define _GNU_SOURCE // SCHED_BATCH
#include "sim/trace/trace.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/wall_clock.h"
#include "sim/trace/trace_rows.h"

// The sum of these is the largest age of a frame that is not in the file yet: less than a second.
static const double HAND_OVER_SECONDS = 0.4; // s after which a slow run passes on a block that is not full
static const double FLUSH_SECONDS = 0.4;     // s between two flushes

enum { WRITER_STACK = 512 << 10 }; // bytes

// The frames in a block. Their rows are stored with the datasets.
typedef struct Block {
  long first; // index of the first frame
  int count;  // number of frames
} Block;

typedef struct Metric {
  char name[TRACE_NAME_SIZE];
  bool is_text;
  double value;
  char text[TRACE_NAME_SIZE];
} Metric;

// The simulation fills block `filled % RING`; the blocks [written, filled) wait for the writer thread. A file's HDF5
// objects are used by one thread at a time: by the caller's until the first frame, then by the writer thread, by the
// caller's while it holds the writer thread, and by the caller's after the thread has ended.
struct TraceWriter {
  char *path;
  TraceFile file;
  hid_t hdf5;
  Dataset *channels, *lists; // channel 0 is /time, list 0 is /events
  int channel_count, list_count;
  Metric *metrics;
  int metric_count;

  Block blocks[RING];
  int slot;           // index of the block being filled
  double handed_over; // s, time at which the last block was passed on

  bool started;  // a frame has been written
  bool threaded; // there is a writer thread; otherwise the caller's thread writes
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed; // signals changes of `filled`, `written` and the end
  long filled, written;   // numbers of blocks
  bool closing;
  bool busy;      // the writer thread is writing, without holding the mutex
  bool unflushed; // used by the writer thread only
  double flushed; // s, time of the last flush; used by the writer thread only
  atomic_bool failed;
  const char *cause; // of a failure that is not due to the file
};

static atomic_int open_writers;

bool trace_is_writing_here(void) { return open_writers > 0; }

static void fail(TraceWriter *writer, const char *cause) {
  if (!atomic_exchange(&writer->failed, true))
    writer->cause = cause;
}

static bool set_write_error(const TraceWriter *writer, Error *error) {
  const char *cause = writer->file.error ? strerror(writer->file.error) : writer->cause;
  error_set(error, "cannot write trace %s: %s", writer->path, cause ? cause : "HDF5 refused the data");
  return error_unwritten(error);
}

// ---- Creation ----

// Called after HDF5 has closed the file.
static void writer_free(TraceWriter *writer) {
  open_writers--;
  for (int i = 0; i < writer->channel_count; i++)
    dataset_free(&writer->channels[i]);
  for (int i = 0; i < writer->list_count; i++)
    dataset_free(&writer->lists[i]);
  pthread_cond_destroy(&writer->changed);
  pthread_mutex_destroy(&writer->mutex);
  free(writer->channels);
  free(writer->lists);
  free(writer->metrics);
  free(writer->path);
  free(writer);
}

static TraceWriter *writer_allocate(const char *path) {
  TraceWriter *writer = calloc(1, sizeof *writer);
  if (!writer)
    return NULL;
  open_writers++;
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&writer->changed, &clock);
  pthread_condattr_destroy(&clock);
  pthread_mutex_init(&writer->mutex, NULL);
  writer->path = strdup(path);
  if (writer->path)
    return writer;
  writer_free(writer);
  return NULL;
}

// Adds a dataset to the array of channels or lists. Returns its index, -1 on error.
static int add_dataset(TraceWriter *writer, bool is_list, const TraceChannel *channel, hid_t type, Error *error) {
  Dataset **array = is_list ? &writer->lists : &writer->channels;
  int *count = is_list ? &writer->list_count : &writer->channel_count;
  Dataset *grown = realloc(*array, (size_t)(*count + 1) * sizeof **array);
  if (!grown) {
    error_set(error, "cannot write trace %s: out of memory", writer->path);
    return -1;
  }
  *array = grown;
  // A channel that is added later has as many rows in the file as the others.
  hsize_t rows_before = writer->started && !is_list ? writer->channels[0].dims[0] : 0;
  const char *problem = dataset_create(&grown[*count], writer->hdf5, is_list, channel, type, rows_before);
  if (problem) {
    error_set(error, "cannot write trace %s: channel %s: %s", writer->path, channel->path, problem);
    return -1;
  }
  return (*count)++;
}

// /time is the first channel, but its dataset is created last, at the first frame: see trace_file.h for the reason.
// Until then its entry is reserved, with memory.
static bool add_time_and_events(TraceWriter *writer, Error *error) {
  writer->channels = calloc(1, sizeof *writer->channels);
  if (!writer->channels)
    return error_set(error, "cannot write trace %s: out of memory", writer->path);
  writer->channels[0] = (Dataset){.id = H5I_INVALID_HID,
                                  .type = TRACE_FLOAT64,
                                  .row_size = sizeof(double),
                                  .rank = 1,
                                  .dims = {0, 1, 1},
                                  .chunk_rows = BLOCK_FRAMES};
  writer->channel_count = 1;
  if (!dataset_allocate(&writer->channels[0], false))
    return error_set(error, "cannot write trace %s: out of memory", writer->path);

  hid_t type = trace_event_type();
  int index = add_dataset(writer, true, &trace_events_channel, type, error);
  H5Tclose(type);
  return index == 0;
}

const TraceChannel trace_events_channel = {
    .path = TRACE_EVENTS,
    .unit = "time s, point m, impulse N s",
    .description = "Impulses that were applied, one for each physics step, with time and point (world)"};

const TraceChannel trace_time_channel = {
    .path = "/time",
    .type = TRACE_FLOAT64,
    .unit = "s",
    .description = "Time of each frame; datasets with a row for each frame are at least as long"};

// Its header is the last one written in a flush, even if channels are added later.
static bool create_time(TraceWriter *writer) {
  const TraceChannel *channel = &trace_time_channel;
  Dataset *time = &writer->channels[0];
  time->id = trace_create_rows(writer->hdf5, channel->path, trace_native_type(channel->type), time->rank, time->dims,
                               time->chunk_rows, false);
  return time->id >= 0 && trace_header_address(time->id, &writer->file.last_header) &&
         trace_write_text(time->id, "unit", channel->unit) &&
         trace_write_text(time->id, "description", channel->description) &&
         trace_write_text(time->id, TRACE_ROWS, TRACE_ROWS_FRAME);
}

TraceWriter *trace_create(const char *path, const TraceInfo *info, Error *error) {
  TraceWriter *writer = writer_allocate(path);
  if (!writer || !trace_file_open(&writer->file, path)) {
    if (writer && errno == EBUSY) {
      error_set(error, "%s: another run is writing it", path);
    } else {
      error_set(error, "cannot write trace %s: %s", path, writer ? strerror(errno) : "out of memory");
      error_unwritten(error);
    }
    if (writer)
      writer_free(writer);
    return NULL;
  }
  writer->hdf5 = trace_create_hdf5(&writer->file, path);
  bool ok = writer->hdf5 >= 0 && trace_write_info(writer->hdf5, info) && add_time_and_events(writer, error) &&
            H5Fflush(writer->hdf5, H5F_SCOPE_GLOBAL) >= 0 && !writer->file.error;
  if (ok)
    return writer;
  set_write_error(writer, error);
  H5Fclose(writer->hdf5);
  trace_file_close(&writer->file);
  unlink(path);
  writer_free(writer);
  return NULL;
}

// After the first frame the caller may use HDF5 only while the writer thread is held.
static void hold_thread(TraceWriter *writer) {
  if (!writer->threaded)
    return;
  pthread_mutex_lock(&writer->mutex);
  while (writer->busy)
    pthread_cond_wait(&writer->changed, &writer->mutex);
}

static void release_thread(TraceWriter *writer) {
  if (writer->threaded)
    pthread_mutex_unlock(&writer->mutex);
}

// Marks frames that ended before a channel was added as missing: those being written, and those of the block being
// filled.
static void miss_frames(TraceWriter *writer, Dataset *channel) {
  for (long block = writer->written; block < writer->filled; block++)
    dataset_miss(channel, (int)(block % RING), writer->blocks[block % RING].count);
  dataset_miss(channel, writer->slot, writer->blocks[writer->slot].count);
}

static int declare_late(TraceWriter *writer, const TraceChannel *channel, Error *error) {
  hold_thread(writer);
  int index = -1;
  if (!trace_can_grow(writer->hdf5, channel->path))
    error_set(error, "cannot write trace %s: channel %s is declared after the first frame, outside of a group for that",
              writer->path, channel->path);
  else
    index = add_dataset(writer, false, channel, trace_native_type(channel->type), error);
  if (index >= 0) {
    miss_frames(writer, &writer->channels[index]);
    trace_limit_cache(writer->hdf5, writer->channel_count + writer->list_count);
  }
  release_thread(writer);
  return index;
}

int trace_channel(TraceWriter *writer, const TraceChannel *channel, Error *error) {
  return writer->started ? declare_late(writer, channel, error)
                         : add_dataset(writer, false, channel, trace_native_type(channel->type), error);
}

int trace_list(TraceWriter *writer, const TraceChannel *channel, Error *error) {
  if (!writer->started)
    return add_dataset(writer, true, channel, trace_native_type(channel->type), error);
  error_set(error, "cannot write trace %s: list %s is declared after the first frame", writer->path, channel->path);
  return -1;
}

bool trace_group(TraceWriter *writer, const char *path, Error *error) {
  hold_thread(writer);
  bool ok = (!writer->started || trace_can_grow(writer->hdf5, path)) && trace_create_group(writer->hdf5, path);
  release_thread(writer);
  return ok || error_set(error, "cannot write trace %s: %s cannot be made a group", writer->path, path);
}

// Adds an attribute to an object in the file: texts if given, otherwise numbers. count 0: a single one.
static bool add_attribute(TraceWriter *writer, const char *path, const char *name, int count, const double *values,
                          const char *const *texts, Error *error) {
  hold_thread(writer);
  bool late = writer->started && !trace_can_grow(writer->hdf5, path);
  hid_t object = late ? H5I_INVALID_HID : H5Oopen(writer->hdf5, path, H5P_DEFAULT);
  bool ok = object >= 0 && (texts ? trace_write_texts(object, name, count, texts)
                                  : trace_write_attribute(object, name, H5T_NATIVE_DOUBLE, count, values));
  H5Oclose(object);
  release_thread(writer);
  if (late)
    return error_set(error, "cannot write trace %s: attribute %s of %s comes after the first frame", writer->path, name,
                     path);
  return ok || error_set(error, "cannot write trace %s: attribute %s of %s: no such channel, set twice, or over 64 KB",
                         writer->path, name, path);
}

bool trace_attribute(TraceWriter *writer, const char *path, const char *name, const double *values, int count,
                     Error *error) {
  return count <= 0 || add_attribute(writer, path, name, count, values, NULL, error);
}

bool trace_number_attribute(TraceWriter *writer, const char *path, const char *name, double value, Error *error) {
  return add_attribute(writer, path, name, 0, &value, NULL, error);
}

bool trace_text_attribute(TraceWriter *writer, const char *path, const char *name, const char *text, Error *error) {
  return add_attribute(writer, path, name, 0, NULL, &text, error);
}

bool trace_names(TraceWriter *writer, const char *path, const char *const *names, int count, Error *error) {
  return count <= 0 || add_attribute(writer, path, "names", count, NULL, names, error);
}

// ---- The writer thread ----

// Writes a block and empties it.
static void write_block(TraceWriter *writer, int slot) {
  const Block *block = &writer->blocks[slot];
  bool ok = !atomic_load(&writer->failed);
  for (int i = 0; i < writer->channel_count; i++) {
    Dataset *channel = &writer->channels[i];
    if (ok && block->count > 0)
      ok = dataset_write_frames(channel, slot, block->first, block->count);
    memset(channel->frames[slot], 0, BLOCK_FRAMES * channel->row_size);
  }
  for (int i = 0; i < writer->list_count; i++) {
    ok = ok && dataset_write_list(&writer->lists[i], slot);
    writer->lists[i].appended[slot].size = 0;
  }
  writer->unflushed = true;
  if (!ok || writer->file.error)
    fail(writer, NULL);
}

static bool flush_is_due(const TraceWriter *writer) {
  return writer->unflushed && wall_seconds() >= writer->flushed + FLUSH_SECONDS;
}

static void flush(TraceWriter *writer) {
  if (H5Fflush(writer->hdf5, H5F_SCOPE_GLOBAL) < 0 || writer->file.error)
    fail(writer, NULL);
  if (trace_file_is_removed(&writer->file))
    fail(writer, "it was removed while it was written");
  writer->unflushed = false;
  writer->flushed = wall_seconds();
}

// Waits for a block or the end or, if something has not been flushed, for the time of the next flush.
static void wait_for_work(TraceWriter *writer) {
  double due = writer->flushed + FLUSH_SECONDS;
  while (writer->filled == writer->written && !writer->closing && !flush_is_due(writer)) {
    if (writer->unflushed) {
      struct timespec until = {.tv_sec = (time_t)due, .tv_nsec = (long)(1e9 * (due - (double)(time_t)due))};
      pthread_cond_timedwait(&writer->changed, &writer->mutex, &until);
    } else
      pthread_cond_wait(&writer->changed, &writer->mutex);
  }
}

static void *run_writer(void *context) {
  TraceWriter *writer = context;
  // A batch thread does not displace the simulation's thread, which wakes it, from its core.
  pthread_setschedparam(pthread_self(), SCHED_BATCH, &(struct sched_param){0});
  trace_silence_hdf5();
  pthread_mutex_lock(&writer->mutex);
  for (;;) {
    wait_for_work(writer);
    bool block = writer->filled > writer->written, end = !block && writer->closing;
    int slot = (int)(writer->written % RING);
    writer->busy = true;
    pthread_mutex_unlock(&writer->mutex);
    if (block)
      write_block(writer, slot);
    if (end || flush_is_due(writer))
      flush(writer);
    if (end)
      return NULL;
    pthread_mutex_lock(&writer->mutex);
    writer->busy = false;
    writer->written += block;
    pthread_cond_signal(&writer->changed);
  }
}

// Its stack size does not depend on that of the process.
static bool create_thread(TraceWriter *writer) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  const bool created = pthread_attr_setstacksize(&attributes, WRITER_STACK) == 0 &&
                       pthread_create(&writer->thread, &attributes, run_writer, writer) == 0;
  pthread_attr_destroy(&attributes);
  return created;
}

// Signals go to the caller's threads, except for those of the writer's own faults. If there is no thread, or if HDF5 is
// not thread-safe and another trace may be read meanwhile, blocks are written by the caller.
static void start(TraceWriter *writer) {
  writer->started = true;
  if (!create_time(writer))
    fail(writer, NULL);
  flush(writer);
  if (!trace_limit_cache(writer->hdf5, writer->channel_count + writer->list_count))
    fail(writer, NULL);
  writer->handed_over = writer->flushed;
  hbool_t thread_safe = false;
  H5is_library_threadsafe(&thread_safe);
  static const int own[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}; // if blocked, they would end the process at once
  sigset_t all, before;
  sigfillset(&all);
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    sigdelset(&all, own[i]);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  writer->threaded = thread_safe && create_thread(writer);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// ---- The simulation's side ----

static void wait_for_space(TraceWriter *writer) {
  pthread_mutex_lock(&writer->mutex);
  while (writer->filled - writer->written >= RING - 1)
    pthread_cond_wait(&writer->changed, &writer->mutex);
  pthread_mutex_unlock(&writer->mutex);
}

static void queue_block(TraceWriter *writer, int slot) {
  if (!writer->threaded) {
    write_block(writer, slot);
    if (flush_is_due(writer))
      flush(writer);
    return;
  }
  pthread_mutex_lock(&writer->mutex);
  writer->filled++;
  pthread_cond_signal(&writer->changed);
  pthread_mutex_unlock(&writer->mutex);
}

// Passes the current block to the writer thread and continues with the next one, once it is free. A block that is not
// full is continued as a copy, whose rows will overwrite those passed on.
static void hand_over(TraceWriter *writer) {
  wait_for_space(writer);
  int slot = writer->slot, next = (slot + 1) % RING;
  Block block = writer->blocks[slot];
  if (block.count == BLOCK_FRAMES)
    writer->blocks[next] = (Block){block.first + BLOCK_FRAMES, 0};
  else {
    writer->blocks[next] = block;
    for (int i = 0; i < writer->channel_count; i++) {
      const Dataset *channel = &writer->channels[i];
      memcpy(channel->frames[next], channel->frames[slot], (size_t)block.count * channel->row_size);
    }
  }
  writer->slot = next;
  writer->handed_over = wall_seconds();
  queue_block(writer, slot);
}

void *trace_row(TraceWriter *writer, int channel) {
  const Dataset *dataset = &writer->channels[channel];
  return dataset->frames[writer->slot] + (size_t)writer->blocks[writer->slot].count * dataset->row_size;
}

void trace_append(TraceWriter *writer, int list, const void *rows, int count) {
  if (count <= 0)
    return;
  const Dataset *dataset = &writer->lists[list];
  ListRows *block = &writer->lists[list].appended[writer->slot];
  size_t size = (size_t)count * dataset->row_size;
  if (block->size + size > block->capacity) {
    size_t capacity = 2 * (block->size + size);
    char *bytes = realloc(block->bytes, capacity);
    if (!bytes) {
      fail(writer, "out of memory");
      return;
    }
    block->bytes = bytes;
    block->capacity = capacity;
  }
  memcpy(block->bytes + block->size, rows, size);
  block->size += size;
}

// Fills with zeros after the text, so that equal runs write equal bytes.
static void copy_name(char to[TRACE_NAME_SIZE], const char from[TRACE_NAME_SIZE]) {
  memcpy(to, from, strnlen(from, TRACE_NAME_SIZE - 1));
}

void trace_append_event(TraceWriter *writer, const TraceEvent *event) {
  TraceEvent row = {.time = event->time};
  copy_name(row.kind, event->kind);
  copy_name(row.character, event->character);
  copy_name(row.part, event->part);
  memcpy(row.point, event->point, sizeof row.point);
  memcpy(row.impulse, event->impulse, sizeof row.impulse);
  trace_append(writer, 0, &row, 1);
}

bool trace_end_frame(TraceWriter *writer, double time) {
  if (!writer->started)
    start(writer);
  Block *block = &writer->blocks[writer->slot];
  ((double *)(void *)writer->channels[0].frames[writer->slot])[block->count] = time;
  if (++block->count == BLOCK_FRAMES || wall_seconds() >= writer->handed_over + HAND_OVER_SECONDS)
    hand_over(writer);
  return !atomic_load(&writer->failed);
}

// ---- The end ----

static void add_metric(TraceWriter *writer, const char *name, const Metric *added) {
  Metric *metrics = realloc(writer->metrics, (size_t)(writer->metric_count + 1) * sizeof *metrics);
  if (!metrics) {
    fail(writer, "out of memory");
    return;
  }
  writer->metrics = metrics;
  Metric *metric = &metrics[writer->metric_count++];
  *metric = *added;
  memcpy(metric->name, name, strnlen(name, TRACE_NAME_SIZE - 1));
}

void trace_metric(TraceWriter *writer, const char *name, double value) {
  add_metric(writer, name, &(Metric){.value = value});
}

void trace_text_metric(TraceWriter *writer, const char *name, const char *text) {
  Metric metric = {.is_text = true};
  memcpy(metric.text, text, strnlen(text, TRACE_NAME_SIZE - 1));
  add_metric(writer, name, &metric);
}

static bool write_status(hid_t hdf5, const char *status) {
  hid_t type = trace_text_type();
  hid_t attribute = H5Aopen_by_name(hdf5, "/", "status", H5P_DEFAULT, H5P_DEFAULT);
  bool ok = H5Awrite(attribute, type, &status) >= 0;
  H5Aclose(attribute);
  H5Tclose(type);
  return ok;
}

static bool write_end(TraceWriter *writer, const char *status) {
  hid_t metrics = H5Gopen2(writer->hdf5, "/metrics", H5P_DEFAULT);
  bool ok = metrics >= 0;
  for (int i = 0; i < writer->metric_count; i++) {
    const Metric *metric = &writer->metrics[i];
    ok = (metric->is_text ? trace_write_text(metrics, metric->name, metric->text)
                          : trace_write_attribute(metrics, metric->name, H5T_NATIVE_DOUBLE, 0, &metric->value)) &&
         ok;
  }
  H5Gclose(metrics);
  return write_status(writer->hdf5, status) && ok;
}

// After a failed write the file is as it was at the last flush. Data after that is removed to make room for a status
// with the cause; if even that cannot be written, the file is left unchanged.
static void tell_failure(TraceWriter *writer) {
  int cause = writer->file.error;
  char status[160];
  snprintf(status, sizeof status, "stopped: the trace cannot be written: %s", strerror(cause));
  writer->hdf5 = trace_reopen_hdf5(&writer->file, writer->path);
  if (writer->hdf5 >= 0) {
    write_status(writer->hdf5, status);
    H5Fclose(writer->hdf5);
  }
  writer->file.error = cause;
}

bool trace_close(TraceWriter *writer, const char *status, Error *error) {
  if (!writer->started)
    start(writer);
  hand_over(writer);
  if (writer->threaded) {
    pthread_mutex_lock(&writer->mutex);
    writer->closing = true;
    pthread_cond_signal(&writer->changed);
    pthread_mutex_unlock(&writer->mutex);
    pthread_join(writer->thread, NULL);
  }
  if (!write_end(writer, status))
    fail(writer, NULL);
  if (H5Fclose(writer->hdf5) < 0)
    fail(writer, NULL);
  if (writer->file.error)
    tell_failure(writer);
  trace_file_close(&writer->file);
  bool ok = !atomic_load(&writer->failed) && !writer->file.error;
  if (!ok)
    set_write_error(writer, error);
  writer_free(writer);
  return ok;
}
