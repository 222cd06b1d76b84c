"""Turns on the spot, and turns of a runner whose root turns round in one frame."""

from clip_file import mirror_clip
from clip_math import mul, rotate, smooth
from make_gaits import Run
from make_idle import STAND
from make_steps import ready
from posing import posture, Track, yaw
from steps import Along, Foot, gait_foot, Move, Plant


class Turn(Move):
    """On the spot to the left: the head leads, then the chest, then the pelvis, then the feet one after the other.
    `course`: the body's heading (deg) over time; `steps`: (side, lift-off, touch-down, heading of that foot)."""
    kind = 'turn'

    def __init__(self):
        self.turns, end = self.angle, self.duration
        self.safe = 0.75 * end, end
        stances, begin, heading = {1: [], -1: []}, {1: -9.0, -1: -9.0}, {1: 0.0, -1: 0.0}
        for side, lift_off, touch_down, new in self.steps + ((1, end + 9, 0, 0), (-1, end + 9, 0, 0)):
            wide = 0.10 if heading[side] in (0, self.angle) else 0.125
            x, _, z = rotate(yaw(heading[side]), (side * wide, 0, 0))
            stances[side].append(Plant(begin[side], lift_off, x, z, heading[side] + side * 7, rise=14, rising=0.16))
            begin[side], heading[side] = touch_down, new
        self.feet = {1: Foot(1, stances[1], 0.045, 0.015), -1: Foot(-1, stances[-1], 0.045, 0.03)}
        self.marks = tuple((leg + '_strike', down) for leg, (_, _, down, _) in zip(('left', 'right'), self.steps))
        # The weight goes over the foot that stands, whichever way that is by now.
        x, y, z = STAND.position
        over = [(0, (0.0, 0.0))]
        for side, lift_off, touch_down, _ in self.steps:
            other = [s for s in stances[-side] if s.t0 <= lift_off <= s.t1 + 1e-6][0]
            over += [((0.75 * lift_off + 0.25 * touch_down), (0.55 * other.x, 0.55 * other.z))]
        self.over = Track(*over, (end, (0.0, 0.0)))
        first, last = self.steps[0][1], self.steps[-1][2]
        self.sink = Track((0, 0.0), (first, 0.022), (last, 0.022), (min(end, last + 0.3), 0.0))

    def heading(self, t):
        return self.course(t)

    def pelvis(self, t):
        (x, y, z), (ox, oz) = STAND.position, self.over(t)
        x, _, z = rotate(yaw(self.course(t)), (x, 0, z))
        return (x + ox, y - self.sink(t), z + oz), mul(yaw(self.course(t)), STAND.pelvis_q)

    def chest(self, t):
        return mul(yaw(self.course(t + 0.06)), STAND.chest_q)

    def head(self, t):
        ahead = (self.course(t + 0.22) - self.course(t)) * smooth(t / 0.25)
        return mul(yaw(self.course(t) + min(60.0, ahead)), STAND.head_q)

    def arm(self, side, t):
        (flexion, turned, out), elbow, hand = STAND.arms[side]
        rate = (self.course(t + 0.05) - self.course(t - 0.05)) / 0.1 / 100  # they swing out with the turn
        return (flexion + side * 4 * rate, turned, out + 4 * rate), elbow, hand


class Turn90(Turn):
    name, about, angle, duration = 'turn_90_left', 'Turns 90 deg to the left on the spot, in three steps.', 90, 1.60
    course = Track((0, 0.0), (0.12, 0.0), (1.25, 90.0), (1.60, 90.0))
    steps = ((1, 0.28, 0.55, 56), (-1, 0.57, 0.90, 84), (1, 1.02, 1.30, 90), (-1, 1.34, 1.50, 90))


class Turn180(Turn):
    name, about, angle, duration = 'turn_180_left', 'Turns 180 deg to the left on the spot, in five steps.', 180, 2.30
    course = Track((0, 0.0), (0.12, 0.0), (1.95, 180.0), (2.30, 180.0))
    steps = ((1, 0.28, 0.55, 58), (-1, 0.57, 0.90, 92), (1, 0.94, 1.22, 148), (-1, 1.25, 1.58, 170),
             (1, 1.66, 1.94, 180), (-1, 1.97, 2.15, 180))


