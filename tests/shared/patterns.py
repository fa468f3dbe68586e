"""Every regular expression of the package is given the texts on which it may search longest.

    python tests/shared/patterns.py [MODULE...]

The texts are made of the pattern itself: its beginning, then 4 KB of one of its repetitions or of all of it, then a
tail that does not fit. The process sets itself a limit of work for each text, by the processor's clock; if the system
ends it, it was at the last pattern that it has named.
"""

import ast
import builtins
import importlib
import pkgutil
import re
import resource
import sys
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import sapwood
from sapwood.io import formats

SIZE = 4096
WORK = 2  # seconds for a text
TAILS = ("!", "\n\0", " x", "-->x", "")
_SAMPLES = 6  # of a part of a pattern
_SEARCHING = {"search", "findall", "finditer", "sub", "subn", "split"}
_FUNCTIONS = _SEARCHING | {"compile", "match", "fullmatch"}
_PARSER = re._parser


class Pattern(NamedTuple):
    """A regular expression as a module writes it."""

    module: str
    line: int
    compiled: re.Pattern
    searched: bool  # from every place of a text, not from its beginning only


class _Quoted(ast.NodeTransformer):
    """Puts a letter in the place of a text that only a run knows, if the pattern quotes it."""

    def visit_Call(self, node):
        self.generic_visit(node)
        return ast.Constant("x") if _function_of(node) == "escape" else node


def _function_of(node):
    """The name of the function of `re` that is called."""
    function = node.func
    of_re = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "re"
    return function.attr if of_re else ""


