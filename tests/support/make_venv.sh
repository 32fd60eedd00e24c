#!/usr/bin/env bash
# Makes the virtual environment $2 with the Python $1; Debian parts venv from its python3.
set -euo pipefail
python=$1 venv=$2

if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
  package="python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv"
  sudo=
  [ "$(id -u)" -eq 0 ] || sudo="sudo -n"
  if ! { command -v apt-get >/dev/null && $sudo apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq "$package" >/dev/null; }; then
    echo "this Python cannot make virtual environments: install its venv package (Debian: $package)" >&2
    exit 1
  fi
fi
"$python" -m venv "$venv"
