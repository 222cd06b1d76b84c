#!/usr/bin/env python3
"""Makes the height maps of this folder: hills.png, ground to walk over, and spots.png, ground to stand on.

    python3 scenes/terrain/make_terrain.py

Grey PNG of 16 bits; a scene says how large and how high it is. The first column and row lie at the lowest x and z.
"""

import math
import random
import struct
import zlib
from pathlib import Path

FOLDER = Path(__file__).parent


def write_png(name, heights, lowest, highest):
    """heights: rows of m; black is `lowest`, white `highest`."""
    lines = b''
    for row in heights:
        greys = [round(65535 * (height - lowest) / (highest - lowest)) for height in row]
        assert all(0 <= grey <= 65535 for grey in greys)
        lines += b'\0' + struct.pack('>%dH' % len(row), *greys)

    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))

    header = struct.pack('>IIBBBBB', len(heights[0]), len(heights), 16, 0, 0, 0, 0)
    (FOLDER / name).write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) +
                                chunk(b'IDAT', zlib.compress(lines, 9)) + chunk(b'IEND', b''))


def ease(x):
    x = min(max(x, 0), 1)
    return x * x * (3 - 2 * x)


# ---- hills.png: x -4 .. 4 m, z -2 .. 22 m, a pixel every 0.2 m, 0 .. 1.2 m high ----


def make_hills():
    """Round hills of 0.5 to 2 m radius, the steepest place 25 deg; level around the origin."""
    rng = random.Random(4)
    hills = []
    for _ in range(70):
        radius = rng.uniform(0.5, 2)
        hills.append((rng.uniform(-4, 4), rng.uniform(1, 22), radius, rng.uniform(-0.22, 0.22) * radius))

    def height(x, z):
        raised = sum(rise * math.exp(-((x - at_x) ** 2 + (z - at_z) ** 2) / radius ** 2)
                     for at_x, at_z, radius, rise in hills)
        return 0.5 + raised * ease((math.hypot(x, z) - 0.8) / 2)

    return [[height(-4 + 0.2 * i, -2 + 0.2 * k) for i in range(41)] for k in range(121)]


# ---- spots.png: x 0 .. 11.2 m, z -0.8 .. 2.4 m, a pixel every 4 cm, 0 .. 0.8 m high: seven kinds ----

CELL, SPOT = 0.04, 1.6  # m


def make_spots():
    """Seven strips, side by side. Along z each is there twice, from -0.8 to 0.8 m and from 0.8 to 2.4 m."""
    rng = random.Random(2)
    blocks = {(i, k): rng.uniform(-0.06, 0.06) for i in range(-4, 5) for k in range(-4, 5)}
    waves = [(rng.uniform(0, 2 * math.pi), rng.uniform(0, 2 * math.pi), 0.5 ** (layer // 3)) for layer in range(9)]

    def bumps(x, z):
        total = 0
        for phase, direction, size in waves:
            along = x * math.cos(direction) + z * math.sin(direction)
            total += 0.02 * size * math.sin(2 * math.pi * along / (1.2 * size) + phase)
        return total

    strips = [
        lambda x, z: math.tan(math.radians(20)) * z,                      # uphill
        lambda x, z: -math.tan(math.radians(20)) * z,                     # downhill
        lambda x, z: math.tan(math.radians(15)) * x,                      # across
        lambda x, z: 0.16 * math.floor((z - 0.5 * CELL) / 0.32 + 1),      # stairs: an edge between the feet
        lambda x, z: -0.16 * math.floor((z - 0.5 * CELL) / 0.32 + 0.75),  # and one under the toes
        lambda x, z: blocks[round(x / 0.24 + 0.5), round(z / 0.24 + 0.5)],  # one block for each foot
        bumps,
    ]

    def height(i, k):
        strip = min(int(i * CELL / SPOT), len(strips) - 1)
        x, z = i * CELL - (strip + 0.5) * SPOT, (k * CELL) % SPOT - 0.5 * SPOT
        return 0.4 + min(max(strips[strip](x, z), -0.4), 0.4)

    columns, rows = round(len(strips) * SPOT / CELL) + 1, round(2 * SPOT / CELL) + 1
    return [[height(i, k) for i in range(columns)] for k in range(rows)]


if __name__ == '__main__':
    write_png('hills.png', make_hills(), 0, 1.2)
    write_png('spots.png', make_spots(), 0, 0.8)
