"""From standing to walking or running and back, and steps to the side.

The root goes at its mean speed all the while (a clip has one velocity); the pelvis lags behind it and catches up, so
that feet stand still over the ground and the last pose is the first one of what comes next, at its speed.
"""
import math

from clip_file import mirror_clip
from clip_math import add, from_angles, mul, scale, smooth
from make_gaits import Run, Walk
from make_idle import STAND
from posing import posture, Track
from steps import Along, Foot, gait_foot, Move, Plant


def ready(gait):
    gait.make()
    return gait


def mix(a, b, w):
    """Of angles, positions or the three triples of an arm."""
    return tuple(mix(x, y, w) if isinstance(x, tuple) else x + (y - x) * w for x, y in zip(a, b))


def blend(p, q, w):
    """Of rotations, the short way."""
    sign = 1 if sum(a * b for a, b in zip(p, q)) >= 0 else -1
    mixed = [a * (1 - w) + sign * b * w for a, b in zip(p, q)]
    length = math.sqrt(sum(c * c for c in mixed))
    return tuple(c / length for c in mixed)


def ramp(t, begin, length):
    """Distance gone, at a speed that rises to 1 as a smooth step; s."""
    u = min(max((t - begin) / length, 0), 1)
    return length * (u ** 3 - u ** 4 / 2) + max(0, t - begin - length)


class ToGait(Move):
    """Between standing and a gait: `gait`, its phase(t), its share(t) of the pose, way(t) of the root in m, lean(t) of
    the trunk (deg) and stand(t), the pelvis' place over the root besides the gait's."""

    def where(self, t):
        return (0.0, 0.0, self.way(t))

    def pelvis(self, t):
        w = self.share(t)
        position, rotation = self.gait.pelvis(self.phase(t))
        mixed = add(scale(position, w), scale(self.stand(t), 1 - w))
        return add(self.where(t), mixed), blend(STAND.pelvis_q, rotation, w)

    def chest(self, t):
        mixed = blend(STAND.chest_q, self.gait.chest(self.phase(t)), self.share(t))
        return mul(posture(self.lean(t)), mixed)

    def head(self, t):
        return mul(posture(0.5 * self.lean(t)), blend(STAND.head_q, self.gait.head(self.phase(t)), self.share(t)))

    def arm(self, side, t):
        phase = self.phase(t) + (0 if side > 0 else 0.5)
        return mix(STAND.arms[side], self.gait.arm(side, phase), self.swing(t))

    def swing(self, t):
        return self.share(t)

    def follow(self, side, t0, t1, root):
        """The gait's own course of a foot over the ground, its root at root(t)."""
        return Along(t0, t1, gait_foot(self.gait, side, self.phase, lambda t: (0, 0, root(t))))


class WalkStart(ToGait):
    name, about = 'walk_start', 'From standing to walking at 1.3 m/s; the right foot steps first.'
    duration = 1.40
    marks = (('right_strike', 0.86), ('left_strike', 1.40))

    def __init__(self, gait):
        self.gait = gait
        cycle, speed, end = gait.duration, gait.speed, self.duration
        self.phase = lambda t: 1 - (end - t) / cycle
        self.way = lambda t: speed * ramp(t, 0.22, 1.0)
        self.goes = (0, 0, self.way(end))
        self.share = lambda t: smooth((t - 0.35) / (end - 0.35))
        # First the weight goes to the foot that stays, and a little forward.
        x, y, z = STAND.position
        self.stand = Track((0, (x, y, z)), (0.22, (x - 0.012, y, z)), (0.48, (x + 0.055, y - 0.012, z + 0.015)),
                           (0.8, (x + 0.035, y - 0.03, z + 0.01)), (1.1, (x, y - 0.03, z)))
        self.lean = Track((0, 0.0), (0.4, 2.0), (0.8, 2.0), (1.3, 0.0))
        root = lambda t: self.way(end) - speed * (end - t)
        strike = end - cycle / 2
        self.feet = {
            1: Foot(1, [STAND.plant(1, strike + 0.13, rise=38, rising=0.34), self.follow(1, end, end, root)],
                    0.04, 0.02),
            -1: Foot(-1, [STAND.plant(-1, 0.46, rise=16, rising=0.16), self.follow(-1, strike, end, root)],
                     0.035, 0.01)}


