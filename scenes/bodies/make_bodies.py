#!/usr/bin/env python3
"""Writes the bodies that are not human, and the human with a scarf.

    python3 make_bodies.py [folder]      (default: the folder of this script)

Places, lengths and thicknesses are set by hand here; masses and inertias follow from the shapes (body_file.py), but
where a mass is named: thin limbs are made heavier than they look, so that neighbours differ by a factor of 3 at most,
as solvers like it. Strengths are made up: several times what standing takes. Stiffnesses reach them at 3 to 4 deg.

Frame: X left, Y up, Z forward; m, kg, deg.
"""
import math
import os
import sys

sys.dont_write_bytecode = True  # no __pycache__ among the bodies

from body_file import part_lines, weigh, write_body

LIZARD_DENSITY = 700  # kg/m^3: its shapes overlap where they meet, so that much of them counts twice

FREE = {'x': (-60, 60), 'y': (-60, 60), 'z': (-60, 60)}


def box(size, center):
    return ('box', size, center)


def capsule(radius, length, axis, center):
    return ('capsule', (radius, length), axis, center)


def flat_trunk(radius, aside, length, y, z):
    """Two capsules along z beside each other: a trunk that is broader than high."""
    return [capsule(radius, length, 'z', (side * aside, y, z)) for side in (1, -1)]


# ---- Lizard ----

LIZARD = """A monitor lizard, 1.9 m from snout to tip of the tail: the bind pose, in which it stands sprawled on four
legs. The thighs are level, the shins upright; the tail hangs clear of the ground.
Frame: X left, Y up, Z forward; lengths m, masses kg, inertias kg m^2 about the centre of mass (x, y, z), angles deg.

Size, half of it tail: a Komodo dragon that is not yet grown up (grown ones: 2.6 m, 80 kg; by the cube of the
length 30 kg), from memory; proportions by eye. Masses: the shapes at 0.7 kg/l, as neighbours overlap.
Knees and elbows are hinges about z. They bend in a plane that the hip turns, forward and back by y.""".split('\n')


def spine(name, parent, z, shapes, turn=(20, 30, 20), drive=(150, 2500)):
    x, y, t = turn
    return {'name': name, 'parent': parent, 'at': (0, z[0], z[1]), 'turn': ('ball', 'z'),
            'ranges': {'x': (-x, x), 'y': (-y, y), 'z': (-t, t)}, 'drive': drive, 'shapes': shapes,
            'density': LIZARD_DENSITY}


def lizard_leg(side, names, parent, hip, knee_x, ankle_y, thick, sole):
    """One leg of a pair; side: 'front' or 'hind'. The knee is straight outward from the hip, the ankle right below it.
    sole: (width, back, front) from the ankle."""
    thigh, shin, foot = names
    x, y, z = hip
    width, back, front = sole
    return [
        {'name': thigh + '_l', 'mirror': thigh + '_r', 'parent': parent, 'at': hip, 'turn': ('ball', 'x'),
         'ranges': {'x': (-60, 60), 'y': (-60, 60), 'z': (-45, 50)}, 'drive': (120, 2000), 'mass': 1.3,
         'shapes': [capsule(thick[0], knee_x - x - 0.03, 'x', ((x + knee_x) / 2, y, z))]},
        {'name': shin + '_l', 'mirror': shin + '_r', 'parent': thigh + '_l', 'at': (knee_x, y, z),
         'turn': ('hinge', 'z'), 'ranges': {'z': (-70, 80)}, 'drive': (90, 1500), 'mass': 0.55,
         'shapes': [capsule(thick[1], y - ankle_y - 0.03, 'y', (knee_x, (y + ankle_y) / 2, z))]},
        {'name': foot + '_l', 'mirror': foot + '_r', 'parent': shin + '_l', 'at': (knee_x, ankle_y, z), 'foot': True,
         'turn': ('ball', 'y'), 'ranges': FREE, 'drive': (50, 800), 'mass': 0.3,
         'shapes': [box((width, 0.036, front + back), (knee_x + 0.008, 0.018, z + (front - back) / 2))]},
    ], ('%s_left' % side, '%s_right' % side, thigh + '_l', shin + '_l', foot + '_l', (knee_x + 0.008, 0, z - back),
        (knee_x + 0.008, 0, z + front), width / 2)


