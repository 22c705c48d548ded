"""The documentation of checks as the command line, the hover and the reference page show it: one text for all three."""

from collections.abc import Iterator

from analyzers.checks import ALL_CHECKS
from analyzers.checks.check import Check
from server.report.model import RuleInfo

_PAGE_HEAD = """# Rules

This page is made from the checks themselves by `counterclaim rules --markdown`; a test fails when it is out of date.
Severities are defaults: `counterclaim.toml` may change them, and `% counterclaim: allow CODE -- reason` allows one place.
"""


def documentation(check: Check) -> str:
    """The text of a check: what it flags, why it matters, when it stays silent."""
    return check.documentation.strip()


def summary(check: Check) -> str:
    """The first line of the documentation without code and name."""
    first = " ".join(documentation(check).split("\n\n", 1)[0].split())
    return first.split(": ", 1)[1] if ": " in first else first


def rule_infos() -> Iterator[RuleInfo]:
    """What reports say of each check."""
    for check in ALL_CHECKS:
        text = summary(check)
        yield RuleInfo(
            check.code, check.name, text[:1].upper() + text[1:], documentation(check), check.severity, check.tier
        )


def explained(check: Check) -> str:
    """The documentation with tier, severity and examples, as Markdown."""
    lines = [documentation(check), "", "## Examples", ""]
    for example in check.examples:
        verdict = (
            "flags " + ", ".join(f"`{_one_line(slice_)}`" for slice_ in example.expect)
            if example.expect
            else "stays silent"
        )
        lines.append(f"- {example.caption}: {verdict}.")
    state = "on by default" if check.default else "off by default"
    when = "" if check.live else ", not while typing"
    lines += ["", f"Tier {check.tier}, severity {check.severity}, {state}{when}."]
    return "\n".join(lines)


def reference_page() -> str:
    """The whole reference, `docs/rules.md`."""
    head = [_PAGE_HEAD, "| code | name | severity | tier | what |", "|---|---|---|---|---|"]
    for check in ALL_CHECKS:
        off = "" if check.default else " (off)"
        head.append(
            f"| [{check.code}](#{check.code.lower()}) | {check.name} | {check.severity}{off} | {check.tier} | {summary(check)} |"
        )
    body = []
    for check in ALL_CHECKS:
        text = explained(check).replace("\n## ", "\n#### ")
        body.append(f"\n### {check.code}\n\n{text}\n")
    return "\n".join(head) + "\n" + "\n".join(body)


def _one_line(text: str) -> str:
    shown = " ".join(text.split()).replace("`", "'")
    return shown if len(shown) <= 60 else shown[:57] + "…"
