#!/bin/bash
# What the program writes, byte for byte: exports, reports, results of studies, motions from outside, trained controllers.
# Each product of short runs has a line in products.csv, so that no change alters a file unnoticed; after a change that is
# meant, `./dev bits` writes the table. What a product should hold, the tests of its own kind tell.
# Usage: STAGGER=program DIGEST=program SOURCE=source-folder products.sh SECTION (a function make_SECTION below), or --write:
# all of them, into the table
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh" || exit 1
table=$SOURCE/tests/e2e/products.csv

# Where the sources are is no part of a product.
line() { echo "$section/$1,$(LC_ALL=C sed "s,$SOURCE/,,g; s,$PWD/,,g" | sha256sum | cut -c1-8)" >>products; }
# product FILE...
product() {
  for file in "$@"; do
    line "$file" <"$file"
  done
}
# A page without its style and script, which not every build has, and without how long a study took.
export STAGGER_REPORT_PAGE=$PWD
page() { line "$1" < <(sed '/<style>/,/<.style>/d; s/[0-9]* workers, [0-9]* trials in [0-9.]* s//g' "$1"); }
trace() { line "$1" < <("$DIGEST" "$1"); }

# ---- A blow: every format, and the report ----
make_hit() {
  run 0 run hit_stand --duration 3.5 --set expect=[] --trace hit.h5 --metrics hit.json --quiet
  sed '/realtime_factor/d' hit.json >hit.metrics
  product hit.metrics
  for format in glb bvh sto mot trc c3d npz mcap csv; do
    run 0 export hit.h5 -o "hit.$format"
    product "hit.$format"
  done
  for name in parts character contacts events; do
    run 0 export hit.h5 --table "$name" -o "$name.csv"
    product "$name.csv"
  done
  run 0 export hit.h5 --rig hit.glb -o rig.glb
  run 0 report hit.h5 -o hit.html --no-pictures
  product rig.glb
  page hit.html
  run 0 inspect hit.h5
  cp out inspected
  product inspected
}

# ---- Reports of other scenes ----
make_pages() {
  for scene in hit_walk terrain_stones fall_random walk_push hit_run lizard; do
    run 0 run $scene --duration 6 --set expect=[] --trace $scene.h5 --quiet
    run 0 report $scene.h5 -o $scene.html --no-pictures
    page $scene.html
  done
}

# ---- Bodies to and from other programs ----
make_bodies() {
  run 0 run hit_stand --duration 0.1 --set expect=[] --trace short.h5 --quiet
  run 0 export short.h5 -o short.glb
  run 0 body "$STAGGER_SCENES/bodies/human.yaml" -o human.xml
  run 0 body "$STAGGER_SCENES/bodies/human.yaml" -o human.glb
  run 0 body short.glb -o rigged.yaml
  run 0 body human.xml -o modelled.yaml
  product human.xml human.glb rigged.yaml modelled.yaml
}

