// Finds the axes of a study of responses, and makes its table of doses: medians over sizes, peaks of joints.
#include "scenes/sweep/dose_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/numbers.h"

const DoseMeasureRow dose_measures[DOSE_MEASURES] = {
    {"hit_response_size", "deg", "Mean over joints and time"},
    {"hit_response_peak", "deg", "Largest mean over joints"},
    {"hit_response_peak_time", "s", "Time of the largest mean over joints"},
    {"trunk_response_peak", "deg", "Largest turn of the trunk in the world"},
    {"trunk_response_peak_time", "s", "Time of the largest turn of the trunk"},
    {"head_response_peak", "deg", "Largest turn of the head in the world"},
    {"head_response_peak_time", "s", "Time of the largest turn of the head"},
};

const DoseFigure dose_unknown = {NAN, NAN, NAN, 0};

static const char *const CHOSEN[] = {"head", "chest", "pelvis", "thigh_l", "upper_arm_l"};
enum { CHOSEN_COUNT = sizeof CHOSEN / sizeof CHOSEN[0] };

// ---- The axes ----

// Whether a key is "events.N.WHAT".
static bool is_event_key(const char *key, const char *what) {
  const size_t length = strlen(key), tail = strlen(what);
  return strncmp(key, "events.", 7) == 0 && length > tail && key[length - tail - 1] == '.' &&
         strcmp(key + length - tail, what) == 0;
}

static int find_axis(const StudyDef *study, const char *what) {
  for (int i = 0; i < study->axis_count; i++)
    if (is_event_key(study->axes[i].key, what))
      return i;
  return -1;
}

bool dose_applies(const StudyDef *study) {
  const int part = find_axis(study, "part"), size = find_axis(study, "impulse");
  if (!study->run.responses || part < 0 || size < 0)
    return false;
  for (int i = 0; i < study->axis_count; i++)
    if (study->axes[i].count == 0)
      return false;
  const StudyAxis *parts = &study->axes[part], *sizes = &study->axes[size];
  return parts->count >= 2 && parts->count <= DOSE_MOST_PARTS && sizes->count >= 2 && sizes->count <= DOSE_MOST_SIZES &&
         sizes->is_number;
}

// Trials between two neighbouring values of an axis.
static long axis_stride(const StudyDef *study, int axis) {
  long stride = study->run.repeats;
  for (int i = study->axis_count - 1; i > axis; i--)
    stride *= study->axes[i].count;
  return stride;
}

int dose_axis_value(const StudyDef *study, long trial, int axis) {
  return (int)(trial / axis_stride(study, axis) % study->axes[axis].count);
}

long dose_with_value(const StudyDef *study, long trial, int axis, int value) {
  return trial + (value - dose_axis_value(study, trial, axis)) * axis_stride(study, axis);
}

static double axis_number(const StudyAxis *axis, int value) { return strtod(axis->values[value], NULL); }

bool dose_is_front(const DoseWork *work, long trial) {
  if (work->direction < 0 || !work->dose->has_front)
    return true;
  const StudyAxis *axis = &work->study->axes[work->direction];
  return fabs(remainder(axis_number(axis, dose_axis_value(work->study, trial, work->direction)) - DOSE_FRONT, 360)) <
         1e-6;
}

bool dose_has_size(const DoseWork *work, long trial, int size) {
  return dose_axis_value(work->study, trial, work->size) == work->size_order[size];
}

static void sort_sizes(DoseWork *work) {
  const StudyAxis *axis = &work->study->axes[work->size];
  for (int i = 0; i < axis->count; i++) {
    int place = i;
    for (; place > 0 && axis_number(axis, work->size_order[place - 1]) > axis_number(axis, i); place--)
      work->size_order[place] = work->size_order[place - 1];
    work->size_order[place] = i;
  }
  for (int i = 0; i < axis->count; i++)
    work->dose->sizes[i] = axis_number(axis, work->size_order[i]);
}

