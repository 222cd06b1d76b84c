#!/bin/sh
# Records every step of the beginning of a scene by the iterative solver: the trace explains the momentum and the angular
# momentum of every character in every step. Joints open by some millimetres under impulses, which are far smaller where
# they open most: see check_balance. (By the scene's own solver: run_twice.sh; by the reduced one: run_reduced.sh.)
# Usage: STAGGER=program CHECK_BALANCE=program run_balance.sh SCENE.yaml
set -eu
scene=$1 most=8
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

rate=$(sed -n 's/^world:.*dt: *1\/\([0-9]*\).*/\1/p' "$scene")
duration=$(sed -n 's/^duration: *\([0-9.]*\).*/\1/p' "$scene")
duration=$(echo "$duration $most" | awk '{ print ($1 < $2 ? $1 : $2) }')
status=0
"$STAGGER" run "$scene" --quiet --duration "$duration" --set "expect=[]" --set world.solver=iterative \
  --set "trace.rate=${rate:-240}" --trace "$folder/trace.h5" || status=$?
[ "$status" -eq 0 ] || { echo "stagger run $scene: exit status $status"; exit 1; }
"$CHECK_BALANCE" "$folder/trace.h5" 3e-3