# A model of MuJoCo and a robot with what such files may say in several ways: classes, frames by Euler angles, axes, columns
# and quaternions, capsules by their ends, limits, springs, motors.
write_models() {
  cat >robot.xml <<'END'
<mujoco model="robot">
  <compiler angle="degree" eulerseq="zyx" autolimits="true"/>
  <default>
    <joint damping="1.5" armature="0.01" range="-60 90"/>
    <geom density="900" rgba="1 0 0 1"/>
    <default class="thin"><geom type="capsule" size="0.03"/><joint stiffness="4" range="-20 20"/></default>
  </default>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="base" pos="0 0 0.7" euler="0 0 10">
      <freejoint/>
      <geom type="box" size="0.12 0.09 0.05" pos="0.01 0 0.02" quat="0.966 0 0.259 0"/>
      <inertial pos="0.01 0 0.02" mass="6" fullinertia="0.05 0.06 0.07 0.001 0.002 -0.001"/>
      <body name="arm" pos="0 0.15 0" axisangle="1 0 0 -30">
        <joint name="shoulder_1" axis="0 1 0"/>
        <joint name="shoulder_2" axis="1 0.2 0" pos="0 0.01 0"/>
        <geom class="thin" fromto="0 0 0 0 0.1 -0.25"/>
        <body name="hand" pos="0 0.1 -0.25" xyaxes="0 1 0 -1 0 0.2" childclass="thin">
          <joint name="wrist" axis="0 0 1"/>
          <geom size="0.03 0.06" zaxis="0 1 1" pos="0.02 0 0"/>
          <geom type="sphere" size="0.05" pos="0.1 0 0" mass="0.3"/>
        </body>
      </body>
      <body name="leg" pos="0 -0.05 -0.05" euler="5 -10 20">
        <joint name="hip" type="ball" range="0 70"/>
        <geom class="thin" size="0.05" fromto="0 0 0 0 0 -0.5"/>
        <body name="foot" pos="0 0 -0.5">
          <joint name="ankle" axis="0 1 0" stiffness="10" springref="5" damping="0.2"/>
          <geom type="box" size="0.12 0.05 0.02" pos="0.05 0 -0.03"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="shoulder_1" gear="40" ctrlrange="-1 1" ctrllimited="true"/>
    <position joint="wrist" kp="20" forcerange="-3 3"/>
    <motor joint="ankle" gear="60" ctrlrange="-0.5 1"/>
  </actuator>
</mujoco>
END
  cat >robot.urdf <<'END'
<robot name="arm">
  <link name="trunk">
    <inertial><origin xyz="0 0 0.1" rpy="0 0.2 0"/><mass value="8"/>
      <inertia ixx="0.2" iyy="0.18" izz="0.1" ixy="0.003" ixz="-0.002" iyz="0.001"/></inertial>
    <collision><origin xyz="0 0 0.1"/><geometry><box size="0.3 0.2 0.4"/></geometry></collision>
  </link>
  <link name="upper">
    <inertial><origin xyz="0 0 -0.15"/><mass value="2"/>
      <inertia ixx="0.02" iyy="0.02" izz="0.003" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 -0.15" rpy="0.1 0 0"/><geometry><cylinder radius="0.05" length="0.3"/></geometry></collision>
  </link>
  <link name="cover">
    <inertial><origin xyz="0.05 0 0"/><mass value="0.4"/>
      <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.06"/></geometry></collision>
  </link>
  <link name="lower">
    <inertial><origin xyz="0 0 -0.12"/><mass value="1.2"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 -0.12"/><geometry><cylinder radius="0.04" length="0.2"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute"><parent link="trunk"/><child link="upper"/>
    <origin xyz="0 0.2 0.25" rpy="0.3 0 0.5"/><axis xyz="0 1 0.5"/>
    <limit lower="-1" upper="1.5" effort="40" velocity="6"/><dynamics damping="0.7" friction="0.3"/></joint>
  <joint name="plate" type="fixed"><parent link="upper"/><child link="cover"/>
    <origin xyz="0.04 0 -0.1" rpy="0 1.2 0"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/>
    <origin xyz="0 0 -0.3"/><axis xyz="1 0 0"/></joint>
</robot>
END
}

make_models() {
  write_models
  for model in robot.xml robot.urdf; do
    run 0 body $model -o "$model.yaml" --as-is
    cat out err >"$model.told"
    product "$model.yaml" "$model.told"
    printf 'duration: 0.5\nterrain: {kind: flat}\ncharacters: [{name: it, body: %s.yaml, start: {position: [0, 0.1, 0]}}]\n' \
      $model >"$model.scene.yaml"
    run 0 run "$model.scene.yaml" --trace "$model.h5" --quiet
    trace "$model.h5"
    run 0 body "$model.yaml" -o "again.$model.xml"
    product "again.$model.xml"
  done
  for body in lizard spider winged human_scarf; do
    for format in xml glb; do
      run 0 body "$STAGGER_SCENES/bodies/$body.yaml" -o "$body.$format"
      product "$body.$format"
    done
    run 0 body "$body.xml" -o "$body.yaml" --as-is
    product "$body.yaml"
  done
}

