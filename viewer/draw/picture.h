// What is to be drawn, independent of where it comes from: a frame of a trace or a scene that runs. Plain data, filled
// anew for each picture.
#ifndef STAGGER_VIEWER_DRAW_PICTURE_H
#define STAGGER_VIEWER_DRAW_PICTURE_H

#include "anim/pose.h"
#include "ragdoll/body/body_def.h"
#include "scenes/description/scene_def.h"
#include "sim/base/debug_draw.h"
#include "sim/terrain/terrain.h"
#include "viewer/draw/camera.h"

enum { PICTURE_MAX_SHAPES = 8192, PICTURE_TEXT_SIZE = 128 };

// What an arrow of 1 m stands for: the impulse of a hit, the force of the assist. No arrow is longer than the longest,
// so that it stays in the picture.
enum { PICTURE_NEWTON_SECONDS_PER_METRE = 20, PICTURE_NEWTONS_PER_METRE = 500 };
#define PICTURE_LONGEST_ARROW 1.2f // m

// What can be shown and hidden: three poses, one layer for each group of debug items in the same order, and the labels.
// A set of layers is a bit mask: 1u << layer.
typedef enum PictureLayer {
  LAYER_OUTPUT,
  LAYER_TARGET,
  LAYER_MEASURED,
  LAYER_DEBUG, // + DebugGroup
  LAYER_LABELS = LAYER_DEBUG + DEBUG_GROUP_COUNT,
  LAYER_COUNT
} PictureLayer;

enum {
  ALL_LAYERS = (1 << LAYER_COUNT) - 1,
  DEBUG_LAYERS = ((1 << DEBUG_GROUP_COUNT) - 1) << LAYER_DEBUG,
  DEFAULT_LAYERS = 1 << LAYER_OUTPUT | 1 << LAYER_TARGET | 1 << LAYER_MEASURED | 1 << (LAYER_DEBUG + DEBUG_HITS) |
                   1 << (LAYER_DEBUG + DEBUG_ASSIST) | 1 << (LAYER_DEBUG + DEBUG_POKE) | 1 << LAYER_LABELS
};

// "output", "target", "measured", "hits", "assist", "skeleton", "balance", ... "labels".
const char *picture_layer_name(PictureLayer layer);

// The bits of a layer's name; "debug" stands for all groups. 0 when there is no layer of that name.
unsigned picture_layers_from_name(const char *name, size_t length);

// What the colour of the shown body tells.
typedef enum PictureColoring {
  COLORING_BLEND,    // physical share of the shown pose, 0 .. 1
  COLORING_TORQUE,   // torque of the drive as a share of its limit, 0 .. 1
  COLORING_STRENGTH, // strength that hits have taken, 0 .. 1
  COLORING_ERROR,    // angle between joint and target, 1: 20 degrees
  COLORING_NONE,
  COLORING_COUNT
} PictureColoring;

const char *picture_coloring_name(PictureColoring coloring); // "blend", "torque", "strength", "error", "none"
bool picture_coloring_from_name(const char *name, PictureColoring *coloring);

// A box whose edges are rounded with an ellipsoid: boxes, capsules and spheres are all of this form.
typedef struct PictureShape {
  PictureLayer layer;
  vec3s position_w; // of its middle, m
  versors rotation; // x y z w
  vec3s half_size;  // m
  vec3s radius;     // of the rounding along each axis, m, 0 < radius <= half_size
  float taper;      // width of the top (+Y) relative to the bottom: 1 straight, 0 a cone
  vec4s color;      // sRGB and opacity, 0 .. 1
  bool on_output;   // so close to the output's shape that it says nothing beside it
} PictureShape;

typedef struct Picture {
  const Terrain *terrain; // NULL: no ground
  PictureShape shapes[PICTURE_MAX_SHAPES];
  int shape_count;
  DebugDraw debug;
  Subject subject;
  double time;                   // s
  float speed;                   // of the subject over the ground, m/s
  PictureColoring coloring;      // what the legend has to explain
  bool has_balance;              // whether a character balances by itself: its colour is explained then
  bool has_hits, has_assist;     // the whole run, not just this moment: what the legend has to explain
  char scene[PICTURE_TEXT_SIZE]; // what is shown
  char who[PICTURE_TEXT_SIZE];   // the subject's name, "" when it is the only character
  char event[PICTURE_TEXT_SIZE]; // the latest hit, "" when there is none
} Picture;

// A character at one moment. All in the world; parts and joints in the order of the body.
typedef struct PictureCharacter {
  const BodyDef *body;
  const Pose *output, *target;   // NULL: not shown
  const vec3s *part_positions;   // [part_count] measured centres of mass, m; NULL: not shown
  const versors *part_rotations; // [part_count], identity in the bind pose
  const float *heat;             // [part_count - 1] of the joints without the root, 0 .. 1, see coloring; NULL: 0
  PictureColoring coloring;
  vec4s tint;         // sRGB, and the share in which the body takes that colour: tells runs apart
  vec3s assist_force; // N
} PictureCharacter;

// A thing that belongs to nobody.
typedef struct PictureObject {
  vec3s position_w; // of its middle, m
  versors rotation; // x y z w
  vec3s size;       // m, along its own axes; a ball's diameter
  bool box;         // else a ball
} PictureObject;

void picture_clear(Picture *picture);

// Names the scene and its subject, and what can happen in it. subject: index of a character.
void picture_describe(Picture *picture, const SceneDef *def, int subject);

// Adds the shapes of the three poses, the skeleton of the shown one and the arrow of the assist force.
void picture_add_character(Picture *picture, const PictureCharacter *character);

// Adds a prop or a ball that was thrown.
void picture_add_object(Picture *picture, const PictureObject *object);

// Adds a platform by its middle, its turn about up (rad) and the lengths of its edges (m).
void picture_add_platform(Picture *picture, vec3s center_w, float yaw, vec3s size);

// Adds the arrow of a hit that ends where it strikes. impulse in N s, opacity 0 .. 1.
void picture_add_hit(Picture *picture, vec3s point_w, vec3s impulse, float opacity);

// Looks at a body whose root joint is at a point, standing or lying, and that goes along a heading (rad, see Subject).
void picture_look_at(Picture *picture, vec3s root_w, float heading, const BodyDef *body);

// The parts of a body in a pose: centres of mass and rotations in the pose's outer space, as `measured` has them.
void picture_place_parts(const BodyDef *body, const Pose *pose, vec3s *positions, versors *rotations);

// Colours of the layers, for the legend: sRGB and opacity. heat: 0 .. 1, see PictureColoring.
// A character that balances by itself is physical all over all of the time: COLORING_BLEND gives it a calm colour.
vec4s picture_balance_tint(void);
vec4s picture_heat_color(PictureColoring coloring, float heat);
vec4s picture_layer_color(PictureLayer layer);
vec4s picture_hit_color(void);
vec4s picture_assist_color(void);
vec4s picture_source_tint(int index);  // of the index-th run when several lie over each other; share 0 for the first
vec4s picture_hex_color(uint32_t hex); // 0xRRGGBBAA, as debug items have it

#endif
