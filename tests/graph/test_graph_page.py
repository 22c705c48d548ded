"""The page of the graph in a real browser: no error, nodes can be chosen by mouse, keyboard and address."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.commands.graph import GraphFormat, GraphOptions, run_graph

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
EXAMPLE = Path(__file__).parents[2] / "examples" / "manuscript" / "main.tex"
CORPUS = os.environ.get("COUNTERCLAIM_CORPUS")
PAPERS = [("example", EXAMPLE)]
if CORPUS is not None:
    PAPERS += [
        (slug, Path(CORPUS) / "papers" / slug / root)
        for slug, root in (
            ("lrf-neurips2024", "main.tex"),
            ("tb-suscept", "tb-suscept.tex"),
            ("raft-dissertation", "main.tex"),
        )
    ]

pytestmark = pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("COUNTERCLAIM_REQUIRE_ALL"), reason="no Chromium is installed"
)


@pytest.fixture(params=PAPERS, ids=lambda paper: paper[0])
def page_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    name, path = request.param
    target = tmp_path / f"{name}.html"
    assert run_graph(GraphOptions(path, path.parent, GraphFormat.HTML, target)) == 0
    return target


def dumped(address: str, profile: Path) -> tuple[str, str]:
    """The document after its script ran, and what the browser logged."""
    assert CHROMIUM is not None
    command = [
        CHROMIUM,
        *FLAGS,
        f"--user-data-dir={profile}",
        "--virtual-time-budget=3000",
        "--enable-logging=stderr",
        "--dump-dom",
        address,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    return done.stdout, done.stderr


def test_an_address_opens_the_page_at_its_node(page_file: Path, tmp_path: Path) -> None:
    page = page_file.read_text(encoding="utf-8")
    node = re.search(r'class="node main" id="node-(\w+)"', page)
    assert node is not None
    document, log = dumped(f"{page_file.as_uri()}#node-{node[1]}", tmp_path / "profile")
    assert [line for line in log.splitlines() if "CONSOLE" in line] == []
    chosen = re.findall(r'class="node main chosen" id="node-(\w+)"', document)
    assert chosen == [node[1]]
    details = document[document.index('id="details"') :]
    assert "<pre>" in details
    assert re.search(r"main claim", details)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if os.environ.get("COUNTERCLAIM_REQUIRE_ALL"):
        import playwright.sync_api as api
    else:
        api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as player:
        found = player.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nodes_are_chosen_by_mouse_and_keyboard(page_file: Path, browser: Any, scheme: str, tmp_path: Path) -> None:
    said: list[str] = []
    page = browser.new_page(viewport={"width": 1400, "height": 900}, color_scheme=scheme)
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(page_file.as_uri())
    nodes = page.locator("#graph .node")
    total = nodes.count()
    assert page.locator("#count").inner_text() == f"{total} of {total} nodes"

    main = page.locator("#graph .node.main").first
    main.click()
    first = page.locator("#details h2").inner_text()
    assert first != "Nothing chosen"
    assert page.locator("#details pre").count() >= 1
    page.keyboard.press("Escape")
    assert page.locator("#details h2").inner_text() == "Nothing chosen"

    main.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator("#details h2").inner_text() != first
    page.keyboard.press("Escape")

    for box in page.locator("#kinds input:not([value=main])").all():
        box.uncheck()
    mains = page.locator("#graph .node.main").count()
    assert page.locator("#count").inner_text() == f"{mains} of {total} nodes"
    page.locator("#kinds input[value=evidence]").check()
    page.select_option(
        "#section", "abstract" if page.locator("#section option[value=abstract]").count() else "introduction"
    )
    assert int(page.locator("#count").inner_text().split()[0]) <= total
    page.screenshot(path=str(tmp_path / f"{page_file.stem}-{scheme}.png"))
    assert (tmp_path / f"{page_file.stem}-{scheme}.png").stat().st_size > 5_000
    assert said == []
    page.close()


def test_text_of_the_manuscript_stays_text(browser: Any, tmp_path: Path) -> None:
    source = "\\begin{abstract}We show that <img src=x onerror=\"document.title='bad'\"></script><script>document.title='bad'</script> improves all rivers.\\end{abstract}\n\\documentclass{article}\\begin{document}We find it.\\end{document}"
    (tmp_path / "main.tex").write_text(source, encoding="utf-8")
    target = tmp_path / "nasty.html"
    assert run_graph(GraphOptions(tmp_path / "main.tex", tmp_path, GraphFormat.HTML, target)) == 0
    page = browser.new_page()
    page.goto(target.as_uri())
    node = page.locator("#graph .node").first
    node.click()
    assert "<img src=x" in page.locator("#details pre").first.inner_text()
    assert page.locator("img").count() == 0
    assert page.title() != "bad"
    page.close()
