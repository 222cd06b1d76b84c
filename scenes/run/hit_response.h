// The response to a hit: by how much the shown pose differs from that of the same run, by the same seed, without the
// hit. The scene is stepped together with its twin, which differs from it only by the first bullet, push, ball or prop
// that strikes a character: the balls and props of the twin pass through.
//
// One definition, so that figures of different bodies, scenes and controllers can be compared: 48 frames, 60 a second,
// the last one 0.8 s after the beginning of the first step in which the hit acts; the joints of the shown pose without
// the root, which is no joint. The size of a response is the mean over frames and joints of the angle between a joint's
// rotation and that of the twin; the distance of two responses is the mean of the angle between their rotations. For
// two hits on the same run the twin is the same, and the distance is then that of the shown poses.
#ifndef STAGGER_SCENES_RUN_HIT_RESPONSE_H
#define STAGGER_SCENES_RUN_HIT_RESPONSE_H

#include "scenes/run/hit_strides.h"
#include "scenes/run/scene.h"
#include "sim/metrics/metrics.h"

enum { HIT_RESPONSE_FRAMES = 48 };

#define HIT_RESPONSE_RATE 60.0 // frames a second

typedef struct HitResponse {
  int frame_count; // 0: no hit; below HIT_RESPONSE_FRAMES: the run ended before
  double time;     // s: beginning of the first step in which the hit acts
  int character, part;
  int joint_count; // entries of a frame: the root and all joints

  // rad, the rotation vector from the twin's rotation of the joint to the run's, in the joint's frame; entry 0: of the
  // root, in the root's frame. Frame i is (i + 1) / HIT_RESPONSE_RATE after `time`.
  float rotation[HIT_RESPONSE_FRAMES][BODY_MAX_PARTS][3];
  // Found in every physics step: s from `time` to the first change of a joint's torque by more than 1 N m against the
  // twin; NAN: none, and of entry 0, the root.
  double torque_onset[BODY_MAX_PARTS];
  // The same of what is asked of the joint, its goal times stiffness and damping and the torque in advance: without
  // what its own stiffness and damping do at once against a motion that nothing has sensed yet.
  double command_onset[BODY_MAX_PARTS];
  double pressure_shift; // m: largest shift of the centre of pressure across the heading, until other feet carry load
                         // than in the twin; NAN: nothing to compare
  double pressure_onset; // s from `time` until it is more than 5 mm, NAN: never
  int head_joint;        // -1: the body has none
  bool leg_joint[BODY_MAX_PARTS];
  bool struck_leg[BODY_MAX_PARTS]; // joints of the leg to which the struck part belongs
  PlacementShift placement;        // of the first foot that lands; time from `time`
  ErrorRemoved removed;            // by the stance between the first two flights after the hit

  float trunk[HIT_RESPONSE_FRAMES], head[HIT_RESPONSE_FRAMES]; // rad, 0 .. pi: of these parts, in the world; NAN: the
                                                               // body has none
} HitResponse;

// Frames of rotation vectors of any source: [frame_count][joint_count][3], rad, entry 0 of a frame is the root's.
typedef struct ResponseFrames {
  int frame_count, joint_count;
  const float *rotation;
  int stride; // floats from a frame to the next
} ResponseFrames;

ResponseFrames hit_response_frames(const HitResponse *response);

// rad, see above. NAN: no frames or no joints, or the two are not of as many frames and joints.
double response_size(const ResponseFrames *frames);
double response_distance(const ResponseFrames *a, const ResponseFrames *b);

// rad: the mean over joints of the angle in one frame; the angle of one joint.
double response_angle(const ResponseFrames *frames, int frame);
double response_joint_angle(const ResponseFrames *frames, int frame, int joint);

// The metrics of a response; all NAN when it does not have all of its frames.
MetricsHitResponse hit_response_metrics(const HitResponse *response);

// ---- Recording ----

typedef struct HitResponseWatch HitResponseWatch;

// Creates the twin of a scene that has not been stepped yet. response: receives the response. See scene_create for
// errors.
HitResponseWatch *hit_response_watch(SceneDef *def, HitResponse *response, Error *error);

// To be called after every step of the scene: steps the twin, and records a frame when one is due.
void hit_response_step(HitResponseWatch *watch, const Scene *scene);
void hit_response_end(HitResponseWatch *watch); // NULL is fine

#endif
