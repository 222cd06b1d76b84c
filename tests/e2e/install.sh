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
has out "skills/run.yaml"
prefix/bin/stagger check skills/run >out 2>err || fail "an installed skill is not found: $(cat err)"
[ "$(cd "$SOURCE/scenes/skills" && find . -name '*.yaml' -o -name '*.safetensors' | sort)" = \
  "$(cd prefix/share/stagger/scenes/skills && find . -name '*.yaml' -o -name '*.safetensors' | sort)" ] ||
  fail "not all files of skills are installed: $(ls prefix/share/stagger/scenes/skills)"
[ "$(cd prefix/include && find . -name '*.h' | grep -v unstable/)" = ./stagger/stagger.h ] ||
  fail "other headers than stagger.h are installed: $(find prefix/include -name '*.h')"

# The manual, starting points, manual pages and completion are where the programs and Debian look for them.
prefix/bin/stagger help limits | cmp -s - "$SOURCE/scenes/manual/limits.md" || fail "the installed manual is not found"
(cd prefix && bin/stagger new scene begun >out && bin/stagger check begun.yaml >out) || fail "nothing to begin with is installed"
for file in man/man1/stagger.1 man/man1/stagger-view.1 bash-completion/completions/stagger \
  bash-completion/completions/stagger-view zsh/vendor-completions/_stagger zsh/vendor-completions/_stagger_view; do
  [ -s "prefix/share/$file" ] || fail "share/$file is not installed"
done

# The examples by CMake, with the shared library.
for example in push strike; do
  cp -r "$SOURCE/examples/$example" "$example"
  CMAKE_PREFIX_PATH="$folder/prefix" cmake -G Ninja -S "$example" -B "build_$example" >out 2>&1 &&
    cmake --build "build_$example" >>out 2>&1 || { fail "the example $example does not build with CMake"; cat out; }
done
build_push/push >pushes.csv || fail "the example push does not run"
[ "$(head -1 pushes.csv)" = "impulse (N s),stands" ] && [ "$(wc -l <pushes.csv)" -eq 7 ] ||
  fail "the example push prints $(cat pushes.csv)"
grep -q ",yes$" pushes.csv && grep -q ",no$" pushes.csv || fail "no push is borne, or all are: $(cat pushes.csv)"
build_push/push nothing.yaml 2>err && fail "the example push runs what is not there"
has err "nothing.yaml"
build_strike/strike strike.h5 >strikes.csv || fail "the example strike does not run"
[ "$(wc -l <strikes.csv)" -eq 5 ] || fail "the example strike prints $(cat strikes.csv)"
awk -F, 'NR > 1 && ($2 < 0.01 || $2 > 0.5 || $3 <= 0) { exit 1 }' strikes.csv ||
  fail "blows of 12 N s move a man by $(cat strikes.csv)"
objdump -p build_push/push | grep -q "NEEDED *libstagger.so.0" || fail "the example does not use the shared library"

# By pkg-config, with the shared library and with the archive.
PKG_CONFIG_PATH=$(dirname "$first_installed")
export PKG_CONFIG_PATH
libraries=$(pkg-config --variable=libdir stagger)
# shellcheck disable=SC2046 # words
cc -o by_hand push/push.c $(pkg-config --cflags --libs stagger) -Wl,-rpath,"$libraries" 2>err ||
  fail "the example does not build with pkg-config: $(head -5 err)"
./by_hand | cmp - pushes.csv || fail "built by hand it says otherwise"
# shellcheck disable=SC2046 # words
cc -o by_archive push/push.c $(pkg-config --cflags stagger) "$libraries/libstagger.a" \
  $(pkg-config --static --libs stagger | sed 's/-lstagger//') 2>err || fail "the archive does not link: $(head -5 err)"
STAGGER_SCENES=$(pkg-config --variable=scenesdir stagger) ./by_archive | cmp - pushes.csv || fail "the archive says otherwise"

# The package for Python finds the library and the scenes of its own tree.
for python in /usr/bin/python3 python3; do
  "$python" -c 'import numpy' 2>/dev/null || continue
  PYTHONPATH=prefix/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1 "$python" -c '
import stagger
scene = stagger.Scene("stand")
scene.run(0.1)
print(stagger.__file__, open("/proc/self/maps").read().count("prefix/lib"))' >out 2>err || fail "the installed package: $(cat err)"
  has out "prefix/lib/python3/dist-packages/stagger"
  grep -q " 0$" out && fail "the installed package uses another library"
  break
done
find prefix -name '*.pyc' -o -name 'test_*.py' | grep . && fail "more than the package is installed for Python"

# pip installs the package of the source tree; its version is the project's.
version=$(sed -n 's/^Version: //p' "$first_installed")
grep -q "^version = \"$version\"$" "$SOURCE/python/pyproject.toml" || fail "python/pyproject.toml has another version than $version"
if /usr/bin/python3 -c 'import pip, setuptools, wheel' 2>/dev/null; then
  cp -r "$SOURCE/python" python_source
  /usr/bin/python3 -m pip install --quiet --no-build-isolation --no-deps --no-index --target by_pip ./python_source >out 2>&1 ||
    fail "pip does not install the package: $(tail -3 out)"
  [ -f by_pip/stagger/gym.py ] && [ -f by_pip/stagger/py.typed ] || fail "pip installs $(ls by_pip by_pip/stagger)"
fi

# Two packages for Debian: one for Python alone, the rest without it. Without `file` and dpkg-dev CPack cannot find out
# which libraries a package needs, and makes none.
if command -v cpack >/dev/null && command -v dpkg-shlibdeps >/dev/null && command -v file >/dev/null; then
  (cd "$build" && cpack -B "$folder/packages") >out 2>&1 || { fail "cpack fails"; tail -5 out; }
  dpkg-deb -c packages/python3-stagger_*_all.deb >python.txt || fail "there is no package for Python"
  dpkg-deb -c packages/stagger_*.deb >rest.txt || fail "there is no package of the programs"
  has python.txt "dist-packages/stagger/gym.py"
  grep -v "dist-packages\|/$" python.txt && fail "the package for Python has other files too"
  has rest.txt "usr/bin/stagger-view"
  grep -q "dist-packages" rest.txt && fail "the package of the programs has Python's files too"
  has <(dpkg-deb -f packages/python3-stagger_*_all.deb Depends) "stagger (= $version), python3, python3-numpy"
fi

# Every header alone, in C and in C++, with nothing else installed.
for header in $(cd prefix/include && find stagger -name '*.h'); do
  echo "#include <$header>" >header.c
  cc -std=c99 -pedantic -Wall -Werror -fsyntax-only -Iprefix/include header.c 2>err || fail "$header in C: $(head -5 err)"
  cp header.c header.cpp
  command -v c++ >/dev/null && { c++ -std=c++11 -Wall -Werror -fsyntax-only -Iprefix/include header.cpp 2>err ||
    fail "$header in C++: $(head -5 err)"; }
done

[ "$failed" -eq 0 ] && echo "the installed tree serves others"
[ "$failed" -eq 0 ]
