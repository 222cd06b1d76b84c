// The clips that come with Stagger, on the human body: what the tests of gaits and of single moves share.
#ifndef STAGGER_TESTS_CLIP_SET_H
#define STAGGER_TESTS_CLIP_SET_H

// cmocka wants these first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <math.h>
#include <cmocka.h>

#include "anim/clip.h"
#include "ragdoll/body/body_def.h"

static const float RAD = (float)(GLM_PI / 180);

static FileSet files;
static BodyDef *body;

// NULL and a message if there is no such clip.
static inline Clip *load_clip(const char *name) {
  Error error = {0};
  char path[64];
  snprintf(path, sizeof path, "clips/%s.yaml", name);
  Clip *clip = clip_read(&files, path, &body->skeleton, &error);
  if (!clip)
    print_error("%s\n", error.text);
  return clip;
}

static inline bool load_body(void) {
  Error error = {0};
  body = body_read(&files, "bodies/human.yaml", &error);
  if (!body)
    print_error("%s\n", error.text);
  return body != NULL;
}

static inline void free_body(void) {
  body_free(body);
  files_free(&files);
}

static inline ModelPose model_at(const Clip *clip, float time) {
  Pose pose;
  clip_sample(clip, time, &pose);
  ModelPose model;
  pose_to_model(&body->skeleton, &pose, &model);
  return model;
}

// A point of the root's frame over the ground, over which the root moves or turns (no clip does both). The runner's
// turn clips are made for a root that goes from 3.5 m/s backward to 3.5 m/s ahead at a constant acceleration.
static inline vec3s over_ground(const Clip *clip, vec3s point, float time) {
  if (strncmp(clip->name, "run_turn_180", 12) == 0) {
    float braked = time - clip->change_from, span = clip->change_to - clip->change_from;
    point.z += 3.5f * (fmaxf(0, braked) * fmaxf(0, braked) / span - braked);
  }
  float turned = clip->root_turn_rate * time;
  point = glms_quat_rotatev(glms_quatv(turned, (vec3s){{0, 1, 0}}), point);
  return glms_vec3_muladds(clip->root_velocity_l, time, point);
}

// A point of a foot's sole over the ground.
static inline vec3s sole_point(const Clip *clip, const Leg *leg, vec3s point_l, float time) {
  ModelPose model = model_at(clip, time);
  vec3s p = glms_vec3_add(model.position[leg->ankle], glms_quat_rotatev(model.rotation[leg->ankle], point_l));
  return over_ground(clip, p, time);
}

static inline float contact_length(const Clip *clip, const ClipContact *contact) {
  return contact->end - contact->begin + (contact->end < contact->begin ? clip->duration : 0);
}

// While a foot stands, the supporting edge of its sole stays at its place and on the ground.
static inline void assert_feet_stay(const Clip *clip, float slip, float off_ground) {
  enum { SAMPLES = 300 };
  for (int c = 0; c < clip->contact_count; c++) {
    const ClipContact *contact = &clip->contacts[c];
    const Leg *leg = &body->skeleton.legs[contact->leg];
    float length = contact_length(clip, contact);
    vec3s moved = glms_vec3_zero(), last[2] = {{{0, 0, 0}}};
    for (int k = 0; k < SAMPLES; k++) {
      float time = contact->begin + length * (float)k / SAMPLES;
      vec3s now[2] = {sole_point(clip, leg, leg->heel_l, time), sole_point(clip, leg, leg->toe_l, time)};
      float low = fminf(now[0].y, now[1].y);
      if (fabsf(low) > off_ground)
        fail_msg("%s: the standing %s sole is at %.4f m at %.3f s", clip->name, leg->name, (double)low, (double)time);
      int edge = now[0].y + last[0].y < now[1].y + last[1].y ? 0 : 1; // the supporting one
      if (k)
        moved = glms_vec3_add(moved, glms_vec3_sub(now[edge], last[edge]));
      if (hypotf(moved.x, moved.z) > slip)
        fail_msg("%s: the %s foot slips %.4f m at %.3f s", clip->name, leg->name, (double)hypotf(moved.x, moved.z),
                 (double)time);
      last[0] = now[0];
      last[1] = now[1];
    }
  }
}

