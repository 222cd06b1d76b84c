// The content of an image, independent of its origin: a frame of a trace or a running scene. Plain data, filled anew
// for each image.
#ifndef STAGGER_VIEWER_DRAW_PICTURE_H
#define STAGGER_VIEWER_DRAW_PICTURE_H

#include "anim/pose.h"
#include "ragdoll/body/body_def.h"
#include "scenes/description/scene_def.h"
#include "sim/base/debug_draw.h"
#include "sim/terrain/terrain.h"
#include "viewer/draw/camera.h"

enum { PICTURE_MAX_SHAPES = 8192, PICTURE_MAX_SKINS = 32, PICTURE_TEXT_SIZE = 128 };

// Scale of arrows: the impulse of a hit and the force of the assist for 1 m. Longer arrows are cut, so that they stay
// inside the image.
enum { PICTURE_NEWTON_SECONDS_PER_METRE = 20, PICTURE_NEWTONS_PER_METRE = 500 };
#define PICTURE_LONGEST_ARROW 1.2f // m

// What can be shown and hidden: three poses, one layer for each group of debug items in the same order, the labels, and
// of them the names of characters.
// A set of layers is a bit mask of 1u << layer.
typedef enum PictureLayer {
  LAYER_OUTPUT,
  LAYER_TARGET,
  LAYER_MEASURED,
  LAYER_DEBUG, // + DebugGroup
  LAYER_LABELS = LAYER_DEBUG + DEBUG_GROUP_COUNT,
  LAYER_WHO,
  LAYER_SKIN, // in place of the output of characters that have one
  LAYER_COUNT
} PictureLayer;

enum {
  ALL_LAYERS = (1 << LAYER_COUNT) - 1,
  DEBUG_LAYERS = ((1 << DEBUG_GROUP_COUNT) - 1) << LAYER_DEBUG,
  DEFAULT_LAYERS = 1 << LAYER_OUTPUT | 1 << LAYER_TARGET | 1 << LAYER_MEASURED | 1 << (LAYER_DEBUG + DEBUG_HITS) |
                   1 << (LAYER_DEBUG + DEBUG_ASSIST) | 1 << (LAYER_DEBUG + DEBUG_POKE) | 1 << LAYER_LABELS |
                   1 << LAYER_WHO | 1 << LAYER_SKIN
};

// "output", "target", "measured", "hits", "assist", "skeleton", "balance", ... "labels", "names", "skin".
const char *picture_layer_name(PictureLayer layer);

// The bits for a layer's name; "debug" means all groups. 0 when no layer has that name.
unsigned picture_layers_from_name(const char *name, size_t length);

// The meaning of the shown body's colour.
typedef enum PictureColoring {
  COLORING_BLEND,    // physical share of the output pose, 0 .. 1
  COLORING_TORQUE,   // torque of the drive relative to its limit, 0 .. 1
  COLORING_STRENGTH, // strength lost by hits, 0 .. 1
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
  float taper;      // width of the top (+Y) relative to the bottom: 1 is straight, 0 a cone
  vec4s color;      // sRGB and opacity, 0 .. 1
  bool on_output;   // coincides with the output's shape, so that it need not be drawn
  bool under_skin;  // of a character with a skin
} PictureShape;

typedef struct PictureSkinVertex {
  vec3s position_w; // m
  vec3s normal;     // of any length
  vec3s color;      // sRGB, 0 .. 1
} PictureSkinVertex;

// The mesh of a character, whose memory is that of a Skin (viewer/source/skin.h).
typedef struct PictureSkin {
  const PictureSkinVertex *vertices;
  const unsigned *indices; // three for each triangle
  int vertex_count, index_count;
} PictureSkin;

// The name of a character.
typedef struct PictureName {
  vec3s place_w;    // m, above its head
  const char *text; // of the scene's description
  bool is_subject;
} PictureName;

