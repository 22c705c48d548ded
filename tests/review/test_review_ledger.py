"""The ledger on disk: crashes, two writers, versions to come, what a person reads in it."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analyzers.checks.examples import manuscript_of
from analyzers.review.anchors import Places
from analyzers.review.points import Point, PointKind
from analyzers.review.script import script_of
from analyzers.review.stats import Judgement
from analyzers.review.tracking import State, Tracked, track
from server.ledger import Ledger, Record
from server.ledger_file import LedgerError, LedgerFile

ROOT = Path(__file__).parents[2]


def now() -> str:
    return "2026-11-29T12:00:00+00:00"


def points(paper: Any, texts: list[str]) -> tuple[Tracked, ...]:
    script = script_of(paper)
    made = [Point(PointKind.WEAKNESS, text, ("s2", "s12"), views=("review 1",)).identified() for text in texts]
    return track(made, script, Places(paper), "main.tex")


RECORD = Record(
    "r1", "main.tex", now(), "mlr", ("claude-sonnet-5-5",), "neurips", "Fine.", {"overall": 6.0}, 1234, 10, 5
)


def test_what_is_written_is_read(paper: Any, tmp_path: Path) -> None:
    given = points(paper, ["First.", "Second."])
    assert Ledger(tmp_path, now).add(RECORD, given) == 2
    ledger = Ledger(tmp_path, now)
    read = {item.point.text: item for item in ledger.points("main.tex")}
    assert {text: item.anchors for text, item in read.items()} == {item.point.text: item.anchors for item in given}
    assert ledger.records() == (RECORD,)
    assert ledger.add(RECORD, given) == 0, "the same review again adds nothing"
    text = (tmp_path / ".counterclaim" / "review.json").read_text(encoding="utf-8")
    assert any('"section": "weakness"' in line and '"text": "First."' in line for line in text.splitlines())
    assert len([line for line in text.splitlines() if '"about":' in line]) == 2, "a point a line"
    assert json.loads(text)["version"] == 1
    assert str(tmp_path) not in text


def test_what_becomes_of_points(paper: Any, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, now)
    given = points(paper, ["a", "b", "c", "d"])
    ledger.add(RECORD, given)
    one, two, three, four = (item.point.id for item in given)
    ledger.judge(one, Judgement.ACCEPTED)
    ledger.judge(two, Judgement.DISMISSED, "out of scope")
    ledger.address(three)
    ledger.judge(four, Judgement.NEUTRAL)
    again = Ledger(tmp_path, now)
    states = {
        name: (item.state, item.judgement, item.reason) for name in (one, two, three, four) if (item := again.get(name))
    }
    assert states == {
        one: (State.OPEN, Judgement.ACCEPTED, ""),
        two: (State.DISMISSED, Judgement.DISMISSED, "out of scope"),
        three: (State.ADDRESSED, Judgement.ACCEPTED, ""),
        four: (State.OPEN, Judgement.NEUTRAL, ""),
    }
    rate = again.statistics()["weakness"]
    assert (rate.accepted, rate.dismissed, rate.neutral, rate.rate) == (2, 1, 1, 2 / 3)
    assert again.add(RECORD, given) == 0
    assert again.get(two).state is State.DISMISSED, "a repeated review does not bring dismissed points back"  # type: ignore[union-attr]
    assert again.reopen(two).state is State.OPEN  # type: ignore[union-attr]
    assert again.judge("nothing", Judgement.ACCEPTED) is None
    assert again.clear("main.tex") == 1, "what was judged stays"
    assert again.clear("main.tex", keep_judged=False) == 3


def test_fields_of_a_later_version_survive(paper: Any, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, now)
    given = points(paper, ["a"])
    ledger.add(RECORD, given)
    path = tmp_path / ".counterclaim" / "review.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    name = given[0].point.id
    data["version"] = 7
    data["colour"] = "blue"
    data["points"][name]["mood"] = {"deep": [1]}
    data["points"][name]["anchors"][0]["column"] = 4
    data["points"]["strange"] = {"section": "haiku", "text": "A kind that is not known here."}
    path.write_text(json.dumps(data), encoding="utf-8")
    assert ledger.altered
    ledger.judge(name, Judgement.ACCEPTED)
    ledger.save()
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert (kept["version"], kept["colour"]) == (7, "blue")
    assert kept["points"][name]["mood"] == {"deep": [1]}
    assert kept["points"][name]["anchors"][0]["column"] == 4
    assert kept["points"]["strange"] == data["points"]["strange"]
    assert kept["points"][name]["judgement"] == "accepted"
    assert [item.point.text for item in ledger.points()] == ["a"]


def test_two_editors_at_once(paper: Any, tmp_path: Path) -> None:
    first, second = Ledger(tmp_path, now), Ledger(tmp_path, now)
    given = points(paper, ["a", "b"])
    first.add(RECORD, given)
    assert second.points()
    first.judge(given[0].point.id, Judgement.ACCEPTED)
    second.judge(given[1].point.id, Judgement.DISMISSED, "no")
    second.save()
    for ledger in (first, second, Ledger(tmp_path, now)):
        assert [ledger.get(item.point.id).judgement for item in given] == [Judgement.ACCEPTED, Judgement.DISMISSED]  # type: ignore[union-attr]


def _count(folder: str, worker: int) -> None:
    file = LedgerFile(Path(folder))
    for number in range(25):
        file.change(lambda content, number=number: content["points"].__setitem__(f"{worker}-{number}", {"n": number}))  # type: ignore[misc]


def test_no_change_of_three_processes_is_lost(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_count, args=(str(tmp_path), number)) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert len(LedgerFile(tmp_path).read()["points"]) == 75


WRITER = """
import sys
from pathlib import Path
from server.ledger_file import LedgerFile
file = LedgerFile(Path(sys.argv[1]))
number = 0
while True:
    number += 1
    file.change(lambda content: content["points"].update({f"p{i}": {"text": "x" * 200, "n": number} for i in range(200)}))
    if number == 1:
        print("ready", flush=True)
