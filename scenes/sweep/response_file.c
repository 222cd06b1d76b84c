// Writes and reads the records of responses.bin.
#include "scenes/sweep/response_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenes/sweep/sweep_folder.h"

enum { HEAD = 4, MISSING = INT16_MIN, SLOTS = 2 };

struct ResponseFile {
  int file; // descriptor
  int joints;
  size_t size; // numbers of a record
  int16_t *record;
  float *frames[SLOTS];
  const Table *table; // of the block
  const char *names[BODY_MAX_PARTS];
};

// The body with the most joints, whose records all are as long as.
static const BodyDef *longest_body(const StudyDef *study) {
  const BodyDef *longest = study->scene->characters[0].body;
  for (int i = 1; i < study->scene->character_count; i++)
    if (study->scene->characters[i].body->part_count > longest->part_count)
      longest = study->scene->characters[i].body;
  return longest;
}

static size_t record_size(int joints) { return HEAD + (size_t)HIT_RESPONSE_FRAMES * (size_t)joints * 3; }

static void open_path(const char *folder, char path[SWEEP_PATH_SIZE]) {
  sweep_folder_path(folder, "responses.bin", path);
}

// ---- Writing ----

static void fill_record(int16_t *record, const HitResponse *response, int joints) {
  record[0] = (int16_t)response->frame_count;
  record[1] = (int16_t)response->joint_count;
  record[2] = (int16_t)response->character;
  record[3] = (int16_t)response->part;
  for (int f = 0; f < response->frame_count; f++)
    for (int i = 0; i < response->joint_count; i++)
      for (int k = 0; k < 3; k++)
        record[HEAD + (f * joints + i) * 3 + k] = (int16_t)lround((double)response->rotation[f][i][k] / RESPONSE_UNIT);
}

bool response_file_write(const char *folder, const StudyDef *study, long trial, const HitResponse *response) {
  const int joints = longest_body(study)->part_count;
  const size_t bytes = record_size(joints) * sizeof(int16_t);
  char path[SWEEP_PATH_SIZE];
  open_path(folder, path);
  int16_t *record = calloc(1, bytes);
  const int file = record ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
  bool good = file >= 0;
  if (good) {
    fill_record(record, response, joints);
    good = pwrite(file, record, bytes, (off_t)bytes * trial) == (ssize_t)bytes;
    good = (fdatasync(file) == 0 || errno == EINVAL || errno == ENOSYS) && good;
    good = close(file) == 0 && good;
  }
  free(record);
  return good;
}

// ---- Reading ----

ResponseFile *response_file_open(const char *folder, const StudyDef *study, Error *error) {
  char path[SWEEP_PATH_SIZE];
  open_path(folder, path);
  ResponseFile *file = calloc(1, sizeof *file);
  if (!file) {
    error_set(error, "%s: out of memory", path);
    return NULL;
  }
  const BodyDef *body = longest_body(study);
  file->joints = body->part_count;
  file->size = record_size(file->joints);
  file->record = malloc(file->size * sizeof *file->record);
  bool good = file->record != NULL;
  for (int i = 0; i < SLOTS; i++)
    good = (file->frames[i] = malloc(file->size * sizeof *file->frames[i])) && good;
  for (int i = 0; i < file->joints; i++)
    file->names[i] = body->parts[i].name;
  file->file = good ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file->file >= 0)
    return file;
  error_set(error, "%s: %s", path, good ? strerror(errno) : "out of memory");
  response_file_close(file);
  return NULL;
}

void response_file_close(ResponseFile *file) {
  if (!file)
    return;
  if (file->file >= 0)
    close(file->file);
  for (int i = 0; i < SLOTS; i++)
    free(file->frames[i]);
  free(file->record);
  free(file);
}

// Reads a trial's record. False: there is none, or it cannot be one.
static bool read_record(ResponseFile *file, long trial) {
  const size_t bytes = file->size * sizeof *file->record;
  return pread(file->file, file->record, bytes, (off_t)bytes * trial) == (ssize_t)bytes && file->record[0] >= 0 &&
         file->record[0] <= HIT_RESPONSE_FRAMES && file->record[1] >= 0 && file->record[1] <= file->joints;
}

bool response_file_read(ResponseFile *file, long trial, int slot, ResponseFrames *frames) {
  if (!read_record(file, trial) || file->record[0] < HIT_RESPONSE_FRAMES)
    return false;
  float *values = file->frames[slot];
  for (size_t i = 0; i < file->size - HEAD; i++)
    values[i] = (float)(file->record[HEAD + i] * RESPONSE_UNIT);
  *frames = (ResponseFrames){
      .frame_count = file->record[0], .joint_count = file->record[1], .rotation = values, .stride = 3 * file->joints};
  return true;
}

static bool read_row(void *context, long row, int16_t *values) {
  ResponseFile *file = context;
  const bool known = read_record(file, (long)table_number(file->table, row, 0));
  for (int f = 0; f < HIT_RESPONSE_FRAMES; f++)
    for (int i = 0; i < 3 * file->joints; i++) {
      const bool there = known && f < file->record[0] && i < 3 * file->record[1];
      *values++ = there ? file->record[HEAD + f * 3 * file->joints + i] : MISSING;
    }
  return true;
}

HdfBlock response_file_block(ResponseFile *file, const Table *table) {
  file->table = table;
  return (HdfBlock){.name = "responses",
                    .unit = "rad",
                    .doc =
                        "Rotation vector from the shown rotation of a joint in the run without the first hit to that "
                        "in the run with it: [trial][frame][joint][3], frames 1/60 to 0.8 s after the hit; joint 0 is "
                        "the root in the world; -32768: missing.",
                    .scale = RESPONSE_UNIT,
                    .rank = 3,
                    .dims = {HIT_RESPONSE_FRAMES, file->joints, 3},
                    .labels = file->names,
                    .label_dim = 1,
                    .context = file,
                    .read = read_row};
}
