// Motions of files that contain no skeleton, but belong to a known one: of DeepMimic (Peng et al. 2018, .json) and of
// AMASS (Mahmood et al. 2019, .npz of SMPL, SMPL-H or SMPL-X).
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/motion/motion_internal.h"
#include "anim/motion/npz.h"
#include "anim/motion/smpl.h"
#include "anim/pose.h"

// Places of the joints of DeepMimic's figures, from its files data/characters/humanoid3d.txt and dog3d.txt; x ahead, y
// up, z to the right. The tips of head, hands and feet are those of the shapes there.
static const TableJoint humanoid[] = {
    {"root", -1, 4, {0, 0, 0}},
    {"chest", 0, 4, {0, 0.236151f, 0}},
    {"neck", 1, 4, {0, 0.223894f, 0}},
    {"right_hip", 0, 4, {0, 0, 0.084887f}},
    {"right_knee", 3, 1, {0, -0.421546f, 0}},
    {"right_ankle", 4, 4, {0, -0.40987f, 0}},
    {"right_shoulder", 1, 4, {-0.02405f, 0.2435f, 0.18311f}},
    {"right_elbow", 6, 1, {0, -0.274788f, 0}},
    {"right_wrist", 7, 0, {0, -0.258947f, 0}},
    {"left_hip", 0, 4, {0, 0, -0.084887f}},
    {"left_knee", 9, 1, {0, -0.421546f, 0}},
    {"left_ankle", 10, 4, {0, -0.40987f, 0}},
    {"left_shoulder", 1, 4, {-0.02405f, 0.2435f, -0.18311f}},
    {"left_elbow", 12, 1, {0, -0.274788f, 0}},
    {"left_wrist", 13, 0, {0, -0.258947f, 0}},
    {"head", 2, 0, {0, 0.175f, 0}},
    {"right_toes", 5, 0, {0.13f, -0.05f, 0}},
    {"left_toes", 11, 0, {0.13f, -0.05f, 0}},
};

static const TableJoint dog[] = {
    {"root", -1, 4, {0, 0, 0}},
    {"spine0", 0, 4, {0, 0, 0}},
    {"spine1", 1, 4, {0.2375f, 0, 0}},
    {"neck", 2, 4, {0.28135f, 0, 0}},
    {"head", 3, 4, {0.175f, 0, 0}},
    {"left_shoulder", 2, 4, {0.304074f, -0.109983f, -0.106071f}},
    {"left_forearm", 5, 1, {0, -0.19f, 0}},
    {"left_hand", 6, 4, {0, -0.2225f, 0}},
    {"left_finger", 7, 4, {0, -0.09f, 0}},
    {"right_shoulder", 2, 4, {0.304074f, -0.109983f, 0.106071f}},
    {"right_forearm", 9, 1, {0, -0.19f, 0}},
    {"right_hand", 10, 4, {0, -0.2225f, 0}},
    {"right_finger", 11, 4, {0, -0.09f, 0}},
    {"left_upper_leg", 0, 4, {-0.074803f, -0.095825f, -0.05986f}},
    {"left_leg", 13, 1, {0, -0.2f, 0}},
    {"left_foot", 14, 4, {0, -0.225f, 0}},
    {"left_toe", 15, 4, {0, -0.135f, 0}},
    {"right_upper_leg", 0, 4, {-0.074803f, -0.095825f, 0.05986f}},
    {"right_leg", 17, 1, {0, -0.2f, 0}},
    {"right_foot", 18, 4, {0, -0.225f, 0}},
    {"right_toe", 19, 4, {0, -0.135f, 0}},
    {"tail0", 0, 4, {-0.086f, 0, 0}},
    {"tail1", 21, 4, {-0.2f, 0, 0}},
};

