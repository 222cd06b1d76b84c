// Turning a head: a gaze that follows its goal smoothly, and a chain of joints that shares the turn. Kinematics only;
// look_at.h is the layer that looks at points.
#ifndef STAGGER_ANIM_LAYERS_LOOK_AT_LOOK_CHAIN_H
#define STAGGER_ANIM_LAYERS_LOOK_AT_LOOK_CHAIN_H

#include "anim/pose.h"

enum { LOOK_MOST_JOINTS = 16 };

// ---- Angles: yaw about up, 0 forward (+Z), positive to the left (+X); pitch positive up. rad ----

double look_wrap(double angle); // -pi .. pi

// The same direction as an angle near `last`, at most 20 degrees beyond straight back (pi) on that side, so that a goal
// moving behind the character does not switch sides all the time.
double look_keep_side(double angle, double last);

// Angles of a direction of any length. A vertical direction has no yaw, and a zero vector no angles: values that are
// undefined are left unchanged.
void look_angles(const double direction[3], double *yaw, double *pitch);

// ---- The gaze: two angles, smoothed ----

typedef struct Gaze {
  double yaw, pitch;                   // rad
  double yaw_velocity, pitch_velocity; // rad/s
} Gaze;

// Moves toward a goal like a critically damped spring with limited speed: the magnitude of the (yaw, pitch) velocity,
// which is the angular speed of a head that does not roll, stays within rate_limit (rad/s) if it was before; from rest
// it does not overshoot, and it stops exactly at the goal. damp_seconds > 0; dt >= 0, s.
void look_gaze_step(Gaze *gaze, double goal_yaw, double goal_pitch, double damp_seconds, double rate_limit, double dt);

// ---- The chain ----

typedef struct LookChain {
  int count;
  int joint[LOOK_MOST_JOINTS];    // each a descendant of the one before; the last: the head
  double share[LOOK_MOST_JOINTS]; // >= 0, sum 1
  // rad, either way, INFINITY for none: the most that a joint may add to the animation. The other joints take over the
  // rest.
  double yaw_limit[LOOK_MOST_JOINTS], pitch_limit[LOOK_MOST_JOINTS];
  vec3s forward_l, up_l; // unit, in the head joint's frame: direction of the face, and of the crown
  vec3s eyes_l;          // m, in the head joint's frame: position of the eyes
  bool additive;         // the turn is measured from straight ahead, not from where the animated head faces
} LookChain;

// A chain with equal shares and no limits; the head faces +Z in the bind pose and its eyes are at its joint. count: 1
// .. LOOK_MOST_JOINTS.
LookChain look_chain_make(const Skeleton *skeleton, const int *joints, int count);

// Sets the direction of the face (any length but 0) and the position of the eyes relative to the head's joint (m), both
// in the bind pose.
void look_chain_head(LookChain *chain, const Skeleton *skeleton, vec3s forward, vec3s eyes);

// The chain in a pose, in the pose's space; positions are relative to the pose's root joint, so that no precision is
// lost far from the origin.
typedef struct LookChainPose {
  versors parent[LOOK_MOST_JOINTS]; // rotation of the joint's parent
  vec3s base;                       // position of the first joint, m
  vec3s link[LOOK_MOST_JOINTS];     // from each joint to the next one, and from the last to the eyes, m
  vec3s forward;                    // direction of the head
  // The direction from which the turn to the gaze is measured, and how reliable its yaw is: 0 .. 1.
  double yaw, pitch, trust;
  versors back; // rotation from that direction to forward (+Z)
} LookChainPose;

// heading: rad: straight ahead in the pose's space.
LookChainPose look_chain_pose(const LookChain *chain, const Skeleton *skeleton, double heading, const Pose *pose);

// The turns of the joints, in the pose's space and each including those of the joints before it, with which the head
// faces (yaw, pitch), as far as the limits allow. Every joint has its share of yaw and pitch, and no joint rolls (a
// head that the animation tilts by 70 degrees or more is turned by the shortest arc instead). side: input and output,
// the total yaw, rad, 0 initially; it keeps a head that faces almost backward from swinging from one side to the other.
// False when there is nothing to turn.
bool look_chain_turns(const LookChain *chain, const LookChainPose *at, double yaw, double pitch, double *side,
                      versors turns[LOOK_MOST_JOINTS]);

// Position of the eyes, m from the pose's root joint. turns: NULL for the pose as it is.
vec3s look_chain_eyes(const LookChain *chain, const LookChainPose *at, const versors *turns);

// Turns the joints of the pose from which `at` was made. Joints without a share are unchanged to the bit.
void look_chain_apply(const LookChain *chain, const LookChainPose *at, const versors *turns, Pose *pose);

// All of this in one call: turns a pose so that its head faces (yaw, pitch) relative to the heading; `side` as above.
void look_chain_turn(const LookChain *chain, const Skeleton *skeleton, double heading, double yaw, double pitch,
                     double *side, Pose *pose);

#endif
