// The checkpoint of a training: all that a run needs to go on as if it had not been stopped.
#include "scenes/train/skill_train_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "anim/planner/policy.h"
#include "scenes/output/output_file.h"
#include "scenes/sweep/mpi_link.h"

// The beginning of a checkpoint's file.
#define CHECKPOINT_MARK "Stagger skill 1"
typedef struct CheckpointHead {
  char mark[16];
  int64_t stage;
} CheckpointHead;

// The training between two iterations: a run that is continued from here is the same to the bit as one without a stop.
static void training_state(TrainingRun *training, StateStream *stream) {
  state_section(stream, "training", 3);
  state_same(stream, (long)policy_hash(training->file->bytes, training->file->size), "the skill's description");
  state_same(stream, training->def.seed, "the seed");
  STATE(stream, training->samples, training->samples_before, training->decisions, training->failures,
        training->reward_sum, training->task.assist, training->task.hit_share);
  double minutes = skill_train_minutes(training);
  state_bytes(stream, &minutes, sizeof minutes);
  if (state_restores(stream))
    training->minutes_before = minutes;
  state_array(stream, &training->points, &training->point_count, &training->point_capacity, sizeof *training->points);
  learner_state(training->learner, stream);
}

// Name of the file beside the result. The caller frees it.
static char *checkpoint_path(const TrainingRun *training) {
  size_t size = strlen(training->options->out) + sizeof ".checkpoint";
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s.checkpoint", training->options->out);
  return path;
}

bool skill_train_write_checkpoint(TrainingRun *training, Error *error) {
  StateStream count = state_stream_count();
  training_state(training, &count);
  size_t size = sizeof(CheckpointHead) + count.at;
  char *path = checkpoint_path(training), *bytes = malloc(size);
  bool good = path && bytes;
  if (good) {
    CheckpointHead head = {CHECKPOINT_MARK, training->stage};
    memcpy(bytes, &head, sizeof head);
    StateStream save = state_stream_save(bytes + sizeof head, count.at, error);
    training_state(training, &save);
    good = !save.failed && output_write(path, bytes, size, error);
  } else {
    error_set(error, "no memory for a checkpoint");
  }
  free(path);
  free(bytes);
  return good;
}

// Reads the checkpoint, if there is one: `bytes`, which the caller frees, are NULL where nothing has been written yet.
// A result without a checkpoint is of a training that is done, and stays.
static bool load_checkpoint(const TrainingRun *training, char **bytes, size_t *size, Error *error) {
  FileSet files = {0};
  char *path = checkpoint_path(training), *full = path ? realpath(path, NULL) : NULL;
  const File *file = full ? files_read(&files, full, error) : NULL;
  const char *out = training->options->out;
  bool good = !full || file;
  if (!full && access(out, F_OK) == 0)
    good = error_set(error, "%s: is complete, there is no %s.checkpoint to go on from; without --resume it begins anew",
                     out, out);
  if (file) {
    *size = file->size;
    *bytes = malloc(file->size + 1);
    if (*bytes)
      memcpy(*bytes, file->bytes, file->size);
    else
      good = error_set(error, "no memory for %s", path);
  }
  files_free(&files);
  free(full);
  free(path);
  return good;
}

// Continues from a checkpoint.
static bool restore_checkpoint(TrainingRun *training, const char *bytes, size_t size, Error *error) {
  CheckpointHead head = {0};
  Error cause = {0};
  const bool whole = bytes && size >= sizeof head;
  if (whole)
    memcpy(&head, bytes, sizeof head);
  if (!whole || memcmp(head.mark, CHECKPOINT_MARK, sizeof head.mark) != 0 || head.stage < 0 ||
      head.stage >= training->stage_count)
    return error_set(error, "%s.checkpoint: is not a checkpoint of this training", training->options->out);
  training->stage = (int)head.stage;
  if (!skill_train_begin_stage(training, error))
    return false;
  StateStream restore = state_stream_restore(bytes + sizeof head, size - sizeof head, &cause);
  training_state(training, &restore);
  training->resumed = !restore.failed;
  return training->resumed || error_set(error, "%s.checkpoint: %s", training->options->out, cause.text);
}

// All ranks continue from the checkpoint that rank 0 has, or begin where nothing has been written yet.
bool skill_train_read_checkpoint(TrainingRun *training, Error *error) {
  Error mine = {0};
  char *bytes = NULL;
  size_t size = 0;
  if (link_rank() == 0)
    load_checkpoint(training, &bytes, &size, &mine);
  bool there = bytes != NULL;
  link_share(0, &there, sizeof there);
  link_share(0, &size, sizeof size);
  if (there && !bytes && !(bytes = malloc(size + 1)))
    error_set(&mine, "no memory for a checkpoint");
  bool good = link_agree(&mine, error);
  if (good && there) {
    link_share(0, bytes, size);
    restore_checkpoint(training, bytes, size, &mine);
    good = link_agree(&mine, error);
  }
  free(bytes);
  return good;
}

void skill_train_remove_checkpoint(const TrainingRun *training) {
  char *path = checkpoint_path(training);
  if (path)
    unlink(path);
  free(path);
}
