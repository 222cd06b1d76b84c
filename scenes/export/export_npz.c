// NumPy's archives, .npz: each array by its name.
//
//   time [frame] s, frame_rate Hz, scene, character, pose_name ("output"), stagger_version
//   joint_names [joint], joint_parents [joint] (-1: the root)
//   joint_rotations [frame, joint, 4]  quaternions x y z w, the root's in the world, others in their parent's frame
//   marker_names [marker], marker_positions [frame, marker, 3]  m, world; the first are the joints (trace_markers.h)
//   angle_names [angle], angles [frame, angle]  rad, as in .sto (joint_angles.h)
//
// They are in Stagger's frame: x left, y up, z forward. Of a human body the file is one of AMASS as well, z up, by the
// arrays poses [frame, 156], trans [frame, 3], betas [16] (zero), gender and mocap_framerate: see smpl_pose.h.
#include <stdlib.h>
#include <string.h>

#include "anim/motion/npz.h"
#include "scenes/export/export.h"
#include "scenes/export/joint_angles.h"
#include "scenes/export/round_trip.h"
#include "scenes/export/smpl_pose.h"
#include "scenes/export/trace_markers.h"

enum { MOST_ARRAYS = 10, BETAS = 16 };

// An array of numbers in the file.
typedef struct Numbers {
  const char *name, *type;
  int rank;
  size_t shape[3];
  const void *values;
} Numbers;

typedef struct NpzExport {
  TraceMarkers markers;
  JointAngles angles;
  double *angle_values; // [frame_count * angles.count]
  bool is_smpl;
  float *poses, *trans; // [frame_count * SMPL_POSE_SIZE], [frame_count * 3]; NULL for other bodies
  Numbers arrays[MOST_ARRAYS];
  int array_count;
} NpzExport;

// ---- Values ----

static bool measure(NpzExport *export) {
  const TraceMotion *motion = export->markers.motion;
  const size_t frames = (size_t)motion->frame_count;
  joint_angles_init(&export->angles, motion->body);
  export->angle_values = malloc(frames * (size_t) export->angles.count * sizeof *export->angle_values);
  export->is_smpl = smpl_pose_fits(motion->body);
  export->poses = export->is_smpl ? malloc(frames * SMPL_POSE_SIZE * sizeof *export->poses) : NULL;
  export->trans = export->is_smpl ? malloc(frames * 3 * sizeof *export->trans) : NULL;
  if (!export->angle_values || (export->is_smpl && (!export->poses || !export->trans)))
    return false;
  joint_angles_measure(&export->angles, motion, NULL, export->angle_values, (size_t) export->angles.count);
  for (int f = 0; export->is_smpl && f < motion->frame_count; f++)
    smpl_pose_of(motion, f, &export->trans[3 * (size_t)f], &export->poses[SMPL_POSE_SIZE * (size_t)f]);
  return true;
}

// A length of 0 ends the shape.
static void add(NpzExport *export, const char *name, const char *type, const void *values, size_t first, size_t second,
                size_t third) {
  const int rank = (first > 0) + (second > 0) + (third > 0);
  export->arrays[export->array_count++] = (Numbers){name, type, rank, {first, second, third}, values};
}

static void add_all(NpzExport *export) {
  static const float no_betas[BETAS];
  const TraceMotion *motion = export->markers.motion;
  const size_t frames = (size_t)motion->frame_count, joints = (size_t)motion->joint_count;
  add(export, "time", "<f8", motion->time, frames, 0, 0);
  add(export, "frame_rate", "<f8", &motion->frame_rate, 0, 0, 0);
  add(export, "joint_parents", "<i4", motion->body->skeleton.parent, joints, 0, 0);
  add(export, "joint_rotations", "<f4", motion->rotation, frames, joints, 4);
  add(export, "marker_positions", "<f4", export->markers.places, frames, (size_t) export->markers.count, 3);
  add(export, "angles", "<f8", export->angle_values, frames, (size_t) export->angles.count, 0);
  if (!export->is_smpl)
    return;
  add(export, "poses", "<f4", export->poses, frames, SMPL_POSE_SIZE, 0);
  add(export, "trans", "<f4", export->trans, frames, 3, 0);
  add(export, "betas", "<f4", no_betas, BETAS, 0, 0);
  add(export, "mocap_framerate", "<f8", &motion->frame_rate, 0, 0, 0);
}

// ---- Writing ----

