#!/bin/bash
# `stagger export` to MCAP. Python reads the container by its specification, and the messages by the descriptions of
# Protocol Buffers that are in the file, and compares them with the trace.
# Where node has them, npm's @mcap/core and protobufjs read the file as well.
# Usage: STAGGER=program SOURCE=source-folder export_mcap.sh; REPORT_PAGE: the folder whose node_modules has both
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

run 0 run hit_run --duration 3.2 --set expect=[] --trace run.h5 --quiet
run 0 export run.h5 -o run.mcap
has out "run.mcap: an MCAP file of"
has out "runner, output pose, 193 frames at 60 Hz, 16 parts, 1 hits"
has out "read back: 21616 numbers, all the same bits"
run 0 run mirror --set duration=0.5 --set expect=[] --trace two.h5 --quiet
run 0 export two.h5 -o two.mcap
has out "left_led and others, output pose, 31 frames at 60 Hz, 32 parts"
run 0 export two.h5 -o one.mcap --character right_led
has out "right_led, output pose, 31 frames at 60 Hz, 16 parts"

run 0 run laboratory/belt_slip --set 'platforms.0.speeds=[[0.1, 0, 0, 0], [0.26, 0, 0, 0.8], [0.42, 0, 0, 0]]' --duration 0.5 \
  --set expect=[] --trace belt.h5 --quiet
run 0 export belt.h5 -o belt.mcap
run 0 run laboratory/platform_toes_up --set 'platforms.0.tilts=[[0.1, 0, 0], [0.3, 8, -3]]' --duration 0.5 --set expect=[] \
  --trace tilt.h5 --quiet
run 0 export tilt.h5 -o tilt.mcap

# A bar that rests, and a ball that is thrown after 0.3 s.
run 0 run laboratory/trip_early --duration 0.5 --set expect=[] --set props.0.center=[0,0.03,2] --trace bar.h5 --quiet
run 0 export bar.h5 -o bar.mcap
run 0 run laboratory/header --duration 0.5 --set expect=[] --trace ball.h5 --quiet
run 0 export ball.h5 -o ball.mcap

run 2 export run.h5 -o bad.mcap --character nobody
has err "there is no character 'nobody'"
absent bad.mcap

page=$(realpath -m "${REPORT_PAGE:-$(dirname "$STAGGER")/report_page}")
if command -v node >/dev/null && [ -d "$page/node_modules/@mcap/core" ] && [ -d "$page/node_modules/protobufjs" ]; then
  for name in run bar; do
    node "$SOURCE/tests/e2e/export_mcap.mjs" "$page/node_modules" $name.mcap $name.json || fail "@mcap/core: $name.mcap"
  done
else
  echo "SKIP npm's readers: node, or @mcap/core and protobufjs in $page/node_modules, are not there"
fi

python=/usr/bin/python3
if ! $python -c "import numpy, h5py" 2>/dev/null; then
  echo "SKIP the comparison with h5py: python3 with numpy and h5py is missing"
  exit $((failed > 0))
fi

$python - <<'PYTHON' || failed=$((failed + 1))
import json
import os
import struct
import sys

import h5py
import numpy as np

failures = []


def check(good, text):
    if not good:
        failures.append(text)


