"""What a conversation costs, in the footer: to the cent in each style, `?` for what is unknown."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from support.home import Home
from support.provider import Provider
from support.tmux import Terminal

PRICES = {"input": "3", "output": "15", "cache_read": "0.3", "cache_write": "3.75"}
CHAT_USAGE = {
    "prompt_tokens": 1_000_000,
    "completion_tokens": 20_001,
    "prompt_tokens_details": {"cached_tokens": 600_000, "cache_write_tokens": 40_000},
}
# The responses API tells nothing of cache writes.
RESPONSES_USAGE = {**CHAT_USAGE, "prompt_tokens_details": {"cached_tokens": 600_000}}
ANTHROPIC_USAGE = {
    "input_tokens": 360_000,
    "output_tokens": 20_001,
    "cache_read_input_tokens": 600_000,
    "cache_creation_input_tokens": 40_000,
}
WRITTEN = {"input": 360_000, "output": 20_001, "cache_read": 600_000, "cache_write": 40_000}
UNWRITTEN = {"input": 400_000, "output": 20_001, "cache_read": 600_000, "cache_write": 0}
CASES: list[tuple[str, dict[str, Any], dict[str, int]]] = [
    ("openai_chat", CHAT_USAGE, WRITTEN),
    ("anthropic_messages", ANTHROPIC_USAGE, WRITTEN),
    ("openai_responses", RESPONSES_USAGE, UNWRITTEN),
]


def events(*values: dict[str, Any]) -> str:
    """Write server-sent events whose names are their types."""
    return "".join(
        f"event: {value.get('type', 'message')}\ndata: {json.dumps(value)}\n\n" for value in values
    )


TEXT = {"type": "message", "id": "m", "role": "assistant", "content": []}
UNCOUNTED = {
    "openai_chat": events(
        {"choices": [{"index": 0, "delta": {"content": "No counts."}, "finish_reason": "stop"}]}
    ),
    "anthropic_messages": events(
        {"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "text_delta", "text": "No counts."},
        },
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
        {"type": "message_stop"},
    ),
    "openai_responses": events(
        {"type": "response.output_item.added", "output_index": 0, "item": TEXT},
        {"type": "response.output_text.delta", "output_index": 0, "delta": "No counts."},
        {"type": "response.output_item.done", "output_index": 0, "item": TEXT},
        {"type": "response.completed", "response": {"status": "completed", "output": [TEXT]}},
    ),
}


def use(home: Home, url: str, style: str) -> None:
    """Write a user layer with a priced model, one that costs nothing and one without prices."""
    home.use_provider(url)
    config = home.config / "config.toml"
    config.write_text(config.read_text().replace("openai_chat", style))
    priced = "".join(f"{name} = {price}\n" for name, price in PRICES.items())
    free = "".join(f"{name} = 0\n" for name in PRICES)
    (home.config / "models.toml").write_text(f"[loop.m]\n{priced}\n[loop.free]\n{free}\n[loop.x]\n")


def ask(terminal: Terminal, text: str, answer: str) -> None:
    """Send a line and wait for the end of its turn."""
    terminal.type(text)
    terminal.keys("Enter")
    terminal.wait(answer)
    terminal.wait("esc to stop", gone=True)


def cents(*usages: dict[str, int]) -> str:
    """Give the cost as the footer shows it."""
    counted = [(count, PRICES[kind]) for usage in usages for kind, count in usage.items()]
    cost = sum(count * Decimal(price) / 1_000_000 for count, price in counted)
    return f"${cost:.2f}"


@pytest.mark.parametrize(("style", "usage", "counts"), CASES, ids=[case[0] for case in CASES])
def test_the_footer_tells_the_cost(
    agent_home: Home,
    open_panto: Callable[..., Terminal],
    style: str,
    usage: dict[str, Any],
    counts: dict[str, int],
) -> None:
    script = [
        {"text": "One.", "usage": usage},
        {"text": "Two.", "usage": usage},
        {"raw": UNCOUNTED[style]},
    ]
    with Provider(script) as provider:
        use(agent_home, provider.url, style)
        terminal = open_panto()
        ask(terminal, "first", r"One\.")
        terminal.wait(rf"\{cents(counts)}")
        ask(terminal, "second", r"Two\.")
        twice = cents(counts, counts)
        terminal.wait(rf"\{twice}(?!\+)")
        ask(terminal, "third", r"No counts\.")
        terminal.wait(rf"\{twice}\+\?")
        terminal.keys("C-d")
        terminal.wait("left with 0")
        again = open_panto("--resume")
        again.wait(rf"\{twice}\+\?")


def test_each_answer_costs_what_its_own_model_costs(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    script = [{"text": f"Answer {number}.", "usage": CHAT_USAGE} for number in range(3)]
    with Provider(script) as provider:
        use(agent_home, provider.url, "openai_chat")
        terminal = open_panto()
        ask(terminal, "first", r"Answer 0\.")
        terminal.wait(rf"\{cents(WRITTEN)}")
        terminal.type("/model loop:free")
        terminal.keys("Enter")
        ask(terminal, "second", r"Answer 1\.")
        assert "in 720k" in terminal.screen()
        terminal.wait(rf"\{cents(WRITTEN)}(?!\+)")
        terminal.type("/model loop:x")
        terminal.keys("Enter")
        ask(terminal, "third", r"Answer 2\.")
        terminal.wait(rf"\{cents(WRITTEN)}\+\?")
