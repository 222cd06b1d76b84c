"""Measures finished clips and checks them against what walking and running people do."""

import math

from clip_math import add, conjugate, Curve, from_angles, mul, rotate, scale, sub, to_angles
from gait_data import RUN_DATA, WALK_DATA
from human import ANKLE_Y, center_of_mass, HEEL_Z, JOINTS, LIMIT_MARGIN, place_parts, SHAPES, surface, TOE_Z

G = 9.81  # m/s^2
RUN = {name: Curve(values) for name, values in RUN_DATA.items()}
WALK = {name: Curve(values) for name, values in WALK_DATA.items()}


class Sampler:
    """Samples the written keys as anim/clip.c does."""

    def __init__(self, clip):
        self.clip = clip
        self.keys = [(p, {j: from_angles(*a) for j, a in angles.items()}) for p, angles in clip['keys']]

    def pose(self, time):
        n = len(self.keys)
        if self.clip['loop']:
            at = time / self.clip['duration'] % 1 * n
            i = min(int(at), n - 1)
        else:
            at = min(max(time / self.clip['duration'], 0), 1) * (n - 1)
            i = max(0, min(int(at), n - 2))
        t = at - i
        (pa, qa), (pb, qb) = self.keys[i], self.keys[(i + 1) % n]
        pose = {}
        for j in qa:
            sign = 1 if sum(a * b for a, b in zip(qa[j], qb[j])) >= 0 else -1
            q = [a * (1 - t) + sign * b * t for a, b in zip(qa[j], qb[j])]
            length = math.sqrt(sum(c * c for c in q))
            pose[j] = tuple(c / length for c in q)
        return add(scale(pa, 1 - t), scale(pb, t)), pose

    def model(self, time):
        """{joint: (position, rotation)} in the root's frame."""
        return place_parts(*self.pose(time))


def sole(model, end, z):
    """The middle of the sole's edge at z from the ankle."""
    p, q = model['foot' + end]
    return add(p, rotate(q, (0, -ANKLE_Y, z)))


def gap(a, b, model):
    """Distance between two parts, from the points of a to the shape of b; m."""
    position, rotation = model[b]
    kind, size, centre = SHAPES[b.rsplit('_', 1)[0] if b[-2:] in ('_l', '_r') else b]
    points, radius = surface(a, model)
    best = 9.0
    for p in points:
        l = sub(rotate(conjugate(rotation), sub(p, position)), centre)
        if kind == 'capsule':
            d = math.dist(l, (0, max(-size[1], min(size[1], l[1])), 0)) - size[0]
        else:
            d = math.dist(l, tuple(max(-h, min(h, c)) for c, h in zip(l, size)))
        best = min(best, d - radius)
    return best


def standing(clip, leg, time):
    return any(begin <= time < end if begin <= end else time >= begin or time < end
               for begin, end in clip['contacts'][leg])


