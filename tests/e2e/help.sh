#!/bin/bash
# What tells a newcomer how to use the programs: pages of the manual, manual pages, completion in shells, starting points.
# Usage: STAGGER=program STAGGER_VIEW=program SOURCE=source-folder help.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

# Pages: all that there are, in the order of the manual's README, each by its name.
run 0 help
topics=$(sed -nE 's/^  ([a-z_]+) .*/\1/p' out)
[ "$(echo "$topics" | sort)" = "$(cd "$SOURCE/scenes/manual" && ls ./*.md | sed 's,^./,,; s/\.md$//' | grep -v README | sort)" ] ||
  fail "the list of pages is not that of the files: $topics"
[ "$(echo "$topics" | head -1)" = first_study ] || fail "the first page is not the first study: $topics"
for topic in $topics; do
  run 0 help "$topic"
  cmp -s out "$SOURCE/scenes/manual/$topic.md" || fail "help $topic prints another text"
done
STAGGER_SCENES=/nowhere run 0 help limits
run 0 help run
has out "usage: stagger run SCENE"
run 2 help scnee
is out ""
is err "stagger help: there is no page or command 'scnee', did you mean 'scene'?; 'stagger help' lists the pages
see 'stagger help --help'"
for topic in SCENE scene.md; do
  run 0 help "$topic"
  cmp -s out "$SOURCE/scenes/manual/scene.md" || fail "help $topic prints another text"
done
run 0 help clip
has out "# Clips and graphs"
run 0 help key_unknown
has out "## key_unknown"
run 2 help matplotlib
has err "but it is written of in studies, traces"
run 2 help nosuchwordatall
has err "'stagger help' lists the pages"
run 2 help one two
run 2 help --nonsense

