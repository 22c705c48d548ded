"""Sizes of cohorts and data sets: “38 participants”, “SciQA contains 5,000 questions”."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from analyzers.facts.macros import Macros
from analyzers.facts.quantities import Quantity
from analyzers.facts.statements import Statement, numbers, statements
from analyzers.facts.view import block_fact, macro_key, prose_of
from analyzers.facts.vocabulary import Gate, source_words
from analyzers.text.document import Block
from analyzers.text.prose import CITATION, PartKind


class Size(NamedTuple):
    """A number of people or of items in a data set; prose offsets of the number and of its sentence in the block."""

    what: str  # the noun, or the data set's name and its noun
    low: Decimal
    high: Decimal
    written: str
    start: int
    end: int
    sentence: tuple[int, int]
    kind: PartKind
    recruits: bool
    study: str = ""  # "user study" in front of "with 18 people", in lower case


_PEOPLE = re.compile(
    r"(?:[a-z-]+\s){0,2}?(participants|subjects|patients|volunteers|respondents|annotators|students|interviewees|raters|developers|practitioners|physicians|experts|workers|nurses|teachers|pupils|children|adults|adolescents|individuals|people|persons|reviewers|readers|listeners|speakers|drivers|players|doctors|judges|learners|employees|engineers|programmers|translators|interpreters|linguists|scientists|researchers|designers|artists|musicians|analysts|lawyers|attorneys|solicitors|notaries|paralegals|clerks|farmers|managers|testers|evaluators|coders|assessors|crowdworkers|consumers|customers|residents|veterans|parents|mothers|fathers|couples|surgeons|clinicians|undergraduates|gamers|informants|librarians|journalists|educators|instructors|athletes|commuters|travellers|travelers|women|families|households|[a-z]{3,}(?:ologists|icians|apists|copists|iatrists|metrists))\b",
    re.IGNORECASE,
)
# "34 participants, all of them lawyers"
_ALL_OF_THEM = re.compile(r"\s?[,(—]\s?(?:all|each)\s(?:of\s(?:them|whom)\s)?(?:(?:are|were|being)\s)?")
_RECRUITS = re.compile(
    r"recruit|enrol|(?:study|survey|experiment|sample|cohort|trial|interviews?|test|evaluation|comparison|poll|panel|task)\s(?:with|of|among|involving|had|comprised|involved|enlisted|counted|drew)\b|total of|surveyed|interviewed|answered|responded|replied|took part|participated|included|invited|hired",
    re.IGNORECASE,
)
_STUDIES_NAMED = (
    r"((?:user|human|reader|listener|listening|field|online|usability|expert|classroom|laboratory|lab|perception|preference)[- ]"
    r"(?:study|survey|experiment|trial|evaluation|test|questionnaire))"
)
_STUDY = re.compile(rf"\b{_STUDIES_NAMED}\s(?:with|of|among|involving)\s(?:a total of\s)?$", re.IGNORECASE)
# "22 participants for the user study"
_STUDY_AFTER = re.compile(
    rf"\s(?:(?:took part|participated|were (?:recruited|enrolled|invited))\s)?(?:in|for|to)\s(?:the|our|this|a)\s{_STUDIES_NAMED}\b",
    re.IGNORECASE,
)
_PART_BEFORE = re.compile(
    r"\b(?:of whom|of which|of the|of these|out of|remaining|exclud\w*|dropped|only|group|condition|control|pilot|first|second|third|another|additional\w*|other|per|each|every|between|least|most|than|about|up to|prior|previous|subset|half|final|average|mean|median|from|these|those|for the|the|in one|arm)\s(?:[\w-]+\s)?$",
    re.IGNORECASE,
)
_ASKED = re.compile(r"\b(?:invited|contacted|approached|e-?mailed|screened|asked)\s(?:all\s|the\s)?$", re.IGNORECASE)
_ANSWERED = re.compile(
    r"\b(?:answered|responded|replied|response rate|returned|agreed|accepted|completed|participated|took part)\b",
    re.IGNORECASE,
)
_PART_AFTER = re.compile(
    r"\s(?:per|each|in (?:the|each|one) (?:\w+ )?(?:group|condition|arm)|were (?:excluded|removed|female|male|assigned)|was|who|from (?:the )?(?:control|treatment)|dropped|withdrew|completed|had|saw)\b",
    re.IGNORECASE,
)
_STUDIES = re.compile(
    r"\b(?:pilot|study\s[12AB]\b|experiment\s[12AB]\b|first study|second study|follow-?up|preliminary|replication|earlier|previous|prior)\b",
    re.IGNORECASE,
)
_ATTRITION = re.compile(
    r"exclud|dropped out|withdrew|attrition|drop-?outs?|removed|incomplete|did not (?:finish|complete)|non-?respon|completed",
    re.IGNORECASE,
)
_DATASET = re.compile(
    r"(?P<name>(?<![\w-])(?=[\w-]*(?:[A-Z][\w-]*[A-Z0-9]))[A-Z][\w-]*\w)(?:\s(?:data ?set|corpus|benchmark))?(?:,\s(?:a|our|the)\s(?:[\w-]+\s){0,3}?(?:data ?set|corpus|benchmark|collection)\s(?:of|with)\s"
    r"|\s(?:contains|consists of|comprises|includes|has)\s)(?:a total of\s)?$"
)
_SPLIT_WORDS = re.compile(
    r"\b(?:train\w*|test|dev|validation|held-?out|subset|split of|sampled?|filtered|version|after|remaining|original)\b",
    re.IGNORECASE,
)


@block_fact
def cohorts(block: Block, macros: Macros) -> tuple[Size, ...]:
    """The numbers of people that sentences give for a study as a whole."""
    return tuple(_cohorts(block, macros))


def loses_people(block: Block, macros: Macros) -> bool:
    """True when the block speaks of people who dropped out or were excluded, which explains two numbers."""
    return block.remember(
        ("attrition", macro_key(block, macros)),
        lambda b: any(
            _ATTRITION.search(s.text)
            and re.search(r"participant|subject|patient|respon|annotat|volunteer|student", s.text)
            for s in statements(b, macros)
        ),
    )


_STEMS = tuple(
    "articipants ubjects atients olunteers espondents nnotators tudents nterviewees aters evelopers ractitioners hysicians xperts orkers urses eachers upils"
    " hildren dults dolescents ndividuals eople ersons eviewers eaders isteners peakers rivers players octors judges earners mployees ngineers rogrammers ranslators nterpreters inguists cientists esearchers esigners rtists usicians nalysts awyers ttorneys olicitors otaries aralegals lerks armers anagers esters valuators oders ssessors rowdworkers onsumers ustomers esidents eterans arents others athers ouples urgeons linicians ndergraduates amers nformants ibrarians ournalists ducators nstructors thletes ommuters ravellers ravelers"
    " women amilies ouseholds ologists icians apists copists iatrists metrists".split()
)
# A cheap look: a number or a number word, at most two words, a plural.
_COUNTED = re.compile(
    r"(?:\d|\b(?:[a-z]+teen|ten|eleven|twelve|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-[a-z]+)?|five|six|seven|eight|nine)\b)\s(?:[a-z-]+\s){0,2}[a-z]+(?:s|ren|men|ple)\b",
    re.IGNORECASE,
)


_PEOPLE_GATE = Gate(stem.lower() for stem in _STEMS)


def _cohorts(block: Block, macros: Macros) -> Iterator[Size]:
    if not _PEOPLE_GATE.opens(source_words(block)) or not any(stem in block.text for stem in _STEMS):
        return
    for sentence in statements(block, macros):
        text = sentence.text
        if (
            CITATION in text
            or not any(stem in text for stem in _STEMS)
            or not _COUNTED.search(text)
            or _STUDIES.search(text)
        ):
            continue
        recruits = _RECRUITS.search(text) is not None
        for quantity in numbers(block, macros, sentence):
            match = _PEOPLE.match(text, quantity.end + 1) if text[quantity.end : quantity.end + 1].isspace() else None
            if match is None or not _whole(quantity) or quantity.value < 5:
                continue
            if _PART_BEFORE.search(text[max(quantity.start - 40, 0) : quantity.start]) or _PART_AFTER.match(
                text, match.end()
            ):
                continue
            if _ASKED.search(text[max(quantity.start - 25, 0) : quantity.start]) and _ANSWERED.search(text):
                continue  # those who were asked, not those who came
            study = _STUDY.search(text, max(quantity.start - 60, 0), quantity.start) or _STUDY_AFTER.match(
                text, match.end()
            )
            size = _size(match[1].lower(), quantity, sentence, recruits)
            yield size._replace(study=study[1].lower().replace("-", " ")) if study is not None else size
            also = _ALL_OF_THEM.match(text, match.end())
            if also is not None and (people := _PEOPLE.match(text, also.end())) is not None:
                yield size._replace(what=people[1].lower())


def _whole(q: Quantity) -> bool:
    return (
        q.unit is None
        and q.bound is None
        and q.endpoints is None
        and q.value == q.value.to_integral_value()
        and not q.approximate
        and q.denominator is None
    )


def _size(what: str, quantity: Quantity, sentence: Statement, recruits: bool) -> Size:
    exact = quantity.decimals == 0
    low, high = (quantity.value, quantity.value) if exact else (quantity.lower, quantity.upper)
    start = sentence.start + quantity.start
    return Size(
        what,
        low,
        high,
        quantity.text,
        start,
        start + len(quantity.text),
        (sentence.start, sentence.end),
        sentence.kind,
        recruits,
    )


@block_fact
def dataset_sizes(block: Block, macros: Macros) -> tuple[Size, ...]:
    """The sizes that sentences give for data sets by name."""
    return tuple(_dataset_sizes(block, macros))


_VERBS = ("contains", "consists", "comprises", "includes", " has ", "taset of", "taset with", "orpus of", "orpus with", "enchmark of", "enchmark with", "ollection of")  # fmt: skip


def _dataset_sizes(block: Block, macros: Macros) -> Iterator[Size]:
    text = prose_of(block, macros).text
    verbs = [verb for verb in _VERBS if verb in text]
    if not verbs:
        return
    for sentence in statements(block, macros):
        text = sentence.text
        if not any(verb in text for verb in verbs):
            continue
        for quantity in numbers(block, macros, sentence):
            if (
                quantity.value < 20
                or quantity.unit is not None
                or quantity.bound is not None
                or quantity.approximate
                or quantity.endpoints
                or not quantity.noun
            ):
                continue
            before = text[max(quantity.start - 200, 0) : quantity.start]
            match = _DATASET.search(before)
            # Words on splits behind the number are about its parts, those before it about what it counts.
            if (
                match is None
                or _SPLIT_WORDS.search(before)
                or CITATION in before
                or _SPLIT_WORDS.match(text[quantity.end :].strip())
            ):
                continue
            yield _size(f"{match['name']} {quantity.noun.lower().rstrip('s')}", quantity, sentence, False)
