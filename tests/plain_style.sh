#!/bin/sh
# Holds what every file has in common: it opens with a comment that says what it is for, and pointers are tested in one
# way. Usage: SOURCE=folder plain_style.sh
set -eu
cd "${SOURCE:-$(dirname "$0")/..}"
status=0

sources() {
  find sim anim ragdoll scenes viewer tests examples -path '*/node_modules' -prune -o -name '*.[ch]' -print -o -name '*.cpp' -print | sort
}

complain() {
  echo "$1:"
  echo "$2" | sed 's/^/  /'
  status=1
}

silent=$(sources | while read -r file; do
  case $(head -c 2 "$file") in '//') ;; *) echo "$file" ;; esac
done)
[ -z "$silent" ] || complain "files that do not open with a comment that says what they are for" "$silent"

nulls=$(sources | xargs grep -nE '[^"]== NULL' || true)
[ -z "$nulls" ] || complain "pointers are tested as !p, not as p == NULL" "$nulls"

[ $status -eq 0 ] && echo "all files open with their purpose and test pointers alike"
exit $status
