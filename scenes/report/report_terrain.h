// The ground around the way of a run's characters, for the replay.
#ifndef STAGGER_SCENES_REPORT_REPORT_TERRAIN_H
#define STAGGER_SCENES_REPORT_REPORT_TERRAIN_H

#include <cjson/cJSON.h>

#include "scenes/report/report_run.h"

// Adds "terrain" to a TRACE, see report_data.h: a grid of the terrain's own samples, or of every n-th of them where
// there would be too many; of a level its triangles. Nothing is added for ground that is flat at y = 0. False: no
// memory.
bool report_terrain_add(cJSON *trace, const ReportRun *run);

#endif
