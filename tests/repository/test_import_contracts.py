"""The dependency rule `server → analyzers ← clients` and the purity of `analyzers`, read from the source."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("analyzers", "clients", "server")
FORBIDDEN_PACKAGES = {"analyzers": {"server", "clients"}, "clients": {"server"}, "server": set()}
EDITOR_LIBRARIES = {"pygls", "lsprotocol"}
# What would bring a network, a clock, an environment, a disk or a screen into the core.
IMPURE_MODULES = {
    "aiohttp", "anthropic", "httpx", "io", "logging", "multiprocessing", "openai", "os", "pathlib",
    "platformdirs", "random", "requests", "rich", "shutil", "socket", "sqlite3", "subprocess", "tempfile",
    "threading", "time", "tomllib", "typer", "urllib",
}  # fmt: skip
# Files that belong to the package itself may be read through the import system, which knows no working directory.
IMPURE_CALLS = {"open", "input", "print", "exec", "eval"}
CLOCK_METHODS = {("datetime", "now"), ("datetime", "utcnow"), ("datetime", "today"), ("date", "today")}
# Asking ports side by side is no input or output of its own; these are.
ASYNCIO_CALLS = {
    "create_subprocess_exec", "create_subprocess_shell", "get_event_loop", "new_event_loop", "open_connection",
    "open_unix_connection", "run", "sleep", "start_server", "start_unix_server", "timeout", "to_thread", "wait_for",
}  # fmt: skip
# A pure path is arithmetic on strings; a generator with a seed is a function.
ALLOWED_NAMES = {
    "pathlib": {"PurePath", "PurePosixPath", "PureWindowsPath"},
    "io": {"StringIO"},
    "random": {"Random"},
    "urllib.parse": None,
}


def sources(package: str) -> list[Path]:
    return sorted(path for path in (ROOT / package).rglob("*.py") if "node_modules" not in path.parts)


def imports(tree: ast.AST) -> Iterator[tuple[str, frozenset[str]]]:
    """Every imported module, also inside functions, with the names taken from it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, frozenset()
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide what a module depends on"
            yield node.module or "", frozenset(alias.name for alias in node.names)


def contract_breaches(package: str, source: str) -> list[str]:
    """What `source`, a module of `package`, does against the contracts; empty when it keeps them."""
    breaches: list[str] = []
    tree = ast.parse(source)
    for module, names in imports(tree):
        top = module.partition(".")[0]
        if top in FORBIDDEN_PACKAGES[package]:
            breaches.append(f"imports {module}")
        if top in EDITOR_LIBRARIES and package != "server":
            breaches.append(f"imports {module}")
        if package == "analyzers" and top in IMPURE_MODULES and not _allowed(module, names):
            breaches.append(f"imports {module}")
    if package == "analyzers":
        breaches += [call for node in ast.walk(tree) if isinstance(node, ast.Call) and (call := _impure_call(node))]
    return breaches


def _allowed(module: str, names: frozenset[str]) -> bool:
    if module not in ALLOWED_NAMES:
        return False
    allowed = ALLOWED_NAMES[module]
    return allowed is None or (bool(names) and names <= allowed)


def _impure_call(node: ast.Call) -> str | None:
    match node.func:
        case ast.Name(id=name) if name in IMPURE_CALLS:
            return f"calls {name}() in line {node.lineno}"
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if (owner, name) in CLOCK_METHODS:
            return f"calls {owner}.{name}() in line {node.lineno}"
        case ast.Attribute(value=ast.Name(id="asyncio"), attr="sleep") if ast.unparse(node).endswith(".sleep(0)"):
            return None  # gives way to others, waits for nothing
        case ast.Attribute(value=ast.Name(id="asyncio"), attr=name) if name in ASYNCIO_CALLS:
            return f"calls asyncio.{name}() in line {node.lineno}"
        case ast.Attribute(value=ast.Attribute(attr=owner), attr=name) if (owner, name) in CLOCK_METHODS:
            return f"calls {owner}.{name}() in line {node.lineno}"
    return None


