"""Images of results: in kitty's and iTerm2's protocols to the byte, a line of text elsewhere."""

from __future__ import annotations

import base64
import json
import os
import re
import shlex
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.child import run_bounded
from support.display import Display, missing, wait_until
from support.fake_terminal import ITERM, KITTY_QUERY, NEW_KITTY, FakeTerminal
from support.home import PANTO, Home
from support.provider import Provider
from support.tmux import Terminal

PLACEHOLDER = "\U0010eeee"
LINE = "[image: PNG 200\u00d7100"

SHOWN = rf"● std\.read a\.png\n  {re.escape(LINE)}, \d+ KB\]\n\nThat is all"


def png(width: int, height: int) -> bytes:
    """A picture: red and green fields that are not square, so that a wrong place or size shows."""
    rows = []
    for y in range(height):
        fields = [
            b"\xd0\x30\x30" if (x * 4 // width + y * 2 // height) % 2 else b"\x30\xb0\x50"
            for x in range(width)
        ]
        rows.append(b"\0" + b"".join(fields))

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    # Stored, not packed: some thousand bytes, so that they come in pieces.
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
            + chunk(b"IDAT", zlib.compress(b"".join(rows), 0)) + chunk(b"IEND", b""))


def read_call(number: int, path: str) -> dict[str, str]:
    """One call of std.read."""
    return {"id": f"c{number}", "name": "std_read", "arguments": json.dumps({"path": path})}


TURNS = [{"text": "I look.", "tool_calls": [read_call(1, "a.png")]}, {"text": "That is all."}]


@pytest.fixture
def picture_home(agent_home: Home) -> Iterator[Home]:
    """A home whose provider has a picture looked at, in the folder of which it lies."""
    (agent_home.work / "a.png").write_bytes(png(200, 100))
    with Provider(TURNS) as provider:
        agent_home.use_provider(provider.url)
        yield agent_home


@contextmanager
def looking(
    home: Home, answers: dict[bytes, bytes], **env: str
) -> Iterator[tuple[FakeTerminal, bytes]]:
    """panto in a terminal that answers so, behind the turn; with what that turn wrote."""
    kept = {k: v for k, v in home.full_env().items() if k not in ("TMUX", "STY", "TERM_PROGRAM")}
    with FakeTerminal(
        [str(PANTO)], folder=home.work, env={**kept, "TERM": "xterm-256color", **env},
        answers=answers,
    ) as terminal:
        # The device attributes are asked for behind the first questions, and behind kitty's again.
        terminal.wait_answered(len(answers) + (KITTY_QUERY in answers))
        since = len(terminal.written())
        terminal.send(b"look\r")
        yield terminal, terminal.wait(rb"That is all\.", since=since)


def sent(data: bytes) -> tuple[dict[str, str], bytes]:
    """The keys and the data of the one image that was sent to a kitty."""
    pieces = re.findall(rb"\x1b_G([^;\x1b]*m=[01]);([A-Za-z0-9+/=]*)\x1b\\", data)
    assert all(len(piece) <= 4096 for _, piece in pieces)
    assert [b"m=1" in keys for keys, _ in pieces] == [True] * (len(pieces) - 1) + [False]
    first = dict(pair.split("=") for pair in pieces[0][0].decode().split(","))
    return first, base64.b64decode(b"".join(piece for _, piece in pieces))


def test_a_kitty_gets_the_image_once_and_rows_of_placeholders(picture_home: Home) -> None:
    image = (picture_home.work / "a.png").read_bytes()
    with looking(picture_home, NEW_KITTY) as (terminal, turn):
        keys, data = sent(turn)
        assert keys["a"] == "t" and keys["f"] == "100" and data == image
        number = int(keys["i"])
        place = f"\x1b_Ga=p,U=1,i={number},p=1,c=20,r=5,q=2\x1b\\".encode()
        assert turn.count(place) == 1
        color = f"38;2;{number >> 16};{number >> 8 & 255};{number & 255}m"
        text = turn.decode()
        rows = [line for line in text.splitlines() if PLACEHOLDER in line]
        assert len(rows) == 5 and all(row.count(PLACEHOLDER) == 20 for row in rows)
        assert all(color in row for row in rows)
        assert LINE in text
        since = len(terminal.written())
        terminal.resize(60, 20)
        terminal.send(b"more")
        after = terminal.wait(rb"more", since=since)
        assert b"\x1b_G" not in after and PLACEHOLDER not in after.decode()
        terminal.send(b"\x15\x04")
        terminal.wait(rb"goes on with this conversation")


