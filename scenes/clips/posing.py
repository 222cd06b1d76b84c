"""Poses of the whole body from what is wanted of it: where the pelvis, the feet and the hands are."""

import math

from clip_math import (add, conjugate, cross, dot, from_angles, half_turn, mul, rotate, scale, sub, to_angles, turn,
                       unit)
from clip_file import round_key
from human import FOREARM, HIP_X, JOINTS, SHOULDER, UPPER_ARM
from legs import solve_leg

UP = (0, 1, 0)
ENDS = ((1, '_l'), (-1, '_r'))  # sides


def yaw(angle):
    """deg, to the left."""
    return turn(UP, math.radians(angle))


def posture(x, y=0, z=0):
    """A rotation of the trunk or head: bent forward x, turned to the left y, rolled to the right z; deg. The turn comes
    first, so that the bend goes where the body faces."""
    return mul(yaw(y), from_angles(x, 0, z))


class Track:
    """A smooth curve through keys (time, values): monotone between neighbours, at rest at either end.
    After Fritsch and Carlson (1980) SIAM J Numer Anal 17:238-46."""

    def __init__(self, *keys):
        self.times = [t for t, _ in keys]
        self.values = [v if isinstance(v, tuple) else (v,) for _, v in keys]
        self.single = not isinstance(keys[0][1], tuple)
        t = self.times
        chords = [scaled(minus(b, a), 1 / (t1 - t0)) for a, b, t0, t1 in zip(self.values, self.values[1:], t, t[1:])]
        zero = (0.0,) * len(self.values[0])
        inner = [tuple(slope(a, b, t1 - t0, t2 - t1) for a, b in zip(c0, c1))
                 for c0, c1, t0, t1, t2 in zip(chords, chords[1:], t, t[1:], t[2:])]
        self.slopes = [zero] + inner + [zero] * (len(t) > 1)

    def __call__(self, time):
        t, last = self.times, len(self.times) - 1
        time = min(max(time, t[0]), t[last])
        i = max(0, min(last - 1, sum(1 for x in t if x <= time) - 1))
        if last == 0:
            value = self.values[0]
        else:
            h = t[i + 1] - t[i]
            s = (time - t[i]) / h
            a, b, c, d = (1 + 2 * s) * (1 - s) ** 2, s * (1 - s) ** 2 * h, s * s * (3 - 2 * s), s * s * (s - 1) * h
            value = tuple(a * p + b * m + c * q + d * n for p, m, q, n in
                          zip(self.values[i], self.slopes[i], self.values[i + 1], self.slopes[i + 1]))
        return value[0] if self.single else value


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def scaled(a, s):
    return tuple(x * s for x in a)


def slope(a, b, h0, h1):
    """Harmonic mean of the slopes on either side of a key; none at a turning point."""
    if a * b <= 0:
        return 0.0
    w0, w1 = 2 * h1 + h0, h1 + 2 * h0
    return (w0 + w1) / (w0 / a + w1 / b)


class Turns(Track):
    """A Track through rotations (time, quaternion), the short way between neighbours."""

    def __init__(self, *keys):
        aligned = [keys[0]]
        for t, q in keys[1:]:
            same = sum(a * b for a, b in zip(q, aligned[-1][1])) >= 0
            aligned.append((t, q if same else scaled(q, -1)))
        super().__init__(*aligned)

    def __call__(self, time):
        q = super().__call__(time)
        return scaled(q, 1 / math.sqrt(sum(c * c for c in q)))


def shoulder(position, pelvis_q, chest_q, side):
    """Where a shoulder is; the two joints of the trunk share its bend."""
    bend = half_turn(mul(conjugate(pelvis_q), chest_q))
    at, q = position, pelvis_q
    for joint in ('abdomen', 'chest'):
        at = add(at, rotate(q, sub(JOINTS[joint][1], JOINTS[JOINTS[joint][0]][1])))
        q = mul(q, bend)
    return add(at, rotate(q, (side * SHOULDER[0], SHOULDER[1] - JOINTS['chest'][1][1], 0)))


