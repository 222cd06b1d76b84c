#!/bin/bash
# The stagger command as users run it: help, exit statuses, what is written and what is not, interruption.
# Usage: STAGGER=program SOURCE=source-folder cli.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

commands="run sweep threshold optimise sensitivity report export body check inspect list reference compare replay"

# Help and version.
run 0 --help
for command in $commands; do has out "  $command "; done
has out "example: "
run 0 --version
grep -qE '^stagger [0-9]+\.[0-9]+\.[0-9]+$' out || fail "version: $(cat out)"
for command in $commands; do
  run 0 "$command" --help
  has out "usage: stagger $command"
  has out "example: stagger $command"
  is err ""
  run 2 "$command" --nonsense
  is out ""
  has err "stagger $command: there is no option '--nonsense' [option_unknown]"
  has err "see 'stagger $command --help'"
done

# Bad usage.
run 2
is err "stagger: a command is missing
see 'stagger --help'"
run 2 rnu
is err "stagger: there is no command 'rnu', did you mean 'run'?
see 'stagger --help'"
run 2 run
is err "stagger run: the scene is missing
see 'stagger run --help'"
run 2 run a.yaml b.yaml
is err "stagger run: more than one scene: b.yaml
see 'stagger run --help'"
run 2 run stand.yaml --seed abc
is err "--seed abc: seed is abc, allowed are whole numbers from 0 to 2147483647"
run 2 run stand.yaml --duration 1e99
is err "--duration 1e99: duration is 1e99, allowed are 0.001 to 360000 s"
run 2 compare one.h5
run 2 list more

# The table in README.md is what the run prints. (The sanitized build would take long.)
if ! grep -q "STAGGER_SANITIZE:BOOL=ON" "$(dirname "$STAGGER")/CMakeCache.txt" 2>/dev/null; then
  run 0 run "$SOURCE/scenes/hit_run.yaml"
  sed -n '/^`stagger run scenes\/hit_run.yaml` ends/,/^## Scenes/p' "$SOURCE/README.md" | sed -n '/^```$/,/^```$/p' |
    grep -v '^```$\|(excerpt)\|^$' >table
  [ "$(wc -l <table)" -gt 15 ] || fail "there is no table in README.md"
  while IFS= read -r line; do has out "$line"; done <table
fi

# Each key that inspect tells of a scene is one that --set takes, and its value the present one.
for scene in hit_props hit_run stand_push terrain_random lizard; do
  run 0 inspect $scene --keys
  split -l 60 out keys_
  for part in keys_*; do
    sets=()
    while IFS= read -r line; do sets+=(--set "${line%%  \# *}"); done <"$part"
    run 0 check $scene "${sets[@]}"
  done
  rm keys_*
done
run 0 inspect hit_props --keys
has out 'world.friction=0.9  # 0 to 10: Coulomb friction of all contacts.'
run 2 inspect bodies/human.yaml --keys