def measure(clip):
    """The figures of a clip, sampled as the program samples it."""
    sampler, duration, n = Sampler(clip), clip['duration'], 400
    speed = clip['velocity'][2]
    times = [duration * k / n for k in range(n)]
    models = [sampler.model(t) for t in times]
    f = {'name': clip['name'], 'slip': 0.0, 'sink': 0.0, 'float': 0.0, 'arm': 9.0, 'leg': 9.0}
    if speed:
        f['stance'] = 100 * clip['contacts']['left'][0][1] / duration

    for leg, end in (('left', '_l'), ('right', '_r')):
        begin, finish = clip['contacts'][leg][0]
        length = (finish - begin) % duration or duration
        # Material points of the sole, over the ground; while a foot stands the lower edge must stay.
        edges = lambda t: [add(sole(sampler.model(t), end, z), (0, 0, speed * t)) for z in (HEEL_Z, TOE_Z)]
        moved, steps, previous = (0, 0, 0), 100, None
        for k in range(steps + 1):
            now = edges(begin + length * k / steps * 0.9999)
            low = min(e[1] for e in now)
            f['sink'], f['float'] = max(f['sink'], -low), max(f['float'], low)
            if previous:
                i = 0 if now[0][1] + previous[0][1] < now[1][1] + previous[1][1] else 1
                moved = add(moved, sub(now[i], previous[i]))
                f['slip'] = max(f['slip'], math.hypot(moved[0], moved[2]))
            previous = now
        for k in range(101 if speed else 0):  # swing; clearance in its middle 70 %
            low = min(e[1] for e in edges(begin + length + (duration - length) * k / 100))
            f['sink'] = max(f['sink'], -low)
            if 15 <= k <= 85:
                f['clear'] = min(f.get('clear', 9), low)

    heights = [m['pelvis'][0][1] for m in models]
    f['range'] = max(heights) - min(heights)
    f['lowest'] = heights.index(min(heights[:n // 2])) / n  # phase
    f['knee'] = min(to_angles(q['shin' + e])[0] for t in times for q in [sampler.pose(t)[1]] for e in ('_l', '_r'))
    f['margin'], f['tight'] = 999, ''
    for _, angles in clip['keys']:
        for joint, (_, _, limits) in JOINTS.items():
            for axis, (low, high) in enumerate(limits or ()):
                margin = min(angles[joint][axis] - low, high - angles[joint][axis])
                if high > low and joint[:4] not in ('shin', 'fore') and margin < f['margin']:
                    f['margin'], f['tight'] = margin, joint + ' ' + 'xyz'[axis]

    for m in models[::10]:
        for e, o in (('_l', '_r'), ('_r', '_l')):
            for part in ('hand', 'forearm'):
                for other in ('pelvis', 'abdomen', 'chest', 'thigh_l', 'thigh_r'):
                    f['arm'] = min(f['arm'], gap(part + e, other, m))
            for part in ('foot', 'shin', 'thigh'):
                for other in ('foot', 'shin', 'thigh'):
                    f['leg'] = min(f['leg'], gap(part + e, other + o, m))

    f['level'] = max(abs(a) for m in models for a in to_angles(m['head'][1])[::2])

    # Largest change of a joint's angular velocity from key to key, deg/s^2; for the leg whose foot strikes by itself.
    keys = len(clip['keys'])
    dt = duration / keys
    strikes = {'_l': round(clip['contacts']['left'][0][0] / dt), '_r': round(clip['contacts']['right'][0][0] / dt)}
    f['jolt'], f['jolted'], f['impact'] = 0, '', 0
    for joint in JOINTS:
        qs = [q[joint] for _, q in sampler.keys]
        rates = []
        for a, b in zip(qs, qs[1:] + qs[:1]):
            d = mul(conjugate(a), b)
            rates.append(scale(d[:3], math.degrees(2 / dt) * (1 if d[3] > 0 else -1)))
        for k, (a, b) in enumerate(zip(rates[-1:] + rates, rates)):
            jolt = math.dist(a, b) / dt
            if speed and joint[:-2] in ('thigh', 'shin', 'foot') and k == strikes[joint[-2:]]:
                f['impact'] = max(f['impact'], jolt)
            elif jolt > f['jolt']:
                f['jolt'], f['jolted'] = jolt, joint

    # The centre of mass: its speed forward and, from keys that lie in flight, its acceleration.
    centers = [center_of_mass(sampler.model(k * dt)) for k in range(len(clip['keys']))]
    if speed:
        rates = [(b[2] - a[2]) / dt for a, b in zip(centers, centers[1:] + centers[:1])]
        f['surge'] = max(rates) - min(rates)
    if 'run' in clip['name']:
        y = [c[1] for c in centers]
        inside = [k for k in range(1, len(y) - 1) if not any(
            standing(clip, leg, (k + i) * dt % duration) for leg in ('left', 'right') for i in (-1, 0, 1))]
        f['flight'] = max(abs((2 * y[k] - y[k - 1] - y[k + 1]) / dt ** 2 / G - 1) for k in inside)

    # Likeness of the left leg's curves to the measured ones.
    data = {'walk': WALK, 'run': RUN}.get(clip['name'])
    if data:
        f['alike'] = 1.0
        for joint, curve, sign in (('thigh_l', 'hip_flexion', -1), ('shin_l', 'knee_flexion', 1),
                                   ('foot_l', 'dorsiflexion', -1)):
            made = [sign * angles[joint][0] for _, angles in clip['keys']]
            f['alike'] = min(f['alike'], correlation(made, [data[curve](k / len(made)) for k in range(len(made))]))
    return f


def correlation(a, b):
    ma, mb = sum(a) / len(a), sum(b) / len(b)
    return (sum((x - ma) * (y - mb) for x, y in zip(a, b)) /
            math.sqrt(sum((x - ma) ** 2 for x in a) * sum((y - mb) ** 2 for y in b)))


# What a strike does to the joints of its leg: the foot comes down at up to 1.15 m/s and stands a key (1/86 s) later. A
# knee bent k shortens the leg by THIGH SHIN sin k / length, 0.08 m/rad at the runners' 21 deg or more, so it alone
# would take 1.15 / 0.08 * 86 rad/s^2 = 71 000 deg/s^2. Everywhere else joints are smooth.
STRIKE_JOLT = 75  # 1000 deg/s^2

# figure: (title, scale, digits, {beginning of a clip's name: (least, most)}).
FIGURES = {
    'stance': ('stance %', 1, 1, {'walk': (60, 64), 'run': (35, 39)}),
    'slip': ('slip mm', 1000, 1, {'': (0, 3)}),
    'sink': ('sole under ground mm', 1000, 1, {'walk_stagger': (0, 1.5), '': (0, 1)}),
    'float': ('standing sole over ground mm', 1000, 1, {'': (0, 1)}),
    'clear': ('swing clearance mm', 1000, 0, {'walk': (20, 40), 'run': (60, 99)}),
    'range': ('pelvis range cm', 100, 1, {'walk_backward': (2, 4), 'walk': (3, 5), 'idle': (0, 1), 'run': (6, 10)}),
    'lowest': ('pelvis lowest at %', 100, 0, {'walk_stagger_right': (48, 54), 'walk': (3, 8), 'idle': (0, 100),
                                              'run': (16, 21)}),
    'flight': ('flight: off g by %', 100, 1, {'': (0, 10)}),
    'surge': ('forward speed varies mm/s', 1000, 0, {'': (0, 50)}),
    'knee': ('knee at least deg', 1, 1, {'': (8, 99)}),
    'margin': ('margin to limits deg', 1, 1, {'run_punch': (2, 99), '': (LIMIT_MARGIN, 99)}),
    'arm': ('arm to body cm', 100, 1, {'': (3, 99)}),
    'leg': ('leg to leg cm', 100, 1, {'': (1, 99)}),
    'level': ('head off level deg', 1, 1, {'run_stagger': (0, 25), 'walk_stagger': (0, 15), '': (0, 6)}),
    'jolt': ('joint jolt 1000 deg/s2', 0.001, 0, {'run_punch': (0, 65), '': (0, 40)}),
    'impact': ('jolt of a strike 1000 deg/s2', 0.001, 0, {'': (0, STRIKE_JOLT)}),
    'alike': ('likeness to data', 1, 3, {'': (0.9, 1)}),
}


def bounds_of(bounds, name):
    """Those of the longest beginning of the name that has some."""
    return bounds[max((key for key in bounds if name.startswith(key)), key=len)]


def check(clips):
    """Prints the figures, a clip in each column; returns how many are out of bounds."""
    wrong = 0
    for begin in range(0, len(clips), 7):
        columns = [measure(c) for c in clips[begin:begin + 7]]
        print('%-30s' % '' + ''.join('%13s' % c['name'].replace('stagger', 's')[:12] for c in columns))
        for key, (title, factor, digits, bounds) in FIGURES.items():
            line = '%-30s' % title
            for c in columns:
                if key not in c:
                    line += '%13s' % '-'
                    continue
                least, most = bounds_of(bounds, c['name'])
                value = c[key] * factor
                good = least <= value <= most
                wrong += not good
                line += '%13s' % ('%.*f%s' % (digits, value, '' if good else ' !'))
            print(line)
        for c in columns:
            print('%s: nearest limit %s, largest jolt %s' % (c['name'], c['tight'], c['jolted']))
        print()
    return wrong
