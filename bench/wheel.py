"""The size of panto's wheel with all that it depends on; asks the package index, so it may fail.

`python bench/wheel.py`
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import options
from checkout import PYTHON, ROOT
from row import Row


def measure(runs: int) -> list[Row]:
    """The row of this group, without a figure when the wheels cannot be had."""
    del runs
    with tempfile.TemporaryDirectory() as folder:
        words = [PYTHON, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
        done = subprocess.run(
            [*words, "--wheel-dir", folder, str(ROOT)], capture_output=True, text=True, check=False
        )
        wheels = {path.name: path.stat().st_size / 1e6 for path in Path(folder).glob("*.whl")}
    if done.returncode or not wheels:
        reason = (done.stderr.strip().splitlines() or ["no wheel"])[-1]
        print(f"wheel: left out, pip wheel did not bring them: {reason}")
        return []
    own = next((size for name, size in wheels.items() if name.startswith("panto-")), 0.0)
    note = f"{len(wheels)} wheels; panto's own has {own:.2f} MB"
    name = "wheels of panto and its dependencies"
    return [Row("wheel", name, sum(wheels.values()), "MB", at_most=12, note=note)]


if __name__ == "__main__":
    options.main(measure, 1)
