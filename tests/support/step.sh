#!/usr/bin/env bash
# step.sh WHAT COMMAND…: says what is done while a command runs, on a terminal with the seconds so far.
# There what the command says comes at its end, when it fails: warnings are of no use to who sets panto up.
set -euo pipefail
what=$1
shift
if ! [ -t 2 ] || [ "${TERM:-dumb}" = dumb ]; then
  echo "$what" >&2
  exec "$@"
fi

said=$(mktemp)
(while printf '\r\033[K%s: %d s' "$what" "$SECONDS"; do sleep 0.5; done >&2) &
ticker=$!
trap 'kill $ticker 2>/dev/null || true; rm -f "$said"' EXIT
status=0
"$@" >"$said" 2>&1 || status=$?
kill $ticker
wait $ticker 2>/dev/null || true
printf '\r\033[K%s: %d s\n' "$what" "$SECONDS" >&2
[ $status -eq 0 ] || cat "$said" >&2
exit $status
