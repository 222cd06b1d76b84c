// Shows a motion file or a clip: the recorded skeleton unchanged, and beside it the human body with the same motion.
#ifndef STAGGER_VIEWER_SOURCE_MOTION_VIEW_H
#define STAGGER_VIEWER_SOURCE_MOTION_VIEW_H

#include "viewer/draw/picture.h"
#include "viewer/source/frames.h"

typedef struct MotionView MotionView;

// Whether a path names a motion file (by its ending) or a clip (by its content).
bool motion_view_is_for(const char *path);

// NULL and an error: unreadable, or neither a skeleton nor a clip for the human body.
MotionView *motion_view_open(const char *path, Error *error);
void motion_view_close(MotionView *view);

// A scene without characters whose name is the file's, and whose purpose says what was found in the file.
const SceneDef *motion_view_def(const MotionView *view);
const Terrain *motion_view_terrain(const MotionView *view);

// Channels: /motion/position of the recorded joints, /clip/rotation of the human body's.
Frames *motion_view_frames(const MotionView *view);

// Adds a frame: recorded joints and bones, and the human body; the recorded figure becomes the subject.
void motion_view_show(const MotionView *view, int frame, Picture *picture);

#endif
