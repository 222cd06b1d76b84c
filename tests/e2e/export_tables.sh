#!/bin/bash
# `stagger export` to tables: CSV, and OpenSim's .mot and .sto. Python reads them as a researcher would and compares
# them with what h5py reads from the trace.
# Usage: STAGGER=program SOURCE=source-folder export_tables.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

# So short that the scenes' own expectations do not hold.
run 1 run hit_run --duration 5 --trace hit.h5 --quiet
for table in joints parts feet character contacts events step_hash all; do
  run 0 export hit.h5 --table $table -o $table.csv
  has out "all the same bits"
done
for pose in output target measured; do
  run 0 export hit.h5 --pose $pose -o $pose.mot
  has out "all the same bits"
done
run 0 export hit.h5 --pose measured -o hit.sto
has out "all the same bits"

# The same table twice is the same file; the default table is the joints.
run 0 export hit.h5 -o again.csv
cmp -s joints.csv again.csv || fail "the table without a name is not joints"
run 0 export hit.h5 --table step_hash -o step_hash.csv

# Two characters in one table, or one of them by --character.
run 1 run mirror --duration 1 --trace two.h5 --quiet
run 0 export two.h5 --table feet -o both.csv
name=$(sed -n 2p both.csv | cut -d, -f2)
run 0 export two.h5 --table feet --character "$name" -o one.csv
[ $((2 * $(grep -c . one.csv) - 1)) -eq "$(grep -c . both.csv)" ] || fail "one.csv has not half of the rows of both.csv"
[ "$(tail -n +2 one.csv | cut -d, -f2 | sort -u)" = "$name" ] || fail "one.csv is not of $name alone"

# Errors name what exists, and nothing is written.
run 2 export hit.h5 --table jonts -o bad.csv
has err "there is no table 'jonts' in the trace, did you mean 'joints'?"
run 2 export hit.h5 --character nobody -o bad.csv
has err "there is no character 'nobody'"
run 2 export hit.h5 --character nobody -o bad.mot
run 2 export hit.h5 --character nobody -o bad.sto
absent bad.csv
absent bad.mot
absent bad.sto

python=/usr/bin/python3
if ! $python -c "import numpy, h5py" 2>/dev/null; then
  echo "SKIP the comparison with h5py: python3 with numpy and h5py is missing"
  [ "$failed" -eq 0 ] || exit 1
  exit 0
fi

$python - <<'PYTHON' || failed=$((failed + 1))
import csv
import sys

import h5py
import numpy as np

failures = []


def check(good, text):
    if not good:
        failures.append(text)


def read_csv(name):
    with open(name, newline="") as file:
        rows = list(csv.DictReader(file))
    return {key: [row[key] for row in rows] for key in rows[0]}


def numbers(texts, dtype):
    return np.array([np.nan if text == "" else dtype(text) for text in texts], dtype)


def same(a, b):
    return np.array_equal(a, b, equal_nan=np.issubdtype(b.dtype, np.floating))


trace = h5py.File("hit.h5")
runner = trace["characters/runner"]
time = trace["time"][:]

# Every channel of these groups is in its table, value by value.
AXES = {1: [""], 3: ["_x", "_y", "_z"], 4: ["_x", "_y", "_z", "_w"]}
UNITS = {"": "", "-": "", "N m": "_N_m", "m/s": "_m_per_s", "rad/s": "_rad_per_s"}
compared = 0
for table, groups in {"joints": ["joints", "pose"], "parts": ["parts"], "feet": ["feet"],
                      "character": ["com", "assist", "pose"]}.items():
    read = read_csv(table + ".csv")
    for group in groups:
        datasets = []
        runner[group].visititems(lambda path, item: datasets.append((path, item)) if hasattr(item, "shape") else None)
        for path, item in datasets:
            named = "names" in item.attrs
            if named != (table != "character"):
                continue
            base = path.replace("/", "_") if named or group == "pose" else group + "_" + path.replace("/", "_")
            unit = item.attrs["unit"]
            values = item[:].reshape(len(time) * (item.shape[1] if named else 1), -1)
            for k, axis in enumerate(AXES[values.shape[1]]):
                column = base + axis + UNITS.get(unit, "_" + unit)
                check(column in read, f"{table} has no {column}")
                if column in read:
                    found = numbers(read[column], values.dtype.type)
                    check(same(found, values[:, k]), f"{table} {column} differs")
                    compared += found.size
    count = len(read["time"]) // len(time)
    check(same(numbers(read["time"], np.float64), np.repeat(time, count)), f"times of {table}")
    check(set(read["character"]) == {"runner"}, f"characters of {table}")
