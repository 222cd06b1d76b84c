// Clips from files of other programs: a motion file by itself (walk.bvh), or a small YAML file that names it and says
// how to interpret it:
//
//   import: walk.bvh        # beside this file, or in the scene's folder
//   name: my_walk           # default: the animation's name
//   animation: Walk         # which animation of the file; default: the first
//   unit: 0.01              # m per unit of the file; default: estimated from the figure's height
//   up: z, front: -y        # axes of the file; default: estimated
//   from: 1.2, to: 2.4      # s; default: the whole motion
//   loop: cycle             # true, false, or cycle (the cleanest cycle in from .. to);
//                           # default: true with from and to, else the whole motion, once, or as a loop if its ends
//                           # meet; of a gait its cleanest cycle
//   loop_blend: 0.2         # s over which the ends of a loop are brought together
//   rate: 60                # Hz of the keys; default: the motion's, at most 60
//   keep_root: false        # true: the horizontal motion of the root stays in the keys
//   plant: true             # feet are held on the ground during their contacts
//   force: false            # true: plays a motion that does not fit the body: of a figure that stands otherwise, or
//   far
//                           # beyond the ranges of joints
//   reference: rest         # the pose of the figure that stands for the body's bind pose: `rest`, the file's rest
//   pose,
//                           # or that at a time of the motion in s; default: rest if it stands, else the most upright
//   reference: {time: 1.2, foot_l: [20, 0, 0]} # and how the figure's parts are turned in it, deg [x, y, z]
//   joints: {thigh_l: LeftHip, hand_l: none}  # our joint: the file's joint, where names are not matched by themselves
//
// A motion file without YAML is loaded without options: it loops if its ends meet, a gait by its cleanest cycle.
#ifndef STAGGER_ANIM_RETARGET_CLIP_IMPORT_H
#define STAGGER_ANIM_RETARGET_CLIP_IMPORT_H

#include "anim/retarget/retarget.h"

// Reads any clip: keyframes in YAML (clip_read), a motion file, or YAML with `import`. limits and report may be NULL;
// for keyframes the report is zero. NULL and an error with file, line and column. Free with clip_free.
Clip *clip_load(FileSet *files, const char *name, const Skeleton *skeleton, const RetargetLimits *limits,
                RetargetReport *report, Error *error);

#endif
