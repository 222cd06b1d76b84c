// Ground as a grid of triangles, with exact rays. Bodies touch exactly the surface that rays hit, by our own ODE geom
// class (ODE's height field adds energy to capsules, its trimesh lets them tunnel).
//
// Samples are at x = origin_x + i * cell, z = origin_z + k * cell. Each cell is split along the diagonal from (i+1, k)
// to (i, k+1) [the diagonal of ODE's height field in a Y-up world]. The ground is solid below the surface. If `endless`
// is set, the ground continues outside the grid as a plane at `outside_height`; otherwise there is nothing. Where the
// border has another height there is a vertical wall.
//
// A terrain of kind mesh has no grid but a level, see level.h: surfaces, which may be above each other, and nothing
// solid below them.
#ifndef STAGGER_SIM_TERRAIN_TERRAIN_H
#define STAGGER_SIM_TERRAIN_TERRAIN_H

#include <ode/ode.h>
#include <stdint.h>

#include "sim/base/files.h"
#include "sim/base/param.h"
#include "sim/terrain/ground.h"
#include "sim/terrain/level.h"

typedef enum TerrainKind {
  TERRAIN_FLAT,
  TERRAIN_SLOPE,
  TERRAIN_STAIRS,
  TERRAIN_BLOCKS,
  TERRAIN_NOISE,
  TERRAIN_IMAGE,
  TERRAIN_STONES,
  TERRAIN_GAP,
  TERRAIN_KERB,
  TERRAIN_MESH
} TerrainKind;

// Every kind uses the rows that concern it. Lengths in m, angles in degrees. Risers of stairs and sides of blocks,
// stones, kerbs and gaps are one cell wide: tops have the given size, and sides lean outward. If the cell divides the
// run, all treads are equal. A roll increases over the first metre of a slope. Noise omits layers with waves shorter
// than two cells. Stones are level, one in each square of a grid; those of the middle row, at x = 0, are exactly in the
// middle of their squares, which makes a straight path with gaps of `spacing` minus `size`.
#define TERRAIN_PARAMS(ROW, T)                                                                                         \
  ROW(T, CHOICE, kind, "flat", 0, 0, "flat|slope|stairs|blocks|noise|image|stones|gap|kerb|mesh",                      \
      "Shape of the ground.")                                                                                          \
  ROW(T, RANGE, x, "[-10, 10]", -2000, 2000, "m", "Extent of the grid to the left (x points left).")                   \
  ROW(T, RANGE, z, "[-10, 90]", -2000, 2000, "m", "Extent of the grid forward.")                                       \
  ROW(T, REAL, cell, "0.25", 0.01, 10, "m", "Distance between two samples of the grid.")                               \
  ROW(T, REAL, height, "0", -100, 100, "m", "Height of the base plane; mesh: raises it.")                              \
  ROW(T, BOOL, endless, "true", 0, 1, "", "Whether flat ground continues outside the grid.")                           \
  ROW(T, REAL, pitch, "0", -60, 60, "deg", "slope: rise toward forward.")                                              \
  ROW(T, REAL, roll, "0", -60, 60, "deg", "slope: rise toward the left.")                                              \
  ROW(T, REAL, amplitude, "0.015", 0, 10, "m", "noise and blocks: largest height above and below the base.")           \
  ROW(T, REAL, wavelength, "1", 0.05, 100, "m", "noise: length of the longest wave; blocks: size of a block.")         \
  ROW(T, INT, octaves, "3", 1, 8, "-", "noise: number of layers, each half as long and half as high.")                 \
  ROW(T, REAL, rise, "0.17", -0.5, 0.5, "m", "stairs and kerb: height of a step.")                                     \
  ROW(T, REAL, run, "0.29", 0.05, 5, "m",                                                                              \
      "stairs: depth of a step; kerb: its depth, after which the ground is low again.")                                \
  ROW(T, INT, steps, "10", 1, 1000, "-", "stairs: number of steps.")                                                   \
  ROW(T, REAL, landing, "0", 0, 1000, "m",                                                                             \
      "stairs: depth of the highest step, after which they lead down again; 0: they do not.")                          \
  ROW(T, REAL, start, "2", -1000, 1000, "m", "Forward distance at which slope, stairs, stones, gap or kerb begin.")    \
  ROW(T, REAL, length, "3", 0.01, 1000, "m", "stones and gap: their extent forward; flat ground follows.")             \
  ROW(T, RANGE, across, "[-1000, 1000]", -1000, 1000, "m", "gap and kerb: extent to the left.")                        \
  ROW(T, REAL, depth, "1", 0, 100, "m", "stones and gap: depth of the ground between stones and in the gap.")          \
  ROW(T, REAL, size, "0.4", 0.01, 100, "m", "stones: length of their sides.")                                          \
  ROW(T, REAL, spacing, "0.6", 0.01, 100, "m", "stones: distance from the middle of one to that of the next.")         \
  ROW(T, REAL, jitter, "0.1", 0, 100, "m", "stones: largest random shift, within the stone's own square.")             \
  ROW(T, REAL, flat_radius, "0", 0, 100, "m", "noise and blocks: flat within this distance of the origin.")            \
  ROW(T, TEXT, image, "\"\"", 0, 0, "", "image: PNG file, grey; its width lies along x, its height along z.")          \
  ROW(T, REAL, image_height, "1", -100, 100, "m", "image: height of white above black.")                               \
  ROW(T, TEXT, file, "\"\"", 0, 0, "", "mesh: file of triangles, .glb or .obj; +Y is up, +Z forward.")                 \
  ROW(T, REAL, scale, "1", 1e-3, 1000, "-", "mesh: m for a unit of the file.")

