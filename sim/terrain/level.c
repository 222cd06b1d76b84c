// Reads a level by the ending of its file's name and builds the tree of its triangles: a hierarchy of boxes, split
// where the surface area heuristic is best (Goldsmith and Salmon 1987), tested at the borders of bins (Wald 2007).
#include "sim/terrain/level.h"

#include <string.h>
#include <strings.h>
#include <sys/mman.h>

#include "sim/base/reserve.h"
#include "sim/terrain/level_internal.h"

enum { BINS = 12, LEAF = 4, MEDIAN_DEPTH = 20 };

// Cost of a node relative to that of a triangle, for the heuristic.
#define NODE_COST 1.0f

// m^2: triangles of less area are left out. Sides that are shorter than 0.1 mm are no ground to stand on.
#define SMALLEST_AREA 1e-10

typedef struct Bounds {
  float low[3], high[3];
} Bounds;

typedef struct Item {
  Bounds bounds;
  float middle[3]; // twice the middle of the bounds
  uint32_t triangle;
} Item;

typedef struct Builder {
  Item *items;
  LevelNode *nodes;
  uint32_t node_count;
  float widening; // m, of all bounds: floats of twice the level's size are at least this exact
} Builder;

// Neighbouring items that become a child of a node.
typedef struct Part {
  uint32_t first, count;
  Bounds bounds, middles;
  bool leaf; // is not split any more
} Part;

static const Bounds EMPTY = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static inline void widen(Bounds *bounds, const float low[3], const float high[3]) {
  for (int axis = 0; axis < 3; axis++) {
    bounds->low[axis] = low[axis] < bounds->low[axis] ? low[axis] : bounds->low[axis];
    bounds->high[axis] = high[axis] > bounds->high[axis] ? high[axis] : bounds->high[axis];
  }
}

static float half_area(const Bounds *bounds) {
  float x = bounds->high[0] - bounds->low[0], y = bounds->high[1] - bounds->low[1],
        z = bounds->high[2] - bounds->low[2];
  return x * y + y * z + z * x;
}

// ---- Splitting ----

typedef struct Bin {
  Bounds bounds;
  uint32_t count;
} Bin;

// A plane that splits items: those in the bins before `bin` lie left of it.
typedef struct Split {
  int axis, bin;
  float cost, start, scale;
} Split;

static inline int bin_of(const Item *item, int axis, float start, float scale) {
  int bin = (int)((item->middle[axis] - start) * scale);
  return bin < BINS ? bin : BINS - 1;
}

static void find_split(const Item *items, uint32_t count, const Bounds *middles, int axis, Split *best) {
  float start = middles->low[axis], length = middles->high[axis] - start;
  float scale = (float)BINS / length;
  if (!(length > 0) || !isfinite(scale))
    return;
  Bin bins[BINS];
  for (int i = 0; i < BINS; i++)
    bins[i] = (Bin){EMPTY, 0};
  for (uint32_t i = 0; i < count; i++) {
    Bin *bin = &bins[bin_of(&items[i], axis, start, scale)];
    widen(&bin->bounds, items[i].bounds.low, items[i].bounds.high);
    bin->count++;
  }
  // Cost of the items on the right of each border, then the sum with those on its left.
  float right[BINS];
  Bounds bounds = EMPTY;
  uint32_t sum = 0;
  for (int i = BINS - 1; i > 0; i--) {
    widen(&bounds, bins[i].bounds.low, bins[i].bounds.high);
    sum += bins[i].count;
    right[i] = sum > 0 ? half_area(&bounds) * (float)sum : INFINITY;
  }
  bounds = EMPTY;
  sum = 0;
  for (int i = 1; i < BINS; i++) {
    widen(&bounds, bins[i - 1].bounds.low, bins[i - 1].bounds.high);
    sum += bins[i - 1].count;
    float cost = sum > 0 ? half_area(&bounds) * (float)sum + right[i] : INFINITY;
    if (cost < best->cost)
      *best = (Split){axis, i, cost, start, scale};
  }
}

static void swap_items(Item *a, Item *b) {
  Item item = *a;
  *a = *b;
  *b = item;
}

// Sorts the items by the split and returns how many are left of it.
static uint32_t part_items(Item *items, uint32_t count, const Split *split) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < count; i++)
    if (bin_of(&items[i], split->axis, split->start, split->scale) < split->bin)
      swap_items(&items[i], &items[left++]);
  return left;
}

