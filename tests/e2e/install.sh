#!/bin/bash
# The installed tree: the programs find their scenes, and the example outside the tree builds with CMake's package, and
# with pkg-config alone, also after the tree has moved.
# Usage: STAGGER=program SOURCE=source-folder install.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"
build=$(dirname "$STAGGER")
if grep -Eq "STAGGER_(SANITIZE|COVERAGE):BOOL=ON" "$build/CMakeCache.txt"; then
  echo "SKIP a library with sanitizers or counters is not for others"
  exit 77
fi
unset STAGGER_SCENES

cmake --install "$build" --prefix "$folder/first" >out 2>&1 || { cat out; exit 1; }
mv first prefix
first_installed=$(find prefix -name 'stagger.pc')
[ -n "$first_installed" ] || fail "no stagger.pc"
prefix/bin/stagger run stand --duration 0.1 --set 'expect=[]' --quiet || fail "the installed program does not run"
prefix/bin/stagger list >out || fail "the installed program does not list its scenes"
has out "hit_run"
has out "studies/hit_map"
[ -z "$(find prefix -path "*scenes/cli/*" -o -name "*_internal.h")" ] || fail "headers that are for nobody else are installed"

cp -r "$SOURCE/examples/push" example
CMAKE_PREFIX_PATH="$folder/prefix" cmake -G Ninja -S example -B with_cmake >out 2>&1 &&
  cmake --build with_cmake >>out 2>&1 || { fail "the example does not build with CMake"; cat out; }
with_cmake/push >pushes.csv || fail "the example does not run"
[ "$(head -1 pushes.csv)" = "impulse (N s),stands" ] && [ "$(wc -l <pushes.csv)" -eq 7 ] ||
  fail "the example prints $(cat pushes.csv)"
grep -q ",yes$" pushes.csv && grep -q ",no$" pushes.csv || fail "no push is borne, or all are: $(cat pushes.csv)"
with_cmake/push nothing.yaml 2>err && fail "the example runs what is not there"
has err "nothing.yaml"

PKG_CONFIG_PATH=$(dirname "$first_installed")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # words
cc -o by_hand example/push.c -DSCENES="\"$(pkg-config --variable=scenesdir stagger)\"" $(pkg-config --cflags --libs stagger) \
  2>err || fail "the example does not build with pkg-config: $(head -5 err)"
./by_hand | cmp - pushes.csv || fail "built by hand it says otherwise"

# Every header with what stands beside it, and the libraries that stagger.pc names, alone.
(cd prefix/include/stagger && find . -name '*.h' | sort | sed 's/.*/#include "&"/') >headers.c
# shellcheck disable=SC2046 # words
cc -fsyntax-only -Iprefix/include/stagger $(pkg-config --cflags stagger) headers.c 2>err ||
  fail "an installed header needs what is not there: $(head -5 err)"

[ "$failed" -eq 0 ] && echo "the installed tree serves others"
[ "$failed" -eq 0 ]
