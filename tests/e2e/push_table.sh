#!/bin/bash
# The push tables, reduced as their own comments describe: shares with intervals, and pictures over the directions.
# Usage: STAGGER=program SOURCE=source-folder push_table.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"
export STAGGER_REPORT_PAGE="$folder/no_script"

# Four sides, a push that the ankles withstand and one that is always too strong, once each.
sed 's/steps: 16/steps: 4/; s/to: 337.5/to: 270/; s/repeats: 20/repeats: 1/; s/values: \[.*\], name: impulse/values: [25, 300], name: impulse/
  s/duration=8/duration=4/; /^traces:/,$d' "$SOURCE/scenes/studies/push_table.yaml" >small.yaml
run 0 sweep small.yaml --out small --quiet
[ "$(grep -c ',complete,' small/trials.csv)" -eq 8 ] || fail "not 8 trials: $(cat small/trials.csv)"
has small/summary.csv "share,share_low,share_high"
grep -qE '^cell,90,25,ok,,bool,1,1,1,1,0\.2[0-9]*,1,' small/summary.csv || fail "no Wilson interval of one of one: $(grep ,ok, small/summary.csv)"
for side in 0 90 180 270; do
  grep -qE "^cell,$side,25,man.recovery_strategy,ankle,,1,1,1,1," small/summary.csv ||
    fail "25 N s to $side deg is not taken by the ankles: $(grep "^cell,$side,25,man.recovery_s" small/summary.csv)"
done
grep -qE "^cell,180,300,man.recovery_strategy,fall,,1,1,1,1," small/summary.csv || fail "who stands 300 N s backward?"

# The page has the picture, and the picture exists by itself.
run 0 report small -o small.html --no-pictures
has small.html 'id="directions"'
has small.html '<title>direction 90 deg, impulse 25 N s: 1 of 1, 95 % interval 20.7 to 100.0 %</title>'
run 0 report small/trials.csv -o small.svg
has small.svg '<svg xmlns="http://www.w3.org/2000/svg" class="rose"'
has small.svg "Success: man.fell == 0, man.recovered_share == 1"
python=$(command -v /usr/bin/python3 || command -v python3)
[ -z "$python" ] || "$python" -c 'import xml.etree.ElementTree as xml; xml.parse("small.svg")' || fail "small.svg is no XML"

# With a third axis the page has one more picture for each value.
printf 'scene: hit_stand\nset: [duration=1]\nmetrics: [fell]\naxes:\n  events.0.direction: {from: 0, to: 270, steps: 4}
  events.0.impulse: [20, 40]\n  world.friction: {values: [0.5, 1], name: friction}\n' >apart.yaml
run 0 sweep apart --quiet
run 0 report apart --no-pictures
for friction in 0.5 1; do has apart.html ">friction $friction</text>"; done

# A study without directions has none.
printf 'scene: limp\nset: [duration=0.1]\naxes: {world.friction: [0.5, 1]}\nmetrics: [doll.fell]\n' >plain.yaml
run 0 sweep plain.yaml --out plain --quiet
run 2 report plain -o plain.svg
has err "a picture is made of studies with an axis of directions"
absent plain.svg

[ $failed -eq 0 ] && echo "push tables tell shares, strategies and directions"
exit $((failed > 0))
