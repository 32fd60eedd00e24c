"""Many at once: 100 tool calls of one answer, 1,000 streams of one process; no growth per item.

`python bench/parallel.py [RUNS]` gives the CPU of one item when there are N and when there are 2 N,
what the process costs without any taken off.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import options
from chat_events import END, event, text_events, usage
from checkout import Home
from floors import in_turns
from in_lua import figures
from model_server import Answer, ModelServer
from panto_run import panto_run
from row import Row, lowest_row

CALLS, STREAMS = 100, 1000
TOOLS = {"shell calls (echo hi)": ("std_shell", "command"), "file reads": ("std_read", "path")}
GROWTH = 1.3  # a busy machine alone brings as much


def calls_events(tool: str, argument: str, words: list[str]) -> list[bytes]:
    """An answer of many calls."""
    made = []
    for index, word in enumerate(words):
        function = {"name": tool, "arguments": json.dumps({argument: word})}
        call = {"index": index, "id": f"call_{index}", "type": "function", "function": function}
        made.append(event({"tool_calls": [call]}))
    return [*made, event({}, "tool_calls", usage=usage(1000, 1000)), b"data: [DONE]\n\n"]


def tool_calls_ms(home: Home, kind: str, count: int) -> float:
    """The CPU of a whole process that makes so many calls of one answer, the shells' included."""
    tool, argument = TOOLS[kind]
    words = [f"echo hi {n}" if "shell" in tool else f"file{n}.txt" for n in range(count)]
    answers = [Answer(calls_events(tool, argument, words))] if count else []
    with ModelServer([*answers, Answer(text_events([END]))]) as server:
        home.use_provider(server.url)
        run = panto_run(home, ["go"])
        assert END.encode() in run.said, run.said
        return run.cpu_s * 1000


def streams_ms(home: Home, count: int) -> float:
    """The CPU of so many agents of one process that ask at the same time."""
    answer = Answer(text_events([f"word {n} " for n in range(20)] + [END]))
    with ModelServer([answer] * (count + 1), tells=False) as server:
        home.use_provider(server.url)
        return figures(home, "streams.lua", [count])["cpu"]


def growth_rows(name: str, most: int, costs: dict[int, list[float]]) -> list[Row]:
    """The cost of an item at N and at 2 N, N being half of the most."""
    nothing = min(costs[0])
    one = [(cost - nothing) / (most // 2) for cost in costs[most // 2]]
    other = [(cost - nothing) / most for cost in costs[most]]
    row = lowest_row(
        "parallel", f"{most:,} parallel {name}, CPU of one", other, "ms", at_most_ratio=GROWTH,
        floor=f"with {most // 2:,}", floor_value=min(one),
    )  # fmt: skip
    return [row]


def measure(runs: int) -> list[Row]:
    """The rows of this group."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "h")
        for n in range(CALLS):
            (home.work / f"file{n}.txt").write_text(f"the text of file {n}\n" * 20)
        for kind in TOOLS:
            tool_calls_ms(home, kind, 0)
            sizes = {
                n: lambda n=n, kind=kind: tool_calls_ms(home, kind, n)
                for n in (0, CALLS // 2, CALLS)
            }
            rows += growth_rows(kind, CALLS, in_turns(runs, sizes))
        streams = {n: lambda n=n: streams_ms(home, n) for n in (STREAMS // 2, STREAMS)}
        found = in_turns(runs, streams)
        rows += growth_rows("streams", STREAMS, {0: [0], **found})
    return rows


if __name__ == "__main__":
    options.main(measure, 5)
