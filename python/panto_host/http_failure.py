"""Turns what went wrong with a request into a kind and a line, without the URL and its keys."""

from __future__ import annotations

import errno
import os
import ssl

import httpx

SCARCITY = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN}


def classify(error: BaseException, place: str, idle: float) -> dict[str, str]:
    """Names a failure. ``place`` is host:port; ``idle`` the seconds of silence that ended it."""
    reason = _reason(error)
    if idle:
        kind, reason = "timeout", f"nothing received for {idle:g} s"
    elif isinstance(error, httpx.ConnectTimeout):
        kind, reason = "timeout", "no connection in time"
    elif not place and (isinstance(error, RuntimeError) or getattr(error, "errno", 0) in SCARCITY):
        return {"kind": "connect", "message": f"cannot connect: {reason}"}
    elif not place and isinstance(error, OSError):  # no request yet: only certificates are read
        names = [name for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if os.environ.get(name)]
        return {"kind": "invalid", "message": f"{' or '.join(names) or 'certificates'}: {reason}"}
    elif any(isinstance(part, ssl.SSLError) for part in _chain(error)):
        kind = "tls"
    elif isinstance(error, httpx.ConnectError | httpx.ProxyError | OSError):
        kind, reason = "connect", f"cannot connect: {reason}"
    elif isinstance(error, httpx.RemoteProtocolError):
        gone = any(word in reason for word in ("closed", "disconnected", "terminated"))
        kind = "closed" if gone else "protocol"
    elif isinstance(error, httpx.NetworkError | httpx.DecodingError):
        kind = "closed" if isinstance(error, httpx.NetworkError) else "protocol"
    else:
        return {"kind": "invalid", "message": reason}
    return {"kind": kind, "message": f"{place}: {reason}"}


def _chain(error: BaseException | None) -> list[BaseException]:
    """Lists an error and what caused it."""
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


def _reason(error: BaseException) -> str:
    """Picks the most telling text: the system's own, else the library's, else the type's name."""
    for part in reversed(_chain(error)):
        if isinstance(part, OSError) and part.errno and part.strerror:
            system = part.errno > 0 and not isinstance(part, ssl.SSLError)
            return os.strerror(part.errno) if system else part.strerror
    return next((str(part) for part in _chain(error) if str(part)), type(error).__name__)
