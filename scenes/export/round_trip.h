// Reads an exported motion back as any user of the file would, through the importer of anim/motion/motion.h, and
// measures how far it lies from what the trace has.
#ifndef STAGGER_SCENES_EXPORT_ROUND_TRIP_H
#define STAGGER_SCENES_EXPORT_ROUND_TRIP_H

#include "scenes/description/trace_motion.h"

typedef struct RoundTrip {
  int moments;     // that were compared
  double distance; // largest of all joints in the world, m
  double angle;    // largest of all joints' rotations in the world, rad
} RoundTrip;

// name: with the ending that tells the format; unit: m per unit of the file; joints have the names of the body's parts.
// Takes the largest of what `trip` has and what is found. The frames that the reader gives are compared with the
// trace's at the same times. Errors: it cannot be read, a joint is missing, the times do not fit.
bool round_trip_measure(const char *name, char *bytes, size_t size, double unit, const TraceMotion *motion,
                        RoundTrip *trip, Error *error);

// One sentence about it, or about the error when its text is not empty.
void round_trip_tell(const RoundTrip *trip, const Error *error, char *text, size_t size);

#endif
