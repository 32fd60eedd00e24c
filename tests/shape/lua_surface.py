"""Lua stubs in, the names that they describe out."""

from __future__ import annotations

import re

from lua_source import LuaSource, text_of


def described(stub: LuaSource) -> set[str]:
    """Give the dotted names of the functions that a stub declares, methods left out."""
    return {
        name
        for node in stub.nodes
        if node.type == "function_declaration"
        and re.fullmatch(r"[a-z]\w*(\.\w+)+", name := text_of(node.child_by_field_name("name")))
    }


def undescribed_fields(text: str) -> list[str]:
    """Give the `---@field` lines that end with their type."""
    return [
        line
        for line in text.splitlines()
        if (found := re.match(r"---@field [\w?\[\]]+ (.*)$", line)) and not _after_type(found[1])
    ]


def _after_type(rest: str) -> str:
    """Give what follows a LuaCATS type: a type's own blanks stand in brackets or after : , |."""
    depth, quoted = 0, False
    for index, letter in enumerate(rest):
        if letter == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif letter in "([{<":
            depth += 1
        elif letter in ")]}>":
            depth -= 1
        elif letter == " " and depth == 0 and rest[index - 1] not in ":,|":
            return rest[index:].strip()
    return ""
