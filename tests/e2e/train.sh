#!/bin/bash
# stagger train: what it writes, that a stop changes nothing, what it refuses, what is never changed.
# Usage: STAGGER=program SOURCE=source-folder train.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }

# A planner that is trained quickly, beside a scene.
mkdir planners
sed -e 's/^training:.*/training: {decisions: 2000, points: 4, check_fields: 2, test_fields: 4, test_crowds: 1, crowd: 6}/' \
  "$SOURCE/scenes/planners/human.yaml" >planners/human.yaml
cp "$SOURCE/scenes/planners/field.yaml" field.yaml

run 0 train field.yaml -o whole.yaml --baseline direct.yaml --curve curve.csv --quiet
has out "On 4 unseen fields"
has out "The direct table is"
has out "nearest"
has out "In 1 crowds of 6"
has out "if way is far_left and goal_distance is not here then turn is hard_left"
has whole.yaml "policy: fuzzy"
has whole.yaml "planned: 2000"
has whole.yaml 'file: "clips/walk.yaml"'
has direct.yaml "policy: direct"
[ "$(wc -l <curve.csv)" -eq 9 ] || fail "curve.csv has not a head and 4 points of each table"
[ -s err ] && fail "a pipe shows progress: $(head -3 err)"

# The same seed, the same bytes; another one, others; and after stops.
run 0 train field.yaml -o again.yaml --quiet
same whole.yaml again.yaml
run 0 train field.yaml -o other.yaml --seed 2 --quiet
cmp -s whole.yaml other.yaml && fail "another seed learns the same"
run 0 train field.yaml -o parts.yaml --limit 500 --quiet
has out "go on with --resume"
run 0 train field.yaml -o parts.yaml --resume --limit 700 --quiet
run 0 train field.yaml -o parts.yaml --resume --quiet
has out "On 4 unseen fields"
same whole.yaml parts.yaml

# Killed during training, the file is complete, and training continues.
"$STAGGER" train field.yaml -o killed.yaml --quiet >/dev/null 2>&1 &
until [ -s killed.yaml ] || ! kill -0 $! 2>/dev/null; do sleep 0.02; done
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
run 0 train field.yaml -o killed.yaml --resume --quiet
same whole.yaml killed.yaml

# What it refuses, before anything is written.
run 2 train field.yaml
has err "-o POLICY is missing"
run 2 train -o new.yaml
has err "the skill or scene is missing"
run 2 train stand -o new.yaml
has err "no character has a 'planner'"
run 2 train field.yaml -o new.yaml --limit 0
has err "--limit 0: allowed are whole numbers from 1"
run 2 train field.yaml -o new.yaml --baseline new.yaml
has err "are the same file"
run 2 train field.yaml -o nowhere/new.yaml
has err "cannot be written"
absent new.yaml
cp field.yaml kept.yaml
run 2 train field.yaml -o kept.yaml
has err "exists and is not a policy, so it is not replaced"
same field.yaml kept.yaml
run 2 train field.yaml -o whole.yaml --resume --seed 3
has err "was learnt with seed 1"
run 2 train field.yaml -o direct.yaml --resume
has err "is a policy of a direct table"
echo "# changed" >>planners/human.yaml
run 2 train field.yaml -o whole.yaml --resume
has err "was learnt with another planners/human.yaml"

# Errors in a planner's file are reported with their place.
sed -i -e 's/way: far_left, goal/way: far_lef, goal/' planners/human.yaml
run 2 train field.yaml -o new.yaml
has err "'way' has no term 'far_lef', did you mean 'far_left'?"
grep -q '^planners/human.yaml:[0-9]*:[0-9]*: ' err || fail "the error has no place: $(cat err)"
sed -i -e 's/far_lef,/far_left,/' -e 's/, from: left_strike/, from: left_stroke/' planners/human.yaml
run 2 train field.yaml -o new.yaml
has err "the clip has no mark 'left_stroke', did you mean 'left_strike'?"
absent new.yaml

# A policy of other moves does not fit, and is refused.
sed -i -e 's/left_stroke/left_strike/' -e 's/pace: \[0.6, 1, 1.4\]/pace: [0.6, 1, 1.5]/' planners/human.yaml
sed -e 's/human.yaml, goals/human.yaml, policy: whole.yaml, goals/' field.yaml >with.yaml
run 2 check with.yaml
has err "train it anew"

[ "$failed" -eq 0 ] || { echo "$failed checks failed"; exit 1; }
echo "all checks passed"
