// The steps of retargeting, private to anim/retarget/.
#ifndef STAGGER_ANIM_RETARGET_RETARGET_INTERNAL_H
#define STAGGER_ANIM_RETARGET_RETARGET_INTERNAL_H

#include "anim/retarget/retarget.h"

// ---- Roles of joints ----

typedef enum Role {
  ROLE_NONE,
  ROLE_PELVIS,
  ROLE_SPINE,
  ROLE_CHEST,
  ROLE_NECK,
  ROLE_HEAD,
  ROLE_CLAVICLE,
  ROLE_UPPER_ARM,
  ROLE_FOREARM,
  ROLE_HAND,
  ROLE_THIGH,
  ROLE_SHIN,
  ROLE_FOOT,
  ROLE_TOES,
  ROLE_COUNT
} Role;

typedef enum Side { SIDE_NONE, SIDE_LEFT, SIDE_RIGHT, SIDE_COUNT } Side;

// What a name says about a joint. rank: 0 for an unambiguous word, 1 for one that has another meaning in other rigs
// (`shoulder`, `hip`, `leg`).
typedef struct JointMeaning {
  Role role;
  Side side;
  int rank;
} JointMeaning;

// Writes all meanings of a name, best first; a name such as `LeftShoulder` has two. Returns their number, at most
// `most`.
int joint_meanings(const char *name, JointMeaning *meanings, int most);

// The joints of a motion by their role; -1: none.
typedef struct SourceRig {
  int joint[ROLE_COUNT][SIDE_COUNT];
} SourceRig;

// Finds legs, arms and head from the shape of the rest pose alone, for files whose joints have no telling names.
bool rig_from_shape(SourceRig *rig, const Motion *motion);

// Whether `above` is a joint or one of those that it hangs on.
bool retarget_is_above(const Motion *motion, int above, int joint);

// ---- Poses in the motion's world ----

// Positions and rotations of the rest pose, [joint_count].
void retarget_place_rest(const Motion *motion, vec3s *positions, versors *rotations);

enum { RETARGET_MAX_LIMBS = SKELETON_MAX_LEGS + 4 };

// An arm or a leg of the skeleton: a ball joint, a hinge and an end.
typedef struct Limb {
  int upper, lower, end;           // joints of the skeleton
  float flexion;                   // +1: bends about +x (knee), -1: about -x (elbow)
  vec3s upper_m, lower_m, hinge_m; // directions of the bones and of the hinge in the bind pose
  float bind_bend;                 // rad
  int source_upper, source_lower, source_end;
  vec3s source_hinge_l; // axis of the hinge in the upper source joint's frame
} Limb;

// Data for converting poses of a motion to poses of the skeleton.
typedef struct RetargetRig {
  const Motion *motion;
  const RetargetMap *map;
  const Skeleton *skeleton;
  const RetargetOptions *options;
  double reference; // s; RETARGET_REST: the rest pose
  ModelPose bind_m;
  double scale;                            // our lengths divided by the source's
  versors correction[SKELETON_MAX_JOINTS]; // from our bind pose to the rest rotations of the source's joints: q =
                                           // source * correction
  Limb limbs[RETARGET_MAX_LIMBS];
  int limb_count;
  vec3s *positions; // [joint_count] of the source; scratch memory
  versors *rotations;
} RetargetRig;

bool retarget_rig_init(RetargetRig *rig, const Motion *motion, const RetargetMap *map, const Skeleton *skeleton,
                       const RetargetOptions *options, Error *error);
void retarget_rig_free(RetargetRig *rig);

// Places the source's joints in its world at a time, s.
void retarget_rig_place(const RetargetRig *rig, double time);

// Which pose of the source stands for our bind pose: as the options say, or found.
double retarget_find_reference(const RetargetRig *rig);

// The rotation that takes the frame of direction `a` and side `x` to that of `b` and `y`. Directions are unit vectors;
// sides need not be perpendicular to them.
versors retarget_frame_turn(vec3s a, vec3s x, vec3s b, vec3s y);

