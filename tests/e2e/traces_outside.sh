#!/bin/bash
# Traces from other sources: every command that opens one refuses references out of the file, at once and before
# anything of another file is read, and huge claims and invalid times.
# Usage: STAGGER=program SOURCE=source-folder traces_outside.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"
python=
for candidate in /usr/bin/python3 python3; do
  if "$candidate" -c 'import h5py' 2>/dev/null; then python=$candidate; break; fi
done
[ -n "$python" ] || { echo "SKIP there is no python3 with h5py"; exit 77; }

run 0 run stand --duration 0.5 --set expect=[] --set trace.states=0.25 --trace good.h5 --quiet
echo "a secret of the machine, which no page may have" >secret.txt
mkfifo pipe
"$python" - <<'END' || fail "the traces were not made"
import shutil
import h5py
import numpy as np

BODY = "files/bodies/human.yaml"

def make(name, change):
    shutil.copy("good.h5", name + ".h5")
    with h5py.File(name + ".h5", "r+") as trace:
        change(trace)

def replace(trace, path, **what):
    attributes = dict(trace[path].attrs)
    del trace[path]
    dataset = trace.create_dataset(path, **what)
    for key, value in attributes.items():
        dataset.attrs[key] = value

def outside(source):
    return lambda trace: replace(trace, BODY, shape=(40,), dtype="u1", external=[(source, 0, 40)])

def link(trace):
    del trace["time"]
    trace["time"] = h5py.ExternalLink("good.h5", "/time")

def virtual(trace):
    frames = len(trace["time"])
    del trace["time"]
    layout = h5py.VirtualLayout((frames,), "f8")
    layout[:] = h5py.VirtualSource("good.h5", "time", (frames,))
    trace.create_virtual_dataset("time", layout)

make("storage", outside("secret.txt"))
make("pipe_storage", outside("pipe"))
make("link", link)
make("virtual", virtual)
make("huge", lambda trace: replace(trace, BODY, shape=(2**31 + 5,), dtype="u1", chunks=(1 << 20,), compression="gzip"))
make("late", lambda trace: trace["time"].__setitem__(slice(None), np.linspace(0, 1e300, len(trace["time"]))))
END

# refused NAME TEXT COMMAND...: without waiting for ever, with nothing written and nothing of the secret shown.
refused() {
  local text=$1
  shift
  timeout 60 "$STAGGER" "$@" >out 2>err
  local status=$?
  [ "$status" -eq 2 ] || fail "stagger $*: exit status $status, not 2"
  has err "$text"
  grep -q "a secret" out err && fail "stagger $* shows another file"
  [ -z "$(ls result* 2>/dev/null)" ] || fail "stagger $* wrote $(ls result*)"
}

while IFS=: read -r name text; do
  for command in "inspect $name.h5" "compare $name.h5 good.h5" "compare good.h5 $name.h5" "replay $name.h5" \
    "report $name.h5 -o result.html --no-pictures" "export $name.h5 -o result.glb" "export $name.h5 -o result.csv" \
    "run --from $name.h5@0.25 --trace result.h5"; do
    [ "$name" = huge ] && [[ "$command" == inspect* || "$command" == compare* ]] && continue # which read no files
    # shellcheck disable=SC2086 # words of the command
    refused "$text" $command
  done
  if [ -x "${STAGGER_VIEW:-}" ]; then
    timeout 60 "$STAGGER_VIEW" "$name.h5" --offscreen --png result.png >out 2>err </dev/null
    [ $? -eq 2 ] || fail "stagger-view $name.h5: $(head -3 err)"
    has err "$text"
    absent result.png
  fi
done <<'END'
storage:storage.h5: /files/bodies/human.yaml is a dataset with external storage
pipe_storage:pipe_storage.h5: /files/bodies/human.yaml is a dataset with external storage
link:link.h5: /time is an external link
virtual:virtual.h5: /time is a virtual dataset
huge:/files/bodies/human.yaml: the file has 2147483653 bytes, at most 16 MiB are allowed
late:late.h5: /time of frame 1 is
END

# A pipe in the place of a trace is not waited for.
refused "pipe: not an HDF5 file" export pipe -o result.glb
refused "pipe: not an HDF5 file" compare pipe good.h5

# Compressed traces of other programs are read as before.
"$python" - <<'END' || fail "the compressed trace was not made"
import h5py
with h5py.File("good.h5") as old, h5py.File("small.h5", "w") as new:
    for key, value in old.attrs.items():
        new.attrs[key] = value
    def copy(name, item):
        if isinstance(item, h5py.Group):
            made = new.require_group(name)
        else:
            many = item.ndim > 0 and item.size > 0
            made = new.create_dataset(name, data=item[()], compression="gzip" if many else None, shuffle=many)
        for key, value in item.attrs.items():
            made.attrs[key] = value
    old.visititems(copy)
END
run 0 inspect small.h5
run 0 export small.h5 -o small.glb
exit $((failed > 0))
