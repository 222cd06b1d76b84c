// Attributes of MJCF: their defaults by class, numbers, and the many ways to give an orientation.
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "ragdoll/body/mjcf_internal.h"
#include "sim/base/numbers.h"

// ---- Classes ----

// The <default> with this class, in a node and below it.
static const XmlNode *find_class(const XmlNode *in, const char *name) {
  for (const XmlNode *node = xml_child(in, "default"); node; node = xml_next(node)) {
    const char *class = xml_attribute(node, "class");
    if (class && strcmp(class, name) == 0)
      return node;
    const XmlNode *below = find_class(node, name);
    if (below)
      return below;
  }
  return NULL;
}

static const char *class_of(const MjcfNode *at) {
  const char *class = xml_attribute(at->node, "class");
  return class ? class : at->childclass;
}

// Of the class, or of the classes around it. MuJoCo's <freejoint> takes nothing from classes.
static const char *default_text(const MjcfNode *at, const XmlNode *class, const char *attribute) {
  for (; class && xml_is(class, "default"); class = class->parent) {
    const char *text = xml_attribute(xml_child(class, at->node->name), attribute);
    if (text)
      return text;
  }
  return NULL;
}

const char *mjcf_text(const MjcfNode *at, const char *attribute) {
  const char *text = xml_attribute(at->node, attribute), *class = class_of(at);
  if (text || xml_is(at->node, "body"))
    return text;
  const XmlNode *root = at->mjcf->root;
  text = class[0] != '\0' ? default_text(at, find_class(root, class), attribute) : NULL;
  for (const XmlNode *main = xml_child(root, "default"); main && !text; main = xml_next(main))
    text = default_text(at, main, attribute);
  return text;
}

bool mjcf_check_class(const MjcfNode *at) {
  const char *class = class_of(at);
  if (class[0] == '\0' || strcmp(class, "main") == 0 || find_class(at->mjcf->root, class))
    return true;
  return xml_error(at->node, at->mjcf->error, "there is no <default class=\"%s\">", class);
}

// ---- Values ----

int mjcf_numbers(const MjcfNode *at, const char *attribute, int least, int most, double values[]) {
  const char *text = mjcf_text(at, attribute);
  return text ? xml_numbers(at->node, attribute, text, least, most, values, at->mjcf->error) : 0;
}

bool mjcf_reals(const MjcfNode *at, const char *attribute, int count, double values[]) {
  return mjcf_numbers(at, attribute, count, count, values) >= 0;
}

bool mjcf_switch(const MjcfNode *at, const char *attribute, int *value) {
  const char *text = mjcf_text(at, attribute);
  if (!text)
    return true;
  if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0 && strcmp(text, "auto") != 0)
    return xml_error(at->node, at->mjcf->error, "%s is '%s', allowed are true, false, auto", attribute, text);
  *value = text[0] == 't' ? 1 : text[0] == 'f' ? 0 : -1;
  return true;
}

// ---- Orientations, in MuJoCo's axes ----

static bool unit(const MjcfNode *at, const char *attribute, double v[], int count) {
  double square = 0;
  for (int i = 0; i < count; i++)
    square += v[i] * v[i];
  if (!(square > 1e-24 && isfinite(square)))
    return xml_error(at->node, at->mjcf->error, "%s has no direction: its length is 0", attribute);
  for (int i = 0; i < count; i++)
    v[i] /= sqrt(square);
  return true;
}

static void about_axis(const double axis[3], double angle, double q[4]) {
  q[0] = cos(angle / 2);
  for (int i = 0; i < 3; i++)
    q[1 + i] = sin(angle / 2) * axis[i];
}

static void from_euler(const Mjcf *mjcf, const double angles[3], double q[4]) {
  memcpy(q, (double[4]){1, 0, 0, 0}, 4 * sizeof *q);
  for (int i = 0; i < 3; i++) {
    const char letter = mjcf->euler[i];
    double axis[3] = {0}, turn[4], old[4];
    axis[tolower((unsigned char)letter) - 'x'] = 1;
    about_axis(axis, mjcf->radians ? angles[i] : angles[i] * RAD_PER_DEGREE, turn);
    memcpy(old, q, sizeof old);
    if (isupper((unsigned char)letter)) // about a fixed axis
      quaternion_times(turn, old, q);
    else
      quaternion_times(old, turn, q);
  }
}

