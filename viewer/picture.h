// What is to be drawn, independent of where it comes from: a frame of a trace or a scene that runs. Plain data, filled
// anew for each picture.
#ifndef STAGGER_VIEWER_PICTURE_H
#define STAGGER_VIEWER_PICTURE_H

#include "anim/pose.h"
#include "ragdoll/body_def.h"
#include "scenes/scene_def.h"
#include "sim/debug_draw.h"
#include "sim/terrain.h"
#include "viewer/camera.h"

enum { PICTURE_MAX_SHAPES = 4096, PICTURE_TEXT_SIZE = 128 };

// What an arrow of 1 m stands for: the impulse of a hit, the force of the assist. No arrow is longer than the longest,
// so that it stays in the picture.
enum { PICTURE_NEWTON_SECONDS_PER_METRE = 20, PICTURE_NEWTONS_PER_METRE = 500 };
#define PICTURE_LONGEST_ARROW 1.2f // m

// What can be shown and hidden. A set of layers is a bit mask: 1u << layer.
typedef enum PictureLayer { LAYER_OUTPUT, LAYER_TARGET, LAYER_MEASURED, LAYER_DEBUG, LAYER_COUNT } PictureLayer;
enum { ALL_LAYERS = (1 << LAYER_COUNT) - 1 };

// "output", "target", "measured", "debug". False when there is no layer of that name.
bool picture_layer_from_name(const char *name, size_t length, PictureLayer *layer);

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
  const float *blend;            // [part_count - 1] of the joints without the root, 0 .. 1; NULL: 0
  vec3s assist_force;            // N
} PictureCharacter;

void picture_clear(Picture *picture);

// Names the scene and its subject, and what can happen in it.
void picture_describe(Picture *picture, const SceneDef *def);

// Adds the shapes of the three poses and the arrow of the assist force.
void picture_add_character(Picture *picture, const PictureCharacter *character);

// Adds the arrow of a hit that ends where it strikes. impulse in N s, opacity 0 .. 1.
void picture_add_hit(Picture *picture, vec3s point_w, vec3s impulse, float opacity);

// Looks at a body whose root joint is at a point, standing or lying, and that goes along a heading (rad, see Subject).
void picture_look_at(Picture *picture, vec3s root_w, float heading, const BodyDef *body);

// The parts of a body in a pose: centres of mass and rotations in the pose's outer space, as `measured` has them.
void picture_place_parts(const BodyDef *body, const Pose *pose, vec3s *positions, versors *rotations);

// Colours of the layers, for the legend: sRGB and opacity. blend: 0 animated, 1 physical.
vec4s picture_output_color(float blend);
vec4s picture_layer_color(PictureLayer layer);
vec4s picture_hit_color(void);
vec4s picture_assist_color(void);
vec4s picture_hex_color(uint32_t hex); // 0xRRGGBBAA, as debug items have it

#endif
