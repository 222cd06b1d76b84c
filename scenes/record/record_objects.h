// Objects of a trace: bodies of the world that belong to no character. Platforms and props exist from the beginning;
// balls are thrown during the run.
//
// In a world platforms come first, since characters stand on them; then parts of characters, props, and balls. A trace
// numbers parts first, so that the number of a part does not depend on other objects; then platforms, props and balls.
#ifndef STAGGER_SCENES_RECORD_RECORD_OBJECTS_H
#define STAGGER_SCENES_RECORD_RECORD_OBJECTS_H

#include "scenes/record/record.h"

enum { RECORD_MAX_OBJECTS = 384 + WORLD_MAX_PLATFORMS, RECORD_LOST_OBJECT = -2 };

typedef enum ObjectChannelIndex {
  OBJECT_POSITION,
  OBJECT_ROTATION,
  OBJECT_VELOCITY,
  OBJECT_SPIN,
  OBJECT_CHANNELS
} ObjectChannelIndex;

// An object has a constant mass and size: a body that is thrown again with others is a new object.
typedef struct RecordObject {
  char name[TRACE_NAME_SIZE];
  int body; // index into the world's bodies; -1: the object is gone
  bool box; // false: a ball
  bool ground;
  double mass, size[3], inertia[3]; // kg, m, kg m^2; mass 0 for an object that no force moves
  int channels[OBJECT_CHANNELS];
} RecordObject;

typedef struct RecordObjects {
  RecordObject list[RECORD_MAX_OBJECTS];
  int count, ball_count;
  int platform_count, part_count; // number of bodies that come first in the world
  int tensions;                   // channel of the ropes
} RecordObjects;

// Counts the bodies of a world and begins an empty list.
void record_objects_count(RecordObjects *objects, const World *world);

// The number of a body, or WORLD_GROUND, for a sink without a list of objects: bodies that exist from the beginning are
// numbered as in a trace, and so are all bodies if there are no platforms.
int record_body_number(const RecordObjects *objects, int body);

// Makes the group /objects in a trace. Declares the objects of an earlier list of the same run (may be NULL), which
// keep their names and numbers, and the other objects of the world. Without a trace they are only listed.
bool record_objects_create(RecordObjects *objects, TraceWriter *trace, const World *world, const RecordObjects *before,
                           Error *error);

// Saves or restores the list; restored objects are not declared in a trace.
void record_objects_state(RecordObjects *objects, const World *world, StateStream *stream);

// Declares new objects and writes the rows of all for the current frame; without a trace new objects are only listed.
// Objects beyond RECORD_MAX_OBJECTS are not recorded. False when one cannot be declared.
bool record_objects_frame(RecordObjects *objects, TraceWriter *trace, const World *world);

// The number of a body in a trace, or WORLD_GROUND: parts of characters in the world's order, then objects.
// RECORD_LOST_OBJECT for a body that is not recorded.
int record_objects_number(const RecordObjects *objects, int body);

// The name of a ball: "ball_1" for index 0.
void record_ball_name(int index, char name[TRACE_NAME_SIZE]);

#endif
