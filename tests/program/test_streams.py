"""Recorded streams of real servers, whole, byte by byte and cut, against what the SDK made of them.

support/recorded.py says where the recordings are looked for.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from support import recorded

CHAT = recorded.CASES / "streams" / "chat.jsonl.gz"

pytestmark = pytest.mark.skipif(
    not CHAT.is_file(), reason=f"SKIPPED recorded streams: {CHAT} is not here; set PANTO_CASES"
)


def chunks(body: str) -> list[dict[str, Any]]:
    """Give the JSON chunks of a body, each line for itself (the recordings have no other form)."""
    found = []
    for line in body.replace("\r\n", "\n").split("\n"):
        if line.startswith("data:") and line[5:].strip().startswith("{"):
            found.append(json.loads(line[5:]))
    return found


def content_text(content: Any) -> str:
    """Give the text of a content that is a string, null or a list of parts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") == "text")
    return content or ""


def first_choice_text(body: str) -> str:
    """Join the text of choice 0: the SDK mixes several choices and loses text in lists of parts."""
    return "".join(
        content_text(choice["delta"].get("content"))
        for chunk in chunks(body)
        for choice in chunk.get("choices") or []
        if choice.get("index", 0) == 0 and choice.get("delta")
    )


def is_finished(body: str) -> bool:
    """Say whether a cut body still holds a finish reason in a whole data line."""
    for line in body.replace("\r\n", "\n").split("\n"):
        if not line.startswith("data:"):
            continue
        try:
            chunk = json.loads(line[5:])
        except ValueError:
            continue
        for choice in chunk.get("choices") or []:
            if choice.get("index", 0) == 0 and choice.get("finish_reason"):
                return True
    return False


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> list[recorded.Pair]:
    """Replay every recording once in Lua and pair each with what came out."""
    folder = tmp_path_factory.mktemp("streams")
    return recorded.replay(recorded.read(CHAT), folder, "replay.lua")


def test_the_recordings_are_all_there(cases: list[Any]) -> None:
    assert len(cases) >= 283


def test_a_whole_stream_gives_what_the_sdk_gives(cases: list[Any]) -> None:
    wrong = [
        (case["id"], problem)
        for case, result in cases
        for problem in differences(case, result["whole"])
    ]
    assert wrong == []


def differences(case: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """Name every way in which a result differs from the recording's expectation."""
    expect = case["expect"]
    if "error" in expect:
        message = expect["error"].removeprefix("APIError: ")
        error = found.get("error") or {}
        ok = error.get("message") == message and found["calls"] == [] and found["ends"] == 0
        return [] if ok else [f"error {error}, expected {message}"]
    problems = []
    choices = {c.get("index", 0) for k in chunks(case["body"]) for c in k.get("choices") or []}
    is_list = "content-list" in case["feats"]
    text = first_choice_text(case["body"]) if is_list or len(choices) > 1 else expect["text"]
    if found["text"] != text:
        problems.append(f"text {found['text'][:80]!r}, expected {text[:80]!r}")
    # The SDK has no name for thinking parts inside of the content; ours must have found them.
    reasoning_ok = found["reasoning"] == expect["reasoning"]
    if not (found["inline"] if is_list else reasoning_ok):
        problems.append(f"reasoning {found['reasoning'][:80]!r}")
    calls = [[i, name, arguments or ""] for i, name, arguments in expect["calls"]]
    if found["calls"] != calls or found["ends"] != len(calls):
        problems.append(f"calls {found['calls']}, expected {calls}")
    if found["stop"].get("raw") != expect["finish"]:
        problems.append(f"finish {found['stop']}, expected {expect['finish']}")
    problems += usage_differences(expect["usage"], found.get("usage"))
    return problems


def usage_differences(expect: dict[str, int] | None, found: dict[str, int] | None) -> list[str]:
    """Compare usage: cached tokens belong to the prompt on the wire, not to panto's input."""
    if expect is None:
        return []
    if found is None:
        return [f"no usage, expected {expect}"]
    prompt = found["input"] + found["cache_read"] + found["cache_write"]
    same = (prompt, found["output"]) == (expect["prompt_tokens"], expect["completion_tokens"])
    return [] if same else [f"usage {found}, expected {expect}"]


def test_byte_by_byte_gives_the_same(cases: list[Any]) -> None:
    assert [r["id"] for _, r in cases if r["whole"] != r["bytewise"]] == []


def test_a_cut_stream_is_an_error_and_runs_nothing(cases: list[Any]) -> None:
    wrong, cut_short = [], 0
    for case, result in cases:
        raw = case["body"].encode()
        for found in result["cuts"]:
            head = raw[: found["at"]].decode("utf-8", "ignore")
            where = f"{case['id']} cut at {found['at']}"
            if is_finished(head) or "data: [DONE]" in head:
                continue
            cut_short += 1
            if not found.get("error"):
                wrong.append(f"{where}: no error")
            if found["calls"] or found["ends"]:
                wrong.append(f"{where}: calls {found['calls']}")
    assert wrong == []
    assert cut_short > 3000


def test_a_stream_cut_after_its_finish_is_whole(cases: list[Any]) -> None:
    wrong, seen = [], 0
    for case, result in cases:
        raw = case["body"].encode()
        for found in result["cuts"]:
            head = raw[: found["at"]].decode("utf-8", "ignore")
            if is_finished(head) and "error" not in result["whole"]:
                seen += 1
                if (found["calls"], found.get("error")) != (result["whole"]["calls"], None):
                    wrong.append((case["id"], found["at"], found.get("error")))
    assert wrong == []
    assert seen > 100
