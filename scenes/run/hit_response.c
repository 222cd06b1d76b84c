// Steps a scene beside its twin without the hit, and measures how the shown poses differ.
#include "scenes/run/hit_response.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ragdoll/character/character_metrics.h"
#include "ragdoll/reaction/fall_pose.h"
#include "scenes/run/twin.h"
#include "sim/base/numbers.h"

static const double TIME_TOLERANCE = 1e-9;   // s, rounding in sums of time steps
static const double TORQUE_CHANGE = 1;       // N m
static const double PRESSURE_CHANGE = 0.005; // m

struct HitResponseWatch {
  Scene *twin; // NULL: nothing is left to record
  HitResponse *response;
  bool struck;
  int event;      // number of the hit's event
  bool stepped;   // other feet carry load than in the twin
  double end;     // s: of the hit's last impulse so far
  double heading; // rad: of the struck character at the hit
  StrideTracker strides[2];
  int trunk, head; // parts of the struck body; -1: it has none
};

// ---- Sizes and distances ----

static vec3s rotation_at(const ResponseFrames *frames, int frame, int joint) {
  const float *v = frames->rotation + (size_t)frame * (size_t)frames->stride + 3 * (size_t)joint;
  return (vec3s){{v[0], v[1], v[2]}};
}

ResponseFrames hit_response_frames(const HitResponse *response) {
  return (ResponseFrames){.frame_count = response->frame_count,
                          .joint_count = response->joint_count,
                          .rotation = &response->rotation[0][0][0],
                          .stride = 3 * BODY_MAX_PARTS};
}

double response_joint_angle(const ResponseFrames *frames, int frame, int joint) {
  return (double)glms_vec3_norm(rotation_at(frames, frame, joint));
}

double response_angle(const ResponseFrames *frames, int frame) {
  double sum = 0;
  for (int i = 1; i < frames->joint_count; i++)
    sum += response_joint_angle(frames, frame, i);
  return frames->joint_count > 1 ? sum / (frames->joint_count - 1) : NAN;
}

double response_size(const ResponseFrames *frames) {
  double sum = 0;
  for (int f = 0; f < frames->frame_count; f++)
    sum += response_angle(frames, f);
  return frames->frame_count > 0 ? sum / frames->frame_count : NAN;
}

double response_distance(const ResponseFrames *a, const ResponseFrames *b) {
  const int joints = a->joint_count - 1;
  if (a->frame_count != b->frame_count || a->joint_count != b->joint_count || a->frame_count == 0 || joints < 1)
    return NAN;
  double sum = 0;
  for (int f = 0; f < a->frame_count; f++)
    for (int i = 1; i <= joints; i++)
      sum += (double)quat_angle_between(quat_exp(rotation_at(a, f, i)), quat_exp(rotation_at(b, f, i)));
  return sum / (a->frame_count * joints);
}

// ---- Metrics ----

static double frame_time(int frame) { return (frame + 1) / HIT_RESPONSE_RATE; }

static void take_peak(double angle, int frame, double *peak, double *time) {
  if (!(angle > *peak))
    return;
  *peak = angle;
  *time = frame_time(frame);
}

// In deg; NAN where the body does not have the part. A peak of 0 has no time.
static double finished_peak(double peak, bool known) { return known ? peak / RAD_PER_DEGREE : NAN; }

MetricsHitResponse hit_response_metrics(const HitResponse *response) {
  MetricsHitResponse m = metrics_no_hit_response;
  if (response->frame_count < HIT_RESPONSE_FRAMES)
    return m;
  const ResponseFrames frames = hit_response_frames(response);
  m.size = response_size(&frames) / RAD_PER_DEGREE;
  m.peak = m.trunk_peak = m.head_peak = 0;
  for (int f = 0; f < response->frame_count; f++) {
    take_peak(response_angle(&frames, f), f, &m.peak, &m.peak_time);
    take_peak((double)response->trunk[f], f, &m.trunk_peak, &m.trunk_peak_time);
    take_peak((double)response->head[f], f, &m.head_peak, &m.head_peak_time);
  }
  m.peak = finished_peak(m.peak, response->joint_count > 1);
  m.trunk_peak = finished_peak(m.trunk_peak, isfinite(response->trunk[0]));
  m.head_peak = finished_peak(m.head_peak, isfinite(response->head[0]));
  for (int i = 1; i < response->joint_count; i++) {
    m.torque_onset = fmin(m.torque_onset, response->torque_onset[i]);
    if (response->leg_joint[i])
      m.leg_onset = fmin(m.leg_onset, response->torque_onset[i]);
    if (!response->struck_leg[i])
      continue;
    m.struck_leg_torque = fmin(m.struck_leg_torque, response->torque_onset[i]);
    m.struck_leg_command = fmin(m.struck_leg_command, response->command_onset[i]);
  }
  if (response->head_joint >= 0)
    m.neck_onset = response->torque_onset[response->head_joint];
  m.placement_time = response->placement.time;
  m.placement_shift = response->placement.shift;
  m.removed_ahead = response->removed.ahead;
  m.removed_side = response->removed.side;
  m.pressure_shift = response->pressure_shift;
  m.pressure_onset = response->pressure_onset;
  return m;
}

