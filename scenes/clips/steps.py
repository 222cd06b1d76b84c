"""Single moves on foot: feet that stand, roll and step where they are told, under a body that goes its way."""

import math

from clip_math import add, mul, rotate, smooth, sub, turn
from human import HEEL_Z, HIP_X, SHIN, THIGH, TOE_Z
from legs import rolled_ankle
from posing import ENDS, pose_key, scaled, yaw

STRAIGHT = math.radians(12)  # the knee of a leg that stands is bent at least that much; then its heel rises
SWING = math.radians(9)      # the knee of one that swings
H = 1e-3                     # s, for velocities


class Plant:
    """A foot that stands from t0 to t1: its ankle at (x, z) when flat, turned yaw deg (toes out of the way it faces).
    It lands pitched by `land` deg (heel first) and is flat `flat` s later; its heel rises by `rise` deg in the last
    `rising` s, and whenever the leg is too short."""

    stands = True

    def __init__(self, t0, t1, x, z, yaw, land=0, flat=0.12, rise=0, rising=0.2):
        self.t0, self.t1, self.x, self.z, self.yaw = t0, t1, x, z, yaw
        self.land, self.rise = math.radians(land), math.radians(rise)
        self.flat, self.rising = flat, rising

    def ankle(self, pitch):
        edge = HEEL_Z if pitch > 0 else TOE_Z
        y, z = rolled_ankle(pitch, edge)
        return add((self.x, 0, self.z), rotate(yaw(self.yaw), (0, y, z + edge)))

    def at(self, t, hip):
        """Ankle (x, y, z), pitch (toes up, rad) and yaw (deg)."""
        pitch = 0.0
        if self.land and t < self.t0 + self.flat:
            s = max(0, (t - self.t0) / self.flat)
            pitch = self.land * (1 - s) ** 2 * (1 + 2 * s)
        if pitch <= 0:
            s = (t - self.t1 + self.rising) / self.rising if self.rise else 0
            s = max(0, min(1, s))
            pitch = -soft_max(self.rise * s * s * (3 - 2 * s), self.needed_rise(hip))
        return (*self.ankle(pitch), pitch, self.yaw)

    def needed_rise(self, hip):
        """How far the heel must rise (rad) so that the leg reaches."""
        reach = math.sqrt(THIGH ** 2 + SHIN ** 2 + 2 * THIGH * SHIN * math.cos(STRAIGHT))
        far = math.dist(hip, self.ankle(0.0))
        if far < reach - 0.05:
            return 0.0
        goal = -soft_max(-far, -reach, 0.006)
        low, high = 0.0, 1.2
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if math.dist(hip, self.ankle(-middle)) > goal else (low, middle)
        return low if high < 1.19 else 0.0


def soft_max(a, b, width=0.03):
    """The larger one, without a kink; nothing of nothing."""
    d = abs(a - b)
    return max(a, b) + (max(0, width - d) ** 2 / (4 * width) if min(abs(a), abs(b)) > 1e-9 else 0.0)


class Along:
    """A foot as a gait moves it from t0 to t1, standing or on its swing: at(t, hip) gives its place in the world."""

    def __init__(self, t0, t1, place, stands=True):
        self.t0, self.t1, self.place, self.stands = t0, t1, place, stands

    def at(self, t, hip):
        return self.place(t)


def gait_foot(gait, side, phase, where, turned=0):
    """The course of a gait's foot: phase(t) of its left leg, where(t) its root is in the world."""
    def place(t):
        ankle, pitch = gait.paths[side].foot((phase(t) + (0 if side > 0 else 0.5)) % 1)
        return (*add(where(t), rotate(yaw(turned), ankle)), pitch, turned + side * gait.legs[side]['toe_out'])
    return place


