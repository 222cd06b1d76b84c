#!/bin/bash
# stagger optimise: a known answer, the same bytes by any number of workers and ranks and after an interruption, and what
# is refused. Usage: STAGGER=program SOURCE=source-folder optimise.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }
same_results() {
  local file
  for file in trials.csv optimise.csv optimise.json best.yaml; do
    same "$1/$file" "$2/$file"
  done
}

# A doll of 75 kg in the air moves by 3 cm within 0.1 s if it is pushed with 22.5 N s.
cat >push.yaml <<'END'
purpose: Which push moves a doll in the air by 3 cm?
scene: limp
set: [duration=0.15, "expect=[]", "events=[{part: chest, time: 0.05, impulse: 10}]", world.solver=reduced]
axes:
  events.0.direction: {values: [0, 90], name: direction}
optimise:
  parameters:
    events.0.impulse: {low: 2, high: 200, start: 10, scale: log, name: impulse}
  cost: [{metric: doll.peak_com_displacement, goal: 0.03, weight: 100}]
  generations: 9
  population: 5
metrics: [doll.peak_com_displacement]
END

# Help, bad usage, bad input: nothing is written.
run 0 optimise --help
has out "usage: stagger optimise STUDY"
run 2 optimise
has err "stagger optimise: the study is missing"
run 2 sweep push --out bad
has err "push.yaml: has a table 'optimise', whose parameters only stagger optimise sets"
sed 's/impulse: {low: 2/impuls: {low: 2/' push.yaml >wrong.yaml
run 2 optimise wrong --out bad
has err "wrong.yaml:8:"
has err "impuls=2"
sed 's/high: 200/high: 1/' push.yaml >wrong.yaml
run 2 optimise wrong --out bad
has err "wrong.yaml:8:38: 'high' is 1, but it must be above 'low', 2"
absent bad
run 0 inspect push.yaml
has out "axis impulse, N s (events.0.impulse): searched from 2 to 200"

# The answer, by one worker and three; limited, and continued.
run 0 optimise push --out one --jobs 1
has out "90 of 90 trials"
found=$(sed -n 's/^  events.0.impulse = //p' out)
awk -v found="$found" 'BEGIN { exit !(found > 21.5 && found < 23.5) }' || fail "$found N s, not 22.5"
run 0 optimise push --out three --jobs 3 --quiet
is out ""
same_results one three
run 0 optimise push --out parts --limit 33 --quiet
absent parts/optimise.csv
run 0 optimise push --out parts --resume --quiet
same_results one parts

# Its best scene can be run, and the rows of another search cannot be continued.
run 0 run one/best.yaml --quiet
has one/best.yaml "$(awk -F, 'END { print $8 }' one/optimise.csv)"
awk -F, -v OFS=, 'NR == 5 { $6 = $6 + 1 } { print }' parts/trials.csv >changed && mv changed parts/trials.csv
run 3 optimise push --out parts --resume --quiet
has err "trial 3: impulse is"

# Ranks of MPI, where it is installed.
if by_ranks optimise push --out ranks --quiet; then
  same_results one ranks
fi

[ $failed -eq 0 ] && echo "parameters are optimised"
exit $((failed > 0))