check(compared > 100000, f"only {compared} values were compared")
check(read_csv("joints.csv")["joint"][:15] == list(runner["joints/error"].attrs["names"]), "names of joints")

contacts = read_csv("contacts.csv")
first, count = trace["contacts/first"][:], trace["contacts/count"][:]
names = trace["contacts/part"].attrs["names"]
check(same(numbers(contacts["time"], np.float64), np.repeat(time, count)), "times of contacts")
for k, axis in enumerate("xyz"):
    found = numbers(contacts[f"impulse_{axis}_N_s"], np.float64)
    check(same(found, trace["contacts/impulse"][: len(found), k]), "impulses of contacts")
where = [f"{a}/{b}" if a else b for a, b in zip(contacts["character"], contacts["part"])]
check(where == [names[i] for i in trace["contacts/part"][: len(where)]], "parts of contacts")
check(same(numbers(read_csv("step_hash.csv")["step_hash"], np.uint64), trace["step_hash"][:]), "step hashes")

events = read_csv("events.csv")
check(len(events["time"]) == len(trace["events"]) > 0, "number of events")
check(same(numbers(events["impulse_x_N_s"], np.float32), trace["events"]["impulse"][:, 0]), "impulses of events")

everything = read_csv("all.csv")
torque = [float(v) for v, c, r, k in zip(everything["value"], everything["channel"], everything["row"],
                                         everything["component"]) if (c, r, k) == ("joints/torque", "shin_r", "y")]
knee = list(runner["joints/torque"].attrs["names"]).index("shin_r")
check(same(np.array(torque, np.float32), runner["joints/torque"][:, knee, 1]), "joints/torque in all.csv")


# OpenSim's files.
def read_opensim(name):
    lines = open(name).read().split("\n")
    end = lines.index("endheader")
    header = dict(line.split("=") for line in lines[1:end] if "=" in line)
    labels = lines[end + 1].split("\t")
    values = np.array([[float(v) for v in line.split("\t")] for line in lines[end + 2 :] if line])
    check(header["version"] == "1" and int(header["nRows"]) == len(values) == len(time), f"rows of {name}")
    check(int(header["nColumns"]) == len(labels) == values.shape[1] == len(set(labels)), f"columns of {name}")
    check(header["inDegrees"] == ("yes" if name.endswith(".mot") else "no"), f"inDegrees of {name}")
    return dict(zip(labels, values.T))


def about(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    m = np.zeros((len(angle), 3, 3))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    m[:, axis, axis], m[:, i, i], m[:, j, j], m[:, i, j], m[:, j, i] = 1, c, c, -s, s
    return m


def matrices(q):
    x, y, z, w = np.moveaxis(q.astype(float), -1, 0)
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 2 * (x * y + z * w),
                     1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 2 * (x * z - y * w), 2 * (y * z + x * w),
                     1 - 2 * (x * x + y * y)], -1).reshape(-1, 3, 3)


