#!/bin/bash
# What the program writes, byte for byte: exports, reports, results of studies, motions from outside, trained controllers.
# Each product of short runs has a line in products.csv, so that no change alters a file unnoticed; after a change that is
# meant, `./dev bits` writes the table. What a product should hold, the tests of its own kind tell.
# Usage: STAGGER=program DIGEST=program SOURCE=source-folder products.sh [--write]
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh" || exit 1
table=$SOURCE/tests/e2e/products.csv

# Where the sources are is no part of a product.
line() { echo "$1,$(LC_ALL=C sed "s,$SOURCE/,,g" | sha256sum | cut -c1-8)" >>products; }
# product FILE...
product() {
  for file in "$@"; do
    line "$file" <"$file"
  done
}
# A page without its style and script, which not every build has, and without how long a study took.
export STAGGER_REPORT_PAGE=$PWD
page() { line "$1" < <(sed '/<style>/,/<.style>/d; s/[0-9]* workers, [0-9]* trials in [0-9.]* s//g' "$1"); }
trace() { line "$1" < <("$DIGEST" "$1"); }

# ---- A blow: every format, and the report ----
run 0 run hit_stand --duration 3.5 --set expect=[] --trace hit.h5 --metrics hit.json --quiet
sed '/realtime_factor/d' hit.json >hit.metrics
product hit.metrics
for format in glb bvh sto mot trc c3d npz mcap csv; do
  run 0 export hit.h5 -o "hit.$format"
  product "hit.$format"
done
for name in parts character contacts events; do
  run 0 export hit.h5 --table "$name" -o "$name.csv"
  product "$name.csv"
done
run 0 export hit.h5 --rig hit.glb -o rig.glb
run 0 report hit.h5 -o hit.html --no-pictures
product rig.glb
page hit.html
run 0 inspect hit.h5
cp out inspected
product inspected
for scene in hit_walk terrain_stones fall_random; do
  run 0 run $scene --duration 6 --set expect=[] --trace $scene.h5 --quiet
  run 0 report $scene.h5 -o $scene.html --no-pictures
  page $scene.html
done

# ---- Bodies to and from other programs ----
run 0 body "$STAGGER_SCENES/bodies/human.yaml" -o human.xml
run 0 body "$STAGGER_SCENES/bodies/human.yaml" -o human.glb
run 0 body hit.glb -o rigged.yaml
run 0 body human.xml -o modelled.yaml
product human.xml human.glb rigged.yaml modelled.yaml

# ---- Studies ----
# study COMMAND NAME KEY: a doll in the air is pushed.
study() {
  cat >"$2.yaml" <<END
scene: limp
repeats: 6
set: [duration=0.15, "expect=[]", "events=[{part: chest, time: [0.02, 0.05], impulse: 10}]", world.solver=reduced]
axes:
  events.0.impulse: {from: 5, to: 35, steps: 4, name: impulse}
  events.0.direction: {values: [0, 90], name: direction}
metrics: [doll.peak_com_displacement, doll.peak_pose_error, doll.recovery_strategy]
$3
END
  run 0 "$1" "$2" --out "$2" --quiet
  for file in "$2"/*.csv "$2"/*.json; do
    [ "$file" = "$2/sweep.json" ] || product "$file" # has times and processors
  done
  run 0 report "$2" -o "$2.html" --no-pictures
  page "$2.html"
}
study sweep swept "traces: [{trials: [0]}]"
study threshold limit "threshold: {axis: impulse, withstood: doll.peak_com_displacement < 0.03, share: 0.8}"
study sensitivity moved "sensitivity: {trajectories: 4}"
study compare compared "compare: {axis: direction, metric: doll.peak_com_displacement, block: 6}"
cat >best.yaml <<'END'
scene: limp
set: [duration=0.15, "expect=[]", "events=[{part: chest, time: 0.05, impulse: 10}]", world.solver=reduced]
optimise:
  parameters:
    events.0.impulse: {low: 2, high: 200, start: 10, scale: log, name: impulse}
  cost: [{metric: doll.peak_com_displacement, goal: 0.03, weight: 100}]
  generations: 4
  population: 5
metrics: [doll.peak_com_displacement]
END
run 0 optimise best --out best --quiet
product best/optimise.csv best/optimise.json best/best.yaml

# ---- Controllers that learn ----
write_tiny_skill
run 0 train tiny.yaml -o tiny.safetensors --curve tiny.csv --quiet
line tiny.safetensors < <(numbers tiny.safetensors)
mkdir planners
sed -e 's/^training:.*/training: {decisions: 2000, points: 4, check_fields: 2, test_fields: 4, test_crowds: 1, crowd: 6}/' \
  "$SOURCE/scenes/planners/human.yaml" >planners/human.yaml
cp "$SOURCE/scenes/planners/field.yaml" plan.yaml
run 0 train plan.yaml -o planned.yaml --quiet
product planned.yaml

# ---- Motions from outside ----
# moved NAME FILE KEYS: a file's motion on the human, as it is shown.
moved() {
  [ -e "$2" ] || { echo "$1.h5" >>skipped && return; }
  printf 'import: %s\n%s\n' "$2" "$3" >"$1.clip.yaml"
  cat >"$1.yaml" <<END
duration: 4
terrain: {kind: flat}
characters: [{name: it, body: bodies/human.yaml, animation: {move: $1.clip.yaml}, drive: {kinematic: true}}]
END
  run 0 run "$1.yaml" --trace "$1.h5" --quiet
  trace "$1.h5"
}
: >skipped
models=/usr/share/assimp/models
moved walking $models/BVH/01_01.bvh "loop: false"
moved jumping $models/BVH/01_03.bvh "keep_root: true"
moved boxing $models/BVH/Boxing_Toes.bvh "loop: false"
moved exported hit.bvh "loop: false"
moved again hit.glb "loop: false"

if [ "${1:-}" = --write ]; then
  { echo product,digest && cat products; } >new
  diff "$table" new | sed -n 's/^> //p'
  cp new "$table"
  [ ! -s skipped ] || fail "without these the table is not whole: $(cat skipped)"
else
  while IFS=, read -r name digest; do
    wanted=$(grep "^$name," "$table" | cut -d, -f2)
    [ "$digest" = "$wanted" ] || fail "$name is other than in tests/e2e/products.csv"
  done <products
  while IFS=, read -r name digest; do # what is not there at all
    grep -q "^$name," products || grep -qxF "$name" skipped || fail "$name was not made"
  done < <(tail -n +2 "$table")
  [ "${failed:-0}" -eq 0 ] || echo "If that is meant, './dev bits' writes the table, and CHANGELOG.md says what changed."
fi
[ "$failed" -eq 0 ]
