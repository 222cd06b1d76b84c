// Reads the motions of a trace's characters and takes their gait, for each of the three poses.
#include "scenes/report/gait_trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/export/joint_angles.h"
#include "sim/base/numbers.h"
#include "sim/base/reserve.h"

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

// A pose's motion, of which as many frames are in memory as the strides of a piece depend on.

typedef struct Reading {
  const ReportRun *run;
  const ReportCharacter *character;
  const JointAngles *angles;
  const Limbs *limbs;
  TraceMotion *motion;      // a piece
  bool *stands[GAIT_SIDES]; // of all frames; without meaning when the soles decide
  GaitContact contact;
  float *feet;               // of a piece: a number for each foot
  double *rows;              // all angles of the body in the frame before the piece, and in its frames
  vec3s ends[GAIT_SIDES][2]; // heels and toes in the frame before
  GaitFrame *frames;
  int frame_count, capacity;
} Reading;

static void reading_free(Reading *reading) {
  for (int side = 0; side < GAIT_SIDES; side++)
    free(reading->stands[side]);
  free(reading->feet);
  free(reading->rows);
  free(reading->frames);
  trace_motion_free(reading->motion);
}

static bool reading_make(Reading *reading) {
  bool good = true;
  for (int side = 0; side < GAIT_SIDES; side++) {
    reading->stands[side] = calloc((size_t)reading->run->frame_count, sizeof *reading->stands[side]);
    good = good && reading->stands[side];
  }
  reading->feet = calloc(TRACE_MOTION_PIECE, 2 * sizeof *reading->feet);
  reading->rows = calloc((TRACE_MOTION_PIECE + 1) * (size_t)reading->angles->count, sizeof *reading->rows);
  return good && reading->feet && reading->rows;
}

// Contacts.

// A channel with a number for each foot, of some frames. False: the trace has none.
static bool read_feet(const Reading *reading, const char *name, int first, int count) {
  char path[PATH_SIZE];
  int shape[2];
  TraceReader *reader = reading->run->reader;
  snprintf(path, sizeof path, "/characters/%s/feet/%s", reading->character->def->name, name);
  return trace_channel_shape(reader, path, shape) && shape[0] == 2 && shape[1] <= 1 &&
         trace_read(reader, path, TRACE_FLOAT32, first, count, reading->feet, NULL);
}

