// OpenSim's files. A .mot has the coordinates of one pose, to be played or tracked with a model. A .sto has in one
// table also other results of the simulation: speeds, the drives' moments, the assist, the ground forces under each
// foot.
//
// Columns of both: time, PART_tx, PART_ty, PART_tz of the root joint (m), joint angles (joint_angles.h; degrees in
// .mot, rad in .sto). Then in .sto:
//   COORDINATE_u             its speed by central differences of the rows, rad/s or m/s
//   COORDINATE_moment        generalized force of the joint's drive in the last step, N m, as in inverse dynamics; like
//                            the centre of mass and all forces it is that of the physical body, whichever pose is
//                            exported
//   center_of_mass_X Y Z, center_of_mass_X_u ...          m, m/s
//   PART_assist_force_vx vy vz, px py pz, PART_assist_torque_x y z       force and torque of the assist on the part
//   FOOT_ground_force_vx vy vz, px py pz, FOOT_ground_torque_x y z       action of the ground on each foot
//   other_ground_...                                                     and to all other parts
// Forces (N) act at the points p (m), torques are in N m, as ExternalLoads expects; all are means over the time since
// the previous row. Vectors are in OpenSim's ground frame: x forward, y up, z to the right.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/export/export.h"
#include "scenes/export/ground_reaction.h"
#include "scenes/export/joint_angles.h"
#include "scenes/export/opensim_file.h"
#include "sim/base/numbers.h"

enum { PATH_SIZE = 256, LOAD_COLUMNS = 9 };

typedef struct OpensimExport {
  TraceReader *reader;
  const CharacterDef *character;
  TraceMotion *motion;   // of the pose that is exported
  TraceMotion *measured; // of the physical body, on which forces act
  JointAngles angles;
  OpensimTable table;
  bool is_motion; // .mot
  // First columns of the groups.
  int angle, root, speed, moment, com, assist, ground;
} OpensimExport;

// ---- Columns ----

static bool add_coordinates(OpensimExport *export) {
  const char *root = export->motion->body->parts[0].name;
  OpensimTable *table = &export->table;
  bool good = opensim_add_column(table, "time") == 0;
  export->root = table->columns;
  for (int k = 0; good && k < 3; k++)
    good = opensim_add_column(table, "%s_t%c", root, "xyz"[k]) >= 0;
  export->angle = table->columns;
  for (int i = 0; good && i < export->angles.count; i++)
    good = opensim_add_column(table, "%s", export->angles.names[i]) >= 0;
  return good;
}

static bool add_load(OpensimTable *table, const char *body, const char *load) {
  bool good = true;
  for (int i = 0; good && i < 6; i++)
    good = opensim_add_column(table, "%s_%s_force_%c%c", body, load, "vp"[i / 3], "xyz"[i % 3]) >= 0;
  for (int k = 0; good && k < 3; k++)
    good = opensim_add_column(table, "%s_%s_torque_%c", body, load, "xyz"[k]) >= 0;
  return good;
}

static bool add_simulation(OpensimExport *export) {
  OpensimTable *table = &export->table;
  const BodyDef *body = export->motion->body;
  const int coordinates = table->columns - 1;
  bool good = true;
  export->speed = table->columns;
  for (int i = 0; good && i < coordinates; i++) {
    char coordinate[OPENSIM_LABEL_SIZE]; // copied, since the labels may be reallocated
    memcpy(coordinate, table->labels[1 + i], sizeof coordinate);
    good = opensim_add_column(table, "%s_u", coordinate) >= 0;
  }
  export->moment = table->columns;
  for (int g = 1; g < export->angles.group_count; g++) {
    const AngleGroup *group = &export->angles.groups[g];
    for (int n = 0; good && !group->is_extra && n < group->count; n++)
      good = opensim_add_column(table, "%s_moment", export->angles.names[group->first + n]) >= 0;
  }
  export->com = table->columns;
  for (int i = 0; good && i < 6; i++)
    good = opensim_add_column(table, "center_of_mass_%c%s", "XYZ"[i % 3], i < 3 ? "" : "_u") >= 0;
  export->assist = table->columns;
  good = good && add_load(table, export->character->assist.part, "assist");
  export->ground = table->columns;
  for (int l = 0; good && l < body->skeleton.leg_count; l++)
    good = add_load(table, body->parts[body->skeleton.legs[l].ankle].name, "ground");
  return good && add_load(table, "other", "ground");
}

// ---- Values ----

static double *row_of(const OpensimExport *export, int frame) {
  return export->table.values + (size_t)frame * (size_t) export->table.columns;
}