# List, reference, check, inspect.
run 0 list
has out "stand.yaml"
has out "$(sed -n 's/^purpose: //p' "$STAGGER_SCENES/stand.yaml")"
# A line for each scene, those of laboratories and, after them, each study: its name, and its purpose from column 26 on;
# then bodies, clips, graphs, planners and skills with the first line of their comments.
(cd "$STAGGER_SCENES" && for file in *.yaml laboratory/*.yaml studies/*.yaml; do
  printf '%-24s %s\n' "$file" "$(sed -n 's/^purpose: //p' "$file")"
done
for file in bodies/*.yaml clips/*.yaml graphs/*.yaml planners/*.yaml skills/*.yaml; do
  printf '%-24s %s\n' "$file" "$(sed -n '1s/^# *//p' "$file")"
done) >listed
is out "$(cat listed)"
has out "studies/hit_stand.yaml   How hard may a standing man be struck"
run 0 inspect studies/hit_stand.yaml
has out "1600 trials"
mkdir few
printf 'characters: []\n' >few/a.yaml
STAGGER_SCENES=$PWD/few run 0 list
is out "$(printf '%-24s ' a.yaml)"
mkdir few/studies
printf 'purpose: [\n' >few/studies/broken.yaml
printf 'purpose: What?\naxes: {}\n' >few/studies/s.yaml
STAGGER_SCENES=$PWD/few run 0 list
has out "studies/s.yaml           What?"
has out "studies/broken.yaml      (studies/broken.yaml:2"
rm -r few listed
run 0 reference
# Under each heading all of its tables: a setting of each, and a key that is none.
awk '/^##/ { heading = $0 } /^\|/ && $2 != "key" { $1 = heading ":"; print }' out >rows
while IFS= read -r row; do has rows "$row"; done <<'END'
## Scene: `seed`
## world: `friction`
## terrain: `amplitude`
## trace: `states`
## protocol: `onset`
## world.solver: unknowns
## characters: `body`
## characters.NAME.body: `height`
## characters.NAME.start: `heading`
## characters.NAME.actual: `mass`
## characters.NAME.root: `leash`
## characters.NAME.intent: `speed`
## characters.NAME.drive: `strength`
## characters.NAME.assist: `torque`
## characters.NAME.balance: `trigger`
## characters.NAME.fall: `reach`
## characters.NAME.hit_reaction: `falloff`
## characters.NAME.hit_reaction: `mask`
## characters.NAME.responses: `startle`
## characters.NAME.layers: `weight`
## characters.NAME.layers: `kind`
## layers: look_at: `target`
## layers: look_at: `chain`
## layers: foot_placement: `up`
## events: `impulse`
## events: `point`
## cameras: `fov`
## targets: `center`
## targets: `path`
## platforms: `turn`
## platforms: `tilts`
## props: `mass`
## props: `anchor`
## Planner files: sense: `radius`
## Planner files: limits: `fastest`
## Planner files: training: `decisions`
## Planner files: field: `goal`
## Body files: parts: `mass`
## Body files: parts: `foot`
## Body files: joint of a part: `kind`
## Study files: `repeats`
## Study files: `axes`
## Study files: axes.KEY: `name`
## Study files: axes.KEY.random: `distribution`
## Study files: an item of traces: `repeats`
## Study files: threshold: `axis`
## Study files: threshold: `withstood`
## Study files: compare: `margin`
## Study files: sensitivity: `trajectories`
## Study files: optimise: `generations`
## Study files: optimise: `cost`
## Study files: optimise.parameters.KEY: `low`
## Study files: an item of optimise.cost: `missing`
## Skill files: `network`
## Skill files: control: `rate`
## Skill files: training: `scene`
## Skill files: training: `stages`
## Skill files: an item of training.stages: `deviation`
## Skill files: training.reward: `pose`
## Skill files: training.learner: `horizon`
## Metrics: `recovery_time` | s |
### recovery_strategy: `hip`
### Datasets: `/time` | float64 | [T] |
### Datasets: `/characters/NAME/parts/linear_velocity` | float64 | [T, parts, 3] | m/s |
### Datasets: `/characters/NAME/joints/error` | float32 | [T, joints] | rad |
### Datasets: `/characters/NAME/state` | int32 | [T] |
### Datasets: `/contacts/first` | int32 | [T] |
### Datasets: `/contacts/count` | int32 | [T] |
### Datasets: `/contacts/part` | int32 | [contacts] |
### Datasets: `/step_hash` | uint64 | [steps] |
### Datasets: `/objects/NAME/position` | float64 | [T, 3] | m |
### Datasets: `/states/size` | uint64 | [states] | byte |
### Datasets: `/states/words` | uint64 | [words] |
### Datasets: `/hits/time` | float64 | [hits] | s |
### Datasets: `/events` | record | [events] |
### Datasets: `/files/...` | uint8 | [bytes] |
### Attributes: / | `format` | text |
### Attributes: /characters/NAME/joints/* | `limit` | float64 x joints | N m |
### Fields of /events: /events | `impulse` | float32 x 3 | N s |
### Datasets of layers: `/characters/NAME/layers/weight` | float32 | [T, layers] |
### Datasets of layers: `/characters/NAME/layers/look_at/yaw` | float32 | [T, rows] | rad |
END
for key in mask anchor leash; do
  [ "$(grep -c ": \`$key\` " rows)" -eq 1 ] || fail "reference: '$key' is under several headings: $(grep "\`$key\`" rows)"
done
for text in "## Traces" "### Balances" "### Reading"; do has out "$text"; done
grep -qE '\| *\|$' out && fail "reference: a row without meaning: $(grep -E '\| *\|$' out | head -1)"
run 0 reference Reflex_D
has out "## characters.NAME.drive"
has out "| \`reflex_delay\` |"
grep -q '^| `' out && ! grep '^| `' out | grep -qvi reflex_d || fail "reference: other rows than those asked for: $(cat out)"
run 2 reference nosuchrow
has err "no row of a table contains 'nosuchrow'"
# Paths as --set and --keys have them, or their ends.
for path in balance.delay characters.woman.balance.delay body.height events.0.impulse world.dt; do
  run 0 reference "$path"
  has out "| \`${path##*.}\` |"
done
run 2 reference balance.nosuchkey
run 2 reference nce.delay
run 0 inspect walk_pus
has out "walk_push.yaml: scene"
run 2 inspect clips/wal
has err "there is no such file; "
has err "clips/walk.yaml"
run 2 run hit_rnu.yaml
has err "did you mean 'hit_run.yaml'?"
run 2 run nosuch.yaml
grep -q "did you mean" err && fail "a scene that is like no other: $(cat err)"
run 2 run hit_run --set runner.drive.strength=0.5
has err "unknown key 'runner', did you mean 'characters.runner'?"
run 0 check stand.yaml limp.yaml
has out "stand.yaml: good"
has out "limp.yaml: good"
run 0 check stand limp
is err ""
has out "limp: good"
cat >odd.yaml <<'END'
duration: 1
terrain: {pitch: 3}
characters: [{name: doll, body: legless.yaml}]
events:
  - {time: 1, impulse: 1}
  - {kind: push, part: base, time: 0.95, impulse: 1, duration: 0.1, point: [0.2, 0, 0.2]}
END
cat >legless.yaml <<'END'
name: legless
parts:
  - {name: base, mass: 4, com: [0, 1, 0], inertia: [0.05, 0.05, 0.05], joint: {kind: root, position: [0, 1, 0]},
     foot: true, shapes: [{box: [0.2, 0.4, 0.2], center: [0, 1, 0]}]}
  - {name: neck, parent: base, mass: 1, com: [0, 1.3, 0], inertia: [0.01, 0.01, 0.01], shapes: [{sphere: 0.1, center: [0, 1.3, 0]}],
     joint: {kind: hinge, position: [0, 1.2, 0], twist_axis: x, x: [-10, 10], strength: 10, stiffness: 200, damping: 5}}
  - {name: tip, parent: neck, mass: 1, com: [0, 1.5, 0], inertia: [0.01, 0.01, 0.01], shapes: [{sphere: 0.1, center: [0, 1.5, 0]}],
     joint: {kind: hinge, position: [0, 1.4, 0], twist_axis: x, x: [-10, 10], strength: 10, stiffness: 200, damping: 5}, foot: true}
END
# A base that may bear weight is no leg that was forgotten, the end of a chain may be one.
warnings="legless.yaml: warning: tip is a foot, but the body has no legs: it is not placed on the ground
odd.yaml: warning: terrain.pitch does nothing: terrain of kind flat does not read it
odd.yaml: warning: events.0 never happens: it begins at 1 s, the run ends at 1 s
odd.yaml: warning: events.1: its point is 0.14 m outside of base
odd.yaml: warning: events.1 is cut off: it may last until 1.05 s, the run ends at 1 s"
run 0 check odd.yaml
is out "odd.yaml: good"
is err "$warnings"
run 0 run odd
is err "$warnings"
rm -f odd.yaml legless.yaml
# Mass ratios are reported where they matter.
run 0 inspect bodies/human.yaml
has out "iterative solver"
run 0 run stand --duration 0.1 --set world.solver=iterative --set expect=[]
has err "bodies/human.yaml: warning: "
has err "iterative solver"
long=$(printf 'long%.0s' {1..50})
mkdir -p "$long/$long/$long"
cp "$STAGGER_SCENES/limp.yaml" "$long/$long/$long/"
run 2 check "$long/$long/$long/limp.yaml"
has err "the path is 612 bytes long, at most 511 are allowed"
rm -rf "$long"
printf 'characters: []\n' >empty.yaml
run 2 check stand.yaml empty.yaml limp.yaml
has out "limp.yaml: good"
is err "empty.yaml:1:13: 0 characters, allowed are 1 to 256"
run 0 inspect stand.yaml
has out "stand.yaml: scene"
has out "2400 steps of 0.00416667 s"
run 0 inspect bodies/human.yaml
has out "bodies/human.yaml: body human"
has out "forearm_r"
cat >all.yaml <<END
duration: 9
targets: [{name: fly, radius: 2, path: [[0, 0, 0, 0], [3, 1, 0, 0]]}]
platforms: [{name: disc, center: [4, 0.1, 0], turn: 30}]
characters:
  - name: lizard
    body: $STAGGER_SCENES/bodies/lizard.yaml
    layers:
      - {kind: stepper, scale: 0.1}
      - {kind: trailing, name: tail, chain: {from: tail_1, to: tail_6}, fade: 1}
      - {kind: look_at, chain: [neck, head], target: fly}
    script: [{time: 1, speed: 0.5}, {time: 2, event: shake, layers: {tail: 0}}]
events:
  - {kind: push, part: head, time: 3, direction: [0, 90], impulse: 4}
  - {part: [neck, tail_1], time: 4, impulse: 1, point: [0, 0.01, 0]}
  - {part: any, time: 5, impulse: 1}
END
run 0 inspect all.yaml
has out '  events.0 on head, kind = push, character = "lizard", time = 3 s, direction = [0, 90] deg, impulse = 4 N s'
has out "  events.1 on neck, tail_1, character"
has out ", impulse = 1 N s, point [0, 0.01, 0]"
has out "  events.2 on any part, character"
has out "    layer stepper: stepper of front_left, front_right, hind_left, hind_right, scale = 0.1 m"
has out "    layer tail: trailing of tail_1 ... tail_6, fade = 1 s"
has out "    layer look_at: look_at of head, target = \"fly\""
has out "    from 1 s, speed = 0.5 m/s"
has out "    from 2 s, event shake, layer tail to 0"
has out "  target fly, radius = 2 m, path of 2 keys from 0 to 3 s"
has out "  platform disc, center = [4, 0.1, 0] m, turn = 30 deg/s"
# A layer without a name is found by its kind.
run 0 check all.yaml
printf 'scene: all.yaml\naxes: {characters.lizard.layers.stepper.scale: [0.05, 0.1]}\n' >steps.yaml
run 0 check steps.yaml
run 2 run all.yaml --set characters.lizard.layers.steper.scale=0.1
has err "no item 'steper' in the list, did you mean 'stepper'?"
rm -f all.yaml steps.yaml
# Stagger's files that are no scenes are named in the error.
run 2 check bodies/human.yaml clips/walk.yaml graphs/human.yaml
has err "this is a body, not a scene, which has 'characters': 'stagger inspect' reads it"
has err "this is a clip, not a scene, which has 'characters': 'stagger inspect' reads it"
has err "this is a graph, not a scene, which has 'characters': a scene that plays it checks it"
run 2 inspect graphs/human.yaml
has err "this is a graph, not a scene, which has 'characters': a scene that plays it checks it"
run 2 inspect nowhere.yaml
printf 'colour: red\n' >other.yaml
run 2 inspect other.yaml
is err "other.yaml: is not a scene (characters), a study (axes), a body (parts), a clip (joints), a skill (network) or a trace (HDF5)"
printf 'not a trace' >junk.h5
run 2 inspect junk.h5
is err "junk.h5: not an HDF5 file, a trace of Stagger is wanted"
run 2 compare junk.h5 junk.h5
run 2 replay junk.h5
rm -f junk.h5 other.yaml empty.yaml

# A run: nothing on stderr in a pipe, nothing on stdout when quiet, a trace, metrics.
run 0 run limp.yaml --trace a.h5 --metrics a.json
is err ""
has out "PASS  doll.fell == 1"
has out "complete, 3.000 s simulated, seed 1"
has a.json '"fell":'
has a.json '"ok":	true'
[ "$(tail -n 1 a.json)" = "}" ] && [ -z "$(tail -c 1 a.json)" ] || fail "the last line of the JSON has no end"
run 0 run limp.yaml --trace b.h5 --quiet
is out ""
is err ""
run 0 run limp.yaml --metrics -
[ "$(head -c 1 out)" = "{" ] || fail "--metrics - writes more than JSON"
if command -v python3 >/dev/null; then
  python3 -c 'import json
m = json.load(open("out"))
doll = m["characters"]["doll"]
assert m["scene"] == "limp" and m["ok"] is True and m["status"] == "complete" and m["hits"] == []
assert m["expect"][0]["ok"] is True and m["realtime_factor"] > 0
assert doll["fell"] == 1 and doll["recovery_time"] is None and "realtime_factor" not in doll' ||
    fail "the JSON is not as documented"
fi
run 0 inspect a.h5
has out "a.h5: trace"
has out "  doll: falls "
has out "complete"
has out "/characters/doll/parts/angular_velocity"
has out "/files/bodies/human.yaml"

# Overrides reach the trace; two runs are the same, another start is not.
run 0 compare a.h5 b.h5
run 0 run limp.yaml --set characters.doll.start.heading=10 --quiet --trace b.h5
run 1 compare a.h5 b.h5
has out "first difference"
run 2 compare a.h5 nowhere.h5
run 0 replay b.h5
has out "720 of 720 steps, 3.000 s: every step is the same"
run 0 run stand.yaml --seed 5 --duration 0.5 --metrics - --quiet
has out '"seed":	5'
has out '"duration":	0.5'

# Exit status 1: an expectation does not hold.
cat >unexpected.yaml <<'END'
duration: 0.1
characters: [{name: doll, body: bodies/human.yaml}]
expect: [doll.fell == 1, distance < 1, recovery_time < 1]
END
run 1 run unexpected.yaml --metrics bad.json
has out "FAIL  doll.fell == 1"
has out "PASS  distance < 1"
has out "does not apply to this run"
has bad.json '"ok":	false'
run 1 run unexpected.yaml --quiet
is out ""
has err "FAIL  doll.fell == 1"
[ "$(wc -l <err)" -eq 2 ] || fail "--quiet tells more than what failed: $(cat err)"

# A value has as many digits as it takes to see why.
run 1 run unexpected.yaml --quiet --duration 0.3334 --set 'expect=[doll.duration <= 0.333333, doll.duration < 0.3]'
grep -qE '^  FAIL  doll.duration <= 0.333333 +is 0.3333333$' err || fail "why it fails is not seen: $(cat err)"
grep -qE '^  FAIL  doll.duration < 0.3 +is 0.333333$' err || fail "more digits than it takes: $(cat err)"

# The table: groups in order, no metric that does not apply, truth values and small lengths in readable form.
run 0 run stand.yaml --duration 0.5
is err ""
groups=$(grep -E '^ [A-Z]' out | tr '\n' ';')
[ "$groups" = " Run; Head; Hits; Pose; Assist; Joints and energy; Balance; Feet; Output;" ] || fail "groups: $groups"
grep -qE '^  fell +no$' out || fail "fell: $(grep fell out)"
grep -qE '^  foot_penetration_max +[0-9]+\.[0-9]  mm$' out || fail "not in mm: $(grep penetration out)"
grep -q time_to_get_up out && fail "the table has metrics that do not apply"

# Scenes from a pipe or standard input, which are read more than once; their files are found from the working folder.
run 0 check <(cat "$SOURCE/scenes/stand.yaml")
has out ": good"
run 0 check <(cat "$SOURCE/scenes/studies/hit_stand.yaml")
run 0 inspect <(cat "$SOURCE/scenes/stand.yaml")
has out ": scene"
run 0 run /dev/stdin --duration 0.1 --set expect=[] --quiet --metrics - <"$SOURCE/scenes/stand.yaml"
mv out piped.json
cat "$SOURCE/scenes/stand.yaml" | run 0 run /dev/stdin --duration 0.1 --set expect=[] --quiet --metrics -
sed 's/realtime_factor.*//' out >one.json
sed 's/realtime_factor.*//' piped.json | cmp -s - one.json || fail "a piped scene runs otherwise than a file"
cp "$SOURCE/scenes/bodies/human.yaml" own_body.yaml
run 0 check <(sed 's,bodies/human.yaml,own_body.yaml,' "$SOURCE/scenes/stand.yaml")

run 2 check a.h5
is err "a.h5: is a trace, not a scene: 'stagger inspect a.h5' describes it"

# A text with a zero byte is not read as if it ended there.
printf 'purpose: x\ncharacters:\n- {name: a, body: bodies/human.yaml}\n\0seed: kaputt\n' >zero.yaml
run 2 check zero.yaml
is err "zero.yaml:4:1: a zero byte: allowed is text in UTF-8"
run 2 run zero.yaml --trace c.h5
is err "zero.yaml:4:1: a zero byte: allowed is text in UTF-8"
absent c.h5
printf '\357\273\277' | cat - "$SOURCE/scenes/stand.yaml" >marked.yaml
run 0 check marked.yaml
run 0 run marked.yaml --duration 0.1 --set expect=[] --quiet --trace marked.h5
run 0 replay marked.h5

# Exit status 2: nothing is written, and nothing is lost.
printf 'characters: [\n' >broken.yaml
run 2 run broken.yaml --trace c.h5 --metrics c.json
absent c.h5
absent c.json
cp a.h5 kept.h5
run 2 run broken.yaml --trace kept.h5
cmp -s a.h5 kept.h5 || fail "a bad scene changed an older trace"
run 2 run limp.yaml --trace unexpected.yaml
is err "unexpected.yaml: exists and is not a trace, so it is not replaced"
has unexpected.yaml "characters:"
cp unexpected.yaml kept.yaml
run 2 run limp.yaml --metrics unexpected.yaml --trace c.h5
is err "unexpected.yaml: exists and is not a run's metrics, so it is not replaced"
cmp -s kept.yaml unexpected.yaml || fail "--metrics changed a scene"
absent c.h5
run 2 run limp.yaml --metrics a.h5
is err "a.h5: exists and is not a run's metrics, so it is not replaced"
cmp -s a.h5 kept.h5 || fail "--metrics changed a trace"
run 2 run limp.yaml --trace -
absent ./-
# Files of other programs in the formats that are written here, and two results in one file.
echo '{"asset": {"version": "2.0"}, "scene": 0}' >figure.gltf
cp figure.gltf kept.gltf
run 2 run limp.yaml --metrics figure.gltf
is err "figure.gltf: exists and is not a run's metrics, so it is not replaced"
cmp -s figure.gltf kept.gltf || fail "--metrics changed a figure"
run 2 run limp.yaml --trace c.h5 --propagation c.h5
is err "--trace and --propagation name the same file: c.h5"
run 2 run limp.yaml --metrics c.json --propagation ./c.json
is err "--metrics and --propagation name the same file: c.json"
absent c.h5
absent c.json
run 2 run limp.yaml --metrics nowhere/c.json --trace c.h5
absent c.h5
run 2 run limp.yaml --metrics c.json --trace nowhere/c.h5
absent c.json
[ -z "$(ls c.json* 2>/dev/null)" ] || fail "a temporary file is left: $(ls c.json*)"

# Exit status 3, of every command: a result that could not be written, as on a full disk.
run 3 run stand.yaml --duration 0.1 --set expect=[] --quiet --metrics /dev/full
is err "/dev/full: cannot be written: No space left on device"
run 3 run hit_stand --duration 0.1 --set expect=[] --quiet --propagation /dev/full
has err "/dev/full: cannot be written: No space left on device"
run 3 report a.h5 --no-pictures -o /dev/full
is err "/dev/full: cannot be written: No space left on device"
for format in csv glb bvh sto mot trc c3d npz mcap; do
  run 3 export a.h5 --to $format -o /dev/full
  is err "/dev/full: cannot be written: No space left on device"
done

# Only regular files are replaced: pipes are written as they are, links stay links.
mkfifo pipe
cat pipe >piped &
run 0 run stand.yaml --duration 0.5 --metrics pipe --quiet
wait
[ -p pipe ] || fail "--metrics replaced a pipe"
has piped '"scene":	"stand"'
run 2 run stand.yaml --trace pipe
is err "pipe: exists and is not a trace, so it is not replaced"
[ -p pipe ] || fail "--trace replaced a pipe"
echo '{"realtime_factor": 1}' >target.json
ln -s target.json link.json
run 0 run stand.yaml --duration 0.5 --metrics link.json --quiet
[ -L link.json ] || fail "--metrics replaced a link"
has target.json '"scene":	"stand"'

# Exit status 3: a runaway stops; the trace up to there is kept and says so.
run 3 run limp.yaml --set world.max_speed=2 --trace d.h5 --metrics d.json
has err "stopped: "
has d.json '"status":	"stopped: '
has d.json '"ok":	false'
run 3 run limp.yaml --set world.max_speed=2 --set 'expect=[recovery_time < 1]'
has out "not reached: the run was stopped"
run 3 run hit_run --set world.max_speed=1 --trace none.h5
run 1 replay none.h5
is out "no step was recorded"
run 0 inspect d.h5
has out "stopped: "

# Exit status 3: standard output cannot be written.
for command in "run stand.yaml --duration 0.1" "run stand.yaml --duration 0.1 --metrics -" list reference \
  "check stand.yaml" "inspect stand.yaml" "compare a.h5 a.h5" --help; do
  # shellcheck disable=SC2086 # words
  "$STAGGER" $command >/dev/full 2>err
  status=$?
  [ "$status" -eq 3 ] || fail "$command on a full disk: exit status $status, not 3"
  is err "stagger: standard output cannot be written: No space left on device"
done

# Interruption: the trace is closed properly and replays.
for signal in INT TERM; do
  rm -f e.h5
  "$STAGGER" run stand.yaml --duration 36000 --trace e.h5 --metrics e.json >out 2>err &
  process=$!
  wait_for_frames e.h5
  kill -"$signal" "$process"
  wait "$process"
  status=$?
  [ "$status" -eq 130 ] || fail "SIG$signal: exit status $status, not 130: $(head -3 err)"
  run 0 inspect e.h5
  has out "interrupted"
  has e.json '"status":	"interrupted"'
done
run 0 replay e.h5

# A killed run leaves a trace that opens up to the last flush.
"$STAGGER" run stand.yaml --duration 36000 --trace f.h5 --metrics f.json >/dev/null 2>&1 &
process=$!
wait_for_frames f.h5 60
# Meanwhile no other process writes it, but it can be read.
run 2 run stand.yaml --trace f.h5 --quiet
is err "f.h5: another run is writing it"
run 0 inspect f.h5
kill -9 "$process"
wait "$process" 2>/dev/null
run 0 inspect f.h5
has out "running"
frames=$(sed -n 's/^ *frames *\([0-9]*\),.*/\1/p' out)
[ "${frames:-0}" -gt 60 ] || fail "a killed run has ${frames:-no} frames"
run 0 replay f.h5
[ -z "$(ls f.json* 2>/dev/null)" ] || fail "a killed run leaves $(ls f.json*)"

[ "$failed" -eq 0 ] && echo "the command line behaves"
[ "$failed" -eq 0 ]
