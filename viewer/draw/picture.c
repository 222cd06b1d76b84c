// Fills pictures: bodies from poses, colours, lines of skeletons, and debug items.
#include "viewer/draw/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ragdoll/character/character_skill.h"

// Share of its standing height above which the root counts as upright, and lowest height of the image's middle.
static const float UPRIGHT_ROOT = 0.6f, LOWEST_LOOK = 0.35f;

static const float SHORTEST_HIT = 0.3f; // m; least length of a hit's arrow
static const float OVER_HEAD = 0.22f;   // m from the middle of a head to the name over it
static const float SMALLEST_FORCE = 2;  // N; a weaker assist is not shown

// A ghost this close to the output would only cause flickering and a thin rim.
static const float SAME_PLACE = 0.004f;       // m
static const float SAME_ROTATION = 0.017453f; // rad, 1 degree

static const uint32_t HIT_COLOR = 0xd01c6bff, ASSIST_COLOR = 0x7a3fd0ff, BONE_COLOR = 0x1d2733ff,
                      CABLE_COLOR = 0x3b3b3bff;
static const float BONE_THICKNESS = 0.012f, JOINT_RADIUS = 0.016f; // m

static const char *const LAYER_NAMES[LAYER_COUNT] = {
    [LAYER_OUTPUT] = "output",
    [LAYER_TARGET] = "target",
    [LAYER_MEASURED] = "measured",
    [LAYER_DEBUG + DEBUG_HITS] = "hits",
    [LAYER_DEBUG + DEBUG_ASSIST] = "assist",
    [LAYER_DEBUG + DEBUG_SKELETON] = "skeleton",
    [LAYER_DEBUG + DEBUG_BALANCE] = "balance",
    [LAYER_DEBUG + DEBUG_CONTACTS] = "contacts",
    [LAYER_DEBUG + DEBUG_FEET] = "feet",
    [LAYER_DEBUG + DEBUG_IK] = "ik",
    [LAYER_DEBUG + DEBUG_LOOK] = "look",
    [LAYER_DEBUG + DEBUG_PATH] = "path",
    [LAYER_DEBUG + DEBUG_POKE] = "poke",
    [LAYER_LABELS] = "labels",
    [LAYER_WHO] = "names",
    [LAYER_SKIN] = "skin",
};

static const float BOX_EDGE = 0.01f; // m, radius of its rounding

static const char *const COLORING_NAMES[COLORING_COUNT] = {"blend", "torque", "strength", "error", "none"};

const char *picture_layer_name(PictureLayer layer) { return LAYER_NAMES[layer]; }

static bool is_name(const char *name, const char *text, size_t length) {
  return strlen(name) == length && strncmp(name, text, length) == 0;
}

unsigned picture_layers_from_name(const char *name, size_t length) {
  for (int i = 0; i < LAYER_COUNT; i++)
    if (is_name(LAYER_NAMES[i], name, length))
      return 1u << i;
  return is_name("debug", name, length) ? (unsigned)DEBUG_LAYERS : 0;
}

const char *picture_coloring_name(PictureColoring coloring) { return COLORING_NAMES[coloring]; }

bool picture_coloring_from_name(const char *name, PictureColoring *coloring) {
  for (int i = 0; i < COLORING_COUNT; i++) {
    if (strcmp(name, COLORING_NAMES[i]) == 0) {
      *coloring = (PictureColoring)i;
      return true;
    }
  }
  return false;
}

// The body has the colour of skin at 0 and turns green as it becomes physical, which is no fault. Values of which small
// ones matter, too, go from blue over yellow to red.
vec4s picture_heat_color(PictureColoring coloring, float heat) {
  static const vec3s SKIN = {{0.90f, 0.77f, 0.65f}};
  static const vec3s RAMP[3] = {{{0.33f, 0.56f, 0.82f}}, {{0.95f, 0.84f, 0.40f}}, {{0.86f, 0.16f, 0.12f}}};
  float share = glm_clamp(heat, 0, 1);
  vec3s color = glms_vec3_lerp(SKIN, glms_vec3(picture_free_tint()), share);
  if (coloring == COLORING_NONE)
    color = SKIN;
  else if (coloring != COLORING_BLEND)
    color =
        share < 0.5f ? glms_vec3_lerp(RAMP[0], RAMP[1], 2 * share) : glms_vec3_lerp(RAMP[1], RAMP[2], 2 * share - 1);
  return (vec4s){{color.x, color.y, color.z, 1}};
}

