#!/bin/bash
# Films without a display: the same twice, complete or not at all, and a clear error if ffmpeg is missing. Needs STAGGER
# and STAGGER_VIEW; tests that need ffmpeg are left out without it.
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

cat >scene.yaml <<YAML
purpose: A hit for the film.
duration: 1
terrain: {kind: flat}
characters:
  - {name: man, body: bodies/human.yaml}
events:
  - {kind: impulse, character: man, part: chest, time: 0.4, impulse: 15, direction: 60}
YAML
status=0
"$STAGGER" run scene.yaml --trace run.h5 --quiet || status=$?
[ "$status" -le 1 ] || fail "the run ended with status $status"

refuse() { # WORD OPTIONS...: status 2, the word in the message, no file
  local word=$1 status=0
  shift
  timeout 60 "$STAGGER_VIEW" "$@" 2>message || status=$?
  [ "$status" -eq 2 ] || fail "status $status, not 2: $*"
  grep -qe "$word" message || fail "no '$word' in: $(cat message)"
  [ -z "$(find . -name 'bad*')" ] || fail "left a file: $*"
}
status=0
PATH=/nonexistent "$STAGGER_VIEW" run.h5 --offscreen --film bad.mp4 2>message || status=$?
[ "$status" -eq 2 ] || fail "status $status without ffmpeg"
grep -q "needs the program ffmpeg.*apt-get install ffmpeg.*--png" message || fail "without ffmpeg: $(cat message)"
[ -z "$(find . -name 'bad*')" ] || fail "left a file without ffmpeg"

refuse "needs --offscreen" run.h5 --film bad.mp4
refuse "exclude" run.h5 --offscreen --film bad.mp4 --png bad.png
refuse "exclude" run.h5 --offscreen --film bad.mp4 --sheet 2x2
refuse "does not end with" run.h5 --offscreen --film bad.avi
refuse "at most 50" run.h5 --offscreen --film bad.gif --fps 60

if ! ffmpeg -version >version 2>&1; then
  echo "ok, without ffmpeg"
  exit 0
fi

cp run.h5 run.mp4
refuse "run.mp4: exists and is not an MP4 film, so it is not replaced" run.h5 --offscreen --film run.mp4
cmp -s run.h5 run.mp4 || fail "--film changed run.mp4"
refuse "0 to 1 s" run.h5 --offscreen --film bad.mp4 --to 7
refuse "cannot be written" run.h5 --offscreen --film missing/bad.mp4

film() { # FILE OPTIONS...: a short, small film
  local file=$1
  shift
  "$STAGGER_VIEW" run.h5 --offscreen --film "$file" --size 160x90 --from 0.4 --to 0.6 --fps 30 "$@" 2>message ||
    fail "no film: $* $(cat message)"
}
frames() { # FILE: how many it has; the film must be readable to its end
  ffmpeg -v error -i "$1" -f framemd5 - | grep -vc '^#'
}
film a.mp4
film b.mp4
cmp -s a.mp4 b.mp4 || fail "the same film twice is two films"
[ "$(frames a.mp4)" -eq 7 ] || fail "$(frames a.mp4) frames, not 7, from 0.4 to 0.6 s at 30 Hz"
film slow.mkv --pace 0.5
[ "$(frames slow.mkv)" -eq 13 ] || fail "$(frames slow.mkv) frames, not 13, at half the pace"
film a.gif
[ "$(frames a.gif)" -gt 1 ] || fail "the GIF does not move"

# Odd sides are made even, with a message.
film odd.mp4 --size 161x91
grep -q "160x90" message || fail "nothing about odd sides: $(cat message)"
[ "$(frames odd.mp4)" -eq 7 ] || fail "no film of an odd size"

# A scene as well; a Ctrl-C leaves no film, and the complete pictures of a sequence.
"$STAGGER_VIEW" scene.yaml --offscreen --film live.mp4 --size 160x90 --from 0.4 --to 0.5 --fps 30
[ "$(frames live.mp4)" -eq 4 ] || fail "the film of a scene has not 4 frames"
interrupt() { # PATTERN OPTIONS...: a SIGINT once there is a file of that pattern; status 130
  local pattern=$1 status=0 pid
  shift
  "$STAGGER_VIEW" run.h5 --offscreen --size 160x90 --pace 0.001 --fps 100 "$@" 2>message &
  pid=$!
  for _ in $(seq 600); do
    [ -n "$(find . -name "$pattern")" ] && break
    sleep 0.1
  done
  kill -INT "$pid"
  wait "$pid" || status=$?
  [ "$status" -eq 130 ] || fail "status $status after a SIGINT: $(cat message)"
  grep -q interrupted message || fail "no word of the interruption: $(cat message)"
}
interrupt 'bad.mp4.*' --film bad.mp4
[ -z "$(find . -name 'bad*')" ] || fail "an interrupted film left a file"
interrupt 'part_000001.png' --png 'part_%06d.png'
[ -e part_000000.png ] || fail "the pictures before the interruption are gone"
[ -z "$(find . -name 'part_*.png.*')" ] || fail "an interrupted sequence left half a picture"
echo "ok"
