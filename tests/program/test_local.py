"""`panto local`: a server on this machine becomes a provider; nothing is downloaded."""

from __future__ import annotations

import socket
import tomllib

from support.child import Finished, run_bounded
from support.home import PANTO, Home
from support.provider import Provider


def panto(home: Home, *words: str, stdin: str | None = None) -> Finished:
    return run_bounded([PANTO, *words], env=home.full_env(), cwd=home.work, stdin=stdin)


def closed_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return int(server.getsockname()[1])


def test_a_server_becomes_a_provider_that_answers_and_keeps_what_was_there(home: Home) -> None:
    mine = "# my own\n[tui]\ntheme = 'dark'\n"
    (home.config / "config.toml").write_text(mine)
    answer = {"text": "from here", "usage": {"prompt_tokens": 5, "completion_tokens": 2}}
    with Provider([answer], models=["qwen2.5-coder:7b", "nomic-embed-text"]) as provider:
        home.extra["OLLAMA_HOST"] = provider.url.removesuffix("/v1")
        made = panto(home, "local", "qwen2.5-coder:7b")
        done = panto(home, "run", "--json", "hello")
    assert made.code == 0 and "panto uses it now" in made.stdout, made.output
    assert "(Ollama, " in made.stdout and "embed" not in made.stdout
    assert (home.config / "config.toml").read_text().startswith(mine)
    config = tomllib.loads((home.config / "config.toml").read_text())
    assert config["providers"]["local"]["base_url"] == provider.url
    assert config["defaults"]["model"] == "local:qwen2.5-coder-7b"
    assert done.code == 0 and '"cost":0' in done.stdout, done.output
    assert provider.requests[-1].json["model"] == "qwen2.5-coder:7b"


def test_it_can_be_said_again_and_a_default_that_works_stays(home: Home) -> None:
    home.use_provider("http://127.0.0.1:9/v1")
    with Provider([], models=["one", "two"]) as provider:
        url = provider.url.removesuffix("/v1")
        first = panto(home, "local", "--url", url, "one")
        second = panto(home, "local", "--url", url, "two")
    assert "panto --model local:one uses it now" in first.stdout, first.output
    assert "panto --model local:two uses it now" in second.stdout, second.output
    config = tomllib.loads((home.config / "config.toml").read_text())
    assert config["defaults"]["model"] == "loop:m" and set(config["providers"]) == {"loop", "local"}
    models = tomllib.loads((home.config / "models.toml").read_text())
    assert set(models["local"]) == {"one", "two"} and models["loop"]["m"]["input"] == 1.0


def test_it_says_which_models_there_are_and_what_is_nearest(home: Home) -> None:
    with Provider([], models=["one-model", "other"]) as provider:
        listed = panto(home, "local", "--url", provider.url, stdin="")
        wrong = panto(home, "local", "--url", provider.url, "one-modle")
    assert listed.code == 2 and "  2  other" in listed.stdout, listed.output
    assert wrong.code == 1 and 'did you mean "one-model"' in wrong.stderr
    assert not (home.config / "config.toml").exists()


def test_without_a_server_it_says_what_to_start_and_changes_nothing(home: Home) -> None:
    url = f"http://127.0.0.1:{closed_port()}"
    done = panto(home, "local", "--url", url)
    assert done.code == 1 and "panto: " in done.stderr and "raceback" not in done.output
    wrong = panto(home, "local", "--ulr", url)
    assert wrong.code == 2 and 'did you mean "--url"' in wrong.stderr
    assert not list(home.config.iterdir())


def test_a_file_that_cannot_be_changed_safely_is_left_alone(home: Home) -> None:
    mine = 'providers.local = { style = "openai_chat", base_url = "http://x", auth = "a" }\n'
    mine += 'auth.a.key = "k"\n'
    (home.config / "config.toml").write_text(mine)
    with Provider([], models=["one"]) as provider:
        done = panto(home, "local", "--url", provider.url)
    assert done.code == 1 and "[providers.local]" in done.stderr, done.output
    assert (home.config / "config.toml").read_text() == mine
