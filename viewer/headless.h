// Pictures, sequences and films without a window. Every frame is drawn at its exact time, however long that takes: the
// same command gives the same files.
#ifndef STAGGER_VIEWER_HEADLESS_H
#define STAGGER_VIEWER_HEADLESS_H

#include "viewer/options.h"

enum { HEADLESS_DONE = 0, HEADLESS_BAD_INPUT = 2, HEADLESS_STOPPED = 3, HEADLESS_INTERRUPTED = 130 };

// Does the task of the options, one of TASK_PICTURE, TASK_SEQUENCE, TASK_FILM. What went wrong goes to stderr, progress
// too when that is a terminal. Returns an exit code. Single pictures and films are written in whole or not at all; of a
// sequence the pictures up to an error or a Ctrl-C stay.
int headless_run(const Options *options);

// How many frames there are from `from` to `to`, both in s, when every frame is `pace` / `fps` s after the one before.
long headless_frame_count(double from, double to, int fps, double pace);

#endif