vec4s picture_layer_color(PictureLayer layer) {
  static const vec4s TARGET = {{0.16f, 0.46f, 0.95f, 1}}, MEASURED = {{1.0f, 0.55f, 0.08f, 1}};
  if (layer == LAYER_TARGET)
    return TARGET;
  if (layer == LAYER_MEASURED)
    return MEASURED;
  return picture_heat_color(COLORING_BLEND, 0);
}

// Share of the run's colour in a body's colour; the body's own colour must remain visible.
vec4s picture_source_tint(int index) {
  static const vec4s TINTS[4] = {
      {{0, 0, 0, 0}}, {{0.10f, 0.55f, 0.50f, 0.65f}}, {{0.45f, 0.30f, 0.75f, 0.65f}}, {{0.25f, 0.27f, 0.30f, 0.65f}}};
  return TINTS[index % 4];
}

vec4s picture_free_tint(void) { return (vec4s){{0.50f, 0.66f, 0.48f, 0.85f}}; }

vec4s picture_hex_color(uint32_t hex) {
  return (vec4s){{(float)(hex >> 24) / 255, (float)(hex >> 16 & 255) / 255, (float)(hex >> 8 & 255) / 255,
                  (float)(hex & 255) / 255}};
}

vec4s picture_hit_color(void) { return picture_hex_color(HIT_COLOR); }
vec4s picture_assist_color(void) { return picture_hex_color(ASSIST_COLOR); }

void picture_clear(Picture *picture) {
  picture->terrain = NULL;
  picture->shape_count = picture->last_character = 0;
  picture->skin_count = 0;
  debug_clear(&picture->debug);
  picture->name_count = 0;
  picture->subject = (Subject){.height = 1, .width = 1};
  picture->time = 0;
  picture->speed = 0;
  picture->coloring = COLORING_BLEND;
  picture->has_hits = picture->has_assist = picture->has_free = picture->has_blend = false;
  picture->scene[0] = picture->who[0] = picture->lead[0] = picture->event[0] = '\0';
}

bool picture_is_free(const CharacterDef *def) {
  bool is_free = def->balance.enabled || character_skill_index(def, def->move) >= 0;
  return is_free && def->drive.enabled && !def->drive.kinematic;
}

void picture_describe(Picture *picture, const SceneDef *def, int subject) {
  snprintf(picture->scene, sizeof picture->scene, "%s", def->name);
  if (def->character_count > 1)
    snprintf(picture->who, sizeof picture->who, "%s", def->characters[subject].name);
  picture->has_hits |= def->event_count > 0;
  for (int i = 0; i < def->character_count; i++) {
    // What moves a kinematic body is reported as an assist, too.
    picture->has_assist |= def->characters[i].assist.enabled || def->characters[i].drive.kinematic;
    bool is_free = picture_is_free(&def->characters[i]);
    picture->has_free |= is_free;
    picture->has_blend |= !is_free;
  }
}

// The shape of a body as a rounded box. Edges of boxes are drawn slightly rounder than they collide.
static PictureShape shape_look(const ShapeDef *def) {
  PictureShape shape = {.taper = 1};
  float round = (float)def->size[0];
  for (int axis = 0; axis < 3; axis++)
    shape.half_size.raw[axis] = (float)shape_own_half_size(def, axis);
  if (def->kind == SHAPE_BOX)
    round = fminf(0.035f, 0.6f * glms_vec3_min(shape.half_size));
  shape.radius = (vec3s){{round, round, round}};
  return shape;
}

static void add_shape(Picture *picture, const PictureShape *shape) {
  if (picture->shape_count < PICTURE_MAX_SHAPES)
    picture->shapes[picture->shape_count++] = *shape;
}

