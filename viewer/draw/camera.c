// The styles of cameras, and the view of each on a subject.
#include "viewer/draw/camera.h"

#include <math.h>
#include <string.h>

#define DEGREES (3.14159265f / 180.0f)

// Largest share of the image's width.
static const float FILL_WIDTH = 0.86f;

static const float FAR = 400; // m

CameraStyle camera_style(CameraKind kind) {
  static const CameraStyle styles[CAMERA_KIND_COUNT] = {
      [CAMERA_SIDE] = {"side", -64 * DEGREES, 9 * DEGREES, 30 * DEGREES, 0.62f},
      [CAMERA_FRONT] = {"front", 0, 7 * DEGREES, 30 * DEGREES, 0.62f},
      [CAMERA_BACK] = {"back", 180 * DEGREES, 7 * DEGREES, 30 * DEGREES, 0.62f},
      [CAMERA_TOP] = {"top", 180 * DEGREES, 89.9f * DEGREES, 30 * DEGREES, 0.5f},
      [CAMERA_CHASE] = {"chase", 172 * DEGREES, 20 * DEGREES, 45 * DEGREES, 0.53f},
  };
  return styles[kind];
}

bool camera_kind_from_name(const char *name, CameraKind *kind) {
  for (int i = 0; i < CAMERA_KIND_COUNT; i++) {
    if (strcmp(name, camera_style((CameraKind)i).name) == 0) {
      *kind = (CameraKind)i;
      return true;
    }
  }
  return false;
}

float camera_distance(const Subject *subject, float fov_y, float fill, float aspect) {
  float for_height = subject->height / fill;
  float for_width = subject->width / (FILL_WIDTH * aspect);
  return fmaxf(for_height, for_width) / (2 * tanf(0.5f * fov_y));
}

Camera camera_around(vec3s target_w, float azimuth, float elevation, float distance, float fov_y, float aspect) {
  vec3s to_eye = {{sinf(azimuth) * cosf(elevation), sinf(elevation), cosf(azimuth) * cosf(elevation)}};
  return (Camera){
      .eye_w = glms_vec3_add(target_w, glms_vec3_scale(to_eye, distance)),
      .target_w = target_w,
      .up_w = {{0, 1, 0}},
      .fov_y = fov_y,
      .aspect = aspect,
      .near_plane = 0.02f * distance,
      .far_plane = FAR,
  };
}

Camera camera_for(CameraKind kind, const Subject *subject, float aspect) {
  CameraStyle style = camera_style(kind);
  float distance = camera_distance(subject, style.fov_y, style.fill, aspect);
  return camera_around(subject->center_w, subject->heading + style.azimuth, style.elevation, distance, style.fov_y,
                       aspect);
}

mat4s camera_view(const Camera *camera) { return glms_lookat(camera->eye_w, camera->target_w, camera->up_w); }

mat4s camera_projection(const Camera *camera) {
  return glms_perspective(camera->fov_y, camera->aspect, camera->near_plane, camera->far_plane);
}

bool camera_project(const Camera *camera, vec3s point_w, int width, int height, float *x, float *y) {
  mat4s view_projection = glms_mat4_mul(camera_projection(camera), camera_view(camera));
  vec4s clip = glms_mat4_mulv(view_projection, (vec4s){{point_w.x, point_w.y, point_w.z, 1}});
  if (clip.w <= 0)
    return false;
  *x = (0.5f + 0.5f * clip.x / clip.w) * (float)width;
  *y = (0.5f - 0.5f * clip.y / clip.w) * (float)height;
  return true;
}
