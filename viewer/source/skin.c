// Poses a rig by a body and places the vertices of its meshes.
#include "viewer/source/skin.h"

#include <stdlib.h>
#include <string.h>

#include "anim/retarget/retarget_back.h"

enum { FITS = 8 }; // bodies that are remembered

// A rig fitted to a body. The body's skeleton is a copy, since a run that begins anew has another one.
typedef struct Fit {
  Skeleton skeleton;
  RetargetMap map;
  RetargetBack *back; // NULL: does not fit
  Error error;
  long used;
} Fit;

struct Skin {
  char path[512];
  Motion *rig;
  Fit fits[FITS];
  long shown;                                  // how often it was shown
  PictureSkinVertex *posed[PICTURE_MAX_SKINS]; // [mesh_vertex_count] of each character in a picture
  vec3s *positions;                            // [joint_count], scratch memory
  versors *rotations;
};

static bool read_rig(Skin *skin, Error *error) {
  FileSet files = {0};
  MotionOptions how = motion_options_default();
  how.skin = how.mesh = true;
  const File *file = motion_gather(&files, files_read(&files, skin->path, error), error);
  skin->rig = file ? motion_read(file, &how, error) : NULL;
  files_free(&files);
  if (skin->rig && skin->rig->triangle_count == 0)
    return error_at(error, skin->path, 0, 0, "there is no triangle in it");
  return skin->rig != NULL;
}

Skin *skin_create(const char *path, Error *error) {
  Skin *skin = calloc(1, sizeof *skin);
  if (!skin) {
    error_set(error, "out of memory");
    return NULL;
  }
  snprintf(skin->path, sizeof skin->path, "%s", path);
  bool good = read_rig(skin, error);
  if (good) {
    const size_t joints = (size_t)skin->rig->joint_count;
    skin->positions = calloc(joints, sizeof *skin->positions);
    skin->rotations = calloc(joints, sizeof *skin->rotations);
    good = (skin->positions && skin->rotations) || error_set(error, "out of memory");
  }
  if (good)
    return skin;
  skin_destroy(skin);
  return NULL;
}

void skin_destroy(Skin *skin) {
  if (!skin)
    return;
  for (int i = 0; i < FITS; i++)
    retarget_back_destroy(skin->fits[i].back);
  for (int i = 0; i < PICTURE_MAX_SKINS; i++)
    free(skin->posed[i]);
  motion_free(skin->rig);
  free(skin->positions);
  free(skin->rotations);
  free(skin);
}

// Byte by byte, with the padding: copies of one skeleton are the same, others at worst take a place of their own.
static bool is_same_skeleton(const void *a, const void *b) { return memcmp(a, b, sizeof(Skeleton)) == 0; }

// The rig's fit to a body, which is made in place of the one that was not used for longest.
static Fit *find_fit(Skin *skin, const Skeleton *skeleton) {
  Fit *fit = &skin->fits[0];
  for (int i = 0; i < FITS; i++) {
    if (skin->fits[i].used > 0 && is_same_skeleton(&skin->fits[i].skeleton, skeleton)) {
      skin->fits[i].used = ++skin->shown;
      return &skin->fits[i];
    }
    if (skin->fits[i].used < fit->used)
      fit = &skin->fits[i];
  }
  retarget_back_destroy(fit->back);
  memset(fit, 0, sizeof *fit);
  memcpy(&fit->skeleton, skeleton, sizeof *skeleton); // with its padding, for the comparison
  fit->used = ++skin->shown;
  if (retarget_map(&fit->map, skin->rig, &fit->skeleton, NULL, &fit->error))
    fit->back = retarget_back_create(skin->rig, &fit->map, &fit->skeleton, &fit->error);
  return fit;
}

static void place_vertices(const Skin *skin, float scale, PictureSkinVertex *posed) {
  for (int v = 0; v < skin->rig->mesh_vertex_count; v++) {
    const MotionMeshVertex *vertex = &skin->rig->mesh_vertices[v];
    vec3s at = glms_vec3_zero();
    for (int k = 0; k < MOTION_MESH_JOINTS; k++) {
      const int joint = vertex->joint[k];
      const vec3s place =
          glms_vec3_add(skin->positions[joint], glms_quat_rotatev(skin->rotations[joint], vertex->position_l[k]));
      at = glms_vec3_muladds(place, vertex->weight[k], at);
    }
    posed[v] = (PictureSkinVertex){.position_w = glms_vec3_scale(at, scale), .color = vertex->color};
  }
}

// A vertex' normal is the mean of those of its triangles, by their areas. Vertices of the same place on either side of
// a seam have normals of their own, which shows as an edge.
static void find_normals(const Skin *skin, PictureSkinVertex *posed) {
  for (int t = 0; t < skin->rig->triangle_count; t++) {
    const unsigned *corner = skin->rig->triangles[t];
    const vec3s a = posed[corner[0]].position_w;
    const vec3s ab = glms_vec3_sub(posed[corner[1]].position_w, a), ac = glms_vec3_sub(posed[corner[2]].position_w, a);
    const vec3s normal = glms_vec3_cross(ab, ac);
    for (int k = 0; k < 3; k++)
      posed[corner[k]].normal = glms_vec3_add(posed[corner[k]].normal, normal);
  }
}

bool skin_show(Skin *skin, const BodyDef *body, const Pose *pose, Picture *picture, Error *error) {
  Fit *fit = find_fit(skin, &body->skeleton);
  if (!fit->back)
    return error_at(error, skin->path, 0, 0, "%s", fit->error.text);
  if (picture->skin_count == PICTURE_MAX_SKINS)
    return true;
  PictureSkinVertex **posed = &skin->posed[picture->skin_count];
  if (!*posed)
    *posed = calloc((size_t)skin->rig->mesh_vertex_count, sizeof **posed);
  if (!*posed)
    return error_set(error, "out of memory");
  ModelPose model;
  pose_to_model(&body->skeleton, pose, &model);
  retarget_back_pose(fit->back, &model, skin->positions, skin->rotations);
  place_vertices(skin, (float)retarget_back_scale(fit->back), *posed);
  find_normals(skin, *posed);
  picture_add_skin(picture, &(PictureSkin){.vertices = *posed,
                                           .vertex_count = skin->rig->mesh_vertex_count,
                                           .indices = skin->rig->triangles[0],
                                           .index_count = 3 * skin->rig->triangle_count});
  return true;
}

bool skin_check(Skin *skin, const SceneDef *def, Error *error) {
  for (int i = def->character_count - 1; i >= 0; i--) {
    const Fit *fit = find_fit(skin, &def->characters[i].body->skeleton);
    if (fit->back)
      return true;
    if (i == 0)
      return error_at(error, skin->path, 0, 0, "%s", fit->error.text);
  }
  return true;
}
