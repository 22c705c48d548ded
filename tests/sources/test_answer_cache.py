"""The answer cache: what is kept, for how long, for whom, and what happens when the file is damaged."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzers.citations.record import Identifier, Record, Scheme
from analyzers.citations.source import Found, NotAsked, NotFound, TitleQuery, Unavailable
from clients.bibliography.adapter import Adapter
from clients.bibliography.cache import DAY, AnswerCache, CachedSource, digest

RECORD = Record("Tidal Lanterns", ("Brightwater, Ada", "{Group}"), 2019, doi="10.5555/7", other_years=(2018,))
KEY = digest("S", "look_up", "doi", "10.5555/7")


class Clock:
    def __init__(self):
        self.now = 1_700_000_000.0

    def __call__(self):
        return self.now


class Told(Adapter):
    """A source that says what it is told and counts the questions."""

    name = "Told"
    schemes = frozenset({Scheme.DOI})
    authority_for = frozenset({Scheme.DOI})

    def __init__(self, outcome, tells_retraction=False):
        self.outcome = outcome
        self.tells_retraction = tells_retraction
        self.asked = 0

    async def _look_up(self, identifier):
        self.asked += 1
        return self.outcome

    _search = _look_up


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "answers.sqlite"


@pytest.mark.parametrize(
    ("outcome", "days"),
    [(Found((RECORD,)), 60), (Found(()), 60), (NotFound(), 2)],
    ids=["found", "exists", "not found"],
)
def test_answers_live_as_long_as_their_kind_allows(path, clock, outcome, days):
    cache = AnswerCache(path, clock)
    cache.put(KEY, outcome)
    clock.now += days * DAY - 1
    assert cache.get(KEY).outcome == outcome
    clock.now += 1
    assert cache.get(KEY) is None
    cache.close()


@pytest.mark.parametrize("outcome", [Unavailable("time-out"), NotAsked("no search")])
def test_silence_is_never_kept(path, clock, outcome):
    cache = AnswerCache(path, clock)
    cache.put(KEY, outcome)
    assert cache.count() == 0
    source = CachedSource(Told(outcome), cache)
    asyncio.run(source.look_up(Identifier(Scheme.DOI, "10.5555/7")))
    assert cache.count() == 0


def test_an_answer_from_the_future_is_not_believed(path, clock):
    cache = AnswerCache(path, clock)
    cache.put(KEY, NotFound())
    clock.now -= 30 * DAY
    assert cache.get(KEY) is None


async def test_a_source_is_asked_once(path, clock):
    told = Told(Found((RECORD,)))
    source = CachedSource(told, AnswerCache(path, clock))
    for _ in range(3):
        assert await source.look_up(Identifier(Scheme.DOI, "10.5555/7")) == Found((RECORD,))
        assert await source.search(TitleQuery("Tidal  Lanterns")) == Found((RECORD,))
        assert await source.search(TitleQuery("tidal lanterns")) == Found((RECORD,))
    assert told.asked == 2
    assert (source.name, source.online, source.authority_for) == ("Told", True, frozenset({Scheme.DOI}))


async def test_retractions_are_asked_for_again_after_seven_days(path, clock):
    identifier = Identifier(Scheme.DOI, "10.5555/7")
    told = Told(Found((RECORD,)), tells_retraction=True)
    source = CachedSource(told, AnswerCache(path, clock))
    await source.look_up(identifier)
    clock.now += 7 * DAY - 1
    await source.look_up(identifier)
    assert told.asked == 1
    clock.now += 2
    told.outcome = Unavailable("time-out")
    assert await source.look_up(identifier) == Found((RECORD,))
    retracted = Found((Record("Tidal Lanterns", flags=("retracted",)),))
    told.outcome = retracted
    assert await source.look_up(identifier) == retracted
    assert told.asked == 3


def test_the_file_holds_no_question_and_is_the_users_own(path, clock):
    cache = AnswerCache(path, clock)
    cache.put(digest("S", "search", "my unpublished title", "me@example.org"), NotFound())
    cache.close()
    assert b"unpublished" not in path.read_bytes()
    assert b"example.org" not in path.read_bytes()
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=6), max_size=4), st.lists(st.text(max_size=6), max_size=4))
def test_different_questions_have_different_keys(left, right):
    assert (digest(*left) == digest(*right)) == (left == right)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=40), st.lists(st.text(max_size=10), max_size=5), st.one_of(st.none(), st.integers(0, 9999)))
def test_records_come_back_as_they_were(path, title, authors, year):
    record = Record(title, tuple(authors), year, flags=("retracted",), registrants=("10.1109",))
    cache = AnswerCache(path, Clock())
    cache.put(KEY, Found((record,)))
    assert cache.get(KEY).outcome == Found((record,))
    cache.close()


@pytest.mark.parametrize("when", ["before opening", "while open"])
def test_a_damaged_file_is_rebuilt_with_one_message(path, clock, when):
    messages = []
    if when == "before opening":
        path.parent.mkdir()
        path.write_bytes(b"this is no database" * 500)
        cache = AnswerCache(path, clock, messages.append)
    else:
        cache = AnswerCache(path, clock, messages.append)
        for number in range(200):
            cache.put(digest(str(number)), Found((RECORD,)))
        cache.close()
        content = bytearray(path.read_bytes())
        content[200:] = b"\xff" * (len(content) - 200)
        path.write_bytes(content)
        cache = AnswerCache(path, clock, messages.append)
    cache.put(KEY, NotFound())
    assert cache.get(KEY).outcome == NotFound()
    assert len(messages) == 1
    assert "rebuilt" in messages[0]
    cache.close()


def test_an_unreadable_value_is_a_missing_one(path, clock):
    cache = AnswerCache(path, clock)
    cache.put(KEY, NotFound())
    for value in ("{", '[{"unknown": 1}]', "[7]", '"x"'):
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE answer SET value = ?", (value,))
        assert cache.get(KEY) is None


def test_a_folder_that_cannot_be_written_is_an_empty_cache(tmp_path, clock):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    messages = []
    cache = AnswerCache(blocked / "answers.sqlite", clock, messages.append)
    cache.put(KEY, NotFound())
    assert cache.get(KEY) is None
    assert len(messages) == 1


def test_a_newer_format_is_started_afresh(path, clock):
    AnswerCache(path, clock).close()
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE answer")
        connection.execute("CREATE TABLE answer (something TEXT)")
        connection.execute("PRAGMA user_version = 99")
    cache = AnswerCache(path, clock)
    cache.put(KEY, NotFound())
    assert cache.get(KEY).outcome == NotFound()


def test_two_processes_share_the_file(path, clock):
    script = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from analyzers.citations.source import NotFound
        from clients.bibliography.cache import AnswerCache, digest
        cache = AnswerCache(Path(sys.argv[1]), lambda: 1_700_000_000.0, lambda text: sys.exit(text))
        for number in range(300):
            cache.put(digest(sys.argv[2], str(number)), NotFound())
            cache.get(digest(sys.argv[3], str(number)))
        cache.close()
        """
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(path), *names], stderr=subprocess.PIPE, env=environment)
        for names in (("one", "two"), ("two", "one"))
    ]
    errors = [process.communicate(timeout=60)[1] for process in running]
    assert [process.returncode for process in running] == [0, 0], errors
    cache = AnswerCache(path, clock)
    assert cache.count() == 600
    assert cache.get(digest("two", "299")).outcome == NotFound()
