"""Faults between panto and its provider in each style: tried again or told, nothing done twice."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from email.utils import formatdate
from pathlib import Path
from time import time
from typing import Any

import pytest
from support.chaos import BODY, HEAD, Chaos, Fault, answer, broken, passed, zipped
from support.child import ROOT, run_bounded
from support.provider import Provider

STYLES = ("openai_chat", "anthropic_messages", "openai_responses")
TEXTS = ["I glance first.", "One glance was enough."]
IDLE_MS = 2500
# Where the last event of an answer begins, or is at least begun.
FINISH = {
    "openai_chat": b'"finish_reason": "',
    "anthropic_messages": b"event: message_delta",
    "openai_responses": b"event: response.completed",
}
OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
ERROR_EVENTS = {
    "openai_chat": b'data: {"error":{"message":"Overloaded","code":503}}\n\n',
    "anthropic_messages": b"event: error\ndata: " + json.dumps(OVERLOADED).encode() + b"\n\n",
    "openai_responses": b'event: error\ndata: {"type":"error","code":"server_error",'
    b'"message":"Overloaded"}\n\n',
}
PAGE = "<html><head><title>502</title></head><body><h1>Bad Gateway</h1><hr>nginx</body></html>"
UNREACHED = "loop: cannot reach http://127.0.0.1:"
CUT = "loop: the answer was cut off"
SILENT = "loop: no answer in time (127.0.0.1:"


def error(message: str = "no", **more: Any) -> str:
    """Write an error body that every style has been seen to send."""
    return json.dumps({"type": "error", "error": {"message": message, **more}})


def soon() -> str:
    """An HTTP date half a minute from now."""
    return formatdate(time() + 30, usegmt=True)


# Name: the fault (of a style), the beginning of the notice, how much of the answer was shown.
RETRIED: dict[str, tuple[Callable[[str], Fault], str, bool]] = {
    "reset-before-head": (lambda _: broken("reset", HEAD), UNREACHED, False),
    "close-before-head": (lambda _: broken("close", HEAD), UNREACHED, False),
    "reset-after-head": (lambda _: broken("reset", BODY), UNREACHED, False),
    "reset-in-an-event": (lambda _: broken("reset", b"glance"), UNREACHED, True),
    "reset-before-the-finish": (lambda s: broken("reset", FINISH[s]), UNREACHED, True),
    "close-in-an-event": (lambda _: broken("close", b"glance"), UNREACHED, True),
    "end-after-head": (lambda _: broken("end", BODY), CUT, False),
    "end-in-an-event": (lambda _: broken("end", b"glance"), CUT, True),
    "end-before-the-finish": (lambda s: broken("end", FINISH[s]), CUT, True),
    "stall-before-head": (lambda _: broken("stall", HEAD), SILENT, False),
    "stall-in-an-event": (lambda _: broken("stall", b"glance"), SILENT, True),
    "429-ms": (
        lambda _: answer(429, error("slow"), {"retry-after-ms": "1234", "retry-after": "9"}),
        "loop: 429 too many requests (slow)",
        False,
    ),
    "429-seconds": (
        lambda _: answer(429, error("slow"), {"retry-after": "3"}),
        "loop: 429 too many requests (slow)",
        False,
    ),
    "429-date": (
        lambda _: answer(429, error("slow"), {"retry-after": soon}),
        "loop: 429 too many requests (slow)",
        False,
    ),
    "408": (lambda _: answer(408, error()), "loop: 408 no answer in time (no)", False),
    "409": (lambda _: answer(409, error()), "loop: 409 server error (no)", False),
    "425": (lambda _: answer(425, error()), "loop: 425 server error (no)", False),
    "500": (lambda _: answer(500, ""), "loop: 500 server error (empty answer)", False),
    "502-page": (lambda _: answer(502, PAGE), "loop: 502 server error (502 Bad Gateway", False),
    "529": (
        lambda _: answer(529, json.dumps(OVERLOADED)),
        "loop: 529 overloaded (Overloaded)",
        False,
    ),
    "200-json-error": (
        lambda _: answer(200, json.dumps(OVERLOADED)),
        "loop: overloaded (Overloaded)",
        False,
    ),
    "error-event": (lambda s: broken("end", FINISH[s], ERROR_EVENTS[s]), "loop: ", True),
}
WAITS = {"429-ms": 1234, "429-seconds": 3000}

# Name: the fault, the kind of the error, words of its message.
FINAL: dict[str, tuple[Fault, str, list[str]]] = {
    "401": (answer(401, error("bad")), "auth", ["401 bad key (bad): check", "[auth.loop]"]),
    "403-page": (answer(403, "<h1>Forbidden</h1>"), "auth", ["403 not allowed (Forbidden)"]),
    "400": (answer(400, error("odd")), "bad_request", ["400 request refused (odd)"]),
    "404": (answer(404, error("gone")), "not_found", ["404 not found (gone)", "base_url"]),
    "quota": (
        answer(429, error("You exceeded your current quota", code="insufficient_quota")),
        "quota",
        ["429 quota exhausted (You exceeded", "billing"],
    ),
    "overflow": (
        answer(400, error("too much", type="exceed_context_size_error", n_ctx=8192)),
        "overflow",
        ["400 the conversation is too long for fake", "/compact"],
    ),
    "429-for-an-hour": (
        answer(429, error("slow"), {"retry-after": "3600"}),
        "rate_limit",
        ["429 too many requests (slow)", "wait"],
    ),
    "200-json-final": (
        answer(200, error("no such thing", type="invalid_request_error")),
        "bad_request",
        ["request refused (no such thing)"],
    ),
    "200-page": (answer(200, PAGE), "invalid", ["unreadable answer", "Bad Gateway", "base_url"]),
}


def reply(request: dict[str, Any]) -> dict[str, Any]:
    """Call the tool, or answer when it has been run."""
    if "seen here" in json.dumps(request):
        return {"text": TEXTS[1], "usage": {"prompt_tokens": 20, "completion_tokens": 5}}
    calls = [{"id": "call_1", "name": "my_look", "arguments": '{"path": "here"}'}]
    usage = {"prompt_tokens": 10, "completion_tokens": 5}
    return {"text": TEXTS[0], "tool_calls": calls, "usage": usage}


def run(panto: Path, env: dict[str, str], cases: list[dict[str, Any]]) -> dict[str, Any]:
    """Run a turn for each case, all in one process; what came of them by name."""
    lines = ""
    for case in sorted(cases, key=lambda case: "idle_ms" in case):
        first_of_kind = "idle_ms" in case and "idle_ms" not in lines
        lines += "\n" if case.get("alone") or first_of_kind else ""
        lines += json.dumps(case) + "\n"
    script = ROOT / "tests/support/chaos_turn.lua"
    done = run_bounded([panto, "lua", script], env=env, stdin=lines, timeout_s=120)
    assert done.code == 0, done.output
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return {one["name"]: one for one in found}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate that nobody has signed, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    pair = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", pair[1], "-out", pair[0]],
        check=True, capture_output=True,
    )  # fmt: skip
    return pair


def cases_of(chaos: Chaos, tls: Chaos, style: str) -> Iterator[dict[str, Any]]:
    """Plan every fault for one style."""
    for name, (make, _, _) in RETRIED.items():
        fault = make(style)
        key = f"{style}:{name}"
        if name.startswith("stall"):
            yield {"name": key, "url": chaos.plan(key, fault), "idle_ms": IDLE_MS}
        else:
            yield {"name": key, "url": chaos.plan(key, fault, passed, fault, passed)}
    for name, (fault, _, _) in FINAL.items():
        yield {"name": f"{style}:{name}", "url": chaos.plan(f"{style}:{name}", fault)}
    for name, faults in {
        "none": (),
        "zipped": (zipped, zipped),
        "always-500": (answer(500, error("down")),) * 5,
    }.items():
        yield {"name": f"{style}:{name}", "url": chaos.plan(f"{style}:{name}", *faults)}
    yield {"name": f"{style}:refused", "url": chaos.closed(f"{style}:refused")}
    yield {"name": f"{style}:tls", "url": tls.plan(f"{style}:tls")}
    key, slow = f"{style}:cancelled", answer(429, error("slow"), {"retry-after": "60"})
    yield {"name": key, "url": chaos.plan(key, slow), "cancel": True}


@pytest.fixture(scope="module")
def outcomes(
    panto: Path, tmp_path_factory: pytest.TempPathFactory, certificate: tuple[Path, Path]
) -> dict[str, Any]:
    """All faults for all styles, each name with what came of it and how many requests it took."""
    from support.home import Home

    env = Home(tmp_path_factory.mktemp("chaos") / "home").full_env()
    with (
        Provider([reply] * 1000) as provider,
        Chaos(provider.url) as chaos,
        Chaos(provider.url, certificate) as tls,
    ):
        cases = []
        for style in STYLES:
            for case in cases_of(chaos, tls, style):
                cases.append({**case, "style": style, "slept": f"{chaos.root}/slept/"})
        found = run(panto, env, cases)
        for name, one in found.items():
            one["requests"] = chaos.seen[name] + tls.seen[name]
        return found


def check_whole(found: dict[str, Any]) -> None:
    """The turn came to its end: each text once, the tool run once."""
    assert found["status"] == "done", found
    assert found["texts"] == TEXTS
    assert found["shown"] == "".join(TEXTS)
    assert (found["runs"], found["results"]) == (1, 1)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", [name for name in RETRIED if not name.startswith("stall")])
def test_what_may_go_away_is_tried_again(outcomes: dict[str, Any], name: str, style: str) -> None:
    found = outcomes[f"{style}:{name}"]
    _, words, was_shown = RETRIED[name]
    check_whole(found)
    assert [one["message"][: len(words)] for one in found["retries"]] == [words] * 2
    assert found["requests"] == 4
    if was_shown:
        assert found["restarts"] == 2
    waits = [one["wait_ms"] for one in found["retries"]]
    if name == "429-date":
        assert all(15_000 < wait <= 30_000 for wait in waits), waits
    else:
        assert waits == [WAITS.get(name, 2000)] * 2


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", [name for name in RETRIED if name.startswith("stall")])
def test_a_stream_that_stalls_is_tried_again(
    outcomes: dict[str, Any], name: str, style: str
) -> None:
    found = outcomes[f"{style}:{name}"]
    check_whole(found)
    # A very busy machine may be silent for that long by itself.
    assert found["retries"]
    for one in found["retries"]:
        assert one["message"].startswith(SILENT)
        assert "nothing received for 2.5 s" in one["message"]
    assert found["took_ms"] >= IDLE_MS


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", FINAL)
def test_what_stays_wrong_is_told_at_once(outcomes: dict[str, Any], name: str, style: str) -> None:
    found = outcomes[f"{style}:{name}"]
    _, kind, words = FINAL[name]
    assert (found["status"], found["requests"], found["retries"]) == ("error", 1, []), found
    assert found["error"]["kind"] == kind
    for word in words:
        assert word in found["error"]["message"], found["error"]
    assert (found["texts"], found["runs"]) == ([], 0)


@pytest.mark.parametrize("style", STYLES)
def test_no_fault_no_retry(outcomes: dict[str, Any], style: str) -> None:
    for name in ("none", "zipped"):
        found = outcomes[f"{style}:{name}"]
        check_whole(found)
        assert (found["retries"], found["requests"]) == ([], 2)


@pytest.mark.parametrize("style", STYLES)
def test_five_attempts_are_made_with_doubling_waits(outcomes: dict[str, Any], style: str) -> None:
    found = outcomes[f"{style}:always-500"]
    assert (found["status"], found["requests"]) == ("error", 5)
    assert [one["wait_ms"] for one in found["retries"]] == [2000, 4000, 8000, 16000]
    assert found["error"] == {
        "kind": "server",
        "message": "loop: 500 server error (down): try again later",
    }


@pytest.mark.parametrize("style", STYLES)
def test_a_server_that_comes_up_during_the_wait_is_found(
    outcomes: dict[str, Any], style: str
) -> None:
    found = outcomes[f"{style}:refused"]
    check_whole(found)
    (retry,) = found["retries"]
    assert retry["message"].startswith(UNREACHED)
    assert "cannot connect: Connection refused" in retry["message"]


@pytest.mark.parametrize("style", STYLES)
def test_a_certificate_that_nobody_signed_is_told_at_once(
    outcomes: dict[str, Any], style: str
) -> None:
    found = outcomes[f"{style}:tls"]
    assert (found["status"], found["retries"], found["requests"]) == ("error", [], 0)
    assert found["error"]["kind"] == "transport"
    assert "certificate" in found["error"]["message"]
    assert "SSL_CERT_FILE" in found["error"]["message"]


@pytest.mark.parametrize("style", STYLES)
def test_a_cancelled_wait_ends_the_turn(outcomes: dict[str, Any], style: str) -> None:
    found = outcomes[f"{style}:cancelled"]
    assert (found["status"], found["requests"], len(found["retries"])) == ("aborted", 1, 1)
    assert found["retries"][0]["wait_ms"] == 60_000
    assert found["took_ms"] < 30_000


def test_one_connection_carries_every_request_of_every_style(
    panto: Path, panto_env: dict[str, str]
) -> None:
    with Provider([reply] * 20) as provider, Chaos(provider.url) as chaos:
        cases = [
            {"name": style, "style": style, "url": chaos.plan(style), "slept": "", "alone": True}
            for style in STYLES
        ]
        found = run(panto, panto_env, cases)
        assert (chaos.connections, chaos.seen.total()) == (1, 6)
        for one in found.values():
            check_whole(one)
