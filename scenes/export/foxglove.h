// Foxglove's messages for 3-D views, as Protocol Buffers (github.com/foxglove/foxglove-sdk, schemas), and their schemas
// for MCAP files. Axes are those of its views: x forward, y to the left, z up, which are Stagger's z, x and y.
#ifndef STAGGER_SCENES_EXPORT_FOXGLOVE_H
#define STAGGER_SCENES_EXPORT_FOXGLOVE_H

#include "ragdoll/body/body_def.h"
#include "scenes/export/protobuf.h"

// The description of all messages below, a FileDescriptorSet.
void foxglove_schema(TextBuffer *schema);

// Adds a frame to FrameTransforms: a body's position (m) and rotation in the frame "world".
void foxglove_add_transform(TextBuffer *transforms, uint64_t time_ns, const char *child, vec3s position,
                            versors rotation);

// Adds the shapes of a part to SceneUpdate, which stay in the part's frame. joint: the frame's place in the bind pose.
void foxglove_add_part(TextBuffer *update, uint64_t time_ns, const char *frame, const PartDef *part);

// Adds an arrow that points to where an impulse (N s) acts, for half a second.
void foxglove_add_hit(TextBuffer *update, uint64_t time_ns, const char *id, vec3s point, vec3s impulse);

// Adds a box of that size (m) that stays in the middle of a frame to SceneUpdate.
void foxglove_add_box(TextBuffer *update, const char *frame, vec3s size);

// The ground: adds vertices (m, world) to its triangles, then which three make each triangle (none: each three in a
// row); then the triangles, which are freed, to SceneUpdate.
void foxglove_add_vertex(TextBuffer *triangles, vec3s place);
void foxglove_add_indices(TextBuffer *triangles, const uint16_t *indices, int count);
void foxglove_add_ground(TextBuffer *update, TextBuffer *triangles);

// The contacts of a moment, which replace those before: begins, adds an arrow from where a force (N) acts, 1 m long for
// 1000 N, and puts all, which are freed, into SceneUpdate.
TextBuffer foxglove_begin_contacts(uint64_t time_ns);
void foxglove_add_contact(TextBuffer *contacts, vec3s place, vec3s force);
void foxglove_end_contacts(TextBuffer *update, TextBuffer *contacts);

#endif
