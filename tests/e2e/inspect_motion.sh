#!/bin/bash
# `stagger inspect` of motion files: what it prints, and its errors.
# Usage: STAGGER=program inspect_motion.sh
set -u
[ -x "${STAGGER:-}" ] || { echo "set STAGGER to the program"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
count=0
failed=0

# run STATUS ARGUMENT...: inspects; its output goes to out and err.
run() {
  local wanted=$1 status
  shift
  "$STAGGER" inspect "$@" >out 2>err
  status=$?
  count=$((count + 1))
  if [ "$status" -ne "$wanted" ]; then
    printf 'FAIL inspect %s: status %d, wanted %d\n' "$*" "$status" "$wanted"
    cat err
    failed=$((failed + 1))
  fi
}

# has FILE TEXT: one of its lines contains the text.
has() {
  count=$((count + 1))
  if ! grep -qF -- "$2" "$1"; then
    printf 'FAIL no "%s" in %s:\n' "$2" "$1"
    cat "$1"
    failed=$((failed + 1))
  fi
}

# A figure in cm that walks along its z, with too large a number of frames.
cat >walk.bvh <<'END'
HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT LeftUpLeg
  {
    OFFSET 8 0 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT LeftFoot
    {
      OFFSET 0 -80 0
      CHANNELS 3 Zrotation Yrotation Xrotation
    }
  }
  JOINT RightUpLeg
  {
    OFFSET -8 0 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT RightFoot
    {
      OFFSET 0 -80 0
      CHANNELS 3 Zrotation Yrotation Xrotation
    }
  }
  JOINT Spine
  {
    OFFSET 0 30 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT Head
    {
      OFFSET 0 30 0
      CHANNELS 3 Zrotation Yrotation Xrotation
    }
    JOINT LeftHand
    {
      OFFSET 60 20 0
      CHANNELS 3 Zrotation Yrotation Xrotation
    }
    JOINT RightHand
    {
      OFFSET -60 20 0
      CHANNELS 3 Zrotation Yrotation Xrotation
    }
  }
}
MOTION
Frames: 5
Frame Time: 0.1
0 85 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
0 85 10 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
0 85 20 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
END

run 0 walk.bvh
has out "walk.bvh: motion, BVH"
has out "frames     3 at 10 Hz, 0.2000 s"
has out "joints     9"
has out "unit       0.01 m: the figure is 1.76 m tall in cm"
has out "up         +y: the body stands along y in 100 % of the frames"
has out "front      +z: it faces there in the frames, by left and right"
has out "size       1.20 m wide, 1.40 m high, 0.00 m deep in the first frame; 0.05 to 1.45 m high in all"
has out "way        0.00 m left, 0.00 m up, 0.20 m forward, of joint Hips"
has out "      LeftFoot                                0.000   -0.800    0.000"
has out "'Frames:' says 5, there are 3: those are read."

# One that begins elsewhere, reaches to both sides of its hips in each direction, and moves in all three.
sed -e '/JOINT Head/,/OFFSET/ s/OFFSET 0 30 0/OFFSET 0 30 12/; /JOINT LeftHand/,/OFFSET/ s/OFFSET 60 20 0/OFFSET 70 20 -5/' \
  -e 's/^0 85 0 /10 85 -20 /; s/^0 85 10 /12 80 -5 /; s/^0 85 20 /16 88 30 /' walk.bvh >moves.bvh
run 0 moves.bvh
has out "size       1.30 m wide, 1.40 m high, 0.17 m deep in the first frame; 0.00 to 1.48 m high in all"
has out "way        0.06 m left, 0.03 m up, 0.50 m forward, of joint Hips"

run 0 walk.bvh --unit 0.02
has out "unit       0.02 m: given"
run 2 walk.bvh --unit nothing
has err "--unit nothing is no length in m, allowed: 1e-6 to 1e6"
run 2 walk.bvh --animation dance
has err "walk.bvh: no animation 'dance', there are: Motion"

# A part of a recording.
"$STAGGER" run stand --duration 1 --set expect=[] --trace stand.h5 --quiet
"$STAGGER" export stand.h5 -o stand.bvh >out 2>err || echo "no recording: $(cat err)"
printf 'import: stand.bvh\nfrom: 0.25\nto: 0.75\nloop: false\n' >part.yaml
run 0 part.yaml
has out "takes 0.500 s of the recording's 1.000 s: from 0.250 to 0.750 s"
printf 'import: stand.bvh\nloop: false\n' >whole.yaml
run 0 whole.yaml
has out "recorded: way scaled"
if grep -q "takes" out; then
  echo "FAIL the whole is a part: $(cat out)"
  failed=$((failed + 1))
fi

run 2 nowhere.bvh
has err "nowhere.bvh: there is no such file"
: >empty.glb
run 2 empty.glb
has err "empty.glb: the file is empty"
head -c 300 walk.bvh >cut.bvh
run 2 cut.bvh
has err "cut.bvh: not a whole BVH file: 'Frames:' or 'Frame Time:' is missing"
cp walk.bvh wrong.fbx
run 2 wrong.fbx
has err "wrong.fbx: "
printf '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"a"}]}' >bare.gltf
run 2 bare.gltf
has err "bare.gltf: there is no skeleton in it"

# assimp is loaded when it is needed: here it does not exist.
mkdir broken
for version in 5 6 7; do : >broken/libassimp.so.$version; done
LD_LIBRARY_PATH=$folder/broken:${LD_LIBRARY_PATH:-} run 2 walk.bvh
has err "walk.bvh: it is read through assimp, whose library cannot be loaded: "

models=/usr/share/assimp/models
if [ -d $models ]; then
  run 0 $models/FBX/huesitos.fbx
  has out "motion, FBX"
  run 2 $models/FBX/box.fbx
  has err "box.fbx: there is no skeleton in it"
fi

echo "$count checks, $failed failed"
[ "$failed" -eq 0 ]