static void choose_parts(DoseTable *dose) {
  int found = 0;
  for (int i = 0; i < dose->part_count; i++)
    for (int k = 0; k < CHOSEN_COUNT; k++)
      if (strcmp(dose->parts[i], CHOSEN[k]) == 0) {
        dose->chosen[i] = true;
        found++;
      }
  for (int i = 0; i < dose->part_count && found < CHOSEN_COUNT; i++)
    dose->chosen[i] = true;
}

// The character that is struck: the events name it.
static const CharacterDef *struck_character(const StudyDef *study) {
  const int event = atoi(study->axes[find_axis(study, "part")].key + strlen("events."));
  const SceneDef *scene = study->scene;
  const int target = event >= 0 && event < scene->event_count ? scene->events[event].target : 0;
  return &scene->characters[target];
}

static void describe_axes(DoseWork *work) {
  const StudyDef *study = work->study;
  DoseTable *dose = work->dose;
  work->part = find_axis(study, "part");
  work->size = find_axis(study, "impulse");
  work->direction = find_axis(study, "direction");
  dose->part_axis = &study->axes[work->part];
  dose->size_axis = &study->axes[work->size];
  dose->direction_axis = work->direction >= 0 ? &study->axes[work->direction] : NULL;
  if (work->direction >= 0 && dose->direction_axis->count <= DOSE_MOST_DIRECTIONS)
    dose->direction_count = dose->direction_axis->count;
  dose->part_count = dose->part_axis->count;
  dose->size_count = dose->size_axis->count;
  for (int i = 0; i < dose->part_count; i++)
    dose->parts[i] = dose->part_axis->values[i];
  for (int i = 0; dose->direction_axis && i < dose->direction_axis->count; i++)
    dose->has_front = dose->has_front || fabs(remainder(axis_number(dose->direction_axis, i) - DOSE_FRONT, 360)) < 1e-6;
  const BodyDef *body = struck_character(study)->body;
  dose->joint_count = body->part_count;
  for (int i = 0; i < body->part_count; i++)
    dose->joints[i] = body->parts[i].name;
  sort_sizes(work);
  choose_parts(dose);
}

// ---- The trials ----

long dose_row(const DoseWork *work, long trial) {
  const long row = work->row_of[trial];
  return row >= 0 && strcmp(table_text(work->table, row, work->status), "complete") == 0 ? row : -1;
}

bool dose_response(const DoseWork *work, long trial, int slot, ResponseFrames *frames) {
  return dose_row(work, trial) >= 0 && response_file_read(work->responses, trial, slot, frames);
}

static bool find_rows(DoseWork *work) {
  const long trials = work->study->trial_count;
  work->row_of = malloc((size_t)trials * sizeof *work->row_of);
  work->values = malloc((size_t)trials * sizeof *work->values);
  work->clusters = malloc((size_t)trials * sizeof *work->clusters);
  work->sampler = sampler_create((uint64_t)work->study->run.seed, trials);
  if (!work->row_of || !work->values || !work->clusters || !work->sampler)
    return false;
  for (long i = 0; i < trials; i++)
    work->row_of[i] = -1;
  for (long row = 0; row < work->table->row_count; row++)
    work->row_of[(long)table_number(work->table, row, 0)] = row;
  return true;
}

double dose_response_size(const DoseWork *work, long trial) {
  ResponseFrames frames;
  return dose_response(work, trial, 0, &frames) ? response_size(&frames) / RAD_PER_DEGREE : NAN;
}

// ---- Medians ----

static DoseFigure median_of(const DoseWork *work, long count) {
  const Sample sample = sample_take(work->sampler, work->values, work->clusters, count);
  return (DoseFigure){sample.quartile[1], sample.median.low, sample.median.high, sample.count};
}

// The median of a column over the trials of a part and size; unknown when the study does not keep it.
static DoseFigure measure_cell(const DoseWork *work, int part, int size, int column) {
  const StudyDef *study = work->study;
  long count = 0;
  for (long trial = 0; trial < study->trial_count && column >= 0; trial++) {
    const long row = dose_axis_value(study, trial, work->part) == part && dose_has_size(work, trial, size)
                         ? dose_row(work, trial)
                         : -1;
    if (row < 0)
      continue;
    work->values[count] = table_number(work->table, row, column);
    work->clusters[count++] = trial % study->run.repeats;
  }
  return count > 0 ? median_of(work, count) : dose_unknown;
}

