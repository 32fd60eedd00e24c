"""What lies in share/: each shell, asked for real, and the man page know what panto help tells."""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path

import pytest
from support.child import ROOT, run_bounded
from support.tmux import Terminal

SHARE = ROOT / "share"
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
# Whatever word stands behind these, the command has options of its own.
ACTIONS = {"sessions": ["", "export x ", "delete x "]}


def commands() -> set[str]:
    """The words that main.lua knows."""
    text = (ROOT / "lua/panto/main.lua").read_text()
    table = text.split("local COMMANDS = {")[1].split("\n}")[0]
    return {word for word in re.findall(r'\["([^"]+)"\]', table) if word[0] != "-"}


def help_text() -> str:
    return (ROOT / "lua/panto/cli/help.lua").read_text().split("[[\n")[1].split("\n]]")[0]


def options_in_help() -> dict[str, set[str]]:
    """The options of each command, and those of a conversation below ""."""
    found: dict[str, set[str]] = {command: set() for command in ["", *commands()]}
    usage, _, rest = help_text().partition("\n\nOptions of a conversation:\n")
    command = ""
    for line in usage.split("Usage:\n")[1].splitlines():
        if line.startswith("  panto"):
            command = line.split()[1]
            command = "" if command.startswith("-") or command not in found else command
        found[command] |= set(OPTION.findall(line)) - {"-h"}
    talk, run = rest.split("\n\nConfiguration")[0].split("\n\nOptions of panto run:\n")
    found[""] |= set(OPTION.findall(talk)) | {"--help"}
    found["run"] |= set(OPTION.findall(run))
    found["help"] = set()
    return found


OPTIONS = options_in_help()
SHOWN = [(command, action) for command in OPTIONS for action in ACTIONS.get(command, [""])]


def test_the_help_text_has_every_command() -> None:
    words = set(re.findall(r"(?m)^  panto ([a-z]+)", help_text()))
    assert commands() == words
    assert OPTIONS["run"] >= {"--json", "--model", "--max-turns"}
    assert OPTIONS["sessions"] == {"--all", "--json", "--md", "--html", "-o", "--yes"}


def test_a_command_shows_its_part_of_the_help_text(panto: Path, panto_env: dict[str, str]) -> None:
    done = run_bounded([panto, "run", "--help"], env=panto_env)
    assert (done.code, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage:\n  panto run ")
    assert "--max-turns" in done.stdout
    for command in commands() - {"lua"}:
        done = run_bounded([panto, command, "--help"], env=panto_env)
        assert (done.code, done.stderr) == (0, "")
        assert set(re.findall(r"(?m)^  panto ([a-z]+)", done.stdout)) == {command}


def test_the_man_page_has_the_same_commands_and_options() -> None:
    text = (SHARE / "man/panto.1").read_text()
    text = re.sub(r"\\f[BRI]", "", text).replace("\\-", "-").replace("\\\n", "")
    listed = text.split(".SH COMMANDS\n")[1].split(".SH EXIT")[0]
    talk = text.split(".SH OPTIONS\n")[1].split(".SH COMMANDS")[0]
    found = {"": set(OPTION.findall(talk)) - {"-h"}}
    for part in listed.split(".TP\n")[1:]:
        command = part.split()[1].split("show|")[0]
        found.setdefault(command, set()).update(OPTION.findall(part))
    assert found == OPTIONS


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_the_man_page_is_rendered_without_a_warning() -> None:
    done = run_bounded(["groff", "-man", "-Tutf8", "-ww", "-z", SHARE / "man/panto.1"])
    assert (done.code, done.stderr) == (0, "")


def asked_lines() -> list[str]:
    """Command lines, each up to the place where Tab is pressed for the options."""
    return [" ".join(f"panto {command} {action}".split()) + " -" for command, action in SHOWN]


def check_answers(answers: list[str]) -> None:
    """For each of the lines what a shell offered."""
    found: dict[str, set[str]] = {command: set() for command in OPTIONS}
    for (command, _), answer in zip(SHOWN, answers, strict=True):
        found[command] |= set(OPTION.findall(answer))
    assert found == OPTIONS


def test_bash_completes() -> None:
    def ask(*lines: str) -> list[str]:
        script = (
            f'source "{SHARE}/completions/panto.bash"; complete -p panto >/dev/null || exit\n'
            'ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _panto; echo "${COMPREPLY[@]}"; }\n'
        )
        asked = "".join(f"ask {line}\n" for line in lines)
        return run_bounded(["bash", "-c", script + asked]).stdout.splitlines()

    check_answers(ask(*asked_lines()))
    assert set(ask("panto ''")[0].split()) - {*OPTIONS[""]} == commands()
    assert ask("panto auth log", "panto test Makef") == ["login logout", "Makefile"]
    assert ask("panto run --input ''", "panto run --model ''") == ["jsonl", ""]


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
def test_fish_completes() -> None:
    def ask(*lines: str) -> list[str]:
        script = f'source "{SHARE}/completions/panto.fish"\n'
        for line in lines:
            script += f"string join ' ' -- (complete -C '{line}' | string replace -r '\\t.*' '')\n"
            script += "echo END\n"
        done = run_bounded(["fish", "--no-config", "-c", script])
        return [part.strip() for part in done.stdout.split("END\n")][:-1]

    check_answers(ask(*asked_lines()))
    assert set(ask("panto ")[0].split()) == commands()
    assert ask("panto auth log", "panto run --input ", "panto test Makef") == [
        "login logout", "jsonl", "Makefile",
    ]  # fmt: skip


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
def test_zsh_completes(tmp_path: Path) -> None:
    (tmp_path / ".zshrc").write_text(
        f"fpath=({SHARE}/completions $fpath)\nautoload -Uz compinit\ncompinit -u -D\n"
        "PS1='ready> '\nsetopt no_auto_menu no_list_ambiguous no_always_last_prompt\nLISTMAX=1000\n"
    )
    env = {"ZDOTDIR": str(tmp_path)}
    with Terminal(["zsh", "-i"], folder=ROOT, env=env, cols=80, rows=50) as terminal:

        def ask(line: str, pattern: str) -> str:
            terminal.wait(r"ready>\s*\Z")
            terminal.type(line)
            terminal.keys("Tab")
            terminal.wait(pattern)
            limit, before = time.monotonic() + 10, ""
            while (shown := terminal.screen()) != before and time.monotonic() < limit:
                before = shown
                time.sleep(0.1)
            terminal.keys("C-u", "C-l")
            terminal.wait("ready> " + re.escape(line.strip()), gone=True)
            return shown

        answers = []
        for line, (command, _) in zip(asked_lines(), SHOWN, strict=True):
            answers.append(ask(line, "--[a-z]") if OPTIONS[command] else "")
        check_answers(answers)
        shown = ask("panto ", "tutor")
        assert commands() <= set(re.findall(r"(?m)^([a-z]+) +-- ", shown))
        assert "login" in ask("panto auth ", "logout")
