// Reads URDF, the descriptions of robots of ROS.
#ifndef STAGGER_RAGDOLL_BODY_URDF_READ_H
#define STAGGER_RAGDOLL_BODY_URDF_READ_H

#include "ragdoll/body/link_model.h"

// Reads a URDF file (http://wiki.ros.org/urdf/XML): links with inertials and collision geometry (box, cylinder, sphere;
// a mesh is replaced by a box with the link's inertia), joints that are revolute, continuous, fixed or floating, their
// limits, efforts and damping. The link that is no child, or that a floating joint attaches to it, moves freely. Hinges
// across each other that follow within 16 cm, as hips and shoulders of robots have, become one joint. False and an
// error with file, line, column and element. The model's nodes are the document's, which must outlive it.
bool urdf_read(LinkModel *model, const XmlDocument *document, Error *error);

#endif
