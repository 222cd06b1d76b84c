#!/bin/bash
# Pictures without a display, of a trace and of a scene: size, determinism, that every layer shows, and that bad input
# is refused without leaving a file. Needs STAGGER, STAGGER_VIEW and SOURCE.
set -eu
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room"
unset DISPLAY WAYLAND_DISPLAY
# Graphics drivers leak a few bytes and are unloaded at the end, which hides them from suppression lists.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# One hit on a body that stands, so that the three poses differ.
cat >scene.yaml <<YAML
purpose: A hit for the picture.
duration: 1
terrain: {kind: noise, amplitude: 0.01, cell: 0.1, x: [-3, 3], z: [-3, 3]}
characters:
  - {name: man, body: bodies/human.yaml}
events:
  - {kind: impulse, character: man, part: chest, time: 0.4, impulse: 15, direction: 60}
cameras:
  - {name: gate, eye: [3, 2, 4], target: [0, 1, 0]}
  - {name: beside, follow: man, eye: [2, 1, 0], target: [0, 1, 0]}
YAML
status=0
"$STAGGER" run scene.yaml --trace run.h5 --quiet || status=$?
[ "$status" -le 1 ] || fail "the run ended with status $status"

picture() { # FILE OPTIONS...: a small picture
  local file=$1
  shift
  "$STAGGER_VIEW" run.h5 --offscreen --png "$file" --size 320x180 --from 0.5 "$@" || fail "no picture: $*"
}

# A PNG begins with its signature and, in bytes 17 to 24, has width and height.
check_size() { # FILE WIDTH HEIGHT
  local bytes
  bytes=$(od -An -v -tx1 -N24 "$1" | tr -d ' \n')
  [ "${bytes:0:16}" = 89504e470d0a1a0a ] || fail "$1 is not a PNG"
  [ "${bytes:32}" = "$(printf '%08x%08x' "$2" "$3")" ] || fail "$1 has the wrong size"
}

picture all.png
check_size all.png 320 180

picture again.png
cmp -s all.png again.png || fail "the same moment gave two pictures"

# A rig's meshes in place of the body's shapes, on demand.
"$STAGGER" export run.h5 -o rig.glb >out || fail "no rig: $(cat out)"
picture skin.png --skin rig.glb --color torque
picture shapes.png --color torque
cmp -s skin.png shapes.png && fail "the skin is not in the picture"
picture hidden.png --skin rig.glb --color torque --hide skin
cmp -s hidden.png shapes.png || fail "a hidden skin changes the picture"
status=0
"$STAGGER_VIEW" lizard --offscreen --png lizard.png --skin rig.glb 2>err || status=$?
[ "$status" -eq 2 ] && grep -q "^rig.glb: " err || fail "a rig on a lizard: status $status, $(cat err)"
[ ! -e lizard.png ] || fail "a picture was written in spite of an error"

# Each layer by itself differs from none at all.
nothing=output,target,measured,debug,labels
picture none.png --hide $nothing
for layer in output target measured debug; do
  picture "$layer.png" --hide $nothing --show "$layer"
  cmp -s "$layer.png" none.png && fail "$layer is not in the picture"
done
cmp -s target.png measured.png && fail "target and measured look the same"

# Colours by a quantity give another picture, too.
picture torque.png --color torque
cmp -s torque.png all.png && fail "--color torque changes nothing"

# Captions are labels: they are hidden with them.
picture unlabelled.png --hide labels
cmp -s unlabelled.png all.png && fail "--hide labels leaves the caption"

# The scene's first camera is the default.
picture gate_first.png --camera gate
cmp -s gate_first.png all.png || fail "the first camera of the scene is not used"

# Every camera gives another picture, those of the scene too; the trace has them as well. Strips and sheets have the
# requested size.
for camera in side front back top chase first_person beside; do
  picture "$camera.png" --camera "$camera"
  cmp -s "$camera.png" all.png && fail "camera $camera is the first camera of the scene"
done
picture followed.png --follow man
cmp -s followed.png all.png || fail "the first character is not the one that is followed"
"$STAGGER_VIEW" scene.yaml --offscreen --png live_gate.png --size 320x180 --from 0 --hide labels --camera gate
"$STAGGER_VIEW" run.h5 --offscreen --png trace_gate.png --size 320x180 --from 0 --hide labels --camera gate
cmp -s live_gate.png trace_gate.png || fail "a camera of the scene stands elsewhere in its trace"
"$STAGGER_VIEW" run.h5 --offscreen --png strip.png --size 640x200 --moments 0.3,0.42,0.5,0.9
"$STAGGER_VIEW" run.h5 --offscreen --png sheet.png --size 640x360 --sheet 3x2 --from 0.2 --to 0.8
check_size strip.png 640 200
check_size sheet.png 640 360

