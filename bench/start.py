"""What a start costs: `help`, `--version`, `panto lua`, and panto until a typed key shows.

`python bench/start.py [RUNS]`; the runs take turns with the floors P and L.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

import options
from checkout import PANTO, Home
from floors import COMMANDS, Cost, in_turns, peak_mb, run_cost
from row import Row, median_row
from terminal import PROMPT, Terminal

EXTENSION = """
return {{ name = "bench-{n}", activate = function()
  require("panto").ext.register_command {{
    name = "bench{n}", description = "x", handler = function() end,
  }}
end }}
"""
WORDS = {
    "panto --version": ["--version"],
    "panto help": ["help"],
    "panto lua -e ''": ["lua", "-e", ""],
    "panto lua, luv loaded": ["lua", "-e", 'require("luv")'],
}
SETTLE_S = 0.8  # a start keeps what it compiled for the next one, after its first frames


def build_home(root: Path, extensions: int, models: int = 20) -> Home:
    """A home with a provider that nobody asks, and so many models and extensions."""
    home = Home(root)
    home.use_provider("http://127.0.0.1:9/v1")
    file = home.config / "models.toml"
    file.write_text(file.read_text() + "".join(f"[loop.m{n}]\n" for n in range(1, models)))
    (home.config / "extensions").mkdir()
    for n in range(extensions):
        (home.config / "extensions" / f"e{n}.lua").write_text(EXTENSION.format(n=n))
    return home


def first_key(home: Home, settle_s: float = 0) -> Cost:
    """From the start of panto in a terminal until a typed key shows."""
    with Terminal(home) as terminal:
        terminal.until(PROMPT)
        terminal.echo(b"Z", 20)
        cost = Cost((time.monotonic() - terminal.started) * 1000, terminal.cpu_ms())
        time.sleep(settle_s)
        return cost


def measure(runs: int) -> list[Row]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        home = build_home(Path(folder) / "h", 10)
        many = build_home(Path(folder) / "m", 100)
        env = home.full_env()
        commands = dict(COMMANDS)
        commands |= {name: [str(PANTO), *words] for name, words in WORDS.items()}
        for one in (home, many) * 2:
            first_key(one, SETTLE_S)
        costs = in_turns(runs, {
            **{
                name: lambda command=command: run_cost(command, env, home.work)
                for name, command in commands.items()
            },
            "start": lambda: first_key(home),
            "many": lambda: first_key(many),
        })  # fmt: skip
        peaks = {name: [peak_mb(commands[name], env) for _ in range(3)] for name in WORDS}
    return rows_of(costs, peaks)


def rows_of(costs: dict[str, list[Cost]], peaks: dict[str, list[float]]) -> list[Row]:
    """The rows from what was measured."""
    walls = {name: [cost.wall_ms for cost in list_] for name, list_ in costs.items()}
    floor = {"floor": "L", "floor_value": median(walls["L"])}

    def wall(name: str, title: str, **more: float) -> Row:
        return median_row("start", title, walls[name], "ms", **floor, **more)

    rows = [
        median_row("start", "P: python -c ''", walls["P"], "ms"),
        median_row("start", "L: python with lupa and a Lua state", walls["L"], "ms"),
    ]
    for name in WORDS:
        times = 1.5 if "lua" in name else 1.3
        rows.append(wall(name, name, at_most_ratio=times))
        limit = None if "lua" in name else 15
        rows.append(median_row("start", f"{name}, memory", peaks[name], "MB", at_most=limit))
    start = wall("start", "start until a typed key shows", at_most=50, at_most_ratio=2)
    cpu = [cost.cpu_ms for cost in costs["start"]]
    more = [100 - 10, [a - b for a, b in zip(walls["many"], walls["start"], strict=True)]]
    title = f"the same with {more[0]} extensions more"
    return [
        *rows,
        start,
        median_row("start", "start until a typed key shows, CPU", cpu, "ms"),
        median_row("start", title, more[1], "ms more", at_most=50),
    ]


if __name__ == "__main__":
    options.main(measure, 9)
