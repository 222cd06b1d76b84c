#!/bin/bash
# `stagger body`: the body of a rig that Stagger has exported is the one that it was exported from, walks and takes a
# push; rigs with unknown names, without a skin and of animals get errors that say what to do.
# Needs STAGGER and SOURCE.
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

# The numbers of a part's line: place PART FILE, shape PART FILE.
part() { awk -v part="$1" '/- name: /{on = $3 == part} on' "$2"; }
place() { part "$1" "$2" | grep -o 'position: \[[^]]*\]'; }
shape() { part "$1" "$2" | grep -o 'shapes: .*center' | grep -o '[0-9.]*' | tr '\n' ' '; }

# near A B: lists of numbers that differ by at most 4 %.
near() {
  echo "$1 / $2" | awk -F/ '{n = split($1, a, " "); if (n != split($2, b, " ") || n == 0) exit 1
    for (i = 1; i <= n; i++) { d = a[i] - b[i]; if (d < 0) d = -d; if (d > 0.04 * b[i]) exit 1 }}'
}

run 0 run stand --set duration=0.1 --trace man.h5 --quiet
run 0 export man.h5 -o man.glb
run 0 body man.glb -o man.yaml
has out "man.yaml: body man, 1.75 m, 75.0 kg, legs of 0.860 m"
human=$SOURCE/scenes/bodies/human.yaml
for name in abdomen chest head upper_arm_l forearm_l hand_l thigh_l shin_l foot_l; do
  near "$(place $name man.yaml | grep -o '[0-9.]*' | tr '\n' ' ')" \
    "$(place $name "$human" | grep -o '[0-9.]*' | tr '\n' ' ')" || fail "$name is not in its place"
done
# The flat faces of a mesh lie a little inside of the shape that it stands for.
for name in pelvis thigh_l shin_l foot_l; do
  near "$(shape $name man.yaml | cut -d' ' -f1)" "$(shape $name "$human" | cut -d' ' -f1)" || fail "$name is too thin"
done
run 0 inspect man.yaml
has out "16 parts, 2 legs"

# He walks by himself, takes a push, and runs by the skill of the human.
run 0 run walk_free --set characters.man.body="$PWD/man.yaml" --set world.solver=reduced --quiet
run 0 run stand_push --set characters.man.body="$PWD/man.yaml" --set world.solver=reduced --quiet
"$STAGGER" run hit_run --set characters.runner.body="$PWD/man.yaml" --set duration=2 --set expect='[runner.fell == 0]' \
  --set world.solver=reduced --quiet >out 2>err || fail "hit_run with man.yaml: $(cat err)"
has err "skills/run.yaml: warning: the skill was trained with the body human; man may need a training of its own"

# Models of MuJoCo, of a body and of a rig: where MuJoCo is installed, the man has his mass there and stands.
run 0 body "$human" -o human.xml
has out "human.xml: body human, 1.75 m, 75.0 kg"
run 0 body man.glb -o man.xml
run 2 body "$human" -o new.xml --height 1.8
has err "--height, --mass and --unit are for rigs"
echo "<mujoco/>" >other.xml
run 2 body "$human" -o other.xml
is other.xml "<mujoco/>"
for model in human.xml man.xml; do
  /usr/bin/python3 - $model <<'PYTHON' || fail "$model does not stand in MuJoCo"
import ctypes, re, sys
try:
    mujoco = ctypes.CDLL("libmujoco.so")
except OSError:
    sys.exit(0)
mujoco.mj_loadXML.restype = mujoco.mj_makeData.restype = ctypes.c_void_p
mujoco.mj_getTotalmass.restype = ctypes.c_double
why = ctypes.create_string_buffer(1000)
model = ctypes.c_void_p(mujoco.mj_loadXML(sys.argv[1].encode(), None, why, 1000))
if not model:
    sys.exit(why.value.decode())
data = ctypes.c_void_p(mujoco.mj_makeData(model))
for _ in range(240):  # 1 s
    mujoco.mj_step(model, data)
mujoco.mj_printData(model, data, b"data.txt")
pelvis = [float(x) for x in re.search(r"QPOS\n((?:\s*\S+ *\n){3})", open("data.txt").read()).group(1).split()]
mass = mujoco.mj_getTotalmass(model)
if not (abs(mass - 75) < 0.01 and 0.9 < pelvis[2] < 0.96):
    sys.exit(f"{mass} kg, pelvis at {pelvis}")
PYTHON
done

# Bodies of the project, of rigs and of models as glTF with rigid bodies; what Stagger did not write is not replaced.
run 0 body "$human" -o rigid.glb
has out "rigid.glb: body human, 1.75 m, 75.0 kg"
run 0 body man.glb -o rigid.glb
run 0 body human.xml -o rigid.glb
grep -q '"KHR_physics_rigid_bodies":{"motion":{"mass":10.62' rigid.glb || fail "no thigh of 10.62 kg in rigid.glb"
echo 'glTF of somebody' >other.glb
run 2 body "$human" -o other.glb
has err "other.glb"
grep -q somebody other.glb || fail "other.glb was replaced"

