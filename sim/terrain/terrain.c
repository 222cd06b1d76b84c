// Builds the grid: one function for each kind of terrain gives the height of the ground at a sample. Kind mesh has none
// and reads a level.
#include "sim/terrain/terrain.h"

#include <math.h>
#include <stdlib.h>

#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "sim/terrain/height_image.h"

PARAM_TABLE(terrain_params, TerrainDef, TERRAIN_PARAMS, "terrain", "The ground.")

enum { MAX_SAMPLES = 16000000, MAX_OCTAVES = 8 };

// Distances along the ground are rounded to this share of a step or block, so that a sample on an edge belongs to the
// higher step however x and z were rounded.
#define EDGE 1e-6
// m over which a sideways slope increases, so that there is no cliff between it and the flat ground before it.
#define ROLL_IN 1.0
// Limit of the stretching of noise on a patch of ground much smaller than a wave, which may not reach the amplitude.
#define MAX_STRETCH 4.0

// Data for the kinds in addition to the description.
typedef struct Builder {
  const TerrainDef *def;
  uint64_t key;                  // of the random lattice; the ground at a place does not depend on the extent of the
                                 // grid
  double offset[MAX_OCTAVES][2]; // of each layer's lattice, in wavelengths
  int octaves;
  HeightImage image;
} Builder;

typedef double HeightAt(const Builder *builder, double x, double z);

static double clamp_unit(double value) { return fmin(fmax(value, 0), 1); }

static double flat_at(const Builder *builder, double x, double z) {
  (void)builder, (void)x, (void)z;
  return 0;
}

static double slope_at(const Builder *builder, double x, double z) {
  double forward = fmax(z - builder->def->start, 0);
  return forward * tan(builder->def->pitch * RAD_PER_DEGREE) +
         x * tan(builder->def->roll * RAD_PER_DEGREE) * smooth_step(forward / ROLL_IN);
}

// The first riser ends at `start`. Treads are flat; a riser leans over the one cell before its edge, as steep as the
// grid allows. If the cell divides the run, all treads are equal.
static double stairs_at(const Builder *builder, double x, double z) {
  (void)x;
  const TerrainDef *def = builder->def;
  double step = floor((z - def->start) / def->run + EDGE) + 1;
  if (def->landing > 0) { // the stairs lead down as they led up
    double end = def->start + 2 * (def->steps - 1) * def->run + def->landing;
    step = fmin(step, floor((end - z) / def->run + EDGE) + 1);
  }
  return def->rise * fmin(fmax(step, 0), def->steps);
}

// Position relative to low..high: below 0 before it, above 1 behind it.
static double share_in(const double range[2], double place) { return (place - range[0]) / (range[1] - range[0]); }

static double kerb_at(const Builder *builder, double x, double z) {
  const TerrainDef *def = builder->def;
  const double along[2] = {def->start, def->start + def->run};
  double forward = share_in(along, z), left = share_in(def->across, x);
  bool on_it = forward >= -EDGE && forward <= 1 + EDGE && left >= -EDGE && left <= 1 + EDGE;
  return on_it ? def->rise : 0;
}

// The edges of the gap are at the level of the ground.
static double gap_at(const Builder *builder, double x, double z) {
  const TerrainDef *def = builder->def;
  const double along[2] = {def->start, def->start + def->length};
  double forward = share_in(along, z), left = share_in(def->across, x);
  bool in_it = forward > EDGE && forward < 1 - EDGE && left > EDGE && left < 1 - EDGE;
  return in_it ? -def->depth : 0;
}

// A random number for a point of a lattice: splitmix64's finisher (Steele, Lea and Flood 2014) over key and indices.
static uint64_t lattice_hash(uint64_t key, int64_t i, int64_t k) {
  uint64_t hash = key + (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)k * UINT64_C(0xd1b54a32d192ed03);
  hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
  return hash ^ (hash >> 31);
}

// 32 bits as a number in [-1, 1).
static double signed_unit(uint64_t bits) { return (double)(bits & UINT32_MAX) * 0x1p-31 - 1; }

// 0 inside the flat circle, 1 from a wavelength outside it.
static double flat_weight(const TerrainDef *def, double distance) {
  if (def->flat_radius <= 0)
    return 1;
  return smooth_step((distance - def->flat_radius) / def->wavelength);
}

// Blocks have level tops: the weight of a block is that of its point nearest to the origin.
static double blocks_at(const Builder *builder, double x, double z) {
  double size = builder->def->wavelength;
  double i = floor(x / size + EDGE), k = floor(z / size + EDGE);
  double nearest_x = fmin(fmax(0, i * size), (i + 1) * size), nearest_z = fmin(fmax(0, k * size), (k + 1) * size);
  double weight = flat_weight(builder->def, hypot(nearest_x, nearest_z));
  return builder->def->amplitude * weight * signed_unit(lattice_hash(builder->key, (int64_t)i, (int64_t)k));
}

