// What turns a head: a gaze that follows its goal smoothly, and a chain of joints that shares the turn. Kinematics
// alone; the layer that looks at points is look_at.h.
#ifndef STAGGER_ANIM_LAYERS_LOOK_AT_LOOK_CHAIN_H
#define STAGGER_ANIM_LAYERS_LOOK_AT_LOOK_CHAIN_H

#include "anim/pose.h"

enum { LOOK_MOST_JOINTS = 16 };

// ---- Angles: yaw about up, 0 forward (+Z), positive to the left (+X); pitch positive up. rad

double look_wrap(double angle); // -pi .. pi

// The same direction as an angle near `last`; at most 20 degrees beyond the back (pi) on that side, so that what moves
// about behind does not change sides all the time.
double look_keep_side(double angle, double last);

// Angles of a direction of any length. Straight up and down have no yaw, and no direction has neither: what has no
// meaning keeps its value.
void look_angles(const double direction[3], double *yaw, double *pitch);

// ---- The gaze: two angles, smoothed

typedef struct Gaze {
  double yaw, pitch;                   // rad
  double yaw_velocity, pitch_velocity; // rad/s
} Gaze;

// Goes toward a goal like a critically damped spring with a limited speed: the length of (yaw, pitch) velocity, which
// is the angular speed of a head that does not roll, stays within rate_limit (rad/s) if it was before; from rest it
// does not overshoot, and it comes to rest exactly at the goal. damp_seconds > 0; dt >= 0, s.
void gaze_step(Gaze *gaze, double goal_yaw, double goal_pitch, double damp_seconds, double rate_limit, double dt);

// ---- The chain

typedef struct LookChain {
  int count;
  int joint[LOOK_MOST_JOINTS];    // each a descendant of the one before; the last: the head
  double share[LOOK_MOST_JOINTS]; // >= 0, sum 1
  // rad, either way, INFINITY for none: the most that a joint may add to the animation. The other joints share the
  // rest.
  double yaw_limit[LOOK_MOST_JOINTS], pitch_limit[LOOK_MOST_JOINTS];
  vec3s forward_l, up_l; // unit, in the head joint's frame: where the head faces, and its crown
  vec3s eyes_l;          // m, in the head joint's frame: from where it sees
  bool additive;         // the way to the gaze begins straight ahead, not where the animated head faces
} LookChain;

// Equal shares without limits; a head that faces +Z in the bind pose and sees from its joint. count: 1 ..
// LOOK_MOST_JOINTS.
LookChain look_chain_make(const Skeleton *skeleton, const int *joints, int count);

// Where the head faces (of any length but 0) and where its eyes are, from its joint (m), both in the bind pose.
void look_chain_head(LookChain *chain, const Skeleton *skeleton, vec3s forward, vec3s eyes);

// The chain as a pose has it, in the pose's space, positions from the pose's root joint, so that nothing is lost far
// from the origin.
typedef struct LookChainPose {
  versors parent[LOOK_MOST_JOINTS]; // rotation of the joint's parent
  vec3s base;                       // the first joint, m
  vec3s link[LOOK_MOST_JOINTS];     // from the joint to the next, from the last to the eyes, m
  vec3s forward;                    // where the head faces
  // Where the way to the gaze begins, and how far that yaw can be trusted: 0 .. 1.
  double yaw, pitch, trust;
  versors back; // takes that direction to forward (+Z)
} LookChainPose;

// heading: rad, straight ahead in the pose's space.
LookChainPose look_chain_pose(const LookChain *chain, const Skeleton *skeleton, double heading, const Pose *pose);

// The turns, in the pose's space, of each joint by itself and those before it, with which the head faces (yaw, pitch)
// in the pose's space; as far as limits allow. Every joint has its share of the yaw and of the pitch and no joint rolls
// (a head that the animation tilts by 70 degrees and more is turned the shortest way instead). side:
// in and out, the whole way in yaw, rad; 0 at first: who faces almost backward does not swing from one side to the
// other. False when there is no way to go.
bool look_chain_turns(const LookChain *chain, const LookChainPose *at, double yaw, double pitch, double *side,
                      versors turns[LOOK_MOST_JOINTS]);

// The eyes, m from the pose's root joint. turns: NULL for the pose as it is.
vec3s look_chain_eyes(const LookChain *chain, const LookChainPose *at, const versors *turns);

// Turns the joints of the pose that `at` was made of. Joints without a share stay as they are, bit for bit.
void look_chain_apply(const LookChain *chain, const LookChainPose *at, const versors *turns, Pose *pose);

// All of it: turns a pose so that its head faces (yaw, pitch) against the heading; `side` as above.
void look_chain_turn(const LookChain *chain, const Skeleton *skeleton, double heading, double yaw, double pitch,
                     double *side, Pose *pose);

#endif
