#!/bin/bash
# stagger train SKILL: what it writes, that threads and stops change nothing, what it refuses; and scenes with a skill.
# Usage: STAGGER=program SOURCE=source-folder train_skill.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

same_file() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }

write_tiny_skill

# It trains, and tells what it has done.
began=$(date +%s%N)
run 0 train tiny.yaml -o one.safetensors --threads 1 --curve one.csv --quiet
took=$(($(date +%s%N) - began)) # ns
has out "2 trials of the stage 'second', no longer than 3 s each"
has out "  one.safetensors "
[ -s err ] && fail "a pipe shows progress: $(head -3 err)"
for text in '"skill":"tiny"' '"seed":"3"' '"environments":"8"' '"samples":"1664"' 'pelvis height\npelvis error x\n' \
  'actor.0.weight' ' tiny.yaml\n' ' bodies/human.yaml'; do
  header one.safetensors | grep -qF -- "$text" || fail "the header has no $text: $(header one.safetensors | head -c 600)"
done
absent one.safetensors.checkpoint
# Where the description was is nobody's concern.
run 0 train "$PWD/tiny.yaml" -o whole.safetensors --threads 1 --quiet
same_numbers one.safetensors whole.safetensors
header whole.safetensors | grep -qF "$PWD" && fail "the header has a folder of this machine"
has one.csv "stage,samples,minutes,seconds_to_failure,reward,pose,"
grep -q '^1,256,' one.csv || fail "one.csv has no end of the first stage: $(cat one.csv)"
grep -q '^2,1664,' one.csv || fail "one.csv has no end of the second stage: $(cat one.csv)"

# Two threads learn the same; another seed learns something else.
run 0 train tiny.yaml -o two.safetensors --threads 2 --curve two.svg --quiet
same one.safetensors two.safetensors
has two.svg "<svg"
has two.svg "second"
run 0 train tiny.yaml -o seed.safetensors --seed 4 --quiet
cmp -s <(numbers one.safetensors) <(numbers seed.safetensors) && fail "another seed learns the same"

# A stage may have less noise than the learner's limits allow, and its pupil may see late: each learns something else.
for change in 'deviation: [0.02, 0.02]' 'delay: [0.02, 0.06]'; do
  sed "s/roughness: 1,/roughness: 1, $change,/" tiny.yaml >changed.yaml
  run 0 train changed.yaml -o changed.safetensors --quiet
  cmp -s <(numbers one.safetensors) <(numbers changed.safetensors) && fail "with $change it learns the same"
done
sed 's/rate: 30,/rate: 30, delay: 0.15,/' tiny.yaml >late.yaml
run 2 train late.yaml -o late.safetensors --quiet
has err "late.yaml:5:28: 'delay' is at most 4 decisions, which is 0.133 s at 30 Hz"
absent late.safetensors

# Stopped by the clock - before the first samples, and then somewhere - and continued, it learns the same.
train_in_parts() { # SKILL RESULT [OPTIONS]
  local skill=$1 result=$2 stops=1
  shift 2
  run 0 train "$skill" -o "$result" --minutes 1e-6 --quiet
  [ "$(told "$result" samples)" = 0 ] || fail "$(told "$result" samples) samples in no time"
  until [ ! -e "$result.checkpoint" ] || [ $stops -gt 100 ]; do
    run 0 train "$skill" -o "$result" --resume --minutes "$(awk "BEGIN { print $stops * $took / 60e9 / 5 }")" --quiet "$@"
    stops=$((stops + 1))
  done
  [ $stops -gt 2 ] || fail "$result was not stopped in its midst"
}
train_in_parts tiny.yaml parts.safetensors --curve parts.csv
same one.safetensors parts.safetensors
without_minutes() { cut -d, -f1,2,4- "$1"; }
[ "$(without_minutes one.csv)" = "$(without_minutes parts.csv)" ] || fail "a stop changes the curve: $(cat one.csv parts.csv)"

# So it does where its result is the network that scenes use, which does not exist at first, and is replaced by each part.
sed 's/^network: .*/network: own.safetensors/' tiny.yaml >own.yaml
train_in_parts own.yaml own.safetensors
same_numbers one.safetensors own.safetensors