// Each square of the grid contains one stone. Squares are numbered forward from `start` and to the left from the middle
// row.
static double stones_at(const Builder *builder, double x, double z) {
  const TerrainDef *def = builder->def;
  double forward = z - def->start, spacing = def->spacing;
  if (forward < EDGE * spacing || forward > def->length - EDGE * spacing)
    return 0;
  double i = floor(x / spacing + 0.5), k = floor(forward / spacing);
  double reach = fmin(def->jitter, fmax(spacing - def->size, 0) / 2);
  uint64_t hash = lattice_hash(builder->key, (int64_t)i, (int64_t)k);
  double shift_x = i == 0 ? 0 : reach * signed_unit(hash), shift_z = i == 0 ? 0 : reach * signed_unit(hash >> 32);
  double side_x = fabs(x - i * spacing - shift_x), side_z = fabs(forward - (k + 0.5) * spacing - shift_z);
  bool on_stone = fmax(side_x, side_z) <= def->size * (0.5 + EDGE);
  return on_stone ? 0 : -def->depth;
}

// Gradient noise with the quintic fade of Perlin 2002 ("Improving noise"), which has continuous slope and curvature.
// Gradients are uniform in a square, so the noise is at most 1.
static double gradient_noise(uint64_t key, double x, double z) {
  double i = floor(x), k = floor(z), u = x - i, v = z - k, corners[2][2];
  for (int b = 0; b < 2; b++)
    for (int a = 0; a < 2; a++) {
      uint64_t hash = lattice_hash(key, (int64_t)i + a, (int64_t)k + b);
      corners[b][a] = signed_unit(hash) * (u - a) + signed_unit(hash >> 32) * (v - b);
    }
  double fade_u = u * u * u * (u * (u * 6 - 15) + 10), fade_v = v * v * v * (v * (v * 6 - 15) + 10);
  double near = corners[0][0] + (corners[0][1] - corners[0][0]) * fade_u;
  double far = corners[1][0] + (corners[1][1] - corners[1][0]) * fade_u;
  return near + (far - near) * fade_v;
}

// A value in -1 .. 1; scaled to the amplitude when the whole grid has been computed.
static double noise_at(const Builder *builder, double x, double z) {
  double sum = 0, weight = 1, weights = 0, length = builder->def->wavelength;
  for (int layer = 0; layer < builder->octaves; layer++) {
    const double *offset = builder->offset[layer];
    sum += weight * gradient_noise(builder->key + (uint64_t)layer, x / length + offset[0], z / length + offset[1]);
    weights += weight;
    weight *= 0.5;
    length *= 0.5;
  }
  return sum / weights;
}

// The image covers the extent: its first column and row are at the lowest x and z (seen from above with x to the right
// it is not mirrored); heights between pixels are bilinear.
static double image_at(const Builder *builder, double x, double z) {
  const TerrainDef *def = builder->def;
  double u = clamp_unit((x - def->x[0]) / (def->x[1] - def->x[0]));
  double v = clamp_unit((z - def->z[0]) / (def->z[1] - def->z[0]));
  return def->image_height * height_image_sample(&builder->image, u, v);
}

static HeightAt *const kinds[] = {
    [TERRAIN_FLAT] = flat_at,     [TERRAIN_SLOPE] = slope_at, [TERRAIN_STAIRS] = stairs_at,
    [TERRAIN_BLOCKS] = blocks_at, [TERRAIN_NOISE] = noise_at, [TERRAIN_IMAGE] = image_at,
    [TERRAIN_STONES] = stones_at, [TERRAIN_GAP] = gap_at,     [TERRAIN_KERB] = kerb_at,
};

// The random numbers of a description. Layers with waves shorter than two cells cannot be represented and are left out.
static void seed_builder(Builder *builder, uint64_t seed) {
  Rng rng = rng_make(seed, "terrain");
  builder->key = rng_next(&rng);
  for (int layer = 0; layer < MAX_OCTAVES; layer++)
    for (int axis = 0; axis < 2; axis++)
      builder->offset[layer][axis] = rng_unit(&rng);
  double length = builder->def->wavelength;
  while (builder->octaves < MAX_OCTAVES && builder->octaves < builder->def->octaves &&
         (builder->octaves == 0 || length >= 2 * builder->def->cell)) {
    builder->octaves++;
    length *= 0.5;
  }
}

static void find_range(Terrain *terrain) {
  terrain->lowest = INFINITY;
  terrain->highest = -INFINITY;
  for (size_t i = 0; i < (size_t)terrain->columns * (size_t)terrain->rows; i++) {
    terrain->lowest = fmin(terrain->lowest, (double)terrain->heights[i]);
    terrain->highest = fmax(terrain->highest, (double)terrain->heights[i]);
  }
}

// Centres the noise and scales it to the amplitude above and below, then flattens the circle.
static void scale_noise(Terrain *terrain, const TerrainDef *def) {
  find_range(terrain);
  double middle = (terrain->highest + terrain->lowest) / 2;
  double reach = fmax((terrain->highest - terrain->lowest) / 2, 1 / MAX_STRETCH);
  for (int k = 0; k < terrain->rows; k++)
    for (int i = 0; i < terrain->columns; i++) {
      float *height = &terrain->heights[(size_t)k * (size_t)terrain->columns + (size_t)i];
      double distance = hypot(terrain->origin_x + i * terrain->cell, terrain->origin_z + k * terrain->cell);
      *height = (float)(((double)*height - middle) / reach * def->amplitude * flat_weight(def, distance));
    }
}

