// Retargeting as a sequence of steps, each in a file of its own: match joints, measure the source, convert poses, plant
// feet, find contacts.
#include "anim/retarget/retarget.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "anim/retarget/retarget_internal.h"

static const double LARGEST_RATE = 60;    // Hz of the keys, unless the options ask for more
static const double WORTH_TELLING = 0.35; // rad, 20 deg: tilt of soles in a rest pose that does not stand flat

RetargetOptions retarget_options_default(void) {
  RetargetOptions options = {
      .loop = false, .loop_blend = 0.2, .plant = true, .clearance = 0.025, .reference = RETARGET_FIND};
  for (int i = 0; i < SKELETON_MAX_JOINTS; i++)
    options.reference_turn[i] = glms_quat_identity();
  return options;
}

// ---- What it came to ----

void retarget_measure(const Clip *clip, RetargetReport *report) {
  report->contact_count = clip->contact_count;
  double step = clip_key_step(clip) / 2; // also between the keys, where poses are interpolated
  for (int c = 0; c < clip->contact_count; c++) {
    const ClipContact *contact = &clip->contacts[c];
    const Leg *leg = &clip->skeleton->legs[contact->leg];
    vec3s moved = glms_vec3_zero(), last[2] = {{{0, 0, 0}}, {{0, 0, 0}}};
    int samples = step > 0 ? (int)floor((double)contact_length(clip, contact) / step + 0.5) - 1 : 1;
    for (int i = 0; i < samples; i++) {
      double time = (double)contact->begin + i * step;
      Pose pose;
      clip_sample(clip, (float)time, &pose);
      vec3s position, now[2];
      versors rotation;
      clip_root_at(clip, time, &position, &rotation);
      pose_transform(&pose, position, rotation);
      sole_points(clip->skeleton, leg, &pose, now);
      report->ground_gap_max = fmax(report->ground_gap_max, (double)fabsf(fminf(now[0].y, now[1].y)));
      int edge = now[0].y + last[0].y < now[1].y + last[1].y ? 0 : 1; // the edge (heel or toe) that stands
      if (i > 0)
        moved = glms_vec3_add(moved, glms_vec3_sub(now[edge], last[edge]));
      report->slip_max = fmax(report->slip_max, hypot((double)moved.x, (double)moved.z));
      last[0] = now[0];
      last[1] = now[1];
    }
  }
}

// ---- The clip ----

typedef struct Span {
  double from, duration, rate; // s, s, Hz
  int intervals;
} Span;

static bool find_span(Span *span, const Motion *motion, const RetargetOptions *options, Error *error) {
  double length = (motion->frame_count - 1) / motion->frame_rate, to = options->to;
  span->from = options->from;
  if (to <= options->from)
    to = length;
  const double slack = 0.5 / motion->frame_rate; // a time rounded in the file may lie behind the last frame
  if (options->from < 0 || to > length + slack || options->from > length)
    return error_set(error, "%g .. %g s lies outside the motion '%s' of 0 .. %g s", options->from, to, motion->name,
                     length);
  span->duration = fmax(fmin(to, length) - options->from, 1 / motion->frame_rate);
  span->rate = options->rate > 0 ? options->rate : fmin(motion->frame_rate, LARGEST_RATE);
  span->intervals = (int)fmax(floor(span->duration * span->rate + 0.5), 1);
  if (span->intervals >= CLIP_MAX_KEYS)
    return error_set(error, "%d keys are too many for a clip, which has at most %d; take a part of '%s'",
                     span->intervals, CLIP_MAX_KEYS, motion->name);
  return true;
}

static bool is_finite_pose(const Pose *pose) {
  float sum = 0;
  for (int i = 0; i < pose->count; i++)
    sum += glms_vec3_norm(pose->position[i]) + glms_quat_norm(pose->rotation[i]);
  return isfinite(sum);
}

static int first_child(const Skeleton *skeleton, int joint) {
  for (int i = joint + 1; i < skeleton->count; i++)
    if (skeleton->parent[i] == joint && glms_vec3_norm(skeleton->bind_position_l[i]) > 0)
      return i;
  return -1;
}

