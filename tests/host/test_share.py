"""What lies in share/ names every command of panto."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from support.child import ROOT, run_bounded

SHARE = ROOT / "share"
FILES = ["man/panto.1", *(f"completions/{n}" for n in ("panto.bash", "_panto", "panto.fish"))]


def commands() -> set[str]:
    """The words that main.lua knows."""
    text = (ROOT / "lua/panto/main.lua").read_text()
    table = text.split("local COMMANDS = {")[1].split("\n}")[0]
    return {word for word in re.findall(r'\["([^"]+)"\]', table) if word[0] != "-"}


@pytest.mark.parametrize("name", FILES)
def test_every_command_is_named(name: str) -> None:
    words = set(re.findall(r"[a-z]+", (SHARE / name).read_text()))
    assert commands() <= words, commands() - words


def test_every_command_is_in_the_help_text() -> None:
    words = set(re.findall(r"(?m)^  panto ([a-z]+)", (ROOT / "lua/panto/cli/help.lua").read_text()))
    assert commands() <= words, commands() - words


def test_a_command_shows_its_part_of_the_help_text(panto: Path, panto_env: dict[str, str]) -> None:
    done = run_bounded([panto, "run", "--help"], env=panto_env)
    assert (done.code, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage:\n  panto run ")
    assert "--max-turns" in done.stdout
    for command in commands() - {"lua"}:
        done = run_bounded([panto, command, "--help"], env=panto_env)
        assert (done.code, done.stderr) == (0, "")
        assert set(re.findall(r"(?m)^  panto ([a-z]+)", done.stdout)) == {command}


def test_bash_completes_commands_and_their_words() -> None:
    ask = (
        f'source "{SHARE}/completions/panto.bash"; '
        'ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _panto; echo "${COMPREPLY[@]}"; }; '
        "ask panto tu; ask panto run --js; ask panto auth log"
    )
    done = run_bounded(["bash", "-c", ask])
    assert done.stdout.splitlines() == ["tutor", "--json", "login logout"], done.output


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_the_man_page_is_rendered_without_a_warning() -> None:
    done = run_bounded(["groff", "-man", "-Tutf8", "-ww", "-z", SHARE / "man/panto.1"])
    assert (done.code, done.stderr) == (0, "")
