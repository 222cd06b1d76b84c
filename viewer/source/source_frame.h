// One frame of a character, read from its channels and added to a picture; the same for live runs and traces.
#ifndef STAGGER_VIEWER_SOURCE_SOURCE_FRAME_H
#define STAGGER_VIEWER_SOURCE_SOURCE_FRAME_H

#include "viewer/source/frames.h"
#include "viewer/source/source.h"

typedef enum FrameValue {
  FRAME_OUTPUT_POSITION,
  FRAME_OUTPUT_ROOT,
  FRAME_OUTPUT_ROTATION,
  FRAME_TARGET_POSITION,
  FRAME_TARGET_ROOT,
  FRAME_TARGET_ROTATION,
  FRAME_PART_POSITION,
  FRAME_PART_ROTATION,
  FRAME_BLEND,
  FRAME_TORQUE,
  FRAME_STRENGTH,
  FRAME_ERROR,
  FRAME_ASSIST_FORCE,
  FRAME_COM_POSITION,
  FRAME_COM_VELOCITY,
  FRAME_VALUE_COUNT
} FrameValue;

// Indices of each character's channels; -1: it has no such rows (a body of one part has no joints).
typedef struct FrameIndex {
  const SceneDef *def;
  int channels[SCENE_MAX_CHARACTERS][FRAME_VALUE_COUNT];
} FrameIndex;

// A character in a frame. Parts and joints are in the order of the body, joints without the root.
typedef struct FrameCharacter {
  const CharacterDef *def;
  Pose output, target;
  vec3s part_positions[BODY_MAX_PARTS];
  versors part_rotations[BODY_MAX_PARTS];
  float blend[BODY_MAX_PARTS], torque[BODY_MAX_PARTS]; // share; N m, norm
  float strength[BODY_MAX_PARTS], error[BODY_MAX_PARTS];
  vec3s assist_force, com, com_velocity;
} FrameCharacter;

// Finds the channels. Error: one is missing, or does not match the bodies of the scene.
bool frame_index(FrameIndex *index, const Frames *frames, const SceneDef *def, Error *error);

// Reads all values of a character, or its measured parts only.
bool frame_read(Frames *frames, const FrameIndex *index, int character, int frame, FrameCharacter *values,
                Error *error);
bool frame_read_parts(Frames *frames, const FrameIndex *index, int character, int frame, FrameCharacter *values,
                      Error *error);

// Adds its poses in the colours of the look.
void frame_show(const FrameCharacter *character, const SourceLook *look, Picture *picture);

// Makes it the picture's subject: position, heading, speed, and head.
bool frame_look_at(Frames *frames, const FrameIndex *index, const FrameCharacter *character, int frame,
                   Picture *picture, Error *error);

// Adds balance and contacts of all characters of the frame. [def->character_count]
bool frame_show_balance(Frames *frames, const FrameIndex *index, int frame, const FrameCharacter *characters,
                        Picture *picture, Error *error);

#endif
