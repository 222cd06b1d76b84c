#include "viewer/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/scene_source.h"
#include "viewer/trace_source.h"

// One of the two is there.
struct Source {
  TraceSource *trace;
  SceneSource *scene;
};

// By the first bytes: a trace may have any name. What cannot be read counts as a scene, whose reader tells why.
static bool file_is_hdf5(const char *path) {
  static const unsigned char SIGNATURE[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  unsigned char bytes[sizeof SIGNATURE] = {0};
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  size_t count = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  return count == sizeof bytes && memcmp(bytes, SIGNATURE, sizeof bytes) == 0;
}

Source *source_open(const char *path, Error *error) {
  Source *source = calloc(1, sizeof *source);
  if (!source) {
    error_set(error, "%s: out of memory", path);
    return NULL;
  }
  if (file_is_hdf5(path))
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