// The places of a body's parts: centres of mass, and rotations from the bind pose.
typedef struct Placement {
  vec3s positions[BODY_MAX_PARTS];
  versors rotations[BODY_MAX_PARTS];
} Placement;

static bool same_place(const Placement *a, const Placement *b, int part) {
  versors turn = glms_quat_mul(glms_quat_conjugate(a->rotations[part]), b->rotations[part]);
  return glms_vec3_distance(a->positions[part], b->positions[part]) < SAME_PLACE &&
         2 * glms_vec3_norm((vec3s){{turn.x, turn.y, turn.z}}) < SAME_ROTATION; // sine of the half angle
}

// Adds the shapes of one part with its centre of mass at a position.
static void add_part(Picture *picture, const PartDef *part, vec3s position, versors rotation, PictureLayer layer,
                     vec4s color, bool on_output) {
  for (int i = 0; i < part->shape_count; i++) {
    const ShapeDef *def = &part->shapes[i];
    PictureShape shape = shape_look(def);
    vec3s arm = glms_vec3_sub(vec3_from_doubles(def->center_m), vec3_from_doubles(part->com));
    shape.layer = layer;
    shape.position_w = glms_vec3_add(position, glms_quat_rotatev(rotation, arm));
    shape.rotation = def->turned ? glms_quat_mul(rotation, shape_versor(def)) : rotation;
    shape.color = color;
    shape.on_output = on_output;
    add_shape(picture, &shape);
  }
}

void picture_place_parts(const BodyDef *body, const Pose *pose, vec3s *positions, versors *rotations) {
  ModelPose model;
  pose_to_model(&body->skeleton, pose, &model);
  for (int i = 0; i < body->part_count; i++) {
    const PartDef *part = &body->parts[i];
    vec3s arm = glms_vec3_sub(vec3_from_doubles(part->com), vec3_from_doubles(part->joint.position));
    rotations[i] = model.rotation[i];
    positions[i] = glms_vec3_add(model.position[i], glms_quat_rotatev(model.rotation[i], arm));
  }
}

// The root has no joint of its own: it gets the mean of the joints attached to it.
static float part_heat(const BodyDef *body, const float *heat, int part) {
  if (!heat)
    return 0;
  if (part > 0)
    return heat[part - 1];
  float sum = 0;
  int count = 0;
  for (int i = 1; i < body->part_count; i++) {
    if (body->parts[i].parent == 0) {
      sum += heat[i - 1];
      count++;
    }
  }
  return count > 0 ? sum / (float)count : 0;
}

static void add_output(Picture *picture, const PictureCharacter *character, const Placement *place) {
  vec4s tint = character->tint;
  for (int i = 0; i < character->body->part_count; i++) {
    vec4s color = picture_heat_color(character->coloring, part_heat(character->body, character->heat, i));
    for (int k = 0; k < 3; k++)
      color.raw[k] += tint.w * (tint.raw[k] - color.raw[k]);
    add_part(picture, &character->body->parts[i], place->positions[i], place->rotations[i], LAYER_OUTPUT, color, false);
  }
}

static void add_skeleton(Picture *picture, const BodyDef *body, const Pose *pose) {
  ModelPose joints;
  pose_to_model(&body->skeleton, pose, &joints);
  debug_group(&picture->debug, DEBUG_SKELETON);
  for (int i = 0; i < joints.count; i++) {
    double at[3], from[3];
    int parent = body->skeleton.parent[i];
    vec3_to_doubles(joints.position[i], at);
    debug_point(&picture->debug, at, JOINT_RADIUS, BONE_COLOR);
    if (parent < 0)
      continue;
    vec3_to_doubles(joints.position[parent], from);
    debug_line(&picture->debug, from, at, BONE_THICKNESS, BONE_COLOR);
  }
}

// output: NULL when there is none.
static void add_ghost(Picture *picture, const BodyDef *body, const Placement *place, const Placement *output,
                      PictureLayer layer) {
  for (int i = 0; i < body->part_count; i++)
    add_part(picture, &body->parts[i], place->positions[i], place->rotations[i], layer, picture_layer_color(layer),
             output && same_place(place, output, i));
}

