// The hits of a run, stored relative to the struck parts so that their arrows move along. Bullets and pushes are spread
// over physics steps and arrive as one impulse per step; here they are merged into one hit again.
#ifndef STAGGER_VIEWER_SOURCE_HIT_MARKS_H
#define STAGGER_VIEWER_SOURCE_HIT_MARKS_H

#include "viewer/draw/picture.h"

// Impulses on the same part with a smaller gap belong to the same hit; longer than any physics step.
#define HIT_GAP 0.025 // s

// How long after its end a hit is shown as an arrow, and in the caption.
#define HIT_ARROW_TIME 0.3 // s
#define HIT_TEXT_TIME 1.0  // s

// The impulse of one step, or the sum of all steps.
typedef struct HitMark {
  int character, part;
  bool push;         // false: a bullet
  bool cable;        // by a cable, which is drawn as long as it pulls
  bool holds;        // by the cable of a lean, which is no hit: it has neither arrow nor caption
  double start, end; // s, of its first and its last impulse
  vec3s offset_l;    // m, the first struck point relative to the part's centre of mass, in the part's frame
  vec3s impulse_w;   // N s, the sum
} HitMark;

// Adds the impulse of one step to a list: to the hit that it continues, or as a new one at the end. In a full list a
// new hit replaces the one that ended first. Returns the new count. 0 <= count <= capacity, capacity > 0.
int hits_add(HitMark *hits, int count, int capacity, const HitMark *impulse);

// The hit that began last, of those that are active at a time or ended at most HIT_TEXT_TIME before. NULL: none.
const HitMark *hits_latest(const HitMark *hits, int count, double time);

// Describes a hit at a time: its total impulse, and how long ago it began. who: NULL when there is only one character.
void hit_describe(const HitMark *hit, double time, const char *who, const char *part, char *text, size_t size);

// The struck point in the frame of a part, given the part's position (centre of mass) and rotation.
vec3s hit_offset(vec3s point_w, vec3s part_position, versors part_rotation);

// Adds the arrows of the hits, and the cables, on one character at the present places of its parts.
void hits_show(const HitMark *hits, int count, int character, const vec3s *part_positions,
               const versors *part_rotations, Picture *picture);

// Writes the latest hit into the caption.
void hits_write_caption(const HitMark *hits, int count, const SceneDef *def, Picture *picture);

#endif
