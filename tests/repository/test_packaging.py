"""What is shipped, what starts, and what must not be in the repository."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DATA_SUFFIXES = {".json", ".toml", ".md"}
TEST_COMMAND = "sh scripts/with-venv pytest -q -n auto --maxprocesses 4 --dist loadfile"
CHECK_COMMAND = "sh scripts/with-venv counterclaim check examples/manuscript"


def requirement_name(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match, requirement
    return re.sub(r"[._-]+", "-", match[0]).lower()


def tracked_files() -> list[Path]:
    """The files git knows, or every text file outside hidden folders where this is not a clone."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, timeout=60).stdout
    except (OSError, subprocess.CalledProcessError):
        return [
            path
            for path in ROOT.rglob("*")
            if path.is_file() and not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
        ]
    return [path for name in listed.decode().split("\0") if name and (path := ROOT / name).is_file()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-P", "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built)


def test_wheel_holds_exactly_the_three_packages(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    top = {name.partition("/")[0] for name in names}
    assert top == {"server", "analyzers", "clients", f"counterclaim-{PROJECT['project']['version']}.dist-info"}
    assert not [
        name for name in names if name.startswith("clients/editors") or "/tests/" in name or "__pycache__" in name
    ]
    assert not [name for name in names if name.endswith("__main__.py")]


def test_wheel_holds_every_module_and_data_file(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    for package in ("server", "analyzers", "clients"):
        for path in (ROOT / package).rglob("*"):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in {".py", *DATA_SUFFIXES} and not name.startswith("clients/editors"):
                assert name in names


def test_console_script_is_declared(wheel: zipfile.ZipFile) -> None:
    (entry_points,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert "counterclaim = server.cli:main" in wheel.read(entry_points).decode()


def test_lock_file_is_hashed_and_names_no_address() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"^\s*-(?!-hash)|^\s*--(?!hash)", text, re.MULTILINE), (
        "options of the installer belong to the installer"
    )
    pins = re.split(r"\n(?=[a-z0-9])", text.strip())
    assert pins
    assert [pin.partition("\n")[0] for pin in pins if "==" not in pin or "--hash=sha256:" not in pin] == []


def test_lock_file_covers_every_dependency() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = {requirement_name(name) for name in re.findall(r"^([A-Za-z0-9._-]+)==", text, re.MULTILINE)}
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = [*PROJECT["project"]["dependencies"], *extras["test"], *extras["models"]]
    assert {requirement_name(name) for name in wanted} - locked == set()


def test_every_dependency_has_a_bound() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    requirements = [*PROJECT["project"]["dependencies"], *(name for extra in extras.values() for name in extra)]
    assert [name for name in requirements if "<" not in name and "==" not in name] == []


def test_readme_commands_are_those_that_run() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"```sh\n{TEST_COMMAND}\n```" in readme
    assert f"```sh\n{CHECK_COMMAND}\n```" in readme
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").rstrip().endswith(f"\n{TEST_COMMAND}")


def test_relative_links_of_the_documentation_exist() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


# Assembled from parts, so that this file does not hold what it looks for.
FORBIDDEN = [
    re.compile(r"(?<![\w.~-])/(?:" + "wo" + "rk|" + "op" + "t|" + "tm" + r"p)/[a-z]"),
    re.compile("py" + r"pi\.org|files\.python" + r"hosted|registry\.npm" + "js|registry\\.yarn" + "pkg"),
]


def test_no_machine_path_and_no_registry_address() -> None:
    found = []
    for path in tracked_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{path.relative_to(ROOT)}: {match[0]}" for pattern in FORBIDDEN for match in pattern.finditer(text)]
    assert found == []


def console_script() -> Path:
    return Path(sys.executable).with_name("counterclaim")


def need_console_script() -> Path:
    script = console_script()
    if script.exists():
        return script
    if os.environ.get("COUNTERCLAIM_REQUIRE_ALL"):
        pytest.fail("the console script is not installed beside this Python")
    pytest.skip("the console script is not installed beside this Python")


HOSTILE = "import pathlib\npathlib.Path({marker!r}).write_text('ran')\nraise SystemExit(99)\n"


@pytest.mark.parametrize("arguments", [["--help"], ["check", "main.tex"], ["lsp"]], ids=lambda arguments: arguments[0])
def test_hostile_workspace_never_runs(tmp_path: Path, arguments: list[str]) -> None:
    script = need_console_script()
    workspace = tmp_path / "workspace"
    marker = tmp_path / "marker"
    names = [
        f"{package}/{module}.py"
        for package in ("server", "analyzers", "clients")
        for module in ("__init__", "__main__", "cli")
    ]
    for name in (*names, "typer.py", "rich.py", "json.py", "pygls.py", "sitecustomize.py", "usercustomize.py"):
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HOSTILE.format(marker=str(marker)), encoding="utf-8")
    (workspace / "main.tex").write_text("\\documentclass{article}\\begin{document}x\\end{document}\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # An empty standard input ends the language server at once.
    done = subprocess.run(
        [script, *arguments],
        cwd=workspace,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert not marker.exists()
    assert done.returncode != 99


def test_set_up_never_removes_a_folder_that_is_no_environment(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.tex").write_text("x", encoding="utf-8")
    environment = {**os.environ, "COUNTERCLAIM_VENV": str(precious), "PYTHON": sys.executable}
    command = ["sh", str(ROOT / "scripts" / "with-venv"), "counterclaim", "--help"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "nothing was done" in done.stderr
    assert [path.name for path in precious.iterdir()] == ["thesis.tex"]
