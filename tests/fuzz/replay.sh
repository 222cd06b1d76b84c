#!/bin/sh
# fuzz/NAME: whatever a fuzzer has found worth keeping, run again. $1: the fuzzer with replay.c, $2: its corpus
set -eu
inputs=$(mktemp -d)
trap 'rm -rf "$inputs"' EXIT
tar -xJf "$2" -C "$inputs"
find "$inputs" -type f | sort | xargs "$1"
