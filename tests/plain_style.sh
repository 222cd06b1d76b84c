#!/bin/sh
# Holds what every file has in common: it opens with a comment that says what it is for, sections begin with one kind of
# line, pointers are tested in one way, and functions that begin and end the life of an object have one set of names.
# Usage: SOURCE=folder plain_style.sh
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

lines=$(sources | xargs grep -nE '^ *//+ ?(-{3,}|[=*#]{3,})' | grep -vE ':// ---- [^-].* ----$' || true)
[ -z "$lines" ] || complain "sections begin with a line '// ---- Subject ----'" "$lines"

# Life of an object: _create and _destroy for one on the heap; _init and _free for a value, and _free for what was read
# or parsed; _open and _close for a file, a window or a device; _make returns a value.
headers() { find sim anim ragdoll scenes viewer -name '*.h' | sort; }

others=$(headers | xargs grep -nE '^[^/]*[a-z0-9]_(new|delete|alloc|dispose|construct)\(|^[^/(]*\*[a-z0-9_]+_make\(' || true)
[ -z "$others" ] || complain "an object on the heap is made by _create and ended by _destroy, a value by _init and _free" "$others"

# A type with _create has _destroy and no _free, and the other way round; what writes a file is closed.
names() { headers | xargs sed -nE "$1" | sort -u; }
created=$(names 's/^([A-Z][A-Za-z]*) \*[a-z0-9_]+_create\(.*/\1/p')
destroyed=$(names 's/^[a-z]+ [a-z0-9_]+_(destroy|close)\(([A-Z][A-Za-z]*) \*.*/\2/p')
ended=$(names 's/^[a-z]+ [a-z0-9_]+_destroy\(([A-Z][A-Za-z]*) \*.*/\1/p')
freed=$(names 's/^[A-Z][A-Za-z]* \*([a-z0-9_]+)_create\(.*/\1_free/p' | while read -r name; do headers | xargs grep -hw "$name" || true; done)
[ -z "$freed" ] || complain "created, but freed by _free instead of _destroy" "$freed"
for type in $created; do
  echo "$destroyed" | grep -qx "$type" || complain "created, but not destroyed" "$type"
done
for type in $ended; do
  echo "$created" | grep -qx "$type" || complain "destroyed, but not made by _create" "$type"
done

[ $status -eq 0 ] && echo "all files open with their purpose, and have one style of sections, pointers and lives"
exit $status