def lizard():
    parts = [
        {'name': 'pelvis', 'at': (0, 0.21, 0), 'shapes': flat_trunk(0.065, 0.028, 0.12, 0.212, -0.01),
         'density': LIZARD_DENSITY},
        spine('spine_1', 'pelvis', (0.212, 0.07), flat_trunk(0.074, 0.034, 0.11, 0.213, 0.14)),
        spine('spine_2', 'spine_1', (0.214, 0.22), flat_trunk(0.077, 0.036, 0.11, 0.216, 0.29)),
        spine('chest', 'spine_2', (0.218, 0.37), flat_trunk(0.07, 0.031, 0.11, 0.222, 0.44)),
        spine('neck', 'chest', (0.238, 0.51), [capsule(0.06, 0.10, 'z', (0, 0.25, 0.57)),
                                               capsule(0.054, 0.04, 'z', (0, 0.268, 0.64))],
              (40, 40, 30), (60, 900)),
        spine('head', 'neck', (0.275, 0.67), [box((0.11, 0.085, 0.13), (0, 0.282, 0.74)),
                                              capsule(0.038, 0.10, 'z', (0, 0.273, 0.81))],
              (40, 50, 40), (40, 600)),
    ]
    y, z, parent = 0.21, -0.09, 'pelvis'
    tail = [(0.058, 0.17, 0.018), (0.05, 0.17, 0.018), (0.042, 0.16, 0.016), (0.034, 0.155, 0.014),
            (0.026, 0.15, 0.012), (0.019, 0.14, 0.01)]
    strengths = [(120, 2000), (80, 1300), (50, 800), (30, 500), (16, 260), (8, 130)]
    for i, ((radius, length, drop), drive) in enumerate(zip(tail, strengths), 1):
        name = 'tail_%d' % i
        # A tail may drag on the ground: that is no fall.
        parts.append(dict(spine(name, parent, (y, z), [capsule(radius, length - radius, 'z', (0, y - drop / 2,
                                                                                              z - length / 2))],
                                (45, 45, 30), drive), foot=True))
        y, z, parent = y - drop, z - length, name
    front, front_leg = lizard_leg('front', ('upper_arm', 'forearm', 'hand'), 'chest', (0.065, 0.195, 0.46), 0.225,
                                  0.045, (0.038, 0.03), (0.075, 0.035, 0.095))
    hind, hind_leg = lizard_leg('hind', ('thigh', 'shin', 'foot'), 'pelvis', (0.06, 0.195, 0.0), 0.235, 0.045,
                                (0.047, 0.034), (0.075, 0.04, 0.12))
    return parts + front + hind, [front_leg, hind_leg]


# ---- Spider ----

SPIDER = """A giant spider, 0.9 m across: a body of 0.55 m on eight legs of three parts. The bind pose, in which it
stands; in clips/spider_stand.yaml its legs are spread more.
Frame: X left, Y up, Z forward; lengths m, masses kg, inertias kg m^2 about the centre of mass (x, y, z), angles deg.

Proportions by eye, after tarantulas. Legs are heavier than a spider's, half of the whole, so that neighbours differ
by a factor of 3 at most.
Bones run obliquely: the femur up and outward to the knee above the back, the tibia down to the foot, both aslant
forward or back. As shapes lie along the axes, each bone is two capsules that follow it in steps.""".split('\n')


def along(a, b, share):
    return tuple(p + (q - p) * share for p, q in zip(a, b))


