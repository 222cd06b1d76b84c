// Reads keyframe clips (format: scenes/clips/README.md).
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/clip.h"
#include "sim/base/document.h"
#include "sim/base/numbers.h"

static const double LARGEST = 1e6; // limit of all numbers in a clip: larger ones are mistakes, and their squares
                                   // overflow

// Rotation about x, then z, then y of the joint's own axes.
static versors quat_from_xzy(const double degrees[3]) {
  double half[3], c[3], s[3];
  for (int i = 0; i < 3; i++) {
    half[i] = degrees[i] * RAD_PER_DEGREE / 2;
    c[i] = cos(half[i]);
    s[i] = sin(half[i]);
  }
  // Rx Rz = (sx cz, -sx sz, cx sz, cx cz), times Ry = (0, sy, 0, cy).
  double x = s[0] * c[2], y = -s[0] * s[2], z = c[0] * s[2], w = c[0] * c[2];
  return (versors){{(float)(x * c[1] - z * s[1]), (float)(y * c[1] + w * s[1]), (float)(z * c[1] + x * s[1]),
                    (float)(w * c[1] - y * s[1])}};
}

static const Node *required(const Node *map, const char *key, Error *error) {
  const Node *node = node_find(map, key);
  if (!node)
    node_error(map, error, "the clip lacks '%s'", key);
  return node;
}

static bool read_reals(const Node *node, double *values, int count, Error *error) {
  if (!node_reals(node, values, count, error))
    return false;
  for (int i = 0; i < count; i++)
    if (fabs(values[i]) > LARGEST)
      return node_error(node_at(node, i), error, "%g is too large; numbers in a clip lie within +-%g", values[i],
                        LARGEST);
  return true;
}

static bool read_time(const Node *node, float duration, float *time, Error *error) {
  double value;
  if (!node_real(node, &value, error))
    return false;
  if (value < 0 || (float)value > duration)
    return node_error(node, error, "the time %g s lies outside the clip's 0 .. %g s", value, (double)duration);
  *time = (float)value;
  return true;
}

// Reads [begin, end] in s.
static bool read_span(const Node *node, const Clip *clip, bool may_wrap, float *begin, float *end, Error *error) {
  if (node->kind != NODE_LIST || node->count != 2)
    return node_error(node, error, "expected [begin, end] in s");
  if (!read_time(node->first, clip->duration, begin, error) || !read_time(node->last, clip->duration, end, error))
    return false;
  if (*end < *begin && !may_wrap)
    return node_error(node->last, error, "the end %g s comes before the beginning %g s", (double)*end, (double)*begin);
  return true;
}

// ---- Keys ----

// Whether a list of keys is a single key [x, y, z] instead of [[x, y, z], ...].
static bool is_single(const Node *node) { return node->kind == NODE_LIST && node->first->kind == NODE_SCALAR; }

static int keys_in(const Node *node) { return is_single(node) ? 1 : node->count; }

// All lists of keys must have the same length, or length 1. Sets `setter` to the first list with more than one key.
static bool count_keys(const Node *node, int *count, const Node **setter, Error *error) {
  if (node->kind != NODE_LIST || node->count == 0)
    return node_error(node, error, "expected a list of keys, [[x, y, z], ...]");
  int here = keys_in(node);
  if (here > CLIP_MAX_KEYS)
    return node_error(node, error, "%d keys are too many; a clip has at most %d", here, CLIP_MAX_KEYS);
  if (here == 1)
    return true;
  if (*setter && here != *count)
    return node_error(node, error, "%d keys, but '%s' in line %d has %d; a list has as many keys or just one", here,
                      (*setter)->key, (*setter)->key_line, *count);
  *count = here;
  *setter = node;
  return true;
}

