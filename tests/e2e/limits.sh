#!/bin/bash
# Limits of memory and stack, steps that take minutes, and impossible starts: a run ends with a reason, or is the same
# as without the limit; it never hangs or crashes without a message.
# Usage: STAGGER=program SOURCE=source-folder limits.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

# The sanitizers need the whole address space.
if (ulimit -v 2000000; "$STAGGER" --version) >/dev/null 2>&1; then limited=1; else limited=; fi
[ -n "$limited" ] || echo "SKIP limits of memory, which the sanitizers do not bear"

# figures: the metrics without the speed of the run.
figures() { grep -v realtime_factor metrics.json; }

# sweep_memory SOLVER FROM TO STEP OPTION...: under each limit (KB) a run is complete, or reports why it is not.
sweep_memory() {
  local solver=$1 from=$2 to=$3 by=$4 limit status whole=0 stopped=0
  shift 4
  "$STAGGER" run "$@" --quiet --set "world.solver=$solver" --set 'expect=[]' --metrics metrics.json >/dev/null 2>&1 ||
    fail "stagger run $* without a limit"
  figures >reference
  for ((limit = from; limit <= to; limit += by)); do
    rm -f metrics.json
    (
      ulimit -v "$limit"
      exec "$STAGGER" run "$@" --quiet --set "world.solver=$solver" --set 'expect=[]' --metrics metrics.json
    ) >out 2>err
    status=$?
    case $status in
      0)
        whole=$((whole + 1))
        figures | cmp -s - reference || fail "$solver under $limit KB: other figures than without a limit"
        ;;
      2 | 3)
        stopped=$((stopped + 1))
        grep -qi "memory" err || fail "$solver under $limit KB: no reason: $(head -3 err)"
        ;;
      127) grep -q "shared librar\|TLS data\|out of memory" err || fail "$solver under $limit KB: $(head -3 err)" ;; # it did not even begin
      *) fail "$solver under $limit KB: exit status $status: $(head -3 err)" ;;
    esac
  done
  [ $whole -gt 0 ] && [ $stopped -gt 0 ] || fail "$solver $*: $whole whole and $stopped stopped runs"
}
if [ -n "$limited" ]; then
  # What is read before the first step is the same with each solver, so that one reads much.
  sweep_memory step 16000 60000 1000 stand_push --duration 0.1
  for solver in step iterative reduced; do
    sweep_memory $solver 20000 80000 1500 limp --duration 0.3 --trace limp.h5
  done

  # What was recorded until memory ran out is kept, with the status.
  for ((limit = 80000; limit > 20000; limit -= 1000)); do
    rm -f kept.h5
    (ulimit -v "$limit"; exec "$STAGGER" run mocap --duration 0.2 --quiet --trace kept.h5) >out 2>err
    [ $? -eq 3 ] && grep -q "stopped: out of memory" err && break
  done
  run 0 inspect kept.h5
  has out "stopped: out of memory"
fi

# peak ARGUMENT...: the most memory that stagger uses at a time, in kB.
peak() {
  python3 - "$STAGGER" "$@" <<'END'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
END
}

# A report and a BVH file of a trace four times as long take little more memory, 3 MB: each number that is kept for all
# of the 43000 further frames would add 0.2 or 0.3 MB, their motion 12 MB and all curves of the report 17 MB.
if [ -n "$limited" ]; then
  for seconds in 60 240; do
    run 0 run hit_walk --duration $seconds --set trace.rate=240 --set 'expect=[]' --quiet --trace $seconds.h5
  done
  for command in "report --no-pictures -o long.html" "export -o long.bvh"; do
    # shellcheck disable=SC2086
    short=$(peak $command 60.h5) long=$(peak $command 240.h5)
    [ "${short:-0}" -gt 0 ] && [ $((long - short)) -lt 8000 ] || fail "$command: $short kB of 60 s, $long kB of 240 s"
  done
  rm 60.h5 240.h5
