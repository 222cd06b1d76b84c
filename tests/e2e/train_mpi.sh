#!/bin/bash
# stagger train SKILL under mpirun: the same network with any number of ranks and over stops, one message for an error,
# and signals.
# Usage: STAGGER=program SOURCE=source-folder train_mpi.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh" || exit 1
mpirun --version 2>/dev/null | grep -q "Open MPI" || { echo "SKIP there is no mpirun of Open MPI"; exit 77; }
if OMPI_COMM_WORLD_SIZE=2 "$STAGGER" sweep nothing 2>&1 | grep -q "without MPI"; then
  echo "SKIP stagger is built without MPI"
  exit 77
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Open MPI's plugins leak, and are unloaded before their leaks could be identified by name.
export ASAN_OPTIONS=detect_leaks=0

# ranks STATUS RANKS ARGUMENT...: runs stagger train with that many ranks into out and err.
ranks() {
  local wanted=$1 count=$2 status
  shift 2
  mpirun -n "$count" --oversubscribe "$STAGGER" train "$@" --quiet >out 2>err
  status=$?
  [ "$status" -eq "$wanted" ] || fail "$count ranks, $*: exit status $status, not $wanted: $(head -3 err)"
}
once() { [ "$(grep -cF -- "$2" "$1")" -eq 1 ] || fail "'$2' is not once in $1: $(head -9 "$1")"; }
without_minutes() { cut -d, -f1,2,4- "$1"; }

# train_ranks FILE: starts a training with two ranks in the background. Its processes, in their order, are ranks_of FILE.
train_ranks() {
  rm -f "$1" "$1.checkpoint"
  mpirun -n 2 --oversubscribe "$STAGGER" train long.yaml -o "$folder/$1" --quiet >out 2>err &
  launcher=$!
}
ranks_of() {
  local process
  for process in $(grep -lz -- "$folder/$1" /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3); do
    ! grep -qs stagger "/proc/$process/comm" ||
      echo "$(tr '\0' '\n' <"/proc/$process/environ" | sed -n 's/^OMPI_COMM_WORLD_RANK=//p') $process"
  done | sort -n | cut -d' ' -f2
}
nobody_trains() { [ -z "$(ranks_of "$1")" ]; }
# Whether both have begun to learn: they have used 0.7 s of processor time.
both_learn() {
  local process count=0
  for process in $(ranks_of "$1"); do
    [ "$(cut -d')' -f2 "/proc/$process/stat" | cut -d' ' -f13)" -gt 70 ] && count=$((count + 1))
  done
  [ $count -eq 2 ]
}

write_tiny_skill
sed -i 's/trials: 2/trials: 5/; s/environments: 8/environments: 5/; s/samples: 1300/samples: 1000/
  s/roughness: 1,/& mass: [0.9, 1.1],/' tiny.yaml
sed 's/samples: 200/samples: 1e9/' tiny.yaml >long.yaml

# The same network, curve and test for any number of ranks, more than environments included.
run 0 train tiny.yaml -o one.safetensors --curve one.csv --threads 1 --quiet
grep -v ' [a-z]*.safetensors ' out >alone
sed -n 's/ one.safetensors / NAME /p' out >>alone
for count in 2 6; do
  ranks 0 $count tiny.yaml -o ranks.safetensors --curve ranks.csv
  same one.safetensors ranks.safetensors
  [ "$(without_minutes one.csv)" = "$(without_minutes ranks.csv)" ] || fail "$count ranks: another curve"
  has out "5 trials of the stage 'second', no longer than 3 s each"
  once out "$(sed -n 's/^  NAME *//p' alone)"
  absent ranks.safetensors.checkpoint
done

# Stopped by the clock and continued, each time with another number of ranks.
ranks 0 2 tiny.yaml -o parts.safetensors --minutes 1e-6
stops=1
until [ ! -e parts.safetensors.checkpoint ] || [ $stops -gt 40 ]; do
  ranks 0 $((1 + stops % 3)) tiny.yaml -o parts.safetensors --curve parts.csv --resume --minutes "$(awk "BEGIN { print 0.02 * $stops }")"
  stops=$((stops + 1))
done
same one.safetensors parts.safetensors
[ "$(without_minutes parts.csv)" = "$(without_minutes one.csv)" ] || fail "a training in parts has another curve"

# Minutes of computing are those of all parts: the second one here is short.
run 0 train long.yaml -o slow.safetensors --minutes 0.06 --threads 1 --quiet
run 0 train long.yaml -o slow.safetensors --resume --minutes 1e-6 --threads 1 --quiet
grep -qa '"wall_minutes" *: *"0.1"' slow.safetensors || fail "wall_minutes: $(grep -ao '"wall_minutes"[^,]*' slow.safetensors)"

# An error is reported once, and nothing is written: of all ranks, of rank 1 alone, of rank 0 alone.
sed 's/epochs/epoch/' tiny.yaml >bad.yaml
ranks 2 2 bad.yaml -o bad.safetensors
once err "unknown key 'epoch' in learner"
absent bad.safetensors
mkdir host0 host1
cp field.yaml tiny.yaml host0
cp tiny.yaml host1
here='cd host$OMPI_COMM_WORLD_RANK && exec "$STAGGER" train tiny.yaml -o tiny.safetensors --quiet'
mpirun -n 2 --oversubscribe sh -c "$here" >out 2>err
[ $? -eq 2 ] || fail "a scene that rank 1 does not have: $(cat out err)"
once err "rank 1 on "
has err ": tiny.yaml:7:10: field.yaml: there is no such file"
cp field.yaml host1
sed 's/3.5, 3.5/3, 3/' tiny.yaml >host1/tiny.yaml
mpirun -n 2 --oversubscribe sh -c "$here" >out 2>err
[ $? -eq 2 ] || fail "a description that is not the same: $(cat out err)"
once err "it reads another description, scene, clip or network than rank 0"
absent host0/tiny.safetensors
ranks 2 2 tiny.yaml -o nowhere/new.safetensors
once err "nowhere/new.safetensors: cannot be written"
echo "no checkpoint" >new.safetensors.checkpoint
ranks 2 2 tiny.yaml -o new.safetensors --resume
once err "new.safetensors.checkpoint: is not a checkpoint of this training"
absent new.safetensors

# A signal to one rank stops all, with a checkpoint; it has learnt as much as a training of that length.
train_ranks long.safetensors
wait_for both_learn long.safetensors
kill -INT "$(ranks_of long.safetensors | tail -n 1)"
wait $launcher
[ $? -eq 130 ] || fail "an interrupted rank: $(cat err)"
wait_for nobody_trains long.safetensors
[ -s long.safetensors.checkpoint ] || fail "interrupted, it leaves no checkpoint"
samples=$(told long.safetensors samples)
if [ "${samples:-0}" -gt 0 ]; then
  sed "/name: second/d; s/samples: 200/samples: $samples/" tiny.yaml >short.yaml
  run 0 train short.yaml -o short.safetensors --quiet
  same_numbers long.safetensors short.safetensors
fi

# A signal to mpirun, as by Ctrl-C. From then on the ranks have this many seconds to end.
export OMPI_MCA_odls_base_sigkill_timeout=5
train_ranks control.safetensors
wait_for both_learn control.safetensors
kill -INT $launcher
wait $launcher && fail "an interrupted mpirun ends well"
wait_for nobody_trains control.safetensors
[ -s control.safetensors.checkpoint ] || fail "an interrupted mpirun leaves no checkpoint"

[ "$failed" -eq 0 ] || { echo "$failed checks failed"; exit 1; }
echo "all checks passed"
