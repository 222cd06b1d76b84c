// Images, sequences and films without a window. Every frame is drawn at its exact time, however long that takes: the
// same command gives the same files.
#ifndef STAGGER_VIEWER_HEADLESS_H
#define STAGGER_VIEWER_HEADLESS_H

#include "viewer/options.h"

enum { HEADLESS_DONE = 0, HEADLESS_BAD_INPUT = 2, HEADLESS_STOPPED = 3, HEADLESS_INTERRUPTED = 130 };

// Performs the task of the options, one of TASK_PICTURE, TASK_SEQUENCE, TASK_FILM. Errors are printed on stderr, and
// progress if that is a terminal. Returns an exit code. Single images and films are written in whole or not at all; of
// a sequence, the images up to an error or a Ctrl-C are kept.
int headless_run(const Options *options);

// Number of frames from `from` to `to`, in s, with an interval of `pace` / `fps` s.
long headless_frame_count(double from, double to, int fps, double pace);

#endif
