// Joint angles of a body as OpenSim has them: named coordinates, each a rotation about an axis of a joint, from which
// the joint's rotation is made again. Hinges have one coordinate, universal joints two, ball joints and the root three.
//
// OpenSim's ground frame is x forward, y up, z to the right; Stagger's is z, y and -x of that. Both are right-handed,
// and zero is the bind pose, in which all joints' frames are parallel to the ground's.
//
// Sequence: body-fixed, about each axis as the rotations before have turned it. The bone's long axis (twist axis of the
// joint) comes last and the axis of flexion first: for limbs that hang, and the root, z, x, y, which is what hips,
// shoulders and pelvis of OpenSim's gait models have (Delp et al. 1990, gait2392; Rajagopal et al. 2016). It
// degenerates when the middle angle is 90 deg: a leg or an arm held straight out to the side. Of the two triples that
// make the same rotation the one near the frame before is taken: angles do not jump by half or whole turns.
//
// Names: of the root PART_tilt, PART_list, PART_rotation. Of limbs with the part names and joints of bodies/human.yaml
// those of Rajagopal's model, with its signs (flexion, adduction, internal rotation, dorsiflexion and inversion are
// positive): hip_flexion_r, hip_adduction_r, hip_rotation_r, knee_angle_r, ankle_angle_r, subtalar_angle_r, arm_flex_r,
// arm_add_r, arm_rot_r, elbow_flex_r, and with _l. Of all others PART_z, PART_x, PART_y, about these axes of OpenSim's
// frame, not mirrored. Where arms hang on a part that is more than one joint away from the root, its rotation against
// the root is given as well, as lumbar_extension, lumbar_bending, lumbar_rotation, for models with one joint there.
#ifndef STAGGER_SCENES_EXPORT_JOINT_ANGLES_H
#define STAGGER_SCENES_EXPORT_JOINT_ANGLES_H

#include "scenes/description/trace_motion.h"

enum { ANGLES_MAX = 3 * (BODY_MAX_PARTS + 1), ANGLE_NAME_SIZE = 64 };

typedef struct AngleGroup {
  int joint, base; // the rotation of which joint, in which joint's frame (-1: the world)
  int first, count;
  int axes[3];   // of Stagger's frame, in order of the sequence; a hinge has one, a universal joint two
  bool is_extra; // says again what other groups say
} AngleGroup;

typedef struct JointAngles {
  const BodyDef *body;
  AngleGroup groups[BODY_MAX_PARTS + 1]; // the root's is the first
  int group_count;
  char names[ANGLES_MAX][ANGLE_NAME_SIZE];
  double sign[ANGLES_MAX]; // of the coordinate against the turn about Stagger's axis
  int count;
} JointAngles;

void joint_angles_init(JointAngles *angles, const BodyDef *body);

// Coordinates of all frames, rad: values[frame * stride + i] for i < count. What joints turn about other axes than
// their own is left out.
void joint_angles_measure(const JointAngles *angles, const TraceMotion *motion, double *values, size_t stride);

// The joints' rotations from one row of coordinates, as in TraceMotion. [joint count]
void joint_angles_rebuild(const JointAngles *angles, const double *values, versors *rotations);

// The axis of each coordinate of a group in Stagger's world, unit, with its sign: a torque on the child times it is the
// coordinate's generalized force. values: a row of coordinates; base_w: rotation of the group's base joint.
void joint_angles_axes(const JointAngles *angles, const AngleGroup *group, const double *values, versors base_w,
                       double axes[3][3]);

// A vector or a moment in OpenSim's frame.
void opensim_vector(const double v[3], double out[3]);

#endif