# ---- What becomes of models and motions that others made: of each, all that is told of it ----
make_outside() {
  models=/usr/share/assimp/models
  [ -d $models ] || { printf '%s\n' outside/outside.{motions,bodies,levels} >>skipped && return; }
  find $models \( -name '*.bvh' -o -name '*.fbx' -o -name '*.gltf' -o -name '*.glb' -o -name '*.dae' -o -name '*.obj' \) \
    -size -400k | LC_ALL=C sort >files
  while read -r file; do
    case $file in
      *.obj) ;;
      *)
        { echo "$file"; "$STAGGER" inspect "$file" 2>&1; echo $?; } >>outside.motions
        { echo "$file"; "$STAGGER" body "$file" -o outside.yaml 2>&1; echo $?; cat outside.yaml; } >>outside.bodies 2>/dev/null
        printf 'import: %s\nkeep_root: true\nloop: false\n' "$file" >outside.clip.yaml
        printf '%s\n' 'duration: 1.5' 'terrain: {kind: flat}' \
          'characters: [{name: it, body: bodies/human.yaml, animation: {move: outside.clip.yaml}, drive: {kinematic: true}}]' \
          >outside.yaml
        rm -f outside.h5
        { "$STAGGER" run outside.yaml --quiet --trace outside.h5 2>&1; echo $?; "$DIGEST" outside.h5; } >>outside.motions
        rm -f outside.yaml
        ;;
    esac
    case $file in
      *.obj | *.gl*)
        cat >level.yaml <<END
duration: 0.5
terrain: {kind: mesh, file: $file}
characters: [{name: it, body: bodies/winged.yaml, start: {position: [0, 1, 0]}, drive: {enabled: false}}]
END
        rm -f level.h5
        { echo "$file"; "$STAGGER" run level.yaml --quiet --trace level.h5 2>&1; echo $?; "$DIGEST" level.h5; } >>outside.levels
        ;;
    esac
  done <files
  product outside.motions outside.bodies outside.levels
}

# ---- What the program says of itself ----
make_texts() {
  run 0 reference
  cp out texts
  run 0 list
  cat out >>texts
  for page in $("$STAGGER" help | sed -n 's/^  \([a-z_]*\)  .*/\1/p') run check inspect sweep threshold sensitivity compare \
    optimise report export body train list help reference; do
    { "$STAGGER" help "$page" 2>&1; echo $?; } >>texts
  done
  { "$STAGGER" completion bash; "$STAGGER" completion zsh; "$STAGGER" help --man | sed 1d; } >>texts
  product texts
  for file in bodies/human.yaml bodies/lizard.yaml bodies/spider.yaml clips/walk.yaml clips/punch.yaml clips/idle.yaml \
    clips/lizard_lunge.yaml skills/run.yaml skills/get_up.yaml skills/stand_training.yaml studies/dose.yaml \
    studies/threshold_stand.yaml studies/optimise_stand.yaml studies/sensitivity_stand.yaml studies/compare_stand.yaml \
    hit_walk.yaml level_house.yaml bridge.yaml plan_crowd.yaml lizard_attack.yaml stagger_tree.yaml; do
    "$STAGGER" inspect "$STAGGER_SCENES/$file" 2>&1 | sed 's/[0-9.]* us//g' >>inspected_files
  done
  for scene in hit_props bridge look lizard_rough; do
    "$STAGGER" inspect $scene --keys >>inspected_files
  done
  product inspected_files
}

# ---- Traces of other characters than one man, in every format, and beside each other ----
make_others() {
  for scene in lizard_attack mirror seesaw; do
    run 0 run $scene --duration 2 --set expect=[] --trace $scene.h5 --quiet
    for format in glb bvh sto mot trc c3d npz mcap; do
      run 0 export $scene.h5 -o $scene.$format
      cp out $scene.$format.told
      product $scene.$format $scene.$format.told
    done
    run 0 export $scene.h5 --table all -o $scene.csv
    product $scene.csv
    "$STAGGER" inspect $scene.h5 >$scene.inspected 2>&1
    product $scene.inspected
  done
  for pose in target measured; do
    for format in bvh trc mot; do
      run 0 export lizard_attack.h5 --pose $pose -o "$pose.$format"
      product "$pose.$format"
    done
  done
  run 0 run mirror --duration 2 --set expect=[] --set seed=3 --set world.friction=0.4 --trace other.h5 --quiet
  { "$STAGGER" compare mirror.h5 other.h5; "$STAGGER" compare mirror.h5 seesaw.h5; } >compared.told 2>&1
  product compared.told
}

