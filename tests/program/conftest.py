"""A home for the program under test, and panto in a terminal on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from support.home import PANTO, Home
from support.tmux import Terminal


@pytest.fixture
def agent_home() -> Iterator[Home]:
    """Folders and environment of a panto that has the rocks and nothing else.

    Their names are short, so that a path stands on one line of the screen.
    """
    with TemporaryDirectory(prefix="p", ignore_cleanup_errors=True) as root:
        yield Home(Path(root) / "h")


@pytest.fixture
def open_panto(agent_home: Home) -> Iterator[Callable[..., Terminal]]:
    """Starts panto in a terminal of its own; all are closed at the end."""
    with ExitStack() as stack:

        def start(*words: str, **options: Any) -> Terminal:
            terminal = Terminal(
                [str(PANTO), *words], folder=agent_home.work, env=agent_home.env(), **options
            )
            stack.enter_context(terminal)
            terminal.wait("›")
            return terminal

        yield start