const TableJoint smpl_joints[SMPL_JOINTS] = {
    {"Pelvis", -1, 3, {0, 0, 0}},
    {"L_Hip", 0, 3, {0.07f, -0.09f, 0}},
    {"R_Hip", 0, 3, {-0.07f, -0.09f, 0}},
    {"Spine1", 0, 3, {0, 0.11f, -0.03f}},
    {"L_Knee", 1, 3, {0.03f, -0.38f, 0}},
    {"R_Knee", 2, 3, {-0.03f, -0.38f, 0}},
    {"Spine2", 3, 3, {0, 0.14f, 0}},
    {"L_Ankle", 4, 3, {-0.01f, -0.4f, -0.04f}},
    {"R_Ankle", 5, 3, {0.01f, -0.4f, -0.04f}},
    {"Spine3", 6, 3, {0, 0.05f, 0.03f}},
    {"L_Foot", 7, 3, {0.03f, -0.05f, 0.12f}},
    {"R_Foot", 8, 3, {-0.03f, -0.05f, 0.12f}},
    {"Neck", 9, 3, {0, 0.21f, -0.04f}},
    {"L_Collar", 9, 3, {0.08f, 0.12f, -0.04f}},
    {"R_Collar", 9, 3, {-0.08f, 0.12f, -0.04f}},
    {"Head", 12, 3, {0, 0.07f, 0.05f}},
    {"L_Shoulder", 13, 3, {0.09f, 0.03f, -0.01f}},
    {"R_Shoulder", 14, 3, {-0.09f, 0.03f, -0.01f}},
    {"L_Elbow", 16, 3, {0.26f, -0.01f, -0.03f}},
    {"R_Elbow", 17, 3, {-0.26f, -0.01f, -0.03f}},
    {"L_Wrist", 18, 3, {0.25f, 0.01f, 0}},
    {"R_Wrist", 19, 3, {-0.25f, 0.01f, 0}},
    {"L_Hand", 20, 0, {0.08f, -0.01f, -0.01f}},
    {"R_Hand", 21, 0, {-0.08f, -0.01f, -0.01f}},
};

typedef struct Table {
  const char *name;
  const TableJoint *joints;
  int joint_count;
} Table;

static const Table HUMANOID = {"humanoid3d", humanoid, sizeof humanoid / sizeof humanoid[0]},
                   DOG = {"dog3d", dog, sizeof dog / sizeof dog[0]}, SMPL = {"SMPL", smpl_joints, SMPL_JOINTS};

static int table_values(const Table *table) {
  int count = 0;
  for (int i = 0; i < table->joint_count; i++)
    count += table->joints[i].values;
  return count;
}

// A motion of that skeleton in its rest pose in all frames. NULL: no memory, or too long.
static Motion *motion_of_table(const Table *table, size_t frames, const char *format) {
  if (!motion_fits((double)frames, table->joint_count))
    return NULL;
  Motion *motion = calloc(1, sizeof *motion);
  const size_t joints = (size_t)table->joint_count, samples = frames * joints;
  if (!motion)
    return NULL;
  motion->joint_count = table->joint_count;
  motion->frame_count = (int)frames;
  snprintf(motion->format, sizeof motion->format, "%s", format);
  motion->joints = calloc(joints, sizeof *motion->joints);
  motion->position_l = calloc(samples, sizeof *motion->position_l);
  motion->rotation_l = calloc(samples, sizeof *motion->rotation_l);
  if (!motion->joints || !motion->position_l || !motion->rotation_l) {
    motion_free(motion);
    return NULL;
  }
  for (size_t j = 0; j < joints; j++) {
    const TableJoint *from = &table->joints[j];
    MotionJoint *to = &motion->joints[j];
    snprintf(to->name, sizeof to->name, "%s", from->name);
    to->parent = from->parent;
    to->bind_position_l = (vec3s){{from->offset[0], from->offset[1], from->offset[2]}};
    to->bind_rotation_l = glms_quat_identity();
  }
  for (size_t i = 0; i < samples; i++) {
    motion->position_l[i] = motion->joints[i % joints].bind_position_l;
    motion->rotation_l[i] = glms_quat_identity();
  }
  return motion;
}

// ---- DeepMimic ----

enum { FRAME_TIME = 0, ROOT_POSITION = 1, ROTATIONS = 4 }; // places in a frame's list

static bool frame_fail(const File *file, int frame, const char *cause, Error *error) {
  return error_at(error, file->name, 0, 0, "frame %d %s", frame + 1, cause);
}