static void add_arrow(Picture *picture, DebugGroup group, vec3s from, vec3s to, float thickness, uint32_t color) {
  double a[3], b[3];
  vec3_to_doubles(from, a);
  vec3_to_doubles(to, b);
  debug_group(&picture->debug, group);
  debug_arrow(&picture->debug, a, b, thickness, color);
}

static void add_assist(Picture *picture, vec3s pelvis, vec3s force) {
  float strength = glms_vec3_norm(force);
  if (!(strength > SMALLEST_FORCE))
    return;
  float length = fminf(strength / PICTURE_NEWTONS_PER_METRE, PICTURE_LONGEST_ARROW);
  vec3s tip = glms_vec3_add(pelvis, glms_vec3_scale(force, length / strength));
  add_arrow(picture, DEBUG_ASSIST, pelvis, tip, 0.025f, ASSIST_COLOR);
}

void picture_add_character(Picture *picture, const PictureCharacter *character) {
  const BodyDef *body = character->body;
  Placement output, ghost;
  const Placement *seen = character->output ? &output : NULL;
  picture->last_character = picture->shape_count;
  if (character->output) {
    picture_place_parts(body, character->output, output.positions, output.rotations);
    add_output(picture, character, &output);
    add_skeleton(picture, body, character->output);
  }
  if (character->target) {
    picture_place_parts(body, character->target, ghost.positions, ghost.rotations);
    add_ghost(picture, body, &ghost, seen, LAYER_TARGET);
  }
  if (character->part_positions) {
    memcpy(ghost.positions, character->part_positions, sizeof(vec3s) * (size_t)body->part_count);
    memcpy(ghost.rotations, character->part_rotations, sizeof(versors) * (size_t)body->part_count);
    add_ghost(picture, body, &ghost, seen, LAYER_MEASURED);
    add_assist(picture, ghost.positions[0], character->assist_force);
  }
}

void picture_add_skin(Picture *picture, const PictureSkin *skin) {
  if (picture->skin_count == PICTURE_MAX_SKINS)
    return;
  picture->skins[picture->skin_count++] = *skin;
  for (int i = picture->last_character; i < picture->shape_count; i++)
    picture->shapes[i].under_skin = picture->shapes[i].layer == LAYER_OUTPUT;
}

static void add_box(Picture *picture, vec3s center_w, versors rotation, vec3s size, vec4s color) {
  vec3s half = glms_vec3_scale(size, 0.5f);
  float round = fminf(BOX_EDGE, 0.5f * fminf(half.x, fminf(half.y, half.z)));
  PictureShape box = {.layer = LAYER_OUTPUT,
                      .position_w = center_w,
                      .rotation = rotation,
                      .half_size = half,
                      .radius = {{round, round, round}},
                      .taper = 1,
                      .color = color};
  add_shape(picture, &box);
}

void picture_add_name(Picture *picture, const CharacterDef *def, const vec3s *part_positions, bool is_subject) {
  if (picture->name_count == SCENE_MAX_CHARACTERS)
    return;
  int head = skeleton_find(&def->body->skeleton, "head");
  vec3s place = part_positions[head >= 0 ? head : 0];
  place.y += OVER_HEAD;
  picture->names[picture->name_count++] = (PictureName){place, def->name, is_subject};
}

void picture_add_object(Picture *picture, const PictureObject *object) {
  const vec4s color = object->ground ? (vec4s){{0.60f, 0.66f, 0.71f, 1}} : (vec4s){{0.24f, 0.30f, 0.36f, 1}};
  if (object->box) {
    add_box(picture, object->position_w, object->rotation, object->size, color);
    return;
  }
  float radius = object->size.x / 2;
  PictureShape ball = {.layer = LAYER_OUTPUT,
                       .position_w = object->position_w,
                       .rotation = glms_quat_identity(),
                       .half_size = {{radius, radius, radius}},
                       .radius = {{radius, radius, radius}},
                       .taper = 1,
                       .color = color};
  add_shape(picture, &ball);
}

