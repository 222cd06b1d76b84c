// Reads models of MuJoCo.
#ifndef STAGGER_RAGDOLL_BODY_MJCF_READ_H
#define STAGGER_RAGDOLL_BODY_MJCF_READ_H

#include "ragdoll/body/link_model.h"
#include "sim/base/files.h"

// Puts the elements of the files that an MJCF file includes in the place of its <include> elements. What is not there
// is left out with a note; what cannot be parsed, and files that include each other, are errors.
bool mjcf_include(LinkModel *model, XmlDocument *document, FileSet *files, Error *error);

// Reads an MJCF file (https://mujoco.readthedocs.io, XML reference): of the world's bodies the one with the most joints
// on it and below, of equals one with a free joint, with all that hang on it; its joints (hinge, ball, free), geoms,
// inertials, sites that mark soles and the strengths and gains of its actuators. Slide joints are held still. Defaults
// by class, the compiler's angle, eulerseq, coordinate, inertiafromgeom and autolimits are obeyed. Meshes are replaced
// by a box with the body's inertia. What has no place in a body is left out with a note. False and an error with file,
// line, column and element: XML that is broken, numbers that are missing or not finite, elements that cannot be read
// (meshes without an inertial). The model's nodes are the document's, which must outlive it.
bool mjcf_read(LinkModel *model, const XmlDocument *document, Error *error);

#endif
