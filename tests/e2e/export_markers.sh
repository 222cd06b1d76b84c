#!/bin/bash
# `stagger export` to markers, .trc and .c3d, and to .npz. Python reads them by their specifications, as another program
# would, and compares them with the places that it computes itself from the trace and the body's file.
# Usage: STAGGER=program SOURCE=source-folder export_markers.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

run 0 run hit_run --duration 1 --set expect=[] --trace run.h5 --quiet
for format in trc c3d; do
  for pose in output measured; do
    run 0 export run.h5 --pose $pose -o $pose.$format
    has out "runner, $pose pose, 61 frames at 60 Hz, 23 markers, mm"
    [ $format = trc ] || has out "23 markers, mm, 3 force plates"
    has out "all the same bits"
  done
done

for pose in output measured; do
  run 0 export run.h5 --pose $pose -o $pose.npz
  has out "runner, $pose pose, 61 frames at 60 Hz, 16 joints, 23 markers, 39 angles, AMASS"
  has out "all the same bits"
done

# As a motion of AMASS it is a run at the runner's speed.
run 0 inspect measured.npz
has out "up         +z"
has out "front      -y"

python=/usr/bin/python3
if ! $python -c "import numpy, h5py" 2>/dev/null; then
  echo "SKIP the comparison with h5py: python3 with numpy and h5py is missing"
  exit $((failed > 0))
fi

$python - "$SOURCE/scenes/bodies/human.yaml" <<'PYTHON' || failed=$((failed + 1))
import re
import struct
import sys

import h5py
import numpy as np

failures = []


def check(good, text):
    if not good:
        failures.append(text)


TO_LABORATORY = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])  # x forward, y left, z up

# The body: each part's parent and joint (m, bind pose), read from its file.
MIRROR = np.array([-1, 1, 1])
parents, joints = {}, {}
other = lambda name, side: name[:-2] + side if name and name.endswith("_l") else name
for block in re.split(r"\n  - name: ", open(sys.argv[1]).read())[1:]:
    name = block.split()[0]
    if "mass:" not in block:
        continue
    parent = re.search(r"parent: (\w+)", block)
    place = np.array([float(x) for x in re.search(r"position: \[(.*?)\]", block)[1].split(",")])
    for side, sign in (("_l", np.ones(3)), ("_r", MIRROR))[: 1 + ("mirror:" in block)]:
        joints[other(name, side)] = place * sign
        parents[other(name, side)] = other(parent[1], side) if parent else None
check(len(joints) == 16, f"{len(joints)} parts in the body's file")
EXTRA = {"foot_l.heel": [0.09, 0, -0.08], "foot_l.toe": [0.09, 0, 0.18], "head.end": [0, 1.75, 0.01],
         "hand_l.end": [0.215, 0.67, 0]}  # m, bind pose, as the body's file has them
EXTRA.update({key.replace("_l", "_r"): MIRROR * place for key, place in EXTRA.items() if "_l" in key})


def turned(q, v):
    u, w = q[:, :3], q[:, 3:]
    return v + 2 * np.cross(u, np.cross(u, v) + w * v)


def product(a, b):
    u, v, s, t = a[:, :3], b[:, :3], a[:, 3:], b[:, 3:]
    return np.hstack([s * v + t * u + np.cross(u, v), s * t - (u * v).sum(1, keepdims=True)])


# The place of every marker in every frame, m, x left, y up, z forward.
trace = h5py.File("run.h5")
runner = trace["characters/runner"]
time = trace["time"][:]


def places_of(pose):
    channel = runner["pose"][pose]
    names = list(channel["rotation"].attrs["names"])
    places, turns = {}, {}
    for name in joints:
        if parents[name] is None:
            places[name] = channel["root_position"][:].astype(float)
            turns[name] = channel["root_rotation"][:].astype(float)
            continue
        over = parents[name]
        places[name] = places[over] + turned(turns[over], joints[name] - joints[over] + 0 * places[over])
        turns[name] = product(turns[over], channel["rotation"][:, names.index(name)].astype(float))
    for name, place in EXTRA.items():
        part = name.split(".")[0]
        places[name] = places[part] + turned(turns[part], place - joints[part] + 0 * places[part])
    return places, turns


