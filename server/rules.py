"""The documentation of rules as the command line, the hover and the reference page show it: one text for all three.

Rules are the checks, the verdicts on bibliography entries and the points of a review.
"""

from collections.abc import Iterator

from analyzers.checks import ALL_CHECKS
from analyzers.checks.check import Check
from analyzers.citations.findings import VERDICT_RULES
from analyzers.finding import Tier
from analyzers.review.rules import REVIEW_RULES
from analyzers.rule_text import RuleText
from server.report.model import RuleInfo

DocumentedRule = Check | RuleText

_PAGE_HEAD = """# Rules

This page is made from the checks themselves by `counterclaim rules --markdown`; a test fails when it is out of date.
Severities are defaults: `counterclaim.toml` may change them, and `% counterclaim: allow CODE -- reason` allows one place.
"""


def all_rules() -> tuple[DocumentedRule, ...]:
    """Every rule, in the order of the codes."""
    return tuple(sorted((*ALL_CHECKS, *VERDICT_RULES, *REVIEW_RULES), key=lambda rule: rule.code))


def rule_called(name: str) -> DocumentedRule | None:
    """The rule with a code or name, in any case."""
    wanted = name.strip()
    return next((rule for rule in all_rules() if wanted.upper() == rule.code or wanted.lower() == rule.name), None)


def when_it_runs(rule: DocumentedRule) -> str:
    """Whether a rule is on by default, and when it runs."""
    if isinstance(rule, RuleText):
        asked = "`counterclaim review`" if rule.tier is Tier.REVIEWED else "`counterclaim cite`"
        return f"from {asked} and its commands in the editor"
    return ("on by default" if rule.default else "off by default") + ("" if rule.live else ", not while typing")


def documentation(check: DocumentedRule) -> str:
    """The text of a rule: what it flags, why it matters, when it stays silent."""
    return check.documentation.strip()


def summary(check: DocumentedRule) -> str:
    """The first line of the documentation without code and name."""
    first = " ".join(documentation(check).split("\n\n", 1)[0].split())
    return first.split(": ", 1)[1] if ": " in first else first


def rule_infos() -> Iterator[RuleInfo]:
    """What reports say of each check."""
    for check in all_rules():
        text = summary(check)
        yield RuleInfo(
            check.code, check.name, text[:1].upper() + text[1:], documentation(check), check.severity, check.tier
        )


def explained(check: DocumentedRule) -> str:
    """The documentation with tier, severity and examples, as Markdown."""
    lines = [documentation(check)]
    if isinstance(check, Check):
        lines += ["", "## Examples", ""]
        for example in check.examples:
            flagged = ", ".join(f"`{_one_line(flagged)}`" for flagged in example.expect)
            lines.append(f"- {example.caption}: {'flags ' + flagged if flagged else 'stays silent'}.")
    lines += ["", f"Tier {check.tier}, severity {check.severity}, {when_it_runs(check)}."]
    return "\n".join(lines)


def reference_page() -> str:
    """The whole reference, `docs/rules.md`."""
    head = [_PAGE_HEAD, "| code | name | severity | tier | what |", "|---|---|---|---|---|"]
    for check in all_rules():
        off = " (off)" if isinstance(check, Check) and not check.default else ""
        head.append(
            f"| [{check.code}](#{check.code.lower()}) | {check.name} | {check.severity}{off} | {check.tier} | {summary(check)} |"
        )
    body = []
    for check in all_rules():
        text = explained(check).replace("\n## ", "\n#### ")
        body.append(f"\n### {check.code}\n\n{text}\n")
    return "\n".join(head) + "\n" + "\n".join(body)


def _one_line(text: str) -> str:
    shown = " ".join(text.split()).replace("`", "'")
    return shown if len(shown) <= 60 else shown[:57] + "…"
