// Objects of a trace: bodies of the world that belong to no character, such as balls that are thrown. They may come
// while the run goes on.
#ifndef STAGGER_SCENES_RECORD_OBJECTS_H
#define STAGGER_SCENES_RECORD_OBJECTS_H

#include "scenes/record.h"

enum { RECORD_MAX_OBJECTS = 64, RECORD_LOST_OBJECT = -2 };

typedef enum ObjectChannelIndex {
  OBJECT_POSITION,
  OBJECT_ROTATION,
  OBJECT_VELOCITY,
  OBJECT_SPIN,
  OBJECT_CHANNELS
} ObjectChannelIndex;

// An object is what has one mass and size: a body that is thrown again with others is a new object.
typedef struct RecordObject {
  int body; // index into the world's bodies; -1: it is gone
  double mass, size[3];
  int channels[OBJECT_CHANNELS];
} RecordObject;

typedef struct RecordObjects {
  RecordObject list[RECORD_MAX_OBJECTS];
  int count;
  int part_count; // bodies of characters, which all come before the others in the world
} RecordObjects;

// Makes the group /objects in a trace, and declares those that the world has already.
bool record_objects_create(RecordObjects *objects, TraceWriter *trace, const World *world, Error *error);

// Writes their rows of the current frame, after declaring those that are new. An object beyond RECORD_MAX_OBJECTS is
// not recorded. False when one cannot be declared.
bool record_objects_frame(RecordObjects *objects, TraceWriter *trace, const World *world);

// The number by which a trace calls a body, or WORLD_GROUND: parts of characters as the world counts them, then the
// objects. RECORD_LOST_OBJECT when it is none of the recorded ones.
int record_objects_number(const RecordObjects *objects, int body);

// "ball_1".
void record_object_name(int index, char name[TRACE_NAME_SIZE]);

#endif
