"""Plausibility of bibliography entries, without asking anybody: faults that entries show by themselves.

| code | name | alone | severity at most |
|---|---|---|---|
| BIB001 | bib-syntax | yes | warning |
| BIB002 | duplicate-key | no | warning |
| BIB003 | key-differs-in-case | no | information |
| BIB004 | repeated-field | yes | warning |
| BIB005 | undefined-string | no | warning |
| BIB006 | missing-field | yes | warning |
| BIB010 | impossible-arxiv-id | yes | warning |
| BIB011 | arxiv-after-year | yes | warning |
| BIB012 | malformed-doi | yes | warning |
| BIB013 | doi-not-bare | yes | hint |
| BIB014 | doi-year-differs | yes | warning |
| BIB015 | wrong-isbn | yes | warning |
| BIB016 | wrong-issn | yes | warning |
| BIB017 | malformed-address | yes | warning |
| BIB020 | malformed-year | yes | warning |
| BIB021 | future-year | yes | warning |
| BIB030 | placeholder-author | yes | warning |
| BIB031 | placeholder-text | yes | warning |
| BIB032 | chatbot-residue | yes | warning |
| BIB033 | et-al-in-authors | yes | warning |
| BIB034 | comma-separated-authors | yes | warning |
| BIB035 | same-author-twice | yes | warning |
| BIB036 | reversed-pages | yes | warning |
| BIB037 | venue-before-first-edition | yes | warning |
| BIB040 | same-work-twice | no | warning |
| BIB041 | shared-doi | no | warning |

*Alone* rules look at one entry and what it inherits; what they say of an entry never depends on the rest of the file.
"""

from analyzers.citations.plausibility.arxiv import ARXIV_AFTER_YEAR, IMPOSSIBLE_ARXIV_ID
from analyzers.citations.plausibility.authors import (
    COMMA_SEPARATED_AUTHORS,
    ET_AL_IN_AUTHORS,
    PLACEHOLDER_AUTHOR,
    SAME_AUTHOR_TWICE,
)
from analyzers.citations.plausibility.doi import DOI_NOT_BARE, DOI_YEAR, MALFORMED_DOI
from analyzers.citations.plausibility.identifiers import MALFORMED_ADDRESS, WRONG_ISBN, WRONG_ISSN
from analyzers.citations.plausibility.keys import DUPLICATE_KEY, KEY_CASE
from analyzers.citations.plausibility.pages import REVERSED_PAGES
from analyzers.citations.plausibility.residue import CHATBOT_RESIDUE, PLACEHOLDER_TEXT
from analyzers.citations.plausibility.rule import BibExample, EntryFault, Rule, Spot
from analyzers.citations.plausibility.run import Checked, check_bibliography, check_entry
from analyzers.citations.plausibility.syntax import MISSING_FIELD, REPEATED_FIELD, SYNTAX_ERROR, UNDEFINED_STRING
from analyzers.citations.plausibility.venues import VENUE_TOO_EARLY
from analyzers.citations.plausibility.works import SAME_WORK_TWICE, SHARED_DOI
from analyzers.citations.plausibility.years import FUTURE_YEAR, MALFORMED_YEAR

ALL_RULES: tuple[Rule, ...] = (
    SYNTAX_ERROR,
    DUPLICATE_KEY,
    KEY_CASE,
    REPEATED_FIELD,
    UNDEFINED_STRING,
    MISSING_FIELD,
    IMPOSSIBLE_ARXIV_ID,
    ARXIV_AFTER_YEAR,
    MALFORMED_DOI,
    DOI_NOT_BARE,
    DOI_YEAR,
    WRONG_ISBN,
    WRONG_ISSN,
    MALFORMED_ADDRESS,
    MALFORMED_YEAR,
    FUTURE_YEAR,
    PLACEHOLDER_AUTHOR,
    PLACEHOLDER_TEXT,
    CHATBOT_RESIDUE,
    ET_AL_IN_AUTHORS,
    COMMA_SEPARATED_AUTHORS,
    SAME_AUTHOR_TWICE,
    REVERSED_PAGES,
    VENUE_TOO_EARLY,
    SAME_WORK_TWICE,
    SHARED_DOI,
)

__all__ = ["ALL_RULES", "BibExample", "Checked", "EntryFault", "Rule", "Spot", "check_bibliography", "check_entry"]
