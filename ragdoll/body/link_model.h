// Models of the simulation world (MJCF, URDF) in a common form: links in a tree, each with mass, shapes and the joints
// that attach it to its parent. All vectors are in the model's frame (X left, Y up, Z forward) in the model's own zero
// pose, whatever frames the file has.
#ifndef STAGGER_RAGDOLL_BODY_LINK_MODEL_H
#define STAGGER_RAGDOLL_BODY_LINK_MODEL_H

#include "ragdoll/body/body_def.h"
#include "sim/base/document.h"
#include "sim/base/text_buffer.h"
#include "sim/base/xml.h"

enum { LINKS_MOST = 128, LINK_MOST_JOINTS = 3, LINK_NAME_SIZE = 64 };

// Where a frame is in another one.
typedef struct Frame {
  double place[3];    // m
  double rotation[4]; // unit quaternion w x y z
} Frame;

#define FRAME_NONE ((Frame){.rotation = {1}})

Frame frame_within(const Frame *outer, const Frame *inner); // inner, as seen from where outer is given
void frame_point(const Frame *frame, const double point[3], double out[3]);

typedef struct LinkJoint {
  char name[LINK_NAME_SIZE];
  bool ball;           // about all axes, within `range[1]`; otherwise a hinge
  double axis[3];      // unit
  double place[3];     // m
  bool limited;        // false: any angle
  double range[2];     // rad, from the zero pose
  double strength;     // N m; 0: unknown
  double stiffness;    // N m/rad, of its actuator; 0: unknown
  double damping;      // N m s/rad; of files it may be below 0, which counts as 0
  double armature;     // kg m^2
  const XmlNode *node; // for errors
} LinkJoint;

typedef struct LinkShape {
  ShapeKind kind;
  double size[3]; // as ShapeDef's; capsules are along y of their frame
  Frame frame;
} LinkShape;

typedef struct Link {
  char name[LINK_NAME_SIZE];
  int parent; // before it; -1 for link 0
  double place[3];
  LinkJoint joints[LINK_MOST_JOINTS]; // in the order from the parent to the link
  int joint_count;                    // 0: fixed to its parent
  double norm_strength;               // N m, largest torque as the norm over its joints; 0: each by itself
  double mass;                        // kg
  double com[3], inertia[3][3];       // m; kg m^2 about the centre of mass
  LinkShape shapes[BODY_MAX_SHAPES];
  int shape_count, shapes_left_out;
  char leg[SKELETON_NAME_SIZE];       // of a foot with marked ends: the leg's name; "": none
  bool has_heel, has_toe;             // marked ends of a sole
  double heel[3], toe[3], half_width; // m
  const XmlNode *node;                // for errors
} Link;

typedef struct LinkModel {
  char name[LINK_NAME_SIZE];
  Link links[LINKS_MOST];
  int count;
  bool as_is;         // to be set before reading: hinges that follow each other are not joined, and nothing is fitted
  const Node *joints; // which link is which of a human's parts, as clips have it; NULL: found by names and shape
  bool fills_masses;  // links may lack a mass, which is found by their shapes; otherwise that is an error
  TextBuffer notes;   // sentences for the user, one per line: what was changed or left out
} LinkModel;

__attribute__((format(printf, 2, 3))) void link_note(LinkModel *model, const char *format, ...);

// Adds a rigid piece to a link. inertia: about its centre, in the model's axes.
void link_add_mass(Link *link, double mass, const double com[3], double inertia[3][3]);

// The moments of a solid box (edges), capsule (radius, length of the cylinder, along y) or ball (radius), and of a
// cylinder (radius, length, along y), of a mass, in its own frame, kg m^2; and their volumes, m^3.
void solid_inertia(ShapeKind kind, const double size[3], double mass, double moments[3]);
void cylinder_inertia(double radius, double length, double mass, double moments[3]);
double solid_volume(ShapeKind kind, const double size[3]);

// out = the tensor with these moments in a frame that is turned.
void turned_inertia(const double moments[3], const double rotation[4], double out[3][3]);

void tensor_turn(double tensor[3][3], const double rotation[4]); // into the axes in which its own are turned

// The rotation by the shortest way between two directions, which need not be unit.
void rotation_between(const double from[3], const double to[3], double rotation[4]);

// The shape that stands for a cylinder along y: a capsule of the same radius and length or, if it is flat, a box of the
// same volume.
void link_cylinder_shape(double radius, double length, LinkShape *shape);

// Adds a shape; beyond BODY_MAX_SHAPES it is counted in shapes_left_out.
void link_add_shape(Link *link, const LinkShape *shape);

// Adds a box of uniform density with the link's mass and moments, and a note that says `why`.
void link_add_inertia_box(LinkModel *model, Link *link, const char *why);

int links_count_children(const LinkModel *model, int link);

// Merges links without joints into their parents; parents stay before children.
void links_merge_fixed(LinkModel *model);

// Makes one joint of hinges that follow each other across, within 20 cm if their names say that they are of one limb
// (hip_yaw, hip_roll), otherwise within 8 cm, on links of which nothing else hangs and that weigh less than what hangs
// on them: as hips, shoulders and ankles of robots are built. Not in models with a link of several joints, which give
// such joints themselves.
void links_join_hinges(LinkModel *model);

// Masses under a gram are raised to one in models over 1 kg. With `fills_masses` links without mass get that of their
// shapes at 1000 kg/m^3, or if they have none but carry others a hundredth of the model's; without shape, mass and
// children they are left out.
void links_repair_masses(LinkModel *model);

// Raises the moments of links whose tensor no body has, as little as needed; of links without any a ball's are taken.
void links_repair_inertias(LinkModel *model);

// Holds the joints of the lightest links at the ends still, all of about the same mass at once, until there are no more
// than `most`.
void links_drop_lightest(LinkModel *model, int most);

// Rotates a link and all that hang on it about a point; the joints that attach it stay.
void links_turn(LinkModel *model, int link, const double about[3], const double rotation[4]);

void links_turn_joints(Link *link, const double about[3], const double rotation[4]); // those of one link alone

// Moves the whole model, m.
void links_move(LinkModel *model, const double by[3]);

// Makes another link the first one: the joints between them are turned round.
void links_make_root(LinkModel *model, int link);

#endif
