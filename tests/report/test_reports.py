"""Reports in every format, from one set of findings over two files."""

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.finding import Candidate, Finding, Note, Related, Severity, Tier
from analyzers.fixes import Edit, Fix, apply_edits
from analyzers.text.lines import LineIndex
from analyzers.text.spans import Span
from server.report.github import render_github
from server.report.json import render_json
from server.report.model import Numbers, RootReport, RuleInfo, SourceFile, Summary, count_severities
from server.report.sarif import render_sarif
from server.report.text import TextReport

MAIN = "Intro.\r\nWe show three [rivers]: a, b, c and 𝔸é.\r\n\tSee \\cite{ghots}.\n"
TABLE = "a & 0.81 \\\\\n"
RULE = RuleInfo(
    "CIT001", "undefined-key", "A key without an entry.", "## What it flags\n…", Severity.ERROR, Tier.PROVED
)


def files(texts: Mapping[str, str]) -> dict[str, SourceFile]:
    return {path: SourceFile(text, LineIndex(text)) for path, text in texts.items()}


def span(path: str, text: str, part: str) -> Span:
    return Span(path, text.index(part), text.index(part) + len(part))


def example() -> RootReport:
    key = span("main.tex", MAIN, "ghots")
    findings = (
        Finding(
            "CIT001", "No entry defines `ghots`.", key, Tier.PROVED, Severity.ERROR, "undefined-key",
            fixes=(Fix("Replace by `ghost`", (Edit(key, "ghost"),), True),), fingerprint="f1",
            evidence={"near": "ghost", "distance": 2.5, "odd": float("nan"), "keys": ["a", "b"], "none": None},
        ),
        Finding(
            "CNT002", "Three are promised, four are named.", span("main.tex", MAIN, "three [rivers]: a, b, c and 𝔸é"),
            Tier.LINKED, Severity.WARNING, "enumerated-count",
            related=(Related(span("tables/é main.tex", TABLE, "0.81"), "the other side, 100%"),),
        ),
    )  # fmt: skip
    places = (span("main.tex", MAIN, "Intro."), span("tables/é main.tex", TABLE, "0.81"))
    return RootReport(
        "main.tex",
        True,
        findings,
        files({"main.tex": MAIN, "tables/é main.tex": TABLE}),
        (Candidate("CON004", 0.714, "two values", places),),
        (Note("refs.bib was not found.", span("main.tex", MAIN, "Intro.")), Note("Nothing else.")),
        Summary(2, 3, Numbers(63, 17, 1, 45)),
        0.2149,
        {"CIT001": RULE},
    )


def test_text() -> None:
    assert TextReport().render(example()) == (
        "main.tex:2:9: warning: Three are promised, four are named. [CNT002 enumerated-count]\n"
        "     2 | We show three [rivers]: a, b, c and 𝔸é.\n"
        "       |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "  tables/é main.tex:1:5: the other side, 100%\n"
        "     1 | a & 0.81 \\\\\n"
        "       |     ^^^^\n"
        "  about it: counterclaim explain CNT002; to allow it: % counterclaim: allow CNT002 -- reason\n"
        "\n"
        "main.tex:3:12: error: No entry defines `ghots`. [CIT001 undefined-key]\n"
        "     3 |     See \\cite{ghots}.\n"
        "       |               ^^^^^\n"
        "  fix: Replace by `ghost` (--fix applies it)\n"
        "  about it: counterclaim explain CIT001; to allow it: % counterclaim: allow CIT001 -- reason\n"
        "\n"
        "candidate: two values [CON004, 0.71]\n"
        "  main.tex:1:1\n"
        "     1 | Intro.\n"
        "       | ^^^^^^\n"
        "  tables/é main.tex:1:5\n"
        "     1 | a & 0.81 \\\\\n"
        "       |     ^^^^\n"
        "\n"
        "main.tex:1:1: note: refs.bib was not found.\n"
        "note: Nothing else.\n"
        "main.tex: 1 error, 1 warning in 2 files (0.21 s)\n"
        "17 of 63 numbers found in tables\n"
    )


def test_colour_is_the_only_difference() -> None:
    coloured = TextReport(colour=True).render(example())
    assert "\033[1;31merror\033[0m" in coloured
    assert re.sub(r"\033\[[0-9;]*m", "", coloured) == TextReport().render(example())


def test_a_clean_and_an_incomplete_root() -> None:
    clean = RootReport("a.tex", True, (), {}, summary=Summary(1))
    assert TextReport().render(clean) == "a.tex: no findings in 1 file (0.00 s)\n"
    assert "incomplete" in TextReport().render(RootReport(None, False, (), {}))