# ---- Studies ----
# study COMMAND NAME KEY: a doll in the air is pushed.
study() {
  cat >"$2.yaml" <<END
scene: limp
repeats: 6
set: [duration=0.15, "expect=[]", "events=[{part: chest, time: [0.02, 0.05], impulse: 10}]", world.solver=reduced]
axes:
  events.0.impulse: {from: 5, to: 35, steps: 4, name: impulse}
  events.0.direction: {values: [0, 90], name: direction}
metrics: [doll.peak_com_displacement, doll.peak_pose_error, doll.recovery_strategy]
$3
END
  run 0 "$1" "$2" --out "$2" --quiet
  for file in "$2"/*.csv "$2"/*.json; do
    [ "$file" = "$2/sweep.json" ] || product "$file" # has times and processors
  done
  run 0 report "$2" -o "$2.html" --no-pictures
  page "$2.html"
}

make_studies() {
  study sweep swept "traces: [{trials: [0]}]"
  study threshold limit "threshold: {axis: impulse, withstood: doll.peak_com_displacement < 0.03, share: 0.8}"
  study sensitivity moved "sensitivity: {trajectories: 4}"
  study compare compared "compare: {axis: direction, metric: doll.peak_com_displacement, block: 6}"
  cat >best.yaml <<'END'
scene: limp
set: [duration=0.15, "expect=[]", "events=[{part: chest, time: 0.05, impulse: 10}]", world.solver=reduced]
optimise:
  parameters:
    events.0.impulse: {low: 2, high: 200, start: 10, scale: log, name: impulse}
  cost: [{metric: doll.peak_com_displacement, goal: 0.03, weight: 100}]
  generations: 4
  population: 5
metrics: [doll.peak_com_displacement]
END
  run 0 optimise best --out best --quiet
  product best/optimise.csv best/optimise.json best/best.yaml
}

# Studies of all kinds that take a moment each: what is said while they run and of their folders, and their tables.
# asked COMMAND NAME: the study is on standard input, without its scene.
asked() {
  { echo "scene: limp" && cat; } >"$2.yaml"
  "$STAGGER" "$1" "$2" --out "$2" >out 2>err
  echo $? >>out
  { "$STAGGER" inspect "$2"; "$STAGGER" report "$2" -o "$2.html" --no-pictures; } >>out 2>>err
  sed '/ now in /d; / MB$/d; / kB$/d' out err >"$2.told" # how long it took, and how large the page is
  product "$2.told"
  for file in "$2"/*.csv "$2"/*.json; do
    [ "$file" = "$2/sweep.json" ] || [ ! -e "$file" ] || product "$file"
  done
  [ ! -e "$2.html" ] || page "$2.html"
}

make_asked() {
  blow='set: [duration=0.12, "expect=[doll.peak_com_displacement < 0.02]", "events=[{part: chest, time: 0.03, impulse: 10}]", world.solver=reduced]'
  found='metrics: [doll.peak_com_displacement, doll.peak_pose_error, doll.recovery_strategy, doll.fell]'
  asked sweep random <<END
$blow
$found
repeats: 5
purpose: Random values of all kinds.
axes:
  events.0.impulse: {random: {low: 5, high: 40}, name: impulse}
  events.0.direction: {random: {distribution: normal, mean: 20, deviation: 60, low: -90, high: 120}, name: direction}
  world.friction: {random: {distribution: log_uniform, low: 0.1, high: 2, count: 3}, name: friction}
  events.0.part: {values: [chest, head, pelvis], name: part}
traces: [{where: doll.peak_pose_error > 20, most: 2}, {lowest: doll.peak_com_displacement}, {repeats: 1}]
END
  asked sweep failing <<END
set: [duration=0.2, "expect=[]", world.max_speed=3, "events=[{part: head, time: 0.05, impulse: 5}]"]
$found
repeats: 2
seed: 7
axes:
  events.0.impulse: {values: [1, 5, 400], name: impulse}
  characters.doll.drive.enabled: {values: [true, false], name: driven}
END
  asked threshold least <<END
$blow
$found
repeats: 5
threshold: {axis: impulse, withstood: [doll.peak_com_displacement < 0.05, doll.peak_pose_error <= 40], share: 0.6, spacing: 2}
axes:
  events.0.direction: {from: -90, to: 90, steps: 3, name: direction}
  events.0.impulse: {values: [2, 5, 10, 20, 30, 40, 60, 90], name: impulse}
  events.0.part: {values: [chest, foot_l], name: part}
END
  asked threshold beyond <<END
$blow
$found
repeats: 3
threshold: {axis: impulse, withstood: doll.peak_com_displacement < 0.003, share: 1, spacing: 3}
axes:
  events.0.impulse: {values: [20, 30, 40], name: impulse}
  events.0.time: {values: [0.01, 0.11], name: begins}
END
  asked sensitivity ways <<END
$blow
$found
repeats: 3
sensitivity: {trajectories: 5}
axes:
  events.0.impulse: {from: 5, to: 40, steps: 4, name: impulse}
  events.0.elevation: {values: [-30, 0, 60], name: elevation}
  characters.doll.drive.enabled: {values: [true, false], name: driven}
END
  asked compare apart <<END
$blow
$found
repeats: 40
compare: {axis: driven, metric: doll.peak_pose_error, block: 8}
axes:
  characters.doll.drive.enabled: {values: [true, false], name: driven}
  events.0.impulse: {random: {low: 10, high: 20}, name: impulse}
END
  asked compare alike <<END
$blow
$found
repeats: 30
compare: {axis: direction, metric: doll.peak_com_displacement, block: 6, margin: 0.004}
axes:
  events.0.direction: {values: [0, 12], name: direction}
  events.0.impulse: {random: {low: 10, high: 20}, name: impulse}
  events.0.elevation: {values: [0, 20], name: elevation}
END
  asked optimise lowest <<END
$blow
repeats: 2
optimise:
  parameters:
    events.0.impulse: {low: 2, high: 200, start: 100, scale: log, name: impulse}
    events.0.elevation: {low: -60, high: 80, name: elevation}
    events.0.direction: {low: -90, high: 90, start: 80}
  cost:
    - {metric: doll.peak_com_displacement, goal: 0.03, side: above, weight: 50}
    - {metric: doll.peak_pose_error, goal: 12, missing: 3}
    - {metric: doll.recovery_time, missing: 0.25, weight: -2}
  generations: 14
  population: 6
  restarts: 1
  tolerance: 0.05
  deviation: 0.3
metrics: [doll.peak_com_displacement, doll.peak_pose_error, doll.recovery_time]
END
  asked optimise reached <<END
$blow
optimise:
  parameters: {events.0.impulse: {low: 1, high: 50, name: impulse}}
  cost: [{metric: doll.peak_pose_error, goal: 20, side: below}]
  target: 0
  generations: 9
axes: {events.0.direction: {values: [0, 90], name: direction}}
metrics: [doll.peak_pose_error]
END
}

# Responses to blows by part, size and direction, with what reports draw of them.
make_responses() {
  cat >blows.yaml <<'END'
purpose: How does a response grow?
scene: hit_stand
repeats: 2
responses: true
set:
  - world.solver=reduced
  - duration=1.6
  - "characters.man.animation={move: clips/idle_breathe.yaml}"
  - characters.man.balance.sway=1
  - "events=[{kind: push, part: chest, time: [0.2, 0.5], direction: 180, impulse: 20, duration: 0.05}]"
  - "expect=[man.fell == 0]"
axes:
  events.0.part: {values: [chest, shin_l], name: part}
  events.0.direction: {values: [0, 45, 90, 135, 180, 225, 270, 315], name: direction}
  events.0.impulse: {values: [20, 90], name: impulse}
metrics: [man.hit_response_size, man.trunk_response_peak, man.trunk_response_peak_time, man.fell, man.recovery_strategy,
          man.peak_com_displacement]
traces: [{trials: [3]}]
END
  run 0 sweep blows --out blows --quiet
  product blows/*.csv
  run 0 report blows -o blows.html --no-pictures
  page blows.html
  "$STAGGER" inspect blows >blows.told 2>&1
  "$STAGGER" inspect blows/trials.h5 >>blows.told 2>&1
  product blows.told
}

# ---- What is said of runs ----

# The beginning of each scene on the reduced solver: warnings, hits, metrics and expectations, and what its trace holds.
make_runs() {
  for scene in "$STAGGER_SCENES"/*.yaml; do
    name=$(basename "$scene" .yaml)
    "$STAGGER" run "$name" --duration 3.6 --set world.solver=reduced --trace "$name.h5" >out 2>err
    echo $? >>out
    { "$STAGGER" inspect "$name.h5"; "$STAGGER" check "$name"; "$STAGGER" inspect "$name" --keys; } >>out 2>>err
    sed '/ realtime_factor /d; s/, [0-9.]* times real time//; / [kM]B/d' out err >"$name.told"
    product "$name.told"
    rm "$name.h5"
  done
}

# ---- Experiments with people ----

# Runs of each of them beside what people did, as a page, as text and as JSON; and a study of one.
make_people() {
  for scene in "$STAGGER_SCENES"/laboratory/*.yaml; do
    name=$(basename "$scene" .yaml)
    run 0 run "laboratory/$name" --set expect=[] --set world.solver=reduced --quiet --trace "$name.h5"
    run 0 report "$name.h5" --no-pictures --human -o "$name.html"
    cat out err | sed '/ MB$/d' >"$name.told" # how large a page is depends on its script
    run 0 report "$name.h5" --human -o "$name.json"
    product "$name.told" "$name.json"
    page "$name.html"
  done
  run 0 report punch.h5 --no-pictures --propagation -o propagation.html
  page propagation.html
  sed 's/^repeats: .*/repeats: 4/; s/^metrics:/set: [world.solver=reduced]\nmetrics:/' \
    "$STAGGER_SCENES/studies/laboratory_fall.yaml" >sideways.yaml
  run 0 sweep sideways --out sideways --quiet
  run 0 report sideways --no-pictures --human -o sideways.html
  cat out err | sed '/ MB$/d' >sideways.told
  run 0 report sideways --human -o sideways.json
  product sideways.told sideways.json sideways/summary.csv
  page sideways.html
}