static void fill_coordinates(OpensimExport *export) {
  const TraceMotion *motion = export->motion;
  joint_angles_measure(&export->angles, motion, NULL, export->table.values + export->angle,
                       (size_t) export->table.columns);
  for (int f = 0; f < motion->frame_count; f++) {
    double *row = row_of(export, f);
    const vec3s p = motion->root_position[f];
    row[0] = motion->time[f];
    opensim_vector((const double[3]){(double)p.x, (double)p.y, (double)p.z}, &row[export->root]);
    for (int i = 0; export->is_motion && i < export->angles.count; i++)
      row[export->angle + i] /= RAD_PER_DEGREE;
  }
}

static void fill_speeds(OpensimExport *export) {
  const int last = export->motion->frame_count - 1;
  for (int f = 0; f <= last && last > 0; f++) {
    const double *before = row_of(export, f > 0 ? f - 1 : f), *after = row_of(export, f < last ? f + 1 : f);
    for (int i = 1; i < export->speed; i++)
      row_of(export, f)[export->speed + i - 1] = (after[i] - before[i]) / (after[0] - before[0]);
  }
}

// Reads all frames of a channel of the character with `width` values a frame. The caller frees them.
static double *read_channel(const OpensimExport *export, const char *channel, int width, Error *error) {
  char path[PATH_SIZE];
  long rows;
  int row_size;
  const int frames = export->motion->frame_count;
  snprintf(path, sizeof path, "/characters/%s/%s", export->character->name, channel);
  if (!trace_shape(export->reader, path, &rows, &row_size) || row_size != width) {
    error_set(error, "the trace has no %s with %d values a frame", path, width);
    return NULL;
  }
  double *values = calloc((size_t)frames * (size_t)width + 1, sizeof *values);
  if (!values)
    error_set(error, "out of memory");
  else if (trace_read(export->reader, path, TRACE_FLOAT64, 0, frames, values, error))
    return values;
  free(values);
  return NULL;
}

// Writes three values a frame, converted to OpenSim's frame, from column `to` on.
static bool fill_vectors(OpensimExport *export, const char *channel, int to, Error *error) {
  double *values = read_channel(export, channel, 3, error);
  for (int f = 0; values && f < export->motion->frame_count; f++)
    opensim_vector(&values[3 * (size_t)f], &row_of(export, f)[to]);
  free(values);
  return values != NULL;
}

// The moment is the drive's torque times the axis of the coordinate.
static void fill_frame_moments(OpensimExport *export, int frame, const double *angles, const double *torques) {
  vec3s positions[BODY_MAX_PARTS];
  versors rotations[BODY_MAX_PARTS];
  double *out = &row_of(export, frame)[export->moment];
  trace_motion_place(export->measured, frame, positions, rotations);
  for (int g = 1; g < export->angles.group_count; g++) {
    const AngleGroup *group = &export->angles.groups[g];
    if (group->is_extra)
      continue;
    double axes[3][3];
    const double *torque = &torques[3 * (group->joint - 1)];
    joint_angles_axes(&export->angles, group, angles, rotations[group->base], axes);
    for (int n = 0; n < group->count; n++)
      *out++ = axes[n][0] * torque[0] + axes[n][1] * torque[1] + axes[n][2] * torque[2];
  }
}

static bool fill_moments(OpensimExport *export, Error *error) {
  const int frames = export->motion->frame_count, width = 3 * (export->motion->joint_count - 1);
  const size_t count = (size_t) export->angles.count;
  if (width == 0)
    return true;
  double *torques = read_channel(export, "joints/torque", width, error);
  double *angles = calloc((size_t)frames * count + 1, sizeof *angles);
  const bool good = torques && (angles || error_set(error, "out of memory"));
  if (good)
    joint_angles_measure(&export->angles, export->measured, NULL, angles, count);
  for (int f = 0; good && f < frames; f++)
    fill_frame_moments(export, f, &angles[(size_t)f * count], &torques[(size_t)f * (size_t)width]);
  free(angles);
  free(torques);
  return good;
}

// Where the assist's force acts; without a force, the centre of mass of the part that it would hold.
static bool fill_assist(OpensimExport *export, Error *error) {
  const int parts = export->motion->body->part_count;
  const int part = skeleton_find(&export->motion->body->skeleton, export->character->assist.part);
  double *positions = read_channel(export, "parts/position", 3 * parts, error);
  double *points = positions ? read_channel(export, "assist/point", 3, error) : NULL;
  for (int f = 0; points && part >= 0 && f < export->motion->frame_count; f++) {
    const double *center = &positions[3 * ((size_t)f * (size_t)parts + (size_t)part)], *point = &points[3 * (size_t)f];
    opensim_vector(finite3(point) ? point : center, &row_of(export, f)[export->assist + 3]);
  }
  const bool good = points != NULL;
  free(points);
  free(positions);
  return good && fill_vectors(export, "assist/force", export->assist, error) &&
         fill_vectors(export, "assist/torque", export->assist + 6, error);
}

