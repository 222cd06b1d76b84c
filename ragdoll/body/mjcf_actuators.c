// The actuators of an MJCF file: how strong they make the joints, and how stiff.
#include <math.h>
#include <string.h>

#include "ragdoll/body/mjcf_internal.h"

static LinkJoint *find_joint(LinkModel *model, const char *name) {
  for (int i = 0; i < model->count; i++)
    for (int k = 0; k < model->links[i].joint_count; k++)
      if (strcmp(model->links[i].joints[k].name, name) == 0)
        return &model->links[i].joints[k];
  return NULL;
}

// The larger side of a range, if the switch that limits it says so.
static bool read_most(const MjcfNode *at, const char *attribute, const char *limited, double *most) {
  double range[2] = {0, 0};
  int is_limited = -1;
  if (!mjcf_reals(at, attribute, 2, range) || !mjcf_switch(at, limited, &is_limited))
    return false;
  if (is_limited == 1 || (is_limited < 0 && at->mjcf->autolimits))
    *most = fmax(fabs(range[0]), fabs(range[1]));
  return true;
}

// What a position servo is like; all 0: it is none.
typedef struct Servo {
  double stiffness, damping; // N m/rad, N m s/rad, before the gear
} Servo;

static const double RATIO_TIME = 0.05; // s: damping over stiffness of a servo whose damping ratio is 1, as of drives

// <position>, and a <general> whose force is kp (control - angle) - kv velocity.
static bool read_servo(const MjcfNode *at, Servo *servo) {
  double kp = 1, kv = 0, ratio = 0, bias[10] = {0};
  const char *kind = mjcf_text(at, "biastype");
  if (!mjcf_reals(at, "kp", 1, &kp) || !mjcf_reals(at, "kv", 1, &kv) || !mjcf_reals(at, "dampratio", 1, &ratio) ||
      mjcf_numbers(at, "biasprm", 1, 10, bias) < 0)
    return false;
  if (xml_is(at->node, "position"))
    *servo = (Servo){fmax(kp, 0), fmax(kv, 0)};
  else if (xml_is(at->node, "velocity"))
    *servo = (Servo){0, fmax(kv, 0)};
  else if (xml_is(at->node, "general") && kind && strcmp(kind, "affine") == 0)
    *servo = (Servo){fmax(-bias[1], 0), fmax(-bias[2], 0)};
  if (servo->damping <= 0)
    servo->damping = fmax(ratio, 0) * RATIO_TIME * servo->stiffness;
  return true;
}

static bool read_actuator(const MjcfNode *at) {
  const char *name = mjcf_text(at, "joint");
  LinkJoint *joint = name ? find_joint(at->mjcf->model, name) : NULL;
  if (!joint)
    return true; // of a tendon or a site, or of another body
  double gear[6] = {1}, control = 0, force = 0, gain[10] = {1};
  Servo servo = {0, 0};
  if (mjcf_numbers(at, "gear", 1, 6, gear) < 0 || !read_most(at, "ctrlrange", "ctrllimited", &control) ||
      !read_most(at, "forcerange", "forcelimited", &force) || !read_servo(at, &servo) ||
      mjcf_numbers(at, "gainprm", 1, 10, gain) < 0)
    return false;
  const bool is_servo = xml_is(at->node, "position") || xml_is(at->node, "velocity") || servo.stiffness > 0;
  const double ratio = fabs(gear[0]), by_control = xml_is(at->node, "general") ? fabs(gain[0]) * control : control;
  double strength = force > 0 ? force : is_servo ? 0 : by_control;
  if (!(strength > 0) && xml_is(at->node, "motor") && control <= 0)
    strength = 1; // a motor of unlimited control: its gear is its unit
  if (joint->strength <= 0 || (strength > 0 && strength * ratio < joint->strength))
    joint->strength = strength * ratio;
  if (servo.stiffness > 0)
    joint->stiffness = servo.stiffness * ratio * ratio;
  joint->damping += servo.damping * ratio * ratio;
  return true;
}

// The largest torque over all axes of a part's joint, which MuJoCo has no word for: a number NAME_strength of <custom>.
static bool read_norm(const MjcfNode *at) {
  const char *name = xml_attribute(at->node, "name"), *end = name ? strrchr(name, '_') : NULL;
  double strength = 0;
  if (!end || strcmp(end, "_strength") != 0)
    return true;
  if (!mjcf_reals(at, "data", 1, &strength))
    return false;
  for (int i = 0; i < at->mjcf->model->count; i++) {
    Link *link = &at->mjcf->model->links[i];
    if (strlen(link->name) == (size_t)(end - name) && strncmp(link->name, name, (size_t)(end - name)) == 0)
      link->norm_strength = fmax(strength, 0);
  }
  return true;
}

bool mjcf_actuators(const Mjcf *mjcf) {
  for (const XmlNode *list = xml_child(mjcf->root, "custom"); list; list = xml_next(list))
    for (const XmlNode *node = xml_child(list, "numeric"); node; node = xml_next(node))
      if (!read_norm(&(MjcfNode){mjcf, node, ""}))
        return false;

  for (const XmlNode *list = xml_child(mjcf->root, "actuator"); list; list = xml_next(list))
    for (const XmlNode *node = list->first; node; node = node->next) {
      const MjcfNode at = {mjcf, node, ""};
      if (!mjcf_check_class(&at) || !read_actuator(&at))
        return false;
    }
  return true;
}