// The pose at a time of the motion, in the motion's world with lengths scaled to the skeleton.
void retarget_rig_pose(const RetargetRig *rig, double time, Pose *pose_w);

// Brings a pose into the joints' ranges; the limit is smooth, beginning a margin (rad) before the range's ends. Returns
// the largest excess in rad. limits may be NULL. joint_excess: raised to the excess of each joint; may be NULL.
extern const float RETARGET_MARGIN;
double retarget_limit(const Skeleton *skeleton, const RetargetLimits *limits, float margin, Pose *pose,
                      double *joint_excess);

// ---- Legs ----

// A foot in a pose's outer space.
typedef struct Foot {
  vec3s position; // of the ankle joint
  versors rotation;
} Foot;

Foot retarget_foot(const Skeleton *skeleton, const Pose *pose, int ankle);

// Whether a leg's ankle cannot turn about the shin. limits may be NULL: no ankle is known to be such.
bool retarget_ankle_is_universal(const RetargetLimits *limits, const Leg *leg);

// For a universal ankle: the leg turns about the line from hip to ankle until its foot has that rotation in the pose's
// outer space, or by a share (0 .. 1) of it.
void retarget_turn_leg(const Skeleton *skeleton, const Leg *leg, versors foot, float share, Pose *pose);

// The same for all feet of a pose. The more a knee is bent, the more such a turn would move the knee aside and the less
// of it is made.
void retarget_turn_legs(const Skeleton *skeleton, const RetargetLimits *limits, Pose *pose);

// ---- Root, ground, feet ----

// Turns poses in the motion's world, pose_count of them (one more than keys), into the clip's keys: root motion is
// extracted, and the ends of a loop are brought together. The poses are changed, and the last one of a loop is dropped.
void retarget_root(Clip *clip, Pose *poses, int pose_count, const RetargetOptions *options);

// Where the clip's root is at a time, relative to its place at time 0. time may lie beyond the clip.
void clip_root_at(const Clip *clip, double time, vec3s *position, versors *rotation);

// Positions of heel and toe of a leg in a pose's outer space.
void sole_points(const Skeleton *skeleton, const Leg *leg, const Pose *pose, vec3s points[2]);

// Finds in which keys of a clip the leg's foot is on the ground: stands[key_count].
void contacts_find_keys(const Clip *clip, int leg, bool *stands);

// Drops contacts that are too short to be real.
void contacts_drop_short(const Clip *clip, bool *stands);

// Adds a leg's contacts to the clip: spans of keys in which the foot stands.
void contacts_add(Clip *clip, int leg, const bool *stands);

// Learns from feet that stand flat how the soles were tilted in the reference pose, and makes them level there. tilt:
// rad, the largest. False: no memory.
bool retarget_level_soles(Clip *clip, double *tilt, Error *error);

// Learns from the standing feet where the ground is, which becomes height 0. False: no memory.
bool retarget_ground(Clip *clip, Error *error);

// For motions on the spot (as of games): sets the root's velocity over the ground at which the standing feet stay in
// place. False when there is none, or no memory.
bool retarget_tread(Clip *clip);

// Puts standing feet on the ground, flat or rolling, and holds them there; sets the contacts. False: no memory.
// clearance: see RetargetOptions; excess: rad, raised when inverse kinematics goes beyond the ranges.
bool retarget_plant(Clip *clip, const RetargetLimits *limits, double clearance, double *excess, Error *error);

// Adds marks from contacts: `left_strike`, `right_strike` (LEG_strike) where feet touch down.
void contacts_mark(Clip *clip);

// Time between keys, s.
double clip_key_step(const Clip *clip);

// Length of a contact, s; contacts of loops may continue past the end.
float contact_length(const Clip *clip, const ClipContact *contact);

// Measures slip and gap of the clip's contacts.
void retarget_measure(const Clip *clip, RetargetReport *report);

#endif
