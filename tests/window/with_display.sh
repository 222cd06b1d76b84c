#!/bin/sh
# Runs a program under an X server of its own, which is ended afterwards in any case. Status 77 without Xvfb: the test
# is skipped. Usage: with_display.sh PROGRAM [ARGUMENTS]
set -eu
if ! command -v Xvfb >/dev/null; then
  echo "skipped: Xvfb is not installed (Debian: xvfb)"
  exit 77
fi

room=$(mktemp -d)
server=
finish() {
  status=$?
  [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
  rm -rf "$room"
  exit "$status"
}
trap finish EXIT
trap 'exit 143' INT TERM HUP

# The server finds a free display itself and tells its number.
Xvfb -displayfd 3 -screen 0 1280x720x24 -nolisten tcp -noreset 3>"$room/display" >"$room/log" 2>&1 &
server=$!
tries=0
until [ -s "$room/display" ]; do
  tries=$((tries + 1))
  if [ "$tries" -gt 300 ] || ! kill -0 "$server" 2>/dev/null; then
    cat "$room/log" >&2
    echo "Xvfb does not start" >&2
    exit 1
  fi
  sleep 0.1
done

unset WAYLAND_DISPLAY
DISPLAY=:$(cat "$room/display")
SDL_VIDEODRIVER=x11
LIBGL_ALWAYS_SOFTWARE=1
export DISPLAY SDL_VIDEODRIVER LIBGL_ALWAYS_SOFTWARE
cd "$room"
"$@"
