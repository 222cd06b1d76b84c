#!/bin/bash
# The README's Python example runs unchanged on a fresh trace and draws a picture; plain h5py finds the documented
# contents.
# Usage: STAGGER=program SOURCE=source-folder trace_python.sh
set -u
[ -x "${STAGGER:-}" ] || { echo "set STAGGER to the program"; exit 1; }
python=
for candidate in /usr/bin/python3 python3; do
  if "$candidate" -c 'import h5py, matplotlib, numpy' 2>/dev/null; then python=$candidate; break; fi
done
[ -n "$python" ] || { echo "SKIP there is no python3 with h5py and matplotlib"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export STAGGER_SCENES="$SOURCE/scenes" MPLBACKEND=Agg MPLCONFIGDIR="$folder"
failed=0

fail() {
  echo "FAIL $*"
  failed=$((failed + 1))
}

"$STAGGER" run hit_run --duration 5 --set expect=[] --trace hit.h5 --quiet || fail "the run"

# The example: the block of Python below its heading.
# shellcheck disable=SC2016 # backquotes of Markdown
sed -n '/^## Read a trace in Python/,/^## /p' "$SOURCE/README.md" |
  sed -n '/^```python$/,/^```$/p' | grep -v '^```' >example.py
[ "$(wc -l <example.py)" -ge 10 ] || fail "the README has no example: $(cat example.py)"
"$python" -W error example.py >out 2>&1 || fail "the example: $(tail -3 out)"
cat >picture.py <<'END'
import sys
import matplotlib.image as image
import numpy as np

pixels = image.imread(sys.argv[1])[:, :, :3]
colors = np.unique((pixels.reshape(-1, 3) * 255).astype(int), axis=0)
ink = (pixels.min(axis=2) < 0.9).mean()
print(f"{pixels.shape[1]} x {pixels.shape[0]}, {len(colors)} colours, {ink:.0%} drawn")
assert pixels.shape[0] > 300 and len(colors) > 100 and 0.05 < ink < 0.95
END
"$python" picture.py hit.png || fail "the example's picture"

# What any reader of HDF5 relies on.
cat >layout.py <<'END'
import h5py
import numpy as np

trace = h5py.File("hit.h5")
assert trace.attrs["format"] == "stagger-trace" and trace.attrs["status"] == "complete"
assert np.allclose(trace.attrs["gravity"], [0, -9.81, 0])
frames = len(trace["time"])
assert frames == 301 and np.allclose(np.diff(trace["time"]), 1 / trace.attrs["frame_rate"])
datasets = {}
trace.visititems(lambda name, item: datasets.update({name: item}) if isinstance(item, h5py.Dataset) else None)
for name, dataset in datasets.items():
    assert {"unit", "description"} <= set(dataset.attrs), name
    if name.startswith("files/"):
        continue
    channel = dataset.attrs["rows"] == "frame"
    assert not channel or len(dataset) == frames, name
    assert channel == (name.startswith("characters/") or name in ("time", "contacts/first", "contacts/count")), name
    if "names" in dataset.attrs and channel:
        assert dataset.shape[1] == len(dataset.attrs["names"]), name
runner = trace["characters/runner"]
assert len(runner["parts/position"].attrs["mass"]) == 16 and len(runner["joints/torque"].attrs["limit"]) == 15
assert runner["assist/force"].attrs["part"] == "pelvis"
first, count = trace["contacts/first"][:], trace["contacts/count"][:]
assert first[-1] + count[-1] == len(trace["contacts/impulse"])
assert np.array_equal(first[1:], np.cumsum(count)[:-1])
rotation = runner["parts/rotation"][:]
assert np.allclose(np.linalg.norm(rotation, axis=2), 1)
assert len(trace["step_hash"]) == 1200 and len(trace["objects"]) == 0
assert trace["metrics"].attrs["runner.recovery_strategy"] in ("ankle", "hip", "step", "steps")
assert trace["metrics"].attrs["runner.fell"] == 0 and len(trace["events"]["time"]) > 0
END
"$python" layout.py || fail "the layout"

[ "$failed" -eq 0 ] && echo "Python reads traces"
[ "$failed" -eq 0 ]
