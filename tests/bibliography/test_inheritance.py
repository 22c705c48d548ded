"""Inheritance through `crossref` and `xdata`."""

from analyzers.project.bibliography import joined, read_bibliography, resolved_fields, unresolved_parents


def values(text: str, key: str) -> dict[str, str]:
    found = read_bibliography("refs.bib", text)
    entry = found.entry(key)
    assert entry is not None
    return {name: item.value for name, item in resolved_fields(entry, found).items()}


PROCEEDINGS = (
    "@proceedings{vol, title = {Proc. of X}, year = 2019, editor = {Ed, Itor}, booktitle = {BT}, keywords={k}}"
)


def test_part_takes_booktitle_from_its_volume() -> None:
    found = values(
        "@inproceedings{a, title = {Mine}, crossref = {vol}}\n" + PROCEEDINGS.replace("booktitle", "note"), "a"
    )
    assert (found["title"], found["booktitle"], found["year"]) == ("Mine", "Proc. of X", "2019")
    assert "keywords" not in found


def test_part_without_title_never_takes_the_title_of_its_volume() -> None:
    assert "title" not in values("@inproceedings{a, crossref = {vol}}\n" + PROCEEDINGS, "a")


def test_own_fields_win_and_case_of_the_key_is_forgiven() -> None:
    assert values("@inproceedings{a, year = 2020, crossref = {VOL}}\n" + PROCEEDINGS, "a")["year"] == "2020"


def test_article_takes_the_journal_from_its_issue() -> None:
    text = "@article{a, title={T}, crossref={iss}}\n@periodical{iss, title={Journal of Y}, year=2018}"
    assert values(text, "a")["journal"] == "Journal of Y"


def test_xdata_and_chains() -> None:
    text = (
        "@article{a, title={T}, xdata={p, q}}\n@xdata{p, publisher={P}, xdata={r}}\n"
        "@xdata{q, year=2000}\n@xdata{r, note={R}}"
    )
    found = values(text, "a")
    assert (found["publisher"], found["year"], found["note"]) == ("P", "2000", "R")


def test_inherited_field_keeps_its_place() -> None:
    text = "@inproceedings{a, title = {Mine}, crossref = {vol}}\n" + PROCEEDINGS
    found = read_bibliography("refs.bib", text)
    year = resolved_fields(found.entries[0], found)["year"]
    assert text[year.raw_start : year.raw_end] == "2019"


def test_cycles_end() -> None:
    text = (
        "@book{a, title={A}, crossref={b}}\n@book{b, year=1999, crossref={a}, xdata={b, a, c}}\n"
        "@book{c, note={x}, xdata={a}}"
    )
    found = values(text, "a")
    assert (found["title"], found["year"], found["note"]) == ("A", "1999", "x")


def test_unresolved_parent_is_named() -> None:
    found = read_bibliography("refs.bib", "@book{a, crossref={nowhere}}")
    assert unresolved_parents(found.entries[0], found) == ("nowhere",)
    assert unresolved_parents(found.entries[0], joined([found, read_bibliography("b.bib", "@book{nowhere,}")])) == ()


def test_joined_files_share_strings_and_parents() -> None:
    first = read_bibliography("a.bib", "@inproceedings{p, title={T}, booktitle=conf, crossref={v}}")
    second = read_bibliography("b.bib", "@string{conf={The Conf}}\n@proceedings{v, year=2001}")
    both = joined([first, second])
    assert [(entry.path, entry.key) for entry in both.entries] == [("a.bib", "p"), ("b.bib", "v")]
    assert both.entries[0].value("booktitle") == "The Conf"
    assert resolved_fields(both.entries[0], both)["year"].value == "2001"
    assert joined([first]) is first
