#!/bin/bash
# `stagger export`: what it writes, prints and refuses. If node and that package are installed, the Khronos validator
# checks GLB files against the specification.
# Usage: STAGGER=program SOURCE=source-folder export.sh; REPORT_PAGE: the folder whose node_modules has gltf-validator
STAGGER=$(realpath "$STAGGER")
page=$(realpath -m "${REPORT_PAGE:-$(dirname "$STAGGER")/report_page}")
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

# A run with a hit, one with two characters, and one that is killed while it records.
run 0 run hit_run --set duration=3.4 --set expect=[] --trace run.h5 --quiet
run 0 run mirror --set duration=1 --set expect=[] --trace two.h5 --quiet
"$STAGGER" run mirror --set duration=36000 --trace cut.h5 --quiet 2>/dev/null &
killed=$!
wait_for_frames cut.h5
kill -9 $killed
wait $killed 2>/dev/null

# Every format and pose.
for pose in output target measured; do
  run 0 export run.h5 -o $pose.glb --pose $pose
  has out "$pose.glb: a glTF binary of"
  has out "runner, $pose pose, 205 frames at 60 Hz"
  has out "read back through assimp: joints within 0.0"
  run 0 export run.h5 --to bvh -o $pose.bvh --pose $pose
  has out "$pose.bvh: a BVH file of"
  has out "read back through assimp: joints within 0.0"
  is err ""
done
# Of more frames than are made at a time.
run 0 run limp --duration 20 --set trace.rate=240 --set expect=[] --set world.solver=reduced --trace many.h5 --quiet
run 0 export many.h5 -o many.bvh
has out "doll, output pose, 4801 frames at 240 Hz, cm"
has out "at 4801 moments"
[ "$(sed '1,/^Frame Time/d' many.bvh | wc -l)" -eq 4801 ] || fail "many.bvh has other than 4801 frames"
run 0 inspect many.bvh
has out "4801 at 240 Hz"
cmp -s output.glb target.glb && fail "output and target are the same"
for format in csv sto mot trc c3d npz mcap; do
  run 0 export run.h5 -o run.$format
  has out "run.$format: a"
  [ -s run.$format ] || fail "run.$format is empty"
done

# Written files are motion files that the programs can read.
run 0 inspect output.glb
has out "frames     205 at 60 Hz"
has out "as the file says"
run 0 inspect measured.bvh
has out "the figure is 1.81 m tall in cm"

# The same again gives the same bytes, over the older file; nothing else is replaced.
cp output.glb before.glb
run 0 export run.h5 -o output.glb
cmp -s output.glb before.glb || fail "the same export gives other bytes"
echo "my notes" >notes.glb
for format in glb bvh csv sto trc c3d npz mcap; do
  run 2 export run.h5 --to $format -o notes.glb
  has err "so it is not replaced"
  is notes.glb "my notes"
done
run 2 export run.h5 --to glb -o run.h5
has err "run.h5: exists and is not a glTF binary of Stagger, so it is not replaced"

# Not over the recording that the run has played.
run 0 run mocap --set characters.man.animation.move="$PWD/output.bvh" --duration 0.5 --set expect=[] --trace played.h5 --quiet
cp output.bvh kept.bvh
run 2 export played.h5 -o output.bvh
is err "output.bvh: is a file that the scene of the trace names, so it is not replaced"
cmp -s output.bvh kept.bvh || fail "an export changed the recording"

# Every name of a part can be a label of OpenSim's: also those of its own columns, and long ones.
sed -e 's/\bfoot_l\b/other/; s/\bhand_l\b/time/; s/\bhead\b/a_part-with-a-very-long-name-12/' \
  "$SOURCE/scenes/bodies/human.yaml" >named.yaml
printf 'duration: 0.2\ncharacters:\n  - {name: man, body: named.yaml, assist: {enabled: false}}\n' >named_scene.yaml
run 0 run named_scene.yaml --trace named.h5 --quiet
for format in sto mot csv bvh glb trc c3d npz mcap; do
  run 0 export named.h5 -o named.$format
  has out "read back"
done
twice=$(sed -n '/^endheader/{n;p;}' named.sto | tr '\t' '\n' | sort | uniq -d)
[ -z "$twice" ] || fail "named.sto has two columns $twice"
has named.sto "other_ground_force_vx_2"

# Several characters; one by name.
run 0 export two.h5 -o two.glb
has out "left_led and others"
run 0 export two.h5 -o two.bvh
has out "left_led, the first of several"
run 0 export two.h5 -o two.bvh --character right_led
has out "right_led, output pose"

# Onto the bones of a rig: one that is an export itself is moved as the run was, a body of another size is scaled to it.
run 0 export run.h5 -o rig.glb
run 0 export run.h5 --rig rig.glb -o reaction.glb --pose measured
has out "reaction.glb: a glTF binary of"
has out "1 animation of runner (human), measured pose, 205 frames; 16 joints, scaled by 1.000"
has out "read back through assimp: bones and feet turned within "
grep -qE "knees and ankles, from the hips, within (0\.0|[0-9.]+e-)" out || fail "the rig is not where the body is: $(cat out)"
cp reaction.glb before.glb
run 0 export run.h5 --rig rig.glb -o reaction.glb --pose measured
cmp -s reaction.glb before.glb || fail "the same export onto a rig gives other bytes"
run 0 inspect reaction.glb
has out "animation  run"
run 0 body rig.glb -o child.yaml --height 1.4 --mass 40
run 0 run stand_push --set characters.man.body="$PWD/child.yaml" --set world.solver=reduced --set duration=3 \
  --set expect=[] --trace child.h5 --quiet
