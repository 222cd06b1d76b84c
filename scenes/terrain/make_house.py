#!/usr/bin/env python3
"""Writes house.glb, the level of the scene level_house: a plot of ground with a house of two storeys.

A front room and a back room with a door each, stairs to the upper floor, and a gable roof. Everything is made of closed
boxes and prisms; lengths are in metres, +Y is up, +Z forward (into the house), +X left. Usage: make_house.py [FILE]
"""

import json
import pathlib
import struct
import sys

WALL = 0.2
FRONT, BACK, RIGHT, LEFT = 2.0, 9.5, -3.0, 3.0  # outer sides of the walls
DOOR_WIDTH, DOOR_HEIGHT = 1.0, 2.1
RISE, RUN, STEPS, STAIRS_START = 0.17, 0.29, 16, 3.2
UPPER = RISE * STEPS  # the upper floor
SLAB = 0.17
EAVES, RIDGE = UPPER + 2.0, UPPER + 3.6
STAIRWELL = (1.6, LEFT - WALL)
STAIRS_END = STAIRS_START + RUN * (STEPS - 1)  # the last riser leads to the upper floor itself


def prism(profile, z):
    """Triangles of a solid whose profile, points (x, y) counter-clockwise seen from +z, extends from z[0] to z[1]."""
    count = len(profile)
    vertices = [(x, y, end) for end in z for x, y in profile]
    triangles = []
    for i in range(1, count - 1):
        triangles += [(0, i + 1, i), (count, count + i, count + i + 1)]
    for i in range(count):
        j = (i + 1) % count
        triangles += [(i, j, count + j), (i, count + j, count + i)]
    return vertices, triangles


def box(x, y, z):
    return prism([(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])], z)


def wall_with_door(x, y, z, middle):
    """A wall across x with a door around its middle, from the ground."""
    sides = (middle - DOOR_WIDTH / 2, middle + DOOR_WIDTH / 2)
    return [box((x[0], sides[0]), y, z), box((sides[1], x[1]), y, z), box(sides, (DOOR_HEIGHT, y[1]), z)]


def walls():
    inner = (RIGHT + WALL, LEFT - WALL)
    rooms = (0.0, UPPER - SLAB)
    solids = wall_with_door((RIGHT, LEFT), (0, EAVES), (FRONT, FRONT + WALL), 0)
    solids += [box((RIGHT, LEFT), (0, EAVES), (BACK - WALL, BACK))]
    solids += [box((side, side + WALL), (0, EAVES), (FRONT + WALL, BACK - WALL)) for side in (RIGHT, LEFT - WALL)]
    solids += wall_with_door((inner[0], STAIRWELL[0] - WALL), rooms, (5.5, 5.5 + WALL), 0)
    solids += [box((STAIRWELL[0] - WALL, STAIRWELL[0]), rooms, (STAIRS_START + 3 * RUN, BACK - WALL))]
    for end in ((FRONT, FRONT + WALL), (BACK - WALL, BACK)):
        solids += [prism([(RIGHT, EAVES), (LEFT, EAVES), (0, RIDGE)], end)]
    return solids


def upper_floor():
    inside = (FRONT + WALL, BACK - WALL)
    height = (UPPER - SLAB, UPPER)
    return [
        box((RIGHT + WALL, STAIRWELL[0]), height, inside),
        box(STAIRWELL, height, (inside[0], STAIRS_START)),
        box(STAIRWELL, height, (STAIRS_END, inside[1])),
    ]


def stairs():
    return [
        box(STAIRWELL, (0, RISE * (step + 1)), (STAIRS_START + RUN * step, STAIRS_START + RUN * (step + 1)))
        for step in range(STEPS - 1)
    ]


def roof():
    thickness, overhang = 0.2, 0.5
    slope = (RIDGE - EAVES) / LEFT
    edge = LEFT + overhang
    low = EAVES - overhang * slope
    z = (FRONT - overhang, BACK + overhang)
    return [
        prism([(0, RIDGE), (edge, low), (edge, low + thickness), (0, RIDGE + thickness)], z),
        prism([(0, RIDGE), (0, RIDGE + thickness), (-edge, low + thickness), (-edge, low)], z),
    ]


PARTS = {
    "plot": [box((-12, 12), (-0.5, 0), (-8, 16))],
    "walls": walls(),
    "upper_floor": upper_floor(),
    "stairs": stairs(),
    "roof": roof(),
}


def main():
    binary = b""
    document = {
        "asset": {"version": "2.0", "generator": "make_house.py"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(PARTS)))}],
        "nodes": [],
        "meshes": [],
        "accessors": [],
        "bufferViews": [],
    }

    def add(values, form, component, kind, target):
        nonlocal binary
        data = b"".join(struct.pack("<" + form, *value) for value in values)
        document["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(binary), "byteLength": len(data), "target": target}
        )
        accessor = {
            "bufferView": len(document["bufferViews"]) - 1,
            "componentType": component,
            "count": len(values),
            "type": kind,
        }
        if kind == "VEC3":
            stored = list(struct.iter_unpack("<3f", data))
            accessor["min"] = [min(v[axis] for v in stored) for axis in range(3)]
            accessor["max"] = [max(v[axis] for v in stored) for axis in range(3)]
        document["accessors"].append(accessor)
        binary += data + b"\0" * (-len(data) % 4)
        return len(document["accessors"]) - 1

    for name, solids in PARTS.items():
        vertices, indices = [], []
        for solid_vertices, triangles in solids:
            indices += [(len(vertices) + corner,) for triangle in triangles for corner in triangle]
            vertices += solid_vertices
        positions = add(vertices, "3f", 5126, "VEC3", 34962)
        primitive = {"attributes": {"POSITION": positions}, "indices": add(indices, "H", 5123, "SCALAR", 34963)}
        document["meshes"].append({"name": name, "primitives": [primitive]})
        document["nodes"].append({"name": name, "mesh": len(document["meshes"]) - 1})
    document["buffers"] = [{"byteLength": len(binary)}]

    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    default = pathlib.Path(__file__).with_name("house.glb")
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


if __name__ == "__main__":
    main()
