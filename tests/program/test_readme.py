"""README.md and docs/: what they show runs, what they name is there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from support.child import ROOT, run_bounded
from support.home import PANTO, Home
from support.provider import Provider

README = (ROOT / "README.md").read_text()
PAGES = [ROOT / "README.md", ROOT / "examples/README.md", ROOT / "examples/fleet/README.md",
         *sorted((ROOT / "docs").glob("*.md"))]  # fmt: skip
EXTENSION, SCRIPT = re.findall(r"^```lua\n(.*?)^```$", README, re.M | re.S)


def names_of(pattern: str, file: str) -> set[str]:
    return set(re.findall(pattern, (ROOT / file).read_text()))


def test_the_extension_counts_lines(agent_home: Home) -> None:
    agent_home.write("work/count.lua", EXTENSION)
    agent_home.write(
        "work/count_spec.lua",
        'local testing = require("panto.testing")\n'
        'describe("count", function()\n  it("counts", function()\n'
        '    local t = testing.new({ files = { ["a.txt"] = "1\\n2\\n" }, script = {\n'
        '      { calls = { { name = "count", input = { path = "a.txt" } } } }, { text = "Two." },\n'
        '      { calls = { { name = "count", input = { path = "b" } } } }, "None." } })\n'
        '    assert.equal("Two.", t:say("go"))\n'
        '    assert.equal("2 lines", t:tool_result("count"))\n'
        '    assert.equal("None.", t:say("and b?"))\n'
        '    assert.contains("no such file", t:tool_result("count"))\n'
        "  end)\nend)\n",
    )
    done = run_bounded([PANTO, "test"], env=agent_home.full_env(), cwd=agent_home.work)
    assert done.code == 0, done.output
    assert len(EXTENSION.splitlines()) <= 17


def test_the_script_reviews_its_files_and_the_lines_in_the_shell_run(home: Home) -> None:
    for name in ("a.lua", "b.lua"):
        home.write(f"work/{name}", "-- a file\n")
    home.write("work/review.lua", SCRIPT)
    answers = [lambda request: {"text": f"fine: {request['messages'][-1]['content'][:14]}"}] * 4
    with Provider(answers) as provider:
        home.use_provider(provider.url)
        words = [PANTO, "lua", "review.lua", "a.lua", "b.lua"]
        done = run_bounded(words, env=home.full_env(), cwd=home.work)
        assert done.stdout == "a.lua\tfine: Review a.lua\nb.lua\tfine: Review b.lua\n", done.output
        block = next(b for b in re.findall(r"^```sh\n(.*?)^```$", README, re.M | re.S) if "jq" in b)
        script = f'panto() {{ {shlex.quote(str(PANTO))} "$@"; }}\ngit init -q\n{block}'
        done = run_bounded(["bash", "-c", script], env=home.full_env(), cwd=home.work)
    assert done.code == 0 and done.stdout.startswith("fine: "), done.output
    assert len(SCRIPT.splitlines()) <= 18


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_links_to_is_there(page: Path) -> None:
    missing = []
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if "://" in link:
            continue
        titles = re.findall(r"(?m)^#+ (.*)$", target.read_text()) if anchor else []
        anchors = {"", *(title.lower().replace(" ", "-") for title in titles)}
        if not target.exists() or anchor not in anchors:
            missing.append(link)
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_commands_that_a_page_names_are_known(page: Path) -> None:
    commands = names_of(r'\["(\w+)"\] = "\w+",', "lua/panto/main.lua")
    named = set(re.findall(r"`(?:\.venv/bin/)?panto ([a-z]+)", page.read_text()))
    assert named <= commands
    targets = names_of(r"(?m)^([a-z]+):", "Makefile")
    assert set(re.findall(r"`make ([a-z]+)", page.read_text())) <= targets


def test_every_page_is_reached_from_the_readme() -> None:
    linked = set(re.findall(r"\]\(docs/(\w+\.md)\)", README))
    assert linked == {page.name for page in (ROOT / "docs").glob("*.md")}


def test_every_slash_command_of_the_users_pages_is_there() -> None:
    builtin = {path.stem for path in (ROOT / "lua/panto/app/builtin").glob("*.lua")} - {"init"}
    pages = ["README.md", "docs/config.md", "docs/tools.md", "docs/keys.md", "docs/sessions.md"]
    for page in pages:
        named = set(re.findall(r"`/([a-z]+)[` ]", (ROOT / page).read_text()))
        assert named <= builtin, page


def test_the_house_in_the_readme_is_the_one_that_stands() -> None:
    house = README.split("## The house")[1]
    rooms = {path.name for path in (ROOT / "lua/panto").iterdir() if path.is_dir()}
    tree = house.split("```")[1]
    assert rooms == set(re.findall(r"(?m)^  (\w+)/ ", tree))
    for path in re.findall(r"(?m)^([\w/]+)/ ", tree):
        assert (ROOT / path).is_dir(), path


def test_the_tools_page_has_the_standard_tools_and_their_limits() -> None:
    page = (ROOT / "docs/tools.md").read_text()
    tools = {path.stem for path in (ROOT / "lua/std").glob("*.lua")}
    assert tools == set(re.findall(r"(?m)^\| `std\.(\w+)`", page))
    for file in ("lua/std/read.lua", "lua/std/shell.lua"):
        assert names_of(r"MAX_LINES, MAX_BYTES.* = (\d+, \d+ \*)", file) == {"2000, 50 *"}
    assert names_of(r"MAX_TIMEOUT_S = (\d+)", "lua/std/shell.lua") == {"3600"}
