"""What the documentation says is true: its settings are valid, its codes exist, its faults are in the example."""

import re
import tomllib
from pathlib import Path

from analyzers.checks import ALL_CHECKS
from analyzers.configuration import read_configuration
from analyzers.suppression import suppressions

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODES = {check.code for check in ALL_CHECKS}


def blocks(language: str) -> list[str]:
    found = re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found
    return found


def test_settings_of_the_readme_are_valid() -> None:
    for text in blocks("toml"):
        _, notes = read_configuration(tomllib.loads(text), CODES, text=text)
        assert notes == ()


def test_comments_of_the_readme_are_valid() -> None:
    for text in blocks("latex"):
        found, notes = suppressions(text, "main.tex", CODES)
        assert found
        assert notes == ()


def test_codes_of_the_readme_exist() -> None:
    named = set(re.findall(r"\b[A-Z]{3}\d{3}\b", README))
    assert named
    assert named <= CODES


def test_the_example_is_complete() -> None:
    folder = ROOT / "examples" / "manuscript"
    main = (folder / "main.tex").read_text(encoding="utf-8")
    sources = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.tex")}
    included = {f"{name}.tex" for text in sources.values() for name in re.findall(r"\\input\{([^}]*)\}", text)}
    assert included | {"main.tex"} == set(sources)
    assert r"\bibliography{refs}" in main
    # Every file that the list of faults names is there.
    listed = re.findall(r"`([\w/]+\.(?:tex|bib))`", (ROOT / "examples" / "README.md").read_text(encoding="utf-8"))
    assert listed
    assert [name for name in listed if not (folder / name).is_file()] == []