typedef struct Picture {
  const Terrain *terrain; // NULL: no ground
  PictureShape shapes[PICTURE_MAX_SHAPES];
  int shape_count, last_character; // last_character: the first shape of the character that was added last
  PictureSkin skins[PICTURE_MAX_SKINS];
  int skin_count;
  DebugDraw debug;
  PictureName names[SCENE_MAX_CHARACTERS];
  int name_count;
  Subject subject;
  double time;                   // s
  float speed;                   // of the subject over the ground, m/s
  PictureColoring coloring;      // for the legend
  bool has_free, has_blend;      // some character moves by its joints alone, some does not, for the legend
  bool has_hits, has_assist;     // in the whole run, for the legend
  char scene[PICTURE_TEXT_SIZE]; // name of the scene
  char who[PICTURE_TEXT_SIZE];   // the subject's name, "" when it is the only character
  char lead[PICTURE_TEXT_SIZE];  // what leads the subject instead of its animation, "skill run"; "" when nothing does
  char event[PICTURE_TEXT_SIZE]; // the latest hit, "" when there is none
} Picture;

// A character at one moment, world frame; parts and joints in the order of the body.
typedef struct PictureCharacter {
  const BodyDef *body;
  const Pose *output, *target;   // NULL: not shown
  const vec3s *part_positions;   // [part_count] measured centres of mass, m; NULL: not shown
  const versors *part_rotations; // [part_count], identity in the bind pose
  const float *heat;             // [part_count - 1] of the joints without the root, 0 .. 1, see coloring; NULL: 0
  PictureColoring coloring;
  vec4s tint;         // sRGB, and its share in the body's colour: distinguishes runs
  vec3s assist_force; // N
} PictureCharacter;

// An object that belongs to no character.
typedef struct PictureObject {
  vec3s position_w; // of its middle, m
  versors rotation; // x y z w
  vec3s size;       // m, along its own axes; a ball's diameter
  bool box;         // false: a ball
  bool ground;      // a platform
  const char *name; // of a platform or prop
} PictureObject;

void picture_clear(Picture *picture);

// Sets the names of the scene and its subject, and which events are possible in it. subject: index of a character.
void picture_describe(Picture *picture, const SceneDef *def, int subject);

// Adds the shapes of the three poses, the skeleton of the output pose, and the arrow of the assist force.
void picture_add_character(Picture *picture, const PictureCharacter *character);

// Adds a skin over the character that was added last: its output is drawn only where skins are not.
void picture_add_skin(Picture *picture, const PictureSkin *skin);

// Adds the name of a character over its head, or over its root (m, world) if its body has none.
void picture_add_name(Picture *picture, const CharacterDef *def, const vec3s *part_positions, bool is_subject);

// Adds a prop or a thrown ball.
void picture_add_object(Picture *picture, const PictureObject *object);

// Adds the arrow of a hit, which ends at the struck point. impulse in N s, opacity 0 .. 1.
void picture_add_hit(Picture *picture, vec3s point_w, vec3s impulse, float opacity);

// Adds a taut cable, from a point along a vector, m.
void picture_add_cable(Picture *picture, vec3s point_w, vec3s along);

// Adds a rope between two points, m.
void picture_add_rope(Picture *picture, vec3s from_w, vec3s to_w);

// Whether a character moves by its joints alone, as it balances by itself or has a skill for the clip that it plays.
bool picture_is_free(const CharacterDef *def);

// Sets the subject: a body whose root joint is at a point, standing or lying, and its heading (rad, see Subject).
void picture_look_at(Picture *picture, vec3s root_w, float heading, const BodyDef *body);

// The parts of a body in a pose: centres of mass and rotations in the pose's outer space, as for the measured body.
void picture_place_parts(const BodyDef *body, const Pose *pose, vec3s *positions, versors *rotations);

// Colours for the legend: sRGB and opacity. heat: 0 .. 1, see PictureColoring. picture_free_tint is the constant colour
// that COLORING_BLEND gives to a character that moves by its joints alone: it is entirely physical all the time.
vec4s picture_free_tint(void);
vec4s picture_heat_color(PictureColoring coloring, float heat);
vec4s picture_layer_color(PictureLayer layer);
vec4s picture_hit_color(void);
vec4s picture_assist_color(void);
vec4s picture_source_tint(int index);  // of run `index` when several are overlaid; share 0 for the first
vec4s picture_hex_color(uint32_t hex); // 0xRRGGBBAA, as debug items have it

#endif