static const Table *table_for(const File *file, const cJSON *frame, Error *error) {
  const int count = cJSON_GetArraySize(frame);
  const Table *tables[] = {&HUMANOID, &DOG};
  for (int t = 0; cJSON_IsArray(frame) && t < 2; t++)
    if (count == ROTATIONS + table_values(tables[t]))
      return tables[t];
  error_at(error, file->name, 0, 0,
           "frame 1 has %d numbers; known are DeepMimic's humanoid3d with %d and dog3d with %d", count,
           ROTATIONS + table_values(&HUMANOID), ROTATIONS + table_values(&DOG));
  return NULL;
}

// Copies a frame's numbers; they must be as many as the first frame's, and finite.
static bool frame_numbers(const File *file, const cJSON *list, int frame, int count, double *numbers, Error *error) {
  if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != count)
    return frame_fail(file, frame, "is no list of as many numbers as the first", error);
  int i = 0;
  for (const cJSON *item = list->child; item; item = item->next) {
    if (!cJSON_IsNumber(item) || !(fabs(item->valuedouble) < 1e6))
      return frame_fail(file, frame, "has something that is no number below 1e6", error);
    numbers[i++] = item->valuedouble;
  }
  return numbers[FRAME_TIME] >= 0 || frame_fail(file, frame, "has a negative duration", error);
}

static bool fill_frame(const File *file, const Table *table, int frame, const double *numbers, Motion *motion,
                       Error *error) {
  versors *rotations = motion->rotation_l + (size_t)frame * (size_t)motion->joint_count;
  const double *value = numbers + ROTATIONS;
  motion->position_l[(size_t)frame * (size_t)motion->joint_count] =
      (vec3s){{(float)numbers[ROOT_POSITION], (float)numbers[ROOT_POSITION + 1], (float)numbers[ROOT_POSITION + 2]}};
  for (int j = 0; j < table->joint_count; value += table->joints[j].values, j++) {
    if (table->joints[j].values == 1)
      rotations[j] = quat_exp((vec3s){{0, 0, (float)value[0]}});
    if (table->joints[j].values != 4)
      continue;
    const versors q = {{(float)value[1], (float)value[2], (float)value[3], (float)value[0]}};
    if (!(fabsf(glms_quat_norm(q) - 1) < 0.1f))
      return frame_fail(file, frame, "has a rotation that is no unit quaternion", error);
    rotations[j] = glms_quat_normalize(q);
  }
  return true;
}

static Motion *read_frames(const File *file, const cJSON *frames, Error *error) {
  const int count = cJSON_GetArraySize(frames);
  const Table *table = table_for(file, frames->child, error);
  Motion *motion = table ? motion_of_table(table, (size_t)count, "DeepMimic") : NULL;
  if (!motion) {
    if (table)
      error_at(error, file->name, 0, 0, "%d frames are too many, or memory is short", count);
    return NULL;
  }
  double numbers[128] = {0}, duration = 0, shortest = HUGE_VAL, longest = 0;
  int frame = 0;
  bool good = true;
  for (const cJSON *item = frames->child; item && good; item = item->next, frame++) {
    good = frame_numbers(file, item, frame, ROTATIONS + table_values(table), numbers, error) &&
           fill_frame(file, table, frame, numbers, motion, error);
    if (!good || !item->next) // the last frame's time is that to the first one of a loop
      continue;
    duration += numbers[FRAME_TIME];
    shortest = fmin(shortest, numbers[FRAME_TIME]);
    longest = fmax(longest, numbers[FRAME_TIME]);
  }
  if (good && count > 1 && !(duration > 1e-4 * count))
    good = error_at(error, file->name, 0, 0, "its frames last %g s in all", duration);
  if (!good) {
    motion_free(motion);
    return NULL;
  }
  motion->frame_rate = count > 1 ? (count - 1) / duration : 30;
  if (longest > 1.05 * shortest)
    motion_warn(motion, "The frames last from %.4g to %.4g s: they are read as equally long.", shortest, longest);
  return motion;
}

