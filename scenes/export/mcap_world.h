// What surrounds the characters of a trace, for MCAP files: the ground below their motions, platforms and the forces of
// contacts.
#ifndef STAGGER_SCENES_EXPORT_MCAP_WORLD_H
#define STAGGER_SCENES_EXPORT_MCAP_WORLD_H

#include "scenes/description/trace_motion.h"
#include "scenes/export/ground_mesh.h"
#include "scenes/export/protobuf.h"
#include "scenes/export/trace_list.h"

typedef struct McapWorld {
  const SceneDef *def;
  const char *only; // the character whose contacts are wanted; NULL: all
  GroundMesh ground;
  TraceList *contacts;
  const double *positions, *impulses; // [contacts->rows][3], m, N s
  long next;                          // row of the coming frame
} McapWorld;

// Makes the ground below the motions, and reads the contacts, of a character alone (NULL: all). Errors: no memory; the
// trace's contacts cannot be read. Free with mcap_world_free in either case.
bool mcap_world_read(McapWorld *world, TraceReader *reader, SceneDef *def, const TraceMotion *const *motions,
                     int motion_count, const char *only, Error *error);
void mcap_world_free(McapWorld *world);

// Adds the frames `platform/NAME` of the platforms to FrameTransforms, at a time of the run in s.
void mcap_world_add_frames(const McapWorld *world, double time, TextBuffer *transforms);

// Adds the ground as triangles, and the platforms as boxes in their frames, to SceneUpdate.
void mcap_world_add_ground(const McapWorld *world, TextBuffer *update);

// Adds the contacts of a frame to SceneUpdate: mean forces since the frame before, `interval` s. They replace those of
// the frame before. To be called for all frames, in their order.
void mcap_world_add_contacts(McapWorld *world, int frame, uint64_t time_ns, double interval, TextBuffer *update);

#endif
