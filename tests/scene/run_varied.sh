#!/bin/sh
# Runs the variations of a scene that stand in variations.csv (scene, digest, seconds, settings; columns apart by tabs) and
# holds what each comes to to its digest: the warnings of `stagger check`, and of the run the state of all bodies, the poses
# shown, the other channels and the metrics; or the message with which it is refused or stops. A row with "drawn" for its
# seconds is what the viewer draws over the scene.
# Usage: STAGGER=program DIGEST=program run_varied.sh SCENE VARIATIONS.csv
#        STAGGER=program DIGEST=program run_varied.sh --print SCENE SECONDS [SETTING...] (prints one digest)
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

if [ "$1" = --print ]; then
  shift
  digest "$@"
  exit
fi

tab=$(printf '\t')
# settings_of ROW: "SCENE SECONDS SETTING..." of "SCENE DIGEST SECONDS SETTING..."; none of them has spaces.
settings_of() { echo "$1" | cut -f 1,3- | tr '\t' ' '; }

if [ "$1" = --write ]; then
  table=$2
  tail -n +2 "$table" | tr '\t' '|' | xargs -P "$3" -I ROW sh -c '
    row=$(echo "ROW" | tr "|" "\t")
    # shellcheck disable=SC2046
    printf "%s\t%s\t%s\n" "$(echo "$row" | cut -f 1)" \
      "$(sh "$0" --print $(echo "$row" | cut -f 1,3- | tr "\t" " "))" "$(echo "$row" | cut -f 3-)"' "$0" >"$folder/lines"
  { head -n 1 "$table" && LC_ALL=C sort "$folder/lines"; } >"$folder/table"
  diff "$table" "$folder/table" | sed -n 's/^> //p'
  cp "$folder/table" "$table"
  exit
fi
failed=0
grep "^$1$tab" "$2" >"$folder/rows" || { echo "$2 has no row of $1: draw_variations.py draws some" && exit 1; }
while read -r row; do
  # shellcheck disable=SC2046 # words
  got=$(digest $(settings_of "$row"))
  [ "$got" = "$(echo "$row" | cut -f 2)" ] || { echo "$row: $got" && failed=1; }
done <"$folder/rows"
[ "$failed" -eq 0 ] || echo "If that is meant, './dev bits' writes the table, and CHANGELOG.md says what changed."
exit "$failed"