typedef struct TerrainDef {
  TERRAIN_PARAMS(PARAM_FIELD, TerrainDef)
} TerrainDef;

extern const ParamTable terrain_params;

typedef struct Terrain {
  int columns, rows; // samples along x and z, at least 2 each
  double origin_x, origin_z, cell;
  double outside_height;
  bool endless;
  double lowest, highest; // m
  float *heights;         // [rows * columns], heights[k * columns + i], m
  Level *level;           // kind mesh; there are no heights then
} Terrain;

// m: no ground is higher, within the grid or the level and outside.
static inline double terrain_top(const Terrain *terrain) {
  return terrain->endless && terrain->outside_height > terrain->highest ? terrain->outside_height : terrain->highest;
}

// Builds the ground. Random numbers come from (seed, "terrain"). NULL and an error when the description is unusable
// (unreadable image or level, more than 16 million samples, empty extent).
Terrain *terrain_create(const TerrainDef *def, uint64_t seed, FileSet *files, Error *error);
void terrain_destroy(Terrain *terrain);

// Height in m at x, z and the unit normal of the triangle there (normal may be NULL). False where there is no ground.
// In a level that is the highest surface, such as a roof.
bool terrain_height(const Terrain *terrain, double x, double z, double *height, double normal[3]);

// The same for the highest surface of a level that is not above `from` (m). The surface of a grid is returned in any
// case, since the ground below it is solid.
bool terrain_height_below(const Terrain *terrain, double x, double z, double from, double *height, double normal[3]);

// Whether two places, x and z, are on the same triangle of the grid.
bool terrain_is_plane(const Terrain *terrain, const double from[2], const double to[2]);

// The first hit of a ray. See Ground. In a level only the front of a surface is hit; a ray that starts up to LEVEL_SKIN
// behind it hits it at distance 0.
bool terrain_ray(const Terrain *terrain, const double origin[3], const double direction[3], double length,
                 GroundHit *hit);

Ground terrain_ground(const Terrain *terrain);

// Makes an ODE geom that collides like the terrain, and adds it to the space (which may be NULL). It keeps a pointer to
// the terrain. There are colliders for spheres, capsules and boxes; contacts are at the shape's corners or ends, where
// its edges or axis cross edges of triangles, and at the terrain's own vertices under it, so that no peak is missed. If
// there are more contacts than requested, the deepest is kept and those that make the support widest. ODE must not be
// closed and initialised again in between, since the geom class is registered only once.
dGeomID terrain_add_geom(const Terrain *terrain, dSpaceID space);

// The contacts of a shape with a level that are up to `reach` (m) apart, at most `most` of them, as dCollide would give
// them for (shape, ground); the depth of those apart is negative. 0 for other terrains and shapes.
int terrain_contacts_near(dGeomID ground, dGeomID shape, double reach, int most, dContactGeom *contacts, int skip);

#endif
