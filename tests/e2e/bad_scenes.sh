#!/bin/bash
# Bad scenes: each kind gets its exact message and a code that is explained, exit status 2, and nothing is written.
# Usage: STAGGER=program SOURCE=source-folder bad_scenes.sh
set -u
[ -x "${STAGGER:-}" ] || { echo "set STAGGER to the program"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export STAGGER_SCENES="$SOURCE/scenes"
count=0
failed=0

known=" $("$STAGGER" run --explain all | sed -n 's/^## //p' | tr '\n' ' ')"

# Takes the code away from each line of a message, and fails unless each has one that run --explain knows.
without_codes() {
  local line code
  while IFS= read -r line; do
    code=$(sed -n 's/.* \[\([a-z_]*\)\]$/\1/p' <<<"$line")
    [[ -n "$code" && "$known" == *" $code "* ]] || echo "no known code: $line"
    echo "${line% \[*\]}"
  done
}

# bad NAME MESSAGE [ARGUMENT...] <SCENE: runs the scene with further arguments.
bad() {
  local name=$1 wanted=$2 output status
  shift 2
  cat >scene.yaml
  output=$("$STAGGER" run scene.yaml --trace trace.h5 --metrics metrics.json "$@" 2>&1)
  status=$?
  output=$(without_codes <<<"$output")
  count=$((count + 1))
  if [ "$status" -ne 2 ] || [ "$output" != "$wanted" ]; then
    printf 'FAIL %s\n  wanted (2): %s\n  got (%d):    %s\n' "$name" "$wanted" "$status" "$output"
    failed=$((failed + 1))
  fi
  # Only the scene and the files of the tests exist.
  if [ "$(ls | tr '\n' ' ')" != "$files" ]; then
    printf 'FAIL %s\n  wrote something: %s\n' "$name" "$(ls | tr '\n' ' ')"
    failed=$((failed + 1))
    rm -f trace.h5 metrics.json*
  fi
}

cat >body.yaml <<'END'
name: stick
parts:
  - {name: base, mass: 4, com: [0, 1, 0], inertia: [0.05, 0.05, 0.05], joint: {kind: root, position: [0, 1, 0]},
     shapes: [{box: [0.2, 0.4, 0.2], center: [0, 1, 0]}]}
END
cat >heavy.yaml <<'END'
name: heavy
parts:
  - {name: base, mass: -4, com: [0, 1, 0], inertia: [0.05, 0.05, 0.05], joint: {kind: root, position: [0, 1, 0]},
     shapes: [{box: [0.2, 0.4, 0.2], center: [0, 1, 0]}]}
END
printf 'name: nod\nloop: true\nduration: -1\nroot_position: [[0, 1, 0]]\njoints: {}\n' >nod.yaml
files="body.yaml heavy.yaml nod.yaml scene.yaml "
one='characters: [{name: a, body: body.yaml}]'

# The file as a whole.
bad empty "scene.yaml:1:1: the file is empty, expected keys and values (key: value)" </dev/null
bad no_yaml \
  "scene.yaml:2:9: not valid YAML: did not find expected ',' or ']' while parsing a flow sequence" <<'END'
characters: [1, 2
duration: 3
END
bad tab "scene.yaml:2:1: a tab cannot indent, use spaces" <<END
world:
	dt: 0.01
END
bad colon \
  "scene.yaml:1:14: not valid YAML: mapping values are not allowed in this context, quote a text that contains ': '" <<END
purpose: walk: on and on
$one
END
bad no_map "scene.yaml:1:1: expected keys and values (key: value)" <<'END'
- 1
- 2
END
bad duplicate_key "scene.yaml:2:1: key 'duration' appears twice, first in line 1" <<END
duration: 1
duration: 2
$one
END
bad anchor "scene.yaml:1:8: anchors (&), aliases (*) and tags (!) are not allowed" <<'END'
world: &w {dt: 0.01}
END
bad unknown_key "scene.yaml:1:1: unknown key 'duratoin', did you mean 'duration'?" <<END
duratoin: 1
$one
END

# Values.
bad no_number "scene.yaml:1:11: duration is long, allowed are 0.001 to 360000 s" <<END
duration: long
$one
END
bad out_of_range "scene.yaml:1:11: duration is 0, allowed are 0.001 to 360000 s" <<END
duration: 0
$one
END
bad no_whole_number "scene.yaml:1:7: seed is 1.5, allowed are whole numbers from 0 to 2147483647" <<END
seed: 1.5
$one
END
bad unknown_world_key "scene.yaml:1:9: unknown key 'gravty' in world, did you mean 'gravity'?" <<END
world: {gravty: [0, -9.81, 0]}
$one
END
bad unknown_choice "scene.yaml:2:11: world.solver is fast, allowed are step, iterative, reduced" <<END
world:
  solver: fast
$one
END
bad short_vector \
  "scene.yaml:1:18: world.gravity is [0, -9.81], allowed are [x, y, z], each from -100 to 100 m/s^2" <<END
world: {gravity: [0, -9.81]}
$one
END
bad no_section "scene.yaml:1:10: 'terrain' must be a map of keys and values" <<END
terrain: flat
$one
END
bad rate \
  "scene.yaml:1:15: trace.rate: 500 Hz is faster than the steps of 0.00416667 s; largest is 240" <<END
trace: {rate: 500}
$one
END
bad no_image "scene.yaml:1:31: hills.png: there is no such file in . or $STAGGER_SCENES" <<END
terrain: {kind: image, image: hills.png}
$one
END

# Characters.
bad no_characters "scene.yaml:1:1: 'characters' is missing: a list with at least one character" <<'END'
duration: 1
END
bad empty_characters "scene.yaml:1:13: 0 characters, allowed are 1 to 256" <<'END'
characters: []
END
bad no_name "scene.yaml:2:5: a character needs a 'name'" <<'END'
characters:
  - body: body.yaml
END
bad no_body "scene.yaml:2:5: a character needs a 'body'" <<'END'
characters:
  - name: a
END
bad bad_name "scene.yaml:1:21: 'a.b' cannot be a name: a letter, then letters, digits, '_' or '-'" <<'END'
characters: [{name: a.b, body: body.yaml}]
END
bad same_name "scene.yaml:3:12: there is a character 'a' already" <<'END'
characters:
  - {name: a, body: body.yaml}
  - {name: a, body: body.yaml}
END
bad no_body_file \
  "scene.yaml:2:21: bdy.yaml: there is no such file in . or $STAGGER_SCENES; did you mean 'body.yaml'?" <<'END'
characters:
  - {name: a, body: bdy.yaml}
END
bad bad_body "heavy.yaml:3:24: part.mass is -4, allowed are 0.001 to 1000 kg" <<'END'
characters: [{name: a, body: heavy.yaml}]
END
bad no_clip_file \
  "scene.yaml:2:50: nodd.yaml: there is no such file in . or $STAGGER_SCENES; did you mean 'nod.yaml'?" <<'END'
characters:
  - {name: a, body: body.yaml, animation: {move: nodd.yaml}}
END
bad bad_clip "nod.yaml:3:11: the duration must be above 0 and at most 1e+06 s, not -1" <<'END'
characters:
  - {name: a, body: body.yaml, animation: {move: nod.yaml}}
END
bad stagger_alone "scene.yaml:2:53: 'stagger' varies 'move', which is missing" <<'END'
characters:
  - {name: a, body: body.yaml, animation: {stagger: {left: nod.yaml}}}
END
bad unknown_drive_key "scene.yaml:2:40: unknown key 'stifness' in drive, did you mean 'stiffness'?" <<'END'
characters:
  - {name: a, body: body.yaml, drive: {stifness: 2}}
END
bad assist_part "scene.yaml:2:40: there is no part 'pelvis' in body 'stick', allowed are base" <<'END'
characters:
  - {name: a, body: body.yaml, assist: {enabled: true}}
END
bad assist_part_typo "scene.yaml:2:62: there is no part 'bsae' in body 'stick', did you mean 'base'?" <<'END'
characters:
  - {name: a, body: body.yaml, assist: {enabled: true, part: bsae}}
END
bad curve "scene.yaml:2:64: x of the curve must increase from key to key, but 0 follows 1" <<'END'
characters:
  - {name: a, body: body.yaml, hit_reaction: {blend: [[1, 0], [0, 1]]}}
END
bad curve_value "scene.yaml:2:67: y of the curve is 2, allowed are 0 to 1" <<'END'
characters:
  - {name: a, body: body.yaml, hit_reaction: {blend: [[0, 0], [1, 2]]}}
END

# Events.
bad no_time "scene.yaml:2:10: 'time' is missing: an event has a 'time', or 'every' for a random list" <<END
$one
events: [{impulse: 1}]
END
bad two_times "scene.yaml:3:6: an event has a 'time', or 'every' for a random list, not both" <<END
$one
events:
  - {time: 1, every: 2, impulse: 1}
END
bad list_key_alone "scene.yaml:2:20: 'until' belongs to a random list: it needs 'every'" <<END
$one
events: [{time: 1, until: 2, impulse: 1}]
END
bad until_before_from "scene.yaml:2:37: 2 s is before 'from', 3 s" <<END
$one
events: [{every: 1, from: 3, until: 2, impulse: 1}]
END
bad no_impulse "scene.yaml:2:10: 'impulse' is missing: the size of the event in N s" <<END
$one
events: [{time: 1}]
END
bad unknown_kind "scene.yaml:2:17: events.kind is grenade, allowed are impulse, push, projectile, release, pull" <<END
$one
events: [{kind: grenade, time: 1, impulse: 1}]
END
bad unknown_part "scene.yaml:2:38: there is no part 'bass' in body 'stick', did you mean 'base'?" <<END
$one
events: [{time: 1, impulse: 1, part: bass}]
END
bad part_twice "scene.yaml:2:45: part 'base' is named twice" <<END
$one
events: [{time: 1, impulse: 1, part: [base, base]}]
END
bad unknown_character "scene.yaml:2:43: there is no character 'b', allowed are a" <<END
$one
events: [{time: 1, impulse: 1, character: b}]
END
bad which_character "scene.yaml:2:10: 'character' is missing: with several characters, say who is struck" <<'END'
characters: [{name: a, body: body.yaml}, {name: b, body: body.yaml}]
events: [{time: 1, impulse: 1}]
END
bad reversed_range "scene.yaml:2:29: events.impulse is [3, 2], but low must not be above high" <<END
$one
events: [{time: 1, impulse: [3, 2]}]
END
bad bullet_duration \
  "scene.yaml:2:32: 'duration' belongs to a push or a pull; a bullet is spread by the character's hit_reaction.spread" <<END
$one
events: [{time: 1, impulse: 1, duration: 0.1}]
END
bad far_point "scene.yaml:2:43: 50 m is out of range, allowed is -10 to 10 m" <<END
$one
events: [{time: 1, impulse: 1, point: [0, 50, 0]}]
END

# Expectations.
bad unknown_metric "scene.yaml:2:10: there is no metric 'distnace', did you mean 'distance'?" <<END
$one
expect: [distnace > 1]
END
bad no_operator \
  "scene.yaml:3:5: 'distance 1': expected 'metric op value' with one of < <= > >= == !=, e.g. 'runner.distance > 60'" <<END
$one
expect:
  - distance 1
END
bad whose_metric \
  "scene.yaml:2:10: 'distance > 1': with several characters, say whose metric it is: 'a.distance'" <<'END'
characters: [{name: a, body: body.yaml}, {name: b, body: body.yaml}]
expect: [distance > 1]
END

# Overrides: the place is the assignment.
bad set_without_value "--set world.dt: expected path=value, as in world.dt=1/240" --set world.dt <<<"$one"
bad set_unknown_key "--set wrld.dt=0.01: unknown key 'wrld', did you mean 'world'?" --set wrld.dt=0.01 <<<"$one"
bad set_unknown_character \
  "--set characters.b.drive.strength=1: no item 'b' in the list, it has 1; an item is named by its index from 0, by its name or by its kind" --set characters.b.drive.strength=1 <<<"$one"
bad set_out_of_range "--set world.dt=1: world.dt is 1, allowed are 0.0001 to 0.02 s" --set world.dt=1 <<<"$one"
bad set_rate "--set trace.rate=300: trace.rate: 300 Hz is faster than the steps of 0.00416667 s; largest is 240" \
  --set trace.rate=300 <<<"$one"
bad seed "--seed 1.5: seed is 1.5, allowed are whole numbers from 0 to 2147483647" --seed 1.5 <<<"$one"
bad duration "--duration -1: duration is -1, allowed are 0.001 to 360000 s" --duration -1 <<<"$one"

# Outputs.
bad trace_to_standard_output "--trace -: a trace needs a file" --trace - <<<"$one"
bad equal_outputs "--trace and --metrics name the same file: out" --trace out --metrics ./out <<<"$one"
bad metrics_over_scene "scene.yaml: exists and is not a run's metrics, so it is not replaced" --metrics scene.yaml <<<"$one"
bad trace_over_scene "scene.yaml: exists and is not a trace, so it is not replaced" --trace scene.yaml <<<"$one"
bad metrics_in_no_folder "no/m.json: cannot be written: No such file or directory" --metrics no/m.json <<<"$one"
bad metrics_is_folder ".: cannot be written: Is a directory" --metrics . <<<"$one"

# A scene that does not exist.
output=$("$STAGGER" run nowhere.yaml 2>&1)
status=$?
output=$(without_codes <<<"$output")
wanted="nowhere.yaml: there is no such file in . or $STAGGER_SCENES"
count=$((count + 1))
if [ "$status" -ne 2 ] || [ "$output" != "$wanted" ]; then
  printf 'FAIL no_scene\n  wanted (2): %s\n  got (%d):    %s\n' "$wanted" "$status" "$output"
  failed=$((failed + 1))
fi

# One whose name is close to a shipped scene, and to a study.
for pair in "run hit_rn hit_run" "run hit_rum.yaml hit_run.yaml" "sweep hit_stnd hit_stand"; do
  read -r command name close <<<"$pair"
  output=$("$STAGGER" "$command" "$name" 2>&1 | without_codes)
  count=$((count + 1))
  if [[ "$output" != "$name: there is no such "*"; did you mean '$close'?" ]]; then
    printf 'FAIL %s of %s\n  got: %s\n' "$command" "$name" "$output"
    failed=$((failed + 1))
  fi
done

# check reports all errors, in the order of the lines, and takes --set.
cat >scene.yaml <<'END'
seed: -4
world: {dt: 5, graviti: 1}
characters:
  - {name: a, body: bodies/human.yaml, intent: {speed: 99}, drive: {strength: x}}
  - {name: b, body: bodies/humn.yaml}
END
output=$("$STAGGER" check scene.yaml 2>&1)
status=$?
output=$(without_codes <<<"$output")
places=$(grep -o '^scene.yaml:[0-9]*:[0-9]*' <<<"$output" | tr '\n' ' ')
wanted="scene.yaml:1:7 scene.yaml:2:13 scene.yaml:2:16 scene.yaml:4:56 scene.yaml:4:79 scene.yaml:5:21 "
count=$((count + 1))
if [ "$status" -ne 2 ] || [ "$places" != "$wanted" ] || [ "$(wc -l <<<"$output")" -ne 6 ]; then
  printf 'FAIL check_reports_all\n  got (%d):\n%s\n' "$status" "$output"
  failed=$((failed + 1))
fi
output=$("$STAGGER" check --set world.dt=5 limp stand 2>&1)
status=$?
output=$(without_codes <<<"$output")
wanted="--set world.dt=5: world.dt is 5, allowed are 0.0001 to 0.02 s"
count=$((count + 1))
if [ "$status" -ne 2 ] || [ "$output" != "$wanted"$'\n'"$wanted" ]; then
  printf 'FAIL check_set\n  got (%d):\n%s\n' "$status" "$output"
  failed=$((failed + 1))
fi

echo "$count kinds of bad scene, $failed wrong"
[ "$failed" -eq 0 ]