def read_trc(name):
    lines = open(name).read().split("\n")
    check(lines[0].startswith("PathFileType\t4\t(X/Y/Z)\t"), "first line of " + name)
    header = dict(zip(lines[1].split("\t"), lines[2].split("\t")))
    check(header["Units"] == "mm" and float(header["DataRate"]) == 60, "units and rate of " + name)
    labels = lines[3].split("\t")[2::3]
    labels = labels[: int(header["NumMarkers"])]
    check(lines[4].split("\t")[2:] == [f"{axis}{i + 1}" for i in range(len(labels)) for axis in "XYZ"], "line 5")
    check(lines[5] == "" and lines[-1] == "", "the empty lines of " + name)
    rows = np.array([[float(v) for v in line.split("\t")] for line in lines[6:-1]])
    check(len(rows) == int(header["NumFrames"]), "rows of " + name)
    check(np.array_equal(rows[:, 0], np.arange(len(rows)) + 1) and np.array_equal(rows[:, 1], time), "times of " + name)
    return dict(zip(labels, np.moveaxis(rows[:, 2:].reshape(len(rows), -1, 3), 1, 0)))


# What force plates measure: the forces on the body and the point about which they have no horizontal moment, as
# programs find them from corners, origins and channels, beside those of the contacts in the trace.
def check_plates(name, values, channels):
    used, scale = values["FORCE_PLATFORM:USED"], values["ANALOG:SCALE"]
    check(used == 3 and (values["FORCE_PLATFORM:TYPE"] == 2).all(), "plates of " + name)
    check((scale == 1).all() and values["ANALOG:GEN_SCALE"] == 1 and not values["ANALOG:OFFSET"].any(), "scales")
    check(values["ANALOG:LABELS"][6:9] == ["Fx2", "Fy2", "Fz2"], "labels of " + name)
    check(values["ANALOG:DESCRIPTIONS"][8] == "Fz foot_r" and values["ANALOG:UNITS"][11] == "Nmm", "texts of " + name)
    check(values["ANALOG:RATE"] == 60 and not values["FORCE_PLATFORM:ZERO"].any(), "rate of " + name)
    contacts = trace["contacts"]
    part = contacts["part"][:]
    parts = list(contacts["part"].attrs["names"])
    of_plate = {0: "runner/foot_l", 1: "runner/foot_r", 2: None}
    loaded = 0
    for plate in range(used):
        corners = values["FORCE_PLATFORM:CORNERS"][plate].astype(float)
        x, y = corners[0] - corners[1], corners[0] - corners[3]
        axes = np.array([x / np.linalg.norm(x), y / np.linalg.norm(y), [0, 0, 0]])
        axes[2] = np.cross(axes[0], axes[1])
        check(np.allclose(axes, [[1, 0, 0], [0, -1, 0], [0, 0, -1]]), "axes of a plate")
        index = values["FORCE_PLATFORM:CHANNEL"][plate].astype(int) - 1
        force, moment = channels[:, index[:3]], channels[:, index[3:]]
        moment = moment + np.cross(force, values["FORCE_PLATFORM:ORIGIN"][plate].astype(float))
        for frame in range(1, len(time)):
            rows = np.arange(contacts["first"][frame], contacts["first"][frame] + contacts["count"][frame])
            mine = [r for r in rows if (parts[part[r]] == of_plate[plate] if of_plate[plate] else
                                        not parts[part[r]].startswith("runner/foot")) and contacts["other"][r] == -1]
            impulses = contacts["impulse"][mine] @ TO_LABORATORY.T / (time[frame] - time[frame - 1])
            found = force[frame] @ axes
            check(np.abs(found - impulses.sum(0)).max() < 0.01 + 1e-5 * np.abs(found).max(), f"force on plate {plate}")
            if found[2] < 50:
                continue
            loaded += 1
            local = [-moment[frame, 1] / force[frame, 2], moment[frame, 0] / force[frame, 2], 0]
            pressure = corners.mean(0) + local @ axes
            arms = 1000 * contacts["position"][mine] @ TO_LABORATORY.T - pressure
            left = np.cross(arms, impulses).sum(0)
            check(np.abs(left[:2]).max() < 1e-3 * found[2] + 20, f"moment about the pressure {left}")
            inside = (corners[:, :2].min(0) < pressure[:2]).all() and (pressure[:2] < corners[:, :2].max(0)).all()
            check(inside, "the pressure is on the plate")
            free = (moment[frame] - np.cross(local, force[frame])) @ axes
            check(abs(free[2] - left[2]) < 1e-3 * found[2] + 20, "the free moment")
    check(loaded > 20, f"{loaded} frames with load")