// columns: the axes x, y, z of the frame.
static void from_axes(const double x[3], const double y[3], const double z[3], double q[4]) {
  const double w = sqrt(max_d(0, 1 + x[0] + y[1] + z[2])) / 2;
  q[0] = w;
  q[1] = copysign(sqrt(max_d(0, 1 + x[0] - y[1] - z[2])) / 2, y[2] - z[1]);
  q[2] = copysign(sqrt(max_d(0, 1 - x[0] + y[1] - z[2])) / 2, z[0] - x[2]);
  q[3] = copysign(sqrt(max_d(0, 1 - x[0] - y[1] + z[2])) / 2, x[1] - y[0]);
  if (w > 1e-6)
    return;
  // Half a turn: the signs of the products decide.
  const int largest = fabs(q[1]) >= fabs(q[2]) && fabs(q[1]) >= fabs(q[3]) ? 1 : fabs(q[2]) >= fabs(q[3]) ? 2 : 3;
  const double *columns[3] = {x, y, z};
  for (int i = 1; i <= 3; i++)
    if (i != largest)
      q[i] = copysign(fabs(q[i]), columns[i - 1][largest - 1] * (q[largest] < 0 ? -1 : 1));
}

static bool from_xyaxes(const MjcfNode *at, double v[6], double q[4]) {
  double *x = v, *y = v + 3, z[3];
  if (!unit(at, "xyaxes", x, 3))
    return false;
  const double along = dot3(x, y);
  for (int i = 0; i < 3; i++)
    y[i] -= along * x[i];
  if (!unit(at, "xyaxes", y, 3))
    return false;
  cross3(x, y, z);
  from_axes(x, y, z, q);
  return true;
}

static void from_zaxis(const double z[3], double q[4]) {
  const double axis[3] = {-z[1], z[0], 0}, across = length3(axis);
  const double unit_axis[3] = {across > 1e-12 ? axis[0] / across : 1, across > 1e-12 ? axis[1] / across : 0, 0};
  about_axis(unit_axis, atan2(across, z[2]), q);
}

enum { QUAT, AXISANGLE, EULER, XYAXES, ZAXIS, KIND_COUNT };

static bool read_rotation(const MjcfNode *at, double q[4]) {
  static const char *const names[KIND_COUNT] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
  static const int counts[KIND_COUNT] = {4, 4, 3, 6, 3};
  int given = -1;
  for (int i = 0; i < KIND_COUNT; i++) {
    if (!mjcf_text(at, names[i]))
      continue;
    if (given >= 0)
      return xml_error(at->node, at->mjcf->error, "has both %s and %s, allowed is one orientation", names[given],
                       names[i]);
    given = i;
  }
  double v[6];
  if (given < 0)
    return true;
  if (!mjcf_reals(at, names[given], counts[given], v))
    return false;
  if (given == XYAXES)
    return from_xyaxes(at, v, q);
  if (given == EULER) {
    from_euler(at->mjcf, v, q);
    return true;
  }
  if (!unit(at, names[given], v, given == QUAT ? 4 : 3))
    return false;
  if (given == QUAT)
    memcpy(q, v, 4 * sizeof *q);
  else if (given == ZAXIS)
    from_zaxis(v, q);
  else
    about_axis(v, at->mjcf->radians ? v[3] : v[3] * RAD_PER_DEGREE, q);
  return true;
}

bool mjcf_frame(const MjcfNode *at, Frame *frame) {
  double place[3] = {0}, q[4] = {1, 0, 0, 0};
  if (!mjcf_reals(at, "pos", 3, place) || !read_rotation(at, q))
    return false;
  mjcf_to_ours(place, frame->place);
  frame->rotation[0] = q[0];
  mjcf_to_ours(q + 1, frame->rotation + 1);
  return true;
}