static void measure_all(const DoseWork *work) {
  DoseTable *dose = work->dose;
  for (int m = 0; m < DOSE_MEASURES; m++) {
    char name[TABLE_NAME_SIZE];
    snprintf(name, sizeof name, "%s.%s", struck_character(work->study)->name, dose_measures[m].metric);
    const int column = table_find(work->table, name);
    for (int p = 0; p < dose->part_count; p++)
      for (int s = 0; s < dose->size_count; s++)
        dose->measures[m][p][s] = measure_cell(work, p, s, column);
  }
}

// ---- Peaks of joints ----

// The size nearest to the middle of the range, by factors.
static int middle_size(const DoseTable *dose) {
  const double middle = sqrt(dose->sizes[0] * dose->sizes[dose->size_count - 1]);
  int nearest = 0;
  for (int s = 1; s < dose->size_count; s++)
    if (fabs(log(dose->sizes[s] / middle)) < fabs(log(dose->sizes[nearest] / middle)))
      nearest = s;
  return nearest;
}

static void joint_peak(const ResponseFrames *frames, int joint, double *peak, double *time) {
  *peak = *time = 0;
  for (int f = 0; f < frames->frame_count; f++) {
    const double angle = response_joint_angle(frames, f, joint) / RAD_PER_DEGREE;
    if (angle > *peak) {
      *peak = angle;
      *time = (f + 1) / HIT_RESPONSE_RATE;
    }
  }
}

static bool measure_joints(const DoseWork *work) {
  DoseTable *dose = work->dose;
  const StudyDef *study = work->study;
  const long trials = study->trial_count / dose->part_count / dose->size_count; // of a part and size
  const size_t most = (size_t)trials * (size_t)dose->joint_count;
  double *peaks = malloc(most * sizeof *peaks), *times = malloc(most * sizeof *times);
  const bool good = peaks && times;
  dose->shown_size = middle_size(dose);
  for (int p = 0; p < dose->part_count && good; p++) {
    long count = 0;
    for (long trial = 0; trial < study->trial_count; trial++) {
      ResponseFrames frames;
      if (dose_axis_value(study, trial, work->part) != p || !dose_has_size(work, trial, dose->shown_size) ||
          !dose_response(work, trial, 0, &frames) || frames.joint_count != dose->joint_count)
        continue;
      for (int j = 0; j < dose->joint_count; j++)
        joint_peak(&frames, j, &peaks[j * trials + count], &times[j * trials + count]);
      count++;
    }
    for (int j = 0; j < dose->joint_count; j++) {
      dose->joint_peak[p][j] = sample_take(work->sampler, &peaks[j * trials], NULL, count).quartile[1];
      dose->joint_peak_time[p][j] = sample_take(work->sampler, &times[j * trials], NULL, count).quartile[1];
    }
  }
  free(peaks);
  free(times);
  return good;
}

// ---- The table ----

DoseTable *dose_create(const StudyDef *study, const Table *table, ResponseFile *responses, Error *error) {
  DoseWork work = {.dose = calloc(1, sizeof *work.dose),
                   .study = study,
                   .table = table,
                   .responses = responses,
                   .status = table_find(table, "status")};
  bool good = work.dose != NULL;
  if (good) {
    describe_axes(&work);
    good = find_rows(&work);
  }
  if (good) {
    measure_all(&work);
    good = measure_joints(&work) && dose_compare_sizes(&work) && dose_compare_parts(&work);
  }
  free(work.row_of);
  free(work.values);
  free(work.clusters);
  sampler_destroy(work.sampler);
  if (good)
    return work.dose;
  dose_destroy(work.dose);
  error_set(error, "out of memory");
  return NULL;
}

void dose_destroy(DoseTable *dose) { free(dose); }