def read_c3d(name):
    data = open(name, "rb").read()
    first, key, points, analog, start, end, gap, scale, block, samples, rate = struct.unpack("<2B5HfHHf", data[:24])
    check(key == 0x50 and gap == 0 and scale < 0 and rate == 60, "header of " + name)
    check((analog, samples) == (18, 1), "analog channels of " + name)
    check(len(data) % 512 == 0, "size of " + name)
    at = 512 * (first - 1)
    blocks, processor = data[at + 2], data[at + 3]
    check(processor == 84 and block == first + blocks, "parameters' header of " + name)
    groups, values = {}, {}
    at += 4
    while data[at] != 0:
        length, group = struct.unpack_from("<bb", data, at)
        text = data[at + 2 : at + 2 + length].decode()
        at += 2 + length
        following = at + struct.unpack_from("<H", data, at)[0]
        if group < 0:
            groups[-group] = text
            check(following == at + 3 + data[at + 2], "length of group " + text)
        else:
            kind, rank = struct.unpack_from("<bB", data, at + 2)
            shape = list(data[at + 4 : at + 4 + rank])
            count, begin = int(np.prod(shape)) if rank else 1, at + 4 + rank
            raw = data[begin : begin + count * abs(kind)]
            check(following == begin + len(raw) + 1 + data[begin + len(raw)], "length of parameter " + text)
            if kind == -1:
                value = [raw[i : i + shape[0]].decode().rstrip() for i in range(0, count, shape[0])]
            else:
                value = np.frombuffer(raw, {2: "<u2", 4: "<f4"}[kind]).reshape(shape[::-1])
            values[groups[group] + ":" + text] = value if np.size(value) > 1 else np.ravel(value)[0]
        at = following
    frames = values["POINT:FRAMES"]
    check(frames == len(time) and (start, end) == (1, frames) and values["POINT:LONG_FRAMES"] == frames, "frames")
    check(list(values["TRIAL:ACTUAL_END_FIELD"]) == [frames, 0], "TRIAL")
    check(values["POINT:UNITS"] == "mm" and values["POINT:RATE"] == 60 and values["POINT:SCALE"] == scale, "POINT")
    check(values["POINT:USED"] == points == len(values["POINT:LABELS"]), "points of " + name)
    check(values["POINT:DATA_START"] == block and values["ANALOG:USED"] == analog, "start of the frames")
    check((values["POINT:X_SCREEN"], values["POINT:Y_SCREEN"]) == ("+X", "+Z"), "axes")
    whole = np.frombuffer(data, "<f4", (4 * points + analog) * frames, 512 * (block - 1)).reshape(frames, -1)
    rows = whole[:, : 4 * points].reshape(frames, points, 4)
    check_plates(name, values, whole[:, 4 * points :].astype(float))
    check((rows[:, :, 3] == 0).all() and np.abs(rows).max() <= -32000 * scale * (1 + 1e-6), "residuals, scale")
    return dict(zip(values["POINT:LABELS"], np.moveaxis(rows[:, :, :3], 1, 0).astype(float)))


# SMPL's skeleton as far as it turns, and where its limbs point in the T-pose of an average adult.
SMPL_PARENTS = [-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19]
SMPL_LIMBS = {1: ("thigh_l", "shin_l", [0.03, -0.38, 0]), 4: ("shin_l", "foot_l", [-0.01, -0.4, -0.04]),
              16: ("upper_arm_l", "forearm_l", [0.26, -0.01, -0.03]), 18: ("forearm_l", "hand_l", [0.25, 0.01, 0]),
              2: ("thigh_r", "shin_r", [-0.03, -0.38, 0]), 17: ("upper_arm_r", "forearm_r", [-0.26, -0.01, -0.03])}
SMPL_TRUNK = {0: "pelvis", 3: "abdomen", 9: "chest", 12: "head", 7: "foot_l", 8: "foot_r"}
TO_AMASS = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])  # x left, y back, z up