# A scene is run up to the moment, with its overrides.
"$STAGGER_VIEW" scene.yaml --offscreen --png live.png --size 320x180 --from 0.5
check_size live.png 320 180
"$STAGGER_VIEW" scene.yaml --offscreen --png set.png --size 320x180 --from 0.5 --set characters.man.start.heading=90 \
  --set events.0.impulse=0
cmp -s live.png set.png && fail "--set changes nothing"

# Two runs: side by side, over each other, and several moments of both.
"$STAGGER" run scene.yaml --set events.0.impulse=40 --duration 0.6 --trace hard.h5 --quiet || status=$?
two() { # FILE OPTIONS...
  local file=$1
  shift
  "$STAGGER_VIEW" run.h5 hard.h5 --offscreen --png "$file" --size 640x180 "$@" || fail "no picture of two runs: $*"
  check_size "$file" 640 180
}
two side.png --from 0.55
two overlay.png --from 0.55 --layout overlay
two moments.png --moments 0.3,0.5,0.9 # beyond the end of the shorter one
cmp -s side.png overlay.png && fail "side by side and overlay look the same"

# A sequence: its pictures are those of the moments, numbered from 0.
"$STAGGER_VIEW" run.h5 --offscreen --png 'frame_%03d.png' --size 320x180 --from 0.5 --to 0.6 --fps 20 || fail "no sequence"
cmp -s frame_000.png all.png || fail "the first picture of a sequence is not that of its moment"
check_size frame_002.png 320 180
[ ! -e frame_003.png ] || fail "too many pictures from 0.5 to 0.6 s at 20 Hz"
"$STAGGER_VIEW" run.h5 --offscreen --png 'slow_%d.png' --size 320x180 --from 0.5 --to 0.6 --fps 20 --pace 0.5
[ -e slow_4.png ] || fail "half the pace does not make twice the pictures"
[ ! -e slow_5.png ] || fail "half the pace makes more than twice the pictures"
cmp -s slow_0.png frame_000.png || fail "slow motion begins elsewhere"
cmp -s slow_2.png frame_001.png || fail "slow motion shows other moments"

# A push is one hit: its caption has all of its impulse from its first step on, and ends a second after the push. It is
# too weak to be visible otherwise. A run without hits or assist has none in its legend either.
calm="duration: 2
terrain: {kind: flat}
characters:
  - {name: man, body: bodies/human.yaml}"
cat >calm.yaml <<YAML
purpose: Nothing happens.
$calm
YAML
cat >push.yaml <<YAML
purpose: A push for the caption.
$calm
events:
  - {kind: push, character: man, part: chest, time: 0.2, duration: 0.2, impulse: 0.001}
YAML
"$STAGGER" run calm.yaml --trace calm.h5 --quiet
"$STAGGER" run push.yaml --trace push.h5 --quiet

