// Declarations shared by the files of motion import; for anim/motion/, its tests and its fuzzer only.
#ifndef STAGGER_ANIM_MOTION_MOTION_INTERNAL_H
#define STAGGER_ANIM_MOTION_MOTION_INTERNAL_H

#include "anim/motion/motion.h"

enum { MOTION_MAX_SAMPLES = 8 << 20 }; // frames times joints

// Whether a motion may be as large: at least one frame of at least one joint, and within the MOTION_MAX_ limits.
bool motion_fits(double frames, int joints);

// Adds a sentence to the motion's warnings; text for which there is no room is left out.
void motion_warn(Motion *motion, const char *format, ...) __attribute__((format(printf, 2, 3)));

// motion_read and motion_list without the child process. A broken file may crash assimp and with it the process, which
// is why the public functions run these in a child.
Motion *motion_read_here(const File *file, const MotionOptions *options, Error *error);
int motion_list_here(const File *file, char (*names)[MOTION_NAME_SIZE], int most, Error *error);

// motion_assimp.c: reads joints and frames in the file's own units and axes. declared_unit: m; not above 0: none
// declared.
typedef struct MotionSource {
  double declared_unit;
  int declared_up; // MOTION_UP_Y or MOTION_UP_Z, which the format prescribes; 0: none
  bool has_animation;
  bool wants_skin, wants_mesh; // in: whether the vertices of meshes are read, and the meshes
} MotionSource;
enum { MOTION_UP_Y = 2, MOTION_UP_Z = 3 };
Motion *motion_from_assimp(const File *file, const char *animation, MotionSource *source, Error *error);

// motion_tables.c: the motions of DeepMimic (.json) and AMASS (.npz), whose skeletons are known.
Motion *motion_from_deepmimic(const File *file, MotionSource *source, Error *error);
Motion *motion_from_amass(const File *file, MotionSource *source, Error *error);

// Whether the file's name has this ending, in upper or lower case.
bool motion_has_ending(const char *name, const char *ending);

// motion_repair.c: a copy of a text file in which faults that assimp cannot handle are repaired; the caller frees it.
// Sentences about the repairs are written to `notes`. NULL with *error empty: nothing to repair; with an error: the
// file cannot be read.
char *motion_repair(const File *file, char *notes, size_t notes_size, Error *error);

// motion_tidy.c: a copy of a BVH file's text in the dialect that assimp reads, which the caller frees; NULL: it is, or
// it is not to be understood. Of several figures the one with the most joints is left, which is written to `notes`.
char *motion_tidy_bvh(const char *text, char *notes, size_t notes_size);

// motion_frame.c: drops a first frame in T-pose; finds unit, up and front, and converts the motion to metres and our
// axes.
void motion_drop_rest_frame(Motion *motion);
void motion_to_our_frame(Motion *motion, const MotionOptions *options, const MotionSource *source);

// motion_figure.c: the joints from which the posture of a figure is determined.
typedef struct Figure {
  int feet[2];   // left, right; -1: none
  int hips;      // common parent of the legs, or joint 0
  int head;      // -1: none
  bool is_human; // has feet, hands and a head, and in the rest pose the trunk continues the line of the legs
} Figure;
Figure motion_figure(const Motion *motion);
vec3s figure_feet(const Figure *figure, const vec3s *positions); // the middle between both feet

// figure_stature: the standing height of a human figure, from bone lengths (so in any pose), in the motion's units; 0
// when the figure is not human. motion_extent, for any figure: the diagonal of the rest pose's bounding box.
double figure_stature(const Motion *motion, const Figure *figure);
double motion_stature(const Motion *motion);
double motion_extent(const Motion *motion);

// What a joint's name says. motion_side: +1 left, -1 right, 0 neither. words: NULL-terminated, lower case.
int motion_side(const char *name);
bool motion_has_word(const char *name, const char *const *words);

// Positions and rotations of the rest pose in the world, [joint_count].
void motion_place_bind(const Motion *motion, vec3s *positions, versors *rotations);

#endif
