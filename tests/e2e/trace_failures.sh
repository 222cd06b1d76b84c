#!/bin/bash
# An interrupted recording leaves a trace that opens, replays and reports it: kills, a full disk, folders that close or
# vanish, two runs with one file. (Ctrl-C and files that are no traces: cli.sh. Single writes: unit/trace_crash.)
# Usage: STAGGER=program SOURCE=source-folder trace_failures.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"
running= # a run in the background
trap '[ -z "$running" ] || kill -9 "$running" 2>/dev/null; rm -rf "$folder"' EXIT
python=
for candidate in /usr/bin/python3 python3; do
  if "$candidate" -c 'import h5py' 2>/dev/null; then python=$candidate; break; fi
done
[ -n "$python" ] || echo "SKIP reading with h5py, there is no python3 that has it"

# start FILE SCENE OPTION...: a run in the background that records FILE; returns once the file has frames in it.
start() {
  local file=$1
  shift
  "$STAGGER" run "$@" --trace "$file" --quiet >out 2>err &
  running=$!
  wait_for_frames "$file"
}

# finish STATUS: waits for that run.
finish() {
  wait "$running" 2>/dev/null
  local status=$?
  running=
  [ "$status" -eq "$1" ] || fail "$2: exit status $status, not $1: $(head -3 err)"
}

# readable FILE STATUS: opens, replays up to its end, and h5py finds consistent channels and hashes.
readable() {
  run 0 inspect "$1"
  has out "$2"
  run 0 replay "$1"
  has out "every step is the same"
  has out "the recorded run is not complete, its status is: $2"
  [ -n "$python" ] || return
  "$python" - "$1" "$2" <<'END' || fail "h5py on $1"
import sys
import h5py
import numpy as np

trace = h5py.File(sys.argv[1])
assert trace.attrs["status"].startswith(sys.argv[2]), trace.attrs["status"]
time = trace["time"][:]
steps = round(1 / trace.attrs["frame_rate"] / trace.attrs["dt"])
assert len(time) > 1 and np.allclose(np.diff(time), steps * trace.attrs["dt"])
assert len(trace["step_hash"]) >= (len(time) - 1) * steps and np.all(trace["step_hash"][:] != 0)
channels = []
trace.visititems(lambda name, item: channels.append(item) if item.attrs.get("rows") == "frame" else None)
for channel in channels:
    assert len(channel) >= len(time), channel.name
    assert not np.all(channel[len(time) - 1] == 0) or channel.ndim < 3, channel.name
END
}

# Killed at random moments, up to two flushes after the first.
for moment in 1 2 3; do
  rm -f killed.h5
  start killed.h5 stand --duration 36000
  sleep "0.$((100 + RANDOM % 850))"
  kill -9 "$running"
  finish 137 "a killed run"
  readable killed.h5 running
  cp killed.h5 "killed_$moment.h5"
done
# An older trace is replaced, also one of a killed run.
run 0 run stand --duration 0.5 --set expect=[] --trace killed.h5 --quiet
run 0 replay killed.h5
grep -q "not complete" out && fail "the trace of a killed run was not replaced"
rm -f killed*.h5

# So is what is left of one whose end is missing, but no other HDF5 file.
run 0 run stand --duration 0.1 --set expect=[] --trace whole.h5 --quiet
head -c $(($(stat -c %s whole.h5) * 9 / 10)) whole.h5 >cut.h5
run 2 inspect cut.h5
run 0 run stand --duration 0.1 --set expect=[] --trace cut.h5 --quiet
run 0 replay cut.h5
sed 's/stagger-trace/another-trace/g' whole.h5 >other.h5
run 2 run stand --duration 0.1 --trace other.h5 --quiet
has err "other.h5: exists and is not a trace"
rm -f whole.h5 cut.h5 other.h5

# A full disk: a small one in a mount namespace of its own, or a limit of file sizes.
full() {
  has err "stopped: the trace cannot be written, after "
  has err "cannot write trace $1: $2"
  readable "$1" "stopped: the trace cannot be written: $2"
}
if unshare -rm true 2>/dev/null; then
  mkdir disk
  cat >on_disk.sh <<'END'
