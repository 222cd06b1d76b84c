#!/bin/bash
# stagger compare STUDY: two controllers on the same blows, decided early, the same bytes after an interruption.
# Usage: STAGGER=program SOURCE=source-folder compare.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }

# A doll in the air moves by its push; the second "controller" is a push that is 10 % larger.
cat >push.yaml <<'END'
purpose: Does a larger push move a doll further?
scene: limp
repeats: 24
set: [duration=0.15, "expect=[]", "events=[{part: chest, time: [0.02, 0.05], impulse: 10}]", world.solver=reduced]
axes:
  events.0.impulse: {values: [20, 22], name: impulse}
  events.0.direction: {values: [0, 90], name: direction}
compare: {axis: impulse, metric: doll.peak_com_displacement, block: 6}
metrics: [doll.peak_com_displacement]
END

run 0 compare --help
has out "stagger compare STUDY [options]"
sed '/^compare/d' push.yaml >plain.yaml
run 2 compare plain.yaml --out bad
has err "plain.yaml: has no table 'compare'"
absent bad
run 0 compare push --out one --jobs 1
has out "doll.peak_com_displacement: higher for the second, after 6 of 24 repeats."
has out "24 of 96 trials"
run 0 compare push --out parts --limit 7 --quiet
run 0 compare push --out parts --resume --quiet --jobs 3
is out ""
for file in trials.csv compare.csv compare.json; do same one/$file parts/$file; done
# A tenth more of each.
awk -F, '$1 == "doll.peak_com_displacement" { exit !($4 / $3 > 1.099 && $4 / $3 < 1.101 && $10 == "higher") }' \
  one/compare.csv || fail "compare.csv: $(cat one/compare.csv)"

[ $failed -eq 0 ] && echo "controllers are compared"
exit $((failed > 0))
