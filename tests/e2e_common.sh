# What all end-to-end scripts share: a folder of their own, and checks that continue after a failure. Sourced by them;
# STAGGER is the program, SOURCE the source folder. Each script ends by testing $failed.
# shellcheck shell=bash
set -u
[ -x "${STAGGER:-}" ] || { echo "set STAGGER to the program"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export STAGGER_SCENES="$SOURCE/scenes"
failed=0

fail() {
  echo "FAIL $*"
  failed=$((failed + 1))
}

# run STATUS ARGUMENT...: runs stagger into out and err and checks its exit status.
run() {
  local wanted=$1 status
  shift
  "$STAGGER" "$@" >out 2>err
  status=$?
  [ "$status" -eq "$wanted" ] || fail "stagger $*: exit status $status, not $wanted: $(head -3 err out)"
}

has() { grep -qF -- "$2" "$1" || fail "no '$2' in $1: $(head -5 "$1")"; }
# The code behind an error, as in "... [key_unknown]", is no part of what is compared.
is() { [ "$(sed 's/ \[[a-z_]*\]$//' "$1")" = "$2" ] || fail "$1 is '$(head -5 "$1")', not '$2'"; }
absent() { [ ! -e "$1" ] || fail "$1 was written"; }

# within SECONDS COMMAND...: waits until it succeeds. False: it has not in that time, which is to be far longer than it
# takes on a busy machine.
within() {
  local tries=$(($1 * 20))
  shift
  until "$@" 2>/dev/null; do
    [ $((tries -= 1)) -gt 0 ] || return 1
    sleep 0.05
  done
}

# by_ranks COMMAND ARGUMENT...: runs stagger on two ranks of MPI. False: there is no MPI here, or the program is without.
by_ranks() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  mpirun --version 2>/dev/null | grep -q "Open MPI" || return 1
  ! OMPI_COMM_WORLD_SIZE=2 "$STAGGER" "$1" nothing 2>&1 | grep -q "without MPI" || return 1
  ASAN_OPTIONS=detect_leaks=0 mpirun -n 2 --oversubscribe "$STAGGER" "$@" >out 2>err || fail "two ranks: $(head -3 err)"
}

wait_for() { within 60 "$@" || fail "waited in vain for: $*"; }

# wait_for_frames FILE [MOST]: until a run in the background has recorded more than MOST frames (none without it), on a
# machine of any speed.
wait_for_frames() {
  local most=${2:-0} frames tries=600
  while
    frames=$("$STAGGER" inspect "$1" 2>/dev/null | sed -n 's/^ *frames *\([0-9]*\),.*/\1/p')
    [ "${frames:-0}" -le "$most" ]
  do
    [ $((tries -= 1)) -gt 0 ] || { fail "$1 has ${frames:-no} frames"; return; }
    sleep 0.05
  done
}

# The header of a file of tensors without the time that the training has taken, and the bytes of its numbers.
head_size() { od -An -tu8 -N8 "$1" | tr -d ' '; }
header() { head -c $((8 + $(head_size "$1"))) "$1" | tail -c +9 | sed 's/"wall_minutes":"[^"]*"//; s/ *$//'; }
numbers() { tail -c +$((9 + $(head_size "$1"))) "$1"; }
same_numbers() { cmp -s <(numbers "$1") <(numbers "$2") || fail "the weights in $1 and $2 differ"; }
same() {
  same_numbers "$1" "$2"
  [ "$(header "$1")" = "$(header "$2")" ] || fail "what is said of the training differs in $1 and $2"
}
# told FILE KEY: a number of the record in a file of tensors.
told() { header "$1" | sed -n "s/.*\"$2\":\"\([0-9.]*\)\".*/\1/p"; }

# A skill that learns in seconds, tiny.yaml, and its scene, field.yaml.
write_tiny_skill() {
  cat >field.yaml <<'END'
purpose: Where the skill learns.
world: {dt: 1/240, solver: reduced}
terrain: {kind: noise, amplitude: 0.015, wavelength: 0.8, cell: 0.1, x: [-12, 12], z: [-5, 60]}
characters:
  - {name: runner, body: bodies/human.yaml, animation: {move: clips/run.yaml}, intent: {speed: 3.5}}
END
  cat >tiny.yaml <<'END'
name: tiny
body: bodies/human.yaml
clip: clips/run.yaml
network: tiny.safetensors
control: {rate: 30, mirror: true, speed: [2.5, 4.5]}
training:
  scene: field.yaml
  seed: 3
  trials: 2
  learner: {environments: 8, horizon: 16, hidden_first: 16, hidden_second: 16, minibatch: 64, epochs: 2}
  stages:
    - {name: first, samples: 200, speed: [3.5, 3.5], episode: 3}
    - {name: second, samples: 1300, speed: [2.5, 4.5], turning: 0.5, hits: 0.5, roughness: 1, episode: 3}
END
}