// How far a joint's rotation turns what hangs on it between two poses, rad: its bone and the next one. A turn of a
// straight arm about itself is not seen. For parts at the end the whole rotation counts.
static double visible_change(const Skeleton *skeleton, int joint, const Pose *before, const Pose *after) {
  versors a = before->rotation[joint], b = after->rotation[joint];
  int child = first_child(skeleton, joint), next = child >= 0 ? first_child(skeleton, child) : -1;
  if (child < 0)
    return (double)quat_angle_between(a, b);
  vec3s bone = skeleton->bind_position_l[child];
  double most = (double)glms_vec3_angle(glms_quat_rotatev(a, bone), glms_quat_rotatev(b, bone));
  if (next >= 0) {
    bone = glms_quat_rotatev(before->rotation[child], skeleton->bind_position_l[next]);
    most = fmax(most, (double)glms_vec3_angle(glms_quat_rotatev(a, bone), glms_quat_rotatev(b, bone)));
  }
  return most;
}

// Brings all keys into the joints' ranges, and reports what lay beyond.
static void limit_keys(Clip *clip, const RetargetLimits *limits, RetargetReport *report) {
  for (int k = 0; k < clip->key_count; k++) {
    Pose *pose = &clip->keys[k];
    retarget_turn_legs(clip->skeleton, limits, pose);
    const Pose own = *pose;
    double joints[SKELETON_MAX_JOINTS] = {0};
    double excess = retarget_limit(clip->skeleton, limits, RETARGET_MARGIN, pose, joints);
    report->limit_excess_max = fmax(report->limit_excess_max, excess);
    for (int i = 1; i < clip->skeleton->count; i++) {
      report->joint_excess[i] = fmax(report->joint_excess[i], joints[i]);
      if (fmin(joints[i], visible_change(clip->skeleton, i, &own, pose)) > RETARGET_FAR)
        report->joint_far[i] += 1.0 / clip->key_count;
    }
  }
}

static bool fill_keys(Clip *clip, RetargetRig *rig, const RetargetLimits *limits, const Span *span,
                      const RetargetOptions *options, RetargetReport *report, Error *error) {
  for (int k = 0; k <= span->intervals; k++)
    retarget_rig_pose(rig, span->from + span->duration * k / span->intervals, &clip->keys[k]);
  retarget_root(clip, clip->keys, span->intervals + 1, options);
  clip->key_count = options->loop ? span->intervals : span->intervals + 1;
  if (!retarget_level_soles(clip, &report->sole_tilt_max, error) || !retarget_ground(clip, error))
    return false;
  // The speed of a motion on the spot is that of the figure's own feet: ranges of joints would cut a long stride short.
  bool on_the_spot = !options->keep_root && clip->root_turn_rate == 0 && glms_vec3_norm(clip->root_velocity_l) == 0;
  if (on_the_spot && retarget_tread(clip))
    report->tread_speed = (double)glms_vec3_norm(clip->root_velocity_l);
  limit_keys(clip, limits, report);
  if (!retarget_ground(clip, error))
    return false;
  if (!options->plant)
    clip_find_contacts(clip);
  else if (!retarget_plant(clip, limits, options->clearance, &report->limit_excess_max, error))
    return false;
  contacts_mark(clip);
  retarget_measure(clip, report);
  for (int k = 0; k < clip->key_count; k++)
    if (!is_finite_pose(&clip->keys[k]))
      return error_set(error, "the motion '%s' leads to poses that are not finite", clip->name);
  return true;
}

