"""A jump from both feet: crouches, swings the arms, flies, lands and stands up. The program takes the posture of trunk,
head and arms from it, and finds its own way for the body and the feet (anim/jump_arc.h), here in a jump of 1.2 m."""

from clip_math import mul
from make_idle import STAND
from make_punch import arm_track, REST
from posing import posture, Track
from steps import Foot, Move

CROUCHED, TAKE_OFF, TOUCH_DOWN, ABSORBED = 0.60, 0.95, 1.33, 1.59


class Jump(Move):
    """The arms go back as he crouches and up as he pushes himself off; he lands with his arms ahead, and they pass his
    hips as he stands up."""
    name, about, duration = 'jump', 'Jumps 1.2 m ahead from both feet; the posture of all jumps.', 2.24
    marks = (('crouched', CROUCHED), ('take_off', TAKE_OFF), ('touch_down', TOUCH_DOWN), ('absorbed', ABSORBED))
    safe = (1.9, 2.24)
    forth = 1.2  # m
    goes = (0, 0, forth)
    x, y, z = STAND.position
    at = Track((0, (x, y, z)), (CROUCHED, (x, y - 0.24, z - 0.05)), (TAKE_OFF, (x, y + 0.04, z + 0.26)),
               (1.08, (x, y + 0.12, z + 0.46)), (TOUCH_DOWN, (x, y - 0.10, z + 0.86)),
               (ABSORBED, (x, y - 0.265, z + forth - 0.08)), (2.24, (x, y, z + forth)))
    lean = Track((0, 0.0), (CROUCHED, 50.0), (TAKE_OFF, 20.0), (1.08, 18.0), (TOUCH_DOWN, 36.0), (ABSORBED, 46.0),
                 (2.24, 0.0))
    tilt = Track((0, 0.0), (CROUCHED, 30.0), (TAKE_OFF, 12.0), (1.10, 4.0), (TOUCH_DOWN, 6.0), (ABSORBED, 24.0),
                 (2.24, 0.0))
    look = Track((0, 0.0), (CROUCHED, 14.0), (TAKE_OFF, 2.0), (1.15, 16.0), (TOUCH_DOWN, 24.0), (ABSORBED, 20.0),
                 (2.24, 0.0))
    arms = arm_track((0, *REST), (0.20, (-16, -6, 9), -22, (0, 0, 0)), (CROUCHED, (30, -8, 14), -28, (0, 0, 0)),
                     (0.78, (-40, -4, 16), -34, (0, 0, 0)), (TAKE_OFF, (-142, 0, 14), -20, (0, 0, 0)),
                     (1.06, (-150, 0, 14), -18, (0, 0, 0)), (TOUCH_DOWN, (-106, 0, 16), -22, (0, 0, 0)),
                     (ABSORBED, (-74, -4, 18), -30, (0, 0, 0)), (1.98, (12, -6, 12), -18, (0, 0, 0)), (2.24, *REST))

    def __init__(self):
        plant, end = STAND.plant, self.duration
        self.feet = {side: Foot(side, [plant(side, TAKE_OFF, rise=52, rising=0.2),
                                       plant(side, end, begin=TOUCH_DOWN, z=self.forth, land=7, flat=0.07)], 0.12)
                     for side in (1, -1)}

    def pelvis(self, t):
        return self.at(t), mul(posture(self.tilt(t)), STAND.pelvis_q)

    def chest(self, t):
        return mul(posture(self.lean(t)), STAND.chest_q)

    def head(self, t):
        return mul(posture(self.look(t)), STAND.head_q)

    def arm(self, side, t):
        a = self.arms(t)
        return a[:3], a[3:6], a[6:]


def make():
    return [Jump().make()]
