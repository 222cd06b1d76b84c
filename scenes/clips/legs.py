"""One leg: its joints solved for where the foot is, and the path of a foot that rolls over the ground in a gait."""

import math

from clip_math import add, arc, conjugate, dot, fade, from_angles, mul, rotate, smooth, sub, to_angles, turn, unit
from human import ANKLE_Y, HEEL_Z, HIP_X, SHIN, THIGH, TOE_Z

def fold_leg(y, z):
    """Thigh angle (forward +) and knee flexion in rad that bring the ankle to (y, z) from the hip, in the plane."""
    d2 = y * y + z * z
    knee = math.acos(max(-1, min(1, (d2 - THIGH ** 2 - SHIN ** 2) / (2 * THIGH * SHIN))))
    return math.atan2(z, -y) + math.atan2(SHIN * math.sin(knee), THIGH + SHIN * math.cos(knee)), knee


def unfold_leg(thigh, knee):
    return (-THIGH * math.cos(thigh) - SHIN * math.cos(thigh - knee),
            THIGH * math.sin(thigh) + SHIN * math.sin(thigh - knee))


def solve_leg(hip, pelvis_q, ankle, foot_q, share=1):
    """Hip, knee and foot rotations for an ankle position and foot rotation. The knee is a hinge about x, the foot turns
    about x and z only; that leaves one turn of the whole leg about the line from hip to ankle. With a share below 1 of
    it the foot only comes near to its rotation: on bent legs that turn may be large for little."""
    to_ankle = sub(ankle, hip)
    distance2 = dot(to_ankle, to_ankle)
    knee = math.acos(max(-1, min(1, (distance2 - THIGH ** 2 - SHIN ** 2) / (2 * THIGH * SHIN))))
    direction = unit(to_ankle)
    knee_q = turn((1, 0, 0), knee)
    straight = rotate(pelvis_q, unit(add((0, -THIGH, 0), rotate(knee_q, (0, -SHIN, 0)))))
    swing = mul(arc(straight, direction), pelvis_q)  # the shortest way from hanging down the pelvis

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
    thigh_q, foot, _ = leg(a1 if share == 1 else share * a1)
    if share < 1:
        x, _, z = to_angles(foot)
        foot = from_angles(x, 0, z)
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
