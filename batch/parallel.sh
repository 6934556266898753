#!/usr/bin/env bash
# Counts a plan with GNU parallel, on this machine or on several by ssh; each job counts one share.
#
#   nqueens plan 22 > plan.jsonl
#   ./parallel.sh plan.jsonl 100 results                      this machine
#   ./parallel.sh plan.jsonl 100 results --sshloginfile hosts   one host per line, see `man parallel`
#   nqueens merge plan.jsonl results/*.jsonl
#
# The same command again goes on: parallel skips the shares that its job log calls done, and tries
# those that failed again. Hosts need the program in PATH, and this folder under the same name (a
# network file system); each host counts one share at a time, on all of its threads.
set -euo pipefail

if [[ $# -lt 3 || ! $2 =~ ^[1-9][0-9]*$ ]]; then
    echo "usage: parallel.sh PLAN SHARES FOLDER [options of parallel]" >&2
    exit 2
fi
plan=$(realpath "$1") shares=$2
mkdir -p "$3"
folder=$(realpath "$3")
# The job log knows shares by their numbers alone: other shares and other plans need another one.
log=$folder/jobs-of-$shares-$(cksum < "$plan" | cut -d ' ' -f 1).log
shift 3

quoted() { printf %q "$1"; }

# --resume-failed also skips what is done; --retries gives a share of a dead host to another one.
seq "$shares" | parallel --joblog "$log" --resume-failed --retries 3 --jobs 1 "$@" \
    "$(quoted "${NQUEENS:-nqueens}") work --task {}/$shares" \
    "--out $(quoted "$folder")/{}-of-$shares.jsonl < $(quoted "$plan")"
