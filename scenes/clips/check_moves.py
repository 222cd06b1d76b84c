"""Measures the clips that are no gaits: standing, single moves, getting up, additive ones."""

import math

from check_clips import gap, Sampler, sole
from clip_math import add, conjugate, mul, rotate, scale, sub, to_angles
from human import HEEL_Z, JOINTS, surface, TOE_Z
from posing import yaw

RATE = 120  # Hz, of the samples
PARTS = [joint for joint in JOINTS if joint[:4] != 'foot']


def over_ground(clip, time, point):
    """A point of the root's frame over the ground; a clip moves or turns its root, not both. One that is made for a root
    that speeds up says its way: {'way': function of s}."""
    if 'way' in clip:
        return add(point, clip['way'](time))
    return add(rotate(yaw(clip.get('turn', 0.0) * time), point), scale(clip['velocity'], time))


def rotation_vector(q):
    """deg, the short way."""
    q = q if q[3] >= 0 else tuple(-c for c in q)
    s = math.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2)
    return scale(q[:3], math.degrees(2 * math.atan2(s, q[3])) / s if s > 1e-12 else 0.0)


def limited_angles(joint, q):
    """What the program limits: of balls swing (x, z) and twist about y, of the others the angles themselves; deg."""
    if joint[:4] in ('fore', 'shin', 'hand', 'foot'):
        return to_angles(q)
    n = math.hypot(q[1], q[3])
    twist = (0.0, q[1] / n, 0.0, q[3] / n)
    swing = rotation_vector(mul(q, conjugate(twist)))
    return swing[0], rotation_vector(twist)[1], swing[2]


def measure(clip):
    sampler, duration = Sampler(clip), clip['duration']
    count = max(1, round(duration * RATE))
    times = [duration * k / count for k in range(count + 1)]
    models = [sampler.model(t) for t in times]
    f = {'slip': 0.0, 'sink': 0.0, 'float': 0.0, 'ground': 0.0}

    for leg, end in (('left', '_l'), ('right', '_r')):
        for begin, finish in clip['contacts'][leg]:
            length = finish - begin if finish > begin else finish - begin + duration
            moved, previous = (0, 0, 0), None
            for k in range(101):
                time = begin + length * k / 100 * 0.9999
                model = sampler.model(time)
                now = [over_ground(clip, time, sole(model, end, z)) for z in (HEEL_Z, TOE_Z)]
                f['float'] = max(f['float'], min(e[1] for e in now))
                if previous:
                    i = 0 if now[0][1] + previous[0][1] < now[1][1] + previous[1][1] else 1
                    moved = add(moved, sub(now[i], previous[i]))
                    f['slip'] = max(f['slip'], math.hypot(moved[0], moved[2]))
                previous = now
        for model in models:
            f['sink'] = max(f['sink'], -min(p[1] for p in surface('foot' + end, model)[0]))

    for model in models[::4]:
        for part in PARTS:
            points, radius = surface(part, model)
            f['ground'] = max(f['ground'], radius - min(p[1] for p in points))

    f['margin'], f['tight'] = 999, ''
    for k, (_, pose) in enumerate(sampler.keys):
        for joint, (_, _, limits) in JOINTS.items():
            angles = limited_angles(joint, pose[joint])
            for axis, (low, high) in enumerate(limits or ()):
                margin = min(angles[axis] - low, high - angles[axis])
                if high > low and margin < f['margin']:
                    f['margin'], f['tight'] = margin, '%s %s in key %d' % (joint, 'xyz'[axis], k)
    f['knee'] = min(a['shin' + e][0] for _, a in clip['keys'] for e in ('_l', '_r'))

    f['arm'], f['leg'] = 9.0, 9.0
    for m in models[::6]:
        for e, o in (('_l', '_r'), ('_r', '_l')):
            for part in ('hand', 'forearm'):
                for other in ('pelvis', 'abdomen', 'chest', 'thigh_l', 'thigh_r'):
                    f['arm'] = min(f['arm'], gap(part + e, other, m))
            for part in ('foot', 'shin', 'thigh'):
                for other in ('foot', 'shin', 'thigh'):
                    f['leg'] = min(f['leg'], gap(part + e, other + o, m))

    # From key to key: angular velocities (deg/s), their changes (deg/s^2), and the root's acceleration.
    keys, n = sampler.keys, len(sampler.keys)
    f['rate'], f['jolt'], f['jolted'] = 0.0, 0.0, ''
    dt = duration / (n if clip['loop'] else max(1, n - 1))
    for joint in JOINTS:
        qs = [q[joint] for _, q in keys] + ([keys[0][1][joint]] if clip['loop'] else [])
        rates = []
        for a, b in zip(qs, qs[1:]):
            d = mul(conjugate(a), b)
            rates.append(scale(d[:3], math.degrees(2 / dt) * (1 if d[3] > 0 else -1)))
        f['rate'] = max([f['rate']] + [math.dist(r, (0, 0, 0)) for r in rates])
        pairs = zip(rates, rates[1:] + (rates[:1] if clip['loop'] else []))
        for k, (a, b) in enumerate(pairs):
            jolt = math.dist(a, b) / dt
            if jolt > f['jolt']:
                f['jolt'], f['jolted'] = jolt, '%s after %.2f s' % (joint, (k + 1) * dt)
    return f