"""


def test_kill_in_the_middle_of_writing(tmp_path: Path) -> None:
    for wait in (0.0, 0.013, 0.05):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"ready"
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        process.stdout.close()
        content = LedgerFile(tmp_path).read()
        assert len(content["points"]) == 200
        assert len({value["n"] for value in content["points"].values()}) == 1, "all of a change or nothing of it"
        LedgerFile(tmp_path).change(lambda content: None)


@pytest.mark.parametrize("text", ["", "{", "<<<<<<< ours\n{}", "[1]", '{"points": 3}', "\udcff"])
def test_what_is_no_ledger_is_put_aside(tmp_path: Path, text: str) -> None:
    folder = tmp_path / ".counterclaim"
    folder.mkdir()
    (folder / "review.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    ledger = Ledger(tmp_path, now)
    assert ledger.points() == ()
    ledger.add(RECORD, [])
    assert (folder / "review.unreadable-1.json").read_bytes() == text.encode("utf-8", "surrogateescape")
    assert Ledger(tmp_path, now).records()[0].id == "r1"


def test_a_merge_that_version_control_did_not_finish(paper: Any, tmp_path: Path) -> None:
    def git(*arguments: str) -> int:
        identity = ["-c", "user.name=A", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"]
        return subprocess.run(["git", *identity, *arguments], cwd=tmp_path, capture_output=True, check=False).returncode

    given = points(paper, ["base", "ours", "theirs"])
    if git("init", "-q", "-b", "main"):
        pytest.skip("git is not installed")
    Ledger(tmp_path, lambda: "1").add(RECORD, given[:1])
    git("add", "-A")
    git("commit", "-q", "-m", "base")
    git("checkout", "-q", "-b", "other")
    other = Ledger(tmp_path, lambda: "3")
    other.add(replace(RECORD, id="r3"), given[2:])
    other.judge(given[0].point.id, Judgement.DISMISSED, "later")
    git("commit", "-q", "-a", "-m", "theirs")
    git("checkout", "-q", "main")
    mine = Ledger(tmp_path, lambda: "2")
    mine.add(replace(RECORD, id="r2"), given[1:2])
    mine.judge(given[0].point.id, Judgement.ACCEPTED)
    git("commit", "-q", "-a", "-m", "ours")
    git("merge", "-q", "other")
    merged = Ledger(tmp_path, now)
    assert {item.point.text for item in merged.points()} == {"base", "ours", "theirs"}
    assert {record.id for record in merged.records()} == {"r1", "r2", "r3"}
    assert merged.get(given[0].point.id).reason == "later"  # type: ignore[union-attr]
    merged.judge(given[1].point.id, Judgement.ACCEPTED)
    text = (tmp_path / ".counterclaim" / "review.json").read_text(encoding="utf-8")
    assert "<<<<" not in text
    assert len(json.loads(text)["points"]) == 3 + 1, "and the empty one at the end"


def test_a_link_out_of_the_workspace_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    inside = tmp_path / "workspace"
    inside.mkdir()
    (inside / ".counterclaim").symlink_to(outside, target_is_directory=True)
    Ledger(inside, now).add(RECORD, [])
    assert list(outside.iterdir()) == []


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="rights do not hold for this user")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(LedgerError):
            Ledger(tmp_path, now).add(RECORD, [])
    finally:
        tmp_path.chmod(0o700)


def test_points_move_with_the_text_and_what_was_decided_stays(kit: Any, paper: Any, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, now)
    given = points(paper, ["a"])
    ledger.add(RECORD, given)
    text = kit.PAPER["main.tex"].replace("We present TideNet", "A sentence before. We present TideNet")
    after = manuscript_of({**kit.PAPER, "main.tex": text})
    assert len(ledger.move(Places(after), "main.tex")) == 1
    assert ledger.move(Places(after), "main.tex") == ()
    [item] = ledger.points()
    assert after.text(item.anchors[0].span).startswith("TideNet lowers")
    ledger.judge(item.point.id, Judgement.ACCEPTED)
    assert ledger.points()[0].anchors == item.anchors, "a decision does not throw the places of now away"
    ledger.save()
    assert Ledger(tmp_path, now).points()[0].anchors == item.anchors
    other = Ledger(tmp_path, now)
    other.judge(item.point.id, Judgement.DISMISSED, "no")
    ledger.save()
    assert Ledger(tmp_path, now).points()[0].state is State.DISMISSED
    assert ledger.rechecked(item.point.id, False, "still so", "h").changed is False  # type: ignore[union-attr]
    assert replace(item).point.text == "a"


def test_without_a_workspace_it_lives_in_memory(paper: Any) -> None:
    ledger = Ledger(None, now)
    ledger.add(RECORD, points(paper, ["a"]))
    assert len(ledger.points()) == 1
    assert not ledger.altered