def matrix(v):
    angle = np.linalg.norm(v, axis=1)[:, None, None]
    x, y, z = (v / np.maximum(angle[:, 0], 1e-9)).T
    k = np.moveaxis(np.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]]), 2, 0)
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def check_npz(name, places, turns):
    archive = np.load(name)
    channel = runner["pose"][name[:-4]]
    check(str(archive["character"]) == "runner" and str(archive["pose_name"]) == name[:-4], "texts of " + name)
    check(np.array_equal(archive["time"], time) and archive["frame_rate"] == 60, "times of " + name)
    names = list(archive["joint_names"])
    check(names[1:] == list(channel["rotation"].attrs["names"]), "joints of " + name)
    over = [names[i] if i >= 0 else None for i in archive["joint_parents"]]
    check(dict(zip(names, over)) == parents, "parents of " + name)
    whole = np.concatenate([channel["root_rotation"][:][:, None], channel["rotation"][:]], 1)
    check(np.abs(archive["joint_rotations"] - whole).max() < 1e-6, "rotations of " + name)
    for i, label in enumerate(archive["marker_names"]):
        away = np.abs(archive["marker_positions"][:, i] - places[label]).max()
        check(away < 1e-5, f"{label} of {name} is {away} m off")
    knee = archive["angles"][:, list(archive["angle_names"]).index("knee_angle_l")]
    bend = 2 * np.arctan2(whole[:, names.index("shin_l"), 0], whole[:, names.index("shin_l"), 3])
    check(np.abs(knee - bend).max() < 0.01, "knee of " + name)
    # AMASS.
    check(archive["poses"].shape == (len(time), 156) and not archive["poses"][:, 66:].any(), "fingers")
    check(str(archive["gender"]) == "neutral" and archive["mocap_framerate"] == 60, "AMASS' names")
    check(np.abs(archive["trans"] - places["pelvis"] @ TO_AMASS.T).max() < 1e-5, "trans of " + name)
    world = []
    for j, parent in enumerate(SMPL_PARENTS):
        local = matrix(archive["poses"][:, 3 * j : 3 * j + 3].astype(float))
        world.append(local if parent < 0 else world[parent] @ local)
    for j, (part, end, rest) in SMPL_LIMBS.items():
        limb = (places[end] - places[part]) @ TO_AMASS.T
        found = world[j] @ rest / np.linalg.norm(rest)
        away = np.abs(found - limb / np.linalg.norm(limb, axis=1)[:, None]).max()
        check(away < 1e-3, f"{part} of {name} points {away} rad away")
    for j, part in SMPL_TRUNK.items():
        for axis in np.eye(3):
            away = np.abs(world[j] @ axis - turned(turns[part], axis + 0 * places[part]) @ TO_AMASS.T).max()
            check(away < 1e-3, f"{part} of {name} is turned by {away} rad")


TO_OPENSIM = np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]])  # x forward, y up, z right
for pose in ("output", "measured"):
    places, turns = places_of(pose)
    for name, markers, turn in ((pose + ".trc", read_trc(pose + ".trc"), TO_OPENSIM),
                                (pose + ".c3d", read_c3d(pose + ".c3d"), TO_LABORATORY)):
        check(set(markers) == set(places), f"markers of {name}: {set(markers) ^ set(places)}")
        for label in set(markers) & set(places):
            away = np.abs(markers[label] - 1000 * places[label] @ turn.T).max()
            check(away < 0.01, f"{label} of {name} is {away} mm off")
    check_npz(pose + ".npz", places, turns)
# The centres of mass, which the trace has of the body itself, are on the segments: of the thigh between its ends.
parts = list(runner["parts/position"].attrs["names"])
c3d, thigh = read_c3d("measured.c3d"), 1000 * runner["parts/position"][:, parts.index("thigh_l")] @ TO_LABORATORY.T
share = (0.93 - 0.755) / (0.93 - 0.501)
away = np.abs(c3d["thigh_l"] * (1 - share) + c3d["shin_l"] * share - thigh).max()
check(away < 10, f"the thigh's centre of mass is {away} mm off")

for failure in failures:
    print("FAIL", failure)
sys.exit(1 if failures else 0)
PYTHON

[ "$failed" -eq 0 ] || { echo "$failed failed"; exit 1; }
echo "all good"