def patterns_of(module: str, source: str, names: dict) -> Iterator[Pattern]:
    """Yield the patterns that a module gives to `re`; `names` has what its global names stand for."""
    tree = ast.parse(source)
    used: dict[str, set[str]] = {}  # what a pattern is called, or the expression that it is -> its methods
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            used.setdefault(ast.unparse(node.value), set()).add(node.attr)
    called = {
        ast.unparse(node.value): target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        assert not (isinstance(node, ast.ImportFrom) and node.module == "re"), f"{module}: write re.NAME"
        if not isinstance(node, ast.Call) or (function := _function_of(node)) not in _FUNCTIONS:
            continue
        if ast.unparse(node.args[0]) == "self.pattern":
            continue  # of a sign of a format, which `all_patterns` has
        flags = [node.args[1]] if function == "compile" and len(node.args) > 1 else []
        flags += [keyword.value for keyword in node.keywords if keyword.arg == "flags"]
        pattern, *others = (
            eval(compile(ast.fix_missing_locations(ast.Expression(_Quoted().visit(each))), module, "eval"), names)
            for each in (node.args[0], *flags)
        )
        written = ast.unparse(node)
        methods = used.get(written) or used.get(called.get(written, ""), {"match"})
        searched = function in _SEARCHING or (function == "compile" and bool(methods & _SEARCHING))
        yield Pattern(module, node.lineno, re.compile(pattern, *others), searched)


def all_patterns() -> Iterator[Pattern]:
    """Yield the patterns of the package, in the order of its modules."""
    for found in pkgutil.walk_packages(sapwood.__path__, "sapwood."):
        path = Path(*sapwood.__path__, *found.name.split(".")[1:])
        path = path / "__init__.py" if found.ispkg else path.with_suffix(".py")
        source = path.read_text() if path.is_file() else ""
        if "re." in source and ("\nimport re\n" in source or "\nimport re " in source):
            module = importlib.import_module(found.name)
            yield from patterns_of(found.name, source, vars(builtins) | vars(module))
    for sign in chain.from_iterable(formats.SIGNS.values()):
        yield Pattern(formats.__name__, 0, re.compile(sign.pattern), True)


def attacks(pattern: re.Pattern) -> Iterator[str | bytes]:
    """Yield texts on which a pattern may search long."""
    tree = _PARSER.parse(pattern.pattern, pattern.flags & re.VERBOSE)
    beginnings, repeated = {""}, set(_samples(tree))
    _look(tree, [""], beginnings, repeated)
    repeated |= {sign for each in (*repeated, *beginnings) for sign in each}
    for beginning in sorted(beginnings):
        for each in sorted(repeated - {""}):
            body = beginning + each * (SIZE // len(each))
            for tail in TAILS:
                text = body + tail
                yield text if isinstance(pattern.pattern, str) else text.encode("latin-1", "replace")


def _look(items, before: list[str], beginnings: set[str], repeated: set[str]) -> None:
    """Collect what may stand before each repetition of a part of a pattern, and what is repeated there."""
    for kind, value in items:
        for part in _parts(kind, value):
            if kind in _REPEATS and value[1] > 1:
                beginnings.update(before)
                repeated.update(_samples(part))
            _look(part, before, beginnings, repeated)
        before = [begin + each for begin in before for each in _of_item(kind, value)][:_SAMPLES]


_REPEATS = _PARSER.MAX_REPEAT, _PARSER.MIN_REPEAT, _PARSER.POSSESSIVE_REPEAT


def _parts(kind, value) -> list:
    """The patterns that a part of a pattern consists of."""
    if kind is _PARSER.BRANCH:
        return value[1]
    return [part for part in (value if isinstance(value, tuple) else [value]) if isinstance(part, _PARSER.SubPattern)]


def _samples(items) -> list[str]:
    """A few of the texts that a pattern fits."""
    found = [""]
    for kind, value in items:
        found = [begin + each for begin in found for each in _of_item(kind, value)][:_SAMPLES]
    return found


def _of_item(kind, value) -> list[str]:
    if kind is _PARSER.LITERAL:
        return [chr(value)]
    if kind in (_PARSER.ASSERT, _PARSER.ASSERT_NOT, _PARSER.AT):
        return [""]
    if parts := _parts(kind, value):
        samples = [sample for part in parts for sample in _samples(part)]
        if kind not in _REPEATS:
            return samples
        return list(dict.fromkeys(sample * times for sample in samples for times in (max(value[0], 1), value[0])))
    if kind is _PARSER.ANY:
        return ["x", " "]
    assert kind in (_PARSER.IN, _PARSER.NOT_LITERAL), f"a sample of {kind} is wanted"
    return _of_set(tuple(value) if kind is _PARSER.IN else ((_PARSER.NEGATE, None), (_PARSER.LITERAL, value)))


@cache
def _of_set(items) -> list[str]:
    """Of each group of signs, the first that is in a set."""
    pattern = _PARSER.SubPattern(_PARSER.State(), [(_PARSER.IN, list(items))])
    pattern.state.str = ""
    fits = re._compiler.compile(pattern).fullmatch
    return [sign for sign in (next(filter(fits, signs), "") for signs in _SIGNS) if sign]


_SIGNS = "xX", "17", " \t\n\r", "".join(map(chr, (*range(33, 48), *range(58, 65), *range(91, 97), *range(123, 0x2100))))


def main() -> None:
    """Try the patterns of all modules, or of those that are named."""
    for pattern in all_patterns():
        if sys.argv[1:] and pattern.module not in sys.argv[1:]:
            continue
        print(f"{pattern.module}:{pattern.line}: {pattern.compiled.pattern!a}", flush=True)
        for text in attacks(pattern.compiled):
            limit_work(WORK)
            (pattern.compiled.findall if pattern.searched else pattern.compiled.match)(text)
            if not pattern.searched:
                pattern.compiled.fullmatch(text)
    print("all", flush=True)


def limit_work(seconds: int) -> None:
    """Have the system end this process when it has worked so much longer."""
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    resource.setrlimit(resource.RLIMIT_CPU, (int(used) + 1 + seconds, resource.RLIM_INFINITY))


if __name__ == "__main__":
    main()