# Interrupted, it has learnt as much as a training of that length.
sed 's/samples: 200/samples: 1e9/' tiny.yaml >long.yaml
"$STAGGER" train long.yaml -o long.safetensors --curve long.csv --quiet >out 2>err &
process=$!
# A second signal would end it at once. It has begun to learn after 2 s of processor time, whatever the machine does beside.
has_used() { [ "$(cut -d')' -f2 "/proc/$process/stat" | cut -d' ' -f13)" -gt "$1" ]; }
wait_for has_used 200
kill -INT $process
wait $process
[ $? -eq 130 ] || fail "interrupted: the exit status is not 130: $(head -3 err)"
samples=$(told long.safetensors samples)
[ -s long.safetensors.checkpoint ] || fail "interrupted, it leaves no checkpoint"
if [ "${samples:-0}" -gt 0 ]; then
  sed "/name: second/d; s/samples: 200/samples: $samples/" tiny.yaml >short.yaml
  run 0 train short.yaml -o short.safetensors --quiet
  same_numbers long.safetensors short.safetensors
fi
cp long.safetensors before.safetensors
run 0 train long.yaml -o long.safetensors --resume --minutes 1e-6 --quiet
same long.safetensors before.safetensors

# Checkpoints that do not fit are refused.
cp long.safetensors.checkpoint whole
run 2 train long.yaml -o long.safetensors --resume --seed 5 --quiet
has err "long.safetensors.checkpoint: "
has err "the seed: 3 there, 5 here"
cp whole one.safetensors.checkpoint
run 2 train tiny.yaml -o one.safetensors --resume --quiet
has err "the skill's description"
rm one.safetensors.checkpoint
cp one.safetensors kept.safetensors
run 2 train tiny.yaml -o one.safetensors --resume --quiet
has err "one.safetensors: is complete"
same_file one.safetensors kept.safetensors
rm kept.safetensors
for size in 10 200 5000; do
  head -c $size whole >long.safetensors.checkpoint
  run 2 train long.yaml -o long.safetensors --resume --quiet
  has err "long.safetensors.checkpoint: "
done
same long.safetensors before.safetensors

# From a network it begins with that; without -o it is only tested.
run 0 train tiny.yaml -o from.safetensors --from one.safetensors --minutes 1e-6 --quiet
same_numbers one.safetensors from.safetensors
has out "  one.safetensors "
rm from.safetensors*
run 0 train tiny.yaml --from one.safetensors --quiet
has out "  one.safetensors "
absent tiny.safetensors
# A skill that sees the slope begins with one that does not, and does the same at first; only so.
tests_of() { sed -n "s/^  $1  *//p" out; }
tested=$(tests_of one.safetensors)
sed 's/rate: 30,/rate: 30, slope: true,/' tiny.yaml >slope.yaml
run 0 train slope.yaml --from one.safetensors --quiet
[ "$(tests_of one.safetensors)" = "$tested" ] || fail "with inputs of the slope it does something else: $(cat out)"
run 0 train slope.yaml -o slope.safetensors --from one.safetensors --quiet
header slope.safetensors | grep -qF 'last pace\nground rise ahead\nground rise left"' || fail "no inputs of the slope"
cp slope.safetensors tiny.safetensors
run 2 train tiny.yaml --quiet
has err "tiny.safetensors: tensor 'mean' has the shape 159, wanted is 157"
rm tiny.safetensors
cp one.safetensors tiny.safetensors
run 0 train tiny.yaml --quiet
has out "  tiny.safetensors "

# A scene with the skill is recorded, and replays without the skill's files.
cat >scene.yaml <<'END'
purpose: A man runs by a skill.
duration: 1
world: {dt: 1/240}
characters:
  - {name: runner, body: bodies/human.yaml, animation: {move: clips/run.yaml}, intent: {speed: 3.5}, skill: tiny.yaml}
