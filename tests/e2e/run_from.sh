#!/bin/bash
# Runs that continue from a moment of a recorded one: the same frames, metrics and expectations as the uninterrupted
# run; and what is refused. (More scenes, and all channels: property/run_from.)
# Usage: STAGGER=program SOURCE=source-folder run_from.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

while read -r scene solver; do
  run_options=(--set "world.solver=$solver" --set trace.states=0.7 --set "expect=[]" --duration 5)
  run 0 run "$scene" "${run_options[@]}" --trace whole.h5 --metrics whole.json --quiet
  run 0 run --from whole.h5@2.9 --trace rest.h5 --metrics rest.json --quiet
  grep -v realtime_factor whole.json >whole.txt
  grep -v realtime_factor rest.json >rest.txt
  cmp whole.txt rest.txt || fail "$scene by $solver has other metrics from 2.9 s on"
  # From the beginning of the second run on, all tables are the same.
  for table in parts joints contacts; do
    run 0 export whole.h5 -o whole.csv --table $table
    run 0 export rest.h5 -o rest.csv --table $table
    lines=$(($(wc -l <rest.csv) - 300))
    [ "$lines" -gt 100 ] || fail "$scene by $solver: few $table"
    cmp <(tail -n "$lines" whole.csv) <(tail -n "$lines" rest.csv) || fail "$scene by $solver: $table are others"
  done
done <<'END'
hit_props iterative
fall_getup step
lizard_attack reduced
END

run 0 inspect whole.h5
has out "states"
run 0 replay whole.h5
run 0 replay rest.h5
has out "504 of 504 steps, 2.100 s: every step is the same"
has out "what was recorded is the same, too: 127 frames"
run 0 run --from rest.h5@4 --duration 6 --quiet --trace more.h5
run 0 replay more.h5
run 0 run --from whole.h5@0 --duration 0.5 --quiet
run 0 run --from whole.h5@5 --duration 5.5 --quiet

# Refusals, before anything is written.
run 2 run --from whole.h5@7 --trace new.h5
has err "7 s is outside of the recorded run, which is from 0 s to 5 s"
run 2 run --from whole.h5 --trace new.h5
has err "expected a trace and a time in s"
run 2 run --from whole.h5@later --trace new.h5
run 2 run --from nothing.h5@1 --trace new.h5
has err "nothing.h5"
run 2 run hit_stand --from whole.h5@1 --trace new.h5
has err "with --from the scene is that of the trace"
run 2 run --from whole.h5@1 --seed 4 --trace new.h5
has err "goes on with the scene as it was recorded"
run 2 run --from whole.h5@1 --set world.friction=0.5 --trace new.h5
has err "goes on with the scene as it was recorded"
run 2 run --from whole.h5@3 --duration 2 --trace new.h5
has err "longer than 3 s"
run 0 run --from whole.h5@4 --set trace.states=0 --trace new.h5 --quiet
rm new.h5
run 2 run --from whole.h5@3 --trace whole.h5
has err "is the trace that the run goes on from"
run 0 run stand --duration 0.2 --set "expect=[]" --trace without.h5 --quiet
run 2 run --from without.h5@0.1 --trace new.h5
has err "record it again with --set trace.states=1"
absent new.h5

[ "$failed" -eq 0 ] && echo "runs go on from any moment"
[ "$failed" -eq 0 ]
