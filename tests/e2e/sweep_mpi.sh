#!/bin/bash
# stagger sweep under mpirun: the same table with 1, 2 and 4 ranks, killed workers and ranks, interruption.
# Usage: STAGGER=program SOURCE=source-folder sweep_mpi.sh
set -u
[ -x "${STAGGER:-}" ] || { echo "set STAGGER to the program"; exit 1; }
mpirun --version 2>/dev/null | grep -q "Open MPI" || { echo "SKIP there is no mpirun of Open MPI"; exit 77; }
if OMPI_COMM_WORLD_SIZE=2 "$STAGGER" sweep nothing 2>&1 | grep -q "without MPI"; then
  echo "SKIP stagger is built without MPI"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export STAGGER_SCENES="$SOURCE/scenes"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Open MPI's plugins leak, and are unloaded before their leaks could be identified by name.
export ASAN_OPTIONS=detect_leaks=0
failed=0

fail() {
  echo "FAIL $*"
  failed=$((failed + 1))
}

# run STATUS RANKS ARGUMENT...: runs stagger sweep with that many ranks into out and err.
run() {
  local wanted=$1 ranks=$2 status
  shift 2
  mpirun -n "$ranks" --oversubscribe "$STAGGER" sweep "$@" >out 2>err
  status=$?
  [ "$status" -eq "$wanted" ] || fail "$ranks ranks, $*: exit status $status, not $wanted: $(head -3 err)"
}

has() { grep -qF -- "$2" "$1" || fail "no '$2' in $1: $(head -5 "$1")"; }
once() { [ "$(grep -cF -- "$2" "$1")" -eq 1 ] || fail "'$2' is not once in $1: $(head -9 "$1")"; }
absent() { [ ! -e "$1" ] || fail "$1 was written"; }
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }
has_rows() { [ -e "$1/trials.csv" ] && [ "$(wc -l <"$1/trials.csv")" -gt "$2" ]; }
same_results() {
  same "$1/trials.csv" "$2/trials.csv"
  same "$1/summary.csv" "$2/summary.csv"
  "$STAGGER" compare "$1/traces/trial_000003.h5" "$2/traces/trial_000003.h5" >out 2>&1 ||
    fail "traces of $1 and $2: $(head -3 out)"
}

# wait_for COMMAND...: until it succeeds, at most 60 s.
wait_for() {
  local tries=1200
  until "$@"; do
    [ $((tries -= 1)) -gt 0 ] || { fail "waited in vain for: $*"; return; }
    sleep 0.05
  done
}

# Processes of stagger whose arguments name that folder of the test; ended ones have no arguments.
processes() {
  local process
  for process in $(grep -lz -- "${folder}[/]$1" /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3); do
    ! grep -qs stagger "/proc/$process/comm" || echo "$process"
  done
}
nobody_works_in() { [ -z "$(processes "$1")" ]; }
parent_of() { cut -d')' -f2 <"/proc/$1/stat" | cut -d' ' -f3; }

# The ranks of an mpirun, in their order.
ranks_of() {
  local process
  for process in $(processes "$1"); do
    [ "$(parent_of "$process")" != "$2" ] ||
      echo "$(tr '\0' '\n' <"/proc/$process/environ" | sed -n 's/^OMPI_COMM_WORLD_RANK=//p') $process"
  done | sort -n | cut -d' ' -f2
}

# The worker of a rank: the child of the keeper, which is the rank's child.
worker_of() {
  local process
  for process in $(processes "$1"); do
    [ "$(parent_of "$(parent_of "$process")")" != "$2" ] || echo "$process"
  done
}

cat >small.yaml <<'END'
scene: limp
repeats: 3
set: [duration=1]
axes:
  world.friction: {values: [0.3, 1], name: friction}
  characters.doll.start.heading: {from: 0, to: 90, steps: 4, name: heading}
traces:
  - {trials: [3, 5]}
END
cat >long.yaml <<'END'
scene: limp
axes: {duration: [0.1, 36000, 36000, 36000, 36000]}
metrics: [doll.fell]
END

# The same results without MPI and with 1, 2 and 4 ranks. Only rank 0 prints.
"$STAGGER" sweep small --jobs 1 --quiet || fail "without MPI: exit status $?"
for ranks in 1 2 4; do
  run 0 $ranks small --out "ranks$ranks"
  once out "ranks$ranks: 24 of 24 trials, 24 of them now in"
  # hwloc, below MPI, has its own complaints where /sys is not mounted.
  ! grep -v '^\[hwloc/' err >words || fail "$ranks ranks say: $(head -5 words)"
  has "ranks$ranks/sweep.json" "\"ranks\":	$ranks"
  has "ranks$ranks/sweep.json" "\"workers\":	$ranks"
  same_results small "ranks$ranks"
done
run 0 2 small --out workers --jobs 2 --quiet
has workers/sweep.json '"workers":	4'
same_results small workers

