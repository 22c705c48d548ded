"""Rules on text that was left over: placeholders of templates, and traces of chatbots."""

import re
from collections.abc import Iterator, Set
from datetime import date

from analyzers.citations.folding import caseless
from analyzers.citations.plausibility.rule import BibExample, Rule, Spot, holds_any, inner_text, replace_part
from analyzers.finding import Severity
from analyzers.project.bibliography import BibEntry, BibField, Bibliography

# Abstracts and file notes are other people's text or the author's own, and are not printed.
_NOT_PRINTED = frozenset(
    {
        "abstract",
        "file",
        "keywords",
        "annote",
        "annotation",
        "comment",
        "review",
        "timestamp",
        "owner",
        "groups",
        "bibsource",
    }
)
_LONGEST_VALUE = 3000
_WORDED = frozenset({"title", "booktitle", "journal", "journaltitle", "series", "publisher", "note"})
_ADDRESSED = frozenset({"url", "howpublished", "note", "doi"})
_FILLED_IN = _WORDED | _ADDRESSED | {"pages", "year"}

# `TODO` only in capitals: Todo is a family name.
_CAPITALS = re.compile(r"\b(?:TODO|FIXME|TBD)\b|\bX{4,}\b")
_CAPITAL_WORDS = ("TODO", "FIXME", "TBD", "XXXX")
_BLANK_ARXIV = re.compile(r"\bx{4}\.x{4,5}\b", re.IGNORECASE)
_WHOLE_VALUE_IS = (
    r"^\W*(?:(?:paper|article|book|full) title|title of (?:the |this )?(?:paper|article|book)|"
    r"(?:name of (?:the )?)?(?:journal|conference|publisher) name|name of (?:the )?(?:journal|conference|publisher)|"
    r"(?:paper |some )?title(?: goes)? here|some title|title|citation needed|placeholder|tb[ad]|"
    r"to be (?:added|announced|completed|determined|filled in)|xxx|\?{2,})\W*$"
)
_WHOLE_VALUE = re.compile(_WHOLE_VALUE_IS, re.IGNORECASE)
_PHRASE = re.compile(
    r"\blorem ipsum\b|\[citation needed\]|"
    r"\b(?:insert|add|your|enter) (?:the )?(?:paper |article |book "
    r")?(?:title|authors?|journal|doi|year|venue)(?: here)?\b(?=\W*$)|" + _WHOLE_VALUE_IS,
    re.IGNORECASE,
)
# One of these stands in every phrase that may be a part of the value.
_PHRASE_WORDS = ("lorem ipsum", "[citation needed]", "insert ", "add ", "your ", "enter ")
_EXAMPLE_HOST = re.compile(r"https?://(?:www\.)?example\.(?:com|org|edu)\b[^\s{}]*", re.IGNORECASE)
_BLANK_RANGE = re.compile(r"\s*(?:x{2,}|\?{2,}|0{2,})\s*-+\s*(?:x{2,}|y{2,}|\?{2,}|0{2,})\s*", re.IGNORECASE)
_NOT_YET = re.compile(r"\W*(?:tb[ad]|to be \w+(?: in)?)\W*", re.IGNORECASE)
_BLANK_YEAR = re.compile(r"\s*\d{1,3}x{1,3}\s*", re.IGNORECASE)

