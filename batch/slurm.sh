#!/usr/bin/env bash
# Counts a plan with a Slurm job array; each array task counts one share of the plan.
#
#   nqueens plan 24 > plan.jsonl
#   sbatch --array=1-100 slurm.sh plan.jsonl 100 results
#   nqueens merge plan.jsonl results/*.jsonl
#
# The number of shares stands on the command line, not in --array: so one share can be submitted
# again (sbatch --array=7 slurm.sh plan.jsonl 100 results), and there may be more shares than an array
# may have tasks (MaxArraySize, mostly 1001). A requeued or repeated share goes on where it was: its
# file holds the results of all attempts.
#
# Set --cpus-per-task, --mem and --time for your machines: more options of sbatch in front of the
# script's name replace these.
#SBATCH --job-name=nqueens
#SBATCH --cpus-per-task=2
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=nqueens-%A-%a.log
set -euo pipefail

if [[ $# -ne 3 || ! $2 =~ ^[1-9][0-9]*$ ]]; then
    echo "usage: sbatch --array=1-SHARES slurm.sh PLAN SHARES FOLDER" >&2
    exit 2
fi
plan=$1 shares=$2 folder=$3
share=${SLURM_ARRAY_TASK_ID:?submit this as an array: sbatch --array=1-$shares ...}

mkdir -p "$folder"
# exec: so the signals of scancel, requeue and the time limit come to the program itself, which then
# finishes the units in hand and saves them.
exec "${NQUEENS:-nqueens}" work --threads "$SLURM_CPUS_PER_TASK" \
    --task "$share/$shares" --out "$folder/$share-of-$shares.jsonl" < "$plan"
