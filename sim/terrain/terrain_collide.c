// The terrain as an ODE geom class, with colliders for spheres, capsules and boxes; those of levels are in
// level_touch.c. A grid is solid: depth is measured from the surface however deep a shape is, so nothing tunnels.
//
// Two polyhedra touch by corners on faces, edges on edges, and faces on corners. For the part of a shape that faces the
// ground this gives three kinds of candidates, so that no peak between sample points is missed:
//   - the shape's corners (or the ends of a capsule's axis, as spheres) against the triangles,
//   - the shape's edges (or axis) against the triangles' edges: along an edge the gap to the ground is piecewise
//     linear with kinks over the edges of triangles, so it is smallest at one of its ends or at a kink,
//   - the terrain's own vertices against the shape's faces (or side).
#include <pthread.h>
#include <string.h>

#include "sim/terrain/level_internal.h"
#include "sim/terrain/terrain_touch_internal.h"

enum { MAX_FACES_PER_SPHERE = 3 };

// Two faces whose normals are this close (cosine of 2.5 degrees) count as one for a sphere.
#define SAME_FACE 0.999
// An axis of a box with a smaller vertical component counts as level.
#define LEVEL 1e-9

// ---- Sphere ----

// A sphere against the plane of a triangle.
static void touch_plane(const double centre[3], double radius, double gap, const Facet *facet, TouchList *list) {
  double normal[3], position[3];
  facet_normal(facet, normal);
  double depth = radius - gap * normal[1];
  if (depth <= 0)
    return;
  add_scaled(centre, -radius, normal, position);
  terrain_add_touch(list, position, normal, depth);
}

// A face below the sphere's centre.
typedef struct Face {
  Facet facet;
  double gap, normal[3], distance; // m
} Face;

// Adds the face to the list, unless a nearer one has the same normal.
static void add_face(Face face, Face faces[MAX_FACES_PER_SPHERE], int *count) {
  facet_normal(&face.facet, face.normal);
  face.distance = face.gap * face.normal[1];
  for (int i = 0; i < *count; i++) {
    if (dot3(face.normal, faces[i].normal) < SAME_FACE)
      continue;
    if (face.distance < faces[i].distance)
      faces[i] = face;
    return;
  }
  if (*count < MAX_FACES_PER_SPHERE)
    faces[(*count)++] = face;
}

static int find_faces(const Terrain *terrain, const Patch *patch, const double centre[3], double radius,
                      Face faces[MAX_FACES_PER_SPHERE]) {
  int count = 0;
  Face face;
  double centre_u = (centre[0] - terrain->origin_x) / terrain->cell;
  double centre_v = (centre[2] - terrain->origin_z) / terrain->cell;
  for (int k = patch->first_k; k < patch->last_k; k++)
    for (int i = patch->first_i; i < patch->last_i; i++)
      for (int far = 0; far < 2; far++) {
        face.facet = terrain_cell_facet(terrain, i, k, far, far);
        double slope_x = face.facet.slope_x, slope_z = face.facet.slope_z;
        double u = centre_u - i, v = centre_v - k;
        face.facet.height += terrain->cell * (slope_x * (u - far) + slope_z * (v - far)); // height below the centre
        face.gap = centre[1] - face.facet.height;
        double up = 1 / (1 + slope_x * slope_x + slope_z * slope_z); // square of the normal's vertical component
        if (face.gap <= 0 || face.gap * face.gap * up >= radius * radius)
          continue;
        // The projection of the centre onto the plane must be inside the triangle.
        u += slope_x * face.gap * up / terrain->cell;
        v += slope_z * face.gap * up / terrain->cell;
        bool inside = far ? u <= 1 && v <= 1 && u + v >= 1 : u >= 0 && v >= 0 && u + v <= 1;
        if (inside)
          add_face(face, faces, &count);
      }
  return count;
}

// Whether a vertex is high enough to be near the centre of a sphere, and is above the plane of the ground below the
// centre.
static bool stands_out(const double vertex[3], const double centre[3], double distance, const Facet *plane) {
  if (vertex[1] <= centre[1] - distance)
    return false;
  return !plane || vertex[1] > plane->height + plane->slope_x * (vertex[0] - centre[0]) +
                                   plane->slope_z * (vertex[2] - centre[2]) + TERRAIN_FLATNESS;
}