_BOTS = r"chatgpt|openai|copilot|perplexity|claude|anthropic|gemini|bard|deepseek|grok|mistral|kimi|doubao"
_TRACKING = re.compile(
    rf"(?:[?&]|\\&|&amp;)utm_source=(?:[a-z0-9\-]*\.)?(?:{_BOTS})[a-z0-9.\-]*".replace("_", r"\\?_"), re.IGNORECASE
)
_TRACE = re.compile(
    r"contentReference|oaicite|oai_citation|\bturn\d+(?:search|view|news|fetch|file|image|academia|reddit)\d+\b|\[cite_start\]|\[cite:\s*\d[\d,\s]*\]|"
    r"【\d+[†:][^】]{0,80}】|citeturn\d|:::?(?:citation|contentref)\b",
)
_TRACE_WORDS = ("content", "oai", "turn", "[cite", "【", "::")
_REMARKS = frozenset({"note", "howpublished", "addendum", "url", "organization", "publisher"})
_CHAT = re.compile(
    r"\bas an ai language model\b|\bas of my (?:last )?(?:knowledge|training) (?:update|cut-?off|data)\b|"
    r"\bi (?:could not|couldn't|cannot|can't) (?:find|verify|access)\b|\bplease (?:verify|replace|check) "
    r"(?:this|the) (?:citation|reference|doi)\b|"
    r"\b(?:hypothetical|fictional|made-up|fabricated) (?:reference|citation|paper|doi)\b|"
    r"\b(?:reference|citation|paper|doi) is (?:hypothetical|fictional|made-up|made up|fabricated)\b",
    re.IGNORECASE,
)
# One of these stands in every such remark.
_CHAT_WORDS = (
    *("language model", "as of my ", "i could", "i can", "please "),
    *("hypothetical", "fictional", "made-up", "made up", "fabricated"),
)


def _printed(entry: BibEntry, names: Set[str] | None = None) -> Iterator[BibField]:
    """The printed fields, of these names when given."""
    for item in entry.body.fields:
        wanted = item.name not in _NOT_PRINTED if names is None else item.name in names
        if wanted and len(item.raw) <= _LONGEST_VALUE:
            yield item.moved(entry.start)


def _at(item: BibField, match: re.Match[str], message: str) -> Spot:
    return Spot(message, item.name, item.value_start + match.start(), item.value_start + match.end())