void picture_add_rope(Picture *picture, vec3s from_w, vec3s to_w) {
  static const float THICK = 0.025f; // m
  const vec3s along = glms_vec3_sub(to_w, from_w);
  const float length = glms_vec3_norm(along);
  if (!(length > 0))
    return;
  const versors rotation = glms_quat_from_vecs((vec3s){{0, 1, 0}}, glms_vec3_scale(along, 1 / length));
  add_box(picture, glms_vec3_lerp(from_w, to_w, 0.5f), rotation, (vec3s){{THICK, length, THICK}},
          (vec4s){{0.55f, 0.44f, 0.30f, 1}});
}

void picture_add_hit(Picture *picture, vec3s point_w, vec3s impulse, float opacity) {
  float strength = glms_vec3_norm(impulse);
  if (!(strength > 0))
    return;
  float length = glm_clamp(strength / PICTURE_NEWTON_SECONDS_PER_METRE, SHORTEST_HIT, PICTURE_LONGEST_ARROW);
  vec3s start = glms_vec3_sub(point_w, glms_vec3_scale(impulse, length / strength));
  uint32_t alpha = (uint32_t)(255 * glm_clamp(opacity, 0, 1));
  add_arrow(picture, DEBUG_HITS, start, point_w, 0.03f, (HIT_COLOR & 0xffffff00u) | alpha);
}

void picture_add_cable(Picture *picture, vec3s point_w, vec3s along) {
  const vec3s end = glms_vec3_add(point_w, along);
  double from[3], to[3];
  vec3_to_doubles(point_w, from);
  vec3_to_doubles(end, to);
  debug_group(&picture->debug, DEBUG_HITS);
  debug_line(&picture->debug, from, to, 0.012f, CABLE_COLOR);
}

// Mean height over a square of 1 m around a point, so that an image that follows a character does not shake with every
// bump.
static float mean_ground(const Terrain *terrain, vec3s around_w, float without) {
  enum { SIDE = 5 };
  double sum = 0, height;
  int count = 0;
  for (int i = 0; i < SIDE * SIDE; i++) {
    int row = i / SIDE, column = i % SIDE;
    double x = (double)around_w.x + (double)column / (SIDE - 1) - 0.5;
    double z = (double)around_w.z + (double)row / (SIDE - 1) - 0.5;
    if (!terrain_height_below(terrain, x, z, (double)around_w.y, &height, NULL))
      continue;
    sum += height;
    count++;
  }
  return count > 0 ? (float)(sum / count) : without;
}

void picture_look_at(Picture *picture, vec3s root_w, float heading, const BodyDef *body) {
  // As tall as the highest shape of the bind pose, and as wide as the farthest shape requires.
  float height = 0.1f, reach = 0;
  for (int i = 0; i < body->part_count; i++) {
    for (int s = 0; s < body->parts[i].shape_count; s++) {
      const ShapeDef *def = &body->parts[i].shapes[s];
      const vec3s half = {
          {(float)shape_half_size(def, 0), (float)shape_half_size(def, 1), (float)shape_half_size(def, 2)}};
      height = fmaxf(height, (float)def->center_m[1] + half.y);
      reach = fmaxf(reach, fmaxf(fabsf((float)def->center_m[0]) + half.x, fabsf((float)def->center_m[2]) + half.z));
    }
  }

  float ground = (float)((double)root_w.y - body->parts[0].joint.position[1]);
  if (picture->terrain)
    ground = mean_ground(picture->terrain, root_w, ground);
  // Level while the body is upright, lower when it lies.
  float standing = (float)body->parts[0].joint.position[1];
  float upright = standing > 0 ? (root_w.y - ground) / (UPRIGHT_ROOT * standing) : 1;
  picture->subject = (Subject){
      .center_w = {{root_w.x, ground + 0.5f * height * glm_clamp(upright, LOWEST_LOOK, 1), root_w.z}},
      .heading = heading,
      .height = height,
      .width = fmaxf(0.9f * height, 2 * reach),
  };
}
