#!/bin/bash
# stagger threshold: the same bytes by any number of workers and ranks and after an interruption, agreement with the full
# sweep, and what is refused. Usage: STAGGER=program SOURCE=source-folder threshold.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }
same_results() {
  local file
  for file in trials.csv threshold.csv threshold.json threshold_values.csv threshold_values.json; do
    same "$1/$file" "$2/$file"
  done
}

# A doll in the air, which moves by the share of its mass and of the time that is left.
cat >push.yaml <<'END'
purpose: How hard may a doll in the air be pushed before it moves by 3 cm?
scene: limp
repeats: 6
set: [duration=0.15, "expect=[]", "events=[{part: chest, time: [0.02, 0.05], impulse: 10}]", world.solver=reduced]
axes:
  events.0.impulse: {from: 2, to: 40, steps: 20, name: impulse}
  events.0.direction: {values: [0, 90], name: direction}
threshold: {axis: impulse, withstood: doll.peak_com_displacement < 0.03, share: 0.8}
metrics: [doll.peak_com_displacement]
traces: [{trials: [0]}]
END

# Help, bad usage, bad input: nothing is written.
run 0 threshold --help
has out "usage: stagger threshold STUDY"
run 2 threshold
has err "stagger threshold: the study is missing"
sed '/^threshold/d' push.yaml >plain.yaml
run 2 threshold plain --out bad
has err "plain.yaml: has no table 'threshold'"
sed 's/axis: impulse/axis: impulses/' push.yaml >wrong.yaml
run 2 threshold wrong --out bad
has err "wrong.yaml:8:19: there is no axis 'impulses' in this study, did you mean 'impulse'?"
absent bad
run 0 check push.yaml
run 0 inspect push.yaml
has out "threshold of impulse: doll.peak_com_displacement < 0.03 in a share of 0.8"

# One worker and three; killed by a limit, and continued.
run 0 threshold push --out one --jobs 1
has out "Largest impulse (N s) that 80 % of 6 repeats withstand: doll.peak_com_displacement < 0.03"
run 0 threshold push --out three --jobs 3 --quiet
is out ""
same_results one three
"$STAGGER" compare one/traces/trial_000000.h5 three/traces/trial_000000.h5 >out 2>&1 || fail "traces differ"
run 0 threshold push --out parts --limit 15 --quiet
absent parts/threshold.csv
run 2 threshold push --out parts --quiet
has err "go on with --resume"
run 0 threshold push --out parts --limit 40 --resume --quiet
run 0 threshold push --out parts --resume --quiet
same_results one parts
cp one/trials.csv before.csv
run 0 threshold push --out one --resume --quiet # nothing is left to do
same one/trials.csv before.csv

# A table that cannot be written is told by the exit status, the other one is written.
rm parts/threshold_values.csv && mkdir parts/threshold_values.csv
run 3 threshold push --out parts --resume --quiet
has err "threshold_values.csv: cannot be written: Is a directory"
same one/threshold.csv parts/threshold.csv

# Fewer trials than the plan, and the same answer as from all of them.
rows=$(($(wc -l <one/trials.csv) - 1))
[ "$rows" -lt 130 ] || fail "$rows of 240 trials"
run 0 sweep push --out three --resume --quiet
[ "$(wc -l <three/trials.csv)" -eq 241 ] || fail "the sweep has not run the other trials"
for direction in 0 90; do
  found=$(awk -F, -v d=$direction '$2 == d { print $3 }' one/threshold.csv)
  full=$(awk -F, -v d=$direction 'NR > 1 && $6 == d { all[$5 + 0]++; held[$5 + 0] += $10 < 0.03 }
    END { for (i = 2; i <= 40 && held[i] >= 0.8 * all[i]; i += 2) found = i; print found }' three/trials.csv)
  [ "$found" = "$full" ] || fail "direction $direction: $found by the search, $full by the sweep"
done

# Ranks of MPI, where it is installed.
if by_ranks threshold push --out ranks --quiet; then
  same_results one ranks
fi

[ $failed -eq 0 ] && echo "thresholds are found"
exit $((failed > 0))
