#!/bin/bash
# stagger check and stagger inspect of study files. Usage: STAGGER=program SOURCE=source-folder studies.sh
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
  [ "$status" -eq "$wanted" ] || fail "stagger $*: exit status $status, not $wanted: $(head -3 err)"
}

has() { grep -qF -- "$2" "$1" || fail "no '$2' in $1: $(cat "$1")"; }
is() { [ "$(cat "$1")" = "$2" ] || fail "$1 is '$(cat "$1")', not '$2'"; }

# The example of the manual is a good study.
sed -n '/^```yaml/,/^```$/p' "$SOURCE/scenes/studies/README.md" | sed '/^```/d' >help.yaml
run 0 check help.yaml
is out "help.yaml: good"
is err ""
run 0 inspect help
has out "help.yaml: study"
has out "  scene $SOURCE/scenes/hit_run.yaml, 10 s"
has out "  set duration=10"
has out "  axis strength (characters.runner.drive.strength): 4 values"
has out "    0.4, 0.6, 0.8, 1"
has out "  axis help, N (characters.runner.assist.force): 3 values"
has out "  12 cells x 20 repeats = 240 trials"
has out "  keeps the traces of the first 1 repeat of every cell"
has out "  keeps the traces of at most 10 trials where runner.fell == 1"
has out "  12 columns"
grep -qE '^    runner.recovery_time +s$' out || fail "no column recovery_time in $(cat out)"

# All that comes with Stagger.
for study in "$SOURCE"/scenes/studies/*.yaml; do
  [ -e "$study" ] || continue
  run 0 check "$study"
  run 0 check "$(basename "$study" .yaml)" # found by its name, unless a scene has it
done

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