def solve_arm(at, chest_q, wrist, elbow_toward):
    """Shoulder and elbow rotations that bring the wrist to a place, the elbow to the side of the line from shoulder to
    wrist that is given. The elbow is a hinge about x, which fixes the turn of the upper arm."""
    line = sub(wrist, at)
    distance = min(max(math.sqrt(dot(line, line)), 0.12), UPPER_ARM + FOREARM - 1e-4)
    line = unit(line)
    out = unit(sub(elbow_toward, scale(line, dot(elbow_toward, line))))
    c = (distance ** 2 + UPPER_ARM ** 2 - FOREARM ** 2) / (2 * distance * UPPER_ARM)
    down = add(scale(line, c), scale(out, math.sqrt(1 - c * c)))  # from shoulder to elbow
    fore = unit(sub(scale(line, distance), scale(down, UPPER_ARM)))
    y = scale(down, -1)
    z = unit(sub(fore, scale(down, dot(fore, down))))
    upper_q = from_basis(cross(y, z), y, z)
    flexion = math.acos(max(-1, min(1, dot(down, fore))))
    return mul(conjugate(chest_q), upper_q), turn((1, 0, 0), -flexion)


def from_basis(x, y, z):
    """The rotation that takes the axes there."""
    trace = x[0] + y[1] + z[2]
    candidates = [(1 + x[0] - y[1] - z[2], x[1] + y[0], x[2] + z[0], y[2] - z[1]),
                  (x[1] + y[0], 1 - x[0] + y[1] - z[2], y[2] + z[1], z[0] - x[2]),
                  (x[2] + z[0], y[2] + z[1], 1 - x[0] - y[1] + z[2], x[1] - y[0]),
                  (y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace)]
    q = max(candidates, key=lambda c: sum(v * v for v in c))
    return scaled(q, 1 / math.sqrt(sum(v * v for v in q)))


def sided(side, angles):
    """Of the right side the mirror image, and back."""
    return angles[0], side * angles[1], side * angles[2]


def in_limits(joint, angles):
    """The same rotation by the other triple of angles, when only that lies in the joint's limits (raised arms)."""
    x, y, z = angles
    half = lambda a: a - 180 if a > 0 else a + 180
    other = half(x), half(y), math.copysign(180, z) - z
    inside = lambda triple: all(low <= a <= high for a, (low, high) in zip(triple, JOINTS[joint][2]))
    return other if not inside(angles) and inside(other) else angles


def reach(trunk, side, wrist, elbow, hand=(0, 0, 0)):
    """Angles of an arm whose wrist is at a place, the elbow on that side of it; trunk: (position, pelvis, chest)."""
    upper, fore = solve_arm(shoulder(*trunk, side), trunk[2], wrist, elbow)
    return in_limits('upper_arm_l', sided(side, to_angles(upper))), to_angles(fore), hand


def pose_key(position, pelvis_q, chest_q, head_q, arms, feet, root=((0, 0, 0), 0.0)):
    """One key. Everything is given in the world; the root stands at root[0], turned root[1] deg to the left.
    arms: {side: angles of upper arm, forearm and hand, of the right ones the mirror image}; feet: {side: (ankle,
    rotation)}, see solve_leg."""
    bend = half_turn(mul(conjugate(pelvis_q), chest_q))
    to_root = yaw(-root[1])
    angles = {'pelvis': to_angles(mul(to_root, pelvis_q)), 'abdomen': to_angles(bend), 'chest': to_angles(bend),
              'head': to_angles(mul(conjugate(chest_q), head_q))}
    for side, end in ENDS:
        for name, a in zip(('upper_arm', 'forearm', 'hand'), arms[side]):
            angles[name + end] = sided(side, a)
        hip = add(position, rotate(pelvis_q, (side * HIP_X, 0, 0)))
        for name, q in zip(('thigh', 'shin', 'foot'), solve_leg(hip, pelvis_q, *feet[side])):
            angles[name + end] = to_angles(q)
    return round_key(rotate(to_root, sub(position, root[0])), angles)
