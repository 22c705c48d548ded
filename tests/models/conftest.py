"""The fake servers as fixtures, and an environment without a developer's own keys and profiles."""

import datetime
import importlib.util
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from analyzers.review.port import ModelRequest, Role, Segment, Speaker, Turn


def _load(name: str) -> ModuleType:
    """A file of this folder by its path, once."""
    known = f"counterclaim_tests_{name}"
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, Path(__file__).with_name(f"{name}.py"))
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[known] = module
        spec.loader.exec_module(module)
    return sys.modules[known]


@pytest.fixture(autouse=True)
def no_keys_of_the_developer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith(("ANTHROPIC_", "OPENAI_", "COUNTERCLAIM_")) and name.endswith(
            ("_KEY", "_TOKEN", "_PROFILE", "_URL", "_HEADERS", "_LOG")
        ):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path / "no-profiles"))


@pytest.fixture(scope="session")
def fake() -> Any:
    """The module with `FakeMessagesApi`, `FakeChatApi` and `Behaviour`."""
    return _load("fake_messages_api")


@pytest.fixture
def messages_api(fake: Any) -> Iterator[Any]:
    """A running Messages API."""
    with fake.FakeMessagesApi() as api:
        yield api


@pytest.fixture
def chat_api(fake: Any) -> Iterator[Any]:
    """A running chat completions API."""
    with fake.FakeChatApi() as api:
        yield api


SCHEMA = {
    "type": "object",
    "properties": {
        "points": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"text": {"type": "string"}, "weight": {"type": "integer", "minimum": 1, "maximum": 5}},
                "required": ["text", "weight"],
            },
        }
    },
    "required": ["points"],
    "additionalProperties": False,
}
GOOD = '{"points": [{"text": "s1 and s2 cannot both be true", "weight": 4}]}'
KEY = "sk-canary-5f1e8c0d"


class Rig:
    """Everything behind a guarded model, with one fake server and files in a temporary folder."""

    def __init__(self, folder: Path, address: str, **changes: Any) -> None:
        from clients.models.account import Account, Limits, ReviewLedger
        from clients.models.asking import Patience
        from clients.models.call_cache import CallCache
        from clients.models.guarded import GuardedModel, wire_maker
        from clients.models.planning import with_own_prices
        from clients.models.prices import price_table
        from clients.models.roles import read_roles

        self.reports: list[str] = []
        self.sums: list[Any] = []
        self.waits: list[float] = []
        settings = {"base_url": address, **changes.pop("settings", {})}
        self.roles, self.notes = read_roles(settings)
        self.cache = CallCache(folder / "calls.db", time.time, self.reports.append)
        today = datetime.date(2026, 11, 29)
        prices = with_own_prices(price_table(), self.roles)
        self.account = Account(folder / "account.db", prices, time.time, lambda: today, self.reports.append)
        self.ledger = ReviewLedger(
            self.account, changes.pop("review", "r1"), changes.pop("limits", Limits()), self.sums.append
        )
        self.model = GuardedModel(
            self.roles,
            wire_maker(changes.pop("environment", {"COUNTERCLAIM_MODEL_API_KEY": KEY})),
            changes.pop("consent", lambda _: None),
            self.ledger,
            changes.pop("cache", self.cache),
            changes.pop("patience", Patience(longest_wait=0.5, first_wait=0.01)),
        )
        assert not changes

    async def close(self) -> None:
        await self.model.close()
        self.cache.close()
        self.account.close()


@pytest.fixture
async def rigs(tmp_path: Path) -> AsyncIterator[Callable[..., Rig]]:
    """A function that makes rigs on one folder, and closes them at the end."""
    made: list[Rig] = []

    def make(address: str, **changes: Any) -> Rig:
        made.append(Rig(tmp_path, address, **changes))
        return made[-1]

    yield make
    for rig in made:
        await rig.close()


def question(text: str = "Is it so?", role: Role = Role.VERIFY, **changes: Any) -> ModelRequest:
    """A request as reviewers make them: a cached manuscript and a question."""
    manuscript = changes.pop("manuscript", "[s1] We gain 4 points. [s2] We gain 5 points. " * 40)
    changes.setdefault("schema", SCHEMA)
    return ModelRequest(
        role,
        (Segment("You review."), Segment(manuscript, cached=True)),
        (Turn(Speaker.USER, (Segment(text),)),),
        **{"max_output_tokens": 1000, "purpose": "test", **changes},
    )


@pytest.fixture(scope="session")
def kit() -> Any:
    """`question`, `SCHEMA`, `GOOD` and `KEY`."""
    return SimpleNamespace(question=question, SCHEMA=SCHEMA, GOOD=GOOD, KEY=KEY)
