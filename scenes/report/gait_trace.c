// Reads the motions of a trace's characters and takes their gait, for each of the three poses.
#include "scenes/report/gait_trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/export/joint_angles.h"
#include "sim/base/numbers.h"

enum { PATH_SIZE = 2 * TRACE_NAME_SIZE };

static const double UNTIL_CALM = 3; // s after a hit from which nobody saw a recovery

// Limbs of the body.

// Which leg is which, and where the angles of its joints and of the arms' lie among a body's coordinates.
typedef struct Limbs {
  int leg[GAIT_SIDES];
  bool has_arms; // otherwise their angles are not set
  int angle[GAIT_SIDES][GAIT_JOINTS];
} Limbs;

static int find_angle(const JointAngles *angles, const char *stem, char side) {
  char name[ANGLE_NAME_SIZE];
  snprintf(name, sizeof name, "%s_%c", stem, side);
  for (int i = 0; i < angles->count; i++)
    if (strcmp(angles->names[i], name) == 0)
      return i;
  return -1;
}

static const char sides[GAIT_SIDES] = {'l', 'r'};

// False: a joint is missing.
static bool find_joints(const JointAngles *angles, GaitJoint first, GaitJoint end, Limbs *limbs) {
  static const char *const stems[GAIT_JOINTS] = {"hip_flexion", "knee_angle", "ankle_angle", "arm_flex", "elbow_flex"};
  bool found = true;
  for (int side = 0; side < GAIT_SIDES; side++)
    for (int joint = (int)first; joint < (int)end; joint++) {
      limbs->angle[side][joint] = find_angle(angles, stems[joint], sides[side]);
      found = found && limbs->angle[side][joint] >= 0;
    }
  return found;
}

// False: these are not the legs of a human. Arms may be missing.
static bool find_limbs(const JointAngles *angles, Limbs *limbs) {
  const Skeleton *skeleton = &angles->body->skeleton;
  if (skeleton->leg_count != 2)
    return false;
  for (int side = 0; side < GAIT_SIDES; side++) {
    char thigh[8];
    snprintf(thigh, sizeof thigh, "thigh_%c", sides[side]);
    limbs->leg[side] = -1;
    for (int k = 0; k < skeleton->leg_count; k++)
      if (strcmp(skeleton->names[skeleton->legs[k].hip], thigh) == 0)
        limbs->leg[side] = k;
    if (limbs->leg[side] < 0)
      return false;
  }
  limbs->has_arms = find_joints(angles, GAIT_ARM, GAIT_JOINTS, limbs);
  return find_joints(angles, GAIT_HIP, GAIT_LEG_JOINTS, limbs);
}

static int joint_count(const Limbs *limbs) { return limbs->has_arms ? GAIT_JOINTS : GAIT_LEG_JOINTS; }

static double leg_length(const Skeleton *skeleton) {
  const Pose bind = pose_bind(skeleton);
  Pose model;
  pose_to_model(skeleton, &bind, &model);
  return (double)model.position[skeleton->legs[0].hip].y;
}

// Arrays of all frames.

typedef struct Frames {
  double (*pelvis)[3], *heading, (*sole[GAIT_SIDES])[3];
  double *height[GAIT_SIDES], *speed[GAIT_SIDES]; // of the soles' lower ends, m over the ground, m/s
  bool *stands[GAIT_SIDES], *disturbed;
  double *angle[GAIT_SIDES][GAIT_JOINTS];
} Frames;

static void frames_free(Frames *frames) {
  free(frames->pelvis);
  free(frames->heading);
  free(frames->disturbed);
  for (int side = 0; side < GAIT_SIDES; side++) {
    free(frames->sole[side]);
    free(frames->height[side]);
    free(frames->speed[side]);
    free(frames->stands[side]);
    for (int joint = 0; joint < GAIT_JOINTS; joint++)
      free(frames->angle[side][joint]);
  }
}

