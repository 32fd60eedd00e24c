"""A new user's first minute: `make run` in a fresh checkout, an empty home and no key."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support.child import ROOT
from support.tmux import Terminal
from support.tour import WAIT_S, take_tour

MADE = (".git", ".venv", ".cache", "build", "__pycache__", ".*_cache", "*.egg-info", "node_modules")
SETUP_S = 300.0


def bare_environment(home: Path) -> list[str]:
    """What is left of this machine's: the search path, and how pip reaches its packages."""
    folders = os.environ["PATH"].split(":")
    kept = {
        name: value
        for name, value in os.environ.items()
        if re.fullmatch(r"PIP_\w+|(?i:\w+_proxy)|SSL_CERT_\w+|REQUESTS_CA_BUNDLE", name)
    }
    kept["PATH"] = ":".join(f for f in folders if not Path(f, "panto").exists())
    own = Path.home() / ".config/pip/pip.conf"
    if own.exists():
        kept.setdefault("PIP_CONFIG_FILE", str(own))
    kept.setdefault("PIP_CACHE_DIR", str(Path.home() / ".cache/pip"))
    kept["HOME"] = kept["TMPDIR"] = str(home)
    kept["LANG"] = "C.UTF-8"
    return [f"{name}={value}" for name, value in kept.items()]


@pytest.mark.timeout(480)
def test_make_run_sets_up_and_leads_through_the_tour() -> None:
    with TemporaryDirectory(prefix="p", ignore_cleanup_errors=True) as root:
        home, checkout = Path(root, "h"), Path(root, "panto")
        home.mkdir()
        shutil.copytree(ROOT, checkout, symlinks=True, ignore=shutil.ignore_patterns(*MADE))
        run = ["sh", "-c", 'exec env -i TERM="$TERM" "$@"', "sh", *bare_environment(home)]
        with Terminal([*run, "make", "run"], folder=checkout, rows=40) as terminal:
            shown = terminal.wait(r"· no model|left with", timeout_s=SETUP_S)
            assert "no provider can be used: no API key was found." in shown
            assert "`.venv/bin/panto tutor` (in panto: /tutor)" in " ".join(shown.split())
            terminal.type("/tutor")
            terminal.keys("Enter")
            take_tour(terminal)
            terminal.wait(r"\.venv/bin/panto local looks for", timeout_s=WAIT_S)
            terminal.wait(r"the tour's files are in .*(\n.*)*no model", timeout_s=WAIT_S)
            terminal.keys("C-d")
            terminal.wait(r"\[left with 0\]", timeout_s=WAIT_S)
        assert list((home / ".local/share/panto/sessions").rglob("*.jsonl"))