def test_a_range_over_several_lines_says_so() -> None:
    text = "one\ntwo\nthree"
    finding = Finding("DUP001", "m", Span("a.tex", 1, 6), Tier.PROVED, Severity.HINT)
    rendered = TextReport().render(RootReport("a.tex", True, (finding,), files({"a.tex": text})))
    assert "     1 | one\n       |  ^^ to line 2\n" in rendered


def test_json_keeps_the_contract() -> None:
    line = render_json(example())
    assert "\n" not in line
    line.encode("ascii")
    data = json.loads(line)
    assert list(data) == ["version", "root", "complete", "findings", "candidates", "notes", "summary"]
    assert (data["version"], data["root"], data["complete"]) == (1, "main.tex", True)
    count, key = data["findings"]
    start = MAIN.index("ghots")
    assert key == {
        "code": "CIT001",
        "name": "undefined-key",
        "tier": "proved",
        "severity": "error",
        "message": "No entry defines `ghots`.",
        "file": "main.tex",
        "start": {"offset": start, "line": 3, "column": 12},
        "end": {"offset": start + 5, "line": 3, "column": 17},
        "related": [],
        "fixes": [
            {
                "title": "Replace by `ghost`",
                "safe": True,
                "edits": [
                    {
                        "file": "main.tex",
                        "start": {"offset": start, "line": 3, "column": 12},
                        "end": {"offset": start + 5, "line": 3, "column": 17},
                        "text": "ghost",
                    }
                ],
            }
        ],
        "evidence": {"near": "ghost", "distance": 2.5, "odd": None, "keys": ["a", "b"], "none": None},
        "fingerprint": "f1",
    }
    assert count["related"] == [
        {
            "file": "tables/é main.tex",
            "start": {"offset": 4, "line": 1, "column": 5},
            "end": {"offset": 8, "line": 1, "column": 9},
            "message": "the other side, 100%",
        }
    ]
    (candidate,) = data["candidates"]
    assert (candidate["code"], candidate["score"], candidate["reason"]) == ("CON004", 0.714, "two values")
    assert [place["file"] for place in candidate["places"]] == ["main.tex", "tables/é main.tex"]
    assert data["notes"] == [
        {"message": "refs.bib was not found.", "file": "main.tex", "start": {"offset": 0, "line": 1, "column": 1}},
        {"message": "Nothing else.", "file": None, "start": None},
    ]
    assert data["summary"] == {
        "files": 2,
        "sentences": 3,
        "numbers": {"total": 63, "verified": 17, "refuted": 1, "unknown": 45},
        "seconds": 0.215,
    }


def sarif(report: RootReport) -> Any:
    return json.loads(render_sarif([report], "0.1.0"))


