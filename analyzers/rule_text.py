"""What the reference says of a kind of finding that no check makes: verdicts on citations, points of a review."""

from dataclasses import dataclass

from analyzers.finding import Severity, Tier


@dataclass(frozen=True, slots=True)
class RuleText:
    """What the reference says of a kind of finding; `severity` is the highest one it gives."""

    code: str
    name: str
    severity: Severity
    tier: Tier
    summary: str
    flags: str
    matters: str
    silent: str

    @property
    def documentation(self) -> str:
        """The reference text in Markdown, in the form all checks share."""
        return (
            f"{self.code} `{self.name}`: {self.summary}\n\n"
            f"## What it flags\n{self.flags}\n\n"
            f"## Why it matters\n{self.matters}\n\n"
            f"## When it stays silent\n{self.silent}\n"
        )
