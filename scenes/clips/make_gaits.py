"""Walking and running, steady and thrown off balance, forward and backward: a cycle each."""

import math

from clip_file import mirror_clip, mirror_key, round_key
from clip_math import add, conjugate, Curve, from_angles, half_turn, mul, scale, sub, to_angles, turn, wave
from gait_data import RUN_DATA, UPRIGHT_TILT, WALK_DATA
from human import center_of_mass, place_parts
from legs import LegPath

G = 9.81  # m/s^2

RUN = {name: Curve(values) for name, values in RUN_DATA.items()}
WALK = {name: Curve(values) for name, values in WALK_DATA.items()}


class Gait:
    """A kind says in numbers: duration s, speed m/s, stance (share of the cycle), keys, height m, flat (phases), and
    for each side how the foot goes: `strike`, where the heel lands before the root; `x`, how far aside it stands; in
    swing its `bulge` to the side (m); `toe_out` (deg). `clear` (m) lifts a swinging foot, most at two thirds of the
    swing, so that it comes down on the ground instead of gliding in over it. `course` is the path of the centre of
    mass: aside and forward about its mean, up from its height at foot strike."""
    symmetric = True
    stride_exponent = 0.0  # at lower speeds strides go with the speed to this power
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
                'contacts': {'left': [(0, t)], 'right': [(right, (right + t) % self.duration)]},
                'marks': {'left_strike': 0, 'right_strike': right}, 'keys': keys, 'about': self.about,
                **({'stride_exponent': self.stride_exponent} if self.stride_exponent else {})}


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
    stride_exponent = 0.5  # the walk ratio is constant
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


class RunStaggerBackward(Run):
    name, about = 'run_stagger_backward', 'Running, thrown back: trunk upright to backward, arms up in front.'
    height = 0.887
    flat = (0.12, 0.12, 0.24)
    legs = {side: {'strike': 0.200, 'x': 0.07, 'toe_out': 8, 'bulge': 0.03} for side in (1, -1)}

    def measured_leg(self, p):
        thigh, knee, ankle = super().measured_leg(p)
        return 4 + 0.92 * thigh, 4 + knee, ankle

    def pelvis(self, p):
        position, rotation = super().pelvis(p)
        return position, mul(turn((1, 0, 0), math.radians(-4)), rotation)

    def chest(self, p):
        return mul(turn((1, 0, 0), math.radians(-20)), super().chest(p))

    def head(self, p):
        return from_angles(2, 2 * wave(p, 0.02), 0)

    def arm(self, side, p):
        (flexion, _, _), (elbow, _, _), hand = super().arm(side, p)
        return (-42 + 0.6 * (flexion - 10), -5, 38 + 6 * wave(p, 0.3)), (-48 + 0.5 * (elbow + 92), 0, 0), hand


class WalkStaggerForward(Walk):
    name, about = 'walk_stagger_forward', 'Walking, thrown forward: trunk pitched, knees bent, arms back and out.'
    height, clear = 0.868, 0.033
    legs = {side: {'strike': 0.245, 'x': 0.06, 'toe_out': 7, 'bulge': 0.02} for side in (1, -1)}

    def measured_leg(self, p):
        thigh, knee, ankle = super().measured_leg(p)
        return thigh + 7, knee + 10, ankle + 3

    def pelvis(self, p):
        position, rotation = super().pelvis(p)
        return position, mul(turn((1, 0, 0), math.radians(7)), rotation)

    def chest(self, p):
        return mul(turn((1, 0, 0), math.radians(20)), super().chest(p))

    def head(self, p):
        return from_angles(13, 1 * wave(p, 0.02), 0)

    def arm(self, side, p):
        (flexion, _, _), (elbow, _, _), hand = super().arm(side, p)
        return (22 + 0.7 * flexion, -5, 30), (elbow - 16, 0, 0), hand