expect: [runner.assist_impulse == 0]
END
run 0 check scene.yaml
run 0 run scene.yaml --trace run.h5 --quiet
run 0 replay run.h5
has out "every step is the same"
mkdir away
mv tiny.* away
run 0 replay run.h5
has out "every step is the same"
run 2 check scene.yaml
has err "scene.yaml:5:109: tiny.yaml: there is no such file"
mv away/* .
# Another network, another run: the one that was recorded is its own.
cp seed.safetensors tiny.safetensors
run 0 replay run.h5
has out "every step is the same"
run 0 run scene.yaml --trace other.h5 --quiet
"$STAGGER" trace-compare run.h5 other.h5 >/dev/null 2>&1 && fail "another network runs the same"
cp one.safetensors tiny.safetensors

# refused PLACE TEXT: `stagger check bad_scene.yaml` fails with this place and text.
refused() {
  run 2 check bad_scene.yaml
  has err "$1: "
  has err "$2"
}
# scene EDIT PLACE TEXT: the scene with this edit is refused.
scene() {
  sed "$1" scene.yaml >bad_scene.yaml
  cmp -s scene.yaml bad_scene.yaml && fail "'$1' changes nothing"
  refused "$2" "$3"
}
scene 's/tiny.yaml/[tiny.yaml, tiny.yaml]/' bad_scene.yaml:5:121 "there is a skill for the clip 'run' already"
# With balance beside the skill it is good, and warned that balance does not run.
sed 's/tiny.yaml/tiny.yaml, balance: {enabled: true}/' scene.yaml >both.yaml
run 0 check both.yaml
has err "runner should walk at 3.5 m/s; a character that balances by itself walks at"
scene 's/run.yaml/walk.yaml/' bad_scene.yaml:5:110 "the skill 'tiny' is for the clip 'run', which the character never plays"
scene 's/human.yaml/human_scarf.yaml/' tiny.yaml:2:7 "the skill 'tiny' is for the body human, the character has human_scarf"
# described EDIT PLACE TEXT: the scene with a description with this edit is refused.
described() {
  sed "$1" tiny.yaml >bad.yaml
  cmp -s tiny.yaml bad.yaml && fail "'$1' changes nothing"
  sed 's/tiny.yaml/bad.yaml/' scene.yaml >bad_scene.yaml
  refused "$2" "$3"
}
described 's/^clip:/clop:/' bad.yaml:3:1 "unknown key 'clop', did you mean 'clip'?"
described 's/rate:/rat:/' bad.yaml:5:11 "unknown key 'rat' in control, did you mean 'rate'?"
described 's/rate: 30/rate: 3/' bad.yaml:5:17 "control.rate is 3, allowed are 5 to 240 Hz"
described '/^network/d' bad.yaml:1:1 "a skill needs a 'network'"
described 's/^control.*/control: 3/' bad.yaml:5:10 "'control' must be a map"
described 's/^name: tiny/name: "a b"/' bad.yaml:1:7 "'a b' cannot be a name"
described 's/tiny.safetensors/none.safetensors/' bad_scene.yaml:5:109 "none.safetensors: there is no such file"

# Networks that are none, cut short, or of another body.
sed 's/human.yaml/human_scarf.yaml/' field.yaml >scarf_field.yaml
sed 's/human.yaml/human_scarf.yaml/; s/field/scarf_field/' tiny.yaml >scarf.yaml
run 0 train scarf.yaml -o scarf.safetensors --minutes 1e-6 --quiet
sed 's/tiny.safetensors/network/' tiny.yaml >bad.yaml
sed 's/tiny.yaml/bad.yaml/' scene.yaml >bad_scene.yaml
cp field.yaml network
refused bad_scene.yaml:5:109 "network: no safetensors file"
: >network
refused bad_scene.yaml:5:109 "network: no safetensors file, it has 0 bytes only"
for size in 4 300 9000; do
  head -c $size one.safetensors >network
  refused bad_scene.yaml:5:109 "network: "
