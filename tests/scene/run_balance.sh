#!/bin/sh
# Records every step of the beginning of a scene, by each solver: the trace explains the momentum and the angular
# momentum of every character in every step. With the reduced solver joints cannot open; with the others they open by
# some millimetres under impulses, which are far smaller where they open most: see check_balance.
# Usage: STAGGER=program CHECK_BALANCE=program run_balance.sh SCENE.yaml
set -eu
scene=$1 most=8
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

rate=$(sed -n 's/^world:.*dt: *1\/\([0-9]*\).*/\1/p' "$scene")
duration=$(sed -n 's/^duration: *\([0-9.]*\).*/\1/p' "$scene")
duration=$(echo "$duration $most" | awk '{ print ($1 < $2 ? $1 : $2) }')
for solver in step iterative reduced; do
  case $solver in
  step) arm=1e-5 ;;
  iterative) arm=3e-3 ;;
  reduced) arm=1e-6 ;;
  esac
  status=0
  "$STAGGER" run "$scene" --quiet --duration "$duration" --set "expect=[]" --set "world.solver=$solver" \
    --set "trace.rate=${rate:-240}" --trace "$folder/$solver.h5" || status=$?
  [ "$status" -eq 0 ] || { echo "stagger run $scene on $solver: exit status $status"; exit 1; }
  echo "$solver:"
  "$CHECK_BALANCE" "$folder/$solver.h5" $arm
  rm "$folder/$solver.h5"
done
