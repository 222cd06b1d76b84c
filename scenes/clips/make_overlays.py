"""Additive clips: what is added is their difference to their first pose, the first one of the breathing."""

import math

from clip_math import add, mul, rotate, scale
from human import ANKLE_Y
from make_idle import STAND
from posing import ENDS, pose_key, posture, reach, shoulder, Track, yaw


class Overlay:
    """Tracks over time that change the standing pose. All begin at nothing; `down` is how far the pelvis sinks (m),
    over feet that stay; `arms` adds angles to the upper arm, forearm and hand."""
    rate, marks, loop, safe = 30, {}, False, None
    down = forth = pelvis = Track((0, 0.0))
    chest = head = Track((0, (0.0, 0.0, 0.0)))
    arms = {side: Track((0, (0.0,) * 9)) for side, _ in ENDS}

    def arm(self, side, t, trunk):
        change, angles = self.arms[side](t), []
        for i, base in enumerate(STAND.arms[side]):
            angles.append(tuple(b + c for b, c in zip(base, change[3 * i:3 * i + 3])))
        return tuple(angles)

    def key(self, t):
        x, y, z = STAND.position
        position = (x, y - self.down(t), z + self.forth(t))
        pelvis_q = mul(posture(self.pelvis(t)), STAND.pelvis_q)
        chest_q = mul(posture(*self.chest(t)), STAND.chest_q)
        head_q = mul(posture(*self.head(t)), STAND.head_q)
        feet = {side: ((side * 0.10, ANKLE_Y, 0), yaw(side * 7)) for side, _ in ENDS}
        trunk = (position, pelvis_q, chest_q)
        return pose_key(position, pelvis_q, chest_q, head_q, {s: self.arm(s, t, trunk) for s, _ in ENDS}, feet)

    def make(self):
        count = round(self.duration * self.rate)
        keys = [self.key(self.duration * k / count) for k in range(count + (not self.loop))]
        stands = [(0, self.duration)]
        clip = {'name': self.name, 'about': self.about, 'loop': self.loop, 'duration': self.duration, 'kind': 'overlay',
                'velocity': (0, 0, 0), 'contacts': {'left': stands, 'right': stands}, 'marks': self.marks, 'keys': keys}
        return dict(clip, safe=self.safe) if self.safe else clip


def pulse(begin, top, end, *values):
    """From nothing to values and back."""
    values = tuple(map(float, values))
    nothing = (0.0,) * len(values)
    keys = [(0, nothing)] * (begin > 0) + [(begin, nothing), (top, values), (end, nothing)]
    return Track(*keys)


def both(*keys):
    return {side: Track(*keys) for side, _ in ENDS}


NO_ARM = (0.0,) * 9


class Shrug(Overlay):
    """The body has no shoulder blades: the upper arms go out, the forearms up and out, the head tilts."""
    name, about, duration = 'overlay_shrug', 'Additive: shrugs, the forearms turned out, the head tilted.', 2.0
    arms = both((0, NO_ARM), (0.2, (0.0, 0, 1, -2, 0, 0, 0, 0, 0)), (0.65, (-10.0, 44, 12, -74, 0, 0, 0, 0, 0)),
                (1.1, (-10.0, 44, 12, -74, 0, 0, 0, 0, 0)), (2.0, NO_ARM))
    chest = pulse(0.15, 0.7, 1.8, -4, 0, 0)
    head = Track((0, (0.0, 0.0, 0.0)), (0.2, (0.0, 0.0, 0.0)), (0.7, (5.0, 0.0, 9.0)), (1.15, (4.0, 0.0, 8.0)),
                 (2.0, (0.0, 0.0, 0.0)))


class Scratch(Overlay):
    """The right hand goes to the back of the head and rubs it three times."""
    name, about, duration = 'overlay_scratch', 'Additive: scratches the back of his head with the right hand.', 3.0
    head = Track((0, (0.0, 0.0, 0.0)), (0.9, (9.0, 6.0, 5.0)), (2.0, (9.0, 6.0, 5.0)), (3.0, (0.0, 0.0, 0.0)))
    chest = pulse(0.1, 1.2, 2.9, 1, 0, -3)
    up = Track((0, 0.0), (0.15, 0.0), (0.95, 1.0), (2.0, 1.0), (2.9, 0.0), (3.0, 0.0))
    rub = Track((0, 0.0), (1.0, 0.0), (1.14, 1.0), (1.32, -1.0), (1.5, 1.0), (1.68, -1.0), (1.86, 0.0), (3.0, 0.0))

    def arm(self, side, t, trunk):
        rest = super().arm(side, t, trunk)
        if side > 0:
            return rest
        u, rub = self.up(t), self.rub(t)
        place = rotate(trunk[2], (-0.165, 0.17, -0.035 + 0.012 * rub))  # from the neck
        goal = reach(trunk, side, add(neck(trunk), place), (-1, -0.1, 0.7), (0, 0, 30))
        return tuple(tuple(a + (b - a) * u for a, b in zip(x, y)) for x, y in zip(rest, goal))


