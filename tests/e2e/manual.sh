#!/bin/bash
# The manual: all that its pages show is done, in their order, each page in a folder of its own. A fenced block is a file,
# which its first line names (`# push.yaml`, `// push.c`; "more of push.yaml" appends), commands (sh), or their output (text), where
# "..." stands for anything. Other blocks are errors, so that nothing is shown that was not tried.
# Usage: STAGGER=program SOURCE=source-folder [MANUAL_PICTURES=folder] manual.sh [PAGE]: keeps the pictures of each page there.
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"
build=$(dirname "$STAGGER")
PATH=$build:$folder/bin:$PATH
export PATH PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$SOURCE/python
mkdir -p bin lib

# The library as if it were installed: with sanitizers or counters it is not for other programs.
library=no
if [ -e "$build/libstagger.so" ] && ! grep -Eq "STAGGER_(SANITIZE|COVERAGE):BOOL=ON" "$build/CMakeCache.txt"; then
  library=yes
  cat >lib/stagger.pc <<END
Name: stagger
Description: the library in its build folder
Version: 0
Cflags: -I$SOURCE/scenes/library
Libs: -L$build -Wl,-rpath,$build -lstagger
END
  export PKG_CONFIG_PATH=$folder/lib
fi

# A Python that has the modules of the pages, or none: Debian's is not always the first one.
for python in /usr/bin/python3 python3; do
  "$python" -c 'import h5py, matplotlib, numpy' 2>/dev/null && ln -s "$(command -v "$python")" bin/python3 && break
done

# Pictures need OpenGL, and take long with sanitizers.
pictures=no
[ $library = no ] || ! stagger-view limp --offscreen --size 16x16 --png try.png >/dev/null 2>&1 || pictures=yes

# What a block of commands needs is here.
can_run() {
  case $1 in
  *python3*) [ -e "$folder/bin/python3" ] && [ $library = yes ] ;;
  *pkg-config*) [ $library = yes ] ;;
  *stagger-view*) [ $pictures = yes ] ;;
  esac
}

# shown TEXT OUTPUT: whether the output is the text, whose "..." stand for anything.
shown() {
  local pattern
  pattern=$(printf '%s\n' "$1" | sed 's/[][*?\\]/\\&/g; s/\.\.\./*/g')
  # shellcheck disable=SC2053 # a pattern
  [[ $2 == $pattern ]]
}

# One block of a page, at a line. output: of the last commands; ran: whether they were run.
block() {
  local place=$1 kind=$2 text=$3 first file
  first=${text%%$'\n'*}
  file=$(printf '%s\n' "$first" | sed -nE 's,^(#|//) (more of )?([a-z_]+\.(yaml|c|py))$,\3,p')
  if [ "$kind" = text ]; then
    [ "$ran" = no ] || shown "$text" "$output" || fail "$place: other output than shown: $output"
  elif [ "$kind" = sh ]; then
    output='' ran=no
    can_run "$text" || { echo "SKIP $place"; return; }
    ran=yes
    output=$(bash -e -o pipefail -c "$text" 2>&1 </dev/null) || fail "$place: exit status $?: $output"
  elif [ -n "$file" ]; then
    case $first in
    *" more of "*) printf '%s\n' "${text#*$'\n'}" >>"$file" ;;
    *) printf '%s\n' "$text" >"$file" ;;
    esac
  else
    fail "$place: a block of kind '$kind' that names no file: '$first'"
  fi
}

page() {
  local path=$1 name line kind='' text='' number=0 begin=0
  name=$(basename "$path" .md)
  mkdir -p "$folder/$name"
  cd "$folder/$name" || exit 1
  output='' ran=no
  while IFS= read -r line; do
    number=$((number + 1))
    case $kind,$line in
    ,'```'?*) kind=${line#'```'} text='' begin=$number ;;
    ,*) ;;
    *,'```')
      block "$name.md:$begin" "$kind" "${text%$'\n'}"
      kind=''
      ;;
    *) text+=$line$'\n' ;;
    esac
  done <"$path"
  [ -z "$kind" ] || fail "$name.md:$begin: a block without end"
  if [ -n "${MANUAL_PICTURES:-}" ]; then
    mkdir -p "$MANUAL_PICTURES/$name"
    find . -name '*.png' -exec cp {} "$MANUAL_PICTURES/$name" \;
  fi
  [ "$number" -le 130 ] || fail "$name.md: $number lines are more than three screens"
  head -1 "$path" | grep -q '^# ' || fail "$name.md: does not begin with its title"
  cd "$folder" || exit 1
}

# With sanitizers two pages are enough: other tests run what the commands do.
pages=(first_study scene)
[ $library = no ] || pages=("$SOURCE"/scenes/manual/*.md)
[ $# -eq 0 ] || pages=("$1")
for name in "${pages[@]}"; do page "$SOURCE/scenes/manual/$(basename "$name" .md).md"; done
[ "$failed" -eq 0 ] && echo "the manual is true"
[ "$failed" -eq 0 ]
