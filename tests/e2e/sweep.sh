#!/bin/bash
# stagger sweep on one machine: the same table by any number of workers, kills and interruptions, what is never changed.
# Usage: STAGGER=program SOURCE=source-folder sweep.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

# run STATUS ARGUMENT...: runs stagger sweep into out and err and checks its exit status.
run() {
  local wanted=$1 status
  shift
  "$STAGGER" sweep "$@" >out 2>err
  status=$?
  [ "$status" -eq "$wanted" ] || fail "stagger sweep $*: exit status $status, not $wanted: $(head -3 err)"
}

same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }
rows() { echo $(($(wc -l <"$1/trials.csv") - 1)); }
has_rows() { [ -e "$1/trials.csv" ] && [ "$(rows "$1")" -ge "$2" ]; }
ends_whole() { [ "$(tail -c 1 "$1/trials.csv" | od -An -tx1)" = " 0a" ] || fail "$1/trials.csv ends in half a line"; }

# same_results A B: table, summary, and traces of the first trial.
same_results() {
  same "$1/trials.csv" "$2/trials.csv"
  same "$1/summary.csv" "$2/summary.csv"
  "$STAGGER" compare "$1/traces/trial_000000.h5" "$2/traces/trial_000000.h5" >out 2>&1 ||
    fail "traces of $1 and $2: $(head -3 out)"
}

# Processes whose arguments name that folder of the test; ended ones have no arguments.
processes() { grep -lz -- "${folder}[/]$1" /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3; }
nobody_works_in() { [ -z "$(processes "$1")" ]; }

# The parent's number is the second word behind the name in brackets.
parent_of() { cut -d')' -f2 <"/proc/$1/stat" | cut -d' ' -f3; }

# kill_workers FOLDER SWEEP: the children of the keepers, which are the children of the sweep.
kill_workers() {
  local process
  for process in $(processes "$1"); do
    [ "$process" = "$2" ] || [ "$(parent_of "$process")" = "$2" ] || kill -9 "$process"
  done
}

cat >small.yaml <<'END'
purpose: A doll is dropped.
scene: limp
repeats: 3
set: [duration=0.3]
axes:
  world.friction: {values: [0.3, 1], name: friction}
  characters.doll.start.heading: {from: 0, to: 90, steps: 4, name: heading}
traces:
  - {trials: [0, 5]}
  - {highest: doll.peak_pose_error, most: 1}
END
# Trials that end in their time, and some that would take hours.
cat >long.yaml <<'END'
scene: limp
axes: {duration: [0.1, 36000, 0.2, 36000, 36000]}
metrics: [doll.fell]
END

# Bad usage and bad input: nothing is written.
run 2
is err "stagger sweep: the study is missing
see 'stagger sweep --help'"
run 2 small --jobs 0
has err "--jobs 0: allowed are whole numbers from 1 to"
run 2 small --limit -3
has err "--limit -3: allowed are whole numbers from 1 to"
run 2 small.yaml long.yaml
run 2 nowhere
printf 'scene: limp\naxes: {world.frictoin: [1]}\n' >bad.yaml
run 2 bad --out bad
has err "bad.yaml:2:"
absent bad
run 2 small --out nowhere/deep
has err "nowhere/deep: cannot be written: No such file or directory"
mkdir other
echo precious >other/notes.txt
run 2 small --out other
is err "other: is neither empty nor a study's folder (it has no study.yaml): name another one with --out"
run 2 small --out other --resume
run 2 small --out other/notes.txt
[ "$(ls -A other)" = notes.txt ] || fail "a folder that is not a study's has $(ls -A other)"

# The same table and traces with 1, 2 and 4 workers: in the study's name as folder, in an empty folder, quietly.
run 0 small --jobs 1
is err ""
has out "small: 24 of 24 trials, 24 of them now in "
has out "friction"
for file in study.yaml scene.yaml trials.csv trials.h5 summary.csv sweep.json; do
  [ -s "small/$file" ] || fail "no small/$file"
done
same small/study.yaml small.yaml
[ "$(tail -n +2 small/trials.csv | cut -d, -f1 | tr '\n' ' ')" = "$(seq -s' ' 0 23) " ] || fail "rows are not in order"
for trial in 000000 000005; do [ -s small/traces/trial_$trial.h5 ] || fail "no trace of trial $trial"; done
has small/sweep.json '"status":	"complete"'
has small/sweep.json '"command":	"stagger sweep small --jobs 1"'
[ "$(ls -A small)" = "$(printf 'scene.yaml\nstudy.yaml\nsummary.csv\nsweep.json\ntraces\ntrials.csv\ntrials.h5')" ] ||
  fail "the folder has $(ls -A small)"
