#!/usr/bin/env python3
"""Writes the clips of the body `lizard`: a blend space of gaits, to compare other ways of walking with.

    python3 make_lizard_clips.py [folder]      (default: the folder of this script)

Diagonal legs step together. A standing foot stays where it is over the ground; a swinging one goes ahead along a smooth
curve; legs are solved for their feet. The trunk bends to and fro with the steps (a standing wave, the hip of the
striking hind foot ahead), the head stays straight, a wave runs down the lifted tail. Speeds, amplitudes and times
are made up after how monitors look when they walk.

Frame: X left, Y up, Z forward; m, s, deg. Phase 0: the left fore foot and the right hind foot strike.
"""
import math
import os
import sys

sys.dont_write_bytecode = True  # no __pycache__ among the clips

from clip_file import mirror_clip, mirror_key, round_key, write_clip
from clip_math import add, from_angles, rotate, scale, sub, to_angles, wave
from creature import Creature

from make_bodies import lizard

LIZARD = Creature(*lizard())
STRIKES = {'front_left': 0.0, 'hind_right': 0.0, 'front_right': 0.5, 'hind_left': 0.5}  # phases
DUTY = 0.62           # share of the cycle in which a foot stands
KEYS = 48
TOE_OUT = 10          # deg
CLEARANCE = 0.05      # m, of a swinging foot
TAIL = ['tail_%d' % i for i in range(1, 7)]


def hermite(s, a, b, slope):
    """From a to b with the same slope at both ends; s: 0 .. 1."""
    return a + slope * s + (b - a - slope) * s * s * (3 - 2 * s)


