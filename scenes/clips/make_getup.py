"""Getting up from lying on the face and on the back: roll over, hands and knees, kneel, one foot forward, stand.

Key poses with the places of pelvis, feet and hands, all solved by IK in every frame; what touches the ground stays. The
way over hands and knees and a half kneel is one of those adults use (VanSant (1988) Phys Ther 68:185-92); places and
times are made up. The root stands where the body will stand, and faces where it will face: lying, from feet to head.
"""
import math

from clip_math import add, from_angles, mul, rotate, sub, turn
from human import ANKLE_Y, FOREARM, HIP_X, place_parts, SHIN, surface, THIGH, UPPER_ARM
from make_idle import STAND
from posing import ENDS, pose_key, reach, shoulder, sided, Track, Turns, yaw

RATE = 30  # Hz


def pitched(angle, spin=0.0):
    """Of a pelvis or a foot: pitched forward (90: face down, head ahead), turned about its long axis before; deg."""
    return mul(turn((1, 0, 0), math.radians(angle)), yaw(spin))


class Body:
    """A key pose: where the pelvis is, how the chest bends from it and the head from the chest (deg)."""

    def __init__(self, t, at, q, chest=(0, 0, 0), head=(0, 0, 0)):
        bend = lambda a: mul(yaw(a[1]), from_angles(a[0], 0, a[2]))
        self.t, self.at, self.q = t, at, q
        self.chest_q = mul(q, bend(chest))
        self.head_q = mul(self.chest_q, bend(head))

    def leg(self, side, thigh, shin, foot):
        """(time, ankle, rotation of the foot) of a leg by its angles, as the left one's."""
        q = mul(self.q, from_angles(*sided(side, thigh)))
        at = add(add(self.at, rotate(self.q, (side * HIP_X, 0, 0))), rotate(q, (0, -THIGH, 0)))
        q = mul(q, from_angles(shin, 0, 0))
        return self.t, add(at, rotate(q, (0, -SHIN, 0))), mul(q, from_angles(foot, 0, 0))

    def hand(self, side, upper, fore, hand=(0, 0, 0)):
        """(time, wrist, where the elbow points, angles of the hand) of an arm by its angles, as the left one's."""
        return (self.t, *arm_place((self.at, self.q, self.chest_q), side, upper, fore), hand)


def arm_place(trunk, side, upper, fore):
    """Where the wrist is and the elbow points, of an arm by its angles, as the left one's."""
    at = shoulder(*trunk, side)
    q = mul(trunk[2], from_angles(*sided(side, upper)))
    elbow = add(at, rotate(q, (0, -UPPER_ARM, 0)))
    wrist = add(elbow, rotate(mul(q, from_angles(fore, 0, 0)), (0, -FOREARM, 0)))
    share = UPPER_ARM / (UPPER_ARM + FOREARM)
    return wrist, sub(elbow, add(at, tuple(share * c for c in sub(wrist, at))))


def depth(model, part):
    """How far a part is under the ground, m."""
    points, radius = surface(part, model)
    return max(0.0, radius - min(p[1] for p in points))


