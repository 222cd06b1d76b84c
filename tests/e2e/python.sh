#!/bin/bash
# The package for Python: its tests, and the examples in examples/python.
# Usage: STAGGER=program SOURCE=source-folder python.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"
build=$(dirname "$STAGGER")
if grep -Eq "STAGGER_(SANITIZE|COVERAGE):BOOL=ON|C_FLAGS:STRING=.*sanitize" "$build/CMakeCache.txt"; then
  echo "SKIP a library with sanitizers or counters cannot be loaded by Python"
  exit 77
fi
python=
for candidate in /usr/bin/python3 python3; do
  if "$candidate" -c 'import numpy' 2>/dev/null; then python=$candidate; break; fi
done
[ -n "$python" ] || { echo "SKIP there is no python3 with numpy"; exit 77; }
export STAGGER_LIBRARY="$build/libstagger.so" PYTHONPATH="$SOURCE/python" PYTHONDONTWRITEBYTECODE=1
export MPLBACKEND=Agg MPLCONFIGDIR="$folder"

"$python" -W error -X faulthandler -m unittest discover -s "$SOURCE/python/tests" >out 2>&1 ||
  { cat out; fail "the tests"; }
grep -E '^Ran|^OK|^FAILED' out
version=$("$STAGGER" --version | grep -oE '[0-9]+(\.[0-9]+)+' | head -1)
"$python" -c 'import sys, stagger; sys.exit(stagger.version() != sys.argv[1])' "$version" ||
  fail "another version than the program's"
STAGGER_LIBRARY="$folder/nothing.so" "$python" -c 'import stagger' 2>err && fail "a library that is not there is loaded"
has err "set STAGGER_LIBRARY"

"$python" -W error "$SOURCE/examples/python/push_table.py" >table || fail "push_table.py"
[ "$(wc -l <table)" -eq 5 ] && grep -q "falls" table && grep -q "forward .* m" table ||
  fail "push_table.py prints $(cat table)"
if "$python" -c 'import matplotlib' 2>/dev/null; then
  "$python" "$SOURCE/examples/python/push_table.py" pushes.png >again || fail "push_table.py with a plot"
  cmp table again || fail "push_table.py prints something else the second time"
  [ -s pushes.png ] || fail "push_table.py draws nothing"
fi
"$python" -W error "$SOURCE/examples/python/same_moment.py" >moment || fail "same_moment.py"
[ "$(wc -l <moment)" -eq 5 ] && grep -q "30   0 of 16" moment || fail "same_moment.py prints $(cat moment)"
"$python" -W error "$SOURCE/examples/python/dose_response.py" >dose || fail "dose_response.py"
[ "$(wc -l <dose)" -eq 8 ] && awk 'NR > 2 && $2 <= before { exit 1 } { before = $2 }' dose ||
  fail "dose_response.py prints $(cat dose)"
# The notebook, by Jupyter where it is, otherwise its cells in their order.
if "$python" -c 'import matplotlib' 2>/dev/null; then
  notebook=$SOURCE/examples/python/hit.ipynb
  PATH="$build:$PATH" "$python" -W error - "$notebook" >cells <<'PYTHON' || fail "hit.ipynb"
import json, sys
names = {}
with open(sys.argv[1]) as file:
    cells = json.load(file)["cells"]
for cell in cells:
    assert not cell.get("outputs"), "it is kept without outputs"
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), sys.argv[1], "exec"), names)
PYTHON
  grep -q "largest loss of speed, m/s: 0.00, 0" cells && grep -q "121 frames of characters/runner/com/position" cells ||
    fail "hit.ipynb prints $(cat cells)"
  if jupyter nbconvert --version >/dev/null 2>&1 && "$python" -c 'import ipykernel' 2>/dev/null; then
    jupyter nbconvert --to notebook --execute "$notebook" --output-dir . --output done.ipynb >log 2>&1 ||
      fail "Jupyter does not execute hit.ipynb: $(tail -3 log)"
  fi
fi
# Random calls, good and bad, in children; the fuzzer itself sees what goes wrong.
"$python" "$SOURCE/python/tests/fuzz_door.py" --seconds 0 --seed 4 --calls 100 >fuzz || fail "the fuzzer: $(cat fuzz)"
grep -q "1 seeds of 100 calls, 0 failed" fuzz || fail "the fuzzer prints $(cat fuzz)"
# Learning: an iteration, the same for any number of threads; without PyTorch the example says what it needs.
if "$python" -c 'import torch' 2>/dev/null; then
  for threads in 1 2; do
    "$python" "$SOURCE/examples/python/ppo.py" --samples 2048 --threads $threads --save policy.pt >learnt.$threads ||
      fail "ppo.py"
  done
  grep -q "stood through without noise: before" learnt.1 || fail "ppo.py prints $(cat learnt.1)"
  cmp learnt.1 learnt.2 || fail "ppo.py learns something else with two threads"
  [ -s policy.pt ] || fail "ppo.py saves nothing"
else
  "$python" "$SOURCE/examples/python/ppo.py" 2>err && fail "ppo.py ends well without PyTorch"
  has err "needs PyTorch, which is not there"
fi

[ "$failed" -eq 0 ] && echo "Python steps, strikes, saves and measures"
[ "$failed" -eq 0 ]