def _find_placeholder(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    # Marks that may stand in any field are looked for in the whole entry first.
    source = entry.source
    marked = holds_any(source, _CAPITAL_WORDS) or "xxxx." in source.lower()
    for item in _printed(entry, None if marked else _FILLED_IN):
        match = _placeholder(item.name, inner_text(item))
        if match is not None:
            shown = " ".join(match[0].split())
            spot = _at(item, match, f"`{shown}` in `{item.name}` looks like a placeholder that was never filled in.")
            # A work in press may honestly have nothing better yet.
            severity = Severity.INFORMATION if _NOT_YET.fullmatch(shown) else None
            yield Spot(spot.message, spot.field, spot.start, spot.end, severity)


def _placeholder(name: str, text: str) -> re.Match[str] | None:
    if name in _ADDRESSED and "example." in caseless(text):
        host = _EXAMPLE_HOST.search(text)
        if host is not None:
            return host
    if name == "pages" and (blank := _BLANK_RANGE.fullmatch(text)) is not None:
        return blank
    if name == "year" and (blank := _BLANK_YEAR.fullmatch(text)) is not None:
        return blank
    phrase = _phrase(text) if name in _WORDED else None
    capitals = _CAPITALS.search(text) if holds_any(text, _CAPITAL_WORDS) else None
    blank = _BLANK_ARXIV.search(text) if "xxxx." in text.lower() else None
    return blank or capitals or phrase


def _phrase(text: str) -> re.Match[str] | None:
    # Without these words the phrase has to be the whole value, which is seen at its start.
    return (_PHRASE.search if holds_any(caseless(text), _PHRASE_WORDS) else _WHOLE_VALUE.match)(text)


def _find_residue(entry: BibEntry, _: Bibliography, __: date) -> Iterator[Spot]:
    # Plain look-ups first: few entries hold any of these words, and searching for the patterns is slower.
    marked = "utm" in entry.source or holds_any(entry.source, _TRACE_WORDS)
    for item in _printed(entry, None if marked else _REMARKS):
        text = inner_text(item)
        tracking = _TRACKING.search(text) if "utm" in text else None
        if tracking is not None:
            start, end, instead = tracking.start(), tracking.end(), ""
            if tracking[0].startswith("?") and text[end : end + 1] in ("&", "\\"):
                # What follows becomes the first parameter.
                end += 2 if text[end] == "\\" else 1
                instead = "?"
            fixes = replace_part(entry, item, start, end, "Remove the tracking parameter", instead)
            message = (
                "The address carries the mark of a chatbot. Check that the work exists and says what you cite it for."
            )
            spot = _at(item, tracking, message)
            yield Spot(spot.message, spot.field, spot.start, spot.end, fixes=fixes)
            continue
        trace = _TRACE.search(text) if holds_any(text, _TRACE_WORDS) else None
        if trace is None and item.name in _REMARKS and " " in text and holds_any(caseless(text), _CHAT_WORDS):
            trace = _CHAT.search(text)
        if trace is not None:
            yield _at(
                item,
                trace,
                f"`{trace[0]}` is text that a chatbot leaves behind. Check the entry against the work itself.",
            )


PLACEHOLDER_TEXT = Rule(
    "BIB031",
    "placeholder-text",
    alone=True,
    severity=Severity.WARNING,
    summary="text of a template that was never filled in.",
    flags="TODO, FIXME, TBD, XXXX, “lorem ipsum”, “[citation needed]”, “Title of the paper”, `example.com` and "
    "the like in a printed field.",
    matters="The reference is unfinished, and prints as such.",
    silent="On Todo as a name, on `abstract`, `keywords` and other fields that are not printed, on roman "
    "numerals like XXX inside a title.",
    examples=(
        BibExample("TODO", "@misc{a, title={TODO: add title}}", ("TODO",)),
        BibExample("Template title", "@misc{a, title={{Title of the paper}}}", ("{Title of the paper}",)),
        BibExample("Identifier to come", "@misc{a, journal={arXiv preprint arXiv:XXXX.XXXXX}}", ("XXXX.XXXXX",)),
        BibExample("Example host", "@misc{a, url={https://example.com/paper}}", ("https://example.com/paper",)),
        BibExample("Pages", "@article{a, pages={XX--XX}}", ("XX--XX",)),
        BibExample("A name", "@misc{a, author={Todo, Yuki and Xxx, A.}, title={Todo lists for everyone}}"),
        BibExample("Not printed", "@misc{a, abstract={TODO}, keywords={XXXX}}"),
        BibExample("A roman numeral", "@misc{a, booktitle={Advances in Things XXX}, title={What is a title?}}"),
    ),
    find=_find_placeholder,
)

CHATBOT_RESIDUE = Rule(
    "BIB032",
    "chatbot-residue",
    alone=True,
    severity=Severity.WARNING,
    summary="traces of a chatbot in an entry.",
    flags="`utm_source=chatgpt.com` and its likes in an address, `oaicite`, `contentReference`, `turn0search1`, "
    "`[cite_start]`, and a chatbot's "
    "own remarks in a note.",
    matters="The entry was copied from a chatbot, which may have made it up; editors look for these marks.",
    silent="On such words in titles of works about chatbots, and in fields that are not printed.",
    examples=(
        BibExample(
            "In an address",
            "@misc{a, url={https://example.net/p?utm_source=chatgpt.com}}",
            ("?utm_source=chatgpt.com",),
        ),
        BibExample(
            "Escaped",
            r"@misc{a, howpublished={\url{https://a.net/p?x=1\&utm\_source=openai}}}",
            (r"\&utm\_source=openai",),
        ),
        BibExample("A reference mark", "@misc{a, note={:contentReference[oaicite:3]{index=3}}}", ("contentReference",)),
        BibExample("A remark", "@misc{a, note={Please verify this citation}}", ("Please verify this citation",)),
        BibExample("Ordinary tracking", "@misc{a, url={https://example.net/p?utm_source=newsletter}}"),
        BibExample(
            "A work about chatbots", "@misc{a, title={As an AI language model: refusals}, author={Claude, Jean}}"
        ),
    ),
    find=_find_residue,
)
