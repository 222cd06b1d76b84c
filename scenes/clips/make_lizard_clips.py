#!/usr/bin/env python3
"""Writes the clips of the body `lizard`: a blend space of gaits, to compare other ways of walking with, an attack with
root motion, and overlays.

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


def solved(position, angles, soles, toe_out=TOE_OUT):
    """A key: the trunk as it is, the legs solved for their soles (in the root's frame)."""
    pose = {joint: from_angles(*a) for joint, a in angles.items()}
    model = LIZARD.place(position, pose)
    for leg, sole in soles.items():
        out = toe_out if leg.endswith('left') else -toe_out
        pose.update(LIZARD.solve(leg, model, sole, from_angles(0, out, 0)))
    angles = {joint: to_angles(q) for joint, q in pose.items()}
    return round_key(position, {joint: angles.get(joint, (0, 0, 0)) for joint in LIZARD.joints})


def idle_tail(p):
    return {joint: (0, (3 + i) * wave(p, 0.12 * i), 0) for i, joint in enumerate(TAIL)}


def make_idle(name, about, toe_out):
    """Two breaths; the head looks to either side, the tail sways."""
    duration, keys = 6.0, 60
    soles = {leg: LIZARD.sole(leg) for leg in LIZARD.legs}

    def key(p):
        breath, look = wave(2 * p, 0.25), wave(p, 0.25)
        angles = {'spine_1': (-0.7 * breath, 1.5 * look, 0), 'spine_2': (0.4 * breath, 1.5 * look, 0),
                  'chest': (0.6 * breath, 2 * look, 0), 'neck': (-6 + breath, 9 * look, 0),
                  'head': (6 - 0.5 * breath, 10 * look, 0)}
        angles.update(idle_tail(p))
        return solved((0, LIZARD.at('pelvis')[1] + 0.002 * breath, 0), dict(angles, pelvis=(0, 0, 0)), soles, toe_out)

    return {'name': name, 'about': about, 'loop': True, 'duration': duration, 'velocity': (0, 0, 0),
            'contacts': {leg: [(0, duration)] for leg in LIZARD.legs}, 'marks': {},
            'keys': [key(k / keys) for k in range(keys)]}


# ---- An attack: it crouches, lunges, and stands again, 0.3 m ahead, as lizard_breathe begins ----

TRAVEL = 0.3      # m, of the whole attack
CROUCH_TIME, LUNGE_TIME = 0.6, 1.2  # s
WIND_UP = 0.05    # m, back before it goes ahead
# Place of the trunk over the ground, and when each foot leaves it and lands a travel ahead, s: fore feet first, as the
# trunk shoots ahead over the hind feet, which follow at a hop.
LUNGE_AHEAD = [(0, -WIND_UP), (0.7, TRAVEL), (LUNGE_TIME, TRAVEL)]
LUNGE_SWINGS = {'front_left': (0.2, 0.4), 'front_right': (0.2, 0.4), 'hind_left': (0.44, 0.6),
                'hind_right': (0.44, 0.6)}
LUNGE_LIFT = {'front_left': 0.06, 'front_right': 0.06, 'hind_left': 0.055, 'hind_right': 0.055}  # m
LUNGE_KEYS = 120  # per s: feet that stand shall not creep between keys


def eased(points, t):
    """A curve through (time, value) that rests at each of them."""
    for (t0, v0), (t1, v1) in zip(points, points[1:]):
        if t < t1:
            s = max(0, (t - t0) / (t1 - t0))
            return v0 + (v1 - v0) * s * s * (3 - 2 * s)
    return points[-1][1]


def attack_trunk(height, pitch, neck, head, tail, sway):
    """Height of the root and {joint: angles}: m, deg. The spine makes up for most of the pitch; sway: 0 .. 1 of the
    idle's tail."""
    angles = {'pelvis': (pitch, 0, 0), 'neck': (neck, 0, 0), 'head': (head, 0, 0)}
    angles.update({joint: (-pitch / 4, 0, 0) for joint in ('spine_1', 'spine_2', 'chest')})
    angles.update({joint: (tail - pitch / 6, sway * yaw, 0) for joint, (_, yaw, _) in idle_tail(0).items()})
    return height, angles


def attack_clip(name, about, duration, velocity, trunk, ahead, sole, contacts, marks):
    """trunk(t): attack_trunk; ahead(t): m over the ground; sole(leg, t): over the ground. The root goes evenly."""
    def key(t):
        height, angles = trunk(t)
        back = (0, 0, -velocity * t)
        return solved(add((0, height, ahead(t)), back), angles,
                      {leg: add(sole(leg, t), back) for leg in LIZARD.legs}, 0)

    count = round(duration * LUNGE_KEYS) + 1
    return {'name': name, 'about': about, 'loop': False, 'duration': duration, 'velocity': (0, 0, velocity),
            'contacts': contacts, 'marks': marks, 'safe': (duration, duration),
            'keys': [key(duration * k / (count - 1)) for k in range(count)]}


def make_attack():
    stand, low = LIZARD.at('pelvis')[1], LIZARD.at('pelvis')[1] - 0.065

    def crouch(t):
        ease = lambda a, b: eased([(0, a), (CROUCH_TIME, b)], t)
        return attack_trunk(ease(stand, low), ease(0, -3), ease(-6, -28), ease(6, 30), ease(0, 3),
                            ease(1, 0))

    def lunge(t):
        at = lambda *points: eased(points, t)
        return attack_trunk(at((0, low), (0.32, stand + 0.01), (0.44, stand + 0.01), (0.75, stand - 0.01),
                               (1.1, stand)),
                            at((0, -3), (0.22, -8), (0.45, 1), (0.9, 0)),
                            at((0, -28), (0.16, -28), (0.36, 14), (0.55, 8), (1.1, -6)),
                            at((0, 30), (0.2, 2), (0.3, -22), (0.38, 4), (0.6, 0), (1.1, 6)),
                            at((0, 3), (0.28, -3), (0.6, 2), (1.1, 0)), at((0, 0), (0.6, 0), (1.15, 1)))

    def lunge_sole(leg, t):
        start, end = LUNGE_SWINGS[leg]
        s = min(max((t - start) / (end - start), 0), 1)
        way = s * s * (3 - 2 * s)
        return add(LIZARD.sole(leg), (0, LUNGE_LIFT[leg] * 16 * s * s * (1 - s) ** 2, TRAVEL * way))

    stands = {leg: [(0, CROUCH_TIME)] for leg in LIZARD.legs}
    steps = {leg: [(0, swing[0]), (swing[1], LUNGE_TIME)] for leg, swing in LUNGE_SWINGS.items()}
    return [attack_clip('lizard_crouch', 'A lizard crouches and draws back its head, about to lunge.', CROUCH_TIME, 0,
                        crouch, lambda t: eased([(0, 0), (CROUCH_TIME, -WIND_UP)], t),
                        lambda leg, t: LIZARD.sole(leg), stands, {}),
            attack_clip('lizard_lunge', 'A lizard lunges out of its crouch, snaps, and stands 0.3 m ahead.',
                        LUNGE_TIME, TRAVEL / LUNGE_TIME, lunge, lambda t: eased(LUNGE_AHEAD, t), lunge_sole, steps,
                        {'hit': 0.38})]


# ---- Overlays: differences to the first key, of trunk, neck, head and tail alone ----

def overlay(name, about, duration, bend):
    """bend(p): {joint: angles} at phases 0 .. 1, none at both ends."""
    count = round(duration * 60) + 1
    stand = (0, LIZARD.at('pelvis')[1], 0)

    def key(p):
        angles = bend(p)
        return round_key(stand, {joint: angles.get(joint, (0, 0, 0)) for joint in LIZARD.joints})

    return {'name': name, 'about': about, 'loop': False, 'duration': duration, 'velocity': (0, 0, 0), 'contacts': {},
            'marks': {}, 'keys': [key(k / (count - 1)) for k in range(count)]}


def make_overlays():
    def shake(p):
        """Rolls to and fro, head first: a wave that runs down to the tail."""
        angles = {}
        for i, joint in enumerate(['head', 'neck', 'chest', 'spine_2', 'spine_1'] + TAIL):
            local = min(max((p - 0.035 * i) / 0.6, 0), 1)
            size = 16 * local ** 2 * (1 - local) ** 2 * math.sin(2 * math.pi * 4 * local)
            if joint in TAIL:
                angles[joint] = (0, 10 * size, 0)
            else:
                angles[joint] = (0, 0, {'head': 24, 'neck': 12}.get(joint, 5) * size)
        return angles

    def snap(p):
        """The head goes up and aside and snaps."""
        up = eased([(0, 0), (0.35, 1), (0.5, 1), (1, 0)], p)
        jerk = eased([(0, 0), (0.35, 0), (0.47, 1), (0.6, -0.3), (0.8, 0)], p)
        return {'chest': (-2 * up, 5 * up, 0), 'neck': (-14 * up + 6 * jerk, 14 * up, 0),
                'head': (-16 * up + 20 * jerk, 14 * up, -10 * up)}

    return [overlay('lizard_overlay_shake', 'A lizard shakes itself, from its head to the tip of its tail.', 1.6,
                    shake),
            overlay('lizard_overlay_snap', 'A lizard snaps at a fly to its left.', 0.9, snap)]


def make():
    left = Gait('lizard_walk_left', 'A lizard walks to the left at 0.25 m/s, facing ahead.', (0.25, 0), 0.9, 0).clip()
    return [make_idle('lizard_idle', 'A lizard stands, breathes and looks about.', TOE_OUT),
            make_idle('lizard_breathe', 'As lizard_idle, with the feet as in the bind pose: for legs that walk by a '
                      'layer.', 0),
            Gait('lizard_walk', 'A lizard walks at 0.6 m/s.', (0, 0.6), 0.9, 9).clip(),
            Gait('lizard_walk_backward', 'A lizard walks backward at 0.35 m/s.', (0, -0.35), 0.9, 5).clip(),
            left, mirror_clip(left, 'lizard_walk_right', 'A lizard walks to the right at 0.25 m/s, facing ahead.'),
            *make_attack(), *make_overlays()]


def worst_slip(clip):
    """The farthest that a standing foot is from where it struck, over the ground, m; between keys too."""
    worst, keys, steps = 0.0, clip['keys'] + clip['keys'][:1] if clip['loop'] else clip['keys'], 6
    count = len(keys) - 1

    def sole(leg, time):
        k = time / clip['duration'] % 1 * count
        i, share = int(math.floor(k)), k - math.floor(k)
        ends = []
        for position, angles in keys[i:i + 2]:
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