# A man who is pushed from all sides, with his strategies over directions.
make_directions() {
  for name in push_table push_table_walk; do
    sed 's/steps: 16/steps: 8/; s/to: 337.5/to: 315/; s/^repeats: .*/repeats: 2/; s/duration=8/duration=5/; s/duration=12/duration=10/; s/steps: 4/steps: 2/; s/, *most: 3}/, most: 1}/' \
      "$STAGGER_SCENES/studies/$name.yaml" | sed 's/values: \[.*\], name: impulse/values: [50, 120], name: impulse/' >"$name.yaml"
    run 0 sweep "$name" --out "$name" --quiet
    run 0 report "$name" --no-pictures -o "$name.html"
    run 0 report "$name" -o "$name.svg"
    "$STAGGER" inspect "$name" >"$name.told" 2>&1
    product "$name"/*.csv "$name.svg" "$name.told"
    page "$name.html"
  done
}

# ---- Controllers that learn ----
make_learning() {
  write_tiny_skill
  run 0 train tiny.yaml -o tiny.safetensors --curve tiny.csv --quiet
  line tiny.safetensors < <(numbers tiny.safetensors)
  mkdir planners
  sed -e 's/^training:.*/training: {decisions: 2000, points: 4, check_fields: 2, test_fields: 4, test_crowds: 1, crowd: 6}/' \
    "$SOURCE/scenes/planners/human.yaml" >planners/human.yaml
  cp "$SOURCE/scenes/planners/field.yaml" plan.yaml
  run 0 train plan.yaml -o planned.yaml --quiet
  product planned.yaml
}

