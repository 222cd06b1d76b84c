"""Standing: the idle, and the parts of one that does not repeat: breathing, shifts of the weight, looks, overlays."""

import math

from clip_file import mirror_key, round_key
from clip_math import add, conjugate, from_angles, half_turn, mul, rotate, to_angles, turn
from human import ANKLE_Y, HIP_X
from legs import solve_leg
from posing import ENDS, pose_key, posture, yaw
from steps import Plant


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
            'duration': duration, 'velocity': (0, 0, 0),
            'contacts': {'left': [(0, duration)], 'right': [(0, duration)]}, 'marks': {}, 'keys': keys}



# ---- Standing at ease: where single moves begin and end ----


class Stand:
    """The first pose of the breathing: what additive clips are added to and single moves begin and end with. shift:
    how far the weight is on the left foot, -1 .. 1; breath: -1 .. 1."""

    def __init__(self, shift=0.0, breath=-1.0):
        lift = 1 - abs(shift)
        self.position = (0.055 * shift, 0.919 - 0.014 * (1 - lift) + 0.001 * breath, -0.010)
        self.pelvis_q = from_angles(1, 2.5 * shift, 3.5 * shift)
        self.chest_q = from_angles(1 - 1.0 * breath, -1.5 * shift, -2.0 * shift)
        self.head_q = from_angles(2 + 0.3 * breath, -1.0 * shift, 0)
        self.arms = {side: ((1 + 0.7 * breath, -6, 7.5 + 0.8 * breath), (-14 - 0.7 * breath, 0, 0), (0, 0, 0))
                     for side, _ in ENDS}

    @staticmethod
    def plant(side, end, begin=-9.0, z=0.0, **how):
        """A foot where it stands."""
        return Plant(begin, end, side * 0.10, z, side * 7, **how)

    def key(self):
        feet = {side: ((side * 0.10, ANKLE_Y, 0), yaw(side * 7)) for side, _ in ENDS}
        return pose_key(self.position, self.pelvis_q, self.chest_q, self.head_q, self.arms, feet)


STAND = Stand()
BREATH, BREATH_KEYS = 70 / 30, 70  # s


def make_breathing(name, about, shift):
    keys = [Stand(shift, -math.cos(2 * math.pi * k / BREATH_KEYS)).key() for k in range(BREATH_KEYS)]
    stands = [(0, BREATH)]
    return {'name': name, 'about': about, 'loop': True, 'duration': BREATH, 'velocity': (0, 0, 0), 'kind': 'stand',
            'contacts': {'left': stands, 'right': stands}, 'marks': {}, 'keys': keys}


def make_look(name, about, pitch, turned):
    """One pose; the chest goes with the head by a sixth."""
    stand = Stand()
    stand.chest_q = mul(posture(pitch / 8, turned / 6), stand.chest_q)
    stand.head_q = mul(posture(pitch, turned), stand.head_q)
    return {'name': name, 'about': about, 'loop': False, 'duration': 1 / 30, 'velocity': (0, 0, 0), 'kind': 'look',
            'contacts': {'left': [(0, 1 / 30)], 'right': [(0, 1 / 30)]}, 'marks': {}, 'keys': [stand.key()]}


# ---- Thrown off balance where he stands: the feet stay ----


class Thrown(Stand):
    """shift: where the pelvis goes from Stand's, m. trunk: the chest's bend forward and lean to the right, deg; the
    pelvis takes a third of it. arms: of the left and of the right one as in Stand, flailing by the wave w."""

    def __init__(self, shift, trunk, gaze, left, right, w):
        super().__init__()
        bend, lean = trunk[0] + 2 * w, trunk[1]
        self.position = add(self.position, shift)
        self.pelvis_q = from_angles(1 + bend / 3, 0, lean / 4)
        self.chest_q = from_angles(2 + bend, 2 * w, lean)
        self.head_q = from_angles(gaze, 0, lean / 3)
        self.arms = {1: left(w), -1: right(w)}


def arm(flexion, out, elbow):
    return lambda w: ((flexion + 4 * w, -6, out + 6 * w), (elbow + 5 * w, 0, 0), (0, 0, 0))


THROWN = (
    ('forward', 'thrown forward: the hips go back, the trunk bends, the arms back and out.',
     (0, -0.045, -0.055), (24, 0), 14, arm(26, 36, -28), arm(26, 36, -28)),
    ('backward', 'thrown back: the hips go ahead, the knees bend, the arms come up in front.',
     (0, -0.045, 0.03), (-13, 0), 4, arm(-46, 34, -38), arm(-46, 34, -38)),
    ('left', 'pushed to the left: leans over, the arms out.',
     (0.055, -0.035, 0), (4, -13), 6, arm(6, 40, -24), arm(-10, 68, -20)))


def make_thrown():
    clips, count, duration = [], 24, 0.8
    stands = [(0, duration)]
    for way, about, *pose in THROWN:
        keys = [Thrown(*pose, math.sin(2 * math.pi * k / count)).key() for k in range(count)]
        clips.append({'name': 'stand_stagger_' + way, 'about': 'Standing, ' + about, 'loop': True, 'duration': duration,
                      'velocity': (0, 0, 0), 'kind': 'thrown', 'contacts': {'left': stands, 'right': stands},
                      'marks': {}, 'keys': keys})
    return clips + [mirror_in_place(clips[-1], 'stand_stagger_right', clips[-1]['about'].replace('left', 'right'))]


def make():
    left = make_breathing('idle_shift_left', 'Breathing with the weight on the left foot.', 1)
    right = mirror_in_place(left, 'idle_shift_right', left['about'].replace('left', 'right'))
    look = make_look('look_left', 'Additive: looks to the left; one pose.', 0, 60)
    return [make_idle(), make_breathing('idle_breathe', 'Standing and breathing, the weight on both feet.', 0), left,
            right, look, mirror_in_place(look, 'look_right', look['about'].replace('left', 'right')),
            make_look('look_up', 'Additive: looks up; one pose.', -30, 0),
            make_look('look_down', 'Additive: looks down; one pose.', 30, 0)] + make_thrown()


def mirror_in_place(clip, name, about):
    return dict(clip, name=name, about=about, keys=[mirror_key(k) for k in clip['keys']])
