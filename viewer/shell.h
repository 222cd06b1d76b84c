// The viewer's window as a whole: it is opened, turned frame by frame, and closed. shell_frame is one turn of the loop;
// it takes the time that passed from outside, so that tests turn it as they like.
#ifndef STAGGER_VIEWER_SHELL_H
#define STAGGER_VIEWER_SHELL_H

#include "viewer/app.h"

// Opens window, inputs and a gamepad, if there is one. NULL and an error.
App *shell_open(const AppOptions *options, Error *error);

// Loses nothing: ends a trace that is being recorded, and writes changes that were not saved into a new file, which a
// message on stderr names. False when something could not be written; stderr says what.
bool shell_close(App *app);

// One frame: events, time, simulation, picture, panels. elapsed: s since the last one. False when the user has quit.
bool shell_frame(App *app, double elapsed);

#endif
