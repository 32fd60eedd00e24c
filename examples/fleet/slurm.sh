#!/bin/sh
# slurm.sh TASKS RESULTS [OPTIONS…]: the tasks of a JSONL as a Slurm array, from inside the repository, on a file
# system that the nodes share. OPTIONS are sbatch's own: --time=30, --partition=NAME; AT_ONCE=20 limits the array.
# A task runs again when its node is lost (--requeue) or when its worker fails or is killed, three times in all.
set -eu
if [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
  here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
  tasks=$(realpath -- "$1") results=$(realpath -- "$2")
  shift 2
  exec sbatch --requeue --open-mode=append --output="$results.%a.log" \
    --array="1-$(grep -c '' "$tasks")%${AT_ONCE:-20}" "$@" "$here/slurm.sh" "$here" "$tasks" "$results"
fi
python3 "$1/fleet.py" "$2" "$3" --panto "${PANTO:-panto}" --line "$SLURM_ARRAY_TASK_ID" && exit 0
[ "${SLURM_RESTART_COUNT:-0}" -ge 2 ] || scontrol requeue "$SLURM_JOB_ID"
exit 1