# A model of MuJoCo comes back as the body that it was, and stands a push by it; notes tell what another one loses.
run 0 body human.xml -o again.yaml
has out "again.yaml: body human, 1.75 m, 75.0 kg"
[ ! -s err ] || fail "there are notes on human.xml: $(cat err)"
run 0 run stand_push --set characters.man.body="$PWD/again.yaml" --set world.solver=reduced --quiet
sed 's/<joint name="foot_l_z" axis="1 0 0"/<joint name="foot_l_z" axis="2 0 1"/' human.xml >oblique.xml
run 0 body oblique.xml -o oblique.yaml
grep -A6 'name: foot_l$' oblique.yaml | grep -q 'turn: \[-26.56505, 0, 0\]' || fail "the oblique ankle is not turned by 26.56505 deg"
run 0 run stand_push --set characters.man.body="$PWD/oblique.yaml" --set world.solver=reduced --quiet
run 0 body oblique.xml -o kept.yaml --as-is
run 0 body kept.yaml -o kept.xml
grep -q '<joint name="foot_l_z" axis="0.894427[0-9]* 0 0.447213[0-9]*"' kept.xml || fail "the oblique ankle does not come back"
run 2 body kept.yaml -o new.xml --as-is
has err "--as-is is for models (.xml, .urdf), and kept.yaml is none"
head -c 3000 human.xml >cut.xml
run 2 body cut.xml -o new.yaml
has err "cut.xml:"
run 2 body human.xml -o new.yaml --mass 80
has err "--height, --mass and --unit are for rigs, and human.xml is a model"
printf "joints: {thigh_l: thigh_left}\n" >links.yaml
run 2 body human.xml -o new.yaml --joints links.yaml --as-is
has err "--joints is for rigs and for models that are fitted to a human, and human.xml is taken --as-is"
run 2 body human.xml -o new.yaml --joints links.yaml
has err "links.yaml:1:19: the motion has no joint 'thigh_left'"

# Another size and mass, by which the human's can be changed, too.
run 0 body man.glb -o child.yaml --height 1.4 --mass 40
has out "child.yaml: body man, 1.40 m, 40.0 kg, legs of 0.688 m"
run 0 run stand_push --set characters.man.body="{base: $PWD/child.yaml, height: 1.5}" --set world.solver=reduced \
  --set events.0.impulse=20 --quiet

# Names without a meaning.
LC_ALL=C sed 's/"forearm_l"/"part_abcd"/' man.glb >odd.glb
run 2 body odd.glb -o odd.yaml
has err "odd.glb: no joint was found for our upper_arm_l, forearm_l; name each in 'joints: {upper_arm_l: ...}'"
has err "part_abcd"
absent odd.yaml
echo 'joints: {upper_arm_l: upper_arm_l, forearm_l: part_abcd}' >joints.yaml
run 0 body odd.glb -o odd.yaml --joints joints.yaml
cmp -s <(tail -n +6 man.yaml) <(tail -n +6 odd.yaml) || fail "with a table of joints the body is another"
echo 'joints: {forearm_l: part_abc}' >joints.yaml
run 2 body odd.glb -o new.yaml --joints joints.yaml
has err "joints.yaml:1:21: the motion has no joint 'part_abc', did you mean 'part_abcd'?"
echo 'forearm_l: part_abcd' >joints.yaml
run 2 body odd.glb -o new.yaml --joints joints.yaml
has err "joints.yaml:1:1: missing 'joints', a table such as {thigh_l: Bone_017}"

# What is no rig, or no skin.
run 0 export man.h5 -o man.bvh
run 2 body man.bvh -o new.yaml
has err "man.bvh: there are no meshes at its joints: a body is made of a skin"
run 2 body "$human" -o new.yaml
has err "human.yaml is a body already: of it a model of MuJoCo can be made, -o MODEL.xml, or a glTF with rigid bodies, -o MODEL.glb"
run 2 body man.txt -o new.yaml
has err "is not of a known format: a rig is a .glb, .gltf, .vrm, .fbx or .dae file"
echo glTF >broken.glb
run 2 body broken.glb -o new.yaml
has err "broken.glb: cannot be read"
run 2 body man.glb
has err "-o BODY.yaml is missing"
run 2 body man.glb -o new.yaml --height tall
has err "--height is 'tall', allowed are numbers from 0.3 to 10"
echo "mine" >mine.yaml
run 2 body man.glb -o mine.yaml
is mine.yaml "mine"
absent new.yaml
skinned=/usr/share/assimp/models/glTF2/simple_skin/simple_skin.gltf
if [ -f $skinned ]; then
  run 2 body $skinned -o new.yaml
  has err "no joint was found for our 'pelvis'; name it in 'joints: {pelvis: ...}'"
fi

exit $((failed > 0))