def test_an_older_kitty_draws_it_in_the_finished_row(picture_home: Home) -> None:
    answers = {**NEW_KITTY, b"\x1b[>0q": b"\x1bP>|kitty(0.26.5)\x1b\\"}
    with looking(picture_home, answers) as (_, turn):
        keys, _data = sent(turn)
        drawn = rf"\x1b7\x1b\[4A\x1b\[3G\x1b_Ga=p,i={keys['i']},c=20,r=5,C=1,q=2\x1b\\\x1b8"
        assert len(re.findall(drawn.encode(), turn)) == 1
        assert LINE.encode() in turn and PLACEHOLDER.encode() not in turn


def test_iterm_gets_it_in_one_string_and_is_not_asked_for_kittys(picture_home: Home) -> None:
    image = (picture_home.work / "a.png").read_bytes()
    with looking(picture_home, ITERM) as (terminal, turn):
        drawn = rb"\x1b7\x1b\[4A\x1b\[3G\x1b\]1337;File=([^:]*):([^\x07]*)\x07\x1b8"
        found = re.findall(drawn, turn)
        assert len(found) == 1
        assert b"inline=1" in found[0][0] and b"width=20;height=5" in found[0][0]
        assert base64.b64decode(found[0][1]) == image
        assert b"\x1b_" not in terminal.written()


CHART = """
local panto = require("panto")
panto.ext.on("tool_result", function(e)
  panto.ui.notify(("images: %d %s"):format(#e.images, e.images[1].media_type))
end)
return {
  name = "chart",
  description = "Draws a chart.",
  schema = { type = "object", properties = {} },
  handler = function()
    local bytes = panto.fs.read("a.png")
    local image = { media_type = "image/png", data = panto.text.base64.encode(bytes) }
    return { text = ("a line\\n"):rep(30) .. "the last line", images = { image } }
  end,
}
"""


def test_an_extensions_image_is_shown_again_whole_but_sent_once(picture_home: Home) -> None:
    picture_home.write("config/panto/tools/chart.lua", CHART)
    call = {"id": "c1", "name": "chart", "arguments": "{}"}
    answers = {**NEW_KITTY, b"\x1b[>0q": b"\x1bP>|kitty(0.26.5)\x1b\\"}
    with Provider([{"tool_calls": [call]}, {"text": "That is all."}]) as provider:
        picture_home.use_provider(provider.url)
        with looking(picture_home, answers) as (terminal, turn):
            assert b"images: 1 image/png" in turn and b"ctrl+o shows them" in turn
            assert turn.count(b"\x1b_Ga=p,") == turn.count(b"\x1b_Ga=t,") == 1
            assert b"the last line" not in turn
            since = len(terminal.written())
            terminal.send(b"\x0f")
            again = terminal.wait(rb"the last line[\s\S]*\x1b_Ga=p,", since=since)
            assert b"\x1b_Ga=t," not in again and LINE.encode() in again


def test_late_answers_are_never_typed_and_the_image_is_a_line(picture_home: Home) -> None:
    with looking(picture_home, {b"\x1b[c": b"\x1b[?62;c"}) as (terminal, turn):
        assert LINE.encode() in turn
        since = len(terminal.written())
        for answer in NEW_KITTY.values():
            for byte in answer:
                terminal.send(bytes([byte]))
        terminal.send(b"typed")
        after = terminal.wait(rb"typed", since=since).decode()
        shown = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", after)
        assert not re.search(r"kitty|Gi|62|OK|20;10", shown), shown


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "screen-256color"}, {"STY": "1.x"}])
def test_nothing_is_asked_where_no_image_can_be(picture_home: Home, env: dict[str, str]) -> None:
    with looking(picture_home, {b"\x1b[c": b"\x1b[?62;c"}, **env) as (terminal, turn):
        assert LINE.encode() in turn
        assert b"\x1b[>0q" not in terminal.written() and b"\x1b_G" not in terminal.written()


