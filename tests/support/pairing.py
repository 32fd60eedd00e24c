"""A request body into what its API would refuse: calls without results, results without calls."""

from __future__ import annotations

from typing import Any


def chat_results(body: dict[str, Any]) -> dict[str, str]:
    """Check a chat completion's messages; give the results by call id."""
    open_calls: list[str] = []
    results: dict[str, str] = {}
    for message in body["messages"]:
        if message["role"] == "tool":
            assert message["tool_call_id"] in open_calls, f"{message} answers no open call"
            open_calls.remove(message["tool_call_id"])
            results[message["tool_call_id"]] = message["content"]
            continue
        assert not open_calls, f"{open_calls} have no result before a {message['role']} message"
        open_calls = [call["id"] for call in message.get("tool_calls", [])]
    assert not open_calls, f"{open_calls} have no result at the end"
    return results


def anthropic_results(body: dict[str, Any]) -> dict[str, str]:
    """Check the messages of the Messages API; give the results by call id."""
    open_calls: list[str] = []
    results: dict[str, str] = {}
    for message in body["messages"]:
        blocks = message["content"]
        blocks = [{"type": "text"}] if isinstance(blocks, str) else blocks
        for block in blocks:
            if block["type"] == "tool_result":
                assert block["tool_use_id"] in open_calls, f"{block} answers no open call"
                open_calls.remove(block["tool_use_id"])
                content = block["content"]
                text = content if isinstance(content, str) else content[0].get("text", "")
                results[block["tool_use_id"]] = text
            else:
                assert not open_calls, f"{open_calls} have no result before {block['type']}"
        if message["role"] == "assistant":
            open_calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    assert not open_calls, f"{open_calls} have no result at the end"
    return results


def responses_results(body: dict[str, Any]) -> dict[str, str]:
    """Check the input items of the Responses API; give the results by call id."""
    calls: set[str] = set()
    results: dict[str, str] = {}
    for item in body["input"]:
        if item.get("type") == "function_call":
            assert item["call_id"] not in calls, f"{item['call_id']} is called twice"
            calls.add(item["call_id"])
        elif item.get("type") == "function_call_output":
            assert item["call_id"] in calls, f"{item['call_id']} answers no call"
            assert item["call_id"] not in results, f"{item['call_id']} is answered twice"
            output = item["output"]
            results[item["call_id"]] = output if isinstance(output, str) else output[0]["text"]
    assert calls == set(results), f"{calls - set(results)} have no result"
    return results


RESULTS = {
    "openai_chat": chat_results,
    "anthropic_messages": anthropic_results,
    "openai_responses": responses_results,
}