// Checks the names of the joints and the lengths of all lists of keys.
static bool check_keys(const Node *root, const Skeleton *skeleton, int *count, Error *error) {
  *count = 1;
  const Node *setter = NULL, *position = node_find(root, "root_position"), *rotation = node_find(root, "root_rotation"),
             *joints = node_find(root, "joints");
  if (position && !count_keys(position, count, &setter, error))
    return false;
  if (rotation && !count_keys(rotation, count, &setter, error))
    return false;
  if (!joints)
    return true;
  if (joints->kind != NODE_MAP)
    return node_error(joints, error, "expected a map of joints and their keys");
  for (const Node *n = joints->first; n; n = n->next) {
    int joint = skeleton_find(skeleton, n->key);
    if (joint < 0 && skeleton_lacks(skeleton, n->key))
      continue;
    if (joint < 0)
      return node_key_error(n, error, "'%s' has no joint '%s'%s", skeleton->name, n->key,
                            skeleton_joint_hint(skeleton, n->key).text);
    if (joint == 0)
      return node_key_error(n, error, "'%s' is the root joint; its keys are 'root_position' and 'root_rotation'",
                            n->key);
    if (!count_keys(n, count, &setter, error))
      return false;
  }
  return true;
}

// Reads one channel of all keys. If node is NULL, the bind pose is kept.
static bool read_positions(Clip *clip, const Node *node, Error *error) {
  const Node *item = node ? (is_single(node) ? node : node->first) : NULL;
  for (int k = 0; item && k < clip->key_count; k++) {
    double p[3];
    if (!read_reals(item, p, 3, error))
      return false;
    clip->keys[k].position[0] = glms_vec3_scale(vec3_from_doubles(p), skeleton_clip_scale(clip->skeleton));
    if (keys_in(node) > 1)
      item = item->next;
  }
  return true;
}

static bool read_rotations(Clip *clip, int joint, const Node *node, Error *error) {
  const Node *item = node ? (is_single(node) ? node : node->first) : NULL;
  for (int k = 0; item && k < clip->key_count; k++) {
    double degrees[3];
    if (!read_reals(item, degrees, 3, error))
      return false;
    versors bind = clip->skeleton->bind_rotation_l[joint];
    clip->keys[k].rotation[joint] = glms_quat_normalize(glms_quat_mul(bind, quat_from_xzy(degrees)));
    if (keys_in(node) > 1)
      item = item->next;
  }
  return true;
}

static bool read_keys(Clip *clip, const Node *root, Error *error) {
  if (!check_keys(root, clip->skeleton, &clip->key_count, error))
    return false;
  clip->keys = calloc((size_t)clip->key_count, sizeof *clip->keys);
  if (!clip->keys)
    return error_set(error, "out of memory for %d keys of clip '%s'", clip->key_count, clip->name);
  for (int k = 0; k < clip->key_count; k++)
    clip->keys[k] = pose_bind(clip->skeleton);

  if (!read_positions(clip, node_find(root, "root_position"), error) ||
      !read_rotations(clip, 0, node_find(root, "root_rotation"), error))
    return false;
  const Node *joints = node_find(root, "joints");
  for (const Node *n = joints ? joints->first : NULL; n; n = n->next) {
    const int joint = skeleton_find(clip->skeleton, n->key);
    if (joint >= 0 && !read_rotations(clip, joint, n, error))
      return false;
  }
  return true;
}

// ---- Contacts and marks ----

static bool read_contacts(Clip *clip, const Node *map, Error *error) {
  if (map->kind != NODE_MAP)
    return node_error(map, error, "expected a map of legs, {left: [[begin, end]], ...}");
  const Skeleton *skeleton = clip->skeleton;
  for (const Node *n = map->first; n; n = n->next) {
    int leg = skeleton_find_leg(skeleton, n->key);
    if (leg < 0)
      return node_key_error(n, error, "'%s' has no leg '%s'%s", skeleton->name, n->key,
                            skeleton_leg_hint(skeleton, n->key).text);
    if (n->kind != NODE_LIST)
      return node_error(n, error, "expected a list of [begin, end] in s");
    for (const Node *span = n->first; span; span = span->next) {
      if (clip->contact_count == CLIP_MAX_MARKS)
        return node_error(span, error, "a clip has at most %d contacts", CLIP_MAX_MARKS);
      ClipContact *c = &clip->contacts[clip->contact_count++];
      c->leg = leg;
      if (!read_span(span, clip, clip->loop, &c->begin, &c->end, error))
        return false;
    }
  }
  return true;
}

