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
echo "ok"
