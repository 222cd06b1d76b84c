"""Writes body files: mass, centre of mass and inertia of a part come from its shapes, filled evenly.

A part is a dict with the keys of the file (README.md), but for:
  at         place of its joint, m
  turn       kind of joint and twist axis, such as ('hinge', 'z')
  ranges     of the axes that it turns about, {'x': (low, high)}, deg
  drive      (strength in N m, stiffness in N m/rad); the damping is 1/20 s of the stiffness
  mass       kg; without it `density` times volume, kg/m^3, by default that of water
Shapes are ('box', (x, y, z), center), ('capsule', (radius, length), axis, center), ('sphere', radius, center).
"""
import math
import os

DENSITY = 1000.0  # kg/m^3
CELLS = 32        # into which the longest edge of a part is cut for its inertia


def inside(shape, p):
    kind, size, center = shape[0], shape[1], shape[-1]
    d = [a - b for a, b in zip(p, center)]
    if kind == 'box':
        return all(abs(a) <= s / 2 for a, s in zip(d, size))
    if kind == 'capsule':
        k = 'xyz'.index(shape[2])
        d[k] = max(0.0, abs(d[k]) - size[1] / 2)
        size = size[0]
    return sum(a * a for a in d) <= size * size


def bounds(shape):
    kind, size, center = shape[0], shape[1], shape[-1]
    if kind == 'box':
        half = [s / 2 for s in size]
    elif kind == 'capsule':
        half = [size[0] + (size[1] / 2 if axis == shape[2] else 0) for axis in 'xyz']
    else:
        half = [size] * 3
    return [c - h for c, h in zip(center, half)], [c + h for c, h in zip(center, half)]


def fill(shapes):
    """Volume (m^3), centre and moments about it over the volume (m^2) of what the shapes cover together."""
    lows, highs = zip(*(bounds(s) for s in shapes))
    low, high = [min(v) for v in zip(*lows)], [max(v) for v in zip(*highs)]
    edge = max(b - a for a, b in zip(low, high)) / CELLS
    counts = [max(8, math.ceil((b - a) / edge - 1e-9)) for a, b in zip(low, high)]
    steps = [(b - a) / n for a, b, n in zip(low, high, counts)]
    axes = [[a + (i + 0.5) * s for i in range(n)] for a, s, n in zip(low, steps, counts)]
    points = [(x, y, z) for x in axes[0] for y in axes[1] for z in axes[2]
              if any(inside(s, (x, y, z)) for s in shapes)]
    n = len(points)
    center = [sum(v) / n for v in zip(*points)]
    square = [sum((p[k] - center[k]) ** 2 for p in points) / n + steps[k] ** 2 / 12 for k in range(3)]
    moments = [square[1] + square[2], square[0] + square[2], square[0] + square[1]]
    return n * steps[0] * steps[1] * steps[2], center, moments


def number(value):
    text = '%.4g' % value
    return '0' if float(text) == 0 else text


def listed(values):
    return '[' + ', '.join(number(v) for v in values) + ']'


def shape_text(shape):
    kind, center = shape[0], listed(shape[-1])
    if kind == 'capsule':
        return '{capsule: %s, axis: %s, center: %s}' % (listed(shape[1]), shape[2], center)
    return '{%s: %s, center: %s}' % (kind, listed(shape[1]) if kind == 'box' else number(shape[1]), center)


def joint_lines(part):
    if 'parent' not in part:
        return ['    joint: {kind: root, position: %s}' % listed(part['at'])]
    kind, twist = part['turn']
    strength, stiffness = part['drive']
    head = '    joint: {kind: %s, position: %s, twist_axis: %s, ' % (kind, listed(part['at']), twist)
    ranges = ', '.join('%s: %s' % (axis, listed(part['ranges'][axis])) for axis in sorted(part['ranges']))
    return [head + ranges + ',',
            '            strength: %s, stiffness: %s, damping: %s}' % tuple(map(number, (strength, stiffness,
                                                                                      stiffness / 20)))]


def weigh(part):
    """The part with its mass, centre of mass and inertia."""
    volume, center, moments = fill(part['shapes'])
    mass = part.get('mass') or part.get('density', DENSITY) * volume
    return dict(part, mass=mass, com=[round(c, 4) for c in center], inertia=[mass * m for m in moments])


def part_lines(part):
    lines = ['  - name: ' + part['name']]
    lines += ['    %s: %s' % (key, part[key]) for key in ('mirror', 'parent') if key in part]
    lines += ['    mass: ' + number(part['mass']), '    com: ' + listed(part['com']),
              '    inertia: ' + listed(part['inertia'])]
    if part.get('foot'):
        lines.append('    foot: true')
    shapes = [shape_text(s) for s in part['shapes']]
    return lines + joint_lines(part) + ['    shapes: [' + (',\n             ').join(shapes) + ']']


def leg_lines(leg):
    head = '  - {name: %s, mirror: %s, hip: %s, knee: %s, ankle: %s,' % leg[:5]
    return [head, '     heel: %s, toe: %s, half_width: %s}' % (listed(leg[5]), listed(leg[6]), number(leg[7]))]


def total(parts):
    """Mass and centre of mass of a body, mirror images included."""
    mass = sum(p['mass'] * (2 if 'mirror' in p else 1) for p in parts)
    weighted = lambda k: sum(p['mass'] * p['com'][k] * (2 if 'mirror' in p else 1) for p in parts) / mass
    return mass, (0.0, weighted(1), weighted(2))


def write_body(name, about, parts, legs, folder):
    parts = [weigh(p) for p in parts]
    mass, center = total(parts)
    lines = ['# ' + line if line else '#' for line in about]
    lines += ['#', '# %.1f kg, centre of mass at y %.3f, z %.3f m.' % (mass, center[1], center[2]),
              '# Written by make_bodies.py; change that, not this.', 'name: ' + name, 'parts:']
    for part in parts:
        lines += part_lines(part)
    lines.append('legs:')
    for leg in legs:
        lines += leg_lines(leg)
    with open(os.path.join(folder, name + '.yaml'), 'w', encoding='utf-8') as out:
        out.write('\n'.join(lines) + '\n')
    print('%-8s %2d parts, %.1f kg, centre of mass y %.3f z %.3f m' % (
        name, sum(2 if 'mirror' in p else 1 for p in parts), mass, center[1], center[2]))