static bool read_stands(const Reading *reading, const char *name) {
  const int frames = reading->run->frame_count;
  for (int first = 0; first < frames; first += TRACE_MOTION_PIECE) {
    const int left = frames - first, count = left < TRACE_MOTION_PIECE ? left : TRACE_MOTION_PIECE;
    if (!read_feet(reading, name, first, count))
      return false;
    for (int side = 0; side < GAIT_SIDES; side++)
      for (int i = 0; i < count; i++)
        reading->stands[side][first + i] = reading->feet[2 * i + reading->limbs->leg[side]] > 0.5f;
  }
  return true;
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

// A physical body stands while it carries load, an animated one while planned; without both the soles decide.
static GaitContact find_contact(const Reading *reading, TracePose pose) {
  const GaitContact by = pose == TRACE_POSE_MEASURED ? GAIT_BY_LOAD : GAIT_BY_PLAN;
  const bool known = read_stands(reading, by == GAIT_BY_LOAD ? "planted" : "standing");
  return known && both_change(reading->stands, reading->run->frame_count) ? by : GAIT_BY_SOLE;
}

// Frames of a piece.

// Frames in which a character is hit or has not recovered, or has fallen.
static void mark_disturbed(const Reading *reading, GaitFrame *frames, int count) {
  const ReportRun *run = reading->run;
  const double fall = report_run_metric(reading->character, "time_of_fall");
  for (int i = 0; i < count; i++)
    frames[i].disturbed = frames[i].time >= fall; // false when it is NAN
  for (int h = 0; h < run->hit_count; h++) {
    const MetricsHit *hit = &run->hits[h].hit;
    const double calm = hit->time + (isfinite(hit->recovery_time) ? hit->recovery_time : UNTIL_CALM);
    if (calm < frames[0].time || hit->time - 0.02 > frames[count - 1].time ||
        strcmp(run->hits[h].character, reading->character->def->name) != 0)
      continue;
    for (int i = 0; i < count; i++)
      frames[i].disturbed = frames[i].disturbed || (frames[i].time >= hit->time - 0.02 && frames[i].time <= calm);
  }
}

static vec3s foot_point(const vec3s *positions, const versors *rotations, int ankle, vec3s point_l) {
  return glms_vec3_add(positions[ankle], glms_quat_rotatev(rotations[ankle], point_l));
}

static void place_foot(const Leg *leg, const vec3s *positions, const versors *rotations, GaitFrame *frame, int side,
                       vec3s ends[2]) {
  const vec3s sole = foot_point(positions, rotations, leg->ankle, leg->sole_l);
  for (int k = 0; k < 3; k++)
    frame->place[side][k] = (double)sole.raw[k];
  ends[0] = foot_point(positions, rotations, leg->ankle, leg->heel_l);
  ends[1] = foot_point(positions, rotations, leg->ankle, leg->toe_l);
}

// The frame `index` of the piece.
static void place_frame(Reading *reading, int index, GaitFrame *frame) {
  const TraceMotion *motion = reading->motion;
  vec3s positions[SKELETON_MAX_JOINTS], ends[GAIT_SIDES][2];
  versors rotations[SKELETON_MAX_JOINTS];
  trace_motion_place(motion, index, positions, rotations);
  const vec3s facing = glms_quat_rotatev(rotations[0], (vec3s){{0, 0, 1}});
  const int at = motion->first + index;
  *frame = (GaitFrame){.time = motion->time[index], .heading = atan2((double)facing.x, (double)facing.z)};
  for (int k = 0; k < 3; k++)
    frame->place[GAIT_PELVIS][k] = (double)positions[0].raw[k];
  for (int side = 0; side < GAIT_SIDES; side++) {
    const Leg *leg = &motion->body->skeleton.legs[reading->limbs->leg[side]];
    place_foot(leg, positions, rotations, frame, side, ends[side]);
    const int lower = ends[side][1].y < ends[side][0].y;
    frame->height[side] = (double)ends[side][lower].y;
    if (at > 0)
      frame->speed[side] = (double)glms_vec3_distance(ends[side][lower], reading->ends[side][lower]) /
                           (reading->run->time[at] - reading->run->time[at - 1]);
    frame->stands[side] = reading->stands[side][at];
  }
  memcpy(reading->ends, ends, sizeof ends);
}

static void add_angles(Reading *reading, GaitFrame *frames) {
  const TraceMotion *motion = reading->motion;
  const Limbs *limbs = reading->limbs;
  const size_t stride = (size_t)reading->angles->count;
  double *before = reading->rows, *rows = before + stride;
  joint_angles_measure(reading->angles, motion, motion->first > 0 ? before : NULL, rows, stride);
  for (int i = 0; i < motion->frame_count; i++)
    for (int side = 0; side < GAIT_SIDES; side++)
      for (int joint = 0; joint < GAIT_JOINTS; joint++)
        frames[i].angle[side][joint] =
            joint < joint_count(limbs) ? rows[(size_t)i * stride + (size_t)limbs->angle[side][joint]] / RAD_PER_DEGREE
                                       : NAN;
  memcpy(before, rows + (size_t)(motion->frame_count - 1) * stride, stride * sizeof *before);
}

static void take_off_ground(const Reading *reading, GaitFrame *frames) {
  const int count = reading->motion->frame_count;
  if (!read_feet(reading, "ground_height", reading->motion->first, count))
    return;
  for (int side = 0; side < GAIT_SIDES; side++)
    for (int i = 0; i < count; i++) {
      const float ground = reading->feet[2 * i + reading->limbs->leg[side]];
      if (isfinite(ground))
        frames[i].height[side] -= (double)ground;
    }
}

// Adds the frames of the piece and drops those on which no stride from the time `from` on depends. False: no memory.
static bool add_piece(Reading *reading, double from) {
  const int count = reading->motion->frame_count;
  int dropped = 0;
  while (dropped < reading->frame_count && reading->frames[dropped].time < from - GAIT_REACH)
    dropped++;
  reading->frame_count -= dropped;
  if (dropped > 0)
    memmove(reading->frames, reading->frames + dropped, (size_t)reading->frame_count * sizeof *reading->frames);
  if (!reserve(&reading->frames, &reading->capacity, reading->frame_count + count, sizeof *reading->frames) ||
      !reading->frames)
    return false;
  GaitFrame *frames = &reading->frames[reading->frame_count];
  for (int i = 0; i < count; i++)
    place_frame(reading, i, &frames[i]);
  add_angles(reading, frames);
  mark_disturbed(reading, frames, count);
  reading->frame_count += count;
  if (reading->contact != GAIT_BY_SOLE)
    return true;
  take_off_ground(reading, frames);
  for (int side = 0; side < GAIT_SIDES; side++)
    gait_find_stances(reading->frames, reading->frame_count, (GaitSide)side);
  return true;
}

// The gait of the whole trace.

// Finds the strides of a pose, piece by piece. A motion that cannot be read, of a run that diverged, has none. False:
// no memory.
static bool find_strides(Reading *reading, TracePose pose, GaitReport *report, GaitStride *strides, int most) {
  const int frames = reading->run->frame_count;
  int count = 0;
  double from = -INFINITY;
  for (int first = 0; first < frames; first += reading->motion->frame_count) {
    if (!trace_motion_load(reading->motion, first, TRACE_MOTION_PIECE, NULL))
      return true;
    if (!add_piece(reading, from))
      return false;
    const bool is_last = first + reading->motion->frame_count == frames;
    const double to = is_last ? INFINITY : reading->frames[reading->frame_count - 1].time - GAIT_REACH;
    const GaitMotion gait = {reading->frame_count, reading->frames};
    count += gait_find_strides(&gait, from, to, (int)pose, strides + count, most - count);
    from = fmax(from, to);
  }
  report->contacts[pose] = reading->contact;
  report->strides[pose] = count;
  return true;
}

// Adds the strides of a pose. Returns false when there is no memory.
static bool add_pose(const ReportRun *run, const ReportCharacter *character, const JointAngles *angles,
                     const Limbs *limbs, TracePose pose, GaitReport *report, GaitStride *strides, int *count,
                     int most) {
  Reading reading = {.run = run, .character = character, .angles = angles, .limbs = limbs};
  reading.motion = trace_motion_open(run->reader, run->def, character->def->name, pose, NULL);
  bool good = reading_make(&reading) && reading.motion;
  if (good) {
    reading.contact = find_contact(&reading, pose);
    good = find_strides(&reading, pose, report, strides + *count, most - *count);
    *count += report->strides[pose];
  }
  reading_free(&reading);
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