run 0 export child.h5 --rig rig.glb -o child.glb
has out "of man (rig), output pose, 181 frames; 16 joints, scaled by 1.2"
grep -qE "knees and ankles, from the hips, within [0-4](\.[0-9]+)? mm" out || fail "the child is not on its rig: $(cat out)"

# All traces of a study in one file, with what its axes were.
printf '%s\n' 'scene: stand_push' 'purpose: x' 'seed: 1' 'repeats: 1' 'metrics: [man.fell]' 'traces: [{repeats: 1}]' \
  'set: [world.solver=reduced, duration=1.5, "expect=[]"]' \
  'axes: {events.0.impulse: {values: [40, 80], name: impulse}}' >pushes.yaml
run 0 sweep pushes.yaml --out pushes
run 0 export pushes --rig rig.glb -o pushes.glb
has out "2 animations of man (human), output pose, 182 frames"
has out "trial_000001: impulse 80 N s"
run 0 inspect pushes.glb
has out "  trial_000000"
has out "  trial_000001"
LC_ALL=C grep -q '"settings":"impulse 40 N s"' pushes.glb || fail "the file does not say what the study has set"
mkdir empty
run 2 export empty --rig rig.glb -o x.glb
is err "empty: there is nothing in it to export, no trace (.h5); a study keeps those that its \`traces\` say"
run 2 export run.h5 --rig rig.glb -o rig.glb
has err "rig.glb is the rig, so it is not replaced"
run 2 export run.h5 --rig rig.glb -o x.bvh
has err "--rig is for glb, not for bvh"
run 2 export run.h5 --joints joints.yaml -o x.glb
has err "--joints needs --rig RIG.glb"
run 2 export run.h5 --rig output.bvh -o x.glb
has err "output.bvh: is not of a known format: a rig is a file of glTF, version 2"
echo 'joints: {shin_l: shin_left}' >joints.yaml
run 2 export run.h5 --rig rig.glb --joints joints.yaml -o x.glb
has err "joints.yaml:1:18: the motion has no joint 'shin_left', did you mean 'shin_l'?"

# A run that was killed, as far as it goes.
run 0 export cut.h5 -o cut.glb
has err "the run's status is 'running'"
has out "read back through assimp: joints within 0.0"

# Standard output takes the file alone.
"$STAGGER" export run.h5 --to bvh -o /dev/stdout 2>err | cmp -s - output.bvh || fail "standard output has another file"
has err "read back"

# Bad usage and input: errors, and nothing is written.
run 0 export --help
has out "example: stagger export"
for format in glb bvh csv sto mot trc c3d npz mcap; do has out "    $format "; done
run 2 export
has err "stagger export: the trace is missing"
run 2 export run.h5
has err "-o FILE is missing"
run 2 export run.h5 two.h5 -o x.glb
has err "more than one trace: two.h5"
run 2 export run.h5 -o x.xyz
is err "x.xyz: the extension is not that of a format: give one with --to (glb, bvh, csv, sto, mot, trc, c3d, npz, mcap)"
run 2 export run.h5 --to gltf -o x.glb
is err "there is no format 'gltf', allowed are glb, bvh, csv, sto, mot, trc, c3d, npz, mcap"
run 2 export run.h5 -o x.glb --pose mesured
is err "there is no pose 'mesured', did you mean 'measured'?"
run 2 export run.h5 -o x.glb --character runer
is err "there is no character 'runer' in the trace, did you mean 'runner'?"
run 2 export run.h5 -o x.glb --table joints
has err "--table is for csv, not for glb"
run 2 export run.h5 -o x.csv --pose target
has err "--pose is not for csv"
run 2 export missing.h5 -o x.glb
has err "missing.h5: cannot be read: No such file or directory"
run 2 export output.bvh -o x.glb
has err "output.bvh: not an HDF5 file"
run 2 export run.h5 -o missing/x.glb
has err "missing/x.glb: cannot be written"
absent x.glb
absent x.xyz
absent x.csv
run 3 export run.h5 --to bvh -o /dev/full
has err "No space left on device"

# Against the specification of glTF 2.0.
if command -v node >/dev/null && [ -d "$page/node_modules/gltf-validator" ]; then
  cat >validate.cjs <<'END'
const validator = require(process.argv[2] + '/node_modules/gltf-validator');
const fs = require('fs');
Promise.all(process.argv.slice(3).map(async file => {
  const { issues } = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
  console.log(file, issues.numErrors, 'errors', issues.numWarnings, 'warnings');
  for (const message of issues.messages) console.log(' ', message.code, message.pointer, message.message);
}));
END
  node validate.cjs "$page" output.glb measured.glb target.glb two.glb cut.glb reaction.glb child.glb pushes.glb >out 2>err ||
    fail "the validator does not run: $(head -3 err)"
  [ "$(grep -c ' 0 errors 0 warnings$' out)" -eq 8 ] || fail "glTF validator: $(head -20 out)"
else
  echo "SKIP the glTF validator: node, or $page/node_modules/gltf-validator, is not there"
fi

[ $failed -eq 0 ] && echo "all as expected"
exit $((failed > 0))
