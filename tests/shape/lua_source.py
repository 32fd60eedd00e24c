"""Lua source text in, the facts that the shape rules measure out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath

import tree_sitter_lua
from tree_sitter import Language, Node, Parser

_PARSER = Parser(Language(tree_sitter_lua.language()))
_FUNCTIONS = ("function_declaration", "function_definition")


def text_of(node: Node | None) -> str:
    """Give the source text of a node, or nothing for no node."""
    return (node.text or b"").decode("utf-8", "replace") if node else ""


@dataclass(frozen=True)
class Require:
    """One mention of `require`: `name` is None where it is no call with a plain string."""

    name: str | None
    line: int
    at_top: bool


@dataclass(frozen=True)
class Function:
    """A function's extent, its doc comment (`---` lines right above) and its parameters."""

    name: str
    line: int
    length: int
    doc: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    returns_value: bool = False


@dataclass
class LuaSource:
    """A Lua file: its path inside the repository and its text."""

    path: str
    text: str
    root: Node = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.root = _PARSER.parse(self.text.encode()).root_node

    @cached_property
    def lines(self) -> list[str]:
        """The file's lines."""
        return self.text.splitlines()

    @cached_property
    def nodes(self) -> list[Node]:
        """Every node of the file, in the order of the text."""
        found: list[Node] = []
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting.extend(reversed(node.children))
        return found

    @property
    def module(self) -> str | None:
        """The name that requires this file, for example `panto.base.json`."""
        parts = PurePosixPath(self.path).with_suffix("").parts
        if parts[0] != "lua":
            return None
        return ".".join(parts[1:-1] if parts[-1] == "init" else parts[1:])

    def uses(self, *names: str) -> list[int]:
        """Give the lines that name one of these globals (as a value or a call)."""
        return [
            node.start_point[0] + 1
            for node in self.nodes
            if node.type == "identifier" and text_of(node) in names and not _is_key(node)
        ]

    @cached_property
    def requires(self) -> list[Require]:
        """Every mention of `require`, in the order of the text."""
        first_code = self._first_code_row()
        found = []
        for node in self.nodes:
            if node.type != "identifier" or text_of(node) != "require" or _is_key(node):
                continue
            at_top = _top_statement(node) is not None and node.start_point[0] < first_code
            found.append(Require(_required_name(node), node.start_point[0] + 1, at_top))
        return found

    def _first_code_row(self) -> int:
        """Give the row of the first function or other statement that is no local declaration."""
        for child in self.root.children:
            if child.type in ("comment", "hash_bang_line"):
                continue
            if child.type != "variable_declaration" or _holds_function(child):
                return child.start_point[0]
        return len(self.lines)

    @cached_property
    def functions(self) -> list[Function]:
        """Every function of the file, nested ones too."""
        return [self._function(node) for node in self.nodes if node.type in _FUNCTIONS]

    def _function(self, node: Node, name: str | None = None) -> Function:
        inside = node.child_by_field_name("parameters")
        parameters = inside.children if inside else []
        kinds = ("identifier", "vararg_expression")
        return Function(
            name=name or text_of(node.child_by_field_name("name")) or "(anonymous)",
            line=node.start_point[0] + 1,
            length=node.end_point[0] - node.start_point[0] + 1,
            doc=self._doc_above(_statement_row(node)),
            parameters=tuple(text_of(c) for c in parameters if c.type in kinds),
            returns_value=_returns_value(node),
        )

    def _doc_above(self, row: int) -> tuple[str, ...]:
        doc: list[str] = []
        while row > 0 and self.lines[row - 1].lstrip().startswith("---"):
            row -= 1
            doc.insert(0, self.lines[row].lstrip()[3:].strip())
        return tuple(doc)

    @cached_property
    def exports(self) -> list[Function]:
        """Every function that the file's returned table carries."""
        table, literal = self._returned()
        found: list[Function] = []
        if literal is not None:
            found += self._fields(literal)
        if table is None:
            return found
        for node in self.nodes:
            if node.type == "function_declaration":
                name = text_of(node.child_by_field_name("name"))
                if re.match(re.escape(table) + r"[.:]\w+$", name):
                    found.append(self._function(node, name))
            elif node.type == "assignment_statement":
                found += self._assigned(node, table)
        return found

    def _returned(self) -> tuple[str | None, Node | None]:
        """Give the name of the returned table and its constructor, as far as there are any."""
        last = self.root.children[-1] if self.root.children else None
        if last is None or last.type != "return_statement" or not last.named_children:
            return None, None
        values = last.named_children[0].named_children
        value = values[0] if values else None
        if value is not None and value.type == "function_call":  # return setmetatable(M, …)
            arguments = value.child_by_field_name("arguments")
            value = arguments.named_children[0] if arguments and arguments.named_children else None
        if value is None or value.type not in ("identifier", "table_constructor"):
            return None, None
        if value.type == "table_constructor":
            return None, value
        return text_of(value), self._constructor(text_of(value))

    def _constructor(self, name: str) -> Node | None:
        for statement in self.root.children:
            if statement.type != "variable_declaration":
                continue
            for names, values in _assignments(statement):
                for left, right in zip(names, values, strict=False):
                    if text_of(left) == name and right.type == "table_constructor":
                        return right
        return None

    def _fields(self, table: Node) -> list[Function]:
        found = []
        for entry in table.named_children:
            value = entry.child_by_field_name("value") if entry.type == "field" else None
            name = text_of(entry.child_by_field_name("name"))
            if value is not None and (function := self._value(value, name)):
                found.append(function)
        return found

    def _assigned(self, node: Node, table: str) -> list[Function]:
        found = []
        for names, values in _assignments(node):
            for left, right in zip(names, values, strict=False):
                function = self._value(right, text_of(left))
                if function and re.match(re.escape(table) + r"\.\w+$", text_of(left)):
                    found.append(function)
        return found

    def _value(self, value: Node, name: str) -> Function | None:
        """Give the function that a value is, or that it names by a local of this file."""
        if value.type == "function_definition":
            return self._function(value, name)
        if value.type != "identifier":
            return None
        for statement in self.root.children:
            if statement.type != "function_declaration":
                continue
            if text_of(statement.child_by_field_name("name")) == text_of(value):
                return self._function(statement, name)
        return None