class Gait:
    def __init__(self, name, about, velocity, duration, bend):
        """velocity: (left, forward), m/s; bend: of the trunk, deg, either way."""
        self.name, self.about, self.velocity, self.duration, self.bend = name, about, velocity, duration, bend

    def foot(self, leg, p):
        """The sole in the root's frame."""
        p = (p - STRIKES[leg]) % 1
        stride = [v * self.duration * DUTY for v in self.velocity]
        rest = LIZARD.sole(leg)
        if p < DUTY:
            return add(rest, (stride[0] * (0.5 - p / DUTY), 0, stride[1] * (0.5 - p / DUTY)))
        s, swing = (p - DUTY) / (1 - DUTY), (1 - DUTY) * self.duration
        x, z = (hermite(s, -d / 2, d / 2, -v * swing) for d, v in zip(stride, self.velocity))
        return add(rest, (x, CLEARANCE * 16 * s * s * (1 - s) ** 2, z))

    def trunk(self, p):
        """Position of the root and {joint: angles}."""
        way = -1 if self.velocity[1] < 0 else 1
        yaw = self.bend * wave(p, 0)
        roll = 2.0 * wave(p, 0.3)
        angles = {'pelvis': (0, yaw, roll)}
        angles.update({joint: (0, -2 * yaw / 3, -0.5 * roll) for joint in ('spine_1', 'spine_2', 'chest')})
        angles['neck'], angles['head'] = (-3, 0.55 * yaw, 0), (5, 0.45 * yaw, 0.5 * roll)
        for i, joint in enumerate(TAIL):
            angles[joint] = (2, -(0.5 + 0.12 * i) * self.bend * wave(p, way * (0.05 + 0.09 * i)), 0)
        return (0, LIZARD.at('pelvis')[1] + 0.004 * wave(2 * p, 0.1), 0), angles

    def key(self, p):
        return solved(*self.trunk(p), {leg: self.foot(leg, p) for leg in LIZARD.legs})

    def clip(self):
        t = lambda p: p % 1 * self.duration
        keys = [self.key(k / KEYS) for k in range(KEYS)]
        if self.velocity[0] == 0:  # the same to the last digit on either side
            keys[KEYS // 2:] = [mirror_key(key) for key in keys[:KEYS // 2]]
        return {'name': self.name, 'about': self.about, 'loop': True, 'duration': self.duration,
                'velocity': (self.velocity[0], 0, self.velocity[1]),
                'contacts': {leg: [(t(s), t(s + DUTY))] for leg, s in STRIKES.items()},
                'marks': {'left_strike': 0, 'right_strike': self.duration / 2},
                'keys': keys}


def solved(position, angles, soles):
    """A key: the trunk as it is, the legs solved for their soles (in the root's frame)."""
    pose = {joint: from_angles(*a) for joint, a in angles.items()}
    model = LIZARD.place(position, pose)
    for leg, sole in soles.items():
        out = TOE_OUT if leg.endswith('left') else -TOE_OUT
        pose.update(LIZARD.solve(leg, model, sole, from_angles(0, out, 0)))
    angles = {joint: to_angles(q) for joint, q in pose.items()}
    return round_key(position, {joint: angles.get(joint, (0, 0, 0)) for joint in LIZARD.joints})


def make_idle():
    """Two breaths; the head looks to either side, the tail sways."""
    duration, keys = 6.0, 60
    soles = {leg: LIZARD.sole(leg) for leg in LIZARD.legs}

    def key(p):
        breath, look = wave(2 * p, 0.25), wave(p, 0.25)
        angles = {'spine_1': (-0.7 * breath, 1.5 * look, 0), 'spine_2': (0.4 * breath, 1.5 * look, 0),
                  'chest': (0.6 * breath, 2 * look, 0), 'neck': (-6 + breath, 9 * look, 0),
                  'head': (6 - 0.5 * breath, 10 * look, 0)}
        angles.update({joint: (0, (3 + i) * wave(p, 0.12 * i), 0) for i, joint in enumerate(TAIL)})
        return solved((0, LIZARD.at('pelvis')[1] + 0.002 * breath, 0), dict(angles, pelvis=(0, 0, 0)), soles)

    return {'name': 'lizard_idle', 'about': 'A lizard stands, breathes and looks about.', 'loop': True,
            'duration': duration, 'velocity': (0, 0, 0), 'contacts': {leg: [(0, duration)] for leg in LIZARD.legs},
            'marks': {}, 'keys': [key(k / keys) for k in range(keys)]}


def make():
    left = Gait('lizard_walk_left', 'A lizard walks to the left at 0.25 m/s, facing ahead.', (0.25, 0), 0.9, 0).clip()
    return [make_idle(),
            Gait('lizard_walk', 'A lizard walks at 0.6 m/s.', (0, 0.6), 0.9, 9).clip(),
            Gait('lizard_walk_backward', 'A lizard walks backward at 0.35 m/s.', (0, -0.35), 0.9, 5).clip(),
            left, mirror_clip(left, 'lizard_walk_right', 'A lizard walks to the right at 0.25 m/s, facing ahead.')]


def worst_slip(clip):
    """The farthest that a standing foot is from where it struck, over the ground, m; between keys too."""
    worst, count, steps = 0.0, len(clip['keys']), 6

    def sole(leg, time):
        k = time / clip['duration'] * count
        i, share = int(math.floor(k)), k - math.floor(k)
        ends = []
        for position, angles in (clip['keys'][i % count], clip['keys'][(i + 1) % count]):
            at, q = LIZARD.place(position, {j: from_angles(*a) for j, a in angles.items()})[LIZARD.legs[leg][2]]
            ends.append(add(at, rotate(q, sub(LIZARD.sole(leg), LIZARD.at(LIZARD.legs[leg][2])))))
        point = add(scale(ends[0], 1 - share), scale(ends[1], share))
        return add(point, scale(clip['velocity'], time))

    for leg, spans in clip['contacts'].items():
        for begin, end in spans:
            length = end - begin + (clip['duration'] if end < begin else 0)
            n = int(length / clip['duration'] * count * steps)
            at = [sole(leg, begin + length * i / n) for i in range(n)]
            worst = max(worst, *(math.dist(p, at[0]) for p in at))
    return worst


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    wrong = 0
    for clip in make():
        write_clip(clip, folder, LIZARD.joints, 'make_lizard_clips.py')
        slip = worst_slip(clip)
        wrong += slip > 0.002
        print('%-22s %4.2f s, standing feet slip %.2f mm' % (clip['name'], clip['duration'], 1000 * slip))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