# The same with other rewards, stages and steps of learning than any skill that comes with Stagger has.
make_practice() {
  write_tiny_skill
  cat >more_0 <<'END'
  enough: 1.5
  reward: {pose: 0.2, pose_scale: 3, light: 0.3, rates: 0.2, rates_scale: 0.01, ends: 0.1, ends_scale: 4, calm: 0.5}
  learner: {environments: 6, horizon: 20, hidden_first: 12, hidden_second: 20, minibatch: 32, epochs: 3, gamma: 0.9, lambda: 0.8, clip: 0.1, rate: 1e-3, entropy: 0.01}
  stages:
    - {name: pushed, samples: 700, episode: 2, hits: 1, impulse: [5, 30], every: [0.2, 0.4], feet: 0.5, growth: 0.4, push_time: [0.05, 0.2], pelvis: 0.5, noise: 0.8}
    - {name: weak, samples: 500, episode: 2, strength: [0.5, 0.8], mass: [0.7, 1.6], friction: [0.2, 0.5], delay: [0.01, 0.06], deviation: [0.05, 0.1]}
END
  cat >more_1 <<'END'
  seed: 11
  reward: {root: 0.3, height_scale: 20, tilt_scale: 9, velocity: 0.3, velocity_scale: 3, contacts: 0.3, change: 0.05, power: 2e-4, steps: 0.2, shortfall: 2, hurry: 3}
  learner: {environments: 9, horizon: 12, hidden_first: 16, hidden_second: 8, minibatch: 48, epochs: 4, rate_limits: [1e-4, 5e-4], kl: 0.002, deviation: 0.3, deviation_limits: [0.2, 0.35], bound: 0.1, gradient_norm: 0.2, normalization_samples: 400}
  stages:
    - {name: turning, samples: 600, episode: 1.5, turning: 1, pacing: 1, speed: [2.5, 4.5], slope: [-6, 6], roughness: 2}
    - {name: starting, samples: 600, episode: 2, standing: 0.5, start_speed: 0.8, hits: 0.5, impulse: [1, 60]}
END
  for i in 0 1; do
    sed '/^  learner:/,$d' tiny.yaml | { [ $i = 1 ] && sed '/^  seed:/d' || cat; } >"own_$i.yaml"
    cat more_$i >>"own_$i.yaml"
    run 0 train own_$i.yaml -o own_$i.safetensors --curve own_$i.csv --quiet
    line own_$i.safetensors < <(numbers own_$i.safetensors)
    line own_$i.told < <(sed 's/[0-9.]* s,*//g' out)
  done
}

