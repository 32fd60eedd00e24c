"""Turns what went wrong with a request into a kind and a line, without the URL and its keys."""

from __future__ import annotations

import os
import ssl

import httpx


def classify(error: BaseException, place: str, idle: float) -> dict[str, str]:
    """Names a failure. ``place`` is host:port; ``idle`` the seconds of silence that ended it."""
    if idle:
        return _failure("timeout", f"{place}: nothing received for {idle:g} s")
    reason = _reason(error)
    if isinstance(error, httpx.ConnectTimeout):
        return _failure("timeout", f"{place}: no connection in time")
    if isinstance(error, httpx.TimeoutException):
        return _failure("timeout", f"{place}: {reason}")
    if any(isinstance(part, ssl.SSLError) for part in _chain(error)):
        return _failure("tls", f"{place}: {reason}")
    if isinstance(error, httpx.ConnectError | httpx.ProxyError):
        return _failure("connect", f"cannot connect to {place}: {reason}")
    if isinstance(error, httpx.RemoteProtocolError):
        gone = any(word in reason for word in ("closed", "disconnected", "terminated"))
        return _failure("closed" if gone else "protocol", f"{place}: {reason}")
    if isinstance(error, httpx.NetworkError):
        return _failure("closed", f"{place}: {reason}")
    if isinstance(error, httpx.DecodingError):
        return _failure("protocol", f"{place}: {reason}")
    return _failure("invalid", reason)


def _failure(kind: str, message: str) -> dict[str, str]:
    return {"kind": kind, "message": message}


def _chain(error: BaseException | None) -> list[BaseException]:
    """Lists an error and what caused it, the first of a group standing for all."""
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        inner = error.exceptions[0] if isinstance(error, BaseExceptionGroup) else None
        error = inner or error.__cause__ or error.__context__
    return found


def _reason(error: BaseException) -> str:
    """Picks the most telling text: the system's own, else the library's, else the type's name."""
    chain = _chain(error)
    for part in reversed(chain):
        if isinstance(part, OSError) and part.errno and part.strerror:
            system = part.errno > 0 and not isinstance(part, ssl.SSLError)
            return os.strerror(part.errno) if system else part.strerror
    texts = [str(part) for part in chain if str(part)]
    return texts[0] if texts else type(error).__name__
