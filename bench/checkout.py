"""What the tests already have and the measuring shares: the program, homes, children, providers."""

from __future__ import annotations

import compileall
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.home import PANTO, Home  # noqa: E402
from support.processes import peak_rss_kb  # noqa: E402
from support.provider import Provider  # noqa: E402

PYTHON = str(PANTO.parent / "python")

# pip compiles what it installs; of a checkout the first start does it, where it may write.
compileall.compile_dir(str(ROOT / "python"), quiet=2)

__all__ = ["PANTO", "PYTHON", "ROOT", "Home", "Provider", "peak_rss_kb"]
