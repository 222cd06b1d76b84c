// Objects of a trace: bodies of the world that belong to no character: its platforms and props, which are there from
// the beginning, and balls that are thrown while the run goes on.
//
// In a world platforms come first, since characters stand on them; then the parts of characters; then props, then
// balls. A trace counts parts first, so that a part has one number whatever else there is: then platforms, props and
// balls.
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

// An object is what has one mass and size: a body that is thrown again with others is a new object.
typedef struct RecordObject {
  char name[TRACE_NAME_SIZE];
  int body; // index into the world's bodies; -1: it is gone
  bool box; // or a ball
  bool ground;
  double mass, size[3], inertia[3]; // kg, m, kg m^2; no mass where no force moves it
  int channels[OBJECT_CHANNELS];
} RecordObject;

typedef struct RecordObjects {
  RecordObject list[RECORD_MAX_OBJECTS];
  int count, ball_count;
  int platform_count, part_count; // bodies of the world that come first
} RecordObjects;

// Counts the bodies of a world; no object is in the list then.
void record_objects_count(RecordObjects *objects, const World *world);

// The number of a body, or WORLD_GROUND, for who keeps no list of objects: those that the world has from the beginning
// are called as in a trace, and so is each body without platforms.
int record_body_number(const RecordObjects *objects, int body);

// Makes the group /objects in a trace, and declares those of an earlier list of the same run (may be NULL), so that
// they keep their names and numbers, and those that the world has besides. Without a trace they are listed alone.
bool record_objects_create(RecordObjects *objects, TraceWriter *trace, const World *world, const RecordObjects *before,
                           Error *error);

// Saves or restores the list; what is restored is declared nowhere.
void record_objects_state(RecordObjects *objects, const World *world, StateStream *stream);

// Writes their rows of the current frame, after declaring those that are new; without a trace these are listed. An
// object beyond RECORD_MAX_OBJECTS is not recorded. False when one cannot be declared.
bool record_objects_frame(RecordObjects *objects, TraceWriter *trace, const World *world);

// The number by which a trace calls a body, or WORLD_GROUND: parts of characters in the order of the world, then the
// objects. RECORD_LOST_OBJECT when it is none of the recorded ones.
int record_objects_number(const RecordObjects *objects, int body);

// "ball_1": of the first ball.
void record_ball_name(int index, char name[TRACE_NAME_SIZE]);

#endif
