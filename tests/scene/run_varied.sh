#!/bin/sh
# Runs the variations of a scene that stand in variations.csv (scene, digest, seconds, settings; columns apart by tabs) and
# holds what each comes to to its digest: the warnings of `stagger check`, and of the run the state of all bodies, the poses
# shown, the other channels and the metrics; or the message with which it is refused or stops. A row with "drawn" for its
# seconds is what the viewer draws over the scene.
# Usage: STAGGER=program DIGEST=program run_varied.sh SCENE VARIATIONS.csv
#        STAGGER=program DIGEST=program run_varied.sh --print SCENE SECONDS [SETTING...] (prints one digest)
#        STAGGER=program DIGEST=program run_varied.sh --row ROW (prints a row of the table with its digest of now)
#        STAGGER=program DIGEST=program run_varied.sh --write VARIATIONS.csv PROCESSES (writes all digests anew)
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# digest SCENE SECONDS [SETTING...]
digest() {
  varied=$1 seconds=$2
  shift 2
  if [ "$seconds" = drawn ]; then
    "${DIGEST%digest}drawings" "${STAGGER_SCENES:?}/$varied.yaml" | cut -d, -f2
    return
  fi
  for setting; do
    set -- "$@" --set "$setting"
    shift
  done
  rm -f "$folder/trace.h5"
  status=0
  told=$("$STAGGER" check "$varied" "$@" 2>&1 | LC_ALL=C sed 's,[^ ]*/,,g' | sha256sum | cut -c1-8)
  "$STAGGER" run "$varied" --duration "$seconds" --set "expect=[]" "$@" --quiet --trace "$folder/trace.h5" 2>"$folder/errors" ||
    status=$?
  case $status in
    0) echo "$told,$("$DIGEST" "$folder/trace.h5")" ;;
    2) echo "refused,$told" ;;
    *) echo "stopped $status,$told,$(LC_ALL=C sed 's,[^ ]*/,,g' "$folder/errors" | sha256sum | cut -c1-8)" ;;
  esac
}

tab=$(printf '\t')
# made ROW: the row with the digest of now. Words of a row are apart by tabs and have no spaces.
made() {
  # shellcheck disable=SC2046 # words
  got=$(digest $(echo "$1" | cut -f 1,3-))
  echo "$(echo "$1" | cut -f 1)$tab$got$tab$(echo "$1" | cut -f 3-)"
}

case $1 in
  --print) shift && digest "$@" && exit ;;
  --row) made "$2" && exit ;;
  --write)
    tail -n +2 "$2" | xargs -d '\n' -P "$3" -n 1 sh "$0" --row >"$folder/lines"
    { head -n 1 "$2" && LC_ALL=C sort "$folder/lines"; } >"$folder/table"
    diff "$2" "$folder/table" | sed -n 's/^> //p'
    cp "$folder/table" "$2"
    exit
    ;;
esac
failed=0
grep "^$1$tab" "$2" >"$folder/rows" || { echo "$2 has no row of $1: draw_variations.py draws some" && exit 1; }
while read -r row; do
  now=$(made "$row")
  [ "$now" = "$row" ] || { echo "$row, now $now" && failed=1; }
done <"$folder/rows"
[ "$failed" -eq 0 ] || echo "If that is meant, './dev bits' writes the table, and CHANGELOG.md says what changed."
exit "$failed"