def two_capsules(radius, axis, a, b):
    """From joint a to joint b, in two steps along an axis."""
    k = 'xyz'.index(axis)
    length = abs(b[k] - a[k]) / 2
    return [capsule(r, length, axis, along(a, b, share)) for r, share in zip(radius, (0.25, 0.75))]


def spider_leg(number, z, slant):
    hip, knee = (0.08, 0.235, z), (0.36, 0.295, z + slant)
    ankle = (0.43, 0.045, z + 1.8 * slant)
    names = ['%s_%d' % (part, number) for part in ('femur', 'tibia', 'tarsus')]
    ends = lambda name: {'name': name + '_l', 'mirror': name + '_r'}
    center = (ankle[0] + 0.005, 0.0175, ankle[2])
    sole = lambda dz: (center[0], 0, center[2] + dz)
    return [
        dict(ends(names[0]), parent='prosoma', at=hip, turn=('ball', 'x'), mass=0.5, drive=(45, 700),
             ranges={'x': (-50, 50), 'y': (-50, 50), 'z': (-60, 60)},
             shapes=two_capsules((0.036, 0.031), 'x', hip, knee)),
        dict(ends(names[1]), parent=names[0] + '_l', at=knee, turn=('ball', 'y'), mass=0.22, drive=(35, 550),
             ranges={'x': (-60, 60), 'y': (-20, 20), 'z': (-70, 70)},
             shapes=two_capsules((0.029, 0.023), 'y', knee, ankle)),
        dict(ends(names[2]), parent=names[1] + '_l', at=ankle, turn=('ball', 'y'), mass=0.09, drive=(12, 200),
             ranges=FREE, foot=True, shapes=[box((0.05, 0.035, 0.06), center)]),
    ], ('left_%d' % number, 'right_%d' % number, *(name + '_l' for name in names), sole(-0.03), sole(0.03), 0.025)


def spider():
    parts = [
        {'name': 'prosoma', 'at': (0, 0.23, 0), 'mass': 1.4,
         'shapes': [box((0.15, 0.075, 0.24), (0, 0.235, 0)), box((0.09, 0.05, 0.06), (0, 0.225, 0.145))]},
        {'name': 'abdomen', 'parent': 'prosoma', 'at': (0, 0.245, -0.125), 'turn': ('ball', 'z'), 'mass': 3.2,
         'ranges': {'x': (-30, 40), 'y': (-30, 30), 'z': (-20, 20)}, 'drive': (80, 1300),
         'shapes': [capsule(0.11, 0.09, 'z', (0, 0.275, -0.27))]},
    ]
    legs = []
    for number, (z, slant) in enumerate([(0.105, 0.09), (0.038, 0.033), (-0.035, -0.033), (-0.1, -0.09)], 1):
        leg_parts, leg = spider_leg(number, z, slant)
        parts += leg_parts
        legs.append(leg)
    return parts, legs


# ---- Winged ----

WINGED = """A bird that stands 1.3 m high, wings of 2.6 m spread to the sides: the bind pose. Of a marabou stork's size
(1.2 to 1.5 m, span 2.3 to 2.9 m, to 9 kg; from memory), but heavier, so that neighbours differ by a factor of 3 at
most.
Frame: X left, Y up, Z forward; lengths m, masses kg, inertias kg m^2 about the centre of mass (x, y, z), angles deg.

A leg is thigh, shin and foot; the foot is the upright tarsus and the toes in one. The knee is at the belly and bends
like a human's, what looks like a knee bent backward is the ankle. Wings are stiff, they do not fold.""".split('\n')


def wing(name, parent, x, length, depth, z, height, mass, drive, ranges):
    y = 0.80
    center = (x + length / 2, y, z)
    return {'name': name + '_l', 'mirror': name + '_r', 'parent': parent, 'at': (x, y, 0.14), 'turn': ('ball', 'x'),
            'ranges': ranges, 'drive': drive, 'mass': mass,
            'shapes': [capsule(height, length - 2 * height, 'x', (center[0], y, 0.14)),
                       box((length - 0.008, 0.012, depth), center)]}