class WalkStop(ToGait):
    name, about = 'walk_stop', 'From walking at 1.3 m/s, where the left foot strikes, to standing.'
    duration = 1.40
    marks = (('left_strike', 0.0), ('right_strike', 0.52))

    def __init__(self, gait):
        self.gait = gait
        cycle, speed, end = gait.duration, gait.speed, self.duration
        self.phase = lambda t: t / cycle
        self.way = lambda t: speed * (t - ramp(t, 0.0, 1.0))
        self.goes = (0, 0, self.way(end))
        self.share = lambda t: 1 - smooth(t / 1.05)
        x, y, z = STAND.position
        self.stand = Track((0, (x, y - 0.03, z)), (0.5, (x - 0.03, y - 0.03, z - 0.02)),
                           (0.8, (x - 0.035, y - 0.012, z + 0.012)), (1.15, (x + 0.004, y - 0.002, z + 0.004)),
                           (end, (x, y, z)))
        self.lean = Track((0, 0.0), (0.45, -2.5), (0.95, 1.2), (end, 0.0))
        root = lambda t: speed * t
        toe_off = (gait.stance - 0.5) * cycle
        stop = self.way(end)
        self.feet = {
            1: Foot(1, [self.follow(1, 0.0, 0.36, root), Plant(0.36, 0.66, *self.flat(1), rise=24, rising=0.26),
                        STAND.plant(1, end, begin=0.98, z=stop)], 0.03, 0.0),
            -1: Foot(-1, [self.follow(-1, 0.0, toe_off, root), STAND.plant(-1, end, begin=0.52, z=stop, land=14)],
                     0.045, 0.02)}

    def flat(self, side):
        """Where the gait's foot stands when it is flat."""
        x, _, z, _, turned = self.follow(side, 0, 1, lambda t: self.gait.speed * t).at(0.25, None)
        return x, z, turned


class RunStart(ToGait):
    name, about = 'run_start', 'From standing to running at 3.5 m/s; the right foot steps first.'
    duration, rate = 1.50, 80
    marks = (('right_strike', 1.15), ('left_strike', 1.50))

    def __init__(self, gait):
        self.gait = gait
        cycle, speed, end = gait.duration, gait.speed, self.duration
        self.phase = lambda t: 1 - (end - t) / cycle
        self.way = lambda t: speed * ramp(t, 0.12, 1.12)
        self.goes = (0, 0, self.way(end))
        self.share = lambda t: smooth((t - 0.45) / 0.75)
        self.swing = lambda t: smooth((t - 0.1) / 0.7)
        x, y, z = STAND.position
        self.stand = Track((0, (x, y, z)), (0.25, (x + 0.03, y - 0.05, z + 0.03)),
                           (0.5, (x + 0.01, y - 0.075, z + 0.06)),
                           (0.8, (x, y - 0.06, z + 0.03)), (1.2, (x, y - 0.05, z)))
        self.lean = Track((0, 0.0), (0.4, 15.0), (0.8, 11.0), (1.25, 0.0), (end, 0.0))
        root = lambda t: self.way(end) - speed * (end - t)
        strike = end - cycle / 2
        self.feet = {
            1: Foot(1, [STAND.plant(1, 0.46, rise=42, rising=0.3),
                        Plant(0.83, 1.00, 0.06, self.way(0.83) + 0.17, 6, rise=50, rising=0.14),
                        self.follow(1, end, end, root)], 0.12, 0.015),
            -1: Foot(-1, [STAND.plant(-1, 0.24, rise=20, rising=0.14),
                          Plant(0.50, 0.76, -0.065, 0.31, -6, rise=45, rising=0.18),
                          self.follow(-1, strike, strike + gait.stance * cycle - 1e-6, root),
                          self.follow(-1, end, end, root)], 0.10, 0.015)}


