"""NUM011 `macro-vs-literal`: a number is typed although a macro holds it, so it will not change with the macro.

## What it flags
A number with at least three digits and a decimal point in the text that equals the value of a macro which the text uses elsewhere
(`\\newcommand{\\mainacc}{74.3}`).

## Why it matters
The macro exists so that the number is changed in one place; the typed copy stays behind.

## When it stays silent
When the macro is not used in the text, or holds anything but a number.
"""

from collections.abc import Iterator
from decimal import Decimal

from analyzers.checks.check import Example, ManuscriptCheck
from analyzers.facts.number_changes import macro_definitions
from analyzers.facts.quantities.model import Kind
from analyzers.facts.quantity_facts import quantities_of
from analyzers.finding import EvidenceValue, Finding, Related, Severity, Tier
from analyzers.fixes import Edit, Fix
from analyzers.project.manuscript import Manuscript

# More of them are generated: there the same number is held by several macros.
_MAX_MACROS = 60
_MACRO = "\\newcommand{\\mainacc}{74.31}\n\\begin{document}\n"
_END = "\n\\end{document}"


class MacroLiteral(ManuscriptCheck):
    """See the module's text, which is the documentation of the check."""

    code = "NUM011"
    name = "macro-vs-literal"
    tier = Tier.LINKED
    severity = Severity.HINT
    live = False
    examples = (
        Example.of("Typed once, by macro once", _MACRO + "It reaches \\mainacc\\% on the test set. Later, 74.31\\% is discussed." + _END, "74.31"),
        Example.of("Only by macro", _MACRO + "It reaches \\mainacc\\% on the test set." + _END),
        Example.of("The macro is not used", _MACRO + "It reaches 74.31\\% on the test set." + _END),
        Example.of("Another number", _MACRO + "It reaches \\mainacc\\% on the test set. Later, 74.32\\% is discussed." + _END),
    )  # fmt: skip

    def run(self, manuscript: Manuscript) -> Iterator[Finding]:
        """One finding per typed copy."""
        numeric = {
            name: macro.value for name, macro in manuscript.macros.table.items()
            if macro.value is not None and "." in macro.body and len(macro.value.normalize().as_tuple().digits) >= 3
        }  # fmt: skip
        if not numeric or len(numeric) > _MAX_MACROS:
            return
        used = {
            place.macro for _, entry in manuscript.body for sentence in quantities_of(entry.block, manuscript.macros, manuscript.language)
            for place in sentence.places if place.macro is not None
        }  # fmt: skip
        names: dict[Decimal, str] = {
            value: name for name, value in sorted(numeric.items()) if name in used and value is not None
        }
        if not names:
            return
        definitions = macro_definitions(manuscript)
        for _, entry in manuscript.body:
            for sentence in quantities_of(entry.block, manuscript.macros, manuscript.language):
                for quantity, place in zip(sentence.quantities, sentence.places, strict=True):
                    name = names.get(quantity.value)
                    if name is None or quantity.decimals <= 0 or quantity.kind is Kind.IDENTIFIER or not place.editable:
                        continue
                    span = entry.span(place.start, place.end)
                    related = (Related(definitions[name], f"The macro \\{name}"),) if name in definitions else ()
                    fix = Fix(f"Use \\{name}", (Edit(span, f"\\{name}{{}}"),))
                    evidence: dict[str, EvidenceValue] = {"macro": name, "value": quantity.text}
                    message = (
                        f"{quantity.text} is typed here; elsewhere the text uses \\{name}, which holds the same number."
                    )
                    yield self.finding(message, span, related=related, fixes=(fix,), evidence=evidence)