# Bad input is reported once, and nothing is written.
printf 'scene: limp\naxes: {world.frictoin: [1]}\n' >bad.yaml
run 2 2 bad
once err "bad.yaml:2:"
absent bad

# A folder that is not the same for all ranks; a study that is not.
mkdir -p host0 host1
cp small.yaml host0
cp small.yaml host1
here='cd host$OMPI_COMM_WORLD_RANK && exec "$STAGGER" sweep small'
mpirun -n 2 --oversubscribe sh -c "$here" >out 2>err
[ $? -eq 2 ] || fail "a folder that is not shared: $(cat out err)"
has err "rank 1 on "
has err ": small is not the folder that rank 0 sees: name one on a disk that all hosts share with --out"
absent host0/small
absent host1/small
echo "# changed" >>host1/small.yaml
mpirun -n 2 --oversubscribe sh -c "$here" >out 2>err
[ $? -eq 2 ] || fail "a study that is not the same: $(cat out err)"
has err "it reads another study, scene or clip than rank 0"
absent host0/small

# Several tasks without MPI would each run the whole sweep.
SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=0 "$STAGGER" sweep small --out tasks >out 2>err
[ $? -eq 2 ] || fail "tasks without MPI are not refused"
has err "srun has started 3 tasks without MPI"
SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=1 "$STAGGER" sweep small --out tasks >out 2>err || fail "the second task fails, too"
[ ! -s err ] || fail "the second task says it, too"
absent tasks

# A killed worker of another rank is a row. Then a signal to one rank stops all, and finished trials stay.
mpirun -n 2 --oversubscribe "$STAGGER" sweep long --out "$folder/lost" >out 2>err &
launcher=$!
wait_for has_rows lost 1
sleep 0.3
other=$(ranks_of lost $launcher | tail -n 1)
worker=$(worker_of lost "$other")
kill -9 "$worker" || fail "rank 1 has no worker: $(processes lost)"
wait_for has_rows lost 2
kill -TERM "$other"
wait $launcher
[ $? -eq 130 ] || fail "an interrupted rank: $(cat err)"
wait_for nobody_works_in lost
has lost/sweep.json '"status":	"interrupted"'
[ "$(grep -c "crashed: signal 9 (Killed)" lost/trials.csv)" -eq 1 ] || fail "rows: $(cat lost/trials.csv)"

# A signal to mpirun, as by Ctrl-C.
rm -rf lost
mpirun -n 2 --oversubscribe "$STAGGER" sweep long --out "$folder/lost" >out 2>err &
launcher=$!
wait_for has_rows lost 1
kill -INT $launcher
wait $launcher && fail "an interrupted mpirun ends well"
wait_for nobody_works_in lost
has lost/sweep.json '"status":	"interrupted"'
[ "$(tail -n +2 lost/trials.csv | cut -d, -f1,6)" = 0,complete ] || fail "interrupted: $(cat lost/trials.csv)"

# While traces are made all rows exist already. Long enough to be interrupted: sanitizers make a trial slower.
repeats=8
! grep -q "STAGGER_SANITIZE:BOOL=ON" "$(dirname "$STAGGER")/CMakeCache.txt" || repeats=3
sed "s/repeats: 3/repeats: $repeats/; s/trials: .*\]/repeats: $repeats/" small.yaml >traced.yaml
mpirun -n 2 --oversubscribe "$STAGGER" sweep traced --out "$folder/traced" --quiet >out 2>err
rm -r traced/traces
mpirun -n 2 --oversubscribe "$STAGGER" sweep traced --out "$folder/traced" --resume >out 2>err &
launcher=$!
wait_for test -e traced/traces/trial_000000.h5
kill -INT "$(ranks_of traced $launcher | head -n 1)"
wait $launcher
[ $? -eq 130 ] || fail "interrupted in the traces: $(cat err)"
has out "; interrupted before all traces and results were made; go on with --resume"
[ -z "$(find traced/traces -name '*.part')" ] || fail "parts of traces are left: $(ls traced/traces)"
run 0 2 traced --out traced --resume
[ "$(ls traced/traces | wc -l)" -eq $((8 * repeats)) ] || fail "not all traces are there: $(ls traced/traces)"

# A killed rank ends all. Another number of ranks continues.
mpirun -n 2 --oversubscribe "$STAGGER" sweep traced --out "$folder/killed" --quiet >out 2>err &
launcher=$!
wait_for has_rows killed 3
kill -KILL "$(ranks_of killed $launcher | tail -n 1)"
wait $launcher && fail "mpirun ends well without a rank"
wait_for nobody_works_in killed
[ "$(tail -c 1 killed/trials.csv | od -An -tx1)" = " 0a" ] || fail "a killed rank leaves half a line"
grep crashed killed/trials.csv && fail "a killed rank: trials have crashed"
run 0 3 traced --out killed --resume --quiet
same_results traced killed

[ "$failed" -eq 0 ] && echo "sweeps of several ranks behave"
[ "$failed" -eq 0 ]
