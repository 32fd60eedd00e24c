"""`panto run --input jsonl`: prompts, steering and aborts as lines, one process, one session."""

from __future__ import annotations

import json
import signal
from typing import Any

import pytest
from support.home import Home
from support.provider import Provider
from support.run import check, read_until, run, send, shell, started, wait_for


def test_json_lines_in_keep_one_process_and_one_session(home: Home) -> None:
    script = [
        shell("while [ ! -e go ]; do sleep 0.05; done"),
        {"text": "steered"},
        {"text": "never seen", "wait_s": 60},
        {"text": "third"},
    ]
    with Provider(script) as provider:
        home.use_provider(provider.url)
        with started(home, "--input", "jsonl") as child:
            send(child, type="prompt", text="first")
            before = read_until(child.stdout, "tool_details")
            send(child, type="steer", text="to the left")
            send(child, type="nonsense")
            read_until(child.stdout, "error")
            (home.work / "go").touch()
            one = read_until(child.stdout, "done")
            send(child, type="prompt", text="second")
            wait_for(lambda: len(provider.requests) == 3)
            send(child, type="abort")
            two = read_until(child.stdout, "done")
            send(child, type="prompt", text="third")
            rest, errors = child.communicate(timeout=30)
    three = check(rest)
    assert [e["status"] for e in (one[-1], two[-1], three[-1])] == ["done", "aborted", "done"]
    assert one[-1]["text"] == "steered" and three[-1]["text"] == "third", errors
    assert one[-1]["session"] == three[-1]["session"] and before[0]["type"] == "session_start"
    said = provider.requests[1].json["messages"]
    assert said[-1] == {"role": "user", "content": "to the left"}
    assert child.returncode == 1, "the bad line is a failure"


def kinds(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


def lines(*objects: Any) -> str:
    return "".join(json.dumps(one) + "\n" for one in objects)


def test_what_comes_in_one_piece_with_its_prompt_belongs_to_it(home: Home) -> None:
    with Provider([shell("echo one"), {"text": "steered"}, {"text": "third"}]) as provider:
        home.use_provider(provider.url)
        done = run(
            home,
            "--input",
            "jsonl",
            stdin=lines(
                {"type": "prompt", "text": "first"},
                {"type": "steer", "text": "to the left"},
                {"type": "prompt", "text": "second"},
            ),
        )
        aborted = run(
            home,
            "--input",
            "jsonl",
            stdin=lines({"type": "prompt", "text": "never sent"}, {"type": "abort"}),
        )
    events = check(done.stdout)
    assert [e["text"] for e in events if e["type"] == "done"] == ["steered", "third"], done.output
    assert provider.requests[1].json["messages"][-1]["content"] == "to the left"
    assert (done.code, "error" in kinds(events)) == (0, False)
    events = check(aborted.stdout)
    assert [e["status"] for e in events if e["type"] == "done"] == ["aborted"], aborted.output
    assert aborted.code == 0 and len(provider.requests) == 3


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{not json", "line 2 of the input is no JSON"),
        ('"prompt"', "must be an object with a type"),
        ('{"type": "promt", "text": "x"}', 'did you mean "prompt"?'),
        ('{"type": "steer"}', "is a steer without a text"),
        ('{"type": "prompt", "text": 5}', "is a prompt without a text"),
        ('{"type": "steer", "text": "late"}', "no turn is running, send this as a prompt: late"),
    ],
)
def test_a_line_that_is_none_is_told_and_the_next_one_runs(
    home: Home, line: str, said: str
) -> None:
    with Provider([{"text": "still here"}]) as provider:
        home.use_provider(provider.url)
        asked = json.dumps({"type": "prompt", "text": "go"})
        with started(home, "--input", "jsonl") as child:
            assert child.stdin
            child.stdin.write(f"\n{line}\n")
            child.stdin.flush()
            [*_, error] = read_until(child.stdout, "error")
            rest, errors = child.communicate(asked, timeout=30)  # without a line end
    assert error["kind"] == "input" and said in error["message"]
    assert check(rest)[-1]["text"] == "still here"
    assert child.returncode == 1 and "raceback" not in errors


def test_a_turn_that_fails_leaves_the_next_one_to_run(home: Home) -> None:
    refused = {"status": 400, "error": {"message": "no such thing"}}
    with Provider([refused, {"text": "fine"}]) as provider:
        home.use_provider(provider.url)
        asked = lines({"type": "prompt", "text": "a"}, {"type": "prompt", "text": "b"})
        done = run(home, "--input", "jsonl", stdin=asked)
    ended = [event["status"] for event in check(done.stdout) if event["type"] == "done"]
    assert (done.code, ended) == (1, ["error", "done"]), done.output


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
)
def test_a_signal_while_nothing_runs_ends_it(home: Home, number: signal.Signals, code: int) -> None:
    with Provider([{"text": "one"}]) as provider:
        home.use_provider(provider.url)
        with started(home, "--input", "jsonl") as child:
            send(child, type="prompt", text="go")
            read_until(child.stdout, "done")
            child.send_signal(number)
            assert child.wait(30) == code
            _, errors = child.communicate(timeout=30)
    assert "raceback" not in errors


def test_a_session_goes_on_and_no_input_is_no_failure(home: Home) -> None:
    with Provider([{"text": "one"}, {"text": "two"}]) as provider:
        home.use_provider(provider.url)
        first = check(run(home, "--json", "a").stdout)[-1]["session"]
        asked = lines({"type": "prompt", "text": "b"})
        done = run(home, "--input", "jsonl", "--resume", first, stdin=asked)
        empty = run(home, "--input", "jsonl", stdin="")
    assert check(done.stdout)[-1]["session"] == first
    said = [m["content"] for m in provider.requests[1].json["messages"] if m["role"] != "system"]
    assert said == ["a", "one", "b"]
    assert empty.code == 0 and "done" not in kinds(check(empty.stdout)), empty.output