// Of q = Rx Rz Ry.
static inline float angle_about_y(versors q) {
  return atan2f(2 * (q.x * q.z + q.y * q.w), 1 - 2 * (q.y * q.y + q.z * q.z));
}

// Every joint of every key is inside its range by `margin` (rad); hinges, and joints of two axes, turn about their own
// axes only.
static inline void assert_joints_in_limits(const Clip *clip, float margin) {
  for (int k = 0; k < clip->key_count; k++)
    for (int j = 1; j < body->part_count; j++) {
      const JointDef *joint = &body->parts[j].joint;
      vec3s axis = {{0, 0, 0}};
      axis.raw[joint->twist_axis] = 1;
      versors q = clip->keys[k].rotation[j], swing, twist;
      quat_swing_twist(q, axis, &swing, &twist);
      vec3s s = quat_log(swing), t = quat_log(twist);
      for (int a = 0; a < 3; a++) {
        bool hinge = joint->kind == JOINT_HINGE, twisting = a == joint->twist_axis;
        float angle = twisting ? t.raw[a] : s.raw[a];
        if (joint->kind == JOINT_UNIVERSAL && twisting) // q = Rx Rz: nothing about y
          assert_true(fabsf(angle_about_y(q)) < 0.1f * RAD);
        else if (hinge && !twisting)
          assert_true(fabsf(angle) < 0.1f * RAD);
        else if (angle < (float)joint->limit[a][0] + (hinge ? 0 : margin) ||
                 angle > (float)joint->limit[a][1] - (hinge ? 0 : margin))
          fail_msg("%s: %s turns %.1f deg about %c in key %d", clip->name, body->parts[j].name, (double)(angle / RAD),
                   "xyz"[a], k);
      }
    }
}

static inline float key_interval(const Clip *clip) {
  return clip->duration / (float)(clip->loop ? clip->key_count : clip->key_count > 1 ? clip->key_count - 1 : 1);
}

static inline vec3s center_of_mass(const Pose *pose) {
  ModelPose model;
  pose_to_model(&body->skeleton, pose, &model);
  vec3s center = glms_vec3_zero();
  for (int i = 0; i < body->part_count; i++) {
    const PartDef *part = &body->parts[i];
    vec3s at_l;
    for (int a = 0; a < 3; a++)
      at_l.raw[a] = (float)(part->com[a] - part->joint.position[a]);
    vec3s at = glms_vec3_add(model.position[i], glms_quat_rotatev(model.rotation[i], at_l));
    center = glms_vec3_muladds(at, (float)(part->mass / body->mass), center);
  }
  return center;
}

// Key k of one clip is the mirror image of the key `shift` later of the other.
static inline void assert_mirrors(const Clip *a, const Clip *b, int shift) {
  assert_int_equal(a->key_count, b->key_count);
  for (int k = 0; k < a->key_count; k++) {
    const Pose *p = &a->keys[k], *q = &b->keys[(k + shift) % a->key_count];
    assert_true(fabsf(p->position[0].x + q->position[0].x) < 1e-6f);
    assert_true(fabsf(p->position[0].y - q->position[0].y) < 1e-6f);
    assert_true(fabsf(p->position[0].z - q->position[0].z) < 1e-6f);
    for (int j = 0; j < p->count; j++) {
      versors twin = q->rotation[body->skeleton.twin[j]];
      versors mirrored = {{twin.x, -twin.y, -twin.z, twin.w}};
      assert_true(quat_angle_between(p->rotation[j], mirrored) < 1e-5f);
    }
  }
}

#endif