mount -t tmpfs -o size=8m none disk || exit 99
"$STAGGER" run hit_run --duration 3600 --trace disk/full.h5 --quiet >out 2>err
status=$?
cp disk/full.h5 full.h5
# No new trace can be created there.
dd if=/dev/zero of=disk/rest bs=4k 2>/dev/null
"$STAGGER" run stand --duration 0.1 --trace disk/begin.h5 --quiet >/dev/null 2>err_begin
echo $? >status_begin
[ ! -e disk/begin.h5 ] || echo "disk/begin.h5 is left" >>err_begin
mount -o remount,ro disk || exit 99
"$STAGGER" run stand --trace disk/none.h5 --metrics none.json >out_closed 2>err_closed
echo $? >status_closed
exit $status
END
  unshare -rm bash on_disk.sh
  status=$?
  if [ "$status" -eq 99 ]; then
    echo "SKIP a full disk, nothing can be mounted"
  else
    [ "$status" -eq 3 ] || fail "a full disk: exit status $status, not 3: $(cat err)"
    has err "cannot write trace disk/full.h5: No space left on device"
    has err "stopped: the trace cannot be written, after "
    readable full.h5 "stopped: the trace cannot be written: No space left on device"
    [ "$(cat status_begin)" -eq 3 ] || fail "a trace on a full disk: exit status $(cat status_begin), not 3"
    is err_begin "cannot write trace disk/begin.h5: No space left on device"
    # A disk that cannot be written.
    [ "$(cat status_closed)" -eq 2 ] || fail "a read-only disk: exit status $(cat status_closed), not 2"
    has err_closed "disk/none.h5: cannot be written: Read-only file system"
    [ ! -s out_closed ] || fail "a run without a trace went on: $(head -3 out_closed)"
    [ ! -e none.json ] || fail "metrics of a run that could not begin"
  fi
else
  echo "SKIP a full disk, there are no mount namespaces"
fi
(
  trap '' XFSZ
  ulimit -f 8000
  "$STAGGER" run hit_run --duration 3600 --trace limited.h5 --quiet >out 2>err
)
status=$?
[ "$status" -eq 3 ] || fail "a limit of file sizes: exit status $status, not 3"
full limited.h5 "File too large"

# A folder without permission; root has every permission.
mkdir closed
chmod 555 closed
if [ "$(id -u)" -ne 0 ]; then
  run 2 run stand --trace closed/none.h5 --metrics none.json
  has err "Permission denied"
  [ ! -e none.json ] || fail "metrics of a run that could not begin"
fi
chmod 755 closed

# A folder that vanishes: the run stops soon with a reason. One that moves is followed.
mkdir vanishing
start vanishing/lost.h5 stand --duration 36000
rm -rf vanishing
finish 3 "a folder that vanished"
has err "cannot write trace vanishing/lost.h5: it was removed while it was written"
has err "stopped: the trace cannot be written, after "
mkdir moving
start moving/kept.h5 stand --duration 36000
mv moving moved
sleep 0.5 # it continues there for a flush
kill -INT "$running"
finish 130 "a folder that moved"
readable moved/kept.h5 interrupted

# Two runs with the same file at once: one gets it.
"$STAGGER" run stand --duration 36000 --trace wanted.h5 --quiet >out_1 2>err_1 &
first=$!
"$STAGGER" run stand --duration 36000 --trace wanted.h5 --quiet >out_2 2>err_2 &
second=$!
wait_for_frames wanted.h5
wait_for grep -q "another run" err_1 err_2
kill -INT "$first" "$second" 2>/dev/null
wait "$first"
status_1=$?
wait "$second"
status_2=$?
case "$status_1 $status_2" in
"130 2") has err_2 "wanted.h5: another run is writing it" ;;
"2 130") has err_1 "wanted.h5: another run is writing it" ;;
*) fail "two runs and one file: exit statuses $status_1 and $status_2: $(cat err_1 err_2)" ;;
esac
readable wanted.h5 interrupted

[ "$failed" -eq 0 ] && echo "no failure spoils a trace"
[ "$failed" -eq 0 ]