# ---- Protocol Buffers ----


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields_of(data):
    """The fields of a message as (number, value): integers, doubles, or bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 1:
            value, at = struct.unpack_from("<d", data, at)[0], at + 8
        else:
            check(tag & 7 == 2, "a wire type")
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
            check(len(value) == size, "a length")
        yield tag >> 3, value


def described(schema):
    """{".package.Message": {number: (name, type, type's name, repeated)}} of a FileDescriptorSet."""
    types, seen = {}, []
    for _, file in fields_of(schema):
        parts = list(fields_of(file))
        name, package = (next(v for n, v in parts if n == k).decode() for k in (1, 2))
        check(all(v.decode() in seen for n, v in parts if n == 3), "imports come first")
        check((12, b"proto3") in parts, "syntax of " + name)
        seen.append(name)
        for number, message in parts:
            if number != 4:
                continue
            inner = list(fields_of(message))
            rows = {}
            for field in (dict(fields_of(v)) for n, v in inner if n == 2):
                rows[field[3]] = (field[1].decode(), field[5], field.get(6, b"").decode(), field[4] == 3)
            types[f".{package}.{inner[0][1].decode()}"] = rows
    return types


def decode(data, kind, types):
    message = {name: [] for name, _, _, repeated in types[kind].values() if repeated}
    for number, value in fields_of(data):
        name, code, inner, repeated = types[kind][number]
        value = decode(value, inner, types) if code == 11 else value.decode() if code == 9 else value
        if code == 7:  # packed
            message[name] += struct.unpack(f"<{len(value) // 4}I", value)
            continue
        check(isinstance(value, {1: float, 3: int, 5: int, 8: int, 9: str, 11: dict}[code]), "the type of " + name)
        if repeated:
            message[name].append(value)
        else:
            message[name] = value
    return message


# ---- The container ----


def read_mcap(name):
    data = open(name, "rb").read()
    magic = b"\x89MCAP0\r\n"
    check(data[:8] == data[-8:] == magic, "magic of " + name)
    at, schemas, channels, messages, kinds, summary = 8, {}, {}, [], [], 0

    def text(record, at):
        size = struct.unpack_from("<I", record, at)[0]
        return record[at + 4 : at + 4 + size], at + 4 + size

    while at < len(data) - 8:
        kind, size = struct.unpack_from("<BQ", data, at)
        record, start, at = data[at + 9 : at + 9 + size], at, at + 9 + size
        kinds.append(kind)
        if kind == 3:
            number = struct.unpack_from("<H", record)[0]
            label, end = text(record, 2)
            encoding, end = text(record, end)
            schema, end = text(record, end)
            check(schemas.setdefault(number, (label, encoding, schema)) == (label, encoding, schema), "schemas")
            check(end == size, "end of a schema")
        elif kind == 4:
            number, schema = struct.unpack_from("<HH", record)
            topic, end = text(record, 4)
            encoding, end = text(record, end)
            channel = (schemas[schema], topic.decode(), encoding.decode())
            check(channels.setdefault(number, channel) == channel and end + 4 == size, "channels")
        elif kind == 5:
            number, sequence, time, published = struct.unpack_from("<HIQQ", record)
            check(time == published and number in channels, "a message's head")
            messages.append((channels[number], sequence, time, record[22:]))
        elif kind == 15:
            summary = at
        elif kind == 11:
            count, schema_count, channel_count = struct.unpack_from("<QHI", record)
            first, last = struct.unpack_from("<QQ", record, 26)
            check((count, schema_count, channel_count) == (len(messages), len(schemas), len(channels)), "statistics")
            check((first, last) == (messages[0][2], messages[-1][2]), "times of the statistics")
            check(struct.unpack_from("<I", record, 42)[0] == 10 * len(channels) == size - 46, "counts by channel")
        elif kind == 2:
            check(struct.unpack("<QQI", record) == (summary, 0, 0) and at == len(data) - 8, "footer")
    check(kinds[0] == 1 and kinds[-1] == 2 and kinds.count(15) == 1, "order of the records")
    check(all(a[2] <= b[2] for a, b in zip(messages, messages[1:])), "messages come by time")
    topics = {}
    for (schema, topic, encoding), sequence, time, body in messages:
        entries = topics.setdefault(topic, [])
        check(sequence == len(entries), "sequence of " + topic)
        if encoding == "json":
            check(schema[1] == b"jsonschema" and json.loads(schema[2])["type"] == "object", "schema of " + topic)
            entries.append((time, json.loads(body)))
        else:
            check(schema[1] == b"protobuf" and encoding == "protobuf", "encoding of " + topic)
            entries.append((time, decode(body, "." + schema[0].decode(), described(schema[2]))))
    return topics


def numbers(message, names):
    return np.array([message[name] for name in names])


def turned(q, v):
    return v + 2 * np.cross(q[:3], np.cross(q[:3], v) + q[3] * v)


TO_FOXGLOVE = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])  # x forward, y left, z up of left, up, forward
trace = h5py.File("run.h5")
runner, time = trace["characters/runner"], trace["time"][:]
topics = read_mcap("run.mcap")
check(set(topics) == {"/poses", "/bodies", "/ground", "/contacts", "/hits", "/runner/angles"}, f"topics {set(topics)}")
check([t for t, _ in topics["/poses"]] == [round(1e9 * t) for t in time], "times of the poses")

# The root as the trace has it; a child's rotation in its parent's frame, too.
output = runner["pose/output"]
names = list(output["rotation"].attrs["names"])
for frame, (stamp, message) in enumerate(topics["/poses"]):
    found = {t["child_frame_id"]: t for t in message["transforms"]}
    check(len(found) == 16 and all(t["parent_frame_id"] == "world" for t in found.values()), "frames")
    stamps = {t["timestamp"]["seconds"] * 10**9 + t["timestamp"]["nanos"] for t in found.values()}
    check(stamps == {stamp}, "timestamps")
    pelvis, abdomen = found["runner/pelvis"], found["runner/abdomen"]
    place = numbers(pelvis["translation"], "xyz")
    check(np.abs(place - TO_FOXGLOVE @ output["root_position"][frame]).max() < 1e-6, "the pelvis' place")
    turn, inner = (numbers(part["rotation"], "xyzw") for part in (pelvis, abdomen))
    ours = output["root_rotation"][frame], output["rotation"][frame, names.index("abdomen")]
    for axis in np.eye(3):  # left, up, forward
        wanted = TO_FOXGLOVE @ turned(ours[0], axis)
        check(np.abs(turned(turn, TO_FOXGLOVE @ axis) - wanted).max() < 1e-5, "the pelvis' rotation")
        wanted = TO_FOXGLOVE @ turned(ours[0], turned(ours[1], axis))
        check(np.abs(turned(inner, TO_FOXGLOVE @ axis) - wanted).max() < 1e-5, "the abdomen's rotation")
    joint = place + turned(turn, np.array([0, 0, 1.06 - 0.93]))
    check(np.abs(numbers(abdomen["translation"], "xyz") - joint).max() < 1e-5, "the abdomen's place")

# Shapes, as the body's file has them: a box, and a capsule that stands.
entities = {e["id"]: e for e in topics["/bodies"][0][1]["entities"]}
check(len(entities) == 16 and all(e["frame_locked"] == 1 and e["frame_id"] == e["id"] for e in entities.values()), "ids")
box = entities["runner/pelvis"]["cubes"][0]
check(np.allclose(numbers(box["size"], "xyz"), [0.19, 0.30, 0.16]), "size of the pelvis")
check(np.allclose(numbers(box["pose"]["position"], "xyz"), [0, 0, 0.975 - 0.93]), "place of the pelvis' box")
head = entities["runner/head"]
check(np.allclose(numbers(head["cylinders"][0]["size"], "xyz"), [0.18, 0.18, 0.07]), "size of the head's cylinder")
ends = sorted(s["pose"]["position"]["z"] for s in head["spheres"])
check(np.allclose(ends, [0.125 - 0.035, 0.125 + 0.035]), f"the head's ends {ends}")

# The hit: an arrow with its tip at the struck point.
hits = [(t, m["entities"][0]) for t, m in topics["/hits"]]
check(len(hits) == len(trace["events"]) > 0, "number of hits")
for (stamp, entity), event in zip(hits, trace["events"][:]):
    arrow = entity["arrows"][0]
    turn = numbers(arrow["pose"]["orientation"], "xyzw")
    length = arrow["shaft_length"] + arrow["head_length"]
    tip = numbers(arrow["pose"]["position"], "xyz") + length * turned(turn, np.array([1.0, 0, 0]))
    check(np.abs(tip - TO_FOXGLOVE @ event["point"]).max() < 1e-5, "the arrow's tip")
    way = TO_FOXGLOVE @ event["impulse"] / np.linalg.norm(event["impulse"])
    check(np.abs(turned(turn, np.array([1.0, 0, 0])) - way).max() < 1e-5, "the arrow's direction")
    check(stamp == round(1e9 * event["time"]) and entity["lifetime"]["nanos"] == 500000000, "the hit's time")

# Contacts: an arrow from each, 1 m for 1000 N, of the mean force since the frame before.
contacts, on_ground = trace["contacts"], []
check([t for t, _ in topics["/contacts"]] == [t for t, _ in topics["/poses"]], "times of the contacts")
for frame, (_, message) in enumerate(topics["/contacts"]):
    (entity,) = message["entities"]
    rows = slice(contacts["first"][frame], contacts["first"][frame] + contacts["count"][frame])
    places = contacts["position"][rows] @ TO_FOXGLOVE.T
    forces = contacts["impulse"][rows] @ TO_FOXGLOVE.T / (time[frame] - time[frame - 1]) if frame else places[:0]
    keep = np.linalg.norm(forces, axis=1) > 0
    places, forces = places[: len(forces)][keep], forces[keep]
    check(entity["id"] == "contacts" and len(entity["arrows"]) == len(forces), "number of contacts")
    for arrow, place, force in zip(entity["arrows"], places, forces):
        turn = numbers(arrow["pose"]["orientation"], "xyzw")
        check(np.abs(numbers(arrow["pose"]["position"], "xyz") - place).max() < 1e-5, "a contact's place")
        arrow_force = 1000 * (arrow["shaft_length"] + arrow["head_length"]) * turned(turn, np.array([1.0, 0, 0]))
        check(np.abs(arrow_force - force).max() < 1e-3 * (10 + np.linalg.norm(force)), "a contact's force")
    on_ground += list(places)
check(len(on_ground) > 100, "contacts")

# The ground: under every contact the triangles are as high as it is.
(entity,) = topics["/ground"][0][1]["entities"]
mesh = entity["triangles"][0]
points = np.array([numbers(p, "xyz") for p in mesh["points"]])
triangles = points[np.array(mesh["indices"]).reshape(-1, 3)]
check(len(topics["/ground"]) == 1 and np.ptp(points[:, 2]) > 0.01, "bumps")
for place in on_ground[::7]:
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    edges = np.stack([b - a, c - a], axis=2)[:, :2]  # of each triangle, from above
    share = np.linalg.solve(edges, (place - a)[:, :2, None])[:, :, 0]
    inside = (share >= -1e-6).all(axis=1) & (share.sum(axis=1) <= 1 + 1e-6)
    height = (a + (b - a) * share[:, :1] + (c - a) * share[:, 1:])[inside, 2]
    check(len(height) > 0 and np.abs(height - place[2]).max() < 0.004, f"the ground under a contact: {height - place[2]}")

# A platform in its frame.
belt = read_mcap("belt.mcap")
cube = next(e for e in belt["/ground"][0][1]["entities"] if e["id"] == "platform/belt")["cubes"][0]
check(np.allclose(numbers(cube["size"], "xyz"), [40, 4, 0.2]), "size of the platform")
ways = [t["translation"]["x"] for _, m in belt["/poses"] for t in m["transforms"] if t["child_frame_id"] == "platform/belt"]
there = h5py.File("belt.h5")["objects/belt/position"][:, 2]
check(np.abs(np.array(ways) - there).max() < 1e-5 and abs(np.ptp(there) - 0.128) < 1e-4, "the platform's way")

# A floor that tilts: its axes, in every frame.
poses, floor = read_mcap("tilt.mcap")["/poses"], h5py.File("tilt.h5")["objects/floor"]
check(len(poses) == len(floor["rotation"]) > 20, "frames of the tilting floor")
for frame, (_, message) in enumerate(poses):
    (found,) = [t for t in message["transforms"] if t["child_frame_id"] == "platform/floor"]
    place, turn = numbers(found["translation"], "xyz"), numbers(found["rotation"], "xyzw")
    check(np.abs(place - TO_FOXGLOVE @ floor["position"][frame]).max() < 1e-5, "the tilting floor's place")
    for axis in np.eye(3):
        wanted = TO_FOXGLOVE @ turned(floor["rotation"][frame], axis)
        check(np.abs(turned(turn, TO_FOXGLOVE @ axis) - wanted).max() < 1e-5, "the tilting floor's rotation")
check(turned(turn, np.array([1.0, 0, 0]))[2] > 0.13, "it rises ahead")

# Props and balls: their shapes in frames that move as the trace has it, as long as they exist.
for name, label, kind, size in (("bar", "bar", "cubes", [0.04, 1.2, 0.06]), ("ball", "ball_1", "spheres", [0.22] * 3)):
    file, there = read_mcap(name + ".mcap"), h5py.File(name + ".h5")["objects/" + label]
    (entity,) = file["/objects"][0][1]["entities"]
    check(entity["id"] == entity["frame_id"] == "object/" + label and entity["frame_locked"] == 1, "frame of " + label)
    check(np.allclose(numbers(entity[kind][0]["size"], "xyz"), size), "size of " + label)
    exists = 0
    for frame, (_, message) in enumerate(file["/poses"]):
        mine = [t for t in message["transforms"] if t["child_frame_id"] == "object/" + label]
        place = there["position"][frame]
        check(len(mine) == np.isfinite(place).all(), label + " is there while it exists")
        for t in mine:
            exists += 1
            check(np.abs(numbers(t["translation"], "xyz") - TO_FOXGLOVE @ place).max() < 1e-6, "place of " + label)
            turn, ours = numbers(t["rotation"], "xyzw"), there["rotation"][frame]
            for axis in np.eye(3):
                away = turned(turn, TO_FOXGLOVE @ axis) - TO_FOXGLOVE @ turned(ours, axis)
                check(np.abs(away).max() < 1e-5, "rotation of " + label)
    check(exists > 10, f"{label} exists in {exists} frames")
check("/objects" not in topics, "no objects, no shapes")

# The same by npm's readers, which checked the container and its counts.
for name, frame_id in (("run", "runner/pelvis"), ("bar", "object/bar")):
    if os.path.exists(name + ".json"):
        theirs, ours = json.load(open(name + ".json")), read_mcap(name + ".mcap")
        check({t: len(m) for t, m in ours.items()} == theirs["counts"], f"counts by npm's reader {theirs['counts']}")
        places = {t: [numbers(f["translation"], "xyz").tolist() for f in m["transforms"] if f["child_frame_id"] == frame_id]
                  for t, m in ours["/poses"]}
        check(places == {int(t): p for t, p in theirs["places"][frame_id].items()}, "places by npm's reader of " + frame_id)

# A curve.
knee = np.array([m["knee_angle_l"] for _, m in topics["/runner/angles"]])
q = output["rotation"][:, names.index("shin_l")]
check(np.abs(knee - 2 * np.arctan2(q[:, 0], q[:, 3])).max() < 0.02, "the knee's angle")

check(len(read_mcap("two.mcap")["/poses"][0][1]["transforms"]) == 32, "two characters")
one = read_mcap("one.mcap")
check("/left_led/angles" not in one and len(one["/poses"][0][1]["transforms"]) == 16, "one of two characters")

for failure in sorted(set(failures)):
    print("FAIL", failure)
sys.exit(1 if failures else 0)
PYTHON

[ "$failed" -eq 0 ] || { echo "$failed failed"; exit 1; }
echo "all good"
