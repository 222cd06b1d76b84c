#!/bin/bash
# stagger check and stagger inspect of study files. Usage: STAGGER=program SOURCE=source-folder studies.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

# The examples of the manual are good studies.
awk '/^```$/ { inside = 0 } inside { print > (count > 1 ? "help" count ".yaml" : "help.yaml") }
  /^```yaml/ { inside = 1; count++ }' "$SOURCE/scenes/studies/README.md"
for example in help?.yaml; do
  run 0 check "$example"
done
run 0 check help.yaml
is out "help.yaml: good"
is err ""
run 0 inspect help
has out "help.yaml: study"
has out "  scene $SOURCE/scenes/hit_assist.yaml, 10 s"
has out "  set duration=10"
has out "  axis strength (characters.runner.drive.strength): 4 values"
has out "    0.4, 0.6, 0.8, 1"
has out "  axis help, N (characters.runner.assist.force): 3 values"
has out "  12 cells x 20 repeats = 240 trials"
has out "  keeps the traces of the first 1 repeat of every cell"
has out "  keeps the traces of at most 10 trials where runner.fell == 1"
has out "  12 columns"
grep -qE '^    runner.recovery_time +s$' out || fail "no column recovery_time in $(cat out)"

# All shipped studies.
for study in "$SOURCE"/scenes/studies/*.yaml; do
  [ -e "$study" ] || continue
  run 0 check "$study"
  run 0 check "$(basename "$study" .yaml)" # found by its name, unless a scene has it
done

# Odd settings: keys of `set` without effect, equal values.
cat >odd.yaml <<'END'
scene: limp
set: [duration=3, world.friction=0.5, duration=2, characters.doll.start.heading=3]
axes:
  world.friction: [0.3, 1, 0.30]
  characters.doll.start.heading: {from: 0, to: 90, steps: 4}
END
run 0 check odd.yaml
is out "odd.yaml: good"
is err "odd.yaml: warning: set duration=3 does nothing: duration=2 comes after it
odd.yaml: warning: set world.friction=0.5 does nothing: the axis world.friction sets it in every trial
odd.yaml: warning: set characters.doll.start.heading=3 does nothing: the axis characters.doll.start.heading sets it in every trial
odd.yaml: warning: the axis world.friction has the value 0.3 2 times: so many cells are the same trials"

# Responses to hits that nobody gets, or nobody asked for.
printf 'scene: limp\nresponses: true\nset: ["events=[]"]\n' >unhit.yaml
run 0 check unhit.yaml
is err "unhit.yaml: warning: responses does nothing: the scene has no events, so nobody is hit"
printf 'scene: hit_stand\nmetrics: [fell, hit_response_size]\n' >unasked.yaml
run 0 check unasked.yaml
is err "unasked.yaml: warning: man.hit_response_size will be empty: it needs 'responses: true'"

# A study where a scene is wanted, one without a scene.
run 2 run help.yaml
is err 'help.yaml: is a study, not a scene: '\''stagger sweep help.yaml'\'' runs its trials'
printf 'repeats: 3\nmetrics: [doll.fell]\n' >bare.yaml
for command in check inspect sweep; do
  run 2 $command bare.yaml
  is err 'bare.yaml:1:1: this study names no scene: add one, e.g. '\''scene: hit_stand'\'''
done

# Results: the folder and its table.
printf 'scene: limp\nrepeats: 3\nset: [duration=0.1]\ntraces: [{repeats: 1}]\nmetrics: [doll.fell]\n' >small.yaml
run 0 sweep small --limit 2 --quiet
run 0 inspect small
has out "small: results of the study small, partial"
has out "  trials 2 of 3: 2 complete"
has out "  repeats = 3"
grep -q "repeats = 3 -" out && fail "a unit that is none: $(cat out)"
run 0 sweep small --resume --quiet
sed -i 's/^2\(.*\)complete/2\1crashed: signal 11/' small/trials.csv
run 0 inspect small/
has out "  trials 3 of 3: 2 complete, 1 crashed"
has out "  traces 1"
for table in trials.csv summary.csv; do # a table stands for its folder
  run 0 inspect small/$table
  has out "small: results of the study small"
done
# Only the sweep writes its results: not even a trace or a table of the same format replaces them.
cp small/trials.h5 kept.h5
cp small/trials.csv kept.csv
run 2 run stand --duration 0.1 --trace small/trials.h5
is err "small/trials.h5: belongs to the results of a study, so it is not replaced"
cmp -s small/trials.h5 kept.h5 || fail "a run changed the table of a study"
run 2 run stand --duration 0.1 --trace kept.h5
is err "kept.h5: exists and is not a trace, so it is not replaced"
cmp -s small/trials.h5 kept.h5 || fail "a run changed the copy of a table"
run 2 run stand --duration 0.1 --propagation small/trials.csv
is err "small/trials.csv: belongs to the results of a study, so it is not replaced"
cmp -s small/trials.csv kept.csv || fail "a run changed the table of a study"
run 0 inspect small/trials.h5
has out "small/trials.h5: table of a study's trials, one dataset a column, the same as trials.csv"
has out "  trials 3: 3 complete"
grep -qE '^    doll.fell +bool$' out || fail "no column doll.fell in $(cat out)"
# A table without its column 'status' (the name has another last letter) is no table of 0 trials.
sed 's/status\x00/statut\x00/' small/trials.h5 >lost.h5
cmp -s small/trials.h5 lost.h5 && fail "the column was not found in the file"
run 2 inspect lost.h5
is err "lost.h5: is damaged: its column 'status' cannot be read"
run 2 run small/traces/trial_000000.h5
is err "small/traces/trial_000000.h5: is a trace, not a scene: 'stagger replay small/traces/trial_000000.h5' runs its scene again"
run 0 inspect small/traces/trial_000000.h5
grep -qE '^  /characters/doll/parts/position +7 x 16 x 3 +m ' out || fail "no shape of three numbers: $(cat out)"
grep -qE '^  /characters/doll/state +7 +- ' out || fail "no shape of single values: $(cat out)"
run 2 inspect small/traces
has err "small/traces: is not the folder of a study"

# Mistakes.
cat >wrong.yaml <<'END'
scene: hit_run
axes:
  characters.runner.drive.strenght: [0.5, 1]
END
run 2 check help.yaml wrong.yaml
is out "help.yaml: good"
is err "wrong.yaml:3:38: characters.runner.drive.strenght=0.5: unknown key 'strenght' in drive, did you mean 'strength'?"
run 2 inspect wrong.yaml
is out ""
has err "wrong.yaml:3:38:"
cat >random.yaml <<'END'
scene: hit_run
axes:
  world.friction: {random: {distribution: normal, mean: 0.8, deviation: 0.1, low: 0}}
  characters.runner.drive.strength: {from: 0.1, to: 1, steps: 91}
END
run 0 inspect random.yaml
has out "  axis world.friction: drawn anew for every trial, normal, mean 0.8, deviation 0.1, from 0"
has out "    0.1, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17, 0.18, 0.19, ..., 1"
has out "  91 cells x 1 repeat = 91 trials"
run 2 inspect nowhere
run 2 check nowhere

[ $failed -eq 0 ] && echo "studies are checked and told"
exit $((failed > 0))
