#include "viewer/camera.h"

#include <math.h>
#include <string.h>

#define DEGREES (3.14159265f / 180.0f)

// Part of the picture's height, and at most of its width, that the subject fills.
static const float FILL_HEIGHT = 0.62f, FILL_WIDTH = 0.86f;

typedef struct CameraStyle {
  const char *name;
  float azimuth;   // of the eye, from the heading to the left, degrees
  float elevation; // of the eye above the horizon, degrees
  float fov;       // vertical, degrees
  float fill;      // of the subject, relative to FILL_HEIGHT
} CameraStyle;

static const CameraStyle STYLES[CAMERA_KIND_COUNT] = {
    [CAMERA_SIDE] = {"side", -64, 9, 30, 1},        [CAMERA_FRONT] = {"front", 0, 7, 30, 1},
    [CAMERA_BACK] = {"back", 180, 7, 30, 1},        [CAMERA_TOP] = {"top", 180, 89.9f, 30, 0.8f},
    [CAMERA_CHASE] = {"chase", 172, 20, 45, 0.85f},
};

bool camera_kind_from_name(const char *name, CameraKind *kind) {
  for (int i = 0; i < CAMERA_KIND_COUNT; i++) {
    if (strcmp(name, STYLES[i].name) == 0) {
      *kind = (CameraKind)i;
      return true;
    }
  }
  return false;
}

Camera camera_for(CameraKind kind, const Subject *subject, float aspect) {
  const CameraStyle *style = &STYLES[kind];
  float azimuth = subject->heading + style->azimuth * DEGREES;
  float elevation = style->elevation * DEGREES;
  vec3s to_eye = {{sinf(azimuth) * cosf(elevation), sinf(elevation), cosf(azimuth) * cosf(elevation)}};

  // Far enough for the height and, in narrow pictures, for the width.
  float slope = tanf(0.5f * style->fov * DEGREES);
  float for_height = subject->height / (FILL_HEIGHT * style->fill);
  float for_width = subject->width / (FILL_WIDTH * aspect);
  float distance = fmaxf(for_height, for_width) / (2 * slope);

  return (Camera){
      .eye_w = glms_vec3_add(subject->center_w, glms_vec3_scale(to_eye, distance)),
      .target_w = subject->center_w,
      .up_w = {{0, 1, 0}},
      .fov_y = style->fov * DEGREES,
      .aspect = aspect,
      .near_plane = 0.02f * distance,
      .far_plane = 400,
  };
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
