"""Measures the house rules on the whole repository: every violation is listed by file."""

from __future__ import annotations

import lua_rules
import pytest
import repository
import text_rules


def no_violations(found: list[str]) -> None:
    assert not found, f"{len(found)} violations:\n  " + "\n  ".join(sorted(found))


@pytest.mark.parametrize("rule", lua_rules.RULES, ids=lambda rule: rule.__name__)
def test_the_lua_keeps_the_rule(rule: lua_rules.Rule) -> None:
    sources = [s for s in repository.lua_sources() if not s.path.startswith("tests/")]
    assert len(sources) > 10
    no_violations(rule(sources))


def test_file_names_say_what_the_file_is() -> None:
    no_violations(lua_rules.file_names(repository.paths()))


def test_the_host_stays_small() -> None:
    sources = repository.python_sources("python/panto_host/")
    assert sources
    no_violations(text_rules.host_sizes(sources))


def test_the_host_does_not_know_what_it_hosts() -> None:
    no_violations(text_rules.host_words(repository.python_sources("python/panto_host/")))


def test_no_file_names_a_package_registry() -> None:
    no_violations(text_rules.registry_hosts(repository.texts()))


def test_no_third_party_source_is_committed() -> None:
    no_violations(text_rules.foreign_files(repository.paths()))
    no_violations(text_rules.foreign_claims(repository.texts()))
