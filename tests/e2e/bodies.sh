#!/bin/bash
# The bodies that are not human, in a user's scenes: they stand for five seconds without any assist; the lizard's blend
# space keeps feet still at the speeds of its clips, and slides in turns; the files are equal to their scripts' output.
# Needs STAGGER and SOURCE.
set -eu
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room"
export STAGGER_SCENES="$SOURCE/scenes"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# expect NAME: the scene on standard input runs without warnings and meets its expectations.
expect() {
  cat >"$1.yaml"
  "$STAGGER" check "$1.yaml" 2>warnings >/dev/null || fail "$1: $(cat warnings)"
  [ ! -s warnings ] || fail "$1: $(cat warnings)"
  "$STAGGER" run "$1.yaml" >out 2>err || fail "$1: $(grep -h FAIL out || cat err)"
}

for body in lizard spider winged human_scarf; do
  expect "stand_$body" <<YAML
purpose: A body stands in its bind pose on its drives alone.
duration: 5
terrain: {kind: flat}
characters:
  - {name: it, body: bodies/$body.yaml}
expect:
  - it.fell == 0
  - it.foot_slip_max < 0.001
  - it.peak_pose_error < 0.5
  - it.support_margin_min > 0.05
  - it.assist_impulse == 0
YAML
done

walk() { # NAME INTENT EXPECTATION...
  local name=$1 intent=$2
  shift 2
  {
    cat <<YAML
purpose: A lizard walks by a plain blend space.
duration: 4
terrain: {kind: flat}
characters:
  - name: it
    body: bodies/lizard.yaml
    animation: {graph: graphs/lizard.yaml}
    assist: {enabled: true, force: 300, torque: 120}
    root: {turn_rate: 60}
    $intent
expect:
YAML
    printf -- '  - %s\n' "$@"
  } | expect "$name"
}
walk ahead 'intent: {speed: 0.6}' 'it.fell == 0' 'it.output_foot_slip_max < 0.001' 'it.distance > 2.3'
walk back 'intent: {speed: -0.35}' 'it.fell == 0' 'it.output_foot_slip_max < 0.001' 'it.distance > 1.3'
walk left 'intent: {strafe: 0.25}' 'it.fell == 0' 'it.output_foot_slip_max < 0.001' 'it.distance > 0.9'
walk right 'intent: {strafe: -0.25}' 'it.fell == 0' 'it.output_foot_slip_max < 0.001' 'it.distance > 0.9'
# The known weakness of such graphs.
walk turning 'script: [{time: 0, speed: 0.6}, {time: 1, heading: 120}]' 'it.output_foot_slip_max > 0.05'
walk stopping 'script: [{time: 0, speed: 0.6}, {time: 2, speed: 0.2}]' 'it.output_foot_slip_max > 0.01'

python=/usr/bin/python3
[ -x $python ] || {
  echo "SKIP the scripts that write bodies and clips: python3 is missing"
  exit 0
}
mkdir bodies clips
$python "$SOURCE/scenes/bodies/make_bodies.py" bodies >/dev/null
$python "$SOURCE/scenes/clips/make_lizard_clips.py" clips >/dev/null
$python "$SOURCE/scenes/clips/make_poses.py" clips >/dev/null
written=(bodies/*.yaml clips/*.yaml)
[ "${#written[@]}" -eq 24 ] || fail "the scripts wrote: ${written[*]}"
for file in bodies/*.yaml clips/*.yaml; do
  cmp -s "$file" "$SOURCE/scenes/$file" || fail "$file is not what its script writes"
done
