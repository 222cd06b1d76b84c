#!/bin/bash
# stagger sweep as a Slurm job on two nodes, by the shipped job script. The test starts a Slurm of its own: a controller
# and two node daemons on this machine, in a temporary folder. They need to be root.
# Usage: STAGGER=program SOURCE=source-folder sweep_slurm.sh
set -u
[ -x "${STAGGER:-}" ] || { echo "set STAGGER to the program"; exit 1; }
skip() {
  echo "SKIP $*"
  exit 77
}
[ "$(id -u)" -eq 0 ] || skip "only root can start Slurm's daemons"
for program in slurmctld slurmd sbatch srun mpirun; do
  command -v $program >/dev/null || skip "there is no $program"
done
if OMPI_COMM_WORLD_SIZE=2 "$STAGGER" sweep nothing 2>&1 | grep -q "without MPI"; then
  skip "stagger is built without MPI"
fi

folder=$(mktemp -d)
daemons=
stop() {
  # shellcheck disable=SC2086 # a list of numbers
  [ -z "$daemons" ] || kill $daemons 2>/dev/null
  wait
  rm -rf "$folder"
}
trap stop EXIT
cd "$folder" || exit 1
failed=0

fail() {
  echo "FAIL $*"
  failed=$((failed + 1))
}

has() { grep -qF -- "$2" "$1" || fail "no '$2' in $1: $(head -5 "$1")"; }
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }
has_rows() { [ -e "$1/trials.csv" ] && [ "$(wc -l <"$1/trials.csv")" -gt "$2" ]; }

# try COMMAND...: until it succeeds, at most 60 s. False: it never did.
try() {
  local tries=300
  until "$@" 2>/dev/null; do
    [ $((tries -= 1)) -gt 0 ] || return 1
    sleep 0.2
  done
}
wait_for() { try "$@" || fail "waited in vain for: $*"; }

# Two nodes of two processors each, on any machine.
port=$((20000 + $$ % 10000 * 3))
mkdir state spool-n1 spool-n2 tmp-n1 tmp-n2
cat >slurm.conf <<END
ClusterName=stagger
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
AuthInfo=cred_expire=5
SlurmctldPort=$port
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
TmpFS=$folder/tmp-%n
SlurmctldPidFile=$folder/controller.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/controller.log
SlurmdLogFile=$folder/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SwitchType=switch/none
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2,bf_interval=2
MpiDefault=none
KillWait=5
MailProg=/bin/true
NodeName=n[1-2] NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 2))] CPUs=2
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$folder/slurm.conf"
# However this script ends, the daemons end.
timeout 280 slurmctld -D -i >controller.out 2>&1 &
daemons=$!
for node in n1 n2; do
  timeout 280 slurmd -D -N $node >$node.out 2>&1 &
  daemons="$daemons $!"
done
nodes_are_idle() { [ "$(sinfo -h -t idle -o %D)" = 2 ]; }
try nodes_are_idle || skip "Slurm does not start here: $(sinfo 2>&1 | tail -n 3) $(tail -n 3 controller.out n1.out 2>&1)"
srun --mpi=list 2>&1 | grep -q pmix || skip "this Slurm has no pmix"

# Two nodes on one machine must not share memory.
export OMPI_MCA_btl=tcp,self
export STAGGER_SCENES="$SOURCE/scenes"
export ASAN_OPTIONS=detect_leaks=0 # see sweep_mpi.sh
PATH="$(dirname "$STAGGER"):$PATH"
cat >small.yaml <<'END'
scene: limp
repeats: 16
set: [duration=1]
axes:
  world.friction: {values: [0.3, 1], name: friction}
  characters.doll.start.heading: {from: 0, to: 90, steps: 4, name: heading}
traces:
  - {trials: [3, 5]}
END
stagger sweep small --quiet --out alone || fail "without Slurm: exit status $?"
same_results() {
  same alone/trials.csv "$1/trials.csv"
  same alone/summary.csv "$1/summary.csv"
  stagger compare alone/traces/trial_000003.h5 "$1/traces/trial_000003.h5" >out 2>&1 || fail "traces: $(head -3 out)"
}

# submit ARGUMENT...: the job script with two nodes and two workers on each.
submit() {
  timeout 100 sbatch --parsable --cpus-per-task=2 --output="$folder/job.log" "$@"
}
script="$SOURCE/scenes/studies/slurm.sh"

submit --wait "$script" small whole >out 2>err || fail "the job fails: $(cat err job.log)"
has job.log "whole: 128 of 128 trials, 128 of them now in "
has whole/sweep.json '"ranks":	2'
has whole/sweep.json '"workers":	4'
same_results whole

# Cancelled, and warned of its time limit, it stops in good order: finished trials stay, and no trial has crashed.
cat >long.yaml <<'END'
scene: limp
axes: {duration: [0.1, 36000, 0.2, 36000, 36000, 36000]}
metrics: [doll.fell]
END
for end in "" "--signal=TERM"; do
  rm -rf long
  job=$(submit "$script" long)
  wait_for has_rows long 2
  # shellcheck disable=SC2086 # nothing, or one word
  scancel $end "$job"
  wait_for grep -q '"status":	"interrupted"' long/sweep.json
  job_has_ended() { [ -z "$(squeue -h -j "$job")" ]; }
  wait_for job_has_ended
  [ "$(tail -n +2 long/trials.csv | cut -d, -f1,6 | sort | tr '\n' ' ')" = "0,complete 2,complete " ] ||
    fail "scancel $end: $(cat long/trials.csv)"
done

# Requeued during the run, the same job continues by itself.
job=$(submit "$script" small requeued)
wait_for has_rows requeued 4
scontrol requeue "$job"
wait_for grep -q '"status":	"complete"' requeued/sweep.json
[ "$(grep -c '"command"' requeued/sweep.json)" -eq 2 ] || fail "the requeued job was not run twice"
same_results requeued

# Without MPI each task would run the whole sweep.
srun --mpi=none -n 2 stagger sweep small --out none >out 2>err && fail "tasks without MPI are not refused"
has err "srun has started 2 tasks without MPI"
[ ! -e none ] || fail "tasks without MPI have written"

[ "$failed" -eq 0 ] && echo "sweeps as Slurm jobs behave"
[ "$failed" -eq 0 ]