class GetUp:
    """Keys of the body, of each foot (time, ankle, rotation) and hand (time, wrist, where the elbow points, angles);
    flat: {side: how much the legs turn for the feet's sake}; swept: (side, until when, Track) of an arm that until then
    goes by its angles instead."""
    rate = RATE

    def __init__(self, name, about, duration, bodies, feet, hands, flat, contacts, marks, swept=None):
        self.name, self.about, self.duration, self.contacts, self.marks = name, about, duration, contacts, marks
        self.at = Track(*((b.t, b.at) for b in bodies))
        self.pelvis, self.chest, self.head = (Turns(*((b.t, q(b)) for b in bodies)) for q in (
            lambda b: b.q, lambda b: b.chest_q, lambda b: b.head_q))
        self.feet = {s: (Track(*((t, p) for t, p, _ in keys)), Turns(*((t, q) for t, _, q in keys)))
                     for s, keys in feet.items()}
        self.flat, self.swept = flat, swept
        self.hands = {s: tuple(Track(*((key[0], key[i]) for key in keys)) for i in (1, 2, 3))
                      for s, keys in hands.items()}

    def key(self, t):
        """What would go into the ground is lifted onto it: feet and hands, and what hangs on them."""
        trunk = self.at(t), self.pelvis(t), self.chest(t)
        foot, hand = {1: 0.0, -1: 0.0}, {1: 0.0, -1: 0.0}
        for _ in range(8):
            feet = {s: (add(p(t), (0, foot[s], 0)), q(t), self.flat[s](t)) for s, (p, q) in self.feet.items()}
            arms = {}
            for s, (wrist, elbow, angles) in self.hands.items():
                place = wrist(t), elbow(t), angles(t)
                if self.swept and s == self.swept[0] and t < self.swept[1]:
                    a = self.swept[2](t)
                    place = (*arm_place(trunk, s, a[:3], a[3]), a[6:])
                arms[s] = reach(trunk, s, add(place[0], (0, hand[s], 0)), *place[1:])
            position, angles = pose_key(*trunk, self.head(t), arms, feet)
            model = place_parts(position, {joint: from_angles(*a) for joint, a in angles.items()})
            for s, end in ENDS:
                foot[s] += depth(model, 'foot' + end)
                hand[s] += max(depth(model, part + end) for part in ('hand', 'forearm'))
        return position, angles

    def make(self):
        count = round(self.duration * self.rate)
        keys = [self.key(self.duration * k / count) for k in range(count + 1)]
        return {'name': self.name, 'about': self.about, 'loop': False, 'duration': self.duration, 'kind': 'ground',
                'velocity': (0, 0, 0), 'contacts': self.contacts, 'marks': self.marks, 'keys': keys,
                'safe': (self.duration - 0.5, self.duration)}


def stand(t):
    body = Body(t, STAND.position, STAND.pelvis_q)
    body.chest_q, body.head_q = STAND.chest_q, STAND.head_q
    return body


def flat_from(t):
    """When each foot is put flat, of a rise that begins at t."""
    return {-1: Track((t + 0.98, 0.0), (t + 1.18, 1.0)), 1: Track((t + 1.8, 0.0), (t + 2.25, 1.0))}


def kneeling(body, side):
    """A foot stretched out behind a knee that is on the ground."""
    hip = add(body.at, rotate(body.q, (side * HIP_X, 0, 0)))
    knee_y, ankle_y = 0.066, 0.105
    back = math.sqrt(max(0, THIGH ** 2 - (hip[1] - knee_y) ** 2)) + math.sqrt(SHIN ** 2 - (ankle_y - knee_y) ** 2)
    return body.t, (side * 0.105, ankle_y, hip[2] - back), pitched(136)


