// The description of a body: parts with mass and shapes, joints with limits and strengths, and their skeleton.
// Immutable after loading. Part i moves with skeleton joint i; joint i connects part i to its parent part.
#ifndef STAGGER_RAGDOLL_BODY_BODY_DEF_H
#define STAGGER_RAGDOLL_BODY_BODY_DEF_H

#include "anim/skeleton.h"
#include "sim/base/files.h"
#include "sim/base/param.h"

enum { BODY_MAX_PARTS = 32, BODY_MAX_SHAPES = 8, BODY_WARNINGS_SIZE = 1024 };

typedef enum ShapeKind { SHAPE_BOX, SHAPE_CAPSULE, SHAPE_SPHERE } ShapeKind;

typedef struct ShapeDef {
  ShapeKind kind;
  double size[3];     // box: edges along x y z; capsule: radius, length of the cylinder; sphere: radius, m
  double center_m[3]; // m, in the model's frame in the bind pose
  int axis;           // capsule: 0 x, 1 y, 2 z of the shape's frame
  bool turned;        // whether the shape's frame is not parallel to the model's in the bind pose
  double turn[3];     // rad: the rotation vector of the shape's frame in the model's; 0 unless turned
} ShapeDef;

// Half of a shape's extent along an axis of its own frame, and of the model in the bind pose, m.
double shape_own_half_size(const ShapeDef *shape, int axis);
double shape_half_size(const ShapeDef *shape, int axis);

// Rotation of the shape's frame in the model's in the bind pose: as w x y z, and as x y z w.
void shape_rotation(const ShapeDef *shape, double rotation[4]);
versors shape_versor(const ShapeDef *shape);

typedef enum JointKind { JOINT_ROOT, JOINT_BALL, JOINT_UNIVERSAL, JOINT_HINGE } JointKind;

// In the bind pose the frames of all parts are parallel to the model's (X left, Y up, Z forward), and so are the axes
// x, y, z of a joint unless it is turned. Ranges are angles of the child in its parent's frame about these axes, with
// the rotation split as q = swing * twist about the twist axis: the range of the twist axis limits the twist, the other
// two limit the swing. A hinge rotates about its twist axis, a universal joint about the other two.
#define JOINT_PARAMS(ROW, T)                                                                                           \
  ROW(T, CHOICE, kind, "ball", 0, 0, "root|ball|universal|hinge", "How the part is attached to its parent.")           \
  ROW(T, VECTOR, position, "[0, 0, 0]", -10, 10, "m", "Position of the joint in the bind pose, model frame.")          \
  ROW(T, VECTOR, turn, "[0, 0, 0]", -180, 180, "deg",                                                                  \
      "Rotation vector that turns the joint's own axes x, y, z from the model's; at most 180 deg long.")               \
  ROW(T, CHOICE, twist_axis, "y", 0, 0, "x|y|z", "The bone's long axis; of a hinge: its axis.")                        \
  ROW(T, RANGE, x, "[-180, 180]", -180, 180, "deg", "Range of motion about x.")                                        \
  ROW(T, RANGE, y, "[-180, 180]", -180, 180, "deg", "Range of motion about y.")                                        \
  ROW(T, RANGE, z, "[-180, 180]", -180, 180, "deg", "Range of motion about z.")                                        \
  ROW(T, REAL, strength, "100", 0, 10000, "N m", "Largest torque of the drive, as the norm over the axes.")            \
  ROW(T, VECTOR, axis_strength, "[0, 0, 0]", 0, 10000, "N m",                                                          \
      "Largest torque of the drive about each axis of the joint, beside `strength`; 0: as `strength` allows.")         \
  ROW(T, VECTOR, armature, "[0, 0, 0]", 0, 100, "kg m^2",                                                              \
      "Inertia of rotors behind gears, as felt about each axis of the joint: it resists angular acceleration "         \
      "relative "                                                                                                      \
      "to the parent.")                                                                                                \
  ROW(T, REAL, stiffness, "500", 0, 1e6, "N m/rad", "Torque per angle between joint and target.")                      \
  ROW(T, REAL, damping, "25", 0, 1e5, "N m s/rad", "Torque per difference of angular velocity.")                       \
  ROW(T, REAL, torque_stiffness, "0", 0, 100, "1/rad",                                                                 \
      "Additional stiffness per N m of torque applied in advance; damping grows with its square root.")                \
  ROW(T, REAL, reflex_stiffness, "0", 0, 1e5, "N m/rad", "Stretch reflex: as stiffness, after `drive.reflex_delay`.")  \
  ROW(T, REAL, reflex_damping, "0", 0, 1e4, "N m s/rad", "Stretch reflex: as damping, after the same delay.")          \
  ROW(T, REAL, space_stiffness, "0", 0, 1e5, "N m/rad",                                                                \
      "Stiffness toward the target's rotation in the world instead of relative to the parent, after the same delay; "  \
      "for heads.")                                                                                                    \
  ROW(T, REAL, space_damping, "0", 0, 1e4, "N m s/rad",                                                                \
      "Damping of the part's rotation in the world, after the same delay.")

