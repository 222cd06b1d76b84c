// Reads an exported motion back through the importer of anim/motion/motion.h, as a user of the file would, and measures
// its deviation from the trace.
#ifndef STAGGER_SCENES_EXPORT_ROUND_TRIP_H
#define STAGGER_SCENES_EXPORT_ROUND_TRIP_H

#include "anim/motion/motion.h"
#include "scenes/description/trace_motion.h"

typedef struct RoundTrip {
  int moments;     // number of moments compared
  double distance; // largest distance of any joint in the world, m
  double angle;    // largest difference of any joint's rotation in the world, rad
} RoundTrip;

// name: with the ending that identifies the format; unit: m per unit of the file; joints must have the names of the
// body's parts. Raises the values of `trip` to the deviations found. The frames read are compared with the trace at the
// same times. Errors: the file cannot be read, a joint is missing, the times do not match.
bool round_trip_measure(const char *name, char *bytes, size_t size, double unit, const TraceMotion *motion,
                        RoundTrip *trip, Error *error);

// The number of frames at the beginning that the reader has dropped; -1 and an error: the times do not match.
int round_trip_dropped(const Motion *back, const TraceMotion *motion, Error *error);

// The trace's pose at a time in s after its first frame, interpolated as players of a file do. *frame: where the search
// begins, 0 at first.
void round_trip_place(const TraceMotion *motion, double time, int *frame, ModelPose *model);

// Writes one sentence about the result, or about the error if its text is not empty.
void round_trip_tell(const RoundTrip *trip, const Error *error, char *text, size_t size);

// The same for numbers that were compared bit by bit.
void round_trip_tell_bits(long numbers, long differences, char *text, size_t size);

#endif