// How many of the items become the left child; 0: they become a leaf. Where splits are bad or the tree is deep already,
// items are halved as they lie, so that the depth stays limited.
static uint32_t choose_split(Item *items, uint32_t count, const Bounds *bounds, const Bounds *middles, int depth) {
  Split best = {.cost = INFINITY};
  for (int axis = 0; axis < 3 && depth < MEDIAN_DEPTH; axis++)
    find_split(items, count, middles, axis, &best);
  float area = half_area(bounds);
  if (count <= LEAF && !(best.cost + NODE_COST * area < area * (float)count))
    return 0;
  return isfinite(best.cost) ? part_items(items, count, &best) : count / 2;
}

static void find_bounds(const Builder *builder, Part *part) {
  part->bounds = part->middles = EMPTY;
  for (uint32_t i = 0; i < part->count; i++) {
    const Item *item = &builder->items[part->first + i];
    widen(&part->bounds, item->bounds.low, item->bounds.high);
    widen(&part->middles, item->middle, item->middle);
  }
}

// Splits a part in two. False when it remains a leaf.
static bool split_part(Builder *builder, Part *part, Part *other, int depth) {
  uint32_t left = part->count > 1
                      ? choose_split(builder->items + part->first, part->count, &part->bounds, &part->middles, depth)
                      : 0;
  if (left == 0)
    return false;
  *other = (Part){.first = part->first + left, .count = part->count - left};
  part->count = left;
  find_bounds(builder, part);
  find_bounds(builder, other);
  return true;
}

// Splits the largest parts until there are as many as a node has children. Returns how many there are.
static int split_for_node(Builder *builder, Part parts[LEVEL_WIDTH], int depth) {
  int count = 1;
  while (count < LEVEL_WIDTH) {
    Part *largest = NULL;
    for (int i = 0; i < count; i++)
      if (!parts[i].leaf && (!largest || half_area(&parts[i].bounds) > half_area(&largest->bounds)))
        largest = &parts[i];
    if (!largest)
      break;
    if (split_part(builder, largest, &parts[count], depth))
      count++;
    else
      largest->leaf = true;
  }
  return count;
}

static void build_node(Builder *builder, uint32_t index, Part whole, int depth) {
  Part parts[LEVEL_WIDTH] = {whole};
  int count = split_for_node(builder, parts, depth);
  for (int i = 0; i < LEVEL_WIDTH; i++) {
    LevelNode *node = &builder->nodes[index];
    for (int axis = 0; axis < 3; axis++) {
      node->low[axis][i] = i < count ? parts[i].bounds.low[axis] - builder->widening : INFINITY;
      node->high[axis][i] = i < count ? parts[i].bounds.high[axis] + builder->widening : -INFINITY;
    }
    node->first[i] = node->count[i] = 0;
    if (i >= count)
      continue;
    if (parts[i].leaf || parts[i].count <= LEAF) {
      node->first[i] = parts[i].first;
      node->count[i] = parts[i].count;
      continue;
    }
    uint32_t child = node->first[i] = builder->node_count++;
    build_node(builder, child, parts[i], depth + 1);
  }
}

// ---- The level ----

// Memory in large pages, where the system has them: rays into a large level wait for memory most of the time.
static void *allocate_large(size_t size) {
  enum { LARGE_PAGE = 2 << 20 };
  size_t whole = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
  if (size < LARGE_PAGE)
    return aligned_alloc(64, (size + 63) / 64 * 64);
  void *memory = aligned_alloc(LARGE_PAGE, whole);
  if (memory)
    madvise(memory, whole, MADV_HUGEPAGE);
  return memory;
}

static bool has_area(const LevelTriangle *triangle) {
  double edges[2][3], normal[3];
  for (int i = 0; i < 2; i++)
    for (int axis = 0; axis < 3; axis++)
      edges[i][axis] = (double)(*triangle)[i + 1][axis] - (double)(*triangle)[0][axis];
  cross3(edges[0], edges[1], normal);
  return 0.5 * length3(normal) >= SMALLEST_AREA;
}

static void make_items(Item *items, LevelTriangle *triangles, int count) {
  for (int i = 0; i < count; i++) {
    Item *item = &items[i];
    *item = (Item){.bounds = EMPTY, .triangle = (uint32_t)i};
    for (int v = 0; v < 3; v++)
      widen(&item->bounds, triangles[i][v], triangles[i][v]);
    for (int axis = 0; axis < 3; axis++)
      item->middle[axis] = item->bounds.low[axis] + item->bounds.high[axis];
  }
}

