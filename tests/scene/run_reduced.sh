#!/bin/sh
# Runs a scene on the reduced solver, for a minute at most: its expectations hold there too, and a trace of every step
# explains the momenta of all characters; joints cannot open. Then its beginning on both this solver and the exact one:
# each body tracks its pose as well (RMS error) to 1 %.
# Usage: STAGGER=program CHECK_BALANCE=program run_reduced.sh SCENE.yaml
set -eu
scene=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# What is compared: the time before single impacts determine the rest of a run, and a wider share where feet slip by
# millimetres until they hold.
seconds=2 percent=1 step=
case $(basename "$scene" .yaml) in
limp) seconds=0.5 ;;                         # lies on the ground
fall_getup) seconds=0.7 ;;                   # step and fall after that
fall_random) seconds=0.8 step=1/480 ;;        # falls after that
hit_parts) seconds=0.5 ;;                    # are hit after that
hit_stand) step=1/480 ;;                      # steps after a blow: at 1/240 s the two are 1.8 % apart, at 1/960 s 0.02 %
hit_props) seconds=1 ;;                      # the bag strikes after that
stagger_tree) seconds=0.5 step=1/480 ;;      # walks off after that
hit_run | walk_skill | walk_stop | walk_caught) seconds=1 step=1/480 ;; # a skill answers every difference: from 1.5 s on the two are up to 3 % apart, either way
hit_assist) seconds=2.9 step=1/480 ;;       # is hit at 3 s; at 1/240 s each is off by 1 to 2 % of its own limit
lizard_attack | lizard_rough) seconds=1 ;;   # light feet bounce
look) step=1/240 ;;                         # at 1/120 s the two are off their common limit by 0.5 and -1.2 %
plan_crowd_20) step=1/240 ;;                 # kinematic: at 1/60 s the exact one is off by 0.001 deg, the reduced one not
plan_hit) percent=6 ;;                       # turns about feet that slip 2 cm
terrain_stand) percent=10 step=1/480 ;;      # on slopes feet slip 0 to 18 mm as they are set down
esac

# run FILE SOLVER ARGUMENT...: metrics of a run; its expectations count only without a duration.
run() {
  file=$folder/$1 solver=$2
  shift 2
  status=0
  "$STAGGER" run "$scene" --quiet --set "world.solver=$solver" --metrics "$file" "$@" || status=$?
  [ "$status" -eq 0 ] || { echo "stagger run $scene on $solver: exit status $status"; exit 1; }
}

# NAME ERROR of all characters whose bodies are not kinematic, deg.
errors() {
  sed -n 's/^\t\t"\(.*\)":\t{$/\1/p; s/^.*"rms_pose_error":\t\([0-9.e+-]*\).*/\1/p' "$1" | paste -d' ' - -
}

set -- --trace "$folder/whole.h5" --set "trace.rate=$(sed -n 's/^world:.*dt: *1\/\([0-9]*\).*/\1/p' "$scene" | grep . || echo 240)"
duration=$(sed -n 's/^duration: *\([0-9.]*\).*/\1/p' "$scene")
if [ "$(echo "$duration" | awk '{ print ($1 > 60) }')" -eq 1 ]; then
  set -- "$@" --duration 60
fi
run whole.json reduced "$@"
"$CHECK_BALANCE" "$folder/whole.h5" 1e-6
run exact.json step --duration $seconds --set "expect=[]" ${step:+--set world.dt=$step}
run reduced.json reduced --duration $seconds --set "expect=[]" ${step:+--set world.dt=$step}
errors "$folder/exact.json" >"$folder/exact"
errors "$folder/reduced.json" >"$folder/reduced"
[ -s "$folder/exact" ] || { echo "no errors of tracking in $scene"; exit 1; }
paste -d' ' "$folder/exact" "$folder/reduced" | awk -v percent=$percent '
  $1 != $3 || NF != 4 { print "other characters: " $0; bad = 1; next }
  $2 > 0.001 {
    off = 100 * ($4 / $2 - 1)
    printf "%s: %s deg, exactly %s deg (%+.2f %%)\n", $1, $4, $2, off
    if (off > percent || off < -percent) bad = 1
  }
  END { exit bad }'
