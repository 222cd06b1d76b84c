#!/usr/bin/env python3
"""Writes clips of a single pose: dashes of `human` and `winged`, and how `winged` and `spider` stand at ease.

    python3 make_poses.py [folder]      (default: the folder of this script)

A dash is held while the body shoots along; layers on top make it look alive: what trails, and the gaze. The poses
are made up. No foot stands in a dash (there are no contacts); the lowest corner of a sole touches the ground.

Frame: X left, Y up, Z forward; m, deg; a joint's angles turn as q = Rx Rz Ry (see README.md).
"""
import os
import sys

sys.dont_write_bytecode = True  # no __pycache__ among the clips

from clip_file import mirror_key, round_key, write_clip
from clip_math import from_angles, to_angles
from creature import Creature
from human import HEEL_Z, HIP_X, JOINTS, TOE_Z

from make_bodies import spider, winged

SOLE_WIDTH = 0.096  # m, of bodies/human.yaml
DURATION = 1.0  # s: of any length, as nothing moves
HUMAN = Creature([], [])
HUMAN.joints = {joint: (parent, at) for joint, (parent, at, _) in JOINTS.items()}
HUMAN.legs = {leg: ('thigh' + side, 'shin' + side, 'foot' + side, (x, 0, HEEL_Z), (x, 0, TOE_Z), SOLE_WIDTH / 2)
              for leg, side, x in (('left', '_l', HIP_X), ('right', '_r', -HIP_X))}
WINGED, SPIDER = Creature(*winged()), Creature(*spider())


def both(**angles):
    """The same for both sides: the keys lack `_l`."""
    pairs = {}
    for joint, (x, y, z) in angles.items():
        pairs[joint + '_l'], pairs[joint + '_r'] = (x, y, z), (x, -y, -z)
    return pairs


def grounded(body, angles):
    """A key: the root where it is in the bind pose, but so high that the lowest sole is on the ground."""
    root = next(iter(body.joints))
    x, y, z = body.at(root)
    model = body.place((x, y, z), {j: from_angles(*a) for j, a in angles.items()})
    position = (x, y - body.lowest_sole(model), z)
    return round_key(position, {joint: angles.get(joint, (0, 0, 0)) for joint in body.joints})


def pose_clip(name, about, key, contacts=()):
    return {'name': name, 'about': about, 'loop': True, 'duration': DURATION, 'velocity': (0, 0, 0),
            'contacts': {leg: [(0, DURATION)] for leg in contacts}, 'marks': {}, 'keys': [key]}


# ---- Dashes ----

HUMAN_FORWARD = {
    'pelvis': (24, 0, 0), 'abdomen': (12, 6, 0), 'chest': (10, 8, 0), 'head': (-32, -12, 0),
    'upper_arm_l': (48, 0, 22), 'forearm_l': (-18, 0, 0), 'upper_arm_r': (55, 0, -26), 'forearm_r': (-12, 0, 0),
    'thigh_l': (-72, 0, 4), 'shin_l': (80, 0, 0), 'foot_l': (-8, 0, 0),
    'thigh_r': (12, 0, -3), 'shin_r': (38, 0, 0), 'foot_r': (38, 0, 0)}
HUMAN_BACK = {
    'pelvis': (-16, 0, 0), 'abdomen': (10, 0, 0), 'chest': (12, 0, 0), 'head': (10, 0, 0),
    'upper_arm_l': (-62, 0, 24), 'forearm_l': (-42, 0, 0), 'upper_arm_r': (-52, 0, -30), 'forearm_r': (-30, 0, 0),
    'thigh_l': (-48, 0, 8), 'shin_l': (40, 0, 0), 'foot_l': (22, 0, 0),
    'thigh_r': (-14, 0, -6), 'shin_r': (58, 0, 0), 'foot_r': (14, 0, 0)}
HUMAN_LEFT = {
    'pelvis': (6, 0, -20), 'abdomen': (6, 0, -8), 'chest': (6, 0, -6), 'head': (-6, 10, 18),
    'upper_arm_l': (-20, 0, 30), 'forearm_l': (-60, 0, 0), 'upper_arm_r': (10, 0, -70), 'forearm_r': (-20, 0, 0),
    'thigh_l': (-40, 0, 28), 'shin_l': (62, 0, 0), 'foot_l': (-20, 0, 0),
    'thigh_r': (-8, 0, -12), 'shin_r': (14, 0, 0), 'foot_r': (18, 0, 12)}