// ---- Recording ----

HitResponseWatch *hit_response_watch(SceneDef *def, HitResponse *response, Error *error) {
  HitResponseWatch *watch = calloc(1, sizeof *watch);
  *response = (HitResponse){.character = -1, .part = -1};
  if (!watch) {
    error_set(error, "out of memory for the run without the hit");
    return NULL;
  }
  watch->response = response;
  watch->twin = twin_create(def, -1, error);
  if (watch->twin)
    return watch;
  free(watch);
  return NULL;
}

static void finish_watch(HitResponseWatch *watch) {
  scene_destroy(watch->twin);
  watch->twin = NULL;
}

void hit_response_end(HitResponseWatch *watch) {
  if (!watch)
    return;
  finish_watch(watch);
  free(watch);
}

// Looks for the first hit in the step that the scene has just made. The twin has not made that step yet.
static void find_hit(HitResponseWatch *watch, const Scene *scene) {
  const World *world = scene->world;
  int next = 0;
  const Impulse *impulse = twin_next_blow(world, &next);
  if (!impulse)
    return;
  const WorldBody *body = &world->bodies[impulse->body];
  const BodyDef *struck = scene->characters[body->owner]->def->body;
  HitResponse *response = watch->response;
  watch->struck = true;
  twin_mute(watch->twin, impulse->event);
  watch->event = impulse->event;
  watch->heading = scene->characters[body->owner]->root.heading;
  response->time = world->time - world->def.dt;
  response->character = body->owner;
  response->part = body->part;
  response->joint_count = struck->part_count;
  response->pressure_shift = response->pressure_onset = NAN;
  response->placement = (PlacementShift){NAN, NAN};
  response->removed = (ErrorRemoved){NAN, NAN};
  for (int i = 0; i < struck->part_count; i++)
    response->torque_onset[i] = response->command_onset[i] = NAN;
  for (int i = 0; i < struck->skeleton.leg_count; i++) {
    const Leg *leg = &struck->skeleton.legs[i];
    const bool is_struck = body->part == leg->hip || body->part == leg->knee || body->part == leg->ankle;
    response->leg_joint[leg->hip] = response->leg_joint[leg->knee] = response->leg_joint[leg->ankle] = true;
    response->struck_leg[leg->hip] = response->struck_leg[leg->knee] = response->struck_leg[leg->ankle] |= is_struck;
  }
  FallBody parts;
  const bool is_human = fall_body_find(&parts, struck);
  watch->trunk = is_human ? parts.chest : -1;
  watch->head = response->head_joint = is_human ? parts.head : -1;
}

// rad, between a part's rotations in the world in two poses.
static float part_angle(const Skeleton *skeleton, const Pose *a, const Pose *b, int part) {
  if (part < 0)
    return NAN;
  vec3s position;
  versors rotations[2];
  pose_joint_transform(skeleton, a, part, &position, &rotations[0]);
  pose_joint_transform(skeleton, b, part, &position, &rotations[1]);
  return quat_angle_between(rotations[0], rotations[1]);
}

static void record_frame(const HitResponseWatch *watch, const Scene *scene) {
  HitResponse *response = watch->response;
  const Character *struck = scene->characters[response->character];
  const Skeleton *skeleton = &struck->def->body->skeleton;
  const Pose *with = &struck->shown.pose, *without = &watch->twin->characters[response->character]->shown.pose;
  const int frame = response->frame_count++;
  for (int i = 0; i < response->joint_count; i++) {
    const versors turned = glms_quat_mul(glms_quat_conjugate(without->rotation[i]), with->rotation[i]);
    memcpy(response->rotation[frame][i], quat_log(turned).raw, sizeof response->rotation[frame][i]);
  }
  response->trunk[frame] = part_angle(skeleton, without, with, watch->trunk);
  response->head[frame] = part_angle(skeleton, without, with, watch->head);
}

