// Objects in a picture: the props of a scene and the balls that were thrown, of a run or of a trace.
#ifndef STAGGER_VIEWER_SOURCE_OBJECTS_H
#define STAGGER_VIEWER_SOURCE_OBJECTS_H

#include "scenes/description/prop_def.h"
#include "sim/world/projectile.h"
#include "viewer/draw/picture.h"
#include "viewer/source/frames.h"

// Props, the balls of events, those of the user.
enum { OBJECTS_MAX = SCENE_MAX_PROPS + PROJECTILE_MAX + PROJECTILE_KEPT };

typedef struct ObjectList {
  int frame, count;
  PictureObject objects[OBJECTS_MAX];
} ObjectList;

// How a body of a world is turned.
versors object_rotation(const World *world, int body);

// Those that a world has now; list->frame is the caller's.
void objects_of_world(ObjectList *list, const World *world);

// Where a trace has an object.
typedef struct TraceObject {
  int position, rotation; // channels
  PictureObject look;     // its shape and size
} TraceObject;

// The objects of a trace but its platforms. Returns how many, at most `max`.
int objects_find(TraceReader *reader, const Frames *frames, TraceObject *objects, int max);

// Where it is in a frame. False when it is not there.
bool objects_read(Frames *frames, const TraceObject *object, int frame, PictureObject *seen);

#endif
