// The camera of an image. It looks at a subject (a character) from a named side, at the distance at which the subject
// fills a good part of the frame.
#ifndef STAGGER_VIEWER_DRAW_CAMERA_H
#define STAGGER_VIEWER_DRAW_CAMERA_H

#include <cglm/struct.h>
#include <stdbool.h>

// side is a three-quarter view from the right and slightly from the front: forward motion goes to the right.
typedef enum CameraKind {
  CAMERA_SIDE,
  CAMERA_FRONT,
  CAMERA_BACK,
  CAMERA_TOP,
  CAMERA_CHASE,
  CAMERA_KIND_COUNT
} CameraKind;

// What to look at.
typedef struct Subject {
  vec3s center_w; // middle of the subject, m
  float heading;  // direction of motion, about up, rad; 0 is +Z, positive turns left
  float height;   // m, > 0
  float width;    // horizontal extent, m, > 0
  bool has_head;  // first-person views are taken from it
  vec3s head_w;   // m, middle of the head
  versors head_rotation;
} Subject;

typedef struct Camera {
  vec3s eye_w, target_w, up_w; // m; up_w is a direction
  float fov_y;                 // vertical field of view, rad
  float aspect;                // width / height
  float near_plane, far_plane; // m
} Camera;

// How a kind of camera looks at its subject.
typedef struct CameraStyle {
  const char *name;
  float azimuth;   // rad, of the eye, from the subject's heading to the left
  float elevation; // rad, of the eye above the horizon
  float fov_y;     // rad
  float fill;      // share of the image's height that the subject takes
} CameraStyle;

CameraStyle camera_style(CameraKind kind);

// The camera of that kind for a subject. aspect = width / height of the image, > 0.
Camera camera_for(CameraKind kind, const Subject *subject, float aspect);

// A camera that looks at a point from a direction: azimuth about up, rad, 0 is +Z and positive turns left.
Camera camera_around(vec3s target_w, float azimuth, float elevation, float distance, float fov_y, float aspect);

// Distance in m at which a subject takes that share of the image's height or, in narrow images, of its width.
float camera_distance(const Subject *subject, float fov_y, float fill, float aspect);

// "side", "front", "back", "top", "chase". False when no camera has that name.
bool camera_kind_from_name(const char *name, CameraKind *kind);

mat4s camera_view(const Camera *camera);
mat4s camera_projection(const Camera *camera); // OpenGL's clip space, depth -1 .. 1

// The pixel of a point, x to the right and y down from the top left corner. False when the point is behind the camera;
// points outside the image have pixels outside it.
bool camera_project(const Camera *camera, vec3s point_w, int width, int height, float *x, float *y);

#endif
