// A motion file or a clip to look at: the recorded skeleton as it is, and beside it the human body that does the same.
#ifndef STAGGER_VIEWER_SOURCE_MOTION_VIEW_H
#define STAGGER_VIEWER_SOURCE_MOTION_VIEW_H

#include "viewer/draw/picture.h"
#include "viewer/source/frames.h"

typedef struct MotionView MotionView;

// Whether a path names a motion file (by its ending) or a clip of ours (by what stands in it).
bool motion_view_is_for(const char *path);

// NULL and an error: unreadable, or neither a skeleton nor a clip for the human body.
MotionView *motion_view_open(const char *path, Error *error);
void motion_view_close(MotionView *view);

// A scene without characters that carries the name and, as its purpose, what was found in the file.
const SceneDef *motion_view_def(const MotionView *view);
const Terrain *motion_view_terrain(const MotionView *view);

// Channels: /motion/position of the recorded joints, /clip/rotation of the human's.
Frames *motion_view_frames(const MotionView *view);

// Adds a frame: recorded joints and bones, the human body, and makes the figure the subject.
void motion_view_show(const MotionView *view, int frame, Picture *picture);

#endif
