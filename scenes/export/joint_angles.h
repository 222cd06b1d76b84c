// Joint angles of a body in OpenSim's convention: named coordinates, each a rotation about an axis of a joint, from
// which the joint's rotation can be rebuilt. Hinges have one coordinate, universal joints two, ball joints and the root
// three.
//
// OpenSim's ground frame is x forward, y up, z to the right, which is Stagger's z, y and -x. Both are right-handed, and
// the zero pose is the bind pose, in which all joints' frames are parallel to the ground's.
//
// Sequence: body-fixed, each rotation about the axis as turned by the ones before. The axis of flexion comes first and
// the bone's long axis (twist axis of the joint) last: z, x, y for hanging limbs and for the root, as at hips,
// shoulders and pelvis of OpenSim's gait models (Delp et al. 1990, gait2392; Rajagopal et al. 2016). It degenerates
// when the middle angle is 90 deg: a leg or an arm held straight out to the side. Of the two triples for the same
// rotation the one nearer to the previous frame is taken, so that angles do not jump by half or whole turns.
//
// Names: for the root PART_tilt, PART_list, PART_rotation. For limbs with the part names and joints of
// bodies/human.yaml the names of Rajagopal's model with its signs (flexion, adduction, internal rotation, dorsiflexion
// and inversion are positive): hip_flexion_r, hip_adduction_r, hip_rotation_r, knee_angle_r, ankle_angle_r,
// subtalar_angle_r, arm_flex_r, arm_add_r, arm_rot_r, elbow_flex_r, and with _l. For all others PART_z, PART_x, PART_y,
// about these axes of OpenSim's frame, not mirrored. If arms are attached to a part that is more than one joint away
// from the root, its rotation relative to the root is given in addition as lumbar_extension, lumbar_bending,
// lumbar_rotation, for models with a single joint there.
#ifndef STAGGER_SCENES_EXPORT_JOINT_ANGLES_H
#define STAGGER_SCENES_EXPORT_JOINT_ANGLES_H

#include "scenes/description/trace_motion.h"

enum { ANGLES_MAX = 3 * (BODY_MAX_PARTS + 1), ANGLE_NAME_SIZE = 64 };

typedef struct AngleGroup {
  int joint, base; // rotation of `joint` in the frame of joint `base` (-1: the world)
  int first, count;
  int axes[3];   // in Stagger's frame, in order of the sequence; one for a hinge, two for a universal joint
  bool is_extra; // redundant: its rotation is contained in other groups
} AngleGroup;

typedef struct JointAngles {
  const BodyDef *body;
  AngleGroup groups[BODY_MAX_PARTS + 1]; // the root's is the first
  int group_count;
  char names[ANGLES_MAX][ANGLE_NAME_SIZE];
  double sign[ANGLES_MAX]; // sign of the coordinate relative to the turn about Stagger's axis
  int count;
} JointAngles;

void joint_angles_init(JointAngles *angles, const BodyDef *body);

// Computes the coordinates of all frames, rad: values[frame * stride + i] for i < count. Every rotation of a ball joint
// and of the root can be rebuilt from them, at 90 deg of the middle angle, too. Rotations of a hinge or a universal
// joint about other axes than its own are lost, since neither it nor OpenSim's joint has a coordinate for them: a
// physical joint makes some tenths of a degree of them, but layers such as `trailing` may turn an animated elbow about
// any axis. before: the coordinates of the frame before the first, from which angles continue without a jump by a whole
// turn; NULL: there is none.
void joint_angles_measure(const JointAngles *angles, const TraceMotion *motion, const double *before, double *values,
                          size_t stride);

// Rebuilds the joints' rotations from one row of coordinates, as in TraceMotion. [joint count]
void joint_angles_rebuild(const JointAngles *angles, const double *values, versors *rotations);

// The axis of each coordinate of a group in Stagger's world frame, unit, with its sign: its product with a torque on
// the child is the coordinate's generalized force. values: a row of coordinates; base_w: rotation of the group's base
// joint.
void joint_angles_axes(const JointAngles *angles, const AngleGroup *group, const double *values, versors base_w,
                       double axes[3][3]);

// Converts a vector or a moment to OpenSim's frame.
void opensim_vector(const double v[3], double out[3]);

#endif
