// Puts recorded motion onto one of our bodies: joints are matched by their names, rotations are carried over relative
// to corrected reference poses, the root's way is scaled by the length of the legs, feet are put back on the ground.
#ifndef STAGGER_ANIM_RETARGET_RETARGET_H
#define STAGGER_ANIM_RETARGET_RETARGET_H

#include "anim/clip.h"
#include "anim/motion/motion.h"
#include "sim/base/document.h"

// Which joint of the motion drives which of ours.
typedef struct RetargetMap {
  char rig[32];                    // "cmu", "mixamo", "deepmimic", "unity", ... or "names"
  int source[SKELETON_MAX_JOINTS]; // joint of the motion for each joint of the skeleton; -1: stays in its bind pose,
                                   // or, in the trunk between two that carry over, takes a share of the turn
} RetargetMap;

typedef struct RetargetOptions {
  bool loop;         // the clip shall repeat: its ends are blended into each other over `loop_blend` s
  double loop_blend; // s
  double from, to;   // s of the motion; to <= from: all of it
  double rate;       // Hz of the keys; 0: the motion's, at most 60
  bool keep_root;    // the way over the ground stays in the keys; else it becomes root_velocity and root_turn_rate
  bool plant;        // feet are put on the ground in their contacts, and held there
  double clearance;  // m: least height of a sole amid a swing, with plant. People pass the ground within 1 cm, on which
                     // a physical body that follows them trips
} RetargetOptions;

RetargetOptions retarget_options_default(void);

// Matches by the names of common rigs and by left/right words; entries of a YAML map {our_joint: their_joint} override
// (overrides may be NULL). Error: a joint that must be there (pelvis, thighs, shins, feet) is missing; says which.
bool retarget_map(RetargetMap *map, const Motion *motion, const Skeleton *skeleton, const Node *overrides,
                  Error *error);

// The clip, with contacts found. limits: ranges of motion, see RetargetLimits; NULL: none. NULL and an error.
typedef struct RetargetLimits {
  double range[SKELETON_MAX_JOINTS][3][2]; // rad about x, y, z, of the swing and twist as in ragdoll/body/body_def.h
  int twist_axis[SKELETON_MAX_JOINTS];
  bool hinge[SKELETON_MAX_JOINTS];
} RetargetLimits;

// The cleanest cycle of a motion between two times (to <= from: in all of it), in s: the whole, if its ends meet. False
// when nothing in it repeats.
bool motion_find_cycle(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton, double from, double to,
                       double *cycle_from, double *cycle_to);

// Figures of the result, for `stagger inspect` and tests.
typedef struct RetargetReport {
  double recorded, from, to;                // s: how long the motion is, and the part of it that the clip has
  double scale;                             // of the root's way
  double slip_max;                          // m, of a planted foot over one contact
  double ground_gap_max;                    // m, of a planted foot from the ground
  double limit_excess_max;                  // rad, by which the motion went beyond the joints' ranges
  double joint_excess[SKELETON_MAX_JOINTS]; // rad, the same of each joint, before feet are planted
  int contact_count;
} RetargetReport;

// The joints that the motion asks to go beyond their ranges by more than `least` (rad), the worst first: "shin_l 40
// deg, neck 22 deg", as many as there is room for. False: none.
bool retarget_excess_text(const RetargetReport *report, const Skeleton *skeleton, double least, char *text,
                          size_t size);

Clip *retarget(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton, const RetargetLimits *limits,
               const RetargetOptions *options, RetargetReport *report, Error *error);

// Contacts of a clip's feet, by height over the ground and speed with hysteresis; replaces those that it has.
void clip_find_contacts(Clip *clip);

#endif