// The nearest point on the edges between the triangles of a patch, if it is nearer than `distance`. If the plane of a
// face at that distance is given, only edges that are above it can be nearer.
static bool find_nearest_on_edges(const Terrain *terrain, const Patch *patch, const double centre[3], double distance,
                                  const Facet *plane, double nearest[3]) {
  static const int steps[3][2] = {{1, 0}, {0, 1}, {-1, 1}};
  double best = distance * distance;
  bool found = false;
  for (int k = patch->first_k; k <= patch->last_k; k++)
    for (int i = patch->first_i; i <= patch->last_i; i++) {
      double start[3], end[3], edge[3], offset[3], point[3];
      get_vertex(terrain, i, k, start);
      bool start_out = stands_out(start, centre, distance, plane);
      add_scaled(centre, -1, start, offset);
      for (int n = 0; n < 3; n++) {
        int a = i + steps[n][0], b = k + steps[n][1];
        if (a < patch->first_i || a > patch->last_i || b > patch->last_k)
          continue;
        get_vertex(terrain, a, b, end);
        if (!start_out && !stands_out(end, centre, distance, plane))
          continue;
        add_scaled(end, -1, start, edge);
        double share = min_d(max_d(dot3(offset, edge) / dot3(edge, edge), 0), 1);
        double away[3];
        add_scaled(start, share, edge, point);
        add_scaled(centre, -1, point, away);
        if (dot3(away, away) >= best)
          continue;
        best = dot3(away, away);
        memcpy(nearest, point, sizeof point);
        found = true;
      }
    }
  return found;
}

static void touch_sphere(const Terrain *terrain, const double centre[3], double radius, TouchList *list) {
  Facet below;
  double gap = terrain_facet(terrain, centre[0], centre[2], &below) ? centre[1] - below.height : INFINITY;
  if (gap <= 0) {
    touch_plane(centre, radius, gap, &below, list);
    return;
  }
  const dReal bounds[6] = {centre[0] - radius, centre[0] + radius, centre[1] - radius,
                           centre[1] + radius, centre[2] - radius, centre[2] + radius};
  Patch patch = terrain_find_patch(terrain, bounds);
  if (centre[1] - radius >= patch.highest)
    return;
  if (isfinite(gap) && is_flat(&patch)) {
    touch_plane(centre, radius, gap, &below, list);
    return;
  }
  // Faces: those of the grid vertically below the centre, and the flat ground outside if the centre is below it.
  double nearest = radius;
  const Facet *plane = NULL;
  if (below.outside && gap < radius) {
    touch_plane(centre, radius, gap, &below, list);
    nearest = gap;
    plane = &below;
  }
  Face faces[MAX_FACES_PER_SPHERE];
  int count = find_faces(terrain, &patch, centre, radius, faces);
  for (int i = 0; i < count; i++) {
    touch_plane(centre, radius, faces[i].gap, &faces[i].facet, list);
    if (faces[i].distance < nearest) {
      nearest = faces[i].distance;
      plane = &faces[i].facet;
    }
  }

  // Ridges and peaks, if they are nearer than all faces.
  double point[3], normal[3];
  if (!find_nearest_on_edges(terrain, &patch, centre, nearest - TERRAIN_FLATNESS, plane, point))
    return;
  add_scaled(centre, -1, point, normal);
  double distance = sqrt(dot3(normal, normal));
  if (distance == 0)
    return;
  for (int axis = 0; axis < 3; axis++)
    normal[axis] /= distance;
  double position[3];
  add_scaled(centre, -radius, normal, position);
  terrain_add_touch(list, position, normal, radius - distance);
}

static const Terrain *get_terrain(dGeomID geom) { return *(const Terrain **)dGeomGetClassData(geom); }

static int collide_sphere(dGeomID geom, dGeomID shape, int flags, dContactGeom *contacts, int skip) {
  const Terrain *terrain = get_terrain(geom);
  if (terrain->level)
    return level_touch(terrain->level, geom, shape, 0, flags, contacts, skip);
  TouchList list;
  list.count = 0;
  touch_sphere(terrain, dGeomGetPosition(shape), dGeomSphereGetRadius(shape), &list);
  return terrain_write_contacts(&list, geom, shape, flags, contacts, skip);
}

// ---- Capsule ----

// Whether a vertex may touch a shape with these bounds.
static bool is_under(const double vertex[3], const dReal bounds[6]) {
  return vertex[1] > bounds[2] && vertex[0] > bounds[0] && vertex[0] < bounds[1] && vertex[2] > bounds[4] &&
         vertex[2] < bounds[5];
}

// Peaks beside the axis: the nearest point of the axis is perpendicular to it.
static void touch_peaks_capsule(const Terrain *terrain, const Patch *patch, const dReal bounds[6],
                                const double start[3], const double axis[3], double length, double radius,
                                TouchList *list) {
  for (int k = patch->first_k; k <= patch->last_k; k++)
    for (int i = patch->first_i; i <= patch->last_i; i++) {
      double vertex[3], normal[3], position[3];
      get_vertex(terrain, i, k, vertex);
      if (!is_under(vertex, bounds))
        continue;
      add_scaled(vertex, -1, start, normal);
      double along = dot3(normal, axis);
      if (along <= 0 || along >= length)
        continue; // the ends are handled as spheres
      add_scaled(start, along, axis, position);
      add_scaled(position, -1, vertex, normal);
      double distance = sqrt(dot3(normal, normal));
      if (distance >= radius || normal[1] <= 0)
        continue;
      for (int n = 0; n < 3; n++)
        normal[n] /= distance;
      if (!terrain_is_peak(terrain, i, k, normal))
        continue;
      add_scaled(position, -radius, normal, position);
      terrain_add_touch(list, position, normal, radius - distance);
    }
}

