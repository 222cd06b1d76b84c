#!/bin/sh
# No committed picture of a scene is older than the scene. tests/pictures.txt has a row for each: the picture, the checksum of the
# scene's text without comments when it was drawn, and how it was drawn. Usage: SOURCE=folder pictures.sh
set -eu
cd "${SOURCE:-$(dirname "$0")/..}"
list=tests/pictures.txt
status=0

complain() {
  echo "$1"
  status=1
}

# The checksum of a scene: comments and empty lines change no picture.
checksum() { sed -E 's/(^|[[:space:]])#.*//; s/[[:space:]]+$//; /^$/d' "$1" | cksum | cut -d ' ' -f 1; }

for scene in scenes/*.yaml; do
  picture=${scene%.yaml}.png
  [ -e "$picture" ] || continue
  name=$(basename "$scene" .yaml)
  row=$(grep "^$name " "$list" || true)
  sum=$(checksum "$scene")
  [ -n "$row" ] || complain "$picture has no row in $list: $name $sum HOW IT IS DRAWN"
  how=${row#* * }
  [ -z "$row" ] || [ "$row" = "$name $sum $how" ] ||
    complain "$picture is older than $scene: draw it anew, look at it, and write $sum into $list
  stagger run $name --trace t.h5 && stagger-view t.h5 --offscreen --png $picture $how"
done
while read -r name _; do
  [ -e "scenes/$name.png" ] && [ -e "scenes/$name.yaml" ] || complain "$list: there is no scenes/$name.png or no scenes/$name.yaml"
done <"$list"
[ $status -eq 0 ] && echo "no picture is older than its scene"
exit $status
