// The camera in the user's hand: orbits around its subject or around a fixed point, looks out of the subject's eyes, or
// stands where the scene has put one of its named cameras.
#ifndef STAGGER_VIEWER_DRAW_CAMERA_RIG_H
#define STAGGER_VIEWER_DRAW_CAMERA_RIG_H

#include "scenes/description/scene_def.h"
#include "viewer/draw/camera.h"

typedef enum RigMode {
  RIG_FOLLOW,       // orbits around the subject and goes with it
  RIG_ORBIT,        // orbits around a point of the world
  RIG_FIRST_PERSON, // out of the subject's head
  RIG_NAMED,        // a camera of the scene
  RIG_MODE_COUNT
} RigMode;

typedef struct CameraRig {
  RigMode mode;
  float azimuth, elevation; // rad, of the eye seen from the target; azimuth about up, 0 is +Z, positive to the left
  float distance;           // m; <= 0: as far as the subject needs
  float fill;               // part of the picture's height that the subject takes then
  vec3s target_w;           // m, RIG_ORBIT
  vec3s offset_w;           // m, panned away from the subject, RIG_FOLLOW
  float fov_y;              // rad
  int named;                // RIG_NAMED: index of the scene's camera
  CameraKind kind;          // RIG_FOLLOW: what it began as
  bool turned;              // and that the mouse has turned it away from that
} CameraRig;

// Follows like one of the fixed cameras: its direction relative to the subject's heading now.
CameraRig camera_rig(CameraKind kind, const Subject *subject);

// By name: a camera of the scene (def may be NULL), a fixed kind ("side"), "orbit", or "first_person". False: none.
bool camera_rig_from_name(CameraRig *rig, const char *name, const SceneDef *def, const Subject *subject);

// The next mode, round and round: follow, orbit, first person, then the scene's cameras one by one.
void camera_rig_next(CameraRig *rig, const SceneDef *def, const Subject *subject);
// For people: as camera_rig_from_name has it, "follow" when the mouse has turned one of the fixed kinds.
const char *camera_rig_name(const CameraRig *rig, const SceneDef *def);

// The character that the picture is about: the one that a named camera follows, else the given one.
int camera_rig_subject(const CameraRig *rig, const SceneDef *def, int subject);

// The camera for a subject (that of camera_rig_subject) and an aspect ratio. Named cameras that follow go with the
// subject's middle and count their height from the ground below it; they do not turn with it.
Camera camera_rig_camera(const CameraRig *rig, const SceneDef *def, const Subject *subject, float aspect);

// By the mouse: turns by pixels of a picture `height` pixels high (half a turn per height), pans along the picture's
// plane, zooms by a factor of the distance. Named and first-person cameras become RIG_ORBIT ones where they stand.
void camera_rig_turn(CameraRig *rig, const Camera *now, float dx, float dy, int height);
void camera_rig_pan(CameraRig *rig, const Camera *now, float dx, float dy, int height);
void camera_rig_zoom(CameraRig *rig, const Camera *now, float factor);

// The ray through a pixel of a picture of width x height (x right, y down): origin at the eye, unit direction.
void camera_ray(const Camera *camera, float x, float y, int width, int height, vec3s *origin_w, vec3s *direction_w);

#endif
