#!/bin/sh
# Runs a scene: its expectations hold, no warning is counted (of ODE, of lists that are full), the trace explains the
# momenta of all characters from frame to frame, and it is what the table says (tests/scene/bits.csv), so that no change
# alters a scene unnoticed. Then its beginning runs again, with a frame of every step: the bodies are bit for bit the same
# after each step, however much is recorded, and each step explains the momenta.
# With a number of seconds it runs once, for that time at most: enough for the slow sanitizers. The optimised build
# checks the expectations.
# Usage: STAGGER=program CHECK_BALANCE=program DIGEST=program run_twice.sh SCENE.yaml BITS.csv [SECONDS]
set -eu
scene=$1 table=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# at_most SECONDS: that, or the scene's duration if it is shorter.
at_most() { sed -n 's/^duration: *\([0-9.]*\).*/\1/p' "$scene" | awk -v most="$1" '{ print ($1 < most ? $1 : most) }'; }

# run NAME ARGUMENT...: records NAME.h5.
run() {
  name=$1 status=0
  shift
  "$STAGGER" run "$scene" --quiet --trace "$folder/$name.h5" --metrics "$folder/$name.json" "$@" || status=$?
  if [ "$status" -ne 0 ]; then
    echo "stagger run $scene $*: exit status $status"
    cat "$folder/$name.json" 2>/dev/null || true
    exit 1
  fi
}

if [ $# -gt 2 ]; then
  duration=$(at_most "$3")
  if [ "$duration" = "$3" ]; then
    run first --duration "$duration" --set "expect=[]"
  else
    run first
  fi
  exit
fi
run whole
# No warning of the solver or the recording: every counter of "warnings" is 0.
if sed -n '/"warnings":/,/}/p' "$folder/whole.json" | grep -E ':[[:space:]]*[1-9]'; then
  echo "stagger run $scene: has warnings"
  exit 1
fi
"$CHECK_BALANCE" "$folder/whole.h5" 1e-5

rate=$(sed -n 's/^world:.*dt: *1\/\([0-9]*\).*/\1/p' "$scene")
run begun --duration "$(at_most 8)" --set "expect=[]" --set "trace.rate=${rate:-240}"
"$CHECK_BALANCE" "$folder/begun.h5" 1e-5
if ! "$STAGGER" compare "$folder/whole.h5" "$folder/begun.h5" >"$folder/compared" &&
  ! grep -E '^steps: the [0-9]+ that both have left all bodies in the same state' "$folder/compared"; then
  echo "other steps when it runs again:"
  head -n 5 "$folder/compared"
  exit 1
fi

name=${scene%.yaml}
name=${name##*scenes/}
line=$name,$("$DIGEST" "$folder/whole.h5")
if ! grep -qxF "$line" "$table"; then
  echo "other than in tests/scene/bits.csv:"
  grep -E "^(scene|$name)," "$table" | sed 's/^/< /'
  echo "> $line"
  echo "If that is meant, './dev bits' writes the table, and CHANGELOG.md says what changed."
  exit 1
fi