class RunStop(ToGait):
    name, about = 'run_stop', 'From running at 3.5 m/s, where the left foot strikes, to standing.'
    duration = 1.60
    marks = (('left_strike', 0.0), ('right_strike', 0.38))

    def __init__(self, gait):
        self.gait = gait
        cycle, speed, end = gait.duration, gait.speed, self.duration
        self.phase = lambda t: t / cycle
        self.way = lambda t: speed * (t - ramp(t, 0.0, 1.15))
        self.goes = (0, 0, self.way(end))
        self.share = lambda t: 1 - smooth(t / 0.85)
        self.swing = lambda t: 1 - smooth((t - 0.2) / 1.1)
        x, y, z = STAND.position
        self.stand = Track((0, (x, y - 0.04, z)), (0.45, (x - 0.01, y - 0.075, z - 0.05)),
                           (0.75, (x - 0.02, y - 0.055, z - 0.03)), (1.05, (x + 0.01, y - 0.02, z + 0.02)),
                           (1.35, (x + 0.004, y - 0.004, z + 0.006)), (end, (x, y, z)))
        self.lean = Track((0, 0.0), (0.38, -13.0), (0.7, -9.0), (1.1, 3.0), (end, 0.0))
        root = lambda t: speed * t
        stop = self.way(end)
        self.feet = {
            1: Foot(1, [self.follow(1, 0.0, gait.stance * cycle - 1e-6, root),
                        STAND.plant(1, end, begin=0.82, z=stop, land=10)], 0.10, 0.02),
            -1: Foot(-1, [self.follow(-1, 0.0, 0.0, root),
                          Plant(0.38, 0.88, -0.08, self.way(0.38) + 0.33, -6, land=22, rise=30, rising=0.24),
                          STAND.plant(-1, end, begin=1.2, z=stop)], 0.06, 0.02)}


class SideStep(Move):
    """A loop: the left foot goes out, the right one follows; the weight goes over the foot that stands."""
    name, about = 'side_step_left', 'Steps to the left at 0.5 m/s, facing ahead.'
    duration, speed, stance = 0.80, 0.5, 0.62

    def __init__(self):
        d, go = self.duration, self.speed * self.duration
        self.goes = (go, 0, 0)
        stances = lambda side, begin, x: [
            Plant((begin + n) * d, (begin + n + self.stance) * d, x + go * n, 0.0, side * 6, rise=10, rising=0.12)
            for n in (-1, 0, 1, 2)]
        # The left foot strikes 31 cm to the left of the root; the right one closes up to 5.5 cm to its right.
        self.feet = {1: Foot(1, stances(1, 0, 0.305), 0.05), -1: Foot(-1, stances(-1, 0.5, -0.055 + go / 2), 0.05)}

    def pelvis(self, t):
        p = 2 * math.pi * t / self.duration
        s = self.stance / 2 * 2 * math.pi
        x = self.speed * t + 0.022 * math.cos(p - s) - 0.01
        y = 0.876 - 0.012 * math.cos(2 * (p - s) + math.pi * 0 + 0.75 * math.pi)
        return (x, y, -0.008), from_angles(2, 0, 2.0 * math.sin(p - s))

    def chest(self, t):
        p = 2 * math.pi * t / self.duration
        return from_angles(4, 3, -2.5 + 1.0 * math.cos(p - 1.9))

    def head(self, t):
        return from_angles(3, 8, 0)

    def arm(self, side, t):
        p = 2 * math.pi * t / self.duration
        return (0, -6, 14 + 4 * math.cos(p - 1.2)), (-24, 0, 0), (0, 0, 0)

    def make(self):
        count = round(self.duration * self.rate)
        d, begin, stand = self.duration, 0.5 * self.duration, self.stance * self.duration
        keys = [self.key(d * k / count) for k in range(count)]
        return {'name': self.name, 'about': self.about, 'loop': True, 'duration': d, 'kind': 'steps', 'keys': keys,
                'velocity': (self.speed, 0, 0),
                'contacts': {'left': [(0, stand)], 'right': [(begin, (begin + stand) % d)]},
                'marks': {'left_strike': 0, 'right_strike': begin}}


def make():
    walk, run = ready(Walk()), ready(Run())
    side = SideStep().make()
    return [WalkStart(walk).make(), WalkStop(walk).make(), RunStart(run).make(), RunStop(run).make(), side,
            mirror_clip(side, 'side_step_right', side['about'].replace('left', 'right'))]
