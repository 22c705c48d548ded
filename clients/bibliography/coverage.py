"""For which entries the absence of a title in a source means something.

The lists are deliberately short: an entry outside them makes a source a witness who saw nothing, not evidence.
"""

import re

from analyzers.citations.record import Entry

# Entry kinds that indexes of papers collect; theses, reports, software and web pages are grey literature.
_PAPERS = frozenset({"article", "inproceedings", "conference"})


def _any_of(patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(pattern.strip() for pattern in patterns.split(",")), re.IGNORECASE)


# Venues whose papers have no Crossref DOI, or only some of which have one.
_WITHOUT_CROSSREF = _any_of(
    r"arxiv, \bcorr\b, preprint, neurips, \bnips\b, neural information processing systems, \biclr\b, "
    r"learning representations, \bicml\b, international conference on machine learning, \bpmlr\b, "
    r"machine learning research, aistats, \bcolt\b, \buai\b, usenix, \baaai\b, \bijcai\b, \blrec\b, \bbmvc\b, "
    r"\bcolm\b, \bcorl\b, openreview, workshop, eprint, ssrn, rxiv, dagstuhl, lipics, distill, blog, "
    r"technical report, thesis, magazine, newsletter"
)

_COMPUTING = _any_of(
    r"neurips, \bnips\b, neural information processing systems, \biclr\b, learning representations, \bicml\b, "
    r"machine learning, artificial intelligence, \baaai\b, \bijcai\b, computational linguistics, \bacl\b, "
    r"\bemnlp\b, \bnaacl\b, \bcoling\b, natural language processing, computer vision, \bcvpr\b, \biccv\b, "
    r"\beccv\b, \bkdd\b, knowledge discovery, \bsigir\b, \bsigmod\b, \bvldb\b, data ?bases?\b, data engineering, "
    r"software engineering, \bicse\b, \bacm\b, computer science, computing machinery, \busenix\b, "
    r"pattern analysis and machine intelligence, \btpami\b, neural networks, pattern recognition, \bwww\b, "
    r"web conference, human factors in computing, \bchi\b, security and privacy, cryptolog, robot learning, "
    r"theory of computing, \bstoc\b, \bfocs\b"
)

_OPENREVIEW = _any_of(r"\biclr\b, learning representations, \btmlr\b, transactions on machine learning research")

_MEDICINE = _any_of(
    r"medic, clinic, lancet, \bjama\b, \bbmj\b, surgery, surgical, oncolog, cancer, cardio, psychiatr, pharma, "
    r"nursing, epidemiol, pediatr, paediatr, radiolog, infect, immunolog, diabet, dermatolog, neurolog, "
    r"gastroenter, obstet, anesth, anaesth"
)


def is_paper(entry: Entry, since: int) -> bool:
    """Whether it is a journal or conference paper, with a year not before `since`."""
    return entry.kind in _PAPERS and entry.year is not None and entry.year >= since


def has_crossref_doi(entry: Entry) -> bool:
    """Whether papers of its kind, venue and year are registered with Crossref as a rule."""
    return is_paper(entry, 1990) and bool(entry.venue) and _WITHOUT_CROSSREF.search(entry.venue) is None


def is_computing(entry: Entry) -> bool:
    """Whether its venue is one of computer science; a preprint never counts, dblp holds only some of them."""
    return is_paper(entry, 1990) and bool(_COMPUTING.search(entry.venue)) and "arxiv" not in entry.venue.lower()


def is_preprint(entry: Entry) -> bool:
    """Whether it claims to be on arXiv, whatever its entry type."""
    return (
        entry.year is not None and entry.year >= 1992 and bool(re.search(r"arxiv|\bcorr\b", entry.venue, re.IGNORECASE))
    )


def is_on_openreview(entry: Entry) -> bool:
    """Whether its venue reviews in the open there; before 2024 the search may miss papers of the older interface."""
    return is_paper(entry, 2024) and bool(_OPENREVIEW.search(entry.venue))


def is_medical(entry: Entry) -> bool:
    """Whether it is an article of a journal that MEDLINE collects."""
    return entry.kind == "article" and is_paper(entry, 1970) and bool(_MEDICINE.search(entry.venue))
