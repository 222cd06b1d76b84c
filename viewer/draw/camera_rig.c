// The user's camera: orbit, pan and zoom, first person, and the cameras of the scene.
#include "viewer/draw/camera_rig.h"

#include <math.h>
#include <string.h>

#define DEGREES (3.14159265f / 180.0f)

// The elevation stays off the poles, where the azimuth is undefined; the distance is limited to a useful range.
static const float MOST_ELEVATION = 89.9f * DEGREES;
static const float NEAREST = 0.2f, FARTHEST = 300; // m

// First person: the eyes are in front of the middle of the head; what is nearer than the near plane, such as the head
// itself, is not drawn.
static const float EYES_FORWARD = 0.1f, EYES_UP = 0.03f, EYES_NEAR = 0.12f; // m
static const float EYES_FOV = 75 * DEGREES;
static const float EYES_FOCUS = 3;    // m: distance of the point around which the view turns after first person
static const float NAMED_NEAR = 0.1f; // m, at most: such a camera may be close to an object

static const float EYES_SHARE = 0.93f; // height of the eyes of a subject without a head, as a share of its height

static const vec3s UP = {{0, 1, 0}};

static const char *const mode_names[RIG_MODE_COUNT] = {"follow", "orbit", "first_person", NULL};

// ---- Making ----

CameraRig camera_rig(CameraKind kind, const Subject *subject) {
  CameraStyle style = camera_style(kind);
  return (CameraRig){.mode = RIG_FOLLOW,
                     .kind = kind,
                     .azimuth = subject->heading + style.azimuth,
                     .elevation = style.elevation,
                     .fill = style.fill,
                     .target_w = subject->center_w,
                     .fov_y = style.fov_y};
}

bool camera_rig_from_name(CameraRig *rig, const char *name, const SceneDef *def, const Subject *subject) {
  CameraKind kind = CAMERA_SIDE;
  RigMode mode = RIG_FOLLOW;
  int named = def ? camera_def_find(def->cameras, def->camera_count, name) : -1;
  if (named >= 0)
    mode = RIG_NAMED;
  else if (strcmp(name, mode_names[RIG_ORBIT]) == 0)
    mode = RIG_ORBIT;
  else if (strcmp(name, mode_names[RIG_FIRST_PERSON]) == 0)
    mode = RIG_FIRST_PERSON;
  else if (!camera_kind_from_name(name, &kind))
    return false;
  *rig = camera_rig(kind, subject);
  rig->mode = mode;
  rig->named = named >= 0 ? named : 0;
  return true;
}

void camera_rig_next(CameraRig *rig, const SceneDef *def, const Subject *subject) {
  int cameras = def ? def->camera_count : 0;
  if (rig->mode == RIG_FOLLOW) {
    rig->mode = RIG_ORBIT;
    rig->target_w = glms_vec3_add(subject->center_w, rig->offset_w);
  } else if (rig->mode == RIG_ORBIT && subject->has_head) {
    rig->mode = RIG_FIRST_PERSON;
  } else if (rig->mode != RIG_NAMED && cameras > 0) {
    rig->mode = RIG_NAMED;
    rig->named = 0;
  } else if (rig->mode == RIG_NAMED && rig->named + 1 < cameras) {
    rig->named++;
  } else {
    rig->mode = RIG_FOLLOW;
    rig->offset_w = (vec3s){{0, 0, 0}};
  }
}

// NULL: none, for example because the new scene has fewer cameras.
static const CameraDef *find_camera(const CameraRig *rig, const SceneDef *def) {
  bool known = rig->mode == RIG_NAMED && def && rig->named >= 0 && rig->named < def->camera_count;
  return known ? &def->cameras[rig->named] : NULL;
}

const char *camera_rig_name(const CameraRig *rig, const SceneDef *def) {
  const CameraDef *camera = find_camera(rig, def);
  if (camera)
    return camera->name;
  bool follows = rig->mode == RIG_FOLLOW || rig->mode == RIG_NAMED;
  return follows && !rig->turned ? camera_style(rig->kind).name : mode_names[follows ? RIG_FOLLOW : rig->mode];
}

int camera_rig_subject(const CameraRig *rig, const SceneDef *def, int subject) {
  const CameraDef *camera = find_camera(rig, def);
  return camera && camera->subject >= 0 ? camera->subject : subject;
}

// ---- Cameras ----

static Camera orbiting_camera(const CameraRig *rig, vec3s target_w, const Subject *subject, float aspect) {
  float distance = rig->distance > 0 ? rig->distance : camera_distance(subject, rig->fov_y, rig->fill, aspect);
  return camera_around(target_w, rig->azimuth, rig->elevation, distance, rig->fov_y, aspect);
}

static Camera first_person_camera(const Subject *subject, float aspect) {
  vec3s head = subject->head_w;
  versors rotation = subject->head_rotation;
  if (!subject->has_head) {
    head = glms_vec3_add(subject->center_w, (vec3s){{0, (EYES_SHARE - 0.5f) * subject->height, 0}});
    rotation = glms_quatv(subject->heading, UP);
  }
  Camera camera = camera_around(head, 0, 0, 1, EYES_FOV, aspect);
  camera.eye_w = glms_vec3_add(head, glms_quat_rotatev(rotation, (vec3s){{0, EYES_UP, EYES_FORWARD}}));
  camera.target_w = glms_vec3_add(camera.eye_w, glms_quat_rotatev(rotation, (vec3s){{0, 0, EYES_FOCUS}}));
  camera.up_w = glms_quat_rotatev(rotation, UP);
  camera.near_plane = EYES_NEAR;
  return camera;
}