# Explanations: each warning and cause of a stop in the source has one; unit/explanations looks for those of errors.
run 0 run --explain all
mv out explained
[ -z "$(grep '^## ' explained | sort | uniq -d)" ] || fail "a code stands twice: $(grep '^## ' explained | sort | uniq -d)"
[ "$(grep -c '^## ' explained)" -gt 20 ] || fail "little is explained: $(grep -c '^## ' explained)"
blank=$(awk '/^## / && NR > 1 && before != "" { n++ } /^$/ && (before == "" || NR == 1) { n++ } { before = $0 } END { print n + 0 }' explained)
[ "$blank" = 0 ] || fail "between explanations stands no single blank line"
cat "$SOURCE"/scenes/*/*.c "$SOURCE"/sim/world/*.c "$SOURCE"/ragdoll/body/*.c "$SOURCE"/anim/graph/*.c | tr -d '\n' | sed 's/" *"//g' |
  grep -oE '(: warning: [^"]{9}|stop_reason, *"|warn\([a-z>-]*warnings, *"|graph_warn\([^"]*")[^"]*"|"does not apply[^"]*"' |
  sed 's/^stop_reason, *"//; s/^.*warn([^"]*"//; s/"$//; s/^"//' | grep -vE '%\.\*s\\n$|^%s$' >messages
[ "$(wc -l <messages)" -gt 20 ] || fail "few messages are found in the source"
while IFS= read -r message; do
  "$STAGGER" run --explain "$message" >out 2>err || fail "nothing explains '$message'"
done <messages
run 0 run --explain runaway
has out "Cause: "
[ "$(head -n 1 out)" = "## runaway" ] || fail "an explanation does not begin with its code"
run 0 run --explain "limp.yaml: stopped: runaway at 0.2042 s: hand_r of doll moves at 2.1 m/s"
has out "## runaway"
run 2 run --explain runawy
is out ""
has err "did you mean 'runaway'?"
run 2 run limp --set world.gravty=2
has err "did you mean 'gravity'? [key_unknown]"
run 0 run --explain key_unknown
has out "Cure: Take the name that the message suggests."
run 3 run limp --quiet --set world.max_speed=2
has err "cause and cure: stagger run --explain runaway"

# Starting points: they are good, say the next step, which works, and replace nothing.
for kind in scene study body clip layer; do
  run 0 new $kind "my_$kind"
  has out "my_$kind.yaml"
  cp "my_$kind.yaml" kept
  run 2 new $kind "my_$kind.yaml"
  is err "my_$kind.yaml: exists, so it is not replaced"
  cmp -s kept "my_$kind.yaml" || fail "new replaced my_$kind.yaml"
done
grep -q NAME my_*.yaml && grep 'name: NAME\|NAME\.' my_*.yaml && fail "a name was not put in"
run 0 check my_scene.yaml my_study.yaml my_layer.yaml
is err ""
run 0 run my_scene --quiet
run 0 run my_layer --quiet
run 0 sweep my_study --limit 2 --quiet
run 0 inspect my_clip.yaml
has out "clip my_clip for human"
run 0 run stand --quiet --duration 2 --set 'expect=[stander.fell == 0]' --set "characters.stander.animation.move=$PWD/my_clip.yaml"
run 0 inspect my_body.yaml
has out "body my_body"
run 0 run stand --duration 2 --set expect=[] --set "characters.stander.body=$PWD/my_body.yaml"
grep -qE '^  peak_pose_error +0\.[0-9]+ ' out || fail "the new body does not hold its pose: $(grep peak_pose out)"
run 2 new scen other
has err "did you mean 'scene'?"
for name in 1st ../other 'a b' "$(printf 'a%.0s' {1..32})"; do
  run 2 new scene "$name"
  has err "is no name"
done
run 2 new scene
absent other.yaml

# Completion in bash, by its own machinery.
"$STAGGER" completion bash >bash_stagger && "$STAGGER_VIEW" --completion bash >bash_view || fail "no script for bash"
mkdir programs traces
ln -s "$STAGGER" programs/stagger
ln -s "$STAGGER_VIEW" programs/stagger-view
: >traces/one.h5
: >two.h5
PATH=$PWD/programs:$PATH
cat >complete.sh <<'END'
. ./bash_stagger
. ./bash_view
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
read -r _ _ function _ < <(complete -p "$1")
$function "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
END
# completes "WANTED..." WORD...: as the last word all of these are offered.
completes() {
  local wanted=$1 word
  shift
  bash complete.sh "$@" >offered 2>complaints
  [ ! -s complaints ] || fail "completion of '$*': $(cat complaints)"
  for word in $wanted; do
    grep -qxF -- "$word" offered || fail "'$*' does not offer '$word', but: $(head -5 offered)"
  done
}
offers_no() { ! grep -qxF -- "$1" offered || fail "$1 is offered, too"; }
completes "run sweep help new completion" stagger ''
completes "--help --version" stagger --
completes "report reference replay" stagger re
offers_no run
completes "--set --seed --trace --quiet --help" stagger run --
completes "--trace" stagger run hit_run --t
completes "hit_run hit_walk" stagger run hit_
offers_no hit_run.yaml
completes "my_scene.yaml" stagger check my_sc
completes "hit_stand hit_map push_table" stagger sweep ''
completes "skills/run planners/field" stagger train ''
completes "two.h5 traces/" stagger replay t
completes "traces/one.h5" stagger replay traces/
completes "two.h5" stagger run hit_run --trace tw
completes "two.h5" stagger run hit_run --trace = tw
completes "output target measured" stagger export two.h5 --pose ''
completes "glb bvh csv" stagger export two.h5 --to ''
completes "glb" stagger export two.h5 --to g
completes "first_study limits" stagger help ''
completes "scene study body layer" stagger new ''
completes "bash zsh" stagger completion ''
completes "hit_run" stagger-view hit_r
completes "two.h5" stagger-view tw
completes "--offscreen --moments" stagger-view two.h5 --
completes "first_person chase" stagger-view --camera ''
completes "all runaway" stagger run --explain ''
completes "world.friction= events.0.impulse= characters.man.drive.stiffness=" stagger run hit_stand --seed 3 --set ''
completes "terrain.kind=" stagger-view hit_stand --set terrain.k
completes "" stagger run --seed ''
[ -z "$(cat offered)" ] || fail "something is offered for a number: $(head -3 offered)"
run 2 completion fish
has err "allowed are bash and zsh"
"$STAGGER_VIEW" --completion fish 2>err && fail "a script for fish"
has err "'fish' is none of bash, zsh"

# The scripts for zsh are at least good zsh, which offers all options.
"$STAGGER" completion zsh >_stagger && "$STAGGER_VIEW" --completion zsh >_stagger_view || fail "no script for zsh"
head -1 _stagger | grep -qx '#compdef stagger' || fail "the script for zsh does not say for what it is"
head -1 _stagger_view | grep -qx '#compdef stagger-view' || fail "the viewer's script for zsh does not say for what it is"
has _stagger "'*--trace=[records the run; an older trace of that name is replaced]:VALUE: _stagger_kinds \"FILE.h5\"'"
if command -v zsh >/dev/null; then
  for script in _stagger _stagger_view; do zsh -n $script 2>err || fail "$script is no zsh: $(cat err)"; done
  # A terminal of its own, in which the tabulator key is pressed.
  cat >keys.zsh <<'END'
zmodload zsh/zpty
zpty shell zsh -f
zpty -w shell "PS1=; cd $PWD; fpath=($PWD \$fpath); autoload -U compinit && compinit -u -D; LISTMAX=0; echo ready"
zpty -r shell line '*ready*ready*'
for keys; do # each line is deleted before the next
  print -r -- "stagger ${keys% *}"
  zpty -n -w shell $'\x15'"stagger ${keys% *}"$'\t'
  zpty -r shell line "*${keys##* }*"
done
END
  timeout 60 zsh -f keys.zsh 'repl replay' 'replay tw two.h5' 'run hit_parti hit_partial' 'export x.h5 --pose mea measured' \
    'run hit_stand --set world.fric world.friction=' \
    >offered 2>err </dev/null || fail "zsh does not complete '$(tail -1 offered)': $(cat err)"
fi

# Manual pages without a complaint, with all commands and options.
"$STAGGER" help --man >stagger.1 && "$STAGGER_VIEW" --man >stagger-view.1 || fail "no manual pages"
if command -v groff >/dev/null; then
  for page in stagger stagger-view; do
    groff -man -Tutf8 -ww -b $page.1 >$page.txt 2>err || fail "$page.1 is no roff"
    [ ! -s err ] || fail "groff complains of $page.1: $(head -5 err)"
  done
  sed 's/\x1b\[[0-9;]*m//g' stagger.txt >plain.txt
  has plain.txt "stagger - a physics-coupled ragdoll"
  for word in --trace --resume --pose "exit status" "stagger sweep hit_stand --jobs 8"; do
    grep -qF -- "$word" plain.txt || fail "stagger.1 has no '$word'"
  done
  sed 's/\x1b\[[0-9;]*m//g' stagger-view.txt | grep -qF -- "'both_%04d.png'" || fail "stagger-view.1 spoils an example"
fi

[ "$failed" -eq 0 ] && echo "a newcomer finds the way"
[ "$failed" -eq 0 ]