// Recordings bend knees about x, across the leg. A body whose knees are hinges about another axis, as those of a lizard
// that holds its legs out to the sides, would have to be turned to follow one.
static bool check_knees(const Skeleton *skeleton, const RetargetLimits *limits, Error *error) {
  char names[400] = "";
  size_t used = 0;
  for (int l = 0; limits && l < skeleton->leg_count; l++) {
    int knee = skeleton->legs[l].knee;
    if (limits->hinge[knee] && limits->twist_axis[knee] != 0 && used + SKELETON_NAME_SIZE + 8 < sizeof names)
      used += (size_t)snprintf(names + used, sizeof names - used, "%s%s about %c", used ? ", " : "",
                               skeleton->names[knee], 'x' + limits->twist_axis[knee]);
  }
  return used == 0 || error_set(error,
                                "'%s' cannot follow recorded motion, which bends knees about x, across the leg; its "
                                "own bend otherwise: %s",
                                skeleton->name, names);
}

Clip *retarget(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton, const RetargetLimits *limits,
               const RetargetOptions *options, RetargetReport *report, Error *error) {
  RetargetReport ignored;
  report = report ? report : &ignored;
  *report = (RetargetReport){0};
  Span span = {0};
  if (!check_knees(skeleton, limits, error) || !find_span(&span, motion, options, error))
    return NULL;

  RetargetRig rig;
  Clip *clip = calloc(1, sizeof *clip);
  bool good = retarget_rig_init(&rig, motion, map, skeleton, options, error);
  if (clip)
    clip->keys = malloc((size_t)(span.intervals + 1) * sizeof *clip->keys);
  if (good && clip && clip->keys) {
    snprintf(clip->name, sizeof clip->name, "%s", motion->name);
    clip->skeleton = skeleton;
    clip->loop = options->loop;
    clip->duration = clip->safe_to = (float)span.duration;
    clip->key_count = span.intervals + 1;
    report->scale = rig.scale;
    report->reference = rig.reference;
    report->recorded = (motion->frame_count - 1) / motion->frame_rate;
    report->from = span.from;
    report->to = span.from + span.duration;
    good = fill_keys(clip, &rig, limits, &span, options, report, error);
  } else if (good) {
    good = error_set(error, "out of memory for %d keys of '%s'", span.intervals + 1, motion->name);
  }
  retarget_rig_free(&rig);
  if (good)
    return clip;
  clip_free(clip);
  return NULL;
}

bool retarget_excess_text(const RetargetReport *report, const Skeleton *skeleton, double least, char *text,
                          size_t size) {
  bool done[SKELETON_MAX_JOINTS] = {false};
  size_t length = 0;
  text[0] = '\0';
  for (;;) {
    int worst = -1;
    for (int i = 1; i < skeleton->count; i++)
      if (!done[i] && report->joint_excess[i] > least &&
          (worst < 0 || report->joint_excess[i] > report->joint_excess[worst]))
        worst = i;
    if (worst < 0 || length + SKELETON_NAME_SIZE + 16 >= size)
      return length > 0;
    done[worst] = true;
    length += (size_t)snprintf(text + length, size - length, "%s%s %.0f deg", length > 0 ? ", " : "",
                               skeleton->names[worst], report->joint_excess[worst] * 180 / M_PI);
  }
}

void retarget_note_text(const RetargetReport *report, char *text, size_t size) {
  size_t length = 0;
  text[0] = '\0';
  if (!(report->scale > 0)) // a keyframe clip, which was not retargeted
    return;
  if (report->is_cut)
    length = (size_t)snprintf(text, size,
                              "takes %.2f of %.2f s, the cleanest cycle of a gait, from %.3f to %.3f s; `loop: false` "
                              "in a clip file takes all",
                              report->to - report->from, report->recorded, report->from, report->to);
  if (report->reference >= 0 && length < size)
    length += (size_t)snprintf(text + length, size - length, "%sthe pose at %.2f s stands for the bind pose",
                               length ? "; " : "", report->reference);
  if (report->sole_tilt_max > WORTH_TELLING && length < size)
    length += (size_t)snprintf(text + length, size - length,
                               "%sfeet that stand are tilted by %.0f deg against the reference pose, and were levelled",
                               length ? "; " : "", report->sole_tilt_max * 180 / M_PI);
  if (report->tread_speed > 0 && length < size)
    snprintf(text + length, size - length,
             "%sgoes on the spot, so its speed of %.2f m/s is that of its standing feet backward", length ? "; " : "",
             report->tread_speed);
}
