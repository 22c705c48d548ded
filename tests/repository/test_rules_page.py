"""The reference of rules is made from the rules; it must not be older than they are."""

from pathlib import Path

from server.rules import all_rules, reference_page

ROOT = Path(__file__).parents[2]


def test_the_page_is_up_to_date() -> None:
    written = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert written == reference_page(), "run: counterclaim rules --markdown > docs/rules.md"


def test_every_rule_is_listed_once() -> None:
    page = reference_page()
    for rule in all_rules():
        assert page.count(f"\n### {rule.code}\n") == 1
