#!/usr/bin/env bash
# Brings what only test and check need: Debian packages and npm's StyLua ($2) into the cache ($1).
# What is already there costs nothing; what cannot be had is named, and its checks skip with a word.
set -euo pipefail
cache=$1 stylua=$2
mkdir -p "$cache"

missing=()
command -v lua5.4 >/dev/null || missing+=(lua5.4)
command -v luacheck >/dev/null || missing+=(lua-check)
command -v tmux >/dev/null || missing+=(tmux)
command -v git >/dev/null || missing+=(git)
command -v parallel >/dev/null || missing+=(parallel)
command -v faketime >/dev/null || missing+=(faketime)
command -v zsh >/dev/null || missing+=(zsh)
command -v fish >/dev/null || missing+=(fish)
[ -f /usr/share/unicode/auxiliary/GraphemeBreakTest.txt ] || missing+=(unicode-data)
[ -f /usr/share/lua/5.4/busted/runner.lua ] || [ -f /usr/local/share/lua/5.4/busted/runner.lua ] ||
  missing+=(lua-busted)

if [ ${#missing[@]} -gt 0 ]; then
  sudo=
  [ "$(id -u)" -eq 0 ] || sudo="sudo -n"
  if ! command -v apt-get >/dev/null; then
    echo "MISSING (no apt-get here, install by hand): ${missing[*]}"
  elif ! { $sudo apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends \
      "${missing[@]}" >"$cache/apt.log" 2>&1; }; then
    echo "MISSING (apt-get failed, see $cache/apt.log): ${missing[*]}"
    [ "${CI:-}" != true ] || exit 1
  fi
fi

if [ "$(cat "$cache/stylua.stamp" 2>/dev/null)" != "$stylua" ]; then
  rm -f "$cache/stylua.stamp"
  if ! { command -v node && command -v npm; } >/dev/null; then
    echo "MISSING: node and npm, for StyLua"
  elif npm install --silent --no-audit --no-fund --prefix "$cache/stylua" "$stylua" >"$cache/npm.log" 2>&1; then
    printf '%s' "$stylua" >"$cache/stylua.stamp"
  else
    echo "MISSING (npm failed, see $cache/npm.log): $stylua"
    [ "${CI:-}" != true ] || exit 1
  fi
fi