def neck(trunk):
    left, right = (shoulder(*trunk, side) for side, _ in ENDS)
    return add(scale(add(left, right), 0.5), rotate(trunk[2], (0, 0.08, 0)))


class Stretch(Overlay):
    name, about, duration = 'overlay_stretch', 'Additive: stretches, both arms up and out, the back arched.', 4.0
    arms = both((0, NO_ARM), (0.3, (-4.0, 0, 2, -6, 0, 0, 0, 0, 0)), (1.1, (-100.0, -24, 22, -85, 0, 0, 0, 0, 0)),
                (1.8, (-146.0, -40, 26, -18, 0, 0, 0, 0, -8)), (2.5, (-144.0, -44, 34, -10, 0, 0, 0, 0, -12)),
                (3.2, (-58.0, -20, 34, -30, 0, 0, 0, 0, 0)), (4.0, NO_ARM))
    chest = Track((0, (0.0, 0.0, 0.0)), (1.1, (-3.0, 0.0, 0.0)), (1.9, (-12.0, 0.0, 0.0)), (2.5, (-13.0, 0.0, 0.0)),
                  (3.3, (1.0, 0.0, 0.0)), (4.0, (0.0, 0.0, 0.0)))
    head = Track((0, (0.0, 0.0, 0.0)), (1.2, (-4.0, 0.0, 0.0)), (2.0, (-20.0, 0.0, 0.0)), (2.5, (-19.0, 0.0, 0.0)),
                 (3.3, (2.0, 0.0, 0.0)), (4.0, (0.0, 0.0, 0.0)))
    forth = Track((0, 0.0), (1.2, 0.0), (2.0, 0.02), (2.5, 0.02), (3.4, 0.0), (4.0, 0.0))


class Landing(Overlay):
    """Hits the ground at 0: the hips sink 10 cm within 0.13 s, the trunk bends 14 deg, the arms drop and spread; then
    all comes back. For a jump's landing on top of whatever plays; it moves no root."""
    name, about, duration, rate = 'overlay_landing', 'Additive: gives in at a landing: sinks, bends, arms out.', 0.8, 60
    marks = {'impact': 0.0}
    down = Track((0, 0.0), (0.14, 0.10), (0.22, 0.095), (0.8, 0.0))
    forth = Track((0, 0.0), (0.16, -0.035), (0.8, 0.0))
    pelvis = Track((0, 0.0), (0.15, 12.0), (0.24, 11.0), (0.8, 0.0))
    chest = Track((0, (0.0, 0.0, 0.0)), (0.17, (24.0, 0.0, 0.0)), (0.26, (22.0, 0.0, 0.0)), (0.8, (0.0, 0.0, 0.0)))
    head = Track((0, (0.0, 0.0, 0.0)), (0.2, (12.0, 0.0, 0.0)), (0.8, (0.0, 0.0, 0.0)))
    arms = both((0, NO_ARM), (0.2, (-8.0, 0, 26, -26, 0, 0, 0, 0, 0)), (0.3, (-6.0, 0, 22, -24, 0, 0, 0, 0, 0)),
                (0.8, NO_ARM))


class Windmill(Overlay):
    """For one who starts and stops in quick turns: the arms circle to keep the balance. Both go backward over the top,
    half a circle apart, while the trunk sways against them. The circle is flat: the shoulder does not reach back."""
    name, about, duration, rate = 'overlay_windmill', 'Additive: the arms go round for balance.', 1.2, 60
    round = Track((0, 0.0), (0.12, 0.02), (1.05, 2.0), (1.2, 2.0))
    out = Track((0, 0.0), (0.25, 1.0), (0.85, 1.0), (1.2, 0.0))
    chest = Track((0, (0.0, 0.0, 0.0)), (0.3, (-8.0, 7.0, 2.0)), (0.6, (6.0, -7.0, -3.0)), (0.9, (-4.0, 4.0, 2.0)),
                  (1.2, (0.0, 0.0, 0.0)))
    head = Track((0, (0.0, 0.0, 0.0)), (0.3, (5.0, 0.0, 0.0)), (0.6, (-2.0, 0.0, 0.0)), (1.2, (0.0, 0.0, 0.0)))

    def arm(self, side, t, trunk):
        rest = super().arm(side, t, trunk)
        out, p = self.out(t), 2 * math.pi * (self.round(t) + (0.0 if side > 0 else 0.5))
        goal = ((-45 - 52 * math.sin(p), -28, 78 + 32 * math.cos(p)), (-28 - 12 * math.sin(p + 1), 0, 0), (0, 0, 0))
        return tuple(tuple(a + (b - a) * out for a, b in zip(x, y)) for x, y in zip(rest, goal))


def make():
    return [kind().make() for kind in (Shrug, Scratch, Stretch, Landing, Windmill)]
