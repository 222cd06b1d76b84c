// The sun's direction, and the box of the world that its shadow map covers.
#include "viewer/draw/sun.h"

#include <math.h>

static const float ELEVATION = 1.35f; // tangent of the sun's height above the horizon
static const float STEP = 1.25f;      // factor between radii, so that shadows do not shimmer as bodies move apart
static const float MARGIN = 0.9f;     // m around a body's parts, since a man may be visible by one hand only
static const float DEPTH = 30;        // m to both sides of the middle, in addition to the radius

float sun_azimuth(const Camera *camera) {
  vec3s back = glms_vec3_sub(camera->eye_w, camera->target_w);
  return atan2f(back.x, back.z) - 0.9f;
}

static bool is_seen(const mat4s *view_projection, vec3s point, float margin) {
  vec4s clip = glms_mat4_mulv(*view_projection, glms_vec4(point, 1));
  float limit = clip.w + margin;
  return clip.w > -margin && fabsf(clip.x) < 1.5f * limit && fabsf(clip.y) < 1.5f * limit;
}

// The middle of the visible bodies; the camera's target when there are none.
static vec3s find_center(const Picture *picture, const Camera *camera, const mat4s *view_projection) {
  if (is_seen(view_projection, picture->subject.center_w, picture->subject.height))
    return picture->subject.center_w;
  vec3s sum = glms_vec3_zero();
  int count = 0;
  for (int i = 0; i < picture->shape_count; i++) {
    const PictureShape *shape = &picture->shapes[i];
    if (shape->layer == LAYER_OUTPUT && is_seen(view_projection, shape->position_w, 0)) {
      sum = glms_vec3_add(sum, shape->position_w);
      count++;
    }
  }
  return count > 0 ? glms_vec3_scale(sum, 1 / (float)count) : camera->target_w;
}

// The radius, in discrete steps, that contains the visible bodies.
static float find_radius(const Picture *picture, const mat4s *view_projection, vec3s center) {
  float wanted = fmaxf(SUN_SMALLEST_RADIUS, 1.2f * picture->subject.height);
  for (int i = 0; i < picture->shape_count; i++) {
    const PictureShape *shape = &picture->shapes[i];
    float distance = glms_vec3_distance(shape->position_w, center) + MARGIN;
    if (shape->layer == LAYER_OUTPUT && distance > wanted && distance < SUN_LARGEST_RADIUS &&
        is_seen(view_projection, shape->position_w, 0))
      wanted = distance;
  }
  float radius = fmaxf(SUN_SMALLEST_RADIUS, 1.2f * picture->subject.height);
  while (radius < wanted)
    radius *= STEP;
  return radius;
}

static void widen(vec4s *rectangle, const mat4s *view_projection, vec3s at, float reach) {
  vec4s clip = glms_mat4_mulv(*view_projection, glms_vec4(at, 1));
  for (int axis = 0; axis < 2; axis++) {
    rectangle->raw[axis] = fminf(rectangle->raw[axis], 0.5f + 0.5f * (clip.raw[axis] - reach));
    rectangle->raw[2 + axis] = fmaxf(rectangle->raw[2 + axis], 0.5f + 0.5f * (clip.raw[axis] + reach));
  }
}

static vec4s find_casters(const Picture *picture, const mat4s *view_projection, float radius) {
  vec4s rectangle = {{1, 1, 0, 0}};
  for (int i = 0; i < picture->shape_count; i++) {
    const PictureShape *shape = &picture->shapes[i];
    if (shape->layer != LAYER_OUTPUT)
      continue;
    widen(&rectangle, view_projection, shape->position_w, (glms_vec3_norm(shape->half_size) + 0.02f) / radius);
  }
  for (int i = 0; i < picture->skin_count; i++)
    for (int v = 0; v < picture->skins[i].vertex_count; v++)
      widen(&rectangle, view_projection, picture->skins[i].vertices[v].position_w, 0.02f / radius);
  return rectangle;
}

Sun sun_shine(float azimuth, const Picture *picture, const Camera *camera, int map_size) {
  mat4s seen = glms_mat4_mul(camera_projection(camera), camera_view(camera));
  Sun sun = {.to_sun = glms_vec3_normalize((vec3s){{sinf(azimuth), ELEVATION, cosf(azimuth)}})};
  sun.center = find_center(picture, camera, &seen);
  sun.radius = find_radius(picture, &seen, sun.center);
  sun.pixel = 2 * sun.radius / (float)map_size;

  // The centre moves in whole pixels, so that shadows of resting objects do not flicker.
  mat4s view = glms_lookat(sun.to_sun, glms_vec3_zero(), (vec3s){{0, 0, 1}});
  vec3s at = glms_mat4_mulv3(view, sun.center, 1);
  float r = sun.radius, x = sun.pixel * roundf(at.x / sun.pixel), y = sun.pixel * roundf(at.y / sun.pixel);
  mat4s projection = glms_ortho(x - r, x + r, y - r, y + r, -at.z - DEPTH - r, -at.z + DEPTH + r);
  sun.view_projection = glms_mat4_mul(projection, view);
  sun.casters = find_casters(picture, &sun.view_projection, r);
  return sun;
}