static int collide_capsule(dGeomID geom, dGeomID shape, int flags, dContactGeom *contacts, int skip) {
  const Terrain *terrain = get_terrain(geom);
  if (terrain->level)
    return level_touch(terrain->level, geom, shape, 0, flags, contacts, skip);
  dReal bounds[6], radius, length;
  dGeomGetAABB(shape, bounds);
  Patch patch = terrain_find_patch(terrain, bounds);
  if (bounds[2] >= patch.highest)
    return 0;

  dGeomCapsuleGetParams(shape, &radius, &length);
  const dReal *rotation = dGeomGetRotation(shape);
  const double axis[3] = {rotation[2], rotation[6], rotation[10]};
  double ends[2][3];
  TouchList list;
  list.count = 0;
  for (int end = 0; end < 2; end++) {
    add_scaled(dGeomGetPosition(shape), (end - 0.5) * length, axis, ends[end]);
    touch_sphere(terrain, ends[end], radius, &list);
  }
  if (!is_flat(&patch)) {
    Facet below;
    EdgeEnd start = terrain_edge_end(terrain, ends[0], &below), end = terrain_edge_end(terrain, ends[1], &below);
    touch_edge(terrain, &patch, &start, &end, radius, &list);
    touch_peaks_capsule(terrain, &patch, bounds, ends[0], axis, length, radius, &list);
  }
  return terrain_write_contacts(&list, geom, shape, flags, contacts, skip);
}

// ---- Box ----

typedef struct Box {
  const dReal *position, *rotation; // rotation[row * 4 + column]
  double half[3];                   // m
  double per_rise[3];               // for each axis: 1 / its vertical component, infinite for a level one
} Box;

// Where the vertical line through a point enters the box from below: false when it misses the box; otherwise the axis
// of that face and its height above the point (m, negative below).
static bool find_entry(const Box *box, const double point[3], double *above, int *face) {
  double offset[3], enter = -INFINITY, leave = INFINITY;
  add_scaled(point, -1, box->position, offset);
  for (int axis = 0; axis < 3; axis++) {
    const dReal *column = box->rotation + axis;
    double start = column[0] * offset[0] + column[4] * offset[1] + column[8] * offset[2];
    if (isinf(box->per_rise[axis])) {
      if (fabs(start) > box->half[axis])
        return false;
      continue;
    }
    double middle = -start * box->per_rise[axis], reach = box->half[axis] * fabs(box->per_rise[axis]);
    if (middle - reach > enter) {
      enter = middle - reach;
      *face = axis;
    }
    leave = min_d(leave, middle + reach);
  }
  *above = enter;
  return enter < leave;
}

// Peaks under the faces that point downward. A box whose underside is below the ground at a vertex touches it there,
// even if the box has passed through the peak.
static void touch_peaks_box(const Terrain *terrain, const Patch *patch, const Box *box, const dReal bounds[6],
                            TouchList *list) {
  for (int k = patch->first_k; k <= patch->last_k; k++)
    for (int i = patch->first_i; i <= patch->last_i; i++) {
      double vertex[3], above;
      int axis = 1;
      get_vertex(terrain, i, k, vertex);
      if (!is_under(vertex, bounds) || !find_entry(box, vertex, &above, &axis) || above >= 0)
        continue;
      const dReal *column = box->rotation + axis;
      double sign = column[4] > 0 ? 1 : -1;
      const double normal[3] = {sign * column[0], sign * column[4], sign * column[8]};
      if (terrain_is_peak(terrain, i, k, normal))
        terrain_add_touch(list, vertex, normal, -above * normal[1]);
    }
}

