#!/bin/bash
# How hits' momentum propagates: stagger run --propagation, stagger report --propagation, and the heat maps of a study
# with three axes. Usage: STAGGER=program SOURCE=source-folder propagation.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

hit='events=[{kind: impulse, part: forearm_r, time: 0.5, direction: 180, impulse: 5, point: [0, 0, 0]}]'
run 0 run hit_stand --set "$hit" --duration 1 --set 'expect=[]' --trace hit.h5 --propagation where.csv
has out "Hit 1: 5.00 N s on man's forearm_r at 0.500 s, compared with the same run without it"
is err ""
[ "$(head -1 where.csv)" = "hit,time,character,struck,impulse,part,age,x,y,z,size,along" ] || fail "header: $(head -1 where.csv)"
# 16 parts, 0.3 s at 240 Hz.
[ "$(wc -l <where.csv)" -eq $((1 + 16 * 72)) ] || fail "$(wc -l <where.csv) lines"
# After the first step all of the impulse is in the body, except for what the ground and the assist took.
sum=$(awk -F, '$7 < 0.005 {sum += $12} END {print (sum > 3.5 && sum < 5.5)}' where.csv)
[ "$sum" -eq 1 ] || fail "momentum along the hit after a step: $(awk -F, '$7 < 0.005 {s += $12} END {print s}' where.csv)"

# The trace is that of a run without the option.
run 0 run hit_stand --set "$hit" --duration 1 --set 'expect=[]' --trace plain.h5 --quiet
run 0 compare hit.h5 plain.h5

run 2 run hit_stand --propagation hit.h5
absent where2.csv
run 0 report hit.h5 --propagation --no-pictures -o hit.html
has hit.html "Where the impulses went"
has hit.html "ms after the hit"
run 0 report hit.h5 --no-pictures -o plain.html
grep -qF "Where the impulses went" plain.html && fail "a section nobody asked for"

# Without script: a picture over two axes for each part, and the strategies.
cat >map.yaml <<'END'
scene: hit_stand
repeats: 1
set: [duration=1, "expect=[]", "events=[{kind: impulse, part: chest, time: 0.3, direction: 0, impulse: 5}]"]
axes:
  events.0.part: {values: [chest, head], name: part}
  events.0.direction: {values: [0, 90, 180], name: direction}
  events.0.impulse: {values: [5, 60], name: impulse}
metrics: [man.fell, man.peak_pose_error, man.recovery_strategy]
END
run 0 sweep map.yaml --jobs 2 --out map
STAGGER_REPORT_PAGE="$folder/no_script" run 0 report map --no-pictures -o map.html
for text in "part chest" "part head" "ankle"; do has map.html "$text"; done
# Fell and pose error, of two parts, as columns and rows.
[ "$(grep -oE '>part (chest|head) *<' map.html | wc -l)" -ge 6 ] || fail "$(grep -oE '>part (chest|head) *<' map.html | wc -l) pictures"

[ "$failed" -eq 0 ]