def winged():
    hip, knee, ankle = (0.085, 0.66, -0.03), (0.10, 0.53, 0.095), (0.10, 0.29, -0.02)
    parts = [
        {'name': 'pelvis', 'at': (0, 0.68, -0.05), 'mass': 2.3,
         'shapes': [capsule(0.105, 0.06, 'z', (0, 0.70, -0.06)), capsule(0.085, 0.04, 'z', (0, 0.69, -0.15))]},
        {'name': 'chest', 'parent': 'pelvis', 'at': (0, 0.71, 0.02), 'turn': ('ball', 'z'), 'mass': 2.4,
         'ranges': {'x': (-25, 25), 'y': (-20, 20), 'z': (-20, 20)}, 'drive': (120, 2200),
         'shapes': [capsule(0.12, 0.06, 'z', (0, 0.72, 0.08)), capsule(0.10, 0.05, 'z', (0, 0.75, 0.15))]},
        {'name': 'neck_1', 'parent': 'chest', 'at': (0, 0.79, 0.21), 'turn': ('ball', 'y'), 'mass': 0.8,
         'ranges': {'x': (-60, 80), 'y': (-50, 50), 'z': (-40, 40)}, 'drive': (30, 450),
         'shapes': [capsule(0.05, 0.12, 'y', (0, 0.87, 0.235))]},
        {'name': 'neck_2', 'parent': 'neck_1', 'at': (0, 0.95, 0.245), 'turn': ('ball', 'y'), 'mass': 0.5,
         'ranges': {'x': (-60, 80), 'y': (-60, 60), 'z': (-40, 40)}, 'drive': (20, 300),
         'shapes': [capsule(0.036, 0.16, 'y', (0, 1.045, 0.25))]},
        {'name': 'head', 'parent': 'neck_2', 'at': (0, 1.14, 0.255), 'turn': ('ball', 'y'), 'mass': 0.4,
         'ranges': {'x': (-60, 60), 'y': (-80, 80), 'z': (-45, 45)}, 'drive': (12, 180),
         'shapes': [capsule(0.05, 0.05, 'z', (0, 1.175, 0.275)), box((0.03, 0.035, 0.2), (0, 1.165, 0.41))]},
        {'name': 'tail_1', 'parent': 'pelvis', 'at': (0, 0.70, -0.21), 'turn': ('ball', 'z'), 'mass': 0.77,
         'ranges': {'x': (-50, 50), 'y': (-40, 40), 'z': (-30, 30)}, 'drive': (25, 400),
         'shapes': [box((0.14, 0.022, 0.17), (0, 0.69, -0.285))]},
        {'name': 'tail_2', 'parent': 'tail_1', 'at': (0, 0.68, -0.36), 'turn': ('ball', 'z'), 'mass': 0.26,
         'ranges': {'x': (-50, 50), 'y': (-40, 40), 'z': (-30, 30)}, 'drive': (8, 120),
         'shapes': [box((0.2, 0.014, 0.2), (0, 0.672, -0.45))]},
        wing('wing_inner', 'chest', 0.12, 0.36, 0.36, 0.0, 0.03, 0.85, (80, 1200),
             {'x': (-60, 60), 'y': (-60, 90), 'z': (-80, 80)}),
        wing('wing_middle', 'wing_inner_l', 0.48, 0.40, 0.30, 0.03, 0.022, 0.40, (40, 600),
             {'x': (-60, 60), 'y': (-150, 60), 'z': (-60, 60)}),
        wing('wing_outer', 'wing_middle_l', 0.88, 0.42, 0.21, 0.068, 0.014, 0.20, (15, 220),
             {'x': (-60, 60), 'y': (-60, 150), 'z': (-60, 60)}),
        {'name': 'thigh_l', 'mirror': 'thigh_r', 'parent': 'pelvis', 'at': hip, 'turn': ('ball', 'y'), 'mass': 0.9,
         'ranges': {'x': (-60, 60), 'y': (-30, 30), 'z': (-25, 30)}, 'drive': (120, 2200),
         'shapes': [capsule(0.058, 0.07, 'y', along(hip, knee, 0.3)),
                    capsule(0.05, 0.03, 'y', along(hip, knee, 0.75))]},
        {'name': 'shin_l', 'mirror': 'shin_r', 'parent': 'thigh_l', 'at': knee, 'turn': ('hinge', 'x'), 'mass': 0.45,
         'ranges': {'x': (-75, 60)}, 'drive': (100, 1800),
         'shapes': two_capsules((0.04, 0.026), 'y', knee, ankle)},
        {'name': 'foot_l', 'mirror': 'foot_r', 'parent': 'shin_l', 'at': ankle, 'turn': ('universal', 'y'),
         'foot': True, 'mass': 0.3, 'ranges': {'x': (-60, 60), 'z': (-35, 35)}, 'drive': (90, 1600),
         'shapes': [capsule(0.018, 0.23, 'y', (0.10, 0.16, -0.01)), box((0.10, 0.028, 0.24), (0.10, 0.014, 0.04))]},
    ]
    leg = ('left', 'right', 'thigh_l', 'shin_l', 'foot_l', (0.10, 0, -0.08), (0.10, 0, 0.16), 0.05)
    return parts, [leg]