static bool fill_ground(OpensimExport *export, Error *error) {
  const TraceMotion *motion = export->motion;
  GroundReactions *reactions = ground_reactions_under(export->reader, export->measured, error);
  for (int f = 0; reactions && f < motion->frame_count; f++)
    for (int g = 0; g < reactions->group_count; g++) {
      const GroundReaction *reaction = &reactions->values[(size_t)f * (size_t)reactions->group_count + (size_t)g];
      double *row = &row_of(export, f)[export->ground + LOAD_COLUMNS * g];
      opensim_vector(reaction->force, row);
      opensim_vector(reaction->point, row + 3);
      opensim_vector(reaction->torque, row + 6);
    }
  const bool good = reactions != NULL;
  ground_reactions_free(reactions);
  return good;
}

static bool fill_simulation(OpensimExport *export, Error *error) {
  fill_speeds(export);
  return fill_moments(export, error) && fill_vectors(export, "com/position", export->com, error) &&
         fill_vectors(export, "com/velocity", export->com + 3, error) && fill_assist(export, error) &&
         fill_ground(export, error);
}

// ---- Reading back ----

typedef struct ReadBack {
  double angle, distance;             // rad, m: largest differences
  size_t angle_joint, distance_joint; // their columns
  double angle_time, distance_time;   // s
  long differences;                   // number of values whose bits differ
} ReadBack;

// Recomputes a frame's rotations from a row of the file and compares them.
static void compare_frame(const OpensimExport *export, int frame, const double *row, ReadBack *back) {
  const TraceMotion *motion = export->motion;
  const size_t joints = (size_t)motion->joint_count;
  double angles[ANGLES_MAX];
  versors rotations[BODY_MAX_PARTS];
  const double *p = &row[export->root];
  vec3s root = {{(float)-p[2], (float)p[1], (float)p[0]}}, wanted[BODY_MAX_PARTS], found[BODY_MAX_PARTS];
  for (int i = 0; i < export->angles.count; i++)
    angles[i] = row[export->angle + i] * (export->is_motion ? RAD_PER_DEGREE : 1);
  joint_angles_rebuild(&export->angles, angles, rotations);
  for (size_t j = 0; j < joints; j++) {
    const double angle = (double)quat_angle_between(rotations[j], motion->rotation[(size_t)frame * joints + j]);
    if (angle <= back->angle)
      continue;
    back->angle = angle;
    back->angle_joint = j;
    back->angle_time = motion->time[frame];
  }
  TraceMotion again = *motion;
  again.root_position = &root;
  again.rotation = rotations;
  trace_motion_place(motion, frame, wanted, NULL);
  trace_motion_place(&again, 0, found, NULL);
  for (size_t j = 0; j < joints; j++) {
    const double distance = (double)glms_vec3_distance(wanted[j], found[j]);
    if (distance <= back->distance)
      continue;
    back->distance = distance;
    back->distance_joint = j;
    back->distance_time = motion->time[frame];
  }
}

static bool read_back(const OpensimExport *export, const char *bytes, ReadBack *back, Error *error) {
  OpensimReader reader;
  char label[OPENSIM_LABEL_SIZE];
  const size_t columns = (size_t) export->table.columns;
  double *row = calloc(columns, sizeof *row);
  if (!row)
    return error_set(error, "out of memory");
  bool good = opensim_read_header(&reader, bytes, error);
  if (good && (reader.rows != export->table.rows || reader.columns != export->table.columns))
    good = error_set(error, "the written file has another size when it is read back");
  for (int c = 0; good && opensim_read_label(&reader, label); c++)
    back->differences += c >= export->table.columns || strcmp(label, export->table.labels[c]) != 0;
  for (int f = 0; good && f < export->table.rows; f++) {
    good = opensim_read_row(&reader, row) || error_set(error, "row %d of the written file cannot be read back", f);
    for (size_t c = 0; good && c < columns; c++)
      back->differences += !text_same_float64(row[c], row_of(export, f)[c]);
    if (good)
      compare_frame(export, f, row, back);
  }
  free(row);
  return good;
}

// ---- Writing ----