static bool read_marks(Clip *clip, const Node *map, Error *error) {
  if (map->kind != NODE_MAP)
    return node_error(map, error, "expected a map of marks, {name: time}");
  for (const Node *n = map->first; n; n = n->next) {
    if (clip->mark_count == CLIP_MAX_MARKS)
      return node_key_error(n, error, "a clip has at most %d marks", CLIP_MAX_MARKS);
    ClipMark *mark = &clip->marks[clip->mark_count++];
    int length = snprintf(mark->name, sizeof mark->name, "%s", n->key);
    if (length >= (int)sizeof mark->name)
      return node_key_error(n, error, "the name is too long; at most %zu characters", sizeof mark->name - 1);
    if (!node_check_key_name(n, error) || !read_time(n, clip->duration, &mark->time, error))
      return false;
  }
  return true;
}

// ---- The file ----

static bool read_head(Clip *clip, const Node *root, Error *error) {
  static const char *const keys[] = {
      "name",          "loop",          "duration", "root_velocity", "root_turn_rate",  "safe", "contacts", "marks",
      "root_position", "root_rotation", "joints",   "accelerates",   "stride_exponent", NULL};
  if (!node_check_keys(root, keys, error))
    return false;

  const Node *name = required(root, "name", error), *duration = required(root, "duration", error);
  if (!name || !duration)
    return false;
  if (!node_text(name, clip->name, sizeof clip->name, error) || !node_check_name(name, clip->name, error))
    return false;

  double seconds;
  if (!node_real(duration, &seconds, error))
    return false;
  if (seconds < FLT_EPSILON || seconds > LARGEST)
    return node_error(duration, error, "the duration must be above 0 and at most %g s, not %g", LARGEST, seconds);
  clip->duration = (float)seconds;

  const Node *loop = node_find(root, "loop");
  return !loop || node_bool(loop, &clip->loop, error);
}

static bool read_stride(Clip *clip, const Node *node, Error *error) {
  double exponent;
  if (!node_real(node, &exponent, error))
    return false;
  if (!(exponent >= 0 && exponent <= 1))
    return node_error(node, error, "the exponent of strides must lie in 0 .. 1, not %g", exponent);
  if (!clip->loop || clip->root_velocity_l.z == 0)
    return node_error(node, error, "only a loop that moves ahead or back, by root_velocity, has strides");
  clip->stride_exponent = (float)exponent;
  return true;
}

static bool read_motion(Clip *clip, const Node *root, Error *error) {
  const Node *velocity = node_find(root, "root_velocity"), *turn = node_find(root, "root_turn_rate"),
             *safe = node_find(root, "safe"), *change = node_find(root, "accelerates"),
             *stride = node_find(root, "stride_exponent");
  double v[3] = {0}, turn_rate = 0;
  if (velocity && !read_reals(velocity, v, 3, error))
    return false;
  if (turn && !node_real(turn, &turn_rate, error))
    return false;
  if (fabs(turn_rate) > LARGEST)
    return node_error(turn, error, "the turn rate must lie within +-%g deg/s", LARGEST);
  clip->root_velocity_l = glms_vec3_scale(vec3_from_doubles(v), skeleton_clip_scale(clip->skeleton));
  clip->root_turn_rate = (float)(turn_rate * RAD_PER_DEGREE);
  if (stride && !read_stride(clip, stride, error))
    return false;
  clip->safe_to = clip->duration;
  if (safe && !read_span(safe, clip, false, &clip->safe_from, &clip->safe_to, error))
    return false;
  if (change && clip->loop)
    return node_error(change, error, "only a clip that plays once accelerates");
  return !change || read_span(change, clip, false, &clip->change_from, &clip->change_to, error);
}

static bool read_clip(Clip *clip, const Node *root, Error *error) {
  const Node *contacts = node_find(root, "contacts"), *marks = node_find(root, "marks");
  return read_head(clip, root, error) && read_motion(clip, root, error) && read_keys(clip, root, error) &&
         (!contacts || read_contacts(clip, contacts, error)) && (!marks || read_marks(clip, marks, error));
}

Clip *clip_read(FileSet *files, const char *name, const Skeleton *skeleton, Error *error) {
  const File *file = files_read(files, name, error);
  Document document;
  if (!file || !document_read(&document, file->path, file, error))
    return NULL;

  Clip *clip = calloc(1, sizeof *clip);
  bool good = false;
  if (clip) {
    clip->skeleton = skeleton;
    good = read_clip(clip, document.root, error);
  } else {
    error_set(error, "out of memory for clip '%s'", name);
  }
  document_free(&document);
  if (good)
    return clip;
  clip_free(clip);
  return NULL;
}