def rise(t):
    """From hands and knees at time t to standing 2.6 s later: (bodies, feet, hands). The hips go back over the heels
    before the hands let go, and over the left knee before the right foot steps: the body never topples."""
    crawl = Body(t, (0.0, 0.485, -0.44), pitched(70), (6, 0, 0), (-30, 0, 0))
    back = Body(t + 0.40, (0.01, 0.468, -0.60), pitched(50), (22, 0, 0), (-24, 0, 0))
    up = Body(t + 0.70, (0.06, 0.452, -0.65), pitched(22), (22, 0, 0), (-14, 0, 0))
    step = Body(t + 0.95, (0.08, 0.480, -0.635), pitched(6), (24, -4, 3), (-8, 0, 0))
    knelt = Body(t + 1.22, (0.05, 0.490, -0.54), pitched(18), (22, -4, 0), (-12, 0, 0))
    push = Body(t + 1.60, (-0.035, 0.60, -0.24), pitched(34), (24, -3, 0), (-26, 0, 0))
    lift = Body(t + 1.92, (-0.05, 0.77, -0.075), pitched(26), (16, 0, 0), (-20, 0, 0))
    close = Body(t + 2.28, (-0.02, 0.89, -0.02), pitched(7), (3, 0, 0), (-5, 0, 0))
    end = stand(t + 2.6)

    tucked = pitched(76)
    flat = {s: ((s * 0.10, ANKLE_Y, 0.0), yaw(s * 7)) for s, _ in ENDS}
    feet = {1: [kneeling(crawl, 1), (t + 0.36, (0.105, 0.192, -0.875), tucked),
                (t + 1.62, (0.105, 0.192, -0.875), tucked), (t + 1.92, (0.125, 0.30, -0.50), pitched(62)),
                (t + 2.16, (0.12, 0.155, -0.10), pitched(12)), (t + 2.3, *flat[1]), (t + 2.6, *flat[1])],
            -1: [kneeling(crawl, -1), (t + 0.36, (-0.105, 0.192, -0.875), tucked),
                 (t + 0.68, (-0.105, 0.192, -0.875), tucked), (t + 0.82, (-0.09, 0.215, -0.69), pitched(50)),
                 (t + 0.96, (-0.05, 0.215, -0.38), pitched(14)), (t + 1.07, (-0.08, 0.165, -0.10), pitched(0)),
                 (t + 1.18, *flat[-1]), (t + 2.6, *flat[-1])]}

    hands = {s: [(t, *PALMS[s]), (t + 0.22, *PALMS[s])] for s, _ in ENDS}
    for body, left, right in (
            (up, ((-40, -6, 14), -36, (-20, 0, 0)), ((-42, -6, 14), -38, (-20, 0, 0))),
            (knelt, ((-6, -6, 14), -28, (0, 0, 0)), ((-38, -4, 6), -28, (-8, 0, 0))),
            (push, ((-16, -6, 16), -30, (0, 0, 0)), ((-46, -4, 6), -30, (-12, 0, 0))),
            (lift, ((-14, -6, 16), -28, (0, 0, 0)), ((-34, -5, 10), -30, (0, 0, 0))),
            (close, ((2, -6, 12), -20, (0, 0, 0)), ((-6, -6, 12), -22, (0, 0, 0))),
            (end, STAND.arms[1], STAND.arms[-1])):
        for s, (upper, fore, hand) in ((1, left), (-1, right)):
            hands[s].append(body.hand(s, upper, fore[0] if isinstance(fore, tuple) else fore, tuple(map(float, hand))))
    return [crawl, back, up, step, knelt, push, lift, close, end], feet, hands


PALMS = {s: ((s * 0.38, 0.062, 0.03), (s * 0.7, 0.35, -0.7), (-52.0, 0.0, 0.0)) for s, _ in ENDS}


def push_up(t, lying, right_palm=PALMS[-1]):
    """From lying on the face at time t to hands and knees 0.95 s later, without that."""
    raised = Body(t + 0.34, (0.0, 0.115, -0.335), pitched(82), (-17, 0, 0), (-22, 0, 0))
    half = Body(t + 0.56, (0.0, 0.215, -0.37), pitched(80), (-10, 0, 0), (-26, 0, 0))
    drawn = Body(t + 0.76, (0.0, 0.37, -0.41), pitched(76), (-2, 0, 0), (-28, 0, 0))
    feet = {s: [lying.leg(s, (3, 0, 4), 5, 42), kneeling(raised, s), kneeling(half, s), kneeling(drawn, s)]
            for s, _ in ENDS}
    hands = {s: [(t, *(PALMS[1] if s > 0 else right_palm)), (t + 0.34, *PALMS[s])] for s, _ in ENDS}
    return [lying, raised, half, drawn], feet, hands


def join(*parts):
    """Bodies, feet and hands one after the other."""
    bodies = [b for part in parts for b in part[0]]
    return (bodies, *({s: [key for part in parts for key in part[i].get(s, [])] for s in (1, -1)} for i in (1, 2)))