static bool frames_make(Frames *frames, int count) {
  const size_t size = (size_t)count;
  *frames = (Frames){.pelvis = calloc(size, sizeof *frames->pelvis),
                     .heading = calloc(size, sizeof *frames->heading),
                     .disturbed = calloc(size, sizeof *frames->disturbed)};
  bool good = frames->pelvis && frames->heading && frames->disturbed;
  for (int side = 0; side < GAIT_SIDES; side++) {
    frames->sole[side] = calloc(size, sizeof *frames->sole[side]);
    frames->height[side] = calloc(size, sizeof *frames->height[side]);
    frames->speed[side] = calloc(size, sizeof *frames->speed[side]);
    frames->stands[side] = calloc(size, sizeof *frames->stands[side]);
    good = good && frames->sole[side] && frames->height[side] && frames->speed[side] && frames->stands[side] != NULL;
    for (int joint = 0; joint < GAIT_JOINTS; joint++) {
      frames->angle[side][joint] = calloc(size, sizeof *frames->angle[side][joint]);
      good = good && frames->angle[side][joint];
    }
  }
  return good;
}

// Frames in which a character is hit or has not recovered, or has fallen.
static void mark_disturbed(const ReportRun *run, const ReportCharacter *character, bool *disturbed) {
  const double fall = report_run_metric(character, "time_of_fall");
  for (int i = 0; i < run->frame_count; i++)
    disturbed[i] = run->time[i] >= fall; // false when it is NAN
  for (int h = 0; h < run->hit_count; h++) {
    const MetricsHit *hit = &run->hits[h].hit;
    if (strcmp(run->hits[h].character, character->def->name) != 0)
      continue;
    const double calm = hit->time + (isfinite(hit->recovery_time) ? hit->recovery_time : UNTIL_CALM);
    for (int i = 0; i < run->frame_count; i++)
      disturbed[i] = disturbed[i] || (run->time[i] >= hit->time - 0.02 && run->time[i] <= calm);
  }
}

// The motion.

static vec3s foot_point(const vec3s *positions, const versors *rotations, int ankle, vec3s point_l) {
  return glms_vec3_add(positions[ankle], glms_quat_rotatev(rotations[ankle], point_l));
}

static double distance_to(vec3s a, vec3s b) { return (double)glms_vec3_distance(a, b); }

// The soles' ends, heel and toe, of each side.
static void place_frame(const TraceMotion *motion, const Limbs *limbs, int frame, Frames *frames,
                        vec3s ends[GAIT_SIDES][2]) {
  vec3s positions[SKELETON_MAX_JOINTS];
  versors rotations[SKELETON_MAX_JOINTS];
  trace_motion_place(motion, frame - motion->first, positions, rotations);
  const vec3s facing = glms_quat_rotatev(rotations[0], (vec3s){{0, 0, 1}});
  frames->heading[frame] = atan2((double)facing.x, (double)facing.z);
  for (int k = 0; k < 3; k++)
    frames->pelvis[frame][k] = (double)positions[0].raw[k];
  for (int side = 0; side < GAIT_SIDES; side++) {
    const Leg *leg = &motion->body->skeleton.legs[limbs->leg[side]];
    const vec3s sole = foot_point(positions, rotations, leg->ankle, leg->sole_l);
    for (int k = 0; k < 3; k++)
      frames->sole[side][frame][k] = (double)sole.raw[k];
    ends[side][0] = foot_point(positions, rotations, leg->ankle, leg->heel_l);
    ends[side][1] = foot_point(positions, rotations, leg->ankle, leg->toe_l);
  }
}

