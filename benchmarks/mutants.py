"""The mutants of a file and their source: cosmic-ray's operators behind two functions."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / ".setup" / "mutation"))

BOUNDS = {"Lt": ("LtE", "GtE"), "LtE": ("Lt", "Gt"), "Gt": ("GtE", "LtE"), "GtE": ("Gt", "Lt")}
OPPOSITES = {"Eq": "NotEq", "NotEq": "Eq", "Is": "IsNot", "IsNot": "Is"}
ARITHMETIC = (("Add", "Sub"), ("Sub", "Add"), ("Mul", "Add"), ("FloorDiv", "Mul"), ("Mod", "FloorDiv"))
SETS = (("BitAnd", "BitOr"), ("BitOr", "BitAnd"))

OPERATORS = (
    *(f"ReplaceComparisonOperator_{a}_{b}" for a, others in BOUNDS.items() for b in others),
    *(f"ReplaceComparisonOperator_{a}_{b}" for a, b in OPPOSITES.items()),
    *(f"ReplaceBinaryOperator_{a}_{b}" for a, b in (*ARITHMETIC, *SETS)),
    *("ReplaceUnaryOperator_Delete_Not", "ReplaceUnaryOperator_Delete_USub", "AddNot", "NumberReplacer"),
    *("ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr", "ReplaceOrWithAnd"),
    *("ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "ZeroIterationForLoop"),
)
"""Mistakes people make. Left out are those that every test notices (`**` for `+`) or none can (`is` for `==`)."""

Position = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Mutant:
    """One change of one file: which operator, at which of the places where it applies."""

    file: str
    operator: str
    occurrence: int
    line: int
    column: int
    function: str
    """The outermost function whose body it is in, with its class; empty outside of functions."""


@cache
def _operator(name: str) -> Any:
    from cosmic_ray.operators import provider  # type: ignore[import-not-found, unused-ignore]

    return provider.OperatorProvider()[name]()


def _tree(source: str) -> Any:
    from cosmic_ray.ast import get_ast  # type: ignore[import-not-found, unused-ignore]

    return get_ast(source)


def _nodes(node: Any) -> Iterator[Any]:
    """Every node in the order in which a walk of cosmic-ray visits them."""
    yield node
    for child in getattr(node, "children", ()):
        yield from _nodes(child)


def mutants(file: str) -> list[Mutant]:
    """All mutants of a file; what is only for type checkers and class options is left alone."""
    source = (ROOT / file).read_text("utf-8")
    tree, idle = _tree(source), _idle(source)
    # Defaults and decorators are evaluated outside of their function.
    scopes = [(name, (_span(f.body[0])[0], _span(f)[1])) for name, f in functions(ast.parse(source))]
    found = []
    for name in OPERATORS:
        operator, occurrence = _operator(name), -1
        for node in _nodes(tree):
            for start, stop in operator.mutation_positions(node):
                occurrence += 1
                if not any(a <= start and stop <= b for a, b in idle):
                    scope = next((name for name, (a, b) in scopes if a <= start and stop <= b), "")
                    found.append(Mutant(file, name, occurrence, *start, scope))
    return found


def mutated(mutant: Mutant) -> str:
    """The whole file with this one change."""
    operator, tree, left = _operator(mutant.operator), _tree((ROOT / mutant.file).read_text("utf-8")), [0]

    def walk(node: Any) -> Any:
        for index, _ in enumerate(operator.mutation_positions(node)):
            if left[0] == mutant.occurrence:
                node = operator.mutate(node, index)
            left[0] += 1
        if hasattr(node, "children"):
            node.children = [child for child in map(walk, node.children) if child is not None]
        return node

    return str(walk(tree).get_code())


def _span(node: Any) -> Position:
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def functions(tree: ast.Module) -> list[tuple[str, ast.FunctionDef]]:
    """The functions of a module and the methods of its classes, by their names."""
    found = []

    def look(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef):
                found.append((prefix + node.name, node))
            elif isinstance(node, ast.ClassDef):
                look(node.body, f"{prefix}{node.name}.")

    look(tree.body, "")
    return found


def _idle(source: str) -> list[Position]:
    """What no rule depends on: annotations, options of classes (`frozen=True`), `strict=True` of zip."""
    spans = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.AnnAssign):
            spans.append(_span(node.annotation))
        elif isinstance(node, ast.arg) and node.annotation is not None:
            spans.append(_span(node.annotation))
        elif isinstance(node, ast.FunctionDef) and node.returns is not None:
            spans.append(_span(node.returns))
        elif isinstance(node, ast.ClassDef):
            spans += [_span(keyword.value) for keyword in node.keywords]
        elif isinstance(node, ast.Call):
            spans += [_span(keyword.value) for keyword in node.keywords if keyword.arg == "strict"]
        elif isinstance(node, ast.Assign) and _names_a_type(node.value):
            spans.append(_span(node))
    return spans


def _names_a_type(value: ast.expr) -> bool:
    """Whether this is the right side of a type alias: `Level = Literal[1, 2, 3, 4]`."""
    named = (
        isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and value.value.id == "Literal"
    )
    return named or "TypeAlias" in ast.dump(value)