Motion *motion_from_deepmimic(const File *file, MotionSource *source, Error *error) {
  cJSON *document = cJSON_ParseWithLength(file->bytes, file->size);
  const cJSON *frames = cJSON_GetObjectItemCaseSensitive(document, "Frames");
  Motion *motion = NULL;
  if (!document)
    error_at(error, file->name, 0, 0, "not a JSON file");
  else if (!cJSON_IsArray(frames) || cJSON_GetArraySize(frames) == 0)
    error_at(error, file->name, 0, 0, "no motion of DeepMimic: it has no list 'Frames'");
  else
    motion = read_frames(file, frames, error);
  const char *loop = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(document, "Loop"));
  if (motion && loop)
    motion->repeats = strcmp(loop, "wrap") == 0 ? 1 : strcmp(loop, "none") == 0 ? -1 : 0;
  cJSON_Delete(document);
  *source = (MotionSource){.declared_unit = 1, .declared_up = MOTION_UP_Y, .has_animation = motion != NULL};
  if (motion)
    snprintf(motion->name, sizeof motion->name, "Motion");
  return motion;
}

// ---- AMASS ----

static bool read_rate(const File *file, double *rate, Error *error) {
  static const char *const names[] = {"mocap_framerate", "mocap_frame_rate"};
  const char *name = npz_has(file, names[0]) ? names[0] : names[1];
  NpzArray array;
  if (!npz_read(file, name, &array, error))
    return false;
  *rate = array.count == 1 ? array.values[0] : 0;
  npz_free(&array);
  return (*rate >= 1 && *rate <= 10000) ||
         error_at(error, file->name, 0, 0, "array '%s' is no rate from 1 to 10000 Hz", name);
}

static bool is_table(const NpzArray *array, size_t rows, size_t least, size_t most) {
  return array->rank == 2 && array->shape[0] > 0 && (rows == 0 || array->shape[0] == rows) &&
         array->shape[1] >= least && array->shape[1] <= most;
}

static Motion *fill_amass(const File *file, const NpzArray *poses, const NpzArray *way, Error *error) {
  const size_t width = (size_t)table_values(&SMPL);
  if (!is_table(poses, 0, width, 1000)) {
    error_at(error, file->name, 0, 0, "array 'poses' has no rows of %zu or more numbers, the angles of SMPL's joints",
             width);
    return NULL;
  }
  if (!is_table(way, poses->shape[0], 3, 3)) {
    error_at(error, file->name, 0, 0, "array 'trans' has no row of 3 numbers for each of the %zu rows of 'poses'",
             poses->shape[0]);
    return NULL;
  }
  Motion *motion = motion_of_table(&SMPL, poses->shape[0], "AMASS");
  if (!motion) {
    error_at(error, file->name, 0, 0, "%zu frames are too many, or memory is short", poses->shape[0]);
    return NULL;
  }
  for (size_t f = 0; f < poses->shape[0]; f++) {
    const double *at = way->values + 3 * f, *angles = poses->values + poses->shape[1] * f;
    const size_t first = f * (size_t)motion->joint_count;
    motion->position_l[first] = (vec3s){{(float)at[0], (float)at[1], (float)at[2]}};
    for (int j = 0; j < SMPL.joint_count; angles += SMPL.joints[j].values, j++)
      if (SMPL.joints[j].values == 3)
        motion->rotation_l[first + (size_t)j] =
            quat_exp((vec3s){{(float)remainder(angles[0], 4 * M_PI), (float)remainder(angles[1], 4 * M_PI),
                              (float)remainder(angles[2], 4 * M_PI)}});
  }
  return motion;
}

Motion *motion_from_amass(const File *file, MotionSource *source, Error *error) {
  NpzArray poses = {0}, way = {0};
  double rate = 0;
  Motion *motion = NULL;
  if (read_rate(file, &rate, error) && npz_read(file, "poses", &poses, error) && npz_read(file, "trans", &way, error))
    motion = fill_amass(file, &poses, &way, error);
  npz_free(&poses);
  npz_free(&way);
  *source = (MotionSource){.declared_unit = 1, .declared_up = MOTION_UP_Z, .has_animation = motion != NULL};
  if (motion) {
    motion->frame_rate = rate;
    snprintf(motion->name, sizeof motion->name, "Motion");
  }
  return motion;
}