static int collide_box(dGeomID geom, dGeomID shape, int flags, dContactGeom *contacts, int skip) {
  const Terrain *terrain = get_terrain(geom);
  if (terrain->level)
    return level_touch(terrain->level, geom, shape, 0, flags, contacts, skip);
  dReal bounds[6];
  dGeomGetAABB(shape, bounds);
  Patch patch = terrain_find_patch(terrain, bounds);
  if (bounds[2] >= patch.highest)
    return 0;

  dVector3 sides;
  dGeomBoxGetLengths(shape, sides);
  Box box = {.position = dGeomGetPosition(shape), .rotation = dGeomGetRotation(shape)};
  for (int axis = 0; axis < 3; axis++) {
    double rise = box.rotation[4 + axis];
    box.half[axis] = sides[axis] / 2;
    box.per_rise[axis] = fabs(rise) < LEVEL ? INFINITY : 1 / rise;
  }
  EdgeEnd corners[8];
  TouchList list;
  list.count = 0;
  for (int corner = 0; corner < 8; corner++) {
    const double offset[3] = {corner & 1 ? box.half[0] : -box.half[0], corner & 2 ? box.half[1] : -box.half[1],
                              corner & 4 ? box.half[2] : -box.half[2]};
    double position[3], normal[3];
    dMultiply0_331(position, box.rotation, offset);
    add_scaled(box.position, 1, position, position);
    if (is_flat(&patch) && position[1] > patch.highest)
      continue; // the edges do not need it either
    Facet below;
    corners[corner] = terrain_edge_end(terrain, position, &below);
    if (corners[corner].gap >= 0)
      continue;
    facet_normal(&below, normal);
    terrain_add_touch(&list, position, normal, -corners[corner].gap * normal[1]);
  }
  if (!is_flat(&patch)) {
    for (int axis = 0; axis < 3; axis++)
      for (int start = 0; start < 8; start++) {
        int end = start | 1 << axis;
        // The edge cannot touch anything that rises above the straight line between the ground under its ends.
        if (start != end && min_d(corners[start].gap, corners[end].gap) < patch.roughness)
          touch_edge(terrain, &patch, &corners[start], &corners[end], 0, &list);
      }
    touch_peaks_box(terrain, &patch, &box, bounds, &list);
  }
  return terrain_write_contacts(&list, geom, shape, flags, contacts, skip);
}

// ---- The geom class ----

static dColliderFn *get_collider(int class_number) {
  switch (class_number) {
  case dSphereClass:
    return collide_sphere;
  case dCapsuleClass:
    return collide_capsule;
  case dBoxClass:
    return collide_box;
  default:
    return NULL;
  }
}

static void get_bounds(dGeomID geom, dReal bounds[6]) {
  const Terrain *terrain = get_terrain(geom);
  for (int axis = 0; axis < 3 && terrain->level; axis++) {
    bounds[2 * axis] = terrain->level->low[axis];
    bounds[2 * axis + 1] = terrain->level->high[axis];
  }
  if (terrain->level)
    return;
  bounds[0] = terrain->endless ? -dInfinity : terrain->origin_x;
  bounds[1] = terrain->endless ? dInfinity : terrain->origin_x + (terrain->columns - 1) * terrain->cell;
  bounds[2] = -dInfinity;
  bounds[3] = terrain_top(terrain);
  bounds[4] = terrain->endless ? -dInfinity : terrain->origin_z;
  bounds[5] = terrain->endless ? dInfinity : terrain->origin_z + (terrain->rows - 1) * terrain->cell;
}

dGeomID terrain_add_geom(const Terrain *terrain, dSpaceID space) {
  // Classes are global and their number is limited: one for all terrains. ODE enters a class's colliders into its
  // global table at the first collision of each pair of classes, which is here, so that two worlds in two threads do
  // not do it at once. Nothing is allocated while the lock is held, since without memory ODE's handler jumps away.
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int class_number = -1;
  static bool entered;
  pthread_mutex_lock(&lock);
  if (class_number < 0) {
    const dGeomClass class = {sizeof(const Terrain *), get_collider, get_bounds, NULL, NULL};
    class_number = dCreateGeomClass(&class);
  }
  pthread_mutex_unlock(&lock);
  dGeomID geom = dCreateGeom(class_number);
  *(const Terrain **)dGeomGetClassData(geom) = terrain;
  dGeomID shapes[] = {dCreateSphere(NULL, 1), dCreateCapsule(NULL, 1, 1), dCreateBox(NULL, 1, 1, 1)};
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0] && !entered; i++) {
    dContactGeom contact;
    dCollide(geom, shapes[i], 1, &contact, sizeof contact);
  }
  entered = true;
  pthread_mutex_unlock(&lock);
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
    dGeomDestroy(shapes[i]);
  if (space)
    dSpaceAdd(space, geom);
  return geom;
}

int terrain_contacts_near(dGeomID ground, dGeomID shape, double reach, int most, dContactGeom *contacts, int skip) {
  const Terrain *terrain = get_terrain(ground);
  if (!terrain->level || !get_collider(dGeomGetClass(shape)))
    return 0;
  int count = level_touch(terrain->level, ground, shape, reach, most, contacts, skip);
  for (int i = 0; i < count; i++) {
    dContactGeom *contact = (dContactGeom *)((char *)contacts + (size_t)skip * (size_t)i);
    contact->g1 = shape;
    contact->g2 = ground;
    for (int axis = 0; axis < 3; axis++)
      contact->normal[axis] = -contact->normal[axis];
  }
  return count;
}
