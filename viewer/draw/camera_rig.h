// The camera controlled by the user: it orbits around its subject or a fixed point, looks from the subject's eyes, or
// is one of the scene's named cameras.
#ifndef STAGGER_VIEWER_DRAW_CAMERA_RIG_H
#define STAGGER_VIEWER_DRAW_CAMERA_RIG_H

#include "scenes/description/scene_def.h"
#include "viewer/draw/camera.h"

typedef enum RigMode {
  RIG_FOLLOW,       // orbits around the subject and moves with it
  RIG_ORBIT,        // orbits around a point of the world
  RIG_FIRST_PERSON, // from the subject's head
  RIG_NAMED,        // a camera of the scene
  RIG_MODE_COUNT
} RigMode;

typedef struct CameraRig {
  RigMode mode;
  float azimuth, elevation; // rad, of the eye relative to the target; azimuth about up, 0 is +Z, positive to the left
  float distance;           // m; <= 0: the distance at which the subject fills its share of the image
  float fill;               // that share of the image's height
  vec3s target_w;           // m, RIG_ORBIT
  vec3s offset_w;           // m, RIG_FOLLOW: offset from the subject, by panning
  float fov_y;              // rad
  int named;                // RIG_NAMED: index of the scene's camera
  CameraKind kind;          // RIG_FOLLOW: the kind with which it began
  bool turned;              // RIG_FOLLOW: the mouse has turned it away from that kind
} CameraRig;

// A rig that follows, with the direction of a fixed camera relative to the subject's present heading.
CameraRig camera_rig(CameraKind kind, const Subject *subject);

// By name: a camera of the scene (def may be NULL), a fixed kind ("side"), "orbit", or "first_person". False: no such
// name.
bool camera_rig_from_name(CameraRig *rig, const char *name, const SceneDef *def, const Subject *subject);

// Switches to the next mode, cyclically: follow, orbit, first person, then each of the scene's cameras.
void camera_rig_next(CameraRig *rig, const SceneDef *def, const Subject *subject);
// The name for camera_rig_from_name; "follow" when the mouse has turned a camera of a fixed kind.
const char *camera_rig_name(const CameraRig *rig, const SceneDef *def);

// The character that the image is about: the one that a named camera follows, otherwise the given one.
int camera_rig_subject(const CameraRig *rig, const SceneDef *def, int subject);

// The camera for a subject (that of camera_rig_subject) and an aspect ratio. Named cameras that follow move with the
// subject's middle, with heights above the ground below it; they do not turn with it.
Camera camera_rig_camera(const CameraRig *rig, const SceneDef *def, const Subject *subject, float aspect);

// Mouse control: turns by pixels in an image `height` pixels high (half a turn per height), pans in the image plane,
// zooms by a factor of the distance. Named and first-person cameras become RIG_ORBIT at the same place.
void camera_rig_turn(CameraRig *rig, const Camera *now, float dx, float dy, int height);
void camera_rig_pan(CameraRig *rig, const Camera *now, float dx, float dy, int height);
void camera_rig_zoom(CameraRig *rig, const Camera *now, float factor);

// The ray through a pixel of an image of width x height (x right, y down): origin at the eye, unit direction.
void camera_ray(const Camera *camera, float x, float y, int width, int height, vec3s *origin_w, vec3s *direction_w);

#endif
