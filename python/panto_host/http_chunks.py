"""Lets h11 hand out as one piece what came together: a stream's events are a small chunk each."""

from __future__ import annotations

import re
from typing import Any

from h11 import SEND_BODY, Data, EndOfMessage
from h11._readers import READERS, ChunkedReader
from h11._receivebuffer import ReceiveBuffer

# What ends a chunk and begins the next, when that has no extension.
BETWEEN = re.compile(rb"\r\n([0-9a-fA-F]{1,15})\r\n")


class JoiningReader(ChunkedReader):
    """As h11's own, which still reads all that is no plain, whole chunk behind another."""

    def __call__(self, buf: Any) -> Any:
        event = super().__call__(buf)
        if not isinstance(event, Data) or not event.chunk_end:
            return event
        data, at, pieces = bytes(buf), 0, [event.data]
        while head := BETWEEN.match(data, at):
            last = head.end() + int(head[1], 16)
            if not head.end() < last <= len(data):
                break
            pieces.append(data[head.end() : last])
            at = last
        buf.maybe_extract_at_most(at)
        return Data(data=b"".join(pieces), chunk_end=True)


trial, reader = ReceiveBuffer(), JoiningReader()
trial += b"1\r\na\r\n1\r\nb\r\n0\r\n\r\n"
if reader(trial).data == b"ab" and isinstance(reader(trial), EndOfMessage):
    READERS[SEND_BODY]["chunked"] = JoiningReader  # type: ignore[index]
