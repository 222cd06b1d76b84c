// What the files of motion import share; for anim/motion/, their tests and fuzzer only.
#ifndef STAGGER_ANIM_MOTION_MOTION_INTERNAL_H
#define STAGGER_ANIM_MOTION_MOTION_INTERNAL_H

#include "anim/motion/motion.h"

enum { MOTION_MAX_SAMPLES = 8 << 20 }; // frames times joints

// Adds a sentence to the motion's warnings; what does not fit is left out.
void motion_warn(Motion *motion, const char *format, ...) __attribute__((format(printf, 2, 3)));

// motion_read and motion_list in this process: a broken file may take it along (assimp has known crashes), which is
// why the public ones run these in a child.
Motion *motion_read_here(const File *file, const MotionOptions *options, Error *error);
int motion_list_here(const File *file, char (*names)[MOTION_NAME_SIZE], int most, Error *error);

// motion_assimp.c: joints and frames in the file's own units and axes. declared_unit: m, 0: none.
typedef struct MotionSource {
  double declared_unit;
  bool has_animation;
} MotionSource;
Motion *motion_from_assimp(const File *file, const char *animation, MotionSource *source, Error *error);

// motion_repair.c: a copy of a text file with those faults mended that assimp stumbles over; the caller frees it. The
// sentences about it go to `notes`. NULL with *error empty: nothing to mend; with an error: it cannot be read.
char *motion_repair(const File *file, char *notes, size_t notes_size, Error *error);

// motion_frame.c: finds out unit, up and front, and brings the motion into metres and our axes.
void motion_drop_rest_frame(Motion *motion);
void motion_to_our_frame(Motion *motion, const MotionOptions *options, const MotionSource *source);

// motion_figure.c: the joints by which the posture of a figure is found.
typedef struct Figure {
  int feet[2];   // left, right; -1: none
  int hips;      // where the legs meet, or joint 0
  int head;      // -1: none
  bool is_human; // has feet, hands and a head, and in the rest pose the trunk goes on where the legs end
} Figure;
Figure motion_figure(const Motion *motion);
vec3s figure_feet(const Figure *figure, const vec3s *positions); // the middle between both

// The height that a human figure would stand at, from bone lengths (so in any pose), in the motion's units; 0 when it
// is no human figure. Of any figure: the diagonal of its rest pose.
double figure_stature(const Motion *motion, const Figure *figure);
double motion_stature(const Motion *motion);
double motion_extent(const Motion *motion);

// What a joint is, by its name. Sides: +1 left, -1 right, 0 neither. words: NULL-terminated, lower case.
int motion_side(const char *name);
bool motion_has_word(const char *name, const char *const *words);

// Positions and rotations of the rest pose in the world, [joint_count].
void motion_place_bind(const Motion *motion, vec3s *positions, versors *rotations);

#endif