# kind: {figure: most}; the least of margins and gaps.
MOST = {
    'stand': {'slip': 3, 'sink': 1, 'float': 1, 'ground': 0, 'rate': 20, 'jolt': 0.2},
    'thrown': {'slip': 3, 'sink': 1, 'float': 1, 'ground': 0, 'rate': 80, 'jolt': 1},
    'look': {'slip': 3, 'sink': 1, 'float': 1, 'ground': 0},
    'overlay': {'slip': 10, 'sink': 5, 'float': 5, 'ground': 0, 'rate': 1100, 'jolt': 20},
    'steps': {'slip': 3, 'sink': 5, 'float': 3, 'ground': 0, 'rate': 1500, 'jolt': 100},
    'turn': {'slip': 10, 'sink': 5, 'float': 3, 'ground': 0, 'rate': 1500, 'jolt': 100},
    'ground': {'slip': 10, 'sink': 5, 'float': 3, 'ground': 20, 'rate': 800, 'jolt': 25},
}
LEAST = {
    'stand': {'knee': 8, 'margin': 3, 'arm': 3, 'leg': 1},
    'thrown': {'knee': 8, 'margin': 3, 'arm': 3, 'leg': 1},
    'look': {'knee': 8, 'margin': 3, 'arm': 3, 'leg': 1},
    'overlay': {'knee': 8, 'margin': 3, 'arm': 0, 'leg': 1},
    'steps': {'knee': 8, 'margin': 1, 'arm': 2, 'leg': 1},
    'turn': {'knee': 8, 'margin': 1, 'arm': 2, 'leg': 0.5},
    'ground': {'knee': 1, 'margin': 0, 'arm': 0, 'leg': -2},
}
FACTOR = {'slip': 1000, 'sink': 1000, 'float': 1000, 'ground': 1000, 'arm': 100, 'leg': 100, 'jolt': 0.001}
TITLES = {'slip': 'standing foot slips mm', 'sink': 'foot under ground mm', 'float': 'standing sole over ground mm',
          'ground': 'other parts under ground mm', 'margin': 'margin to limits deg', 'knee': 'knee at least deg',
          'arm': 'arm to body cm', 'leg': 'leg to leg cm', 'rate': 'joint rate deg/s', 'jolt': 'joint jolt 1000 deg/s2'}


def check(clips):
    """Prints the table of figures, a clip in each line; returns how many are out of bounds."""
    print('; '.join('%s: %s' % item for item in TITLES.items()))
    print('%-24s' % '' + ''.join('%8s' % key for key in TITLES) + '   tightest, largest jolt')
    wrong = 0
    for clip in clips:
        f, line = measure(clip), '%-24s' % clip['name']
        for key in TITLES:
            value = f[key] * FACTOR.get(key, 1)
            good = (value <= MOST[clip['kind']].get(key, math.inf) + 1e-9 and
                    value >= LEAST[clip['kind']].get(key, -math.inf))
            wrong += not good
            line += '%8s' % ('%.1f%s' % (value, '' if good else '!'))
        print(line + '   %s, %s' % (f['tight'], f['jolted']))
    return wrong
