#!/bin/sh
# Runs every scene once and writes what it came to, a line for each, into the table that run_twice.sh holds them to. Prints
# the lines that are other than before.
# Usage: STAGGER=program DIGEST=program write_bits.sh BITS.csv PROCESSES SCENE.yaml...
set -eu
table=$1 processes=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# shellcheck disable=SC2016 # expanded by the inner shell
printf '%s\n' "$@" | xargs -P "$processes" -I SCENE sh -c '
  trace=$(mktemp "$0/XXXXXX.h5")
  rm "$trace"
  status=0
  "$STAGGER" run "$1" --quiet --trace "$trace" || status=$?
  [ "$status" -le 1 ] || exit 255 # 1: an expectation does not hold; tests tell
  digest=$("$DIGEST" "$trace") || exit 255
  rm "$trace"
  name=${1%.yaml}
  echo "${name##*scenes/},$digest"' "$folder" SCENE >"$folder/lines"

{
  echo scene,bodies,shown,recorded,metrics
  LC_ALL=C sort "$folder/lines"
} >"$folder/table"
[ ! -e "$table" ] || diff "$table" "$folder/table" | sed -n 's/^> //p'
cp "$folder/table" "$table"
