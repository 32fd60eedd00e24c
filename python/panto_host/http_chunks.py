"""Lets h11 hand out as one piece what came together: a stream's events are a small chunk each."""

from __future__ import annotations

from typing import Any

from h11 import SEND_BODY, Data
from h11._readers import READERS, ChunkedReader

HEX = b"0123456789abcdefABCDEF"


class JoiningReader(ChunkedReader):
    """As h11's own, which still reads all that is no plain, whole chunk behind another."""

    def __call__(self, buf: Any) -> Any:
        event = super().__call__(buf)
        if not isinstance(event, Data) or not event.chunk_end:
            return event
        data, at, pieces = bytes(buf), 0, [event.data]
        while data.startswith(b"\r\n", at):  # what ends the chunk before
            stop = data.find(b"\r\n", at + 2)
            size = data[at + 2 : stop]
            first = stop + 2
            if stop < 0 or not size or size.strip(HEX):
                break
            last = first + int(size, 16)
            if not first < last <= len(data):
                break
            pieces.append(data[first:last])
            at = last
        buf.maybe_extract_at_most(at)
        return Data(data=b"".join(pieces), chunk_end=True)


READERS[SEND_BODY]["chunked"] = JoiningReader  # type: ignore[index]
