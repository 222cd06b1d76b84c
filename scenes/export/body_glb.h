// Bodies as glTF with rigid bodies, for game engines and Blender.
#ifndef STAGGER_SCENES_EXPORT_BODY_GLB_H
#define STAGGER_SCENES_EXPORT_BODY_GLB_H

#include <stddef.h>

#include "ragdoll/body/body_def.h"

// A glTF 2.0 binary with the extensions KHR_physics_rigid_bodies and KHR_implicit_shapes (drafts of the Khronos Group,
// github.com/eoineoineoin/glTF_Physics): the body in its bind pose over a static floor. Frame and units are ours: Y up,
// Z forward, X left; m, kg, rad.
// Each part is a node at its joint, below its parent's, with `motion`: mass, centre of mass, principal moments of
// inertia and their axes. Its shapes are nodes below it with colliders, PART_collider, and the same shapes as a mesh,
// PART_shape. A joint stands in the parent's part, PART_joint, so that its angles are those of the part in its parent.
// Which parts of the body may touch each other is in the filters of collisions.
// What differs: the ranges limit the three angles of a joint each by itself (the draft does not tell the order of the
// turns), not swing and twist; a drive's strength limits each axis, not the norm over them; drives aim at the bind
// pose; reflexes, stiffness by torque and in space are left out.
// The caller frees *bytes. False: out of memory.
bool body_write_glb(const BodyDef *body, char **bytes, size_t *size);

#endif
