"""A turn with tools in a real terminal, over anthropic_messages."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from support.home import Home
from support.provider import Provider
from support.provider_anthropic import SIGNATURE
from support.tmux import Terminal

SCRIPT: list[dict[str, Any]] = [
    {
        "thinking": "It must be read first.",
        "text": "I look at it.",
        "tool_calls": [
            {"id": "toolu_1", "name": "std_read", "arguments": '{ "path": "notes.txt" }'},
            {"id": "toolu_2", "name": "std_read", "arguments": '{"path": "missing.txt"}'},
        ],
        "usage": {"input_tokens": 1000, "output_tokens": 10, "cache_read_input_tokens": 500},
    },
    {"text": "Two lines.", "usage": {"input_tokens": 2000, "output_tokens": 10}},
    {"text": "You are welcome.", "usage": {"input_tokens": 3000, "output_tokens": 10}},
]


def test_tools_run_and_each_request_begins_as_the_one_before(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    (agent_home.work / "notes.txt").write_text("one\ntwo\n")
    with Provider(SCRIPT) as provider:
        agent_home.use_provider(provider.url)
        config = agent_home.config / "config.toml"
        config.write_text(config.read_text().replace("openai_chat", "anthropic_messages"))
        terminal = open_panto()
        terminal.type("how many lines?")
        terminal.keys("Enter")
        terminal.wait("Two lines.")
        terminal.wait("esc to stop", gone=True)
        terminal.type("thanks")
        terminal.keys("Enter")
        terminal.wait("You are welcome.")
    bodies = [request.body for request in provider.requests if request.method == "POST"]
    assert len(bodies) == 3
    for before, after in itertools.pairwise(bodies):
        assert after.startswith(before.removesuffix(b"]}"))
    said, results = provider.requests[1].json["messages"][1:3]
    thought = {"type": "thinking", "thinking": "It must be read first.", "signature": SIGNATURE}
    assert said["content"][0] == thought
    assert b'"input":{ "path": "notes.txt" }' in bodies[1]
    ids = [block["tool_use_id"] for block in results["content"]]
    assert ids == ["toolu_1", "toolu_2"]
    assert "is_error" not in results["content"][0]
    assert results["content"][1]["is_error"] is True
