// Clips: recorded or hand-made motion of a skeleton that can be sampled at any time. Keys have equal distances in time.
// Rotations are interpolated along the shorter arc (normalised linear between neighbouring keys), positions linearly.
// Loops wrap around.
#ifndef STAGGER_ANIM_CLIP_H
#define STAGGER_ANIM_CLIP_H

#include "anim/pose.h"
#include "sim/base/error.h"
#include "sim/base/files.h"

enum { CLIP_MAX_MARKS = 32, CLIP_MAX_KEYS = 36000 }; // keys: 10 min at 60 Hz

// An interval [begin, end) in s in which a foot stands; if end < begin, it wraps around the end of the loop.
typedef struct ClipContact {
  int leg; // index into the skeleton's legs
  float begin, end;
} ClipContact;

// A named time, for synchronising clips ("left_strike") or as an event for the program.
typedef struct ClipMark {
  char name[SKELETON_NAME_SIZE];
  float time; // s
} ClipMark;

typedef struct Clip {
  char name[SKELETON_NAME_SIZE];
  const Skeleton *skeleton;
  bool loop;
  float duration;           // s, > 0
  int key_count;            // >= 1; time of key i: i * duration / key_count (loop) or i * duration / (key_count - 1)
  Pose *keys;               // entry 0: the root joint in the clip's root frame, which root motion moves over the ground
  vec3s root_velocity_l;    // m/s, in the root's frame: X left, Z forward
  float root_turn_rate;     // rad/s about up
  float stride_exponent;    // 0 .. 1: below the clip's own speed its strides go with the speed to this power; 0: they
                            // keep their length
  float safe_from, safe_to; // s, the interval in which the clip may be left for another
  float change_from, change_to; // s, the interval in which the root goes over to the velocity it wants; equal: none
  ClipContact contacts[CLIP_MAX_MARKS];
  int contact_count;
  ClipMark marks[CLIP_MAX_MARKS]; // synchronisation marks and events
  int mark_count;
} Clip;

// Reads a YAML keyframe clip (format: scenes/clips/README.md) for a skeleton. Returns NULL and an error with file, line
// and column if the clip is invalid. Free with clip_free.
Clip *clip_read(FileSet *files, const char *name, const Skeleton *skeleton, Error *error);
void clip_free(Clip *clip);

// The pose at a time in s (wraps for loops, clamps otherwise), in the clip's root frame.
void clip_sample(const Clip *clip, float time, Pose *pose);

// Whether the foot of a leg stands at this time.
bool clip_contact(const Clip *clip, int leg, float time);

// The first interval in which the foot of a leg stands, NULL if there is none.
const ClipContact *clip_first_contact(const Clip *clip, int leg);

// The first mark of that name; NULL: it has none.
const ClipMark *clip_mark(const Clip *clip, const char *name);

#endif
