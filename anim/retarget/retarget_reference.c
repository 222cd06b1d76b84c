// Finds the pose of a motion that stands for our bind pose: the rest pose of its file, if that stands, or else the
// frame that stands most upright. Files are saved in all kinds of poses: sitting, crouched, as the mesh was modelled.
#include <float.h>
#include <math.h>

#include "anim/retarget/retarget_internal.h"
#include "sim/base/numbers.h"

static const float STANDS = 0.7f;     // rad, 40 deg: no bone of a leg leans more in a pose that stands
static const float DEGENERATE = 0.1f; // of a leg's length: shorter bones are missing in the rest pose
enum { FRAMES = 400 };                // most frames examined

static float angle_to(vec3s v, vec3s unit) {
  return (float)angle_of_cosine((double)glms_vec3_dot(glms_vec3_normalize(v), unit));
}

// The largest angle of a thigh or shin with the line that goes on from the trunk, rad; trunk_down: unit.
static float largest_lean(const RetargetRig *rig, vec3s trunk_down) {
  float most = 0;
  for (int l = 0; l < rig->skeleton->leg_count; l++) {
    const Leg *leg = &rig->skeleton->legs[l];
    const int *source = rig->map->source;
    vec3s hip = rig->positions[source[leg->hip]], knee = rig->positions[source[leg->knee]];
    vec3s thigh = glms_vec3_sub(knee, hip), shin = glms_vec3_sub(rig->positions[source[leg->ankle]], knee);
    float length = glms_vec3_norm(thigh) + glms_vec3_norm(shin);
    if (!(glms_vec3_norm(thigh) > DEGENERATE * length && glms_vec3_norm(shin) > DEGENERATE * length))
      return GLM_PIf;
    most = fmaxf(most, fmaxf(angle_to(thigh, trunk_down), angle_to(shin, trunk_down)));
  }
  return most;
}

// Down along the trunk: from its highest matched joint to the hips.
static vec3s trunk_down(const RetargetRig *rig) {
  const Skeleton *skeleton = rig->skeleton;
  const int *source = rig->map->source;
  vec3s middle = glms_vec3_zero(), down = {{0, -1, 0}};
  for (int l = 0; l < skeleton->leg_count; l++)
    middle =
        glms_vec3_muladds(rig->positions[source[skeleton->legs[l].hip]], 1.0f / (float)skeleton->leg_count, middle);
  for (int i = 1; i < skeleton->count; i++)
    if (source[i] >= 0 && skeleton->twin[i] == i && glms_vec3_distance(middle, rig->positions[source[i]]) > 1e-5f)
      down = glms_vec3_normalize(glms_vec3_sub(middle, rig->positions[source[i]]));
  return down;
}

double retarget_find_reference(const RetargetRig *rig) {
  if (rig->options->reference > RETARGET_FIND)
    return rig->options->reference;
  if (rig->skeleton->leg_count != 2) // the legs of others are bent as they stand
    return RETARGET_REST;
  const Motion *motion = rig->motion;
  retarget_place_rest(motion, rig->positions, rig->rotations);
  if (largest_lean(rig, trunk_down(rig)) < STANDS)
    return RETARGET_REST;
  double best_time = RETARGET_REST;
  float best = STANDS;
  for (int f = 0, step = motion->frame_count / FRAMES + 1; f < motion->frame_count; f += step) {
    retarget_rig_place(rig, f / motion->frame_rate);
    const vec3s down = {{0, -1, 0}};
    float lean = fmaxf(largest_lean(rig, down), angle_to(trunk_down(rig), down));
    if (lean < best) {
      best = lean;
      best_time = f / motion->frame_rate;
    }
  }
  return best_time;
}
