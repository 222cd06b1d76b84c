#include "viewer/source.h"

#include <stdlib.h>

#include "sim/trace.h"
#include "viewer/scene_source.h"
#include "viewer/trace_source.h"

// One of the two is there.
struct Source {
  TraceSource *trace;
  SceneSource *scene;
};

Source *source_open(const char *path, Error *error) {
  Source *source = calloc(1, sizeof *source);
  if (!source) {
    error_set(error, "%s: out of memory", path);
    return NULL;
  }
  if (trace_is_hdf5(path)) // what cannot be read counts as a scene, whose reader tells why
    source->trace = trace_source_open(path, error);
  else
    source->scene = scene_source_open(path, error);
  if (!source->trace && !source->scene) {
    free(source);
    return NULL;
  }
  return source;
}

void source_close(Source *source) {
  if (!source)
    return;
  trace_source_close(source->trace);
  scene_source_close(source->scene);
  free(source);
}

double source_end(const Source *source) {
  return source->trace ? trace_source_end(source->trace) : scene_source_end(source->scene);
}

bool source_picture(Source *source, double time, Picture *picture, Error *error) {
  static const double SLIVER = 1e-6; // s; times are written with few digits
  double end = source_end(source);
  if (!(time >= 0 && time <= end + SLIVER))
    return error_set(error, "there is no picture at %g s, the run goes from 0 to %g s", time, end);
  return source->trace ? trace_source_picture(source->trace, time, picture, error)
                       : scene_source_picture(source->scene, time, picture, error);
}