static Camera named_camera(const CameraDef *def, const SceneDef *scene, const Subject *subject, float aspect) {
  vec3s eye = vec3_from_doubles(def->eye), target = vec3_from_doubles(def->target);
  if (def->subject >= 0) {
    versors turn = glms_quatv((float)scene->characters[def->subject].start.heading * DEGREES, UP);
    vec3s foot = glms_vec3_sub(subject->center_w, (vec3s){{0, 0.5f * subject->height, 0}});
    eye = glms_vec3_add(foot, glms_quat_rotatev(turn, eye));
    target = glms_vec3_add(foot, glms_quat_rotatev(turn, target));
  }
  vec3s away = glms_vec3_sub(eye, target);
  Camera camera = camera_around(target, 0, 0, glms_vec3_norm(away), (float)def->fov * DEGREES, aspect);
  camera.eye_w = eye;
  camera.near_plane = fminf(camera.near_plane, NAMED_NEAR);
  // When looking straight down, forward is up in the image, as in the camera `top`.
  if (hypotf(away.x, away.z) < 1e-3f * fabsf(away.y))
    camera.up_w = (vec3s){{sinf(subject->heading), 0, cosf(subject->heading)}};
  return camera;
}

Camera camera_rig_camera(const CameraRig *rig, const SceneDef *def, const Subject *subject, float aspect) {
  const CameraDef *camera = find_camera(rig, def);
  if (camera)
    return named_camera(camera, def, subject, aspect);
  if (rig->mode == RIG_FIRST_PERSON)
    return first_person_camera(subject, aspect);
  if (rig->mode == RIG_ORBIT)
    return orbiting_camera(rig, rig->target_w, subject, aspect);
  return orbiting_camera(rig, glms_vec3_add(subject->center_w, rig->offset_w), subject, aspect);
}

// ---- The mouse ----

static float clamp(float value, float low, float high) { return fmaxf(low, fminf(high, value)); }

// A camera that cannot be turned is replaced by an orbiting one at the same place.
static void let_go(CameraRig *rig, const Camera *now) {
  if (rig->mode == RIG_FOLLOW || rig->mode == RIG_ORBIT)
    return;
  vec3s away = glms_vec3_sub(now->eye_w, now->target_w);
  float distance = glms_vec3_norm(away);
  rig->mode = RIG_ORBIT;
  rig->target_w = now->target_w;
  rig->fov_y = now->fov_y;
  rig->distance = clamp(distance, NEAREST, FARTHEST);
  rig->elevation = clamp(asinf(clamp(away.y / fmaxf(distance, 1e-6f), -1, 1)), -MOST_ELEVATION, MOST_ELEVATION);
  // When looking vertically, the azimuth is taken from the image's up direction.
  bool pole = hypotf(away.x, away.z) < 1e-3f * fabsf(away.y);
  rig->azimuth = pole ? atan2f(-now->up_w.x * away.y, -now->up_w.z * away.y) : atan2f(away.x, away.z);
}

void camera_rig_turn(CameraRig *rig, const Camera *now, float dx, float dy, int height) {
  let_go(rig, now);
  rig->turned = true;
  float turn = 180 * DEGREES / (float)height;
  rig->azimuth = remainderf(rig->azimuth - dx * turn, 360 * DEGREES);
  rig->elevation = clamp(rig->elevation + dy * turn, -MOST_ELEVATION, MOST_ELEVATION);
}

void camera_rig_pan(CameraRig *rig, const Camera *now, float dx, float dy, int height) {
  let_go(rig, now);
  // Points at the target's distance move with the mouse.
  vec3s forward = glms_vec3_sub(now->target_w, now->eye_w);
  float metres = 2 * glms_vec3_norm(forward) * tanf(0.5f * now->fov_y) / (float)height;
  vec3s right = glms_vec3_normalize(glms_vec3_cross(forward, now->up_w));
  vec3s up = glms_vec3_normalize(glms_vec3_cross(right, forward));
  vec3s way = glms_vec3_add(glms_vec3_scale(right, -dx * metres), glms_vec3_scale(up, dy * metres));
  vec3s *moved = rig->mode == RIG_FOLLOW ? &rig->offset_w : &rig->target_w;
  *moved = glms_vec3_add(*moved, way);
}

void camera_rig_zoom(CameraRig *rig, const Camera *now, float factor) {
  let_go(rig, now);
  float distance = glms_vec3_norm(glms_vec3_sub(now->target_w, now->eye_w));
  rig->distance = clamp(distance * factor, NEAREST, FARTHEST);
}

void camera_ray(const Camera *camera, float x, float y, int width, int height, vec3s *origin_w, vec3s *direction_w) {
  vec3s forward = glms_vec3_normalize(glms_vec3_sub(camera->target_w, camera->eye_w));
  vec3s right = glms_vec3_normalize(glms_vec3_cross(forward, camera->up_w));
  vec3s up = glms_vec3_cross(right, forward);
  float slope = tanf(0.5f * camera->fov_y);
  float across = (2 * x / (float)width - 1) * slope * camera->aspect, above = (1 - 2 * y / (float)height) * slope;
  vec3s way = glms_vec3_add(forward, glms_vec3_add(glms_vec3_scale(right, across), glms_vec3_scale(up, above)));
  *origin_w = camera->eye_w;
  *direction_w = glms_vec3_normalize(way);
}
