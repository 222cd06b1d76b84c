// Reads models of MuJoCo.
#ifndef STAGGER_RAGDOLL_BODY_MJCF_READ_H
#define STAGGER_RAGDOLL_BODY_MJCF_READ_H

#include "ragdoll/body/link_model.h"

// Reads an MJCF file (https://mujoco.readthedocs.io, XML reference): the first body with a free joint, or the first one
// at all, with all that hang on it; its joints (hinge, ball, free), geoms, inertials, sites that mark soles and the
// strengths and gains of its actuators. Defaults by class, the compiler's angle, eulerseq, inertiafromgeom and
// autolimits are obeyed. Meshes are replaced by a box with the body's inertia. What has no place in a body is left out
// with a note. False and an error with file, line, column and element: XML that is broken, numbers that are missing or
// not finite, elements that cannot be read (slide joints, meshes without an inertial). The model's nodes are the
// document's, which must outlive it.
bool mjcf_read(LinkModel *model, const XmlDocument *document, Error *error);

#endif