TO_OPENSIM = np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]])  # x forward, y up, z right of left, up, forward
for pose in ("output", "target", "measured"):
    motion = read_opensim(pose + ".mot")
    channel = runner["pose"][pose]
    names = list(channel["rotation"].attrs["names"])
    root = channel["root_position"][:] @ TO_OPENSIM.T
    for k, axis in enumerate("xyz"):
        check(same(motion["pelvis_t" + axis].astype(np.float32), root[:, k].astype(np.float32)), "pelvis_t" + axis)
    check(same(motion["time"], time), "time")
    rad = {label: np.radians(values) for label, values in motion.items()}
    joints = {"thigh_r": ("hip_flexion_r", "hip_adduction_r", "hip_rotation_r", 1),
              "thigh_l": ("hip_flexion_l", "hip_adduction_l", "hip_rotation_l", -1),
              "upper_arm_l": ("arm_flex_l", "arm_add_l", "arm_rot_l", -1),
              "head": ("head_z", "head_x", "head_y", 1)}
    for joint, (z, x, y, side) in joints.items():
        made = about(2, rad[z]) @ about(0, side * rad[x]) @ about(1, side * rad[y])  # in OpenSim's frame
        wanted = TO_OPENSIM @ matrices(channel["rotation"][:, names.index(joint)]) @ TO_OPENSIM.T
        check(np.abs(made - wanted).max() < 1e-5, f"{joint} of {pose}: {np.abs(made - wanted).max()}")
    made = about(2, rad["pelvis_tilt"]) @ about(0, rad["pelvis_list"]) @ about(1, rad["pelvis_rotation"])
    wanted = TO_OPENSIM @ matrices(channel["root_rotation"][:]) @ TO_OPENSIM.T
    check(np.abs(made - wanted).max() < 1e-5, f"root of {pose}")
    # A runner's knee: bent twice a stride, in stance by 30 to 60 and in swing by 80 to 130 degrees, never backward.
    knee_angle = motion["knee_angle_r"][time > 1]
    check(-1 < knee_angle.min() < 35 and 80 < knee_angle.max() < 130, f"knee of {pose}")

sto = read_opensim("hit.sto")
check(np.allclose(np.degrees(sto["knee_angle_l"]), read_opensim("measured.mot")["knee_angle_l"]), "radians")
rate = np.gradient(sto["knee_angle_l"], time)
check(np.abs(rate - sto["knee_angle_l_u"])[1:-1].max() < 1e-9, "speeds")
torque = np.linalg.norm(runner["joints/torque"][:, knee], axis=1)
check(np.abs(np.abs(sto["knee_angle_r_moment"]) - torque).max() < 0.1, "knee moments")

# The ground's force: on average his weight less the assist's force.
mass = runner["parts/position"].attrs["mass"].sum()
step = np.diff(time)
ground = sum(sto[foot + "_ground_force_vy"][1:] @ step for foot in ("foot_l", "foot_r", "other"))
assist = sto["pelvis_assist_force_vy"][1:] @ step
hits = trace["events"]["impulse"][:, 1].sum()
gained = mass * np.diff(sto["center_of_mass_Y_u"][[0, -1]])[0]
left = mass * 9.81 * (time[-1] - time[0]) - ground - assist - hits + gained
check(abs(left) < 1e-3, f"{left} N s of {ground} N s are missing")
# The centre of pressure lies under the foot that is loaded.
for foot, sole in (("foot_l", 0), ("foot_r", 1)):
    loaded = sto[foot + "_ground_force_vy"] > 50
    middle = runner["feet/position"][:, sole] @ TO_OPENSIM.T
    away = np.hypot(sto[foot + "_ground_force_px"] - middle[:, 0], sto[foot + "_ground_force_pz"] - middle[:, 2])
    check(loaded.any() and away[loaded].max() < 0.16, f"centre of pressure of {foot}: {away[loaded].max()}")

for failure in failures:
    print("FAIL", failure)
sys.exit(1 if failures else 0)
PYTHON

[ "$failed" -eq 0 ] || { echo "$failed failed"; exit 1; }
echo "all good"
