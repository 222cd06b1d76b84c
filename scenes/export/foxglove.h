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

#endif