same() { # FROM INPUT OPTIONS INPUT OPTIONS: whether two pictures are the same
  local from=$1 file=0 input options
  shift
  while [ $# -gt 0 ]; do
    input=$1 options=$2
    shift 2
    # shellcheck disable=SC2086 # several options
    "$STAGGER_VIEW" "$input" --offscreen --png "same$file.png" --from "$from" $options || fail "no picture of $input"
    file=1
  done
  cmp -s same0.png same1.png
}
words="--size 320x180 --hide output,target,measured,debug"
same 0.1 push.h5 "$words" calm.h5 "$words" || fail "a hit in the caption before it begins"
same 0.25 push.h5 "$words" calm.h5 "$words" && fail "no push in the caption"
same 0.25 push.h5 "$words" push.yaml "$words" || fail "during a push, the scene's caption is not the trace's"
same 0.5 push.h5 "$words" push.yaml "$words" || fail "after a push, the scene's caption is not the trace's"
same 1.38 push.h5 "$words" calm.h5 "$words" && fail "the push has left the caption too early"
same 1.45 push.h5 "$words" calm.h5 "$words" || fail "the push is in the caption for too long"
legend="--size 640x360"
same 1.45 calm.h5 "$legend" calm.h5 "$legend --hide debug" || fail "arrows in the legend of a run without any"
same 1.45 push.h5 "$legend" push.h5 "$legend --hide debug" && fail "no arrows in the legend of a run with a hit"
same 1.45 calm.h5 "$legend" calm.h5 "$legend --hide target" && fail "a hidden layer is in the legend"

refuse() { # WORD OPTIONS...: status 2, the word in the message, no file
  local word=$1 status=0
  shift
  rm -f bad.png
  timeout 60 "$STAGGER_VIEW" "$@" 2>message || status=$?
  [ "$status" -eq 2 ] || fail "status $status, not 2: $*"
  grep -qe "$word" message || fail "no '$word' in: $(cat message)"
  [ ! -e bad.png ] || fail "left a file: $*"
}
refuse_picture() { # WORD OPTIONS...
  local word=$1
  shift
  refuse "$word" run.h5 --offscreen --png bad.png "$@"
}
echo "not a trace" >text.h5
head -c 3000 run.h5 >short.h5
refuse "a trace or a scene is missing" --offscreen --png bad.png
refuse "needs --offscreen" run.h5 --png bad.png
refuse "no display" run.h5
refuse_picture "there is no camera 'below'.*gate" --camera below
refuse_picture "did you mean 'beside'" --camera beside_
refuse_picture "there is no character 'nobody'.*allowed are man" --follow nobody
refuse_picture "hide: 'shadow' is no layer" --hide output,shadow
refuse_picture "color" --color red
refuse_picture "size" --size 320
refuse_picture "size" --size 0x180
refuse_picture "from" --from -1
refuse_picture "from" --from nan
refuse_picture "moments" --moments 0.1,,0.2
refuse_picture "0 to 1 s" --from 7
refuse_picture "0 to 1 s" --moments 0.5,7
refuse_picture "need at least" --size 32x32 --sheet 8x8
refuse_picture "only a scene has parameters" --set seed=2
refuse "set" scene.yaml --offscreen --png bad.png --set nonsense
refuse "nothing.h5" nothing.h5 --offscreen --png bad.png
refuse "text.h5" text.h5 --offscreen --png bad.png
refuse "short.h5" short.h5 --offscreen --png bad.png
refuse "short.h5" run.h5 short.h5 --offscreen --png bad.png
refuse "cannot be written" run.h5 --offscreen --png missing/bad.png
refuse "cannot be written" run.h5 --offscreen --png missing/bad_%d.png
refuse "0 to 1 s" run.h5 --offscreen --png bad_%d.png --to 7
[ ! -e bad_0.png ] || fail "a picture of a sequence that goes too far"
refuse "that makes 1000001 pictures" run.h5 --offscreen --png bad_%d.png --pace 0.001 --fps 1000
refuse_picture "exclude" --moments 0.1,0.2 --sheet 2x1
refuse_picture "exclude" --sheet 2x1 --moments 0.1,0.2
refuse_picture "see 'stagger-view --help'" --nonsense

# A simulation that stops on the way has a status of its own.
status=0
"$STAGGER_VIEW" scene.yaml --offscreen --png bad.png --from 0.5 --set world.max_speed=1 \
  --set events.0.impulse=300 2>message || status=$?
[ "$status" -eq 3 ] || fail "status $status, not 3, when the simulation stops"
grep -q "the simulation stopped at" message || fail "no word of the stop: $(cat message)"
[ ! -e bad.png ] || fail "a picture of a run that stopped before"

# Only an older picture is replaced, also at the end of a sequence; other files are refused.
for file in scene.yaml run.h5; do
  cp "$file" kept
  refuse "--png: '$file' does not end with .png" run.h5 --offscreen --png "$file"
  cmp -s "$file" kept || fail "--png changed $file"
done
echo "keep me" >last_2.png
refuse "last_2.png: exists" run.h5 --offscreen --png last_%d.png --fps 10 --to 0.2
[ ! -e last_0.png ] || fail "a sequence began although it cannot end"
picture none.png
cmp -s none.png all.png || fail "an older picture was not replaced"

# A shipped clip, and a motion file of another program with its own skeleton.
"$STAGGER_VIEW" clips/walk.yaml --offscreen --png clip_a.png --size 320x180 --from 0.1 || fail "no picture of a clip"
"$STAGGER_VIEW" clips/walk.yaml --offscreen --png clip_b.png --size 320x180 --from 0.5 || fail "no picture of a clip"
! cmp -s clip_a.png clip_b.png || fail "the clip does not move"
refuse "only a scene has parameters to set" clips/walk.yaml --offscreen --png bad.png --set seed=2
bvh=/usr/share/assimp/models/BVH/01_01.bvh # Debian: assimp-testmodels
if [ -f $bvh ]; then
  "$STAGGER_VIEW" $bvh --offscreen --png bvh.png --size 320x180 --from 2 || fail "no picture of $bvh"
  "$STAGGER_VIEW" $bvh --offscreen --png bvh_bare.png --size 320x180 --from 2 --hide output || fail "no bare picture"
  ! cmp -s bvh.png bvh_bare.png || fail "no body does what $bvh shows"
fi
echo "BVH nonsense" >broken.bvh
refuse "broken.bvh" broken.bvh --offscreen --png bad.png

"$STAGGER_VIEW" --help | grep -q "stagger-view hit_run.h5 --offscreen --film" || fail "no example in the help"
"$STAGGER_VIEW" --version | grep -q "^stagger-view [0-9]" || fail "no version"
echo "ok"