def make_prone():
    lying = Body(0.0, (0.0, 0.108, -0.33), pitched(90), (-3, 0, 0), (-6, 38, 0))
    bodies, feet, hands = join(push_up(0.0, lying), rise(0.95))
    return GetUp('get_up_prone', 'Gets up from lying on the face: hands and knees, one knee, stands.', 3.6, bodies,
                 feet, hands, flat_from(0.95), {'left': [(3.266667, 3.6)], 'right': [(2.133333, 3.6)]},
                 {'right_strike': 2.12, 'left_strike': 3.25}).make()


def make_supine():
    """Rolls over the right side as a box rolls over its edges: the left foot, planted beside the body, pushes the pelvis
    over, the left arm is thrown across, the right arm lies ahead of the head."""
    back = Body(0.0, (-0.49, 0.108, -0.33), pitched(90, 180), (2, 0, 0), (4, 0, 0))
    planted = Body(0.40, (-0.49, 0.108, -0.33), pitched(90, 178), (2, -2, 0), (6, -10, 0))
    tilt = Body(0.78, (-0.395, 0.184, -0.33), pitched(84, 140), (4, -8, 0), (8, -22, 0))
    side = Body(1.08, (-0.245, 0.178, -0.33), pitched(76, 90), (6, -12, 0), (10, -10, 0))
    over = Body(1.32, (-0.110, 0.188, -0.33), pitched(73, 42), (-6, -6, 0), (-2, 0, 0))
    prone = Body(1.60, (0.0, 0.115, -0.33), pitched(82), (-14, 0, 0), (-14, 0, 0))
    sole = planted.leg(1, (-52, 0, 10), 112.7, 29.3)[1:]
    feet = {1: [back.leg(1, (-3, 0, 6), 6, 30), (0.21, *back.leg(1, (-28, 0, 8), 62, 30)[1:]), (0.38, *sole), (0.52, *sole),
                (0.78, sole[0], tilt.leg(1, (-50, 0, 8), 80, 30)[2]),
                side.leg(1, (-64, 0, 20), 80, 22), over.leg(1, (-32, 0, 14), 52, 34)],
            -1: [back.leg(-1, (-3, 0, 6), 6, 30), planted.leg(-1, (-6, 0, 4), 9, 30), tilt.leg(-1, (-10, 0, 2), 12, 30),
                 side.leg(-1, (-6, 0, 0), 12, 34), over.leg(-1, (8, 0, 2), 8, 40)]}
    none = (0.0, 0.0, 0.0)
    hands = {1: [back.hand(1, (4, -6, 22), -16, none), planted.hand(1, (-40, -10, 24), -24, none),
                 tilt.hand(1, (-84, -10, 2), -30, none), side.hand(1, (-88, -10, 4), -46, none),
                 (1.44, (0.37, 0.09, 0.07), (0.6, 0.8, -0.4), (-40.0, 0.0, 0.0))],
             -1: []}
    ahead = (-0.36, 0.062, 0.36), (-0.85, 0.4, -0.3), (-30.0, 0.0, 0.0)
    palm = reach((prone.at, prone.q, prone.chest_q), -1, *ahead)
    swept = Track(*((t, (*map(float, upper), float(fore), 0.0, 0.0, *hand)) for t, upper, fore, hand in (
        (0.0, (4, -6, 22), -16, none), (0.25, (4, -6, 95), -12, none), (0.5, (10, 40, 150), -12, none),
        (1.24, (10, 40, 150), -12, none), (1.6, palm[0], palm[1][0], palm[2]))))
    bodies, feet, hands = join(([back, planted, tilt, side, over], feet, hands), push_up(1.6, prone, ahead), rise(2.55))
    return GetUp('get_up_supine', 'Gets up from lying on the back: rolls over, hands and knees, one knee, stands.', 5.2,
                 bodies, feet, hands, flat_from(2.55), {'left': [(4.866667, 5.2)], 'right': [(3.733333, 5.2)]},
                 {'right_strike': 3.72, 'left_strike': 4.85}, (-1, 1.6, swept)).make()


def make():
    return [make_prone(), make_supine()]
