// Pictures of a recorded trace.
#ifndef STAGGER_VIEWER_TRACE_SOURCE_H
#define STAGGER_VIEWER_TRACE_SOURCE_H

#include "viewer/picture.h"

typedef struct TraceSource TraceSource;

TraceSource *trace_source_open(const char *path, Error *error);
void trace_source_close(TraceSource *source);
double trace_source_end(const TraceSource *source); // s
bool trace_source_picture(TraceSource *source, double time, Picture *picture, Error *error);

#endif
