"""`panto run`: one prompt without a terminal, and its JSON lines judged by the schema in docs/."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
from support.child import ROOT, run_bounded
from support.home import PANTO, Home
from support.provider import Provider
from support.run import USAGE, check, read_until, run, shell, started, wait_for


def test_what_a_run_has_compiled_is_kept_for_the_next_one(home: Home) -> None:
    with Provider([{"text": "one"}, {"text": "two"}]) as provider:
        home.use_provider(provider.url)
        assert run(home, "hi").stdout == "one\n"
        kept = {path: path.stat().st_mtime_ns for path in (home.data / "cache").iterdir()}
        assert {path.name.partition("-")[0] for path in kept} == {"chunks", "toml"}
        assert run(home, "hi").stdout == "two\n"
    assert {path: path.stat().st_mtime_ns for path in (home.data / "cache").iterdir()} == kept


def test_the_answer_is_on_stdout_and_the_progress_on_stderr(home: Home) -> None:
    script = [{**shell("echo hi"), "text": "I look."}, {"text": "It says hi.", "usage": USAGE}]
    with Provider(script) as provider:
        home.use_provider(provider.url)
        done = run(home, "what", "does", "it", "say?", stdin="<a file>\n")
    assert (done.code, done.stdout) == (0, "It says hi.\n"), done.output
    assert "std.shell echo hi" in done.stderr
    messages = provider.requests[0].json["messages"]
    assert messages[-1]["content"] == "what does it say?\n\n<a file>\n"
    assert "hi" in provider.requests[1].json["messages"][-1]["content"]


def test_the_prompt_comes_from_stdin_alone_when_it_is_a_dash(home: Home) -> None:
    with Provider([{"text": "ok"}]) as provider:
        home.use_provider(provider.url)
        done = run(home, "-", stdin="from the pipe")
    assert done.code == 0, done.output
    assert provider.requests[0].json["messages"][-1]["content"] == "from the pipe"


def test_json_lines_fit_the_schema_and_end_with_done(home: Home) -> None:
    script = [
        {**shell("echo hi"), "thinking": "hm"},
        shell("exit 3", "c2"),
        {"text": "Grüße", "usage": USAGE},
    ]
    with Provider(script) as provider:
        home.use_provider(provider.url)
        done = run(home, "--json", "go")
    assert done.code == 0, done.output
    events = check(done.stdout)
    kinds = [event["type"] for event in events]
    assert {"session_start", "thinking_delta", "tool_call_complete", "tool_result"} <= set(kinds)
    text = [e["delta"] for e in events if e["type"] == "assistant_text_delta"]
    assert "".join(text) == "Grüße"
    call = next(e for e in events if e["type"] == "tool_call_complete")
    assert call["tool_name"] == "std.shell" and call["input"] == {"command": "echo hi"}
    last = events[-1]
    assert last["type"] == "done" and last["status"] == "done" and last["text"] == "Grüße"
    assert last["usage"] == {"input": 300, "output": 30, "cache_read": 0, "cache_write": 0}
    assert last["cost"] == pytest.approx(0.00036)
    saved = list(home.sessions.rglob(f"{last['session']}.jsonl"))
    assert len(saved) == 1


def test_a_session_goes_on_with_resume(home: Home) -> None:
    with Provider([{"text": "one"}, {"text": "two"}, {"text": "three"}]) as provider:
        home.use_provider(provider.url)
        first = check(run(home, "--json", "a").stdout)[-1]["session"]
        second = check(run(home, "--json", "--resume", first, "b").stdout)[-1]["session"]
        third = check(run(home, "--json", "--resume", "and", "c").stdout)[-1]["session"]
    assert first == second == third
    said = [m["content"] for m in provider.requests[2].json["messages"] if m["role"] != "system"]
    assert said == ["a", "one", "b", "two", "and c"]


def test_fork_goes_on_with_a_copy(home: Home) -> None:
    with Provider([{"text": "one"}, {"text": "two"}, {"text": "three"}]) as provider:
        home.use_provider(provider.url)
        first = check(run(home, "--json", "a").stdout)[-1]["session"]
        copy = check(run(home, "--json", "--resume", first, "--fork", "b").stdout)[-1]["session"]
        run(home, "--resume", first, "c")
    assert copy != first
    for request, expected in [(1, ["a", "one", "b"]), (2, ["a", "one", "c"])]:
        sent = provider.requests[request].json["messages"]
        assert [m["content"] for m in sent if m["role"] != "system"] == expected


def test_a_failed_turn_is_exit_code_1_and_its_error_is_told(home: Home) -> None:
    refused = {"status": 400, "error": {"message": "no such thing"}}
    with Provider([refused, refused]) as provider:
        home.use_provider(provider.url)
        done = run(home, "go")
        events = check(run(home, "--json", "go").stdout)
    assert (done.code, done.stdout) == (1, "") and "no such thing" in done.stderr
    assert events[-1]["status"] == "error"
    assert any(e["type"] == "error" and "no such thing" in e["message"] for e in events)


def test_max_turns_ends_a_turn_that_goes_on_and_on(home: Home) -> None:
    with Provider([shell("echo a"), shell("echo b"), shell("echo c")]) as provider:
        home.use_provider(provider.url)
        done = run(home, "--max-turns", "2", "go")
    assert done.code == 1 and "2 requests" in done.stderr, done.output
    assert len(provider.requests) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--jsn", "x"], 'did you mean "--json"?'),
        (["--max-turns", "0", "x"], "--max-turns needs a whole number above 0"),
        (["--model"], "--model needs a value"),
        (["--model", "lop:m", "x"], 'did you mean "loop"?'),
        (["--input", "json"], "--input knows only jsonl"),
        (["--resume", "0123abcd", "x"], "no sessions"),
        ([], "there is no prompt"),
    ],
)
def test_wrong_words_are_exit_code_2(home: Home, words: list[str], said: str) -> None:
    home.use_provider("http://127.0.0.1:9/v1")
    done = run(home, *words)
    assert done.code == 2 and said in done.stderr and not done.stdout, done.output


def test_a_command_behind_an_option_is_told_to_come_first(home: Home) -> None:
    home.use_provider("http://127.0.0.1:9/v1")
    done = run_bounded([PANTO, "--model", "loop:m", "run", "hi"], env=home.env(), cwd=home.work)
    assert 'ignored "run": a command comes first' in done.stderr, done.output
    assert "did you mean" not in done.stderr, done.output


def test_without_a_model_it_says_what_to_export(home: Home) -> None:
    done = run(home, "hello")
    assert done.code == 2 and "OPENAI_API_KEY" in done.stderr, done.output


@pytest.mark.parametrize(
    ("name", "model"),
    [("openai", "gpt-4o"), ("anthropic", "claude-sonnet-4-20250514")],
)
def test_a_key_in_the_environment_is_enough(home: Home, name: str, model: str) -> None:
    shutil.copy(ROOT / "rocks/config.toml", home.data / "config.toml")
    home.extra[f"{name.upper()}_API_KEY"] = "sk-loopback"
    with Provider([{"text": "it works"}], api_key="sk-loopback") as provider:
        url = f'[providers.{name}]\nbase_url = "{provider.url}"\n'
        (home.config / "config.toml").write_text(url)
        done = run(home, "hello")
    assert (done.code, done.stdout) == (0, "it works\n"), done.output
    assert provider.requests[0].json["model"] == model


def test_ctrl_c_ends_the_turn_and_its_commands(home: Home) -> None:
    with Provider([shell("echo started; exec sleep 94321")]) as provider:
        home.use_provider(provider.url)
        with started(home, "--json", "go") as child:
            assert child.stdin
            child.stdin.close()
            child.stdin = None
            read_until(child.stdout, "tool_progress")
            child.send_signal(signal.SIGINT)
            rest, errors = child.communicate(timeout=30)
    assert child.returncode == 130, errors
    assert check(rest)[-1]["status"] == "aborted"
    assert "Traceback" not in errors and "traceback" not in errors


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_while_the_model_is_waited_for_ends_it(
    home: Home, number: signal.Signals, code: int
) -> None:
    with Provider([{"text": "late", "wait_s": 60}]) as provider:
        home.use_provider(provider.url)
        with started(home, "go") as child:
            assert child.stdin
            child.stdin.close()
            child.stdin = None
            wait_for(lambda: provider.requests)
            child.send_signal(number)
            _, errors = child.communicate(timeout=30)
    assert child.returncode == code, errors
    assert "raceback" not in errors


def test_a_broken_pipe_ends_it_quietly(home: Home, tmp_path: Path) -> None:
    with Provider([shell(f"sleep 0.2; echo {n}", f"c{n}") for n in range(50)]) as provider:
        home.use_provider(provider.url)
        command = f'"{PANTO}" run --json go 2>"{tmp_path}/errors" | head -n 3'
        script = f'set -o pipefail; {command}; echo "code $?"'
        done = run_bounded(["bash", "-c", script], env=home.full_env(), cwd=home.work, timeout_s=60)
        assert len(provider.requests) < 10
    assert done.stdout.splitlines()[-1] == "code 141", done.output
    assert len(check("\n".join(done.stdout.splitlines()[:-1]))) == 3
    assert (tmp_path / "errors").read_text() == ""


def test_an_answer_that_nobody_reads_ends_it_quietly(home: Home) -> None:
    with Provider([{"text": "unread"}]) as provider:
        home.use_provider(provider.url)
        script = f'set -o pipefail; "{PANTO}" run go | true; echo "code $?"'
        done = run_bounded(["bash", "-c", script], env=home.full_env(), cwd=home.work)
    assert (done.stdout, done.stderr) == ("code 141\n", ""), done.output


def test_a_full_disk_on_stdout_is_told(home: Home) -> None:
    with Provider([{"text": "lost"}]) as provider:
        home.use_provider(provider.url)
        command = f'"{PANTO}" run go >/dev/full'
        done = run_bounded(["bash", "-c", command], env=home.full_env(), cwd=home.work)
    assert done.code == 1 and "cannot write to standard output" in done.stderr, done.output


def test_what_extensions_print_does_not_get_between_the_lines(home: Home) -> None:
    folder = home.config / "extensions"
    folder.mkdir()
    (folder / "loud.lua").write_text(
        'local panto, kept = require("panto"), print\n'
        'return { name = "loud", activate = function()\n'
        '  panto.ext.on("turn_start", function() kept("LOUD"); io.write("WRITTEN\\n") end)\n'
        '  panto.ext.on("user_message", function() error("broken on purpose") end)\n'
        "end }\n"
    )
    with Provider([{"text": "fine"}]) as provider:
        home.use_provider(provider.url)
        done = run(home, "--json", "go")
    events = check(done.stdout)
    assert done.code == 0 and events[-1]["text"] == "fine"
    assert "LOUD" in done.stderr and "WRITTEN" in done.stderr
    notices = [e["text"] for e in events if e["type"] == "notice"]
    assert any("broken on purpose" in text and "loud" in text for text in notices)


def own_seconds(home: Home, script: list[dict[str, Any]]) -> float:
    """What panto's own process worked for a prompt, whatever else this machine is busy with."""
    with Provider(script) as provider:
        home.use_provider(provider.url)
        with started(home, "--json", "go") as child:
            assert child.stdin
            child.stdin.close()
            child.stdin = None
            events = read_until(child.stdout, "done")
            assert events[-1]["status"] == "done"
            fields = Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_the_loop_adds_less_than_half_a_second_to_twenty_calls(home: Home) -> None:
    start = own_seconds(home, [{"text": "done"}])
    calls = [shell(f"echo hi {n}", f"c{n}") for n in range(20)]
    whole = own_seconds(home, [*calls, {"text": "done"}])
    assert whole - start < 0.5, f"start {start} s, with twenty calls {whole} s"