def test_sarif_structure() -> None:
    log = sarif(example())
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"], run["columnKind"]) == ("counterclaim", "0.1.0", "unicodeCodePoints")
    assert [rule["id"] for rule in driver["rules"]] == ["CIT001", "CNT002"]
    assert driver["rules"][0]["defaultConfiguration"] == {"level": "error"}
    assert all(driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    assert [result["level"] for result in run["results"]] == ["warning", "error"]
    count, key = run["results"]
    assert key["partialFingerprints"] == {"counterclaim/v1": "f1"}
    assert key["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "main.tex", "uriBaseId": "%SRCROOT%"}
    assert key["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 3, "startColumn": 12, "endLine": 3, "endColumn": 17,
        "charOffset": MAIN.index("ghots"), "charLength": 5,
    }  # fmt: skip
    assert key["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"] == {"text": "ghost"}
    (related,) = count["relatedLocations"]
    assert related["id"] == 1
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "tables/%C3%A9%20main.tex"
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is True
    assert [note["message"]["text"] for note in invocation["toolExecutionNotifications"]][1] == "Nothing else."


def test_sarif_has_a_run_for_each_root() -> None:
    log = json.loads(render_sarif([example(), RootReport(None, False, (), {})], "0.1.0"))
    assert [run["automationDetails"]["id"] for run in log["runs"]] == ["counterclaim/main.tex", "counterclaim/"]
    assert log["runs"][1]["invocations"][0]["executionSuccessful"] is False


def test_github() -> None:
    assert render_github(example(), "papers/one/") == (
        "::warning file=papers/one/main.tex,line=2,endLine=2,col=9,endColumn=38,title=CNT002 enumerated-count::"
        "Three are promised, four are named.%0Atables/é main.tex:1:5: the other side, 100%25\n"
        "::error file=papers/one/main.tex,line=3,endLine=3,col=12,endColumn=16,title=CIT001 undefined-key::"
        "No entry defines `ghots`.\n"
    )


def test_github_cannot_be_commanded_by_a_manuscript() -> None:
    finding = Finding(
        "A", "x\n::set-env a=b\r%0A::stop", Span("a,b:c\n::d.tex", 0, 1), Tier.PROVED, Severity.HINT, "n::m"
    )
    (line,) = render_github(RootReport("a", True, (finding,), files({"a,b:c\n::d.tex": "x"}))).splitlines()
    assert line.startswith("::notice file=a%2Cb%3Ac%0A%3A%3Ad.tex,line=1,")
    assert ",title=A n%3A%3Am::" in line
    assert line.endswith("::x ::set-env a=b␍%250A::stop")


def test_counts() -> None:
    assert list(count_severities(example().findings)) == [(Severity.ERROR, 1), (Severity.WARNING, 1)]


texts = st.text(
    st.one_of(
        st.sampled_from("a\n\r\t \x1b\x07\x00\x9b\u202e\u200b\u2028\u0301漢𝔸[/]{}:,%\\"),
        st.characters(),
        st.characters(categories=["Cs"]),
    ),
    max_size=30,
)


@st.composite
def reports(draw: st.DrawFn) -> RootReport:
    sources = {"a.tex": draw(texts), draw(texts): draw(texts)}

    def spans() -> Span:
        path = draw(st.sampled_from([*sources, "gone.tex"]))
        start, end = sorted(draw(st.tuples(st.integers(0, 35), st.integers(0, 35))))
        return Span(path, start, end)

    findings = tuple(
        Finding(
            draw(st.sampled_from(["A001", "B002"])), draw(texts), spans(),
            draw(st.sampled_from(Tier)), draw(st.sampled_from(Severity)),
            draw(texts), (Related(spans(), draw(texts)),), {"x": draw(texts), "y": draw(st.floats())},
            (Fix(draw(texts), (Edit(spans(), draw(texts)),)),),
        )
        for _ in range(draw(st.integers(0, 3)))
    )  # fmt: skip
    candidates = (Candidate("C", draw(st.floats()), draw(texts), (spans(), spans())),)
    return RootReport(
        draw(st.none() | texts),
        draw(st.booleans()),
        findings,
        files(sources),
        candidates,
        (Note(draw(texts), spans()),),
    )


@given(reports())
@settings(max_examples=120, deadline=None)
def test_no_manuscript_breaks_a_report(report: RootReport) -> None:
    data = json.loads(render_json(report))
    assert len(data["findings"]) == len(report.findings)
    assert len(sarif(report)["runs"][0]["results"]) == len(report.findings)
    rendered = TextReport().render(report)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e\u2028\ud800-\udfff]", rendered)
    annotations = render_github(report)
    assert annotations.count("\n") == len(report.findings) + (not report.complete)
    assert all(line.startswith("::") for line in annotations.split("\n")[:-1])


@given(st.text(max_size=40).filter(bool), st.data())
@settings(max_examples=100, deadline=None)
def test_json_positions_lead_back_to_the_text(text: str, data: st.DataObject) -> None:
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    finding = Finding("A", "m", Span("a.tex", start, end), Tier.PROVED, Severity.HINT)
    (item,) = json.loads(render_json(RootReport("a.tex", True, (finding,), files({"a.tex": text}))))["findings"]
    lines = re.split("(?<=\n)|(?<=\r)(?!\n)", text)
    offsets = [
        sum(map(len, lines[: place["line"] - 1])) + place["column"] - 1 for place in (item["start"], item["end"])
    ]
    assert offsets == [start, end] == [item["start"]["offset"], item["end"]["offset"]]


def test_fixes_in_sarif_do_what_they_do() -> None:
    (fix,) = sarif(example())["runs"][0]["results"][1]["fixes"]
    (change,) = fix["artifactChanges"]
    edits = [
        Edit(
            Span("main.tex", region["charOffset"], region["charOffset"] + region["charLength"]),
            item["insertedContent"]["text"],
        )
        for item in change["replacements"]
        for region in [item["deletedRegion"]]
    ]
    assert apply_edits(MAIN, edits) == MAIN.replace("ghots", "ghost")


@pytest.mark.parametrize("renderer", [render_json, TextReport().render, render_github])
def test_reading_order(renderer: Any) -> None:
    findings = tuple(
        Finding(code, f"<{code}>", Span(path, start, start + 1), Tier.PROVED, severity)
        for code, path, start, severity in [
            ("D", "unknown.tex", 0, Severity.ERROR),
            ("C", "a.tex", 1, Severity.ERROR),
            ("B", "z.tex", 5, Severity.HINT),
            ("A", "z.tex", 5, Severity.WARNING),
        ]
    )
    rendered = renderer(RootReport("z.tex", True, findings, files({"z.tex": "abcdefg", "a.tex": "abc"})))
    assert re.findall("<(.)>", rendered) == ["A", "B", "C", "D"]
