// Props and thrown balls of a trace, for MCAP files.
#ifndef STAGGER_SCENES_EXPORT_MCAP_OBJECTS_H
#define STAGGER_SCENES_EXPORT_MCAP_OBJECTS_H

#include "scenes/export/protobuf.h"
#include "sim/trace/trace.h"

typedef struct McapObject {
  char name[TRACE_NAME_SIZE];
  bool box;
  double size[3];                // m; of a ball its diameter
  double *positions, *rotations; // [frame][3] m, [frame][4] x y z w: world; NaN while it does not exist
} McapObject;

typedef struct McapObjects {
  McapObject *list;
  int count;
} McapObjects;

// Errors: a channel of an object cannot be read; no memory. Free with mcap_objects_free in either case.
bool mcap_objects_read(McapObjects *objects, TraceReader *reader, Error *error);
void mcap_objects_free(McapObjects *objects);

// Adds their shapes, which stay in the frames `object/NAME`, to SceneUpdate.
void mcap_objects_add_shapes(const McapObjects *objects, TextBuffer *update);

// Adds these frames to FrameTransforms, of objects that exist at the moment.
void mcap_objects_add_frames(const McapObjects *objects, int frame, uint64_t time_ns, TextBuffer *transforms);

#endif