class WalkStaggerBackward(Walk):
    name, about = 'walk_stagger_backward', 'Walking, thrown back: trunk leans back, feet far ahead, arms up in front.'
    height = 0.870
    legs = {side: {'strike': 0.275, 'x': 0.065, 'toe_out': 9, 'bulge': 0.02} for side in (1, -1)}

    def measured_leg(self, p):
        thigh, knee, ankle = super().measured_leg(p)
        return thigh + 5, knee + 7, ankle + 3

    def pelvis(self, p):
        position, rotation = super().pelvis(p)
        return position, mul(turn((1, 0, 0), math.radians(-5)), rotation)

    def chest(self, p):
        return mul(turn((1, 0, 0), math.radians(-14)), super().chest(p))

    def head(self, p):
        return from_angles(0, 1 * wave(p, 0.02), 0)

    def arm(self, side, p):
        (flexion, _, _), (elbow, _, _), hand = super().arm(side, p)
        return (-34 + 0.7 * flexion, -5, 32 + 4 * wave(p, 0.3)), (elbow - 22, 0, 0), hand


class WalkStaggerLeft(Walk):
    name, about = 'walk_stagger_left', 'Walking, pushed to the left: leans over, steps wide to the left, arms out.'
    symmetric = False
    height, clear = 0.880, 0.035
    legs = {1: {'strike': 0.220, 'x': 0.17, 'toe_out': 9, 'bulge': 0.0},
            -1: {'strike': 0.210, 'x': 0.045, 'toe_out': 5, 'bulge': 0.045}}

    def measured_leg(self, p):
        thigh, knee, ankle = super().measured_leg(p)
        return thigh + 2, knee + 4, ankle + 2

    def pelvis(self, p):
        (x, y, z), rotation = super().pelvis(p)
        return (x + 0.06, y, z), mul(turn((0, 0, 1), math.radians(-3)), rotation)

    def chest(self, p):
        return mul(turn((0, 0, 1), math.radians(-11 + 2 * wave(p, 0.2))), super().chest(p))

    def head(self, p):
        return from_angles(10, 3 + 1 * wave(p, 0.02), -4)

    def arm(self, side, p):
        (flexion, _, _), (elbow, _, _), hand = super().arm(side, p)
        if side > 0:
            return (0.8 * flexion, -10, 38 + 6 * wave(p, 0.1)), (elbow - 8, 0, 0), hand
        return (-8 + 0.7 * flexion, 0, 62 + 8 * wave(p, 0.6)), (elbow - 6, 0, 0), hand


class WalkBackwardReversed(Walk):
    """The forward walk of which walking backward is the reverse in time."""
    name, about = 'walk_backward', 'Walking backward at 1.0 m/s.'
    speed, stance = 1.0, 0.625  # 111 steps/min of 0.54 m
    flat = (0.14, 0.26, 0.42)
    height = 0.884
    sway = 0.022
    clear = 0.03
    legs = {side: {'strike': 0.150, 'x': 0.065, 'toe_out': 7, 'bulge': 0.015} for side in (1, -1)}

    def measured_leg(self, p):
        thigh, knee, ankle = super().measured_leg(p)
        return 4 + 0.75 * thigh, 4 + 0.88 * knee, 2 + 0.8 * ankle

    def course(self, p):
        x, y, z = super().course(p)
        return x, 0.7 * y, z

    def chest(self, p):
        return from_angles(4, 3 * wave(p, 0.02), -1 * wave(p, self.stance / 2))

    def arm(self, side, p):
        (flexion, turned, out), (elbow, _, _), hand = super().arm(side, p)
        return (0.5 * flexion, turned, out + 3), (elbow - 4, 0, 0), hand


def reverse(clip):
    """Backward in time, begun where the left foot begins to stand."""
    n, duration = len(clip['keys']), clip['duration']
    shift = round(clip['contacts']['left'][0][1] / duration * n)
    flip = lambda t: round((clip['contacts']['left'][0][1] - t) % duration, 9)
    contacts = {leg: [(flip(b), flip(a)) for a, b in spans] for leg, spans in clip['contacts'].items()}
    return dict(clip, keys=[clip['keys'][(shift - k) % n] for k in range(n)], velocity=scale(clip['velocity'], -1),
                contacts=contacts, marks={leg + '_strike': spans[0][0] for leg, spans in contacts.items()})


def both(gait):
    """An unsymmetric gait to the left and its mirror image."""
    left = gait.make()
    return [left, mirror_clip(left, left['name'].replace('left', 'right'), left['about'].replace('left', 'right'))]


def make():
    return [Walk().make(), Run().make(), *both(RunStaggerLeft()), RunStaggerForward().make(),
            RunStaggerBackward().make(), *both(WalkStaggerLeft()), WalkStaggerForward().make(),
            WalkStaggerBackward().make(), reverse(WalkBackwardReversed().make())]
