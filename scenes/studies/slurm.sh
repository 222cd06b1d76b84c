#!/bin/bash
# A sweep as a Slurm job. Copy this file, change the sizes to those of your cluster, then:
#
#   sbatch slurm.sh STUDY [FOLDER]
#
# FOLDER must be on a disk that all nodes share; by default it is the study's name where sbatch was called. `stagger`
# must be in the PATH of the nodes, and built with the MPI of srun. `srun --mpi=list` lists the kinds; if pmix is not
# among them, `mpirun` in place of `srun --mpi=pmix --cpus-per-task=...` starts the same ranks.
#
#SBATCH --job-name=stagger
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@60
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x-%j.log
#
# nodes, ntasks-per-node    one rank a node ...
# cpus-per-task             ... with so many workers, each of which needs 20 to 100 MB of memory
# time, signal              a minute before its time is up, the sweep is told and stops in good order; submit it again
#                           to go on
# requeue                   a job whose node failed, or that had to make room, is started again by Slurm
#
# --resume continues with the folder's trials, and starts if there are none: only trials that were interrupted are run
# again.
set -eu
study=${1:?usage: sbatch slurm.sh STUDY [FOLDER]}
folder=${2:-$(basename "$study" .yaml)}
srun --mpi=pmix --cpus-per-task="${SLURM_CPUS_PER_TASK:-1}" stagger sweep "$study" --out "$folder" --resume