@pytest.mark.parametrize("package", PACKAGES)
def test_contracts_hold(package: str) -> None:
    found = {
        str(path.relative_to(ROOT)): breaches
        for path in sources(package)
        if (breaches := contract_breaches(package, path.read_text(encoding="utf-8")))
    }
    assert sources(package)
    assert found == {}


BREACHES = [
    ("analyzers", "from server.cli import main"),
    ("analyzers", "def f():\n    import clients.models"),
    ("analyzers", "import os"),
    ("analyzers", "from pathlib import Path, PurePosixPath"),
    ("analyzers", "import lsprotocol.types"),
    ("analyzers", "text = open('a').read()"),
    ("analyzers", "from datetime import datetime\ndatetime.now()"),
    ("analyzers", "import datetime\ndatetime.date.today()"),
    ("analyzers", "import urllib.request"),
    ("analyzers", "import asyncio\nasync def f():\n    await asyncio.sleep(1)"),
    ("analyzers", "import random\nrandom.shuffle([1])"),
    ("clients", "import server"),
    ("clients", "from pygls.lsp.server import LanguageServer"),
]
CONFORMING = [
    ("analyzers", "from pathlib import PurePosixPath\nfrom datetime import date\nfrom urllib.parse import quote"),
    ("analyzers", "from io import StringIO\nfrom random import Random"),
    ("analyzers", "import asyncio\nasync def f(ports):\n    await asyncio.sleep(0)\n    await asyncio.gather(*ports)"),
    ("clients", "import httpx\nfrom analyzers.finding import Finding"),
    ("server", "import os, pygls\nfrom clients import models\nprint(open('a'))"),
]


@pytest.mark.parametrize(("package", "source"), BREACHES)
def test_breach_is_seen(package: str, source: str) -> None:
    assert contract_breaches(package, source)


@pytest.mark.parametrize(("package", "source"), CONFORMING)
def test_conforming_module_passes(package: str, source: str) -> None:
    assert contract_breaches(package, source) == []


def test_relative_imports_are_refused() -> None:
    with pytest.raises(AssertionError, match="relative"):
        contract_breaches("analyzers", "from . import finding")


def third_party_imports() -> set[str]:
    """Top-level names of the libraries that the packages import, anywhere in their code."""
    modules = [path for package in PACKAGES for path in sources(package)]
    names = {name for path in modules for name, _ in imports(ast.parse(path.read_text(encoding="utf-8")))}
    return {name.partition(".")[0] for name in names} - set(PACKAGES) - set(sys.stdlib_module_names)


def distributions(requirements: list[str]) -> set[str]:
    return {re.split(r"[^A-Za-z0-9_-]", requirement)[0].lower().replace("-", "_") for requirement in requirements}


def test_declared_libraries_are_those_that_are_imported() -> None:
    # Each of them has the import name that its distribution has.
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    base = distributions(project["dependencies"])
    extras = project["optional-dependencies"]
    optional = distributions([*extras["models"], *extras["keyring"]])
    imported = third_party_imports()
    assert imported - base - optional == set(), "imported, and not declared in pyproject.toml"
    assert base - imported == set(), "declared in pyproject.toml, and not imported"


def test_no_module_can_be_started_with_python_m() -> None:
    assert [path for package in PACKAGES for path in sources(package) if path.name == "__main__.py"] == []
    guard = re.compile(r"^if __name__ ==", re.MULTILINE)
    modules = [path for package in PACKAGES for path in sources(package)]
    guards = [path for path in modules if guard.search(path.read_text(encoding="utf-8"))]
    assert guards == []


def test_test_folders_shadow_no_package() -> None:
    folders = {path.name for path in (ROOT / "tests").rglob("*") if path.is_dir()}
    assert folders.isdisjoint(PACKAGES)
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_test_modules_have_unique_names() -> None:
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert len(names) == len(set(names)), sorted(name for name in set(names) if names.count(name) > 1)


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_stay_small(package: str) -> None:
    long = {
        str(path): count for path in sources(package) if (count := path.read_text(encoding="utf-8").count("\n")) > 600
    }
    assert long == {}