# Wings: y sweeps the left one back, z raises it, x turns its front edge down.
WINGED_FORWARD = dict(both(
    wing_inner=(0, 38, 16), wing_middle=(0, 14, -6), wing_outer=(0, 30, -8),
    thigh=(52, 0, 0), shin=(-34, 0, 0), foot=(52, 0, 0)), **{
    'pelvis': (24, 0, 0), 'chest': (4, 0, 0), 'neck_1': (36, 0, 0), 'neck_2': (6, 0, 0), 'head': (-58, 0, 0),
    'tail_1': (-8, 0, 0), 'tail_2': (-6, 0, 0)})
WINGED_BACK = dict(both(
    wing_inner=(-28, -22, 34), wing_middle=(-8, -14, 16), wing_outer=(0, -22, 14),
    thigh=(-26, 0, 6), shin=(20, 0, 0), foot=(20, 0, 0)), **{
    'pelvis': (-24, 0, 0), 'chest': (-6, 0, 0), 'neck_1': (-14, 0, 0), 'neck_2': (28, 0, 0), 'head': (18, 0, 0),
    'tail_1': (32, 0, 0), 'tail_2': (22, 0, 0)})
WINGED_LEFT = {
    'pelvis': (8, 0, -24), 'chest': (0, 0, -6), 'neck_1': (10, 14, 8), 'neck_2': (4, 16, 8), 'head': (-18, 14, 12),
    'tail_1': (0, 14, 14), 'tail_2': (0, 12, 8),
    'wing_inner_l': (0, 30, 12), 'wing_middle_l': (0, 10, -4), 'wing_outer_l': (0, 24, -6),
    'wing_inner_r': (0, 6, -22), 'wing_middle_r': (0, -6, -4), 'wing_outer_r': (0, -18, 6),
    'thigh_l': (30, 0, 10), 'shin_l': (-20, 0, 0), 'foot_l': (40, 0, 0),
    'thigh_r': (38, 0, 6), 'shin_r': (-24, 0, 0), 'foot_r': (44, 0, 0)}


def make_dashes():
    clips = []
    for body, word, name, (forward, back, left) in (
            (HUMAN, 'A human', 'dash', (HUMAN_FORWARD, HUMAN_BACK, HUMAN_LEFT)),
            (WINGED, 'A winged creature', 'dash_winged', (WINGED_FORWARD, WINGED_BACK, WINGED_LEFT))):
        key = grounded(body, left)
        for way, made in (('forward', grounded(body, forward)), ('back', grounded(body, back)), ('left', key),
                          ('right', mirror_key(key))):
            clips.append((body, pose_clip('%s_%s' % (name, way), '%s dashes %s: one pose.' % (
                word, {'left': 'to the left', 'right': 'to the right'}.get(way, way)), made)))
    return clips


# ---- Standing ----

# The wings hang and are swept back like a cape, the neck in an S, the knees more bent than in the bind pose.
WINGED_STAND = dict(both(wing_inner=(0, 34, -18), wing_middle=(0, 12, -17), wing_outer=(0, 14, -14),
                         thigh=(-12, 0, 0), shin=(24, 0, 0), foot=(-12, 0, 0)), **{
    'neck_1': (-22, 0, 0), 'neck_2': (36, 0, 0), 'head': (-8, 0, 0), 'tail_1': (-6, 0, 0), 'tail_2': (-4, 0, 0)})


def solve_soles(body, position, angles, soles):
    pose = {joint: from_angles(*a) for joint, a in angles.items()}
    model = body.place(position, pose)
    for leg, sole in soles.items():
        pose.update(body.solve(leg, model, sole, (0, 0, 0, 1)))
    solved = {joint: to_angles(q) for joint, q in pose.items()}
    return round_key(position, {joint: solved.get(joint, (0, 0, 0)) for joint in body.joints})


def make_stands():
    # Its feet stand wider apart than in the bind pose, like rays of a star, and the body hangs between high knees.
    soles = {}
    for leg in SPIDER.legs:
        x, y, z = SPIDER.sole(leg)
        number = int(leg[-1])
        soles[leg] = ((1 if x > 0 else -1) * (0.36, 0.45, 0.45, 0.38)[number - 1], y,
                      (0.38, 0.13, -0.16, -0.42)[number - 1])
    spider_key = solve_soles(SPIDER, (0, 0.19, 0), {'abdomen': (6, 0, 0)}, soles)
    return [(WINGED, pose_clip('winged_stand', 'A winged creature stands at ease: one pose.',
                               grounded(WINGED, WINGED_STAND), WINGED.legs)),
            (SPIDER, pose_clip('spider_stand', 'A spider stands with its legs spread: one pose.', spider_key,
                               SPIDER.legs))]


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for body, clip in make_dashes() + make_stands():
        write_clip(clip, folder, body.joints, 'make_poses.py')
        print(clip['name'])


if __name__ == '__main__':
    main()
