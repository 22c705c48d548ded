"""Running rules over entries, keeping what was found for entries that have not changed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from analyzers.citations.plausibility.rule import EntryFault, Rule
from analyzers.project.bibliography import BibEntry, Bibliography, EntryBody
from analyzers.project.bibliography.values import parent_keys


@dataclass(frozen=True, slots=True)
class Checked:
    """The faults of a bibliography in the order of its entries, and what is kept for the next run.

    `kept` maps the identity of an entry's body to the body and its faults, counted from the start of the entry.
    """

    faults: tuple[EntryFault, ...]
    today: date
    rules: tuple[Rule, ...]
    kept: Mapping[int, tuple[EntryBody, tuple[EntryFault, ...]]] = field(
        default_factory=dict, compare=False, repr=False
    )


def check_entry(
    entry: BibEntry, bibliography: Bibliography, today: date, rules: Iterable[Rule]
) -> tuple[EntryFault, ...]:
    """The faults of one entry by all `rules`, in the order of the rules."""
    faults: list[EntryFault] = []
    for rule in rules:
        faults += rule.run(entry, bibliography, today)
    return tuple(faults)


def check_bibliography(
    bibliography: Bibliography, today: date, rules: Iterable[Rule], previous: Checked | None = None
) -> Checked:
    """The faults of all entries.  `previous` is an earlier result for (an older state of) the same bibliography.

    Rules that compare entries run on their suspects only; the others are not run again on an entry whose text has not
    changed, unless it inherits from another one.
    """
    rules = tuple(rules)
    single = tuple(rule for rule in rules if rule.suspects is None)
    comparing = [(rule, rule.suspects(bibliography)) for rule in rules if rule.suspects is not None]
    old: Mapping[int, tuple[EntryBody, tuple[EntryFault, ...]]] = {}
    if previous is not None and previous.today == today and previous.rules == rules:
        old = previous.kept
    kept: dict[int, tuple[EntryBody, tuple[EntryFault, ...]]] = {}
    faults: list[EntryFault] = []
    for entry in bibliography.entries:
        known = old.get(id(entry.body))
        if known is not None and known[0] is entry.body:
            found = known[1]
            kept[id(entry.body)] = known
            faults += (fault.moved(entry.path, entry.start) for fault in found)
        elif parent_keys(entry):
            faults += check_entry(entry, bibliography, today, single)
        else:
            found = check_entry(entry.at("", 0), bibliography, today, single)
            kept[id(entry.body)] = (entry.body, found)
            faults += (fault.moved(entry.path, entry.start) for fault in found)
        for rule, suspects in comparing:
            if (entry.path, entry.start) in suspects:
                faults += rule.run(entry, bibliography, today)
    return Checked(tuple(faults), today, rules, kept)
