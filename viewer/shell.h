// The viewer's window: opening, frames, closing. shell_frame is one turn of the main loop; the elapsed time is a
// parameter, so that tests can choose it.
#ifndef STAGGER_VIEWER_SHELL_H
#define STAGGER_VIEWER_SHELL_H

#include "viewer/app.h"

// Opens the window, the inputs and a gamepad if there is one. NULL and an error.
App *shell_open(const AppOptions *options, Error *error);

// Closes without losing data: ends a recorded trace, and writes unsaved changes to a new file, which a message on
// stderr names. False when something could not be written; stderr says what.
bool shell_close(App *app);

// One frame: events, time, simulation, image, panels. elapsed: s since the last one. False when the user has quit.
bool shell_frame(App *app, double elapsed);

#endif
