"""Recorded messages streams, whole, byte by byte and cut, against what the SDK made of them.

support/recorded.py says where the recordings are looked for.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from support import recorded

RECORDED = recorded.CASES / "streams" / "anthropic.jsonl.gz"

# Where the SDK goes on after message_stop (fifteen answers in one file), or joins the blocks of two
# messages that were spliced together, panto does as the stream says.
OTHERWISE = {
    "be11e74400961bb2": ("tool_use", ["text", "server_tool_use", "tool_use"]),
    "2ac79bd2b5129c60": ("tool_use", ["thinking", "tool_use"]),
}

pytestmark = pytest.mark.skipif(
    not RECORDED.is_file(), reason=f"SKIPPED recorded streams: {RECORDED} is not here"
)


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> list[recorded.Pair]:
    """Replay every recording once in Lua and pair each with what came out."""
    folder = tmp_path_factory.mktemp("streams")
    return recorded.replay(recorded.read(RECORDED), folder, "replay_anthropic.lua")


def events(text: str) -> list[dict[str, Any]]:
    """Give the JSON of each whole data line."""
    found = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if line.startswith("data:"):
            try:
                found.append(json.loads(line[5:]))
            except ValueError:
                continue
    return found


def is_finished(text: str) -> bool:
    """Say whether a cut body still holds a stop reason."""
    return any(
        event.get("type") == "message_delta" and event["delta"].get("stop_reason")
        for event in events(text)
    )


def without_nulls(value: Any) -> Any:
    """Drop what is null at any depth, as the recordings' expectations do."""
    if isinstance(value, dict):
        return {key: without_nulls(part) for key, part in value.items() if part is not None}
    return [without_nulls(part) for part in value] if isinstance(value, list) else value


def input_deltas(body: str, index: int) -> Any:
    """Join the input of one block."""
    pieces = [
        event["delta"].get("partial_json", "")
        for event in events(body)
        if event.get("type") == "content_block_delta" and event["index"] == index
    ]
    return json.loads("".join(pieces))


def expected_blocks(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Give the blocks that must go back: no blank text, no note of who called panto's own tool."""
    compactions = iter(
        event["delta"]["content"]
        for event in events(case["body"])
        if event.get("delta", {}).get("type") == "compaction_delta"
    )
    blocks = []
    for index, block in enumerate(case["expect"]["blocks"]):
        if block["type"] == "text" and not block["text"].strip():
            continue
        if block["type"] == "tool_use":
            block = {key: value for key, value in block.items() if key != "caller"}
        elif block["type"] == "compaction":
            # The SDK has no such block and loses what is in it; so with the next.
            block = {**block, "content": next(compactions)}
        elif block["type"] == "mcp_tool_use":
            block = {**block, "input": input_deltas(case["body"], index)}
        blocks.append(block)
    return blocks


def test_the_recordings_are_all_there(cases: list[recorded.Pair]) -> None:
    assert len(cases) >= 95
    kinds = {block["type"] for _, result in cases for block in result["whole"]["blocks"]}
    assert {"redacted_thinking", "mcp_tool_use", "compaction", "thinking"} <= kinds


def test_a_whole_stream_gives_what_the_sdk_gives(cases: list[recorded.Pair]) -> None:
    wrong = []
    for case, result in cases:
        found, expect = result["whole"], case["expect"]
        if "error" in expect:
            if found["error"]["kind"] != "invalid" or found["blocks"]:
                wrong.append((case["id"], found))
            continue
        if case["id"] in OTHERWISE:
            kinds = [block["type"] for block in found["blocks"]]
            if (found["stop"]["raw"], kinds) != OTHERWISE[case["id"]]:
                wrong.append((case["id"], kinds))
            continue
        wrong += [(case["id"], name) for name in differences(case, found)]
    assert wrong == []


def differences(case: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """Name every way in which a result differs from the recording's expectation."""
    expect, problems = case["expect"], []
    text = "".join(block.get("text", "") for block in expect["blocks"] if block["type"] == "text")
    calls = [block for block in expect["blocks"] if block["type"] == "tool_use"]
    if found["text"] != text:
        problems.append("text")
    if [c[:2] for c in found["calls"]] != [[call["id"], call["name"]] for call in calls]:
        problems.append(f"calls {found['calls']}")
    if [json.loads(c[2] or "{}") for c in found["calls"]] != [call["input"] for call in calls]:
        problems.append(f"inputs {found['calls']}")
    if found["ends"] != len(calls) or found["stop"]["raw"] != expect["stop"]:
        problems.append(f"stop {found['stop']}, {found['ends']} ends")
    if without_nulls(found["blocks"]) != expected_blocks(case):
        problems.append(f"blocks {found['blocks']}"[:3000])
    if found["usage"] | usage_of(expect["usage"]) != found["usage"]:
        problems.append(f"usage {found['usage']}")
    return problems


def usage_of(wire: dict[str, Any]) -> dict[str, int]:
    """Give the same counts under panto's names."""
    return {
        "input": wire["input_tokens"],
        "output": wire["output_tokens"],
        "cache_read": wire["cache_read_input_tokens"] or 0,
        "cache_write": wire["cache_creation_input_tokens"] or 0,
    }


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
                wrong.append((case["id"], found))
    assert wrong == []
    assert cut_short > 1000


def test_a_stream_cut_after_its_stop_reason_is_whole(cases: list[recorded.Pair]) -> None:
    wrong, seen = [], 0
    for case, result in cases:
        raw = case["body"].encode()
        for found in result["cuts"]:
            if is_finished(raw[: found["at"]].decode("utf-8", "ignore")):
                seen += 1
                if (found["calls"], found.get("error")) != (result["whole"]["calls"], None):
                    wrong.append((case["id"], found))
    assert wrong == []
    assert seen > 20
