#!/bin/sh
# parallel.sh TASKS RESULTS [OPTIONS…]: the tasks of a JSONL under GNU parallel, from inside the repository.
# OPTIONS are parallel's own: --jobs 8, or --sshlogin for machines that have all of this at the same places.
# A task whose worker fails or is killed runs again, three times in all; started again, what has no result runs.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tasks=$(realpath -- "$1") results=$(realpath -- "$2")
shift 2
seq "$(grep -c '' "$tasks")" |
  parallel --retries 3 --joblog "$results.log" "$@" --workdir "$PWD" --quote \
    python3 "$here/fleet.py" "$tasks" "$results" --panto "${PANTO:-panto}" --line
