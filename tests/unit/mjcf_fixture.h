// Models of MuJoCo, read from texts and compared.
#ifndef STAGGER_TESTS_MJCF_FIXTURE_H
#define STAGGER_TESTS_MJCF_FIXTURE_H

#include "tests/fixture.h"

#include "ragdoll/body/body_mjcf.h"
#include "ragdoll/body/link_body.h"
#include "ragdoll/body/mjcf_read.h"
#include "ragdoll/body/urdf_read.h"

static inline BodyDef *open_body(const char *name) {
  FileSet set = {0};
  Error error = {0};
  char path[64];
  snprintf(set.folder, sizeof set.folder, "%s", files_scenes_folder());
  snprintf(path, sizeof path, "bodies/%s.yaml", name);
  BodyDef *body = body_read(&set, path, &error);
  files_free(&set);
  fixture_check(&error);
  return body;
}

static bool as_is; // whether models are read so

// The notes are printed into a text of the caller's, which may be NULL. NULL on error.
static inline BodyDef *read_model(const char *text, size_t size, const BodyDef *human, char notes[4096], Error *error) {
  XmlDocument document;
  if (!xml_parse(&document, "m.xml", text, size, error))
    return NULL;
  LinkModel *model = calloc(1, sizeof *model);
  assert_non_null(model);
  model->as_is = as_is;
  BodyDef *body = NULL;
  if (mjcf_read(model, &document, error)) {
    snprintf(model->name, sizeof model->name, "model");
    body = link_body(model, human, error);
  }
  if (notes)
    snprintf(notes, 4096, "%s", model->notes.bytes ? model->notes.bytes : "");
  text_free(&model->notes);
  free(model);
  xml_free(&document);
  return body;
}

static inline BodyDef *read_as_is(const char *text, char notes[4096], Error *error) {
  as_is = true;
  BodyDef *body = read_model(text, strlen(text), NULL, notes, error);
  as_is = false;
  return body;
}

// A robot of URDF, as it is.
static inline BodyDef *read_robot(const char *text, char notes[4096], Error *error) {
  XmlDocument document;
  BodyDef *body = NULL;
  LinkModel *model = calloc(1, sizeof *model);
  assert_non_null(model);
  if (xml_parse(&document, "r.xml", text, strlen(text), error)) {
    snprintf(model->name, sizeof model->name, "robot");
    if (urdf_read(model, &document, error))
      body = link_body(model, NULL, error);
    xml_free(&document);
  }
  snprintf(notes, 4096, "%s", model->notes.bytes ? model->notes.bytes : "");
  text_free(&model->notes);
  free(model);
  return body;
}

static inline BodyDef *read_good(const char *text, const BodyDef *human, char notes[4096]) {
  Error error = {0};
  BodyDef *body = read_model(text, strlen(text), human, notes, &error);
  fixture_check(&error);
  assert_non_null(body);
  return body;
}

static inline void near(double value, double expected, const char *what, const char *where) {
  if (!(fabs(value - expected) <= 1e-6 * fmax(1, fabs(expected))))
    fail_msg("%s of %s is %.9g, not %.9g", what, where, value, expected);
}

static inline void all_near(const double *values, const double *expected, int count, const char *what,
                            const char *where) {
  assert_non_null(values);
  for (int i = 0; values && expected && i < count; i++)
    near(values[i], expected[i], what, where);
}

static inline const PartDef *part(const BodyDef *body, const char *name) {
  const int at = skeleton_find(&body->skeleton, name);
  if (at < 0)
    fail_msg("there is no part %s", name);
  return &body->parts[at];
}

static inline char *model_of(const BodyDef *body) {
  TextBuffer text = {0};
  body_write_mjcf(body, &text);
  assert_false(text.failed);
  return text.bytes;
}

static inline void same_shape(const ShapeDef *read, const ShapeDef *shape, const char *where) {
  static const int sizes[] = {3, 2, 1};
  assert_int_equal(read->kind, shape->kind);
  all_near(read->size, shape->size, sizes[shape->kind], "a shape's size", where);
  all_near(read->center_m, shape->center_m, 3, "a shape's centre", where);
  all_near(read->turn, shape->turn, 3, "a shape's turn", where);
  if (shape->kind == SHAPE_CAPSULE)
    assert_int_equal(read->axis, shape->axis);
}

static inline void same_part(const BodyDef *read_body, const PartDef *read, const BodyDef *body, const PartDef *part) {
  const char *name = part->name;
  near(read->mass, part->mass, "mass", name);
  all_near(read->com, part->com, 3, "com", name);
  all_near(read->inertia, part->inertia, 3, "inertia", name);
  all_near(read->products, part->products, 3, "products", name);
  all_near(read->joint.position, part->joint.position, 3, "position", name);
  assert_int_equal(read->joint.kind, part->joint.kind);
  assert_int_equal(read->shape_count, part->shape_count);
  for (int i = 0; i < part->shape_count; i++)
    same_shape(&read->shapes[i], &part->shapes[i], name);
  assert_string_equal(read_body->parts[read->twin].name, body->parts[part->twin].name);
  if (part->parent < 0)
    return;
  assert_string_equal(read_body->parts[read->parent].name, body->parts[part->parent].name);
  assert_int_equal(read->joint.twist_axis, part->joint.twist_axis);
  for (int axis = 0; axis < 3; axis++)
    if (joint_turns(&part->joint, axis))
      all_near(read->joint.limit[axis], part->joint.limit[axis], 2, "range", name);
  near(read->joint.strength, part->joint.strength, "strength", name);
  near(read->joint.stiffness, part->joint.stiffness, "stiffness", name);
  near(read->joint.damping, part->joint.damping, "damping", name);
  all_near(read->joint.turn, part->joint.turn, 3, "turn", name);
  all_near(read->joint.axis_strength, part->joint.axis_strength, 3, "axis_strength", name);
  all_near(read->joint.armature, part->joint.armature, 3, "armature", name);
}

static inline void same_body(const BodyDef *read, const BodyDef *body) {
  assert_int_equal(read->part_count, body->part_count);
  for (int i = 0; i < body->part_count; i++) {
    const int at = skeleton_find(&read->skeleton, body->parts[i].name);
    assert_true(at >= 0);
    same_part(read, &read->parts[at], body, &body->parts[i]);
  }
  assert_int_equal(read->skeleton.leg_count, body->skeleton.leg_count);
  for (int i = 0; i < body->skeleton.leg_count; i++) {
    const Leg *leg = &body->skeleton.legs[i];
    const int at = skeleton_find_leg(&read->skeleton, leg->name);
    assert_true(at >= 0);
    const Leg *found = &read->skeleton.legs[at];
    assert_string_equal(read->parts[found->hip].name, body->parts[leg->hip].name);
    assert_string_equal(read->parts[found->ankle].name, body->parts[leg->ankle].name);
    near((double)found->half_width, (double)leg->half_width, "half_width", leg->name);
    for (int k = 0; k < 3; k++) {
      near((double)found->heel_l.raw[k], (double)leg->heel_l.raw[k], "heel", leg->name);
      near((double)found->toe_l.raw[k], (double)leg->toe_l.raw[k], "toe", leg->name);
    }
  }
}

#endif