# The shipped skills as they are learnt, a few decisions of each stage, and how what came of it is tested.
make_skills() {
  for skill in get_up stand stroll run; do
    sed -e 's/samples: [0-9.e]*/samples: 260/' -e 's/episode: [0-9]*/episode: 2/' \
      -e 's/^training:/training:\n  trials: 2\n  learner: {environments: 8, horizon: 16, hidden_first: 16, hidden_second: 16, minibatch: 64, epochs: 2}/' \
      "$SOURCE/scenes/skills/$skill.yaml" >"short_$skill.yaml"
    run 0 train "short_$skill.yaml" -o "$skill.safetensors" --curve "$skill.csv" --quiet
    line "$skill.safetensors" < <(numbers "$skill.safetensors")
    line "$skill.told" < <(sed 's/[0-9.]* s,*//g' out)
  done
}

# ---- Motions from outside ----
# moved NAME FILE KEYS: a file's motion on the human, as it is shown.
moved() {
  [ -e "$2" ] || { echo "$section/$1.h5" >>skipped && return; }
  printf 'import: %s\n%s\n' "$2" "$3" >"$1.clip.yaml"
  cat >"$1.yaml" <<END
duration: 4
terrain: {kind: flat}
characters: [{name: it, body: bodies/human.yaml, animation: {move: $1.clip.yaml}, drive: {kinematic: true}}]
END
  run 0 run "$1.yaml" --trace "$1.h5" --quiet
  trace "$1.h5"
}

make_motions() {
  run 0 run hit_stand --duration 3.5 --set expect=[] --trace hit.h5 --quiet
  run 0 export hit.h5 -o hit.bvh
  run 0 export hit.h5 -o hit.glb
  models=/usr/share/assimp/models
  moved walking $models/BVH/01_01.bvh "loop: false"
  moved jumping $models/BVH/01_03.bvh "keep_root: true"
  moved boxing $models/BVH/Boxing_Toes.bvh "loop: false"
  moved exported hit.bvh "loop: false"
  moved again hit.glb "loop: false"
}

: >products
: >skipped
if [ "${1:-}" = --write ]; then
  # Each in a folder of its own, as when it is tested: what a file replaces is no part of what is told.
  for section in $(sed -n 's/^make_\([a-z]*\)() {$/\1/p' "$SOURCE/tests/e2e/products.sh"); do
    mkdir "$section"
    (cd "$section" && export STAGGER_REPORT_PAGE=$PWD && "make_$section" && exit "$failed") || failed=1
    cat "$section/products" >>products
    [ ! -e "$section/skipped" ] || cat "$section/skipped" >>skipped
    rm -r "$section"
  done
  { echo product,digest && cat products; } >new
  diff "$table" new | sed -n 's/^> //p'
  cp new "$table"
  [ ! -s skipped ] || fail "without these the table is not whole: $(cat skipped)"
else
  section=${1:?which section}
  "make_$section"
  while IFS=, read -r name digest; do
    wanted=$(grep "^$name," "$table" | cut -d, -f2)
    [ "$digest" = "$wanted" ] || fail "$name is other than in tests/e2e/products.csv"
  done <products
  while IFS=, read -r name digest; do # what is not there at all
    grep -q "^$name," products || grep -qxF "$name" skipped || fail "$name was not made"
  done < <(grep "^$section/" "$table")
  grep -q "^$section/" "$table" || fail "the table has no $section"
  [ "${failed:-0}" -eq 0 ] || echo "If that is meant, './dev bits' writes the table, and CHANGELOG.md says what changed."
fi
[ "$failed" -eq 0 ]