// before: the soles' ends in the frame before the piece.
static void place_frames(const TraceMotion *motion, const Limbs *limbs, const ReportRun *run, Frames *frames,
                         vec3s before[GAIT_SIDES][2]) {
  vec3s ends[GAIT_SIDES][2];
  for (int i = motion->first; i < motion->first + motion->frame_count; i++) {
    place_frame(motion, limbs, i, frames, ends);
    for (int side = 0; side < GAIT_SIDES; side++) {
      const int lower = ends[side][1].y < ends[side][0].y;
      frames->height[side][i] = (double)ends[side][lower].y;
      if (i > 0)
        frames->speed[side][i] =
            distance_to(ends[side][lower], before[side][lower]) / (run->time[i] - run->time[i - 1]);
    }
    memcpy(before, ends, sizeof ends);
  }
}

// rows: of all angles of a body, of the frame before the piece and of its frames.
static void copy_angles(const TraceMotion *motion, const JointAngles *angles, const Limbs *limbs, double *rows,
                        Frames *frames) {
  const size_t stride = (size_t)angles->count;
  joint_angles_measure(angles, motion, motion->first > 0 ? rows : NULL, rows + stride, stride);
  for (int side = 0; side < GAIT_SIDES; side++)
    for (int joint = 0; joint < joint_count(limbs); joint++)
      for (int i = 0; i < motion->frame_count; i++)
        frames->angle[side][joint][motion->first + i] =
            rows[(size_t)(1 + i) * stride + (size_t)limbs->angle[side][joint]] / RAD_PER_DEGREE;
  memcpy(rows, rows + (size_t)motion->frame_count * stride, stride * sizeof *rows);
}

// Reads the motion piece by piece. False: a piece cannot be read.
static bool read_frames(TraceMotion *motion, const ReportRun *run, const JointAngles *angles, const Limbs *limbs,
                        double *rows, Frames *frames) {
  vec3s ends[GAIT_SIDES][2] = {0};
  for (int first = 0; first < run->frame_count; first += motion->frame_count) {
    if (!trace_motion_load(motion, first, TRACE_MOTION_PIECE, NULL))
      return false;
    copy_angles(motion, angles, limbs, rows, frames);
    place_frames(motion, limbs, run, frames, ends);
  }
  return true;
}

// Contacts.

// A channel with a number for each foot. False: the trace has none.
static bool read_feet(const ReportRun *run, const ReportCharacter *character, const char *name, float *values) {
  char path[PATH_SIZE];
  int shape[2];
  snprintf(path, sizeof path, "/characters/%s/feet/%s", character->def->name, name);
  return trace_channel_shape(run->reader, path, shape) && shape[0] == 2 && shape[1] <= 1 &&
         trace_read(run->reader, path, TRACE_FLOAT32, 0, run->frame_count, values, NULL);
}

// A planned state of the feet that never changes says nothing.
static bool both_change(bool *const stands[GAIT_SIDES], int count) {
  for (int side = 0; side < GAIT_SIDES; side++) {
    int i = 1;
    while (i < count && stands[side][i] == stands[side][0])
      i++;
    if (i >= count)
      return false;
  }
  return true;
}

static void copy_flags(const float *values, const Limbs *limbs, int count, bool *const stands[GAIT_SIDES]) {
  for (int side = 0; side < GAIT_SIDES; side++)
    for (int i = 0; i < count; i++)
      stands[side][i] = values[2 * i + limbs->leg[side]] > 0.5f;
}

// A physical body stands while it carries load, an animated one while planned; without both the soles decide.
static GaitContact read_contacts(const ReportRun *run, const ReportCharacter *character, const Limbs *limbs,
                                 TracePose pose, Frames *frames, float *values) {
  const GaitContact by = pose == TRACE_POSE_MEASURED ? GAIT_BY_LOAD : GAIT_BY_PLAN;
  if (read_feet(run, character, by == GAIT_BY_LOAD ? "planted" : "standing", values)) {
    copy_flags(values, limbs, run->frame_count, frames->stands);
    if (both_change(frames->stands, run->frame_count))
      return by;
  }
  if (read_feet(run, character, "ground_height", values))
    for (int side = 0; side < GAIT_SIDES; side++)
      for (int i = 0; i < run->frame_count; i++)
        if (isfinite(values[2 * i + limbs->leg[side]]))
          frames->height[side][i] -= (double)values[2 * i + limbs->leg[side]];
  for (int side = 0; side < GAIT_SIDES; side++)
    gait_find_stances(run->time, run->frame_count, frames->height[side], frames->speed[side], frames->stands[side]);
  return GAIT_BY_SOLE;
}

