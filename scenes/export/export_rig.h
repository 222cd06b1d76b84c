// The motion of traces on the rig of another program: its file, with an animation of its own bones for each trace.
#ifndef STAGGER_SCENES_EXPORT_EXPORT_RIG_H
#define STAGGER_SCENES_EXPORT_EXPORT_RIG_H

#include "scenes/export/export.h"

typedef struct RigExport {
  const char *rig;       // a .glb, or a .gltf whose buffer is embedded
  const char *joints;    // YAML file with a table `joints` as clips have it; NULL: by names alone
  const char *character; // NULL: the first of each trace
  TracePose pose;
} RigExport;

// Makes a glTF binary of the rig: nodes, meshes, skins and materials as they are, and in place of its animations one
// for each trace, named after the trace's file. A body of any size is scaled to the rig by the length of the legs.
// Errors name the file: of the rig what rig_file_read and retarget_map say, and a joint that is not among its nodes; of
// a trace what trace_motion_read says, and times that floats cannot tell apart.
bool export_rig(const char *const *traces, const char *const *settings, int trace_count, const RigExport *options,
                ExportResult *result, Error *error);

#endif