class Foot:
    """Stances one after the other; between them the foot swings, lifted by `lift` m and led `aside` m around the other
    leg (a swing may have its own: {index: (lift, aside, toe)}, with the toes `toe` deg lower on the way)."""

    def __init__(self, side, stances, lift=0.05, aside=0.0, swings=None):
        self.side, self.stances, self.how, self.swings = side, stances, (lift, aside), swings or {}

    def at(self, t, body):
        hip = body.hip(self.side, t)
        for i, stance in enumerate(self.stances):
            if t <= stance.t1 or i + 1 == len(self.stances):
                return stance.at(t, hip) if t >= stance.t0 else self.swing(i, t, body)
        return None

    def swing(self, i, t, body):
        """On its way the foot goes with the body: what is smooth is its course about the pelvis, as the body faces."""
        a, b = self.stances[i - 1], self.stances[i]
        lift, aside, toe = (*self.swings.get(i, self.how), 0.0)[:3]
        span = b.t0 - a.t1
        s = (t - a.t1) / span

        def about_body(stance, time):
            x, y, z, pitch, turned = stance.at(time, body.hip(self.side, time))
            (px, _, pz), _ = body.pelvis(time)
            heading = body.heading(time)
            x, _, z = rotate(yaw(-heading), (x - px, 0, z - pz))
            return x, y, z, pitch, turned - heading
        p0, p1 = about_body(a, a.t1), about_body(b, b.t0)
        v0 = [(x - y) / H for x, y in zip(p0, about_body(a, a.t1 - H))]
        v1 = [(x - y) / H for x, y in zip(p1, about_body(b, b.t0 - H))]
        if isinstance(b, Plant):
            v1[0], v1[2] = 0.4 * v1[0], 0.4 * v1[2]  # it comes to a stop over the ground nearly, not quite
            v1[1], v1[3], v1[4] = -0.25, 0.0, 0.0
        x, y, z, pitch, turned = [p + (q - p) * smooth(s) + carry(u, t - a.t1, span) - carry(v, b.t0 - t, span)
                                  for p, u, q, v in zip(p0, v0, p1, v1)]
        bump = 16 * s * s * (1 - s) ** 2
        (px, _, pz), _ = body.pelvis(t)
        x, _, z = rotate(yaw(body.heading(t)), (x + self.side * aside * bump, 0, z))
        ankle = within_reach(body.hip(self.side, t), (x + px, y + lift * bump, z + pz))
        return (*ankle, pitch - math.radians(toe) * bump, turned + body.heading(t))


def within_reach(hip, ankle):
    """Drawn to the hip as far as the leg is too short."""
    reach = math.sqrt(THIGH ** 2 + SHIN ** 2 + 2 * THIGH * SHIN * math.cos(SWING))
    far = math.dist(hip, ankle)
    goal = -soft_max(-far, -reach, 0.006)
    return add(hip, scaled(sub(ankle, hip), goal / far))


def carry(speed, t, span):
    """How far a speed at t = 0 still carries, until it is gone."""
    last = min(span, 0.2)
    return speed * t * max(0, 1 - t / last) ** 3


class Move:
    """A single move. A kind gives duration (s), the feet ({side: Foot}) and, at a time in the world, pelvis(t) ->
    (position, rotation), chest(t), head(t) -> rotation, arm(side, t) -> angles, heading(t) of the body (deg); `goes`
    is how far the root goes and `turns` how far it turns (deg) over the whole clip, evenly."""
    goes, turns, rate, marks, safe, kind = (0, 0, 0), 0.0, 60, (), None, 'steps'

    def hip(self, side, t):
        position, rotation = self.pelvis(t)
        return add(position, rotate(rotation, (side * HIP_X, 0, 0)))

    def heading(self, t):
        return 0.0

    def root(self, t):
        """Where the root is and how it has turned: evenly, unless a kind is made for a root that speeds up."""
        share = t / self.duration
        return scaled(self.goes, share), self.turns * share

    def key(self, t):
        feet = {}
        for side, _ in ENDS:
            x, y, z, pitch, turned = self.feet[side].at(t, self)
            feet[side] = (x, y, z), mul(yaw(turned), turn((1, 0, 0), -pitch))
        position, rotation = self.pelvis(t)
        return pose_key(position, rotation, self.chest(t), self.head(t), {side: self.arm(side, t) for side, _ in ENDS},
                        feet, self.root(t))

    def make(self):
        count = round(self.duration * self.rate)
        keys = [self.key(self.duration * k / count) for k in range(count + 1)]
        clip = {'name': self.name, 'about': self.about, 'loop': False, 'duration': self.duration, 'kind': self.kind,
                'velocity': scaled(self.goes, 1 / self.duration), 'turn': self.turns / self.duration,
                'contacts': self.contacts(), 'marks': dict(self.marks), 'keys': keys}
        return dict(clip, safe=self.safe) if self.safe else clip

    def contacts(self):
        """A foot stands while it is planted or, in a gait, where that says so; from key to key."""
        spans, dt = {}, self.duration / round(self.duration * self.rate)
        for side, leg in ((1, 'left'), (-1, 'right')):
            inside = [(math.ceil(max(0, s.t0) / dt - 1e-6) * dt, math.floor(min(self.duration, s.t1) / dt + 1e-6) * dt)
                      for s in self.feet[side].stances if s.stands]
            spans[leg] = []
            for a, b in inside:
                if spans[leg] and a - spans[leg][-1][1] < 1e-6:  # rolls on
                    a = spans[leg].pop()[0]
                if b - a > dt:
                    spans[leg].append((round(a, 6), round(b, 6)))
        return spans
