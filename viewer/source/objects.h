// Objects in an image: the props of a scene, its platforms that forces move, and thrown balls, of a run or of a trace.
#ifndef STAGGER_VIEWER_SOURCE_OBJECTS_H
#define STAGGER_VIEWER_SOURCE_OBJECTS_H

#include "scenes/description/prop_def.h"
#include "sim/world/projectile.h"
#include "viewer/draw/picture.h"
#include "viewer/source/frames.h"

// Props, platforms, balls of events, and balls thrown by the user.
enum { OBJECTS_MAX = SCENE_MAX_PROPS + SCENE_MAX_PLATFORMS + PROJECTILE_MAX + PROJECTILE_KEPT };

typedef struct ObjectList {
  int frame, count;
  PictureObject objects[OBJECTS_MAX];
} ObjectList;

// The rotation of a body of a world.
versors object_rotation(const World *world, int body);

// The objects of a world at present; list->frame is set by the caller.
void objects_of_world(ObjectList *list, const World *world);

// An object in a trace.
typedef struct TraceObject {
  int position, rotation; // channels
  char name[TRACE_NAME_SIZE];
  PictureObject look; // its shape and size
} TraceObject;

// Finds the objects of a trace except platforms that follow a given motion. Returns their number, at most `max`.
int objects_find(TraceReader *reader, const Frames *frames, TraceObject *objects, int max);

// The object in a frame. False when it does not exist then.
bool objects_read(Frames *frames, const TraceObject *object, int frame, PictureObject *seen);

#endif