static void describe(const OpensimExport *export, TextBuffer *comments) {
  const char *unit = export->is_motion ? "degrees" : "radians";
  char scene[256], seed[32];
  opensim_copy_line(scene, sizeof scene, trace_text(export->reader, "scene_name"));
  opensim_copy_line(seed, sizeof seed, trace_text(export->reader, "seed"));
  text_print(comments, "# Stagger " STAGGER_VERSION ", scene %s, seed %s: %s pose of %s.\n", scene, seed,
             trace_pose_names[export->motion->pose], export->motion->character);
  text_print(comments,
             "# Ground frame: x forward, y up, z to the right (Stagger's z, y, -x). Lengths in m, angles in "
             "%s.\n"
             "# Zero is the bind pose of body %s, where all joint frames are parallel to the ground's.\n"
             "# Joints with three axes, and the root: body-fixed rotations about z, x, y, in this order, "
             "unless the bone lies along x or z, whose axis then comes last.\n"
             "# Flexion, adduction, internal rotation, dorsiflexion and inversion are positive; NAME_x, "
             "NAME_y, NAME_z turn about these axes of the ground frame.\n"
             "# Axes are those of the body, not of an OpenSim model: its ankle and subtalar axes are oblique "
             "and its pelvis has another origin than the root joint here.\n"
             "# lumbar_extension, bending, rotation: the whole trunk against the pelvis, beside its joints.\n",
             unit, export->motion->body->name);
  if (!export->is_motion)
    text_print(comments,
               "# NAME_u: speeds by central differences. NAME_moment: generalized force of the drive in the "
               "last step (N m).\n"
               "# Forces (N) v at points p (m) and torques (N m): means over the time since the row before; "
               "on each foot by the ground, on other parts by the ground, and on the helped part by the assist.\n"
               "# center_of_mass in m, its _u in m/s. Moments and forces are those of the physical body, whatever the "
               "pose.\n");
}

static bool write_text(const OpensimExport *export, TextBuffer *text, Error *error) {
  char name[3 * TRACE_NAME_SIZE];
  TextBuffer comments = {0};
  opensim_title(trace_text(export->reader, "scene_name"), export->motion->character,
                trace_pose_names[export->motion->pose], name, sizeof name);
  describe(export, &comments);
  if (!comments.failed)
    opensim_write(text, name, export->is_motion, comments.bytes, &export->table);
  const bool good = !comments.failed && !text->failed;
  text_free(&comments);
  return good || error_set(error, "out of memory");
}

static void tell(const OpensimExport *export, const ReadBack *back, ExportResult *result) {
  const long numbers = (long)export->table.rows * export->table.columns;
  snprintf(result->contents, sizeof result->contents, "%s, %s pose, %d frames at %.6g Hz, %d columns",
           export->motion->character, trace_pose_names[export->motion->pose], export->table.rows,
           export->motion->frame_rate, export->table.columns);
  char bits[64] = "all the same bits";
  if (back->differences > 0)
    snprintf(bits, sizeof bits, "%ld differ", back->differences);
  const Skeleton *skeleton = &export->motion->body->skeleton;
  snprintf(result->round_trip, sizeof result->round_trip,
           "read back: %ld numbers, %s; the pose made from them is within %.2g deg (%s at %.3f s) and %.2g mm (%s at "
           "%.3f s)",
           numbers, bits, back->angle / RAD_PER_DEGREE, skeleton->names[back->angle_joint], back->angle_time,
           1e3 * back->distance, skeleton->names[back->distance_joint], back->distance_time);
}

static const CharacterDef *find_character(const SceneDef *def, const char *name) {
  int i = 0;
  while (strcmp(def->characters[i].name, name) != 0)
    i++;
  return &def->characters[i];
}

static bool open_export(OpensimExport *export, const SceneDef *def, const ExportOptions *options, Error *error) {
  export->motion = trace_motion_read(export->reader, def, options->character, options->pose, error);
  if (!export->motion)
    return false;
  export->character = find_character(def, export->motion->character);
  export->measured = trace_motion_read(export->reader, def, options->character, TRACE_POSE_MEASURED, error);
  if (!export->measured)
    return false;
  joint_angles_init(&export->angles, export->motion->body);
  const bool good = add_coordinates(export) && (export->is_motion || add_simulation(export)) &&
                    opensim_allocate(&export->table, export->motion->frame_count);
  return good || error_set(error, "out of memory");
}

static bool make(OpensimExport *export, const SceneDef *def, const ExportOptions *options, ExportResult *result,
                 Error *error) {
  TextBuffer text = {0};
  ReadBack back = {0};
  bool good = open_export(export, def, options, error);
  if (good)
    fill_coordinates(export);
  good = good && (export->is_motion || fill_simulation(export, error)) && write_text(export, &text, error) &&
         read_back(export, text.bytes, &back, error);
  if (good) {
    *result = (ExportResult){.bytes = text.bytes, .size = text.size};
    tell(export, &back, result);
  } else {
    text_free(&text);
  }
  trace_motion_free(export->motion);
  trace_motion_free(export->measured);
  opensim_free(&export->table);
  return good;
}

bool export_sto(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error) {
  OpensimExport export = {.reader = reader};
  return make(&export, def, options, result, error);
}

bool export_mot(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error) {
  OpensimExport export = {.reader = reader, .is_motion = true};
  return make(&export, def, options, result, error);
}