mkdir two
run 0 small --jobs 2 --out two --quiet
is out ""
is err ""
run 0 small --jobs 4 --out four
for other in two four; do same_results small $other; done
"$STAGGER" inspect small/traces/trial_000005.h5 >out 2>&1 || fail "a kept trace cannot be read: $(cat out)"

# Existing results are not run again, not even a damaged trace; missing ones are.
echo "not a trace" >two/traces/trial_000000.h5
rm two/traces/trial_000005.h5
run 0 small --out two --resume
has out "two: 24 of 24 trials, 1 trace"
is two/traces/trial_000000.h5 "not a trace"
[ -s two/traces/trial_000005.h5 ] || fail "a lacking trace was not made"
same two/trials.csv small/trials.csv

# Inputs that a killed process has left empty are written again; trials that are there stay.
: >two/scene.yaml
run 0 small --out two --resume --quiet
same two/scene.yaml small/scene.yaml
: >two/study.yaml
run 0 small --out two --resume --quiet
same two/study.yaml small/study.yaml
same two/trials.csv small/trials.csv

# A folder with trials, without --resume; with another study, or a scene that has changed.
run 2 small --out two
is err "two: has trials of this study: go on with --resume, or name another folder with --out"
run 2 long --out two --resume
is err "two/study.yaml: is another study, or this one before it was changed: name another folder with --out"
mkdir own
cp "$STAGGER_SCENES/limp.yaml" own/drop.yaml
cp -r "$STAGGER_SCENES/bodies" own/
sed 's/scene: .*/scene: drop/; s/repeats: 3/repeats: 1/; /^traces/,$d' small.yaml >own/drops.yaml
run 0 own/drops.yaml --out drops --limit 1
sed -i 's/^seed: .*/seed: 77/' own/drop.yaml
run 2 own/drops.yaml --out drops --resume
is err "drops/scene.yaml: the study's scene was another one: name another folder with --out"
cp "$STAGGER_SCENES/limp.yaml" own/drop.yaml
echo "# heavier" >>own/bodies/human.yaml
run 2 own/drops.yaml --out drops --resume
has err "drops: a file that the scene names (a body, a clip, a graph) is not what it was"

# In parts.
run 0 small --out pieces --limit 5
[ "$(rows pieces)" -eq 5 ] || fail "--limit 5 makes $(rows pieces) rows"
has out "5 of 24 trials, 5 of them now"
has out "go on with --resume"
has pieces/sweep.json '"status":	"partial"'
absent pieces/summary.csv
run 0 small --out pieces --limit 7 --resume --quiet
[ "$(rows pieces)" -eq 12 ] || fail "--limit 7 after 5 makes $(rows pieces) rows"
run 0 small --out pieces --resume
same_results small pieces
[ "$(grep -c '"command"' pieces/sweep.json)" -eq 3 ] || fail "sweep.json does not tell three runs"

# Killed during the run; and half a line, as a kill during a write leaves it.
sed 's/repeats: 3/repeats: 8/; s/duration=0.3/duration=1/' small.yaml >bigger.yaml
run 0 bigger --quiet
"$STAGGER" sweep bigger --out "$folder/killed" --jobs 1 >/dev/null 2>&1 &
process=$!
wait_for has_rows killed 3
kill -9 $process
wait $process 2>out # bash reports it there
wait_for nobody_works_in killed
ends_whole killed
has_rows killed 64 && fail "the kill came too late"
printf '23,7,2,' >>killed/trials.csv
run 0 bigger --out killed --resume
same_results bigger killed
has killed/sweep.json '"status":	"killed"'

# A killed worker costs its trial, and no other. A trial that takes too long is given up.
cat >limited.yaml <<'END'
scene: limp
time_limit: 3
axes: {duration: [0.1, 36000, 0.2, 36000, 0.1]}
metrics: [doll.fell]
END
"$STAGGER" sweep limited --out "$folder/limited" --jobs 1 >out 2>err &
process=$!
wait_for has_rows limited 1
sleep 0.3
kill_workers limited $process
wait $process
status=$?
[ $status -eq 3 ] || fail "a crashed worker: exit status $status"
is err "trial 1: crashed: signal 9 (Killed)
trial 3: given up: not done in 3 s"
[ "$(cut -d, -f1,6 limited/trials.csv | tr '\n' ' ')" = "trial,status 0,complete 1,crashed: signal 9 (Killed) \
2,complete 3,given up: not done in 3 s 4,complete " ] || fail "rows: $(cut -d, -f1,6 limited/trials.csv)"
run 3 limited --out limited --resume --quiet
has err "trial 1: crashed: signal 9 (Killed)"
run 3 limited --out limited --retry --quiet
is err "trial 1: given up: not done in 3 s
trial 3: given up: not done in 3 s"

