#!/bin/sh
# Runs a scene twice: its expectations hold both times, no warning is counted (of ODE, of lists that are full), the two
# traces are bit for bit the same, they explain the momenta of all characters from frame to frame, and they are what the
# table says (tests/scene/bits.csv), so that no change alters a scene unnoticed.
# With a number of seconds it runs once, for that time at most: enough for the slow sanitizers. The optimised build
# checks the expectations.
# Usage: STAGGER=program CHECK_BALANCE=program DIGEST=program run_twice.sh SCENE.yaml BITS.csv [SECONDS]
set -eu
scene=$1 table=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

run() {
  status=0
  "$STAGGER" run "$scene" --quiet --trace "$folder/$1.h5" --metrics "$folder/$1.json" || status=$?
  if [ "$status" -ne 0 ]; then
    echo "stagger run $scene: exit status $status"
    cat "$folder/$1.json" 2>/dev/null || true
    exit 1
  fi
  # No warning of the solver or the recording: every counter of "warnings" is 0.
  if sed -n '/"warnings":/,/}/p' "$folder/$1.json" | grep -E ':[[:space:]]*[1-9]'; then
    echo "stagger run $scene: has warnings"
    exit 1
  fi
}

if [ $# -gt 2 ]; then
  duration=$(sed -n 's/^duration: *\([0-9.]*\).*/\1/p' "$scene")
  if [ "$(echo "$duration $3" | awk '{ print ($1 > $2) }')" -eq 1 ]; then
    set -- --duration "$3" --set "expect=[]"
  else
    set --
  fi
  "$STAGGER" run "$scene" --quiet --trace "$folder/a.h5" "$@"
  exit
fi
run a
run b
"$STAGGER" compare "$folder/a.h5" "$folder/b.h5"
"$CHECK_BALANCE" "$folder/a.h5" 1e-5

# Only the wall-clock figure may differ.
for file in a b; do
  sed 's/"realtime_factor": *[^,}]*//g' "$folder/$file.json" >"$folder/$file.txt"
done
diff "$folder/a.txt" "$folder/b.txt"

name=${scene%.yaml}
name=${name##*scenes/}
line=$name,$("$DIGEST" "$folder/a.h5")
if ! grep -qxF "$line" "$table"; then
  echo "other than in tests/scene/bits.csv:"
  grep -E "^(scene|$name)," "$table" | sed 's/^/< /'
  echo "> $line"
  echo "If that is meant, './dev bits' writes the table, and CHANGELOG.md says what changed."
  exit 1
fi