static void put_names(const NpzExport *export, NpzWriter *writer) {
  const Skeleton *skeleton = &export->markers.motion->body->skeleton;
  const char *names[ANGLES_MAX + MARKERS_MAX];
  for (int j = 0; j < skeleton->count; j++)
    names[j] = skeleton->names[j];
  npz_put_texts(writer, "joint_names", (size_t)skeleton->count, names);
  for (int m = 0; m < export->markers.count; m++)
    names[m] = export->markers.markers[m].name;
  npz_put_texts(writer, "marker_names", (size_t) export->markers.count, names);
  for (int i = 0; i < export->angles.count; i++)
    names[i] = export->angles.names[i];
  npz_put_texts(writer, "angle_names", (size_t) export->angles.count, names);
}

// The version comes first: by it an older file is known as one of Stagger.
static void put_all(const NpzExport *export, const char *scene, NpzWriter *writer) {
  const TraceMotion *motion = export->markers.motion;
  npz_put_text(writer, "stagger_version", STAGGER_VERSION);
  npz_put_text(writer, "scene", scene);
  npz_put_text(writer, "character", motion->character);
  npz_put_text(writer, "pose_name", trace_pose_names[motion->pose]);
  put_names(export, writer);
  for (int i = 0; i < export->array_count; i++) {
    const Numbers *numbers = &export->arrays[i];
    npz_put(writer, numbers->name, numbers->type, numbers->rank, numbers->shape, numbers->values);
  }
  if (export->is_smpl)
    npz_put_text(writer, "gender", "neutral");
}

// ---- Reading back ----

static double value_at(const Numbers *numbers, size_t i) {
  if (strcmp(numbers->type, "<f4") == 0)
    return (double)((const float *)numbers->values)[i];
  return strcmp(numbers->type, "<f8") == 0 ? ((const double *)numbers->values)[i] : ((const int *)numbers->values)[i];
}

// Adds the array's numbers, and those that differ.
static bool compare(const Numbers *numbers, const File *file, long *count, long *differences, Error *error) {
  NpzArray array;
  if (!npz_read(file, numbers->name, &array, error))
    return false;
  bool same_shape = array.rank == numbers->rank;
  for (int i = 0; same_shape && i < array.rank; i++)
    same_shape = array.shape[i] == numbers->shape[i];
  for (size_t i = 0; i < array.count; i++)
    *differences += !same_shape || !text_same_float64(array.values[i], value_at(numbers, i));
  *count += (long)array.count;
  npz_free(&array);
  return true;
}

static void tell(const NpzExport *export, ExportResult *result) {
  const TraceMotion *motion = export->markers.motion;
  char name[] = "export.npz";
  const File file = {.name = name, .path = name, .bytes = result->bytes, .size = result->size};
  long count = 0, differences = 0;
  Error problem = {0};
  for (int i = 0; i < export->array_count && problem.text[0] == '\0'; i++)
    compare(&export->arrays[i], &file, &count, &differences, &problem);
  if (problem.text[0] != '\0')
    round_trip_tell(NULL, &problem, result->round_trip, sizeof result->round_trip);
  else
    round_trip_tell_bits(count, differences, result->round_trip, sizeof result->round_trip);
  snprintf(result->contents, sizeof result->contents,
           "%s, %s pose, %d frames at %.6g Hz, %d joints, %d markers, %d angles%s", motion->character,
           trace_pose_names[motion->pose], motion->frame_count, motion->frame_rate, motion->joint_count,
           export->markers.count, export->angles.count, export->is_smpl ? ", AMASS" : "");
}

static void free_all(NpzExport *export) {
  free(export->angle_values);
  free(export->poses);
  free(export->trans);
  trace_markers_free(&export->markers);
}

bool export_npz(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error) {
  NpzExport export = {.array_count = 0};
  NpzWriter writer = {.count = 0};
  if (!trace_markers_read(&export.markers, reader, def, options->character, options->pose, error))
    return false;
  bool good = measure(&export) || error_set(error, "out of memory");
  if (good) {
    add_all(&export);
    put_all(&export, trace_text(reader, "scene_name"), &writer);
    good = npz_finish(&writer, error);
  }
  if (good) {
    *result = (ExportResult){.bytes = writer.file.bytes, .size = writer.file.size};
    writer.file = (TextBuffer){0}; // belongs to the result now
    tell(&export, result);
  }
  npz_writer_free(&writer);
  free_all(&export);
  return good;
}
