// What the files that read MJCF have in common.
#ifndef STAGGER_RAGDOLL_BODY_MJCF_INTERNAL_H
#define STAGGER_RAGDOLL_BODY_MJCF_INTERNAL_H

#include "ragdoll/body/mjcf_read.h"

typedef struct Mjcf {
  const XmlNode *root;
  bool radians, autolimits;
  bool global;           // places and axes are the world's, not those of the body that they are in
  int inertia_from_geom; // 1 always, 0 never, -1: of bodies without an inertial
  char euler[4];         // the axes in their order; capitals: fixed axes
  LinkModel *model;
  Error *error;
} Mjcf;

// An element and the class of the body that it is in ("": none): what its attributes are looked up by.
typedef struct MjcfNode {
  const Mjcf *mjcf;
  const XmlNode *node;
  const char *childclass;
} MjcfNode;

// The value of an attribute, of the element or else of its class; NULL when absent.
const char *mjcf_text(const MjcfNode *at, const char *attribute);

// Errors when the element's class does not exist.
bool mjcf_check_class(const MjcfNode *at);

// Reads numbers; the values are unchanged, and the result is 0, when the attribute is absent; -1: error.
int mjcf_numbers(const MjcfNode *at, const char *attribute, int least, int most, double values[]);

// Exactly `count` numbers, or unchanged when absent.
bool mjcf_reals(const MjcfNode *at, const char *attribute, int count, double values[]);

// "true", "false" or "auto" as 1, 0, -1.
bool mjcf_switch(const MjcfNode *at, const char *attribute, int *value);

// Reads pos and any of quat, axisangle, euler, xyaxes, zaxis, in our axes.
bool mjcf_frame(const MjcfNode *at, Frame *frame);

// Of the world's bodies the one with the most joints on it and below, of equals one that is free, and the frame that it
// is in; a note tells when there are others. NULL: there is none, or an error is set.
const XmlNode *mjcf_find_body(const Mjcf *mjcf, Frame *outer);

// Reads the sections of actuators, and what <custom> has of strengths: strengths, stiffness and damping of the joints
// that they name.
bool mjcf_actuators(const Mjcf *mjcf);

// x forward, y left, z up as left, up, forward. Not in place.
static inline void mjcf_to_ours(const double v[3], double out[3]) {
  out[0] = v[1];
  out[1] = v[2];
  out[2] = v[0];
}

#endif
