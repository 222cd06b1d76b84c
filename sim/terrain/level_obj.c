// Reads the faces of Wavefront OBJ files. Materials, groups, normals and texture coordinates do not matter to the
// ground and are skipped.
#include <stdlib.h>
#include <string.h>

#include "sim/base/reserve.h"
#include "sim/terrain/level_internal.h"

enum { MAX_CORNERS = 1024 }; // of a face

typedef struct Obj {
  LevelReader *reader;
  double (*vertices)[3];
  int count, capacity;
  int line;
} Obj;

static bool fail_at(const Obj *obj, const char *cause) {
  return error_at(obj->reader->error, obj->reader->file->name, obj->line, 1, "%s", cause);
}

static const char *skip_blanks(const char *at) {
  while (*at == ' ' || *at == '\t' || *at == '\r')
    at++;
  return at;
}

static bool read_vertex(Obj *obj, const char *at) {
  if (obj->count == 3 * LEVEL_MAX_TRIANGLES ||
      !reserve(&obj->vertices, &obj->capacity, obj->count + 1, sizeof *obj->vertices))
    return fail_at(obj, "too many vertices");
  double *vertex = obj->vertices[obj->count++];
  for (int axis = 0; axis < 3; axis++) {
    char *end;
    at = skip_blanks(at);
    vertex[axis] = *at == '\n' ? NAN : strtod(at, &end);
    if (*at == '\n' || end == at || !isfinite(vertex[axis]))
      return fail_at(obj, "a vertex needs three finite coordinates");
    at = end;
  }
  return true;
}

// ---- Faces ----

// Twice the area of a triangle, seen along a normal: positive when it is counter-clockwise.
static double area(const double normal[3], const double *a, const double *b, const double *c) {
  double sides[2][3], across[3];
  add_scaled(b, -1, a, sides[0]);
  add_scaled(c, -1, a, sides[1]);
  cross3(sides[0], sides[1], across);
  return dot3(across, normal);
}

static bool same_place(const double *a, const double *b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

// Whether the corner between two others of a polygon can be cut off: it is convex, and no corner lies in the triangle.
static bool is_ear(double (*const corners[])[3], int count, int at, const double normal[3]) {
  const double *before = *corners[(at + count - 1) % count], *here = *corners[at], *after = *corners[(at + 1) % count];
  if (area(normal, before, here, after) <= 0)
    return false;
  for (int i = 0; i < count; i++) {
    const double *other = *corners[i];
    if (same_place(other, before) || same_place(other, here) || same_place(other, after))
      continue;
    if (area(normal, before, here, other) >= 0 && area(normal, here, after, other) >= 0 &&
        area(normal, after, before, other) >= 0)
      return false;
  }
  return true;
}

// Cuts a polygon into triangles, ear by ear (Meisters 1975).
static bool add_polygon(Obj *obj, const int *indices, int count) {
  double(*corners[MAX_CORNERS])[3], normal[3] = {0};
  if (count < 3)
    return fail_at(obj, "a face needs three vertices");
  for (int i = 0; i < count; i++)
    corners[i] = &obj->vertices[indices[i]];
  for (int i = 1; i + 1 < count; i++) { // Newell's normal, as a sum over a fan
    double sides[2][3], across[3];
    add_scaled(*corners[i], -1, *corners[0], sides[0]);
    add_scaled(*corners[i + 1], -1, *corners[0], sides[1]);
    cross3(sides[0], sides[1], across);
    add_scaled(normal, 1, across, normal);
  }
  while (count > 3) {
    int ear = 0;
    while (ear < count && !is_ear(corners, count, ear, normal))
      ear++;
    ear = ear < count ? ear : 0; // no simple polygon: any
    if (!level_add_triangle(obj->reader, *corners[(ear + count - 1) % count], *corners[ear],
                            *corners[(ear + 1) % count]))
      return false;
    memmove(corners + ear, corners + ear + 1, sizeof *corners * (size_t)(count - ear - 1));
    count--;
  }
  return level_add_triangle(obj->reader, *corners[0], *corners[1], *corners[2]);
}

// Corners are "vertex", "vertex/texture", "vertex//normal" or "vertex/texture/normal"; negative numbers count from the
// last vertex.
static bool read_face(Obj *obj, const char *at) {
  int indices[MAX_CORNERS], count = 0;
  for (at = skip_blanks(at); *at != '\n' && *at != '\0' && *at != '#'; at = skip_blanks(at)) {
    char *end;
    long number = strtol(at, &end, 10), index = number < 0 ? obj->count + number : number - 1;
    if (end == at)
      return fail_at(obj, "a face needs numbers of vertices");
    if (number == 0 || index < 0 || index >= obj->count)
      return error_at(obj->reader->error, obj->reader->file->name, obj->line, 1,
                      "vertex %ld of a face does not exist; there are %d before this line", number, obj->count);
    if (count == MAX_CORNERS)
      return fail_at(obj, "a face with more than 1024 corners");
    indices[count++] = (int)index;
    for (at = end; *at != '\0' && !strchr(" \t\r\n", *at);)
      at++;
  }
  return add_polygon(obj, indices, count);
}

bool level_read_obj(LevelReader *reader) {
  Obj obj = {.reader = reader};
  const char *at = reader->file->bytes, *last = at + reader->file->size;
  bool good = true;
  while (good && at < last) {
    obj.line++;
    at = skip_blanks(at);
    if (at[0] == 'v' && (at[1] == ' ' || at[1] == '\t'))
      good = read_vertex(&obj, at + 1);
    else if (at[0] == 'f' && (at[1] == ' ' || at[1] == '\t'))
      good = read_face(&obj, at + 1);
    const char *end = memchr(at, '\n', (size_t)(last - at));
    at = end ? end + 1 : last;
  }
  free(obj.vertices);
  return good;
}
