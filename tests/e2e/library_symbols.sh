#!/bin/bash
# Exports of the library, shared and static: the names of its public headers and no others. They are listed in
# tests/library_symbols.txt, so that missing and additional names are detected.
# Usage: STAGGER=program SOURCE=source-folder library_symbols.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"
build=$(dirname "$STAGGER")
if grep -Eq "STAGGER_(SANITIZE|COVERAGE):BOOL=ON" "$build/CMakeCache.txt"; then
  echo "SKIP a library with sanitizers or counters is not for others"
  exit 77
fi

nm -D --defined-only "$build/libstagger.so" | awk 'NF == 3 { print $3 }' | sed 's/@.*//' | sort >shared
nm -g --defined-only "$build/libstagger.a" | awk 'NF == 3 { print $3 }' | sort >static
# Declared: every name that follows STAGGER_API.
cat "$SOURCE"/scenes/library/stagger/*.h "$SOURCE"/scenes/library/stagger/*/*.h | tr '\n' ' ' |
  grep -oE 'STAGGER_API [^;(]*\(' | grep -oE 'stagger_[a-z0-9_]+\($' | tr -d '(' | sort >declared

diff "$SOURCE/tests/library_symbols.txt" shared || fail "the shared library exports other names than are listed"
diff shared static || fail "the archive gives away other names than the shared library"
diff declared shared || fail "the headers declare other names than the libraries export"
grep -v '^stagger_' shared && fail "a name without the prefix"
objdump -p "$build/libstagger.so" | grep -q 'SONAME *libstagger.so.0' || fail "the shared library has no soname"
[ "$(find "$SOURCE/scenes/library/stagger/unstable" -name '*.h' | wc -l)" -le 15 ] || fail "more than 15 unstable headers"

[ "$failed" -eq 0 ] && echo "$(wc -l <shared) names, all of them public"
[ "$failed" -eq 0 ]
