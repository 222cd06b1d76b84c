#!/bin/sh
# Runs a scene twice: its expectations hold both times, and the two traces are bit for bit the same.
# Usage: STAGGER=program run_twice.sh SCENE.yaml
set -eu
scene=$1
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
}

run a
run b
"$STAGGER" compare "$folder/a.h5" "$folder/b.h5"

# Only the wall-clock figure may differ.
for file in a b; do
  sed 's/"realtime_factor": *[^,}]*//g' "$folder/$file.json" >"$folder/$file.txt"
done
diff "$folder/a.txt" "$folder/b.txt"