done
cp scarf.safetensors network
refused bad_scene.yaml:5:109 "tensor 'mean' has the shape 217, wanted is 157"
run 2 train tiny.yaml -o new.safetensors --from scarf.safetensors --quiet
has err "scarf.safetensors: tensor 'mean' has the shape 217, wanted is 157"
run 2 train tiny.yaml -o new.safetensors --from field.yaml --quiet
has err "field.yaml: no safetensors file"

# Trainings that cannot be done, before anything is written.
training() {
  sed "$1" tiny.yaml >bad.yaml
  cmp -s tiny.yaml bad.yaml && fail "'$1' changes nothing"
  run 2 train bad.yaml -o new.safetensors --curve new.csv --quiet
  has err "$2"
}
training '/^clip/d' "bad.yaml:1:1: a skill needs a 'clip'"
training '/^network/d' "bad.yaml:1:1: a skill needs a 'network'"
training "/^training/,\$d" "bad.yaml: a skill is trained by its 'training', which is missing"
training "/stages:/,\$d" "bad.yaml: 'training' needs 'stages'"
training '/^  scene/d' "bad.yaml:7:3: 'training' needs a 'scene'"
training 's/stages:/stages: []\n  stoges:/' "'stoges' in training, did you mean 'stages'?"
training 's/turning/turnin/' "bad.yaml:13:56: unknown key 'turnin', did you mean 'turning'?"
training 's/samples: 200/samples: 0/' "bad.yaml:12:30: stages.samples is 0, allowed are 1 to 1e+12"
training 's/epochs/epoch/' "unknown key 'epoch' in learner, did you mean 'epochs'?"
training 's/seed: 3/reward: {poze: 1}/' "bad.yaml:8:12: unknown key 'poze' in reward, did you mean 'pose'?"
training 's/minibatch: 64/minibatch: 640/' "bad.yaml: a minibatch of 640 samples is larger than the 8 x 16"
training 's/field.yaml/feld.yaml/' "bad.yaml:7:10: feld.yaml: there is no such file"
training 's/human.yaml/lizard.yaml/' "bad.yaml:2:7: the skill 'tiny' is for the body lizard, the character has human"
training 's/run.yaml/walk.yaml/' "the pupil runner does not play the skill's clip 'walk'"
sed 's/solver: reduced/solver: iterative/' field.yaml >drawn.yaml
training 's/field.yaml/drawn.yaml/' "bad.yaml:7:10: drawn.yaml: 'world.solver: iterative' gives other results in each training"
training 's/run.yaml/rum.yaml/' "bad.yaml:3:7: clips/rum.yaml: there is no such file"
sed 's/network: .*/network: absent.safetensors/' tiny.yaml >absent.yaml
run 2 train absent.yaml
has err "absent.safetensors: there is no such network to test; 'stagger train absent.yaml -o FILE' makes one"
run 2 train tiny.yaml -o new.safetensors --limit 3
has err "--limit belongs to the training of a planner, but tiny.yaml is not one"
run 2 train field.yaml -o new.yaml --from one.safetensors
has err "--from belongs to the training of a skill, but field.yaml is not one"
run 2 train tiny.yaml -o new.safetensors --minutes 0
has err "--minutes 0: allowed are numbers above 0"
run 2 train tiny.yaml -o new.safetensors --threads 0
has err "--threads 0: allowed are whole numbers from 1"
run 2 train tiny.yaml -o nowhere/new.safetensors
has err "nowhere/new.safetensors: cannot be written"
cp field.yaml kept.yaml
run 2 train tiny.yaml -o kept.yaml --quiet
has err "kept.yaml: exists and is not a skill of Stagger, so it is not replaced"
same_file field.yaml kept.yaml
absent new.safetensors
absent new.safetensors.checkpoint
absent new.csv

# A full disk.
run 3 train tiny.yaml -o new.safetensors --minutes 1e-6 --quiet --curve /dev/full
has err "/dev/full: cannot be written: No space left on device"
"$STAGGER" train tiny.yaml --quiet >/dev/full 2>err
[ $? -eq 3 ] || fail "a test on a full disk has not the exit status 3"

[ "$failed" -eq 0 ] || { echo "$failed checks failed"; exit 1; }
echo "all checks passed"
