#!/bin/bash
# The viewer in use: real keys, mouse and signals through the X server, for the program's own loop and clock. Needs a
# display (see with_display.sh), STAGGER and STAGGER_VIEW. Status 77 without xdotool: skipped.
set -eu
if ! command -v xdotool >/dev/null; then
  echo "skipped: xdotool is not installed"
  exit 77
fi

# Graphics drivers leak a few bytes, see view_offscreen.sh.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
viewer=''
finish() {
  [ -z "$viewer" ] || kill -9 "$viewer" 2>/dev/null || true
}
trap finish EXIT

fail() {
  echo "FAILED: $*" >&2
  cat view.log >&2
  exit 1
}

wait_for() { # SECONDS COMMAND...: until it succeeds
  local tries=$(($1 * 10))
  shift
  until "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || return 1
    sleep 0.1
  done
}

ended() { ! kill -0 "$viewer"; }

open_window() { # ARGUMENTS...
  "$STAGGER_VIEW" "$@" --size 480x320 2>view.log &
  viewer=$!
  wait_for 30 xdotool search --onlyvisible --name '^Stagger$' || fail "no window: $*"
  window=$(xdotool search --onlyvisible --name '^Stagger$')
  xdotool mousemove --window "$window" 240 110 # on the chest
}

end_window() { # STATUS: which the program ends with
  wait_for 30 ended || fail "the window stays open"
  local status=0
  wait "$viewer" || status=$?
  viewer=
  [ "$status" = "$1" ] || fail "ended with status $status, not $1"
}

cat >man.yaml <<YAML
purpose: A man stands and is shot by hand.
duration: 60
terrain: {kind: flat}
characters: [{name: man, body: bodies/human.yaml}]
YAML

take_picture() { # NUMBER: F12 writes it, after a frame in which all keys before it have had their effect
  xdotool key F12
  wait_for 30 test -s "stagger-$1.png" || fail "F12 takes no picture"
}

# Keys take a picture and close the window; the shot is in the trace, which is complete. A slow machine draws less than
# a frame while keys are pressed, so each key waits for a picture of what the one before has done.
open_window man.yaml --trace shot.h5
take_picture 1
xdotool key Tab
take_picture 2
xdotool key f
xdotool keydown w
take_picture 3
xdotool keyup w
take_picture 4
xdotool key ctrl+q
end_window 0
"$STAGGER" inspect shot.h5 >facts || fail "the trace is not whole"
grep -q interrupted facts || fail "the trace does not say that the user has ended it"
grep -Eq '/events +[1-9][0-9]* ' facts || fail "the shot is not in the trace"

# A signal is a request to quit as well.
open_window man.yaml --trace ended.h5
sleep 0.5
kill -TERM "$viewer"
end_window 0
"$STAGGER" inspect ended.h5 | grep -q interrupted || fail "the trace does not outlive a signal"

# A file that cannot be opened opens no window.
status=0
"$STAGGER_VIEW" missing.yaml 2>view.log || status=$?
[ "$status" = 2 ] || fail "a missing scene ends with status $status"
grep -q missing.yaml view.log || fail "the missing scene is not named"
status=0
DISPLAY=:123456 "$STAGGER_VIEW" man.yaml 2>view.log || status=$?
[ "$status" = 2 ] || fail "a missing display ends with status $status"
grep -q -- --offscreen view.log || fail "without a display, --offscreen is not offered"
