// Puts recorded motion onto one of our bodies: joints are matched by their names, rotations are converted relative to
// corrected reference poses, the root's path is scaled by the length of the legs, and feet are put back on the ground.
#ifndef STAGGER_ANIM_RETARGET_RETARGET_H
#define STAGGER_ANIM_RETARGET_RETARGET_H

#include "anim/clip.h"
#include "anim/motion/motion.h"
#include "sim/base/document.h"

// Which joint of the motion drives each joint of the skeleton.
typedef struct RetargetMap {
  char rig[32];                    // "cmu", "mixamo", "deepmimic", "unity", ... or "names"
  int source[SKELETON_MAX_JOINTS]; // joint of the motion for each joint of the skeleton; -1: none, so it stays in its
                                   // bind pose or, in the trunk between two matched joints, takes a share of their
                                   // relative rotation
} RetargetMap;

typedef struct RetargetOptions {
  bool loop;         // the clip repeats: its ends are blended into each other over `loop_blend` s
  double loop_blend; // s
  double from, to;   // s of the motion; to <= from: all of it
  double rate;       // Hz of the keys; 0: the motion's, at most 60
  bool keep_root;    // the horizontal motion stays in the keys; otherwise it becomes root_velocity and root_turn_rate
  bool plant;        // feet are put on the ground during their contacts and held there
  double clearance;  // m: with plant, least height of a sole in mid-swing. People's feet clear the ground by less than
                     // 1 cm; a physical body that follows such a motion trips
  double reference;  // s: the pose of the motion at that time stands for our bind pose; RETARGET_REST: its rest pose
                     // does; RETARGET_FIND: its rest pose if that stands, else the pose that stands most upright
  versors reference_turn[SKELETON_MAX_JOINTS]; // how the source's joint is turned in that pose against our bind pose,
                                               // in our joint's frame; for joints that are not bones of limbs
} RetargetOptions;

#define RETARGET_REST (-1.0)
#define RETARGET_FIND (-2.0)

RetargetOptions retarget_options_default(void);

// Matches joints by the names of common rigs and by words for left and right. Entries of a YAML map {our_joint:
// their_joint} override the result (overrides may be NULL). Error: a required joint (pelvis, thighs, shins, feet) is
// missing; the message names it.
bool retarget_map(RetargetMap *map, const Motion *motion, const Skeleton *skeleton, const Node *overrides,
                  Error *error);

// Ranges of motion of the joints.
typedef struct RetargetLimits {
  double range[SKELETON_MAX_JOINTS][3][2]; // rad about x, y, z, of swing and twist as in ragdoll/body/body_def.h
  int twist_axis[SKELETON_MAX_JOINTS];
  bool hinge[SKELETON_MAX_JOINTS];
  bool turned[SKELETON_MAX_JOINTS]; // the axes are those of `frame` in the parent's frame
  versors frame[SKELETON_MAX_JOINTS];
} RetargetLimits;

// Finds the cleanest cycle of a motion between two times in s (to <= from: until its end). The whole span is taken if
// its ends meet; otherwise its first 90 s are searched. False when nothing in them repeats.
bool motion_find_cycle(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton, double from, double to,
                       double *cycle_from, double *cycle_to);

// Whether a cycle that motion_find_cycle found between two times belongs to a gait: the feet pass each other under hips
// that are high, and most of the motion is like it. Boxing, a kick or a crawl has cycles, too, but is more than those.
bool motion_cycle_is_gait(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton, double from,
                          double to, double cycle_from, double cycle_to);

// How a figure stands. Of a motion: in the frames and the rest pose that come nearest to the skeleton's own posture.
typedef struct RetargetPosture {
  double trunk; // rad between the trunk and the line of the (hind) legs: near pi for people, pi / 2 on four legs;
                // negative when the joints for it are missing
  double hands; // height of the lower hand over the lower ankle, of the leg's length: near 0 on four legs; negative
                // when the joints for it are missing
} RetargetPosture;

RetargetPosture retarget_motion_posture(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton);
RetargetPosture retarget_skeleton_posture(const Skeleton *skeleton);

// Whether a motion's figure stands as the skeleton does; otherwise says how it differs, "its trunk is at 90 deg to its
// legs, not at 180".
enum { RETARGET_HOW_SIZE = 160 };
bool retarget_posture_fits(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton,
                           char how[RETARGET_HOW_SIZE]);

// Figures about the result, for `stagger inspect`, `stagger run` and tests.
typedef struct RetargetReport {
  bool is_cut;                              // the clip is a cycle of the motion that was looked for, not asked for
  double reference;                         // s: see RetargetOptions, as it was given or found
  double sole_tilt_max;                     // rad: largest tilt of a foot in the reference pose, as it stands flat
  double tread_speed;                       // m/s: speed taken from the feet of a motion on the spot; 0: none
  double recorded, from, to;                // s: duration of the motion, and the part of it that the clip contains
  double scale;                             // scale of the root's path
  double slip_max;                          // m: largest slip of a planted foot in one contact
  double ground_gap_max;                    // m: largest distance of a planted foot from the ground
  double limit_excess_max;                  // rad: largest excess of the motion over the joints' ranges
  double joint_excess[SKELETON_MAX_JOINTS]; // rad: the same for each joint, before feet are planted
  double joint_far[SKELETON_MAX_JOINTS];    // share of the keys in which a joint is farther beyond than RETARGET_FAR
  int contact_count;
} RetargetReport;

// rad, 60 deg: a joint that is so far beyond its range for a while is likely to be the wrong one.
#define RETARGET_FAR 1.047

// Lists the joints whose motion exceeds their ranges by more than `least` (rad), the worst first, as many as there is
// room for: "shin_l 40 deg, neck 22 deg". False: none.
bool retarget_excess_text(const RetargetReport *report, const Skeleton *skeleton, double least, char *text,
                          size_t size);

// What a user should know of how a motion was understood, one sentence, "": nothing.
void retarget_note_text(const RetargetReport *report, char *text, size_t size);

// Returns the clip, with its contacts found, or NULL and an error; with limits it is an error when a knee does not bend
// about x, which names those joints. limits: NULL: none. report: may be NULL.
Clip *retarget(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton, const RetargetLimits *limits,
               const RetargetOptions *options, RetargetReport *report, Error *error);

// Finds the contacts of a clip's feet by height and speed over the ground with hysteresis; they replace those that the
// clip has.
void clip_find_contacts(Clip *clip);

#endif
