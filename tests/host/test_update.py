"""`panto update` makes the configured list of rocks true and touches nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.child import Finished, run_bounded
from support.home import PANTO
from support.rock_server import RockServer
from support.rocks import RocksHome

TOOL = 'return { name = "clock.now", description = "d", schema = {}, handler = function() end }\n'


class Configured:
    """A home with rocks, a user configuration and a rocks server."""

    def __init__(self, home: RocksHome, folder: Path) -> None:
        self.home, self.server = home, RockServer(folder / "server")
        self.folder = folder / "config" / "panto"
        self.folder.mkdir(parents=True)

    def write(self, *rocks: str) -> None:
        """Writes the list of rocks."""
        names = ", ".join(f'"{rock}"' for rock in rocks)
        (self.folder / "config.toml").write_text(f"[extensions]\nrocks = [{names}]\n")

    def run(self, word: str, *more: str) -> Finished:
        """Runs a subcommand of panto."""
        env = self.home.full_env(
            XDG_CONFIG_HOME=str(self.folder.parent),
            XDG_STATE_HOME=str(self.folder.parent / "state"),
            PANTO_ROCKS_SERVER=str(self.server.folder),
        )
        return run_bounded([PANTO, word, *more], env=env, cwd=self.folder)

    def installed(self) -> dict[str, str]:
        """The tree's rocks by name, luv left out."""
        lines = self.home.luarocks("list", "--porcelain").stdout.splitlines()
        rocks = dict(line.split("\t")[:2] for line in lines)
        assert rocks.pop("luv")
        return rocks


@pytest.fixture
def configured(built: RocksHome, tmp_path: Path) -> Configured:
    """Three rocks in the server, nothing in the tree."""
    configured = Configured(built, tmp_path)
    configured.server.add_lua("one", "1.0-1", "return 1\n")
    configured.server.add_lua("one", "1.1-1", "return 1.1\n")
    configured.server.add_lua("other", "2.0-1", "return 2\n")
    configured.server.add_lua("panto-clock", "0.1-1", TOOL)
    return configured


def test_it_installs_what_is_missing_and_upgrades_what_is_pinned(configured: Configured) -> None:
    done = configured.run("update")
    assert (done.code, done.stdout) == (0, "[extensions] rocks lists nothing to install\n")
    configured.write("one 1.0", "other")
    done = configured.run("update")
    assert (done.code, done.stdout) == (0, "one 1.0-1 installed\nother 2.0-1 installed\n"), (
        done.output
    )
    assert done.stderr == "panto update: installing one 1.0\npanto update: installing other\n"
    assert configured.installed() == {"one": "1.0-1", "other": "2.0-1"}
    again = configured.run("update")
    assert (again.code, again.stdout) == (0, "one 1.0-1 is there\nother 2.0-1 is there\n")
    configured.write("one 1.1")
    done = configured.run("update")
    assert done.stdout == "one 1.1-1 installed in place of 1.0-1\n", done.output
    assert configured.installed() == {"one": "1.1-1", "other": "2.0-1"}
    configured.write("one")
    assert configured.run("update").stdout == "one 1.1-1 is there\n"


def test_one_that_fails_is_told_with_the_mend_and_the_rest_goes_on(configured: Configured) -> None:
    configured.write("nowhere", "a b c", "luv 9.9", "one")
    done = configured.run("update")
    assert done.code == 1
    assert done.stdout == "one 1.1-1 installed\n"
    lines = done.stderr.splitlines()
    assert lines[2] == 'panto update: "a b c" is not a rock: write "NAME" or "NAME VERSION"'
    assert "luv is the rock that panto itself runs on" in lines[3]
    assert "cannot install nowhere: No results matching query" in lines[4]
    assert "To do: see that the name and the version are right" in lines[4]
    log = configured.home.root / "cache" / "rocks-update.log"
    assert str(log) in lines[4]
    assert "No results matching" in log.read_text()
    assert configured.run("update", "x").code == 2


def test_a_rock_that_returns_entries_is_an_extension_and_a_library_is_not(
    configured: Configured,
) -> None:
    configured.write("panto-clock", "one")
    before = configured.run("doctor").stdout
    assert "warn  rock panto-clock: is not installed -> panto update\n" in before
    assert "extensions: 4 of 4 entries" in before
    assert configured.run("update").code == 0
    after = configured.run("doctor")
    assert after.code == 0, after.output
    assert "ok    rock panto-clock: 0.1-1\n" in after.stdout
    assert "extensions: 5 of 5 entries are active\n" in after.stdout
