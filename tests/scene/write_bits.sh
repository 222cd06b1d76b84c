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
  name=$(echo "${1%.yaml}" | sed "s,.*scenes/,,; s,/,_,")
  status=0
  "$STAGGER" run "$1" --quiet --trace "$0/$name.h5" || status=$?
  [ "$status" -le 1 ] || exit 255 # 1: an expectation does not hold; tests tell
  "$DIGEST" "$0/$name.h5" | sed "s/^/$name,/" >"$0/$name.line"
  rm "$0/$name.h5"' "$folder" SCENE

{
  echo scene,bodies,shown,recorded,metrics
  cat "$folder"/*.line | LC_ALL=C sort
} >"$folder/table"
[ ! -e "$table" ] || diff "$table" "$folder/table" | sed -n 's/^> //p'
cp "$folder/table" "$table"