def test_config_switches_images_off(picture_home: Home) -> None:
    config = picture_home.config / "config.toml"
    config.write_text(config.read_text() + '\n[tui]\nimages = "off"\n')
    with looking(picture_home, {b"\x1b[c": b"\x1b[?62;c"}) as (terminal, turn):
        assert LINE.encode() in turn and b"\x1b[>0q" not in terminal.written()


def test_tmux_gets_a_line_also_when_resumed(
    picture_home: Home, open_panto: Callable[..., Terminal], tmp_path: Path
) -> None:
    terminal = open_panto()
    terminal.record(tmp_path / "bytes")
    terminal.type("look")
    terminal.wait("› look")
    terminal.keys("Enter")
    text = terminal.wait(r"That is all\.")
    assert re.search(SHOWN, text)
    assert b"\x1b_G" not in (tmp_path / "bytes").read_bytes()
    terminal.keys("C-d")
    terminal.wait("left with 0")
    again = open_panto("--resume")
    text = again.wait(r"resumed session")
    assert re.search(SHOWN, text)


def test_a_script_gets_no_image(picture_home: Home) -> None:
    done = run_bounded([PANTO, "run", "--json", "look"], env=picture_home.full_env(),
                       cwd=picture_home.work)
    assert done.code == 0, done.output
    [result] = [line for line in map(json.loads, done.stdout.splitlines())
                if line["type"] == "tool_result"]
    assert "image/png" in result["output"] and "images" not in result


def pixels(picture: Path) -> int:
    """How many pixels of a screen are of the test picture's two colours."""
    done = run_bounded(["convert", picture, "-format", "%c", "histogram:info:-"])
    counts = re.findall(r"(\d+): \(.*#(?:D03030|30B050)", done.stdout)
    return sum(map(int, counts))


@pytest.mark.real_terminal
def test_a_real_kitty_shows_it_where_it_belongs(agent_home: Home, tmp_path: Path) -> None:
    if lacking := missing("kitty"):
        pytest.skip(f"not installed: {', '.join(lacking)}")
    pictures = Path(os.environ.get("PANTO_PICTURES", tmp_path))
    (agent_home.work / "a.png").write_bytes(png(200, 100))
    long = {"text": "\n\n".join(f"paragraph {number}" for number in range(40))}
    with Provider([*TURNS, long]) as provider:
        agent_home.use_provider(provider.url)
        with Display("kitty", shlex.quote(str(PANTO)), agent_home.work, agent_home.env()) as screen:
            wait_until(lambda: screen.title() == "panto · work", "panto's title")

            def shown(name: str) -> int:
                screen.picture(pictures / f"kitty-{name}.png")
                return pixels(pictures / f"kitty-{name}.png")

            screen.type("look")
            wait_until(lambda: "› look" in screen.text(), "the prompt")
            screen.keys("Return")
            wait_until(lambda: shown("image") > 15000, "the picture")
            wait_until(lambda: "That is all." in screen.text(), "the answer")
            for width in (500, 900, 420, 1000):
                screen.resize(width, 620)
            screen.keys("a", "shift+Return", "b")
            wait_until(lambda: shown("image-resized") > 15000, "the picture after the resizes")
            rows = screen.text().splitlines()
            line = next(at for at, row in enumerate(rows) if LINE in row)
            below = next(at for at, row in enumerate(rows) if "That is all." in row)
            assert not any(row.strip() for row in rows[line + 1 : below]) and below - line > 4
            screen.keys("Return")
            wait_until(lambda: "paragraph 39" in screen.text(), "the long answer")
            wait_until(lambda: shown("image-gone") == 0, "the picture in the scrollback")
            for _ in range(4):
                screen.keys("ctrl+shift+Page_Up")
            wait_until(lambda: shown("image-again") > 15000, "the picture once more")
