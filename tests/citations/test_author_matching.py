"""Author lists: the cases on which citation checkers are known to differ, and bad input."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzers.citations.names import AuthorMatch, Same, compare_authors, compare_names, parse_name
from analyzers.citations.record import split_names

OK = {AuthorMatch.SAME, AuthorMatch.VARIANT, AuthorMatch.REORDERED}
WARNS = {AuthorMatch.PARTIAL}
BAD = {AuthorMatch.DIFFERENT, AuthorMatch.DISJOINT}
TRANSFORMER = (
    "Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, "
    "Illia Polosukhin"
)
CASES = [
    ("accents", r"Erd{\H o}s, P. and R{\'e}nyi, Alfr{\'e}d", "Pál Erdős, Alfréd Rényi", OK),
    ("and others", "He, Kaiming and others", "Kaiming He, Xiangyu Zhang, Shaoqing Ren, Jian Sun", OK),
    ("corporate", "{OpenAI}", "Josh Achiam, Steven Adler, Sandhini Agarwal, Lama Ahmad", {AuthorMatch.VARIANT}),
    ("CJK order", "Wei Wang and Na Li", "Wang Wei, Li Na", OK),
    (
        "co-authors invented",
        "Vaswani, Ashish and Smithers, John and Bogus, Jane and Fakeman, Al",
        TRANSFORMER,
        BAD,
    ),
    ("all invented", "Hartwell, Marcus and Okonkwo, Priya", "Kaiming He, Jian Sun", {AuthorMatch.DISJOINT}),
    ("homonym numbers", "Sandro Pinto and Nuno Santos", "Sandro Pinto 0001, Nuno Santos 0001", OK),
    (
        "particle",
        "van der Maaten, Laurens and Hinton, Geoffrey",
        "Laurens van der Maaten, Geoffrey Hinton",
        OK,
    ),
    (
        "given names invented",
        "Devlin, Michael and Chang, Peter and Lee, Susan",
        "Jacob Devlin, Ming-Wei Chang, Kenton Lee",
        BAD,
    ),
    ("silently truncated", "Ashish Vaswani and Noam Shazeer", TRANSFORMER, WARNS),
    ("initials", "Y. LeCun and Y. Bengio", "Yann LeCun, Yoshua Bengio", OK),
    ("collaboration", "{The ATLAS Collaboration}", "ATLAS Collaboration", OK),
    (
        "one shared, two invented",
        "He, Kaiming and Fake, Joe and Bogus, Ann",
        "Xiangyu Zhang, Shaoqing Ren, Kaiming He, Jian Sun",
        BAD,
    ),
    ("eszett, o-slash", r"M{\"u}{\ss}ig, Hans and {\O}rsted, Ole", "Hans Müßig, Ole Ørsted", OK),
    ("transliterated", r"M{\"u}ller, Hans", "Hans Mueller", OK),
    # Beyond the table.
    ("nickname", "Bob Miller and Kate Brown", "Robert Miller, Katherine Brown", OK),
    ("family name last with initial", "Fei-Fei, L. and Li, K.", "Li Fei-Fei, Kai Li", OK),
    ("initials behind", "LeCun Y. and Bengio Y.", "Yann LeCun, Yoshua Bengio", OK),
    ("hyphenated given name", "Mingwei Chang", "Ming-Wei Chang", OK),
    ("junior", "King, Jr., Martin Luther", "Martin Luther King Jr.", OK),
    ("et al. as a name", "Smith, Adam et al.", "Adam Smith, Ben Miller, Carla Jones", OK),
    ("short family names", "Li, Wei and Wu, Jun and He, Na", "Wei Li, Jun Wu, Na He", OK),
    ("family name first, with initials", "Koenig Sven and A. Tovey Craig", "Sven Koenig, Craig A. Tovey", OK),
    ("order", "Jian Sun and Kaiming He", "Kaiming He, Jian Sun", {AuthorMatch.REORDERED}),
    ("another script", "王伟 and 李娜", "Wei Wang, Na Li", {AuthorMatch.UNKNOWN}),
    ("no authors", "", "Wei Wang", {AuthorMatch.UNKNOWN}),
]


@pytest.mark.parametrize(("authors", "record", "expected"), [pytest.param(*case[1:], id=case[0]) for case in CASES])
def test_case(authors: str, record: str, expected: set[AuthorMatch]) -> None:
    names, truncated = split_names(authors)
    found = [name for name in record.split(", ") if name]
    assert compare_authors(names, truncated, found).match in expected


def test_one_other_given_name_among_many_is_noted_only() -> None:
    found = ("Ann Alder", "Ben Birch", "Cleo Cedar", "Dora Dogwood", "Emil Elm")
    comparison = compare_authors(("Ann Alder", "Ben Birch", "Zoe Cedar", "Dora Dogwood", "Emil Elm"), False, found)
    assert comparison.match is AuthorMatch.SAME
    assert comparison.renamed == (("Zoe Cedar", "Cleo Cedar"),)


def test_both_sides_are_reported() -> None:
    comparison = compare_authors(("Ann Alder", "Ben Birch"), False, ("Ann Alder", "Cleo Cedar"))
    assert (comparison.extra, comparison.missing) == (("Ben Birch",), ("Cleo Cedar",))


def test_incomplete_records_do_not_contradict() -> None:
    comparison = compare_authors(("Ann Alder", "Ben Birch"), False, ("Ann Alder",), found_complete=False)
    assert comparison.match is AuthorMatch.SAME


def test_three_thousand_authors_take_no_quadratic_time() -> None:
    names = tuple(f"Given{number % 97} Family{number}" for number in range(3000))
    others = tuple(f"Anyone{number} Wang" for number in range(3000))
    started = time.process_time()
    assert compare_authors(names, False, names[::-1]).match is AuthorMatch.REORDERED
    assert compare_authors(names, False, others).match is AuthorMatch.DISJOINT
    assert compare_authors(others, False, others).match is AuthorMatch.SAME
    assert time.process_time() - started < 8


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_any_name_is_parsed_and_is_itself(text: str) -> None:
    name = parse_name(text)
    if name.families or name.words:
        assert compare_names(name, parse_name(text)) >= Same.COMPATIBLE or not any(name.families)


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("ab {}\\\"',and\n."), max_size=60))
def test_any_field_is_split(value: str) -> None:
    names, _ = split_names(value)
    assert all(names)
