#!/bin/bash
# What a user sees of a skill: its description checked, its network described, and a scene that uses it.
# Usage: STAGGER=program SOURCE=source-folder skills.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

# A skill of few units, and a training of a moment.
cat >tiny.yaml <<'END'
# A skill that has learnt next to nothing.
name: tiny
body: bodies/human.yaml
clip: clips/run.yaml
network: tiny.safetensors
control: {rate: 60, mirror: true, speed: [2.5, 4.5]}
training:
  scene: skills/run_training.yaml
  seed: 5
  trials: 2
  learner: {hidden_first: 12, hidden_second: 8, environments: 2, horizon: 8, minibatch: 8, epochs: 1}
  stages: [{name: few, samples: 32, episode: 1}]
END

# Before the training: good, but a scene cannot use it.
run 0 check tiny.yaml
is out "tiny.yaml: good"
has err "tiny.yaml: warning: its network is missing: tiny.safetensors: there is no such file in "
has err "'stagger train tiny.yaml -o FILE' makes it"
run 0 inspect tiny
has out "tiny: skill tiny"
has out "for the body human, leads while the clip run plays"
has out "control.rate = 60 Hz"
has out "which does not exist yet"
has out "abdomen error x"
has out "last pace"
cat >scene.yaml <<'END'
duration: 1
characters:
  - {name: man, body: bodies/human.yaml, skill: tiny.yaml, animation: {move: clips/run.yaml}, intent: {speed: 3.5}}
END
run 2 check scene.yaml
has err "scene.yaml:3:49: tiny.safetensors: there is no such file"

# After it.
run 0 train tiny.yaml -o tiny.safetensors --threads 1 --quiet
run 0 train tiny.yaml -o again.safetensors --threads 2 --quiet
cmp -s tiny.safetensors again.safetensors || fail "two trainings by the same seed differ"
run 0 check tiny.yaml scene.yaml
is out "tiny.yaml: good
scene.yaml: good"
grep -q "tiny.yaml: warning" err && fail "a skill with its network has warnings: $(cat err)"
run 0 inspect scene.yaml
has out "    skill tiny leads the body while the clip run plays"
run 0 run scene.yaml --quiet
run 0 inspect tiny.safetensors
has out "tiny.safetensors: network of the skill tiny"
count=$(sed -n 's/^  network  *\([0-9]*\) inputs, 12 and 8 hidden units, \([0-9]*\) actions: \([0-9]*\) weights$/\1 \2 \3/p' out)
read -r inputs actions weights <<<"$count"
[ "${weights:-0}" -eq $(((${inputs:-0} + 1) * 12 + 13 * 8 + 9 * ${actions:-0})) ] || fail "network: $count: $(sed -n 2p out)"
[ "$(sed -n '/^Inputs/,/^Actions/p' out | grep -cE '^ +[0-9]+  [a-z].* -?[0-9]+\.[0-9]{4} +[0-9]+\.[0-9]{4}$')" -eq "${inputs:-0}" ] ||
  fail "not $inputs inputs with mean and deviation"
[ "$(sed -n '/^Actions/,$p' out | grep -cE '^ +[0-9]+  [a-z].* [0-9.]+ (rad|-)$')" -eq "${actions:-0}" ] ||
  fail "not $actions actions with their units"
for text in "seed                 5" "environments         2" "actor.1.weight               8 x 12" "wall_minutes" \
  "seconds_to_failure"; do
  has out "$text"
done
samples=$(sed -n 's/^  samples  *\([0-9]*\)$/\1/p' out)
[ "${samples:-0}" -ge 32 ] || fail "samples: $samples"
for file in tiny.yaml bodies/human.yaml clips/run.yaml; do
  grep -qE "^  [0-9a-f]{16}  unchanged +$file\$" out || fail "$file is not unchanged: $(grep "$file" out)"
done
cp out of_file
run 0 inspect tiny # the description, then its network
[ "$(sed -n '/^Inputs/,$p' out)" = "$(sed -n '/^Inputs/,$p' of_file)" ] || fail "description and file show other inputs"

# Files that have changed since, or are gone.
sed -i 's/few/a few/' tiny.yaml
run 0 inspect tiny.safetensors
grep -qE "^  [0-9a-f]{16}  changed since  tiny.yaml$" out || fail "a change is not noticed: $(grep tiny.yaml out)"
sed -n '/^Actions/,$p' out | grep -q rad && fail "units of another description"
mv tiny.yaml gone.yaml
run 0 inspect tiny.safetensors
grep -qE "^  [0-9a-f]{16}  not found      tiny.yaml$" out || fail "a missing file is not noticed: $(grep tiny.yaml out)"
mv gone.yaml tiny.yaml

# Errors with their places.
wrong() { # wrong EXPRESSION MESSAGE: the description edited by sed is refused
  sed -e "$1" tiny.yaml >wrong.yaml
  run 2 check wrong.yaml
  has err "$2"
  [ -s out ] && fail "a wrong skill is good: $(cat out)"
}
wrong 's/rate: 60/rate: 1000/' "wrong.yaml:6:17: control.rate is 1000, allowed are 5 to 240 Hz"
wrong 's/^clip:.*//' "wrong.yaml:2:1: a skill needs a 'clip'"
wrong 's/^clip:/clap:/' "wrong.yaml:4:1: unknown key 'clap'"
wrong 's/episode: 1/epizode: 1/' "wrong.yaml:12:"
wrong 's/horizon: 8/horizon: 0/' "wrong.yaml:11:"
wrong 's/run_training/run_trainin/' "did you mean"
wrong 's/human.yaml/lizard.yaml/' "clips/run.yaml:46:3: 'lizard' has no joint 'abdomen'"
wrong 's/tiny.safetensors/scene.yaml/' "scene.yaml"
run 2 check tiny.yaml --set seed=2
has err "--set: tiny.yaml is a skill, not a scene"
run 2 run tiny.yaml
has err "this is a skill, not a scene, which has 'characters': 'stagger inspect' reads it"
head -c 100 tiny.safetensors >cut.safetensors
run 2 inspect cut.safetensors
has err "cut.safetensors"
run 2 inspect nowhere.safetensors
has err "there is no such file"

# The page on skills has the inputs and actions of the human body: their numbers, and each of their kinds.
page=$SOURCE/scenes/skills/README.md
tr '\n' ' ' <"$page" | grep -q "there are $inputs inputs and $actions actions" || fail "README: not $inputs inputs and $actions actions"
for table in "$inputs input" "$actions action"; do
  sum=$(sed -n "/^| ${table#* } | number |/,/^\$/p" "$page" | awk -F'|' '{ sum += $3 } END { print sum + 0 }')
  [ "$sum" -eq "${table% *}" ] || fail "README: the table of ${table#* }s has $sum"
done
"$STAGGER" reference >reference
for key in $(sed -n 's/^| `\(training\|control\)\.\([a-z_]*\)`.*/\2/p' "$page"); do
  grep -q "^| \`$key\` \|^## Skill files: training.$key" reference || fail "README: '$key' is not in the reference"
done

# The shipped ones, from any folder, and the reference.
run 0 check skills/run skills/run_training
has out "skills/run: good"
run 0 reference
for title in "Skill files" "Skill files: control" "Skill files: training" "Skill files: an item of training.stages" \
  "Skill files: training.reward" "Skill files: training.learner"; do
  grep -qxF "## $title" out || fail "reference: no heading '$title'"
done
for key in skill network stages leg_gain impulse hidden_first pose_scale enough; do has out "| \`$key\` |"; done

[ "$failed" -eq 0 ] || { echo "$failed checks failed"; exit 1; }
echo "all checks passed"
