"""Vectors, rotations and curves. Quaternions are (x, y, z, w)."""

import math


def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scale(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    return scale(a, 1 / math.sqrt(dot(a, a)))


def mul(p, q):
    px, py, pz, pw = p
    qx, qy, qz, qw = q
    return (pw * qx + px * qw + py * qz - pz * qy, pw * qy - px * qz + py * qw + pz * qx,
            pw * qz + px * qy - py * qx + pz * qw, pw * qw - px * qx - py * qy - pz * qz)


def conjugate(q):
    return (-q[0], -q[1], -q[2], q[3])


def rotate(q, v):
    t = scale(cross(q[:3], v), 2)
    return add(add(v, scale(t, q[3])), cross(q[:3], t))


def turn(axis, angle):
    s = math.sin(angle / 2)
    return (axis[0] * s, axis[1] * s, axis[2] * s, math.cos(angle / 2))


def arc(a, b):
    """The shortest turn from unit vector a to b (not opposite)."""
    h = unit(add(a, b))
    return (*cross(a, h), dot(a, h))


def from_angles(x, y, z):
    """deg; q = Rx Rz Ry."""
    return mul(mul(turn((1, 0, 0), math.radians(x)), turn((0, 0, 1), math.radians(z))),
               turn((0, 1, 0), math.radians(y)))


def to_angles(q):
    """(x, y, z) in deg."""
    x, y, z, w = q
    r00, r01, r02 = 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)
    r11, r21 = 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)
    return tuple(map(math.degrees, (math.atan2(r21, r11), math.atan2(r02, r00), -math.asin(max(-1, min(1, r01))))))


def half_turn(q):
    """The rotation that gives q when done twice."""
    n = math.sqrt(dot(q[:3], q[:3]) + (q[3] + 1) ** 2)
    return (q[0] / n, q[1] / n, q[2] / n, (q[3] + 1) / n)


def smooth(x):
    """0 to 1 with two zero derivatives at either end."""
    x = max(0.0, min(1.0, x))
    return x ** 3 * (10 - 15 * x + 6 * x * x)


def fade(value, slope, t, span=0.35, slope_span=0.12):
    """From a value with a slope at t = 0 down to nothing; t in cycles."""
    s, u = min(1, t / span), min(1, t / slope_span)
    return value * (1 - s * s * (3 - 2 * s)) + slope * t * (1 - u) ** 2


def wave(p, peak):
    """A cosine of the cycle with its crest at phase `peak`."""
    return math.cos(2 * math.pi * (p - peak))


class Curve:
    """A periodic curve through measured values, by its first harmonics: smooth in every derivative."""

    def __init__(self, values, harmonics=9):
        n = len(values)
        self.mean = sum(values) / n
        self.terms = []
        for k in range(1, harmonics + 1):
            a = 2 / n * sum(v * math.cos(2 * math.pi * k * i / n) for i, v in enumerate(values))
            b = 2 / n * sum(v * math.sin(2 * math.pi * k * i / n) for i, v in enumerate(values))
            self.terms.append((2 * math.pi * k, a, b))

    def __call__(self, p):
        return self.mean + sum(a * math.cos(w * p) + b * math.sin(w * p) for w, a, b in self.terms)

    def both(self, p):
        """The part that both halves of the cycle share."""
        return (self(p) + self(p + 0.5)) / 2

    def sided(self, p):
        """The part that changes sign from one half to the other."""
        return (self(p) - self(p + 0.5)) / 2