// The number of samples that cover low..high, or 0 when there is none.
static int count_samples(const double range[2], double cell) {
  double count = ceil((range[1] - range[0]) / cell - EDGE) + 1;
  return range[1] > range[0] && count <= MAX_SAMPLES ? (int)fmax(count, 2) : 0;
}

// Allocates the grid without heights.
static Terrain *allocate_grid(const TerrainDef *def, Error *error) {
  const char *names[] = {"x", "z"};
  const double *ranges[] = {def->x, def->z};
  int counts[2];
  for (int axis = 0; axis < 2; axis++) {
    counts[axis] = def->cell > 0 ? count_samples(ranges[axis], def->cell) : 0;
    if (counts[axis] == 0) {
      error_set(error, "terrain.%s: [%g, %g] in cells of %g m is no extent; the first number must be below the second",
                names[axis], ranges[axis][0], ranges[axis][1], def->cell);
      return NULL;
    }
  }
  if ((double)counts[0] * counts[1] > MAX_SAMPLES) {
    error_set(error, "terrain.cell: %d by %d samples are too many (at most 16 million): larger cells or less extent",
              counts[0], counts[1]);
    return NULL;
  }
  Terrain *terrain = malloc(sizeof *terrain);
  float *heights = malloc(sizeof *heights * (size_t)counts[0] * (size_t)counts[1]);
  if (!terrain || !heights) {
    free(terrain);
    free(heights);
    error_set(error, "terrain: not enough memory for %d by %d samples", counts[0], counts[1]);
    return NULL;
  }
  *terrain = (Terrain){.columns = counts[0],
                       .rows = counts[1],
                       .origin_x = def->x[0],
                       .origin_z = def->z[0],
                       .cell = def->cell,
                       .outside_height = def->height,
                       .endless = def->endless,
                       .heights = heights};
  return terrain;
}

static bool read_image(Builder *builder, FileSet *files, Error *error) {
  const char *name = builder->def->image;
  if (name[0] == '\0' || !files)
    return error_set(error, "terrain.image: kind image needs the name of a PNG file");
  const File *file = files_read(files, name, error);
  return file && height_image_read(file, &builder->image, error);
}

static void fill_grid(Terrain *terrain, const Builder *builder) {
  HeightAt *height_at = kinds[builder->def->kind];
  for (int k = 0; k < terrain->rows; k++)
    for (int i = 0; i < terrain->columns; i++)
      terrain->heights[(size_t)k * (size_t)terrain->columns + (size_t)i] =
          (float)height_at(builder, terrain->origin_x + i * terrain->cell, terrain->origin_z + k * terrain->cell);
  if (builder->def->kind == TERRAIN_NOISE)
    scale_noise(terrain, builder->def);
  for (size_t i = 0; i < (size_t)terrain->columns * (size_t)terrain->rows; i++)
    terrain->heights[i] = (float)((double)terrain->heights[i] + builder->def->height);
  find_range(terrain);
}

static Terrain *create_level(const TerrainDef *def, FileSet *files, Error *error) {
  if (def->file[0] == '\0' || !files) {
    error_set(error, "terrain.file: kind mesh needs the name of a .glb or .obj file");
    return NULL;
  }
  const File *file = files_read(files, def->file, error);
  Level *level = file ? level_read(file, def->scale, def->height, error) : NULL;
  Terrain *terrain = level ? calloc(1, sizeof *terrain) : NULL;
  if (!terrain) {
    level_destroy(level);
    error_set(error, "terrain: not enough memory");
    return NULL;
  }
  *terrain = (Terrain){
      .cell = 1, .outside_height = def->height, .lowest = level->low[1], .highest = level->high[1], .level = level};
  return terrain;
}

Terrain *terrain_create(const TerrainDef *def, uint64_t seed, FileSet *files, Error *error) {
  Builder builder = {.def = def};
  if (def->kind == TERRAIN_MESH)
    return create_level(def, files, error);
  if (def->kind < 0 || def->kind >= (int)(sizeof kinds / sizeof kinds[0])) {
    error_set(error, "terrain.kind: %d is none of %s", def->kind, param_find(&terrain_params, "kind")->unit);
    return NULL;
  }
  Terrain *terrain = allocate_grid(def, error);
  if (!terrain)
    return NULL;
  if (def->kind == TERRAIN_IMAGE && !read_image(&builder, files, error)) {
    terrain_destroy(terrain);
    return NULL;
  }
  seed_builder(&builder, seed);
  fill_grid(terrain, &builder);
  height_image_free(&builder.image);
  if (!isfinite(terrain->lowest) || !isfinite(terrain->highest)) {
    error_set(error, "terrain: heights from %g to %g m are not numbers", terrain->lowest, terrain->highest);
    terrain_destroy(terrain);
    return NULL;
  }
  return terrain;
}

void terrain_destroy(Terrain *terrain) {
  if (!terrain)
    return;
  free(terrain->heights);
  level_destroy(terrain->level);
  free(terrain);
}
