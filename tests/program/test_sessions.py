"""Sessions in the real program: branches, forks, the list, export, undo, prompts that change."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.child import Finished, run_bounded
from support.home import PANTO, Home
from support.provider import Provider
from support.tmux import Terminal


def call(name: str, id: str, **arguments: Any) -> dict[str, str]:
    return {"name": name, "id": id, "arguments": json.dumps(arguments)}


def panto(home: Home, *words: str, stdin: str | None = None, cwd: Path | None = None) -> Finished:
    return run_bounded([PANTO, *words], env=home.full_env(), cwd=cwd or home.work, stdin=stdin)


def files(home: Home) -> list[Path]:
    return sorted(home.sessions.glob("*/*.jsonl"), key=lambda path: path.stat().st_mtime)


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def said(body: bytes) -> list[str]:
    return [m["content"] for m in json.loads(body)["messages"] if m["role"] == "user"]


def ask(terminal: Terminal, text: str, answer: str) -> None:
    terminal.type(text)
    terminal.keys("Enter")
    terminal.wait(answer)
    terminal.wait("esc to stop", gone=True)


def test_tree_goes_back_to_a_message_and_nothing_is_lost(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Provider([{"text": f"answer {i}."} for i in range(1, 5)]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "first question", "answer 1")
        ask(terminal, "second question", "answer 2")
        terminal.type("/tree")
        terminal.keys("Enter")
        terminal.wait("Go back to")
        terminal.type("second question")
        terminal.keys("Enter")
        terminal.wait("goes on from here")
        terminal.wait(r"› second question\s")
        terminal.type(" again")
        terminal.keys("Enter")
        terminal.wait("answer 3")
        assert said(provider.bodies[2]) == ["first question", "second question again"]
        terminal.wait("esc to stop", gone=True)
        terminal.keys("C-d")
        terminal.wait("left with 0")
        kept = [r for r in records(files(agent_home)[0])[1:] if r["type"] == "message"]
        assert len(kept) == 6
        assert kept[4]["parent"] == kept[2]["parent"]

        again = open_panto("--resume")
        again.wait(r"resumed session \w{8} \(4 messages\)")
        ask(again, "third", "answer 4")
        assert said(provider.bodies[3])[1:] == ["second question again", "third"]


def test_a_session_that_is_open_can_be_copied(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Provider([{"text": f"answer {i}."} for i in range(1, 4)]) as provider:
        agent_home.use_provider(provider.url)
        first = open_panto()
        ask(first, "question", "answer 1")
        path = files(agent_home)[0]
        refused = panto(agent_home, "run", "--resume", path.stem, "x")
        assert refused.code == 2
        assert re.search(r"is open in another panto \(pid \d+\); add --fork", refused.stderr)

        copy = open_panto("--resume", "--fork")
        copy.wait(f"this is a copy of session {path.stem[:8]}")
        ask(copy, "of the copy", "answer 2")
        ask(first, "of the first", "answer 3")
        assert said(provider.bodies[1]) == ["question", "of the copy"]
        assert said(provider.bodies[2]) == ["question", "of the first"]
        assert len(files(agent_home)) == 2
        header = records(files(agent_home)[0])[0], records(files(agent_home)[1])[0]
        assert {h.get("forked_from", {}).get("session") for h in header} == {None, path.stem}


def test_a_second_panto_asks_whether_to_copy(agent_home: Home) -> None:
    with Provider([{"text": "answer 1."}]) as provider:
        agent_home.use_provider(provider.url)
        options = {"folder": agent_home.work, "env": agent_home.env()}
        with Terminal([str(PANTO)], **options) as first:
            first.wait("›")
            ask(first, "question", "answer 1")
            with Terminal([str(PANTO), "--resume"], **options) as second:
                second.wait(r"Go on with a copy of it now\? \[y/N\]")
                second.type("y")
                second.keys("Enter")
                second.wait(r"resumed session \w{8} \(2 messages\)")
            with Terminal([str(PANTO), "--resume", files(agent_home)[0].stem], **options) as third:
                third.wait(r"\[y/N\]")
                third.keys("Enter")
                third.wait("left with 1")


def test_the_running_panto_goes_over_to_another_session(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Provider([{"text": f"answer {i}."} for i in range(1, 4)]) as provider:
        agent_home.use_provider(provider.url)
        assert panto(agent_home, "run", "an old question").code == 0
        terminal = open_panto()
        ask(terminal, "a new question", "answer 2")
        terminal.type("/sessions")
        terminal.keys("Enter")
        terminal.wait("an old question")
        terminal.keys("Enter")
        terminal.wait(r"resumed session \w{8} \(2 messages\)")
        ask(terminal, "go on", "answer 3")
        assert said(provider.bodies[2]) == ["an old question", "go on"]


def test_sessions_are_listed_shown_exported_and_deleted(agent_home: Home) -> None:
    long = "Look:\n\n```lua\nprint('<b>')\n```\n\n- one\n- `two`\n"
    script = [
        {"thinking": "hm", "tool_calls": [call("std_shell", "c1", command="echo '<i>' && exit 3")]},
        {"text": long},
        {"text": "other"},
    ]
    with Provider(script) as provider:
        agent_home.use_provider(provider.url)
        assert panto(agent_home, "run", "the <first> question").code == 0
        assert panto(agent_home, "run", "another").code == 0
    lines = panto(agent_home, "sessions").stdout.splitlines()
    assert len(lines) == 2
    form = r"[0-9a-f]{8}(-[0-9a-f-]+)? \d{4}-\d\d-\d\d \d\d:\d\d \d+ messages"
    assert all(re.fullmatch(form, line) for line in lines)
    assert lines[1].endswith(" 4 messages")
    listed = json.loads(panto(agent_home, "sessions", "--json").stdout)
    assert [one["first_text"] for one in listed] == ["another", "the <first> question"]
    everywhere = panto(agent_home, "sessions", "--all").stdout
    assert everywhere.splitlines()[0] == f"{lines[0]}  {agent_home.work}"
    identity = listed[1]["id"]
    shown = panto(agent_home, "sessions", "show", identity).stdout
    question = "## User\n\nthe <first> question"
    for text in (question, "command: `echo '<i>' && exit 3`", "print('<b>')"):
        assert text in shown
    assert panto(agent_home, "sessions", "export", identity, "--md").stdout == shown
    page = agent_home.work / "page.html"
    assert panto(agent_home, "sessions", "export", identity, "-o", str(page)).code == 0
    html = page.read_text()
    assert "<b>" not in html and "<i>" not in html
    assert (
        "print('&lt;b&gt;')" in html
        and "<li>one</li>" in html
        and "http" not in html.replace("http-equiv", "")
    )
    refused = panto(agent_home, "sessions", "delete", identity)
    assert refused.code == 1 and "--yes" in refused.stderr
    assert panto(agent_home, "sessions", "delete", identity, "--yes").code == 0
    assert len(files(agent_home)) == 1
    assert panto(agent_home, "sessions", "show", "ffff").code == 1
    assert panto(agent_home, "sessions", "explode").code == 2


def test_an_export_goes_on_with_what_it_is_to_stand_in_and_replaces_no_session(
    agent_home: Home,
) -> None:
    with Provider([{"text": "one"}]) as provider:
        agent_home.use_provider(provider.url)
        assert panto(agent_home, "run", "question").code == 0
    (path,) = files(agent_home)
    before, identity = path.read_bytes(), path.stem
    whole = panto(agent_home, "sessions", "export", identity).stdout
    assert whole.startswith("# Session ")
    for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "-"):
        line = f'(echo head; "$0" sessions export {identity} -o {name}; echo tail) >>both'
        done = run_bounded(
            ["bash", "-c", line, PANTO], env=agent_home.full_env(), cwd=agent_home.work
        )
        assert done.code == 0, done.output
        both = agent_home.work / "both"
        assert both.read_text() == f"head\n{whole}tail\n", name
        both.unlink()
    line = f'"$0" sessions export {identity} -o >(cat >piped); sleep 0.5'
    done = run_bounded(["bash", "-c", line, PANTO], env=agent_home.full_env(), cwd=agent_home.work)
    assert done.code == 0 and (agent_home.work / "piped").read_text() == whole, done.output
    done = panto(agent_home, "sessions", "export", identity, "-o", str(path))
    assert done.code == 1 and "is the session itself" in done.stderr
    assert path.read_bytes() == before


def test_fork_takes_the_id_of_the_session_that_it_copies(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Provider([{"text": "one"}, {"text": "two"}]) as provider:
        agent_home.use_provider(provider.url)
        assert panto(agent_home, "run", "first").code == 0
        assert panto(agent_home, "run", "second").code == 0
        older = files(agent_home)[0]
        copy = open_panto("--fork", older.stem)
        copy.wait("this is a copy of session")
        assert "first" in copy.screen()
        assert "ignored" not in copy.screen()


def test_a_session_of_any_folder_is_shown_exported_copied_and_deleted(agent_home: Home) -> None:
    with Provider([{"text": "one"}, {"text": "two"}]) as provider:
        agent_home.use_provider(provider.url)
        assert panto(agent_home, "run", "the far question").code == 0
        identity = files(agent_home)[0].stem
        there = agent_home.root / "elsewhere"
        there.mkdir()

        def here(*words: str) -> Finished:
            return panto(agent_home, *words, cwd=there)

        assert "the far question" in here("sessions", "show", identity[:8]).stdout
        assert "<h1>" in here("sessions", "export", identity[:8], "--html").stdout
        resumed = here("run", "--resume", identity[:8], "x")
        assert resumed.code == 2
        assert f"is of {agent_home.work}: go on with it there, or with" in resumed.stderr
        copied = here("run", "--resume", identity[:8], "--fork", "x")
        assert copied.code == 0, copied.stderr
        assert said(provider.bodies[1]) == ["the far question", "x"]
        unknown = here("sessions", "show", "ffff")
        assert unknown.code == 1 and "panto sessions --all lists them" in unknown.stderr
        with Terminal(
            [str(PANTO), "sessions", "delete", identity],
            folder=there,
            env=agent_home.env(),
        ) as asked:
            screen = asked.wait(r"for good\? \[y/N\]")
            flat = "".join(screen.split())
            assert f'of{agent_home.work}(2messages,"thefarquestion")' in flat
            asked.type("y")
            asked.keys("Enter")
            asked.wait("deleted session")
        left = json.loads(here("sessions", "--all", "--json").stdout)
        assert [one["cwd"] for one in left] == [str(there)]


def test_ids_are_listed_as_long_as_they_can_be_resumed_by(agent_home: Home) -> None:
    with Provider([{"text": "one"}]) as provider:
        agent_home.use_provider(provider.url)
        assert panto(agent_home, "run", "a question").code == 0
    first = files(agent_home)[0]
    other = "1" if first.stem[9] == "0" else "0"  # where the two differ
    twin = first.with_name(f"{first.stem[:9]}{other}fff-7000-8000-000000000001.jsonl")
    shutil.copy(first, twin)
    shutil.copy(first, first.with_name("00000001-0000-7000-8000-000000000001.jsonl"))
    listed = panto(agent_home, "sessions").stdout.splitlines()
    shown = {line.split(" ")[0] for line in listed}
    assert all(re.fullmatch(r"\S+ \d{4}-\d\d-\d\d \d\d:\d\d 2 messages", one) for one in listed)
    assert "00000001" in shown and twin.stem[:10] in shown and len(shown) == 3
    for short in shown:
        assert "a question" in panto(agent_home, "sessions", "show", short).stdout
    refused = panto(agent_home, "run", "--resume", first.stem[:8], "x")
    assert refused.code == 2 and "begins 2 sessions" in refused.stderr


def test_an_exported_page_opens_in_a_browser(agent_home: Home, tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser:
        pytest.skip("SKIPPED: chromium is not installed")
    script = [
        {"thinking": "hm", "tool_calls": [call("std_shell", "c1", command="seq 5")]},
        {"text": "# Done\n\n```lua\nprint('<b>')\n```\n\n1. one\n2. `two` and **three**\n"},
    ]
    with Provider(script) as provider:
        agent_home.use_provider(provider.url)
        assert panto(agent_home, "run", "count to five, please").code == 0
    page, picture = tmp_path / "page.html", tmp_path / "page.png"
    identity = files(agent_home)[0].stem
    assert panto(agent_home, "sessions", "export", identity, "-o", str(page)).code == 0
    common = [browser, "--headless", "--no-sandbox", "--disable-gpu"]
    common.append(f"--user-data-dir={tmp_path}/c")
    dom = run_bounded([*common, "--dump-dom", page.as_uri()]).stdout
    assert dom.count("<section") >= 5
    assert "<h2>Done</h2>" in dom
    run_bounded([*common, f"--screenshot={picture}", "--window-size=900,900", page.as_uri()])
    assert picture.stat().st_size > 5000
    print(f"picture: {picture}")


def test_undo_puts_back_what_write_and_edit_changed(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    work = agent_home.work
    (work / "edited.txt").write_text("one\ntwo\n")
    (work / "replaced.bin").write_bytes(b"\xff\x00old")
    (work / "touched.txt").write_text("a\n")
    script: list[dict[str, Any]] = [
        {
            "tool_calls": [
                call("std_edit", "c1", path="edited.txt", old_text="two", new_text="zwei"),
                call("std_write", "c2", path="replaced.bin", content="new"),
                call("std_write", "c3", path="deep/made.txt", content="fresh"),
                call("std_write", "c4", path="touched.txt", content="b\n"),
                call("std_shell", "c5", command="echo x > shell.txt"),
            ]
        },
        {
            "tool_calls": [
                call("std_edit", "c6", path="edited.txt", old_text="one", new_text="eins"),
            ]
        },
        {"text": "changed."},
    ]
    with Provider(script) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "change them", "changed\\.")
        assert (work / "edited.txt").read_text() == "eins\nzwei\n"
        terminal.keys("C-d")
        terminal.wait("left with 0")
        (work / "touched.txt").write_text("by hand\n")

        again = open_panto("--resume")
        again.wait("resumed session")
        again.type("/undo")
        again.keys("Enter")
        screen = again.wait("1 shell command of that turn")
        assert (work / "edited.txt").read_text() == "one\ntwo\n"
        assert (work / "replaced.bin").read_bytes() == b"\xff\x00old"
        assert not (work / "deep/made.txt").exists()
        assert (work / "touched.txt").read_text() == "by hand\n"
        assert "has changed since, left alone" in " ".join(screen.split())
        again.type("/undo")
        again.keys("Enter")
        again.wait("No turn of this conversation has changed a file")


def test_the_model_is_told_once_of_files_that_were_put_back(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    (agent_home.work / "a.txt").write_text("one\n")
    calls = [
        call("std_edit", "c1", path="a.txt", old_text="one", new_text="two"),
        call("std_write", "c2", path="b.txt", content="new"),
        call("std_shell", "c3", command="echo x > c.txt"),
    ]
    script = [{"tool_calls": calls}, {"text": "changed."}]
    script += [{"text": f"answer {i}."} for i in range(1, 4)]
    with Provider(script) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "change them", "changed\\.")
        terminal.type("/undo")
        terminal.keys("Enter")
        terminal.wait("1 shell command of that turn")
        terminal.keys("C-d")
        terminal.wait("left with 0")

        again = open_panto("--resume")
        again.wait("resumed session")
        ask(again, "what now?", "answer 1")
        ask(again, "and then?", "answer 2")
        screen = again.screen()
        again.keys("C-d")
        again.wait("left with 0")
        third = open_panto("--resume")
        ask(third, "at last", "answer 3")
        assert "taken back" not in screen + third.screen()
        terminal = third
        terminal.type("/tree")
        terminal.keys("Enter")
        assert "› what now?" in terminal.wait("Go back to")
        told, _, last = (json.loads(body)["messages"] for body in provider.bodies[2:])
    note, _, typed = told[-1]["content"].rpartition("\n")
    work = agent_home.work
    assert typed == "what now?"
    assert "taken back what an earlier turn of yours changed" in note
    assert f"- {work}/a.txt: put back" in note and f"- {work}/b.txt: removed" in note
    assert "Not undone:\n- 1 shell command" in note
    assert last[: len(told)] == told
    assert [m["content"] for m in last if m["role"] == "user"][2:] == ["and then?", "at last"]
    shown = panto(agent_home, "sessions", "show", files(agent_home)[0].stem).stdout
    assert "*Told to the model*" in shown and "## User\n\nwhat now?" in shown


def test_a_copy_of_a_session_undoes_without_the_one_that_was_copied(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    victim = agent_home.work / "victim.txt"
    victim.write_text("before\n")
    there = agent_home.root / "there"
    there.mkdir()
    script: list[dict[str, Any]] = [
        {"tool_calls": [call("std_write", "c1", path="victim.txt", content="after\n")]},
        {"text": "changed."},
    ]
    with Provider(script) as provider:
        agent_home.use_provider(provider.url)
        assert panto(agent_home, "run", "change it").code == 0
        (original,) = files(agent_home)
        with Terminal(
            [str(PANTO), "--resume", original.stem, "--fork"], folder=there, env=agent_home.env()
        ) as copy:
            copy.wait("this is a copy of session")
            assert panto(agent_home, "sessions", "delete", original.stem, "--yes").code == 0
            assert victim.read_text() == "after\n"
            copy.type("/undo")
            copy.keys("Enter")
            copy.wait("put back")
            assert victim.read_text() == "before\n"


def test_what_a_killed_call_has_changed_is_kept_and_named_by_undo(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    victim, other = agent_home.work / "victim.txt", agent_home.work / "other.txt"
    victim.write_text("precious\n" * 500)
    other.write_text("other\n")
    extension = agent_home.config / "extensions" / "killer.lua"
    extension.parent.mkdir(parents=True)
    extension.write_text(
        """
        local panto, uv = require("panto"), require("luv")
        return { name = "killer", activate = function()
          panto.ext.on("tool_result", function()
            uv.kill(uv.os_getpid(), "sigkill")
          end)
        end }
        """
    )
    calls = [
        call("std_write", "c1", path="victim.txt", content="new\n"),
        call("std_edit", "c2", path="other.txt", old_text="not there", new_text="x"),
    ]
    with Provider([{"tool_calls": calls}, {"text": "x"}]) as provider:
        agent_home.use_provider(provider.url)
        assert panto(agent_home, "run", "change it").code == -9
        assert victim.read_text() == "new\n"
        extension.unlink()
        terminal = open_panto("--resume")
        terminal.wait("resumed session")
        terminal.type("/undo")
        terminal.keys("Enter")
        terminal.wait("a call that changed it was cut off")
        told = "".join(terminal.screen().split()).partition("Notundone:")[2]
        (kept,) = [
            path
            for path in agent_home.sessions.glob("*/*.undo/*")
            if path.read_text() == "precious\n" * 500
        ]
        assert "".join(str(kept).split()) in told
        assert victim.read_text() == "new\n" and "other.txt" not in told


def test_undo_knows_what_a_later_call_of_the_turn_changed_back(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    (agent_home.work / "there.txt").write_text("first\n")
    script: list[dict[str, Any]] = [
        {
            "tool_calls": [
                call("std_write", "c1", path="there.txt", content="second\n"),
                call("std_write", "c2", path="there.txt", content="first\n"),
            ]
        },
        {"text": "there and back."},
    ]
    with Provider(script) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "change it", "there and back\\.")
        terminal.type("/undo")
        terminal.keys("Enter")
        terminal.wait(r"there\.txt: put back")


def test_panto_names_a_resumable_id_when_another_session_is_as_young(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Provider([{"text": f"answer {i}."} for i in range(1, 4)]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "question", "answer 1")
        twin = files(agent_home)[0].stem[:9] + "ffff-7000-8000-000000000001"
        other = files(agent_home)[0].with_name(twin + ".jsonl")
        shutil.copy(files(agent_home)[0], other)
        terminal.keys("C-d")
        screen = terminal.wait("panto --resume")
        named = re.search(r"panto --resume ([0-9a-f-]+)", screen)
        assert named and len(named[1]) > 8
        again = open_panto("--resume", named[1])
        again.wait("resumed session")


def test_a_resumed_session_takes_the_new_prompt_and_keeps_its_model(agent_home: Home) -> None:
    with Provider([{"text": str(i)} for i in range(4)]) as provider:
        agent_home.use_provider(provider.url)
        models = agent_home.config / "models.toml"
        models.write_text(models.read_text() + '\n[loop.other]\nmodel = "other-model"\n')
        system = agent_home.config / "SYSTEM.md"
        system.write_text("First prompt.")
        assert panto(agent_home, "run", "--model", "loop:other", "a").code == 0
        before = files(agent_home)[0].read_text()
        system.write_text("Second prompt.")
        assert panto(agent_home, "run", "--resume", "--", "b").code == 0
        assert panto(agent_home, "run", "--resume", "--", "c").code == 0
        after = files(agent_home)[0].read_text()
        assert after.startswith(before)
        kinds = [r["type"] for r in records(files(agent_home)[0])]
        assert kinds.count("system") == 2 and kinds.count("model") == 1
        bodies = [json.loads(body) for body in provider.bodies]
        assert [body["model"] for body in bodies] == ["other-model"] * 3
        prompts = [body["messages"][0]["content"] for body in bodies]
        assert prompts[0].startswith("First") and prompts[1].startswith("Second")
        assert prompts[1] == prompts[2]
        assert bodies[2]["messages"][: len(bodies[1]["messages"])] == bodies[1]["messages"]

        text = models.read_text().replace("[loop.other]", "[gone.other]")
        models.write_text(text)
        config = agent_home.config / "config.toml"
        config.write_text(
            config.read_text()
            .replace('"loop:m"', '"loop2:m"')
            .replace("[providers.loop]", "[providers.loop2]")
        )
        models.write_text(text.replace("[loop.m]", "[loop2.m]"))
        done = panto(agent_home, "run", "--resume", "--", "d")
        assert done.code == 0, done.output
        assert "the session's model loop:other cannot be used" in done.stderr
        assert "it goes on with loop2:m" in done.stderr


def test_a_session_of_a_newer_panto_is_listed_and_shown_but_not_gone_on_with(
    agent_home: Home,
) -> None:
    with Provider([{"text": "1"}]) as provider:
        agent_home.use_provider(provider.url)
        assert panto(agent_home, "run", "a").code == 0
        path = files(agent_home)[0]
        path.write_text(path.read_text().replace('"version":1', '"version":7'))
        assert "2 messages" in panto(agent_home, "sessions").stdout
        done = panto(agent_home, "run", "--resume", "--", "b")
        assert done.code == 2
        assert "was written by a newer panto (session version 7); update panto" in done.stderr
        assert panto(agent_home, "run", "--resume", "--fork", "--", "b").code == 2
        assert subprocess.run(["grep", "-c", "", path], capture_output=True).stdout == b"5\n"
        path.write_text(path.read_text() + '{"id":"9","parent":"4","time":"t","type":"dream"}\n')
        for verb in ("show", "export"):
            shown = panto(agent_home, "sessions", verb, path.stem)
            assert shown.code == 0 and "## User\n\na\n" in shown.stdout
            assert "by a newer panto (session version 7): what this one does" in shown.stderr