Level *level_create(LevelTriangle *triangles, int count, Error *error) {
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (has_area((const LevelTriangle *)&triangles[i]))
      memmove(triangles[kept++], triangles[i], sizeof *triangles);
  if (kept == 0) {
    error_set(error, "there is no triangle in it%s", count > 0 ? " that has an area" : "");
    free(triangles);
    return NULL;
  }
  Level *level = malloc(sizeof *level);
  LevelTriangle *sorted = allocate_large(sizeof *sorted * (size_t)kept);
  Builder builder = {.items = malloc(sizeof *builder.items * (size_t)kept), .node_count = 1};
  // Only nodes whose children are all leaves have less than four, and those have three triangles at least.
  builder.nodes = allocate_large(sizeof *builder.nodes * ((size_t)kept * 5 / 9 + 2));
  bool good = level && sorted && builder.items && builder.nodes;
  if (good) {
    Part whole = {.count = (uint32_t)kept};
    make_items(builder.items, triangles, kept);
    find_bounds(&builder, &whole);
    *level = (Level){.triangles = sorted, .count = kept, .nodes = builder.nodes};
    float farthest = 0;
    for (int axis = 0; axis < 3; axis++) {
      level->low[axis] = (double)whole.bounds.low[axis];
      level->high[axis] = (double)whole.bounds.high[axis];
      farthest = fmaxf(farthest, fmaxf(-whole.bounds.low[axis], whole.bounds.high[axis]));
    }
    builder.widening = 0x1p-19f * (farthest + 1);
    build_node(&builder, 0, whole, 0);
    for (int i = 0; i < kept; i++)
      memcpy(sorted[i], triangles[builder.items[i].triangle], sizeof *sorted);
    good = level_find_seams(level);
  }
  if (!good) {
    free(level);
    free(sorted);
    free(builder.nodes);
  }
  free(builder.items);
  free(triangles);
  if (!good)
    error_set(error, "not enough memory for %d triangles", kept);
  return good ? level : NULL;
}

void level_destroy(Level *level) {
  if (!level)
    return;
  free(level->triangles);
  free(level->continued);
  free(level->nodes);
  free(level);
}

long level_crop(const Level *level, const double x[2], const double z[2], LevelTriangle *triangles, long most) {
  const dReal bounds[6] = {x[0], x[1], -INFINITY, INFINITY, z[0], z[1]};
  LevelSearch search;
  level_search_begin(&search, level, bounds, 0);
  long count = 0;
  for (int i; (i = level_search_next(&search)) >= 0;) {
    const LevelTriangle *triangle = (const LevelTriangle *)&level->triangles[i];
    Bounds own = EMPTY;
    for (int v = 0; v < 3; v++)
      widen(&own, (*triangle)[v], (*triangle)[v]);
    if ((double)own.low[0] > x[1] || (double)own.high[0] < x[0] || (double)own.low[2] > z[1] ||
        (double)own.high[2] < z[0])
      continue;
    if (triangles && count < most)
      memcpy(triangles[count], *triangle, sizeof *triangles);
    count++;
  }
  return count;
}

// ---- Reading ----

bool level_add_triangle(LevelReader *reader, const double *a, const double *b, const double *c) {
  if (reader->count == LEVEL_MAX_TRIANGLES)
    return error_at(reader->error, reader->file->name, 0, 0, "more than %d million triangles",
                    LEVEL_MAX_TRIANGLES / 1000000);
  if (!reserve(&reader->triangles, &reader->capacity, reader->count + 1, sizeof *reader->triangles))
    return error_at(reader->error, reader->file->name, 0, 0, "not enough memory for %d triangles", reader->count + 1);
  const double *vertices[3] = {a, b, c};
  for (int v = 0; v < 3; v++)
    for (int axis = 0; axis < 3; axis++) {
      double place = vertices[v][axis] * reader->scale + (axis == 1 ? reader->height : 0);
      if (!(fabs(place) <= LEVEL_FARTHEST))
        return error_at(reader->error, reader->file->name, 0, 0, "a vertex at %g m; at most %g m are allowed", place,
                        LEVEL_FARTHEST);
      reader->triangles[reader->count][v][axis] = (float)place;
    }
  reader->count++;
  return true;
}

Level *level_read(const File *file, double scale, double height, Error *error) {
  LevelReader reader = {.file = file, .scale = scale, .height = height, .error = error};
  const char *ending = strrchr(file->name, '.');
  bool good = false;
  if (ending && strcasecmp(ending, ".obj") == 0)
    good = level_read_obj(&reader);
  else if (ending && strcasecmp(ending, ".glb") == 0)
    good = level_read_glb(&reader);
  else
    error_at(error, file->name, 0, 0, "a level is a file that ends in .glb or .obj");
  if (!good) {
    free(reader.triangles);
    return NULL;
  }
  Error cause = {0};
  Level *level = level_create(reader.triangles, reader.count, &cause);
  if (!level)
    error_at(error, file->name, 0, 0, "%s", cause.text);
  return level;
}
