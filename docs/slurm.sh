#!/bin/sh
# 64 shards of a plan as an array of jobs: each plays the shard that its number names (docs/MACHINES.md).
# `sbatch docs/slurm.sh` in a folder with plan.json; a job that is begun again goes on where it was stopped.
#SBATCH --job-name=probity
#SBATCH --array=0-63%16
#SBATCH --requeue
probity run --plan plan.json --shard "$SLURM_ARRAY_TASK_ID/64" --out "parts/$SLURM_ARRAY_TASK_ID"