# ---- Human with a scarf ----

SCARF = """The human with a scarf of heavy wool that hangs down his back from the nape, 0.72 m and 1.2 kg in six parts:
loose parts of a body. The parts of the human are those of human.yaml. The scarf is far lighter than the chest it
hangs on, which the exact solver does not mind (world.solver: step). There is no wind in the simulation: the scarf's
motors stand for it, strong enough to hold it out behind a runner as the animation has it.""".split('\n')


def write_human_scarf(folder):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'human.yaml'), encoding='utf-8') as file:
        text = file.read()
    start, end = text.index('parts:\n'), text.index('# Parts from hip to sole')
    lines = ['# ' + line for line in SCARF] + ['# Written by make_bodies.py; change that or human.yaml, not this.',
                                               'name: human_scarf']
    y, parent = 1.49, 'chest'
    scarf = []
    masses, length = [0.30, 0.25, 0.2, 0.17, 0.15, 0.13], 0.12
    for i, mass in enumerate(masses, 1):
        # What it takes to hold the rest of the scarf out level, and four times that for a runner's steps.
        level = 9.81 * sum(m * length * (k + 0.5) for k, m in enumerate(masses[i - 1:]))
        strength = float('%.2g' % (4 * level))
        stiffness = float('%.2g' % (strength / math.radians(3.5)))
        part = {'name': 'scarf_%d' % i, 'parent': parent, 'at': (0, y, -0.14), 'turn': ('ball', 'y'), 'mass': mass,
                'ranges': {'x': (-60 if i > 1 else 0, 150 if i == 1 else 60), 'y': (-40, 40), 'z': (-60, 60)},
                'drive': (strength, stiffness), 'shapes': [box((0.15, 0.115, 0.03), (0, y - 0.06, -0.14))]}
        scarf += part_lines(weigh(part))
        y, parent = y - length, part['name']
    with open(os.path.join(folder, 'human_scarf.yaml'), 'w', encoding='utf-8') as out:
        out.write('\n'.join(lines) + '\n' + text[start:end] + '\n'.join(scarf) + '\n' + text[end:])


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    write_body('lizard', LIZARD, *lizard(), folder)
    write_body('spider', SPIDER, *spider(), folder)
    write_body('winged', WINGED, *winged(), folder)
    write_human_scarf(folder)


if __name__ == '__main__':
    main()
