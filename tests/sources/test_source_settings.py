"""Which sources a run has: nothing without consent, keys from the environment or the keyring, honest notes."""

import pytest

from analyzers.citations.record import Identifier, Scheme
from analyzers.citations.source import Found
from clients.bibliography.cache import AnswerCache
from clients.bibliography.sources import SOURCE_NAMES, SourceSettings, build_sources, keyring_key

KEYS = {"OPENALEX_API_KEY": "oa-secret", "S2_API_KEY": "s2-secret", "NCBI_API_KEY": "ncbi-secret"}


def names(built):
    return [source.name for source in built.sources]


def no_keyring(_):
    return None


def test_nothing_is_asked_without_consent():
    built = build_sources(SourceSettings(), KEYS, keyring=no_keyring)
    assert built.sources == ()
    assert built.transport is None


async def test_all_sources_with_keys():
    async with build_sources(SourceSettings(network=True), KEYS, keyring=no_keyring) as built:
        assert names(built) == [
            "doi.org", "Crossref", "DataCite", "arXiv", "DBLP", "ACL Anthology", "OpenReview", "Semantic Scholar",
            "OpenAlex", "PubMed", "OpenLibrary",
        ]  # fmt: skip
        assert len(set(names(built))) == len(SOURCE_NAMES)
        assert all(source.online for source in built.sources)
        assert not built.notes


async def test_sources_without_their_key_are_left_out_with_a_note():
    async with build_sources(SourceSettings(network=True), {}, keyring=no_keyring) as built:
        assert "OpenAlex" not in names(built)
        assert "Semantic Scholar" not in names(built)
        assert len(built.notes) == 2
    named = SourceSettings(network=True, names=("semantic-scholar", "openalex", "scholar"))
    async with build_sources(named, {}, keyring=no_keyring) as built:
        assert names(built) == ["Semantic Scholar"]
        assert any("“scholar”" in note for note in built.notes)


async def test_the_keyring_is_asked_when_the_environment_is_silent(service, shape, times):
    service.says(shape("openalex_list.json"))
    chosen = SourceSettings(network=True, names=("openalex",), base_urls={"openalex": service.url})
    async with build_sources(chosen, {}, keyring={"openalex": "ring"}.get, clock=times.clock) as built:
        await built.sources[0].look_up(Identifier(Scheme.DOI, "10.5555/7"))
    assert service.asked[0].query["api_key"] == "ring"


async def test_a_key_that_could_break_a_header_is_no_key():
    bad = {"S2_API_KEY": "a\r\nHost: evil", "OPENALEX_API_KEY": "two words"}
    async with build_sources(SourceSettings(network=True), bad, keyring=no_keyring) as built:
        assert len(built.notes) == 2


def test_without_a_keyring_there_is_no_key():
    assert keyring_key("a source that nobody has") is None


@pytest.mark.parametrize(
    ("email", "agent"),
    [
        ("", "Counterclaim/1.0"),
        ("me@example.org", "Counterclaim/1.0 (mailto:me@example.org)"),
        ("x\r\nA: b", "Counterclaim/1.0"),
    ],
)
async def test_the_address_is_sent_only_when_configured(service, shape, times, email, agent, tmp_path):
    service.says(shape("crossref_work.json"))
    cache = AnswerCache(tmp_path / "answers.sqlite", lambda: 0.0)
    chosen = SourceSettings(True, ("crossref",), email, "1.0", {"crossref": service.url})
    async with build_sources(chosen, {}, cache=cache, keyring=no_keyring, clock=times.clock) as built:
        outcome = await built.sources[0].look_up(Identifier(Scheme.DOI, "10.5555/lanterns.2019.7"))
        assert isinstance(outcome, Found)
        assert len(built.notes) == (1 if "\n" in email else 0)
    assert service.asked[0].headers["user-agent"] == agent
    assert "example.org" not in service.asked[0].raw
    assert cache.count() == 1
    cache.close()
    assert b"me@example.org" not in (tmp_path / "answers.sqlite").read_bytes()


def test_addresses_must_be_https():
    with pytest.raises(ValueError, match="https"):
        build_sources(
            SourceSettings(True, ("dblp",), base_urls={"dblp": "http://dblp.example"}), {}, keyring=no_keyring
        )