def _is_key(node: Node) -> bool:
    """Tell whether an identifier is only a field's or a parameter's name, not a use."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "dot_index_expression":
        return parent.child_by_field_name("field") == node
    if parent.type == "method_index_expression":
        return parent.child_by_field_name("method") == node
    return parent.type == "field" and parent.child_by_field_name("name") == node


def _top_statement(node: Node) -> Node | None:
    """Give the file-level local declaration around a node, unless a function stands between."""
    here: Node | None = node
    while here is not None and here.parent is not None and here.parent.type != "chunk":
        if here.type in _FUNCTIONS:
            return None
        here = here.parent
    return here if here is not None and here.type == "variable_declaration" else None


def _required_name(node: Node) -> str | None:
    call = node.parent
    if call is None or call.type != "function_call" or call.child_by_field_name("name") != node:
        return None
    arguments = call.child_by_field_name("arguments")
    inside = arguments.named_children if arguments else []
    if len(inside) != 1 or inside[0].type != "string":
        return None
    return text_of(inside[0])[1:-1]


def _holds_function(node: Node) -> bool:
    return node.type in _FUNCTIONS or any(_holds_function(child) for child in node.children)


def _statement_row(node: Node) -> int:
    """Give the row where the statement or the table field around a function begins."""
    here = node
    homes = ("chunk", "block", "table_constructor")
    while here.parent is not None and here.parent.type not in homes:
        here = here.parent
    return here.start_point[0]


def _assignments(statement: Node) -> list[tuple[list[Node], list[Node]]]:
    found = []
    for part in [statement, *statement.children]:
        if part.type == "assignment_statement":
            sides = [side.named_children for side in part.named_children]
            if len(sides) == 2:
                found.append(([n for n in sides[0] if n.type != "attribute"], sides[1]))
    return found


def _returns_value(function: Node) -> bool:
    waiting = list(function.children)
    while waiting:
        node = waiting.pop()
        if node.type in _FUNCTIONS:
            continue
        if node.type == "return_statement" and any(
            text_of(value) != "nil" for side in node.named_children for value in side.named_children
        ):
            return True
        waiting.extend(node.children)
    return False
