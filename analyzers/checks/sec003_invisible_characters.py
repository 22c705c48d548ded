"""SEC003 `invisible-characters`: characters that print nothing stand in the source.

## What it flags
Zero-width spaces and joiners, direction marks and overrides, tag characters (which can spell whole sentences) and runs of variation
selectors, also in comments and verbatim text; soft hyphens only as a hint.

## Why it matters
They split words for search and spell checking, may show source in another order than it is read in, can carry hidden text, and stop
pdfLaTeX with an error.

## When it stays silent
Where a script or an emoji needs them: joiners in Arabic, Persian and Indic words, zero-width spaces in Thai or Khmer, direction marks
beside right-to-left text, emoji and flags, ideographic variants, and a byte order mark at the start.
"""

from collections.abc import Iterator

from analyzers.checks.check import BlockCheck, BlockView, Example
from analyzers.facts.hidden_text_characters import invisible_characters
from analyzers.finding import Finding, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.text.lex import MaskKind


class InvisibleCharacters(BlockCheck):
    """See the module's text, which is the documentation of the check."""

    code = "SEC003"
    name = "invisible-characters"
    tier = Tier.PROVED
    severity = Severity.WARNING
    examples = (
        Example.of("Zero-width spaces in a word", "Let $x$ be a qu\u200be\u200bry.", "\u200be\u200b"),
        Example.of("A direction override", "Access \u202egranted", "\u202e"),
        Example.of("Tags that spell text", "Text\U000e0067\U000e006f.", "\U000e0067\U000e006f"),
        Example.of("A soft hyphen", "Donau\u00addampf", "\u00ad"),
        Example.of("A comment", "% a\u200bb", "\u200b"),
        Example.of("A Persian word", "می\u200cخواهم"),
        Example.of("A Devanagari conjunct", "क्\u200dष"),
        Example.of("An emoji of a family", "\U0001f469\u200d\U0001f469\u200d\U0001f467 and \u2764\ufe0f"),
        Example.of("The flag of Wales", "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"),
        Example.of("Hebrew with a mark", "שלום\u200f!"),
        Example.of("Thai words", "ภาษา\u200bไทย"),
        Example.of("A byte order mark", "\ufeffText."),
    )

    def run_block(self, view: BlockView) -> Iterator[Finding]:
        """One finding per place."""
        for item in invisible_characters(view.block):
            count = len(item.text)
            severity = None
            if item.soft_only:
                severity = Severity.HINT
            elif (
                any(
                    mask.kind is MaskKind.COMMENT and mask.start <= item.start < mask.end
                    for mask in view.block.lexed.masks
                )
                and not item.decoded
            ):
                severity = Severity.INFORMATION
            spelled = f" They spell “{item.decoded[:80]}”." if len(item.decoded) > 1 else ""
            yield self.finding(
                f"{count} invisible character{'' if count == 1 else 's'} here: {item.description}.{spelled}",
                view.span(item.start, item.end),
                severity=severity,
                fixes=(
                    Fix(
                        "Remove the invisible characters",
                        tuple(Edit(view.span(start, end), "") for start, end in item.runs),
                        safe=True,
                    ),
                ),
                evidence={"characters": sorted({f"U+{ord(character):04X}" for character in item.text})[:20]},
            )