# Trials that are given up again leave no trace, and no part of one.
sed -i 's/3$/2/; s/0.2, 36000, 0.1/36000/' limited.yaml
echo 'traces: [{repeats: 1}]' >>limited.yaml
run 3 limited --out given_up
has out ", 1 trace, no trace of 2 that ended early again"
[ "$(ls -A given_up/traces)" = trial_000000.h5 ] || fail "the folder of traces has $(ls -A given_up/traces)"
touch given_up/traces/trial_000001.h5.part.part # as a kill leaves it
run 3 limited --out given_up --resume --quiet
[ "$(ls -A given_up/traces)" = trial_000000.h5 ] || fail "after --resume it has $(ls -A given_up/traces)"

# The row of a crash stays until it is run again.
cp -r small retried
awk -F, -v OFS=, '$1 == 7 { $7 = "crashed: signal 11 (Segmentation fault)" } { print }' small/trials.csv \
  >retried/trials.csv
run 3 small --out retried --resume
is err "trial 7: crashed: signal 11 (Segmentation fault)"
run 0 small --out retried --retry
same_results small retried

# A trial that gives another row when repeated is reported, and keeps no trace.
sed 's/^5,\(.*\),[^,]*$/5,\1,12345/' small/trials.csv >retried/trials.csv
rm -r retried/traces
run 3 small --out retried --resume
grep -q "^trial 5: doll\.[a-z_]* is '12345' in the table, and '.*' when it was run again for its trace$" err ||
  fail "no word of a row that differs: $(cat err)"
absent retried/traces/trial_000005.h5
absent retried/traces/trial_000005.h5.part
[ -s retried/traces/trial_000000.h5 ] || fail "the other trace was not made"

# A table that is not the study's.
echo "24,0,0,1" >>pieces/trials.csv
run 2 small --out pieces --resume
has err "pieces/trials.csv:26:"
grep -v '^3,' small/trials.csv | sed 's/^4,/99,/' >pieces/trials.csv
run 2 small --out pieces --resume
is err "pieces/trials.csv:5: 99 is not a trial of the study, which has 0 to 23"

# Rows that differ from the study's plan.
cp small/trials.csv rows.csv
for change in '1,0,=1,1,=cell of trial 1 is .1., the study has .0. there' \
  '1,0,1,2=1,0,2,2=repeat of trial 1 is .2., the study has .1. there' \
  '1,0,1,2=1,0,1,3=seed of trial 1 is .3., the study has .2. there' \
  '1,0,1,2,0.3,0=1,0,1,2,0.3,0.5=heading of trial 1 is .0.5., the study has .0. there'; do
  IFS='=' read -r before after wanted <<<"$change"
  sed "s/^$before/$after/" rows.csv >pieces/trials.csv
  run 2 small --out pieces --resume
  grep -q "^pieces/trials.csv:3: $wanted$" err || fail "$before to $after: $(cat err)"
done

# Interruption: finished trials stay, and no process remains. Meanwhile no other sweep writes.
for signal in INT TERM; do
  rm -rf interrupted
  "$STAGGER" sweep long --out "$folder/interrupted" --jobs 2 >out 2>err &
  process=$!
  wait_for has_rows interrupted 2
  run 2 long --out interrupted --resume
  is err "interrupted: another sweep is running there"
  kill -$signal $process
  wait $process
  status=$?
  [ $status -eq 130 ] || fail "SIG$signal: exit status $status, not 130"
  wait_for nobody_works_in interrupted
  has interrupted/sweep.json '"status":	"interrupted"'
  [ "$(tail -n +2 interrupted/trials.csv | cut -d, -f1,6 | sort | tr '\n' ' ')" = "0,complete 2,complete " ] ||
    fail "SIG$signal: $(cat interrupted/trials.csv)"
  ends_whole interrupted
done

# A full disk: what was written stays complete, and the sweep continues when there is room again.
(
  trap '' XFSZ
  ulimit -f 6
  exec "$STAGGER" sweep small --out full >out 2>err
)
status=$?
[ $status -eq 3 ] || fail "a full disk: exit status $status: $(cat err)"
has err "full/trials.csv: cannot be written: File too large"
ends_whole full
[ "$(rows full)" -ge 1 ] || fail "a full disk: no row is left"
run 0 small --out full --resume
same_results small full

[ "$failed" -eq 0 ] && echo "sweeps behave"
[ "$failed" -eq 0 ]
