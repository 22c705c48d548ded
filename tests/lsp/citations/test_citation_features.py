"""Verdicts in the editor: at the entry and where it is cited, their evidence, the summary, over edits."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
MAIN = (DATA / "main.tex").read_text(encoding="utf-8")
REFS = (DATA / "refs.bib").read_text(encoding="utf-8")
Start = Callable[..., Any]


async def test_a_mismatch_is_shown_at_the_entry_and_where_it_is_cited(start: Start, works: Path) -> None:
    editor = await start()
    editor.open("main.tex", MAIN)
    told = await editor.looked_up()
    assert told == {"complete": True, "entries": 4, "asked": 4}
    assert editor.verdicts("refs.bib") == [("BIB052", 2)]
    assert editor.verdicts("main.tex") == [("BIB052", 2), ("BIB052", 2)]
    (entry,) = [d for d in editor.diagnostics("refs.bib") if d["code"] == "BIB052"]
    assert entry["severity"] == 2
    assert "given Alder, Ann; Wrong, Bob; Maple, Max; found Ann Alder" in entry["message"].replace(" 0001", "")
    place = next(d for d in editor.diagnostics("main.tex") if d["code"] == "BIB052")
    assert place["range"]["start"] == {"line": 2, "character": len("É 𝔸 rivers \\cite{".encode("utf-16-le")) // 2}
    assert place["message"].startswith("alder: Differs from the record")
    assert place["relatedInformation"][0]["location"]["uri"] == editor.uri("refs.bib")


async def test_the_evidence_names_who_was_asked_and_both_values(start: Start, works: Path) -> None:
    editor = await start()
    editor.open("main.tex", MAIN)
    editor.open("refs.bib", REFS, language="bibtex")
    await editor.looked_up()
    text = await editor.evidence("refs.bib", 0, 10)
    assert "alder: “River Networks" in text
    assert "Wrong, Bob" in text
    assert "Ben Birch" in text
    assert "Asked: local index. Answered: local index." in text
    assert "https://doi.org/10.1000/river.1" in text
    verified = await editor.evidence("main.tex", 4, MAIN.splitlines()[4].index("gorse") + 1)
    assert "Verified (local index (works.jsonl))." in verified
    bees = await editor.evidence("main.tex", 2, MAIN.splitlines()[2].index("elm,") + 2)
    assert "the preprint is cited; it has been published" in bees
    assert "Could not confirm from the text at hand" in bees
    assert "no online source was asked" in await editor.evidence(
        "main.tex", 4, MAIN.splitlines()[4].index("unknown") + 1
    )
    assert await editor.evidence("refs.bib", 3, 3) == ""


async def test_the_summary_stands_above_the_bibliography(start: Start, works: Path) -> None:
    editor = await start()
    editor.open("main.tex", MAIN)
    editor.open("refs.bib", REFS, language="bibtex")
    await editor.looked_up()
    assert await editor.lens() == "2 verified · 1 mismatch · 1 unverifiable"
    assert await editor.lens("main.tex") == ""
    await editor.wait(lambda m: m.get("method") == "workspace/codeLens/refresh")


async def test_without_an_index_nothing_is_asked_and_that_is_said(start: Start) -> None:
    editor = await start()
    editor.open("main.tex", MAIN)
    editor.open("refs.bib", REFS, language="bibtex")
    await editor.analysed(main=1)
    assert await editor.lens() == "Citations: nothing to look them up in"
    assert "Not looked up: there is no local index" in await editor.evidence("refs.bib", 0, 1)
    result = await editor.execute("counterclaim.citations.check")
    assert "counterclaim index build" in result["message"]
    assert (await editor.execute("counterclaim.citations.status"))["folders"][0]["online"] is False
    assert editor.told() == []


async def test_an_edit_is_looked_up_after_a_pause_and_only_what_changed(start: Start, works: Path) -> None:
    editor = await start()
    editor.open("refs.bib", REFS, language="bibtex")
    await editor.looked_up()
    line = REFS.splitlines()[2]
    column = line.index("Wrong")
    editor.change("refs.bib", 2, (2, column, 2, len(line) - 2, "Birch, Ben and Cedar, Cleo"))
    await editor.answered()
    assert editor.verdicts("refs.bib") == []
    told = await editor.looked_up(2)
    assert told["asked"] == 1
    assert editor.verdicts("refs.bib") == []
    assert await editor.lens() == "3 verified · 1 unverifiable"
    editor.change("refs.bib", 3, (0, 0, 0, 0, "% moved\n"), (1, 13, 1, 13, "2"))
    assert (await editor.looked_up(3))["asked"] == 0  # the key is no part of what is looked up


async def test_a_finding_moves_with_the_text(start: Start, works: Path) -> None:
    editor = await start()
    editor.open("main.tex", MAIN)
    editor.open("refs.bib", REFS, language="bibtex")
    await editor.looked_up()
    editor.change("refs.bib", 2, (0, 0, 0, 0, "% 𝔸 line\r\n% more\n"))
    await editor.answered()
    assert editor.verdicts("refs.bib") == [("BIB052", 4)]
    await editor.analysed()
    assert editor.verdicts("refs.bib") == [("BIB052", 4)]
    assert editor.verdicts("main.tex") == [("BIB052", 2), ("BIB052", 2)]


async def test_a_comment_at_the_entry_allows_both_places(start: Start, works: Path, paper: Path) -> None:
    text = f"% counterclaim: allow BIB052 -- the authors changed their names\n{REFS}"
    (paper / "refs.bib").write_text(text)
    editor = await start()
    editor.open("main.tex", MAIN)
    await editor.looked_up()
    assert editor.verdicts("refs.bib") == []
    assert editor.verdicts("main.tex") == []


async def test_a_check_that_is_ignored_is_not_shown(start: Start, works: Path, paper: Path) -> None:
    (paper / "counterclaim.toml").write_text('[checks]\nignore = ["BIB052"]\n')
    editor = await start()
    editor.open("main.tex", MAIN)
    await editor.looked_up()
    assert editor.verdicts("main.tex") == editor.verdicts("refs.bib") == []


async def test_a_bibliography_alone_is_looked_up(start: Start, works: Path, paper: Path) -> None:
    (paper / "main.tex").unlink()
    editor = await start()
    editor.open("refs.bib", REFS, language="bibtex")
    await editor.looked_up()
    assert editor.verdicts("refs.bib") == [("BIB052", 2)]
    assert await editor.lens() == "2 verified · 1 mismatch · 1 unverifiable"


async def test_an_index_of_the_settings(start: Start, works: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.index"
    works.rename(other)  # noqa: ASYNC240
    settings = {"citations": {"index": str(other)}}
    editor = await start(settings=settings)
    editor.open("main.tex", MAIN)
    await editor.looked_up()
    assert editor.verdicts("refs.bib") == [("BIB052", 2)]
    assert [d for d in editor.diagnostics("main.tex") if d["code"] == "NOTE"] == []
    distrusted = await start(settings=settings, trusted=False)
    distrusted.open("main.tex", MAIN)
    await distrusted.analysed(main=1)
    assert (await distrusted.execute("counterclaim.citations.status"))["folders"][0]["index"] is None


async def test_a_damaged_index_is_said_to_be(start: Start, works: Path) -> None:
    works.write_bytes(b"no index at all")  # noqa: ASYNC240
    editor = await start()
    editor.open("main.tex", MAIN)
    await editor.looked_up()
    assert editor.verdicts("refs.bib") == []
    assert "this file is no index" in (await editor.execute("counterclaim.citations.status"))["message"]
