// The latest hits of a run, kept on the parts they struck so that their arrows move along.
#ifndef STAGGER_VIEWER_HIT_MARKS_H
#define STAGGER_VIEWER_HIT_MARKS_H

#include "viewer/picture.h"

enum { HIT_MARKS_MAX = 32 };

// How long an arrow stays in the picture, and a hit in the caption.
#define HIT_ARROW_TIME 0.3 // s
#define HIT_TEXT_TIME 1.0  // s

typedef struct HitMark {
  int character, part;
  double time;     // s, of its latest impulse
  vec3s offset_l;  // of the struck point from the part's centre of mass, in the part's frame, m
  vec3s impulse_w; // N s
} HitMark;

// The latest come last; the oldest give way. Zero-initialise.
typedef struct HitMarks {
  HitMark hits[HIT_MARKS_MAX];
  int count;
} HitMarks;

// Adds an impulse. One that follows within `step` seconds on the same part belongs to the same hit: bullets and pushes
// are spread over several physics steps.
void hit_marks_add(HitMarks *hits, const HitMark *hit, double step);

// The struck point in the frame of a part that is at a position (centre of mass) with a rotation.
vec3s hit_offset(vec3s point_w, vec3s part_position, versors part_rotation);

// Adds the arrows and the caption of the hits on one character, whose parts are where they are now.
void hit_marks_show(const HitMarks *hits, int character, const BodyDef *body, const vec3s *part_positions,
                    const versors *part_rotations, Picture *picture);

#endif
