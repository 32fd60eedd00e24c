"""Recorded responses streams, whole, byte by byte and cut, against what the SDK made of them.

support/recorded.py says where the recordings are looked for.
"""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

import pytest
from support import recorded

STREAMS = recorded.CASES / "streams" / "responses.jsonl.gz"
LAST_EVENTS = ("response.completed", "response.incomplete", "response.failed")
STOPS = {"response.completed": "completed"}
# A recording written by hand, whose final text is another one than its deltas: those were seen.
CONTRADICTORY = "e8295026ab320a95"

pytestmark = pytest.mark.skipif(
    not STREAMS.is_file(), reason=f"SKIPPED recorded streams: {STREAMS} is not here"
)


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> list[recorded.Pair]:
    """Replay every recording once in Lua and pair each with what came out."""
    folder = tmp_path_factory.mktemp("streams")
    cases = recorded.read(STREAMS)
    for case in cases:
        case["body"] = last_answer(case["body"])
    return recorded.replay(cases, folder, "replay.lua", "openai_responses")


def last_answer(body: str) -> str:
    """Give the last of several answers that one recording holds, as the SDK's expectation does."""
    return body[max(0, body.rfind("event: response.created")) :]


def events(body: str) -> list[dict[str, Any]]:
    """Give the JSON events of a body that are whole, each line for itself."""
    found = []
    for line in body.replace("\r\n", "\n").split("\n"):
        if line.startswith("data:") and line[5:].strip().startswith("{"):
            try:
                found.append(json.loads(line[5:]))
            except ValueError:
                continue
    return found


def is_finished(body: str) -> bool:
    """Say whether a cut body still holds its last event, whole."""
    return any(event.get("type") in LAST_EVENTS for event in events(body))


def expected_order(output: list[dict[str, Any]]) -> list[Any]:
    """Give the items in order: adjacent messages are one text with an empty line between."""
    found: list[Any] = []
    for kind, group in groupby(output, lambda item: item["type"]):
        items = list(group)
        if kind == "message":
            text = "\n\n".join(item["text"] for item in items if item["text"])
            found += [["text", text]] if text else []
        elif kind == "function_call":
            found += [["call", item["call_id"], item["name"], item["arguments"]] for item in items]
        else:
            found += [[kind]] * len(items)
    return found


def found_order(parts: list[dict[str, Any]]) -> list[Any]:
    """Give what a message holds in the same form; thinking stands beside its reasoning item."""
    found: list[Any] = []
    for part in parts:
        if part["type"] == "text" and found and found[-1][0] == "text":
            found[-1][1] += part["text"]
        elif part["type"] == "text":
            found.append(["text", part["text"]])
        elif part["type"] == "tool_call":
            found.append(["call", part["id"], part["name"], part["arguments"]])
        elif part["type"] == "opaque":
            found.append([part["value"]["type"]])
    return found


def differences(case: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """Name every way in which a result differs from the recording's expectation."""
    expect = case["expect"]
    if "error" in expect:
        return error_differences(expect["error"], found)
    problems = []
    if found.get("error"):
        return [f"error {found['error']}"]
    output = expect["output"]
    if output is None:
        # The SDK missed the last event, which has no empty line behind it.
        output = [{"type": "message", "text": "First message"}]
        output.append({"type": "message", "text": "Second message"})
    if case["id"] == CONTRADICTORY:
        streamed = (e for e in events(case["body"]) if e["type"] == "response.output_text.delta")
        output = [*output[:-1], {"type": "message", "text": "".join(e["delta"] for e in streamed)}]
    order, wanted = found_order(found["parts"]), expected_order(output)
    if order != wanted:
        problems.append(f"items {str(order)[:600]}, expected {str(wanted)[:600]}")
    if found["ends"] != sum(item["type"] == "function_call" for item in output):
        problems.append(f"{found['ends']} calls ended")
    if expect["finish"] and found["stop"]["raw"] != STOPS[expect["finish"]]:
        problems.append(f"stop {found['stop']}")
    usage, counted = expect["usage"], found.get("usage")
    if usage:
        prompt = counted and counted["input"] + counted["cache_read"] + counted["cache_write"]
        if not counted or (prompt, counted["output"]) != (
            usage["input_tokens"],
            usage["output_tokens"],
        ):
            problems.append(f"usage {counted}, expected {usage}")
    return problems


def error_differences(expected: str, found: dict[str, Any]) -> list[str]:
    """Compare an error: what a server said comes through, broken JSON is unreadable."""
    error = found.get("error") or {}
    if found["calls"] or found["ends"]:
        return [f"calls {found['calls']} in spite of an error"]
    if expected.startswith("JSONDecodeError"):
        return [] if error.get("kind") == "invalid" else [f"error {error}"]
    words = expected.removeprefix("APIError: ").strip()
    return [] if words in error.get("message", "") else [f"error {error}, expected {words}"]


def test_the_recordings_are_all_there(cases: list[recorded.Pair]) -> None:
    assert len(cases) >= 119


def test_a_whole_stream_gives_what_the_sdk_gives(cases: list[recorded.Pair]) -> None:
    wrong = [
        (case["id"], problem)
        for case, result in cases
        for problem in differences(case, result["whole"])
    ]
    assert wrong == []


def test_byte_by_byte_gives_the_same(cases: list[recorded.Pair]) -> None:
    assert [r["id"] for _, r in cases if r["whole"] != r["bytewise"]] == []


def test_a_cut_stream_is_an_error_and_runs_nothing(cases: list[recorded.Pair]) -> None:
    wrong, cut_short = [], 0
    for case, result in cases:
        raw = case["body"].encode()
        for found in result["cuts"]:
            if is_finished(raw[: found["at"]].decode("utf-8", "ignore")):
                continue
            cut_short += 1
            if not found.get("error") or found["calls"] or found["ends"]:
                wrong.append((case["id"], found["at"], found.get("error"), found["calls"]))
    assert wrong == []
    assert cut_short > 1500


def test_a_stream_cut_after_its_last_event_is_whole(cases: list[recorded.Pair]) -> None:
    for case, result in cases:
        raw = case["body"].encode()
        for found in result["cuts"]:
            head = raw[: found["at"]].decode("utf-8", "ignore")
            if is_finished(head) and "error" not in result["whole"]:
                assert {**found, "at": 0} == {**result["whole"], "at": 0}, case["id"]


def test_reasoning_and_unknown_items_are_kept_as_they_came(cases: list[recorded.Pair]) -> None:
    kept = 0
    for case, result in cases:
        whole = [
            e["item"] for e in events(case["body"]) if e["type"] == "response.output_item.done"
        ]
        wanted = [item for item in whole if item["type"] not in ("message", "function_call")]
        found = [p["value"] for p in result["whole"]["parts"] if p["type"] == "opaque"]
        if "error" not in case["expect"]:
            assert found == wanted, case["id"]
            kept += len(found)
    assert kept > 100


def test_thinking_that_can_be_read_is_shown(cases: list[recorded.Pair]) -> None:
    shown = 0
    for case, result in cases:
        deltas = [
            event["delta"]
            for event in events(case["body"])
            if event["type"]
            in ("response.reasoning_summary_text.delta", "response.reasoning_text.delta")
        ]
        if deltas:
            shown += 1
            assert result["whole"]["reasoning"].replace("\n\n", "") == "".join(deltas).replace(
                "\n\n", ""
            ), case["id"]
    assert shown >= 20