// The gait of the whole trace.

static GaitMotion motion_of(const ReportRun *run, const Limbs *limbs, const Frames *frames) {
  GaitMotion motion = {.frame_count = run->frame_count,
                       .time = run->time,
                       .pelvis = (const double(*)[3])frames->pelvis,
                       .heading = frames->heading,
                       .disturbed = frames->disturbed};
  for (int side = 0; side < GAIT_SIDES; side++) {
    motion.sole[side] = (const double(*)[3])frames->sole[side];
    motion.stands[side] = frames->stands[side];
    for (int joint = 0; joint < joint_count(limbs); joint++)
      motion.angle[side][joint] = frames->angle[side][joint];
  }
  return motion;
}

// Adds the strides of a pose. Returns false when there is no memory.
static bool add_pose(const ReportRun *run, const ReportCharacter *character, const JointAngles *angles,
                     const Limbs *limbs, TracePose pose, GaitReport *report, GaitStride *strides, int *count,
                     int most) {
  TraceMotion *motion = trace_motion_open(run->reader, run->def, character->def->name, pose, NULL);
  Frames frames;
  float *values = calloc(2 * (size_t)run->frame_count, sizeof *values);
  double *rows = calloc((TRACE_MOTION_PIECE + 1) * (size_t)angles->count, sizeof *rows);
  const bool good = frames_make(&frames, run->frame_count) && values && rows;
  // The motion of a run that diverged cannot be read.
  if (good && motion && read_frames(motion, run, angles, limbs, rows, &frames)) {
    mark_disturbed(run, character, frames.disturbed);
    report->contacts[pose] = read_contacts(run, character, limbs, pose, &frames, values);
    const GaitMotion gait = motion_of(run, limbs, &frames);
    report->strides[pose] = gait_find_strides(&gait, (int)pose, strides + *count, most - *count);
    *count += report->strides[pose];
  }
  free(values);
  free(rows);
  frames_free(&frames);
  trace_motion_free(motion);
  return good;
}

// The most strides that one foot can make in one pose: a stride takes a least time, and a least number of frames.
static int most_strides(const ReportRun *run) {
  const double duration = run->time[run->frame_count - 1] - run->time[0];
  const double strides = duration / GAIT_SHORTEST_STRIDE, limit = (double)run->frame_count;
  return (int)fmax(0, fmin(strides, limit)) + 1;
}

bool gait_report_read(const ReportRun *run, const ReportCharacter *character, GaitReport *report, Error *error) {
  Limbs limbs;
  *report = (GaitReport){0};
  JointAngles *angles = calloc(1, sizeof *angles);
  const int most = TRACE_POSE_COUNT * GAIT_SIDES * most_strides(run);
  GaitStride *strides = angles ? calloc((size_t)most, sizeof *strides) : NULL;
  bool good = strides != NULL;
  if (good)
    joint_angles_init(angles, character->def->body);
  if (good && find_limbs(angles, &limbs)) {
    int count = 0;
    report->is_human = true;
    report->leg = leg_length(&character->def->body->skeleton);
    for (int pose = 0; good && pose < TRACE_POSE_COUNT; pose++)
      good = add_pose(run, character, angles, &limbs, (TracePose)pose, report, strides, &count, most);
    gait_settle(strides, count, TRACE_POSE_OUTPUT);
    report->group_count = gait_group(strides, count, report->groups);
  }
  free(strides);
  free(angles);
  if (!good)
    error_set(error, "out of memory");
  return good;
}
