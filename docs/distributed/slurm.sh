#!/bin/bash
# Workers for a sweep, as an array of jobs: sbatch --array=0-15 slurm.sh
# The sweep runs on the login node, or on another machine that the nodes reach:
#
#   rocesim sweep incast-32-1.yaml --seeds 100 --listen login1:4222 --secret $HOME/rocesim.secret
#
#SBATCH --job-name=rocesim
#SBATCH --cpus-per-task=8
#SBATCH --mem-per-cpu=2G
#SBATCH --time=08:00:00
# Slurm tells the worker 60 s before the time is up, so that it gives its runs
# back to others instead of losing them.
#SBATCH --signal=TERM@60
#SBATCH --requeue

# srun does not take over --cpus-per-task by itself since Slurm 22.05: without it
# all processes would share one processor.
exec srun --cpus-per-task="$SLURM_CPUS_PER_TASK" --kill-on-bad-exit=0 rocesim worker \
	--nats "tls://${ROCESIM_HOST:-login1}:4222" \
	--secret "$HOME/rocesim.secret" \
	--workers "$SLURM_CPUS_PER_TASK" \
	--idle 5m
