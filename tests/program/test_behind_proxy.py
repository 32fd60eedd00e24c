"""The real program behind a proxy, with an authority of its own: by variables alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

from host.proxy import Proxy
from support.chaos import Chaos, zipped
from support.child import run_bounded
from support.home import PANTO, Home
from support.provider import Provider


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of model.invalid, signed by itself, and its key."""
    pair = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=model.invalid", "-addext", "subjectAltName=DNS:model.invalid",
         "-keyout", pair[1], "-out", pair[0]],
        check=True, capture_output=True,
    )  # fmt: skip
    return pair


def test_a_turn_goes_through_the_tunnel(agent_home: Home, tmp_path: Path) -> None:
    pair = certificate(tmp_path)
    calls = [{"id": "c1", "name": "std_read", "arguments": '{"path": "a.txt"}'}]
    script = [{"text": "Reading.", "tool_calls": calls}, {"text": "It says hello."}]
    (agent_home.work / "a.txt").write_text("hello\n")
    with (
        Provider(script) as provider,
        Chaos(provider.url, pair) as tls,
        Proxy(tunnel_to=int(tls.root.rpartition(":")[2])) as proxy,
    ):
        tls.plan("x", zipped, zipped)
        agent_home.use_provider("https://model.invalid/x/v1")
        agent_home.extra |= {"HTTPS_PROXY": proxy.url, "SSL_CERT_FILE": str(pair[0])}
        agent_home.extra |= {"NO_PROXY": "", "no_proxy": ""}
        done = run_bounded(
            [PANTO, "run", "read it"], env=agent_home.full_env(), cwd=agent_home.work, timeout_s=60
        )
        assert done.code == 0, done.output
        assert "It says hello." in done.stdout
        assert proxy.asked == ["CONNECT model.invalid:443 HTTP/1.1"]
        assert (tls.seen["x"], tls.connections) == (2, 1)


def test_without_the_authority_it_is_told_what_to_set(agent_home: Home, tmp_path: Path) -> None:
    with Provider() as provider, Chaos(provider.url, certificate(tmp_path)) as tls:
        agent_home.use_provider(tls.plan("x"))
        done = run_bounded(
            [PANTO, "run", "hi"], env=agent_home.full_env(), cwd=agent_home.work, timeout_s=60
        )
        assert done.code == 1, done.output
        assert "cannot trust https://127.0.0.1" in done.stderr
        assert "SSL_CERT_FILE" in done.stderr
        assert "Traceback" not in done.output and "traceback" not in done.output