// N m: the torque that a joint's goal asks for, but for the joint's own angle and velocity.
static vec3s commanded(const JointGoal *goal) {
  const vec3s spring = glms_vec3_scale(quat_log(goal->rotation), (float)goal->stiffness);
  const vec3s damper = glms_vec3_scale(goal->angular_velocity_l, (float)goal->damping);
  return glms_vec3_add(glms_vec3_add(spring, damper), goal->feed_forward_l);
}

static void compare_commands(HitResponse *response, const Character *with, const Character *without, double age) {
  for (int i = 1; i < response->joint_count; i++) {
    if (!isnan(response->command_onset[i]))
      continue;
    const vec3s change = glms_vec3_sub(commanded(&with->joint_goals[i]), commanded(&without->joint_goals[i]));
    if ((double)glms_vec3_norm(change) > TORQUE_CHANGE)
      response->command_onset[i] = age;
  }
}

static void compare_torques(HitResponse *response, const Character *with, const Character *without, double age) {
  for (int i = 1; i < response->joint_count; i++) {
    const double *a = with->ragdoll->joints[i].torque_w, *b = without->ragdoll->joints[i].torque_w;
    const double change[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    if (isnan(response->torque_onset[i]) && length3(change) > TORQUE_CHANGE)
      response->torque_onset[i] = age;
  }
}

// As long as the same feet have carried load: a step moves the pressure by itself.
static void compare_pressures(HitResponseWatch *watch, const Character *with, const Character *without, double age) {
  HitResponse *response = watch->response;
  const double *a = with->judged->pressure, *b = without->judged->pressure, heading = without->root.heading;
  const double shift = fabs((a[0] - b[0]) * cos(heading) - (a[1] - b[1]) * sin(heading));
  watch->stepped |= memcmp(with->sensed.foot_loaded, without->sensed.foot_loaded, sizeof with->sensed.foot_loaded) != 0;
  if (watch->stepped)
    return;
  response->pressure_shift = fmax(response->pressure_shift, shift);
  if (isnan(response->pressure_onset) && shift > PRESSURE_CHANGE)
    response->pressure_onset = age;
}

static void track_strides(StrideTracker *tracker, const Character *character) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  const BodyState *sensed = &character->sensed;
  StrideSample sample = {.time = character->world->time,
                         .foot_count = skeleton->leg_count,
                         .velocity = {sensed->com_velocity[0], sensed->com_velocity[2]}};
  for (int i = 0; i < skeleton->leg_count; i++) {
    double sole[3];
    ragdoll_point(character->ragdoll, skeleton->legs[i].ankle, skeleton->legs[i].sole_l, sole);
    sample.air_time[i] = sensed->air_time[i];
    sample.place[i][0] = sole[0];
    sample.place[i][1] = sole[2];
  }
  stride_tracker_step(tracker, &sample);
}

static void compare_strides(HitResponseWatch *watch, const World *world) {
  HitResponse *response = watch->response;
  for (int i = 0; i < world->impulse_count; i++)
    if (world->impulses[i].event == watch->event)
      watch->end = world->time;
  const StrideTracker *with = &watch->strides[0], *without = &watch->strides[1];
  response->placement = stride_placement(with, without, watch->heading);
  response->placement.time -= response->time;
  response->removed = stride_error_removed(with, without, watch->heading, watch->end);
}

static void compare_step(HitResponseWatch *watch, const Scene *scene) {
  HitResponse *response = watch->response;
  const Character *with = scene->characters[response->character];
  const Character *without = watch->twin->characters[response->character];
  const double age = scene->world->time - response->time;
  compare_torques(response, with, without, age);
  compare_commands(response, with, without, age);
  compare_pressures(watch, with, without, age);
  track_strides(&watch->strides[0], with);
  track_strides(&watch->strides[1], without);
  compare_strides(watch, scene->world);
}

void hit_response_step(HitResponseWatch *watch, const Scene *scene) {
  if (!watch->twin)
    return;
  HitResponse *response = watch->response;
  if (!watch->struck)
    find_hit(watch, scene);
  bool goes_on = scene_step(watch->twin);
  if (goes_on && watch->struck) {
    // A frame of a scene with long steps is of the first step that ends at its time or later.
    const double age = scene->world->time - response->time;
    compare_step(watch, scene);
    while (response->frame_count < HIT_RESPONSE_FRAMES && age >= frame_time(response->frame_count) - TIME_TOLERANCE)
      record_frame(watch, scene);
    goes_on = response->frame_count < HIT_RESPONSE_FRAMES;
  }
  if (!goes_on)
    finish_watch(watch);
}