typedef struct JointDef {
  JOINT_PARAMS(PARAM_FIELD, JointDef)
  double limit[3][2]; // rad: the ranges x, y, z
  bool limited;       // some range is narrower than a full turn
  bool turned;        // its axes are not parallel to the model's in the bind pose
  double frame[4];    // unit quaternion w x y z of its axes in the model's; 1 0 0 0 unless turned
} JointDef;

// Whether the joint can rotate about an axis: a hinge about its twist axis, a universal joint about the two others.
bool joint_turns(const JointDef *joint, int axis);

// The largest torque of the drive about an axis about which the joint turns, N m: its own, or else `strength`.
double joint_axis_strength(const JointDef *joint, int axis);

// Sets frame and turned by the rotation vector `turn`.
void joint_set_frame(JointDef *joint);

// The direction of an axis of the joint, unit, in the parent's frame; in the child's, too, in the bind pose.
void joint_axis(const JointDef *joint, int axis, double direction[3]);

// A vector, such as that of a rotation, in the joint's axes instead of the parent's, and back. In place is allowed.
void joint_vector_in(const JointDef *joint, const double vector[3], double in[3]);
void joint_vector_out(const JointDef *joint, const double in[3], double vector[3]);
versors joint_versor(const JointDef *joint);               // of its frame in the parent's
vec3s joint_point_in(const JointDef *joint, vec3s vector); // the same in floats, unchanged unless it is turned
vec3s joint_point_out(const JointDef *joint, vec3s vector);
static inline bool joint_has_armature(const JointDef *joint) {
  return joint->armature[0] > 0 || joint->armature[1] > 0 || joint->armature[2] > 0;
}

#define PART_PARAMS(ROW, T)                                                                                            \
  ROW(T, REAL, mass, "1", 0.001, 1000, "kg", "Mass of the part.")                                                      \
  ROW(T, VECTOR, com, "[0, 0, 0]", -10, 10, "m", "Centre of mass in the bind pose, model frame.")                      \
  ROW(T, VECTOR, inertia, "[0.01, 0.01, 0.01]", 1e-7, 1000, "kg m^2", "Moments of inertia about the centre of mass.")  \
  ROW(T, VECTOR, products, "[0, 0, 0]", -1000, 1000, "kg m^2",                                                         \
      "Entries xy, xz and yz of the tensor of inertia about the centre of mass.")                                      \
  ROW(T, BOOL, foot, "false", 0, 1, "", "Whether the part bears weight in locomotion.")

typedef struct PartDef {
  PART_PARAMS(PARAM_FIELD, PartDef)
  char name[SKELETON_NAME_SIZE];
  int parent;   // -1 for part 0
  int twin;     // the corresponding part on the other side; the part itself in the middle plane
  bool carries; // a leg, or a part that legs support: ground forces act through its joint
  bool loads;   // its motion takes torque at a joint that does not carry: its own or one above
  bool moves;   // and its motion must be known for that: it loads, or a part below does
  JointDef joint;
  ShapeDef shapes[BODY_MAX_SHAPES];
  int shape_count;
} PartDef;

// Whether the part has products of inertia.
static inline bool part_has_products(const PartDef *part) {
  return part->products[0] != 0 || part->products[1] != 0 || part->products[2] != 0;
}

extern const ParamTable joint_params, part_params;

// Measures of a person, by which a human body is changed: see body_measure.h.
#define MEASURE_PARAMS(ROW, T)                                                                                         \
  ROW(T, REAL, height, "0", 0, 2.3, "m", "Standing height, from 1.2 m; 0: the base's.")                                \
  ROW(T, REAL, mass, "0", 0, 300, "kg", "Mass; 0: the base's, in proportion to the height squared.")                   \
  ROW(T, CHOICE, sex, "male", 0, 0, "male|female", "For shares of mass, strength and ranges of motion.")               \
  ROW(T, REAL, age, "25", 18, 90, "years", "Strength and ranges of motion become less with it.")

typedef struct BodyMeasures {
  MEASURE_PARAMS(PARAM_FIELD, BodyMeasures)
} BodyMeasures;

typedef struct BodyDef {
  char name[SKELETON_NAME_SIZE];
  Skeleton skeleton;
  PartDef parts[BODY_MAX_PARTS];
  int part_count;
  BodyMeasures measures;                         // age 0: the body as its file has it
  double mass;                                   // kg, sum
  bool collides[BODY_MAX_PARTS][BODY_MAX_PARTS]; // which parts of the body may touch each other
  // Sentences for the user, one per line: unreachable gains; ratios of masses that are too large for the iterative
  // solver.
  char warnings[BODY_WARNINGS_SIZE], mass_warnings[BODY_WARNINGS_SIZE];
} BodyDef;

// Reads a body file (format in scenes/bodies/README.md). NULL with file, line and column on error. Free with body_free.
BodyDef *body_read(FileSet *files, const char *name, Error *error);
void body_free(BodyDef *body);

#endif
