// The responses to hits of a study with `responses`: the file responses.bin of its folder, one record of equal size for
// each trial, at the place of its number. So the bytes do not depend on who ran which trial and when. The same numbers,
// described by attributes, stand in trials.h5 when the study is complete.
//
// A record is int16: the numbers of frames (0: no response) and joints, character and part that were struck, then
// [HIT_RESPONSE_FRAMES][joints][3] rotation vectors in units of RESPONSE_UNIT, of bodies with fewer joints filled up.
#ifndef STAGGER_SCENES_SWEEP_RESPONSE_FILE_H
#define STAGGER_SCENES_SWEEP_RESPONSE_FILE_H

#include "scenes/run/hit_response.h"
#include "scenes/sweep/study.h"
#include "sim/trace/columns_hdf5.h"

#define RESPONSE_UNIT 1e-4 // rad; pi is then below the largest int16

// Writes a trial's record through to the disk, so that it is there before the trial's row. False: it cannot be written.
bool response_file_write(const char *folder, const StudyDef *study, long trial, const HitResponse *response);

typedef struct ResponseFile ResponseFile;

// NULL and an error: there is no such file, no memory.
ResponseFile *response_file_open(const char *folder, const StudyDef *study, Error *error);
void response_file_close(ResponseFile *file); // NULL is fine

// A whole response; the frames are valid until the same slot is read again. slot: 0 or 1. False: the trial has none.
bool response_file_read(ResponseFile *file, long trial, int slot, ResponseFrames *frames);

// The responses of a table's trials for trials.h5; what is missing is -32768. Valid as long as file and table are.
HdfBlock response_file_block(ResponseFile *file, const Table *table);

#endif
