"""Keys, pickers, completion and commands of the editor, in a real terminal."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.home import PANTO, Home
from support.provider import Provider
from support.tmux import Terminal

Open = Callable[..., Terminal]


def said(provider: Provider, count: int) -> dict[str, Any]:
    """The body of a request, once it has come."""
    limit = time.monotonic() + 15
    while len(provider.requests) < count:
        assert time.monotonic() < limit, f"request {count} never came"
        time.sleep(0.03)
    body: dict[str, Any] = json.loads(provider.requests[count - 1].body)
    return body


def last_text(body: dict[str, Any]) -> str:
    """What the user has said last."""
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def test_shift_enter_is_a_new_line_and_the_efforts_and_models_are_picked(
    agent_home: Home, open_panto: Open
) -> None:
    with Provider([{"text": "One."}, {"text": "Two."}]) as provider:
        agent_home.use_provider(provider.url)
        models = agent_home.config / "models.toml"
        models.write_text(models.read_text() + '\n[loop.other]\nmodel = "other-model"\n')
        terminal = open_panto(extended_keys=True)
        terminal.type("first")
        terminal.wait("› first")
        time.sleep(0.3)
        terminal.keys("S-Enter")
        terminal.type("second")
        terminal.wait("› first\n  second")
        terminal.keys("C-r")
        terminal.wait("Reasoning effort")
        terminal.type("hig")
        terminal.wait("> hig\n› high")
        terminal.keys("Enter")
        terminal.wait("loop:m · high")
        terminal.keys("Enter")
        body = said(provider, 1)
        assert last_text(body) == "first\nsecond"
        assert body["reasoning_effort"] == "high"
        terminal.wait("One\\.")
        terminal.keys("C-l")
        terminal.wait("Model\n>")
        terminal.type("oth")
        terminal.keys("Enter")
        terminal.wait("loop:other · high")
        terminal.type("/effort of")
        terminal.keys("Tab", "Enter")
        terminal.wait("loop:other · no thinking")
        terminal.type("more")
        terminal.send(b"\r")  # Ctrl+M is Enter here
        body = said(provider, 2)
        assert (body["model"], body["reasoning_effort"]) == ("other-model", "none")
        [file] = agent_home.sessions.rglob("*.jsonl")
        records = [json.loads(line) for line in file.read_text().splitlines()]
        assert [r["effort"] for r in records if r["type"] == "reasoning"] == ["high", "off"]
        terminal.type("/effort hihg")
        terminal.keys("Enter")
        terminal.wait("Did you mean high")
        terminal.keys("C-c", "C-d")
        terminal.wait("left with 0")
        open_panto("--resume").wait("loop:other · no thinking")


def test_files_complete_without_what_gitignore_leaves_out(
    agent_home: Home, open_panto: Open
) -> None:
    for name in ("src/parser.lua", "src/deep/tokens.lua", "node_modules/x/parse.js", "a b.txt"):
        path = agent_home.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    (agent_home.work / ".gitignore").write_text("node_modules/\n")
    with Provider([{"text": "Seen."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.type("see @prs")
        text = terminal.wait("› src/parser.lua")
        assert "parse.js" not in text
        terminal.keys("Tab")
        terminal.type("and @txt")
        terminal.wait("› a b.txt")
        terminal.keys("Enter")
        terminal.wait('and @"a b.txt"')
        terminal.type("@dee")
        terminal.wait("› src/deep/")
        terminal.keys("Tab")
        terminal.wait("› src/deep/tokens.lua")
        terminal.keys("Tab")
        terminal.keys("Enter")
        text = last_text(said(provider, 1))
        assert text.rstrip() == 'see @src/parser.lua and @"a b.txt" @src/deep/tokens.lua'


def test_the_draft_goes_through_the_editor_of_the_user(
    agent_home: Home, open_panto: Open, tmp_path: Path
) -> None:
    editor, seen = tmp_path / "editor", tmp_path / "seen"
    editor.write_text(
        f'#!/bin/sh\nstat -c %a "$1" > {seen}; stty -a >> {seen}; echo "$1" >> {seen}\n'
        'grep -q fail "$1" && exit 3\necho EDITING; sleep 0.3; echo "and more" >> "$1"\n'
    )
    editor.chmod(0o755)
    agent_home.extra["VISUAL"] = str(editor)
    with Provider([]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.type("begun")
        terminal.wait("› begun")
        terminal.keys("C-g")
        terminal.wait("› begun\n  and more")
        lines = seen.read_text().splitlines()
        assert lines[0] == "600"
        assert re.search(r"(?<!-)icanon", seen.read_text())
        assert not Path(lines[-1]).exists()
        terminal.type(" fail")
        terminal.wait("more fail")
        terminal.keys("C-g")
        terminal.wait(r"ended\s+with\s+code\s+3")
        terminal.wait("and more fail")
        terminal.keys("C-_")
        terminal.wait(r"› begun\n  and more\s*\n")


def test_keys_are_bound_by_the_configuration(agent_home: Home, open_panto: Open) -> None:
    state = agent_home.root / "state/panto"
    state.mkdir(parents=True)
    (state / "history.jsonl").write_text('"older prompt"\n"another\\nof two lines"\n')
    with Provider([]) as provider:
        agent_home.use_provider(
            provider.url, more='[keys]\n"Ctrl+S" = "history_search"\n"ctrl+l" = "none"\n'
        )
        terminal = open_panto()
        terminal.keys("C-l")
        terminal.keys("C-s")
        text = terminal.wait("Earlier prompts")
        assert "another ⏎ of two lines" in text
        assert "Model\n" not in text
        terminal.type("oldr")
        terminal.keys("Enter")
        terminal.wait("› older prompt")
        terminal.keys("C-c", "C-d")
        terminal.wait("left with 0")
        agent_home.use_provider(provider.url, more='[keys]\n"ctrl+s" = "history_serch"\n')
        other = open_panto_failing(agent_home)
        assert 'keys."ctrl+s" must name an action' in other
        assert 'did you mean "history_search"' in other


def open_panto_failing(home: Home) -> str:
    """What panto says when it does not start."""
    words = [str(PANTO), "run", "hello"]
    done = subprocess.run(words, cwd=home.work, env=home.full_env(), timeout=30,
                          capture_output=True, text=True, check=False)
    assert done.returncode != 0
    return done.stdout + done.stderr


def test_answers_are_copied_and_sessions_begun(agent_home: Home, open_panto: Open) -> None:
    answer = "Look:\n\n```sh\necho one\n```\n\n~~~lua\nreturn 2\n~~~\n"
    with Provider([{"text": answer}, {"text": "Fresh."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.type("/copy")
        terminal.keys("Enter")
        terminal.wait("no answer yet")
        terminal.type("go")
        terminal.keys("Enter")
        terminal.wait("return 2")
        for words, wanted in [("/copy", answer.rstrip()), ("/copy code", "return 2"),
                              ("/copy code 1", "echo one")]:
            terminal.type(words)
            terminal.keys("Escape")
            time.sleep(0.1)
            terminal.keys("Enter")
            limit = time.monotonic() + 10
            while terminal.clipboard().rstrip() != wanted:
                assert time.monotonic() < limit, terminal.clipboard()
                time.sleep(0.05)
        terminal.type("/new")
        terminal.keys("Enter")
        terminal.wait("A new session")
        terminal.type("again")
        terminal.keys("Enter")
        terminal.wait("Fresh")
        assert [m["role"] for m in said(provider, 2)["messages"]] == ["system", "user"]
        assert len(list(agent_home.sessions.rglob("*.jsonl"))) == 2


def test_a_paste_sends_nothing_whatever_it_holds(agent_home: Home, open_panto: Open) -> None:
    with Provider([{"text": "Done."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.paste("one\n\x1b[201~two\nthree\n")
        terminal.wait("three")
        terminal.type("end")
        terminal.wait("end")
        assert provider.requests == []
        terminal.keys("Enter")
        assert last_text(said(provider, 1)) == "one\ntwo\nthree\nend"


def test_two_lines_pasted_by_a_terminal_that_marks_no_pastes_send_nothing(
    agent_home: Home, open_panto: Open
) -> None:
    with Provider([{"text": "Done."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.paste("fix the parser\nand test it", is_marked=False)
        terminal.wait("and test it")
        terminal.type(", end")
        terminal.wait("and test it, end")
        assert provider.requests == []
        terminal.keys("Enter")
        assert last_text(said(provider, 1)) == "fix the parser\nand test it, end"


def test_the_title_tells_of_a_turn_and_is_given_back(agent_home: Home, open_panto: Open) -> None:
    with Provider([{"text": "Done.", "wait_s": 1.0}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        before = terminal.title()
        assert before == "panto · work"
        terminal.type("go")
        terminal.keys("Enter")
        terminal.wait("working")
        assert terminal.title() == "… panto · work"
        terminal.wait(r"Done\.")
        terminal.wait("working", gone=True)
        assert terminal.title() == "panto · work"
        terminal.keys("C-d")
        terminal.wait("left with 0")
        assert "panto ·" not in terminal.title()


def test_the_model_picker_without_a_model_says_why_in_a_line(open_panto: Open) -> None:
    terminal = open_panto()
    start = terminal.wait(r"! .*\n")
    terminal.keys("C-l")
    (why,) = re.findall(r"^! (.{20})", start, re.MULTILINE)[:1]
    shown = terminal.wait(rf"(?s)! {re.escape(why)}.*! {re.escape(why)}")
    again = shown[shown.rindex(why) :]
    assert "─" in again
    assert len(again[: again.index("─")].strip().splitlines()) <= 2, shown


def test_extensions_are_told_of_in_a_table(agent_home: Home, open_panto: Open) -> None:
    with Provider([]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto(cols=80)
        terminal.type("/extensions")
        terminal.keys("Enter")
        shown = terminal.wait("std.shell")
        head = shown.index("entry ")
        rows = shown[head:].partition("tokens:")[0].rstrip().splitlines()
        assert len(rows) == 5
        assert all(len(row.split()) >= 7 for row in rows), shown
