// A level: ground made of any triangles, with rooms, roofs and floors above each other, and the tree in which rays and
// shapes find them.
//
// A triangle is ground on its front, the side from which its vertices are counter-clockwise; rays and shapes pass
// through its back. Triangles need not share vertices or edges, nor enclose a volume.
#ifndef STAGGER_SIM_TERRAIN_LEVEL_H
#define STAGGER_SIM_TERRAIN_LEVEL_H

#include <stdint.h>

#include "sim/base/files.h"

enum { LEVEL_MAX_TRIANGLES = 16000000 };
#define LEVEL_FARTHEST 1e4 // m from the origin

// m: a ray that starts this deep behind a triangle hits it at distance 0.
#define LEVEL_SKIN 0.01

typedef float LevelTriangle[3][3]; // vertices; m, world

enum { LEVEL_WIDTH = 4 };

// A node of the tree with up to four children, side by side so that all are tested at once.
typedef struct LevelNode {
  float low[3][LEVEL_WIDTH], high[3][LEVEL_WIDTH]; // bounds by axis, m; widened for the rounding of floats
  uint32_t first[LEVEL_WIDTH];                     // node, or first triangle of a leaf
  uint32_t count[LEVEL_WIDTH];                     // of triangles; 0: a node
} LevelNode;

typedef struct Level {
  LevelTriangle *triangles; // in the order of the tree's leaves
  uint8_t *continued; // for each triangle: bit i: the ground goes on beyond the edge after vertex i, see level_seams.c
  int count;          // at least 1
  LevelNode *nodes;   // 0: the root
  double low[3], high[3]; // m, bounds
} Level;

// Reads a file: .glb (glTF 2.0, binary) or .obj. Coordinates are multiplied by `scale` and raised by `height` (m).
// Triangles without area are left out. NULL and an error with the file and the element when the file is unusable.
Level *level_read(const File *file, double scale, double height, Error *error);

// The number of skins or animations ("skins", "animations") in a .glb file: a level has neither, a figure has some. 0
// when the file is none or broken.
int level_glb_count(const File *file, const char *list);

// Builds the tree. Takes over the triangles, which malloc has allocated and whose vertices must be finite, even when
// there is an error: none is left that has an area, or memory runs out.
Level *level_create(LevelTriangle *triangles, int count, Error *error);
void level_destroy(Level *level);

// The first triangle that a ray meets from its front within 0 <= t <= length: its distance and unit normal. False when
// there is none. All numbers must be finite.
bool level_ray(const Level *level, const double origin[3], const double direction[3], double length, double *distance,
               double normal[3]);

// The highest triangle that faces up at x, z and is not above `from` (m). normal may be NULL. False when there is none.
bool level_height(const Level *level, double x, double z, double from, double *height, double normal[3]);

// Copies the triangles that touch the area from x[0] to x[1] and z[0] to z[1] (m), at most `most`, for pictures and
// files. Returns how many touch it. triangles may be NULL: they are only counted.
long level_crop(const Level *level, const double x[2], const double z[2], LevelTriangle *triangles, long most);

#endif
