#!/bin/bash
# Pictures without a display, of a trace and of a scene: size, determinism, that every layer shows, and that bad input
# is refused without leaving a file. Needs STAGGER, STAGGER_VIEW and SOURCE.
set -eu
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room"
unset DISPLAY WAYLAND_DISPLAY
# Graphics drivers leave a few bytes behind and are unloaded at the end, which hides them from suppression lists.
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

# Each layer on its own differs from none at all.
picture none.png --hide output,target,measured,debug
for layer in output target measured debug; do
  others=$(echo output,target,measured,debug | sed "s/$layer//; s/,,/,/; s/^,//; s/,\$//")
  picture "$layer.png" --hide "$others"
  cmp -s "$layer.png" none.png && fail "$layer is not in the picture"
done
cmp -s target.png measured.png && fail "target and measured look the same"

# Every camera sees something else; strips and sheets have the size that was asked for.
for camera in front back top chase; do
  picture "$camera.png" --camera "$camera"
  cmp -s "$camera.png" all.png && fail "camera $camera is the side camera"
done
"$STAGGER_VIEW" run.h5 --offscreen --png strip.png --size 640x200 --moments 0.3,0.42,0.5,0.9
"$STAGGER_VIEW" run.h5 --offscreen --png sheet.png --size 640x360 --sheet 3x2 --from 0.2 --to 0.8
check_size strip.png 640 200
check_size sheet.png 640 360

# A scene is run up to the moment.
"$STAGGER_VIEW" scene.yaml --offscreen --png live.png --size 320x180 --from 0.5
check_size live.png 320 180

# A push is one hit: its caption has all of its impulse from its first step on, and is gone a second after its end. It is
# too weak to be seen otherwise. A run that never has hits or assist has none in its legend either.
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
  "$STAGGER_VIEW" "$@" 2>message || status=$?
  [ "$status" -eq 2 ] || fail "status $status, not 2: $*"
  grep -qe "$word" message || fail "no '$word' in: $(cat message)"
  [ ! -e bad.png ] || fail "left a file: $*"
}
echo "not a trace" >text.h5
head -c 3000 run.h5 >short.h5
refuse "missing" --offscreen --png bad.png
refuse "offscreen" run.h5
refuse "camera" run.h5 --offscreen --png bad.png --camera below
refuse "hide" run.h5 --offscreen --png bad.png --hide output,shadow
refuse "size" run.h5 --offscreen --png bad.png --size 320
refuse "size" run.h5 --offscreen --png bad.png --size 0x180
refuse "from" run.h5 --offscreen --png bad.png --from -1
refuse "from" run.h5 --offscreen --png bad.png --from nan
refuse "moments" run.h5 --offscreen --png bad.png --moments 0.1,,0.2
refuse "0 to 1 s" run.h5 --offscreen --png bad.png --from 7
refuse "room" run.h5 --offscreen --png bad.png --size 32x32 --sheet 8x8
refuse "nothing.h5" nothing.h5 --offscreen --png bad.png
refuse "text.h5" text.h5 --offscreen --png bad.png
refuse "short.h5" short.h5 --offscreen --png bad.png
refuse "cannot be written" run.h5 --offscreen --png missing/bad.png
refuse "exclude" run.h5 --offscreen --png bad.png --moments 0.1,0.2 --sheet 2x1
refuse "exclude" run.h5 --offscreen --png bad.png --sheet 2x1 --moments 0.1,0.2
refuse "see stagger-view --help" run.h5 --offscreen --png bad.png --nonsense

# Only an older picture is replaced.
for file in scene.yaml run.h5; do
  cp "$file" kept
  refuse "$file: exists and is not a PNG picture, so it is not replaced" run.h5 --offscreen --png "$file"
  cmp -s "$file" kept || fail "--png changed $file"
done
picture none.png
cmp -s none.png all.png || fail "an older picture was not replaced"
echo "ok"