fi

# Stacks smaller than any shell gives.
for stack in ${limited:+128 64}; do
  for scene in hit_run plan_crowd fall_getup lizard; do
    (ulimit -s $stack; exec "$STAGGER" run $scene --duration 0.1 --set 'expect=[]' --quiet --trace small.h5) >out 2>err ||
      fail "$scene with a stack of $stack KB: $(head -3 err)"
  done
  (ulimit -s $stack; exec "$STAGGER" replay small.h5) >out 2>err || fail "replay with a stack of $stack KB: $(head -3 err)"
  has out "every step is the same"
done

# Any other crash reports itself, and ends by its signal.
if [ -n "$limited" ]; then
  "$STAGGER" run hit_run --quiet --trace crash.h5 >out 2>err &
  running=$!
  wait_for_frames crash.h5
  kill -SEGV $running 2>/dev/null
  wait $running 2>/dev/null
  status=$?
  [ $status -eq 0 ] || [ $status -eq 139 ] || fail "a crash: exit status $status"
  [ $status -eq 0 ] || has err "stagger: crashed because of a bug in the program"
fi

# Six men at one place: reported before the first step, which takes minutes and can be ended by Ctrl-C.
cat >heap.yaml <<'END'
purpose: Six men who start in one place.
duration: 2
characters:
- {name: a, body: bodies/human.yaml}
- {name: b, body: bodies/human.yaml}
- {name: c, body: bodies/human.yaml}
- {name: d, body: bodies/human.yaml}
- {name: e, body: bodies/human.yaml}
- {name: f, body: bodies/human.yaml}
END
run 0 check heap.yaml
has out "heap.yaml: good"
has err "heap.yaml: warning: chest of a starts 0.21 m inside of chest of b: they are driven apart, which 'world.solver: reduced' does far faster"
[ "$(grep -c 'inside of' err)" -eq 15 ] || fail "not each two of six: $(cat err)"
"$STAGGER" run heap.yaml --quiet --trace heap.h5 >out 2>err &
running=$!
# A busy machine gets there later: what counts is the time of its processor, in 1/100 s; all before takes less.
has_used() { [ "$(cut -d')' -f2 "/proc/$running/stat" | cut -d' ' -f13)" -gt "$1" ]; }
has_ended() { ! kill -0 "$running"; }
wait_for has_used 200
kill -INT $running
# The step takes more than five times as long, and longer still on a busy machine.
within 20 has_ended || { fail "Ctrl-C does not end a long step"; kill -9 $running; }
wait $running
status=$?
[ $status -eq 130 ] || fail "Ctrl-C in a long step: exit status $status: $(head -3 err)"
has err "chest of e starts 0.21 m inside of chest of f"
has err "for heaps of bodies 'world.solver: reduced' and 'iterative' are far faster"
run 0 inspect heap.h5
has out "interrupted"

# No character starts in the ground.
run 2 run limp --set 'characters.doll.start.position=[0, -5, 0]' --trace none.h5
has err "doll would start 5 m in the ground: y counts from the ground, allowed is 0 m or more"
absent none.h5
run 2 check limp --set 'characters.doll.start.position=[0, -5, 0]'
has err "doll would start 5 m in the ground"

# More balls in flight than fit: counted, in the table and in the metrics.
cat >balls.yaml <<'END'
purpose: More balls than can be in flight.
duration: 0.5
characters:
- {name: man, body: bodies/human.yaml, drive: {kinematic: true}}
events:
- {kind: projectile, part: chest, every: 0.001, until: 0.3995, distance: 9, speed: 5, mass: 0.001, radius: 0.005}
END
run 0 run balls.yaml --metrics balls.json
has out "144 events beyond the limit at one time"
has balls.json '"events_dropped":	144'

[ $failed -eq 0 ] || { echo "$failed checks failed"; exit 1; }
echo "all checks passed"