class RunTurn(Move):
    """The root's heading turned round in one frame; it goes on in the world as fast as before, brakes, and runs the
    other way, all at 5 m/s^2. The clip begins with a quarter of a cycle of the run, seen from the turned root: facing
    back. So it can be entered at the phase of the run, wherever the foot that leads is, before its strike or after it.
    From that strike on he brakes: the next step ahead of the body, the one after it beside the body, which meanwhile
    turns away from the foot that led (led by the left foot to the right, so that the legs do not cross), and pushes off
    the new way; two cycles later the run goes on at the same strike."""
    name = 'run_turn_180_left_foot'
    about = 'A runner turns round: runs facing back until the left foot strikes, brakes in two steps, ends running.'
    kind, rate = 'turn', 80

    def __init__(self, gait):
        self.gait = gait
        cycle, speed, brakes, end = gait.duration, gait.speed, gait.duration / 4, gait.duration / 4 + 1.40
        self.brakes, self.duration = brakes, end  # s: when the foot that leads strikes, and when it does so again
        after = lambda *keys: Track(*((brakes + t, value) for t, value in keys))
        plant = lambda t0, t1, *how, **more: Plant(brakes + t0, brakes + t1, *how, **more)
        self.phase = lambda t: (t - brakes) / cycle % 1
        run_on = lambda t: (0, 0, -speed * (t - brakes))
        # m: from -speed to speed at a constant acceleration
        self.way = lambda t: run_on(t)[2] + speed / (end - brakes) * max(0, t - brakes) ** 2
        self.course = after((0, 180.0), (0.10, 179.0), (0.34, 150.0), (0.62, 86.0), (0.88, 31.0), (1.10, 5.0),
                            (1.25, 0.0), (1.40, 0.0))
        self.dip = after((0, 0.0), (0.30, 0.03), (0.65, 0.05), (0.95, 0.02), (1.3, 0.0))
        self.lean = after((0, 0.0), (0.25, 0.8), (0.65, 1.0), (1.05, 0.7), (1.38, 0.0))
        ahead, turned = lambda t: (0, 0, self.way(t)), self.phase
        old = {side: gait_foot(gait, side, turned, run_on, 180) for side in (1, -1)}
        new = {side: Along(end, end, gait_foot(gait, side, turned, ahead)) for side in (1, -1)}
        toe_off = brakes + (gait.stance - 0.5) * cycle  # of the other foot
        x, _, z = old[1](brakes + 0.1)[:3]
        self.feet = {
            1: Foot(1, [Along(0.0, brakes, old[1], stands=False), Along(brakes, brakes + 0.0875, old[1]),
                        plant(0.0875, 0.24, x, z, 180 + gait.legs[1]['toe_out'], rise=45, rising=0.14),
                        plant(0.60, 0.98, 0.02, -1.50, 49, rise=35, rising=0.22), new[1]],
                    0.12, 0.07, {3: (0.15, 0.07, 16), 4: (0.12, 0.07, 4)}),
            -1: Foot(-1, [Along(0.0, toe_off, old[-1]), Along(toe_off, brakes, old[-1], stands=False),
                          plant(0.33, 0.54, 0.20, -1.06, 122, rise=30, rising=0.15),
                          plant(1.00, 1.29, -0.10, -0.76, 5, rise=45, rising=0.18), new[-1]],
                     0.10, 0.03, {2: (0.10, 0.09)})}
        # The second one is no step's: it tells the length of a cycle of the run, by whose phase the clip is entered.
        self.marks = (('left_strike', brakes), ('right_strike', brakes + cycle / 2))
        self.safe = brakes + cycle, end

    def root(self, t):
        return (0, 0, self.way(t)), 0.0

    def make(self):
        return dict(super().make(), way=lambda t: self.root(t)[0], accelerates=(self.brakes, self.duration))

    def heading(self, t):
        return self.course(t)

    def pelvis(self, t):
        (x, y, z), rotation = self.gait.pelvis(self.phase(t))
        x, _, z = rotate(yaw(self.course(t)), (x, 0, z))
        world = (x, y - self.dip(t), z + self.way(t))
        return world, mul(posture(6 * self.lean(t)), mul(yaw(self.course(t)), rotation))

    def chest(self, t):
        return mul(posture(10 * self.lean(t)), mul(yaw(self.course(t + 0.03)), self.gait.chest(self.phase(t))))

    def head(self, t):
        ahead = max(-45.0, self.course(t + 0.08) - self.course(t)) * smooth(t / 0.12)
        return mul(yaw(self.course(t) + ahead), self.gait.head(self.phase(t)))

    def arm(self, side, t):
        run = self.gait.arm(side, self.phase(t) + (0 if side > 0 else 0.5))
        out = self.lean(t)
        (flexion, turned, away), elbow, hand = run
        return ((1 - 0.2 * out) * flexion, turned, away + 30 * out), (elbow[0] + 24 * out, 0, 0), hand


def make():
    run = ready(Run())
    clips = []
    for left in (Turn90().make(), Turn180().make(), RunTurn(run).make()):
        about = left['about'].replace('left', 'right')
        clips += [left, mirror_clip(left, left['name'].replace('left', 'right'), about)]
    return clips
