#!/bin/bash
# stagger sensitivity: the same bytes by any number of workers and ranks and after an interruption, an answer that is known,
# and what is refused. Usage: STAGGER=program SOURCE=source-folder sensitivity.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

same_results() {
  local file
  for file in trials.csv sensitivity.csv sensitivity.json; do
    cmp -s "$1/$file" "$2/$file" || fail "$1/$file and $2/$file differ"
  done
}

# A doll in the air: how far it is moved depends on the impulse and hardly on the friction of a ground that it does not touch.
cat >push.yaml <<'END'
purpose: What moves a doll in the air?
scene: limp
repeats: 2
set: [duration=0.15, "expect=[]", "events=[{part: chest, time: [0.02, 0.05], impulse: 10}]", world.solver=reduced]
axes:
  events.0.impulse: {from: 5, to: 35, steps: 4, name: impulse}
  world.friction: {from: 0.4, to: 1, steps: 4, name: friction}
sensitivity: {trajectories: 6}
metrics: [doll.peak_com_displacement]
END

# Help, bad usage, bad input: nothing is written.
run 0 sensitivity --help
has out "usage: stagger sensitivity STUDY"
run 2 sensitivity
has err "stagger sensitivity: the study is missing"
sed '/^sensitivity/d' push.yaml >plain.yaml
run 2 sensitivity plain --out bad
has err "plain.yaml: has no table 'sensitivity'"
sed 's/trajectories: 6/trajectories: 0/' push.yaml >wrong.yaml
run 2 sensitivity wrong --out bad
has err "wrong.yaml:8:29: sensitivity.trajectories is 0, allowed are whole numbers from 2 to 500"
absent bad

# One worker and three; stopped, and continued.
run 0 sensitivity push --out one --jobs 1
run 0 sensitivity push --out three --jobs 3 --quiet
is out ""
same_results one three
# Trajectories that meet share their trials.
rows=$(($(wc -l <one/trials.csv) - 1))
[ "$rows" -gt 6 ] && [ "$rows" -lt 32 ] || fail "$rows trials"
run 0 sensitivity push --out parts --limit 10 --quiet
absent parts/sensitivity.csv
run 0 inspect parts
has out "results of the study push, partial"
run 0 sensitivity push --out parts --resume --quiet
same_results one parts

# The impulse moves it, the ground does not.
effect() { awk -F, -v axis="$1" '$1 == "doll.peak_com_displacement" && $3 == axis { print $4 }' one/sensitivity.csv; }
impulse=$(effect impulse) friction=$(effect friction)
awk -v a="$impulse" -v b="$friction" 'BEGIN { exit !(a > 0.01 && b == 0) }' ||
  fail "effects of impulse and friction: $impulse, $friction"

# A search's folder is complete when the search is, not when all crossed axes have been tried.
run 0 inspect one
has out "results of the study push, complete"
run 0 report one -o one.html
grep -q "complete: $rows trials" one.html || fail "the report does not say that it is complete"

# Ranks of MPI, where it is installed.
if by_ranks sensitivity push --out ranks --quiet; then
  same_results one ranks
fi

[ $failed -eq 0 ] && echo "sensitivities are found"
exit $((failed > 0))
