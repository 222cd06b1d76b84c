// Files dropped onto the window.
#ifndef STAGGER_VIEWER_DROP_H
#define STAGGER_VIEWER_DROP_H

#include "viewer/app.h"

// Opens a dropped file by what it is:
//
//   a scene or a trace           as if named on the command line; traces dropped together are shown together
//   a motion file or a clip      moves the followed character's body, or the human one, in the scene `mocap`
//   a level (.glb or .obj)       is the ground of a running scene, on which a man stands
//
// A .glb file with skins is a motion; one without a motion is a level. Errors, also for any other file, are shown as a
// message and written to stderr, and what is open stays. Nothing is written to the disk.
void drop_file(App *app, const char *path);

// Several files may be dropped at once: to be called before the first of them, and after the last.
void drop_begin(App *app);
void drop_end(App *app);

#endif
