"""Blows with the fist: with a step from standing, and out of a run."""

import math

from clip_math import mul, turn
from make_gaits import Run
from make_idle import STAND
from make_steps import mix
from posing import posture, Track
from steps import Foot, Move

HIT = 'hit'


def arm_track(*keys):
    """(time, upper arm, elbow, hand): angles of the whole arm, nine in a row."""
    return Track(*((t, (*map(float, upper), float(elbow), 0.0, 0.0, *map(float, hand)))
                   for t, upper, elbow, hand in keys))


REST = STAND.arms[1][0], STAND.arms[1][1][0], (0, 0, 0)


class Punch(Move):
    """The left foot steps in as the right fist is drawn back; pelvis, chest and arm follow each other into the blow."""
    name, about, duration = 'punch', 'Steps in with the left foot and strikes with the right fist; ends standing.', 1.30
    marks = (('left_strike', 0.38), (HIT, 0.47), ('right_strike', 0.96))
    safe = (0.60, 1.30)
    forth = 0.38  # m
    goes = (0, 0, forth)
    x, y, z = STAND.position
    at = Track((0, (x, y, z)), (0.14, (x - 0.03, y - 0.02, z)), (0.30, (x - 0.01, y - 0.055, z + 0.09)),
               (0.47, (x + 0.02, y - 0.085, z + 0.27)), (0.62, (x + 0.03, y - 0.075, z + 0.27)),
               (0.95, (x + 0.015, y - 0.02, z + 0.365)), (1.3, (x, y, z + forth)))
    turned = Track((0, 0.0), (0.26, -16.0), (0.45, 20.0), (0.60, 20.0), (1.1, 0.0), (1.3, 0.0))
    twist = Track((0, 0.0), (0.29, -34.0), (0.47, 40.0), (0.60, 38.0), (1.15, 0.0), (1.3, 0.0))
    lean = Track((0, 0.0), (0.28, 2.0), (0.47, 13.0), (0.62, 11.0), (1.1, 0.0), (1.3, 0.0))
    arms = {-1: arm_track((0, *REST), (0.30, (18, -10, 24), -112, (0, 0, 0)), (0.38, (-24, 0, 22), -96, (0, 0, 0)),
                          (0.47, (-88, 4, 2), -10, (0, 0, 0)), (0.54, (-88, 4, 2), -12, (0, 0, 0)),
                          (0.74, (-38, -6, 14), -92, (0, 0, 0)), (1.3, *REST)),
            1: arm_track((0, *REST), (0.28, (-58, -12, 14), -62, (0, 0, 0)), (0.47, (-16, -14, 18), -106, (0, 0, 0)),
                         (0.62, (-22, -12, 16), -100, (0, 0, 0)), (1.3, *REST))}

    def __init__(self):
        plant, end, z = STAND.plant, self.duration, self.forth
        self.feet = {1: Foot(1, [plant(1, 0.14, rise=8, rising=0.1),
                                 plant(1, end, begin=0.38, z=z, land=8, flat=0.08)], 0.035),
                     -1: Foot(-1, [plant(-1, 0.66, rise=30, rising=0.36), plant(-1, end, begin=0.96, z=z)], 0.03)}

    def pelvis(self, t):
        return self.at(t), mul(posture(0.4 * self.lean(t), self.turned(t)), STAND.pelvis_q)

    def chest(self, t):
        return mul(posture(self.lean(t), self.twist(t)), STAND.chest_q)

    def head(self, t):
        return mul(posture(0.4 * self.lean(t), 0.12 * self.twist(t)), STAND.head_q)

    def arm(self, side, t):
        a = self.arms[side](t)
        return a[:3], a[3:6], a[6:]


class RunPunch(Run):
    """A cycle of the run in which the right fist strikes where the right arm comes forward anyway."""
    name, about = 'run_punch', 'Running at 3.5 m/s, striking with the right fist; continues the run at both ends.'
    symmetric = False
    blow = arm_track((0.0, (34, -10, 24), -118, (0, 0, 0)), (0.44, (34, -10, 24), -118, (0, 0, 0)),
                     (0.52, (-22, 0, 20), -100, (0, 0, 0)), (0.66, (-84, 4, 4), -10, (0, 0, 0)),
                     (0.73, (-84, 4, 4), -12, (0, 0, 0)), (1.0, (-40, -6, 14), -90, (0, 0, 0)))
    share = Track((0.0, 0.0), (0.12, 0.0), (0.40, 1.0), (0.75, 1.0), (1.0, 0.0))  # of the blow in the arm
    twist = Track((0.0, 0.0), (0.42, -20.0), (0.67, 24.0), (0.74, 22.0), (1.0, 0.0))

    def chest(self, p):
        return mul(turn((0, 1, 0), math.radians(self.twist(p % 1))), super().chest(p))

    def arm(self, side, p):
        upper, elbow, hand = super().arm(side, p)
        if side > 0:
            return upper, elbow, hand
        p = (p - 0.5) % 1
        a, w = self.blow(p), self.share(p)
        return mix((upper, elbow, hand), (a[:3], a[3:6], a[6:]), w)

    def make(self):
        clip = super().make()
        return dict(clip, marks={**clip['marks'], HIT: 0.69 * self.duration}, safe=(0.52, 0.70))


def make():
    return [Punch().make(), RunPunch().make()]
