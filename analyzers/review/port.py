"""The `Model` port: what a reviewer may ask of a language model, and the outcomes it must be ready for.

Adapters live in `clients/models`.  Every outcome that reached the provider carries its usage, so that no call goes
unaccounted, whatever became of its answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

JsonValue = dict[str, "JsonValue"] | list["JsonValue"] | str | int | float | bool | None


class Role(StrEnum):
    """What a call is for; each role may have its own provider, model and effort."""

    APPENDIX = "appendix"
    LITERATURE = "literature"
    REVIEW = "review"
    VERIFY = "verify"
    GRAPH = "graph"
    JUDGE = "judge"


class Speaker(StrEnum):
    """Who says a turn."""

    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Image:
    """A picture: its media type (`image/png`, `image/jpeg`), its bytes, and its size in pixels."""

    media_type: str
    data: bytes = field(repr=False)
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a prompt.  `cached` ends a prefix that later calls repeat word for word, such as the manuscript.

    An `image` stands before the text.
    """

    text: str
    cached: bool = False
    image: Image | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the exchange."""

    speaker: Speaker
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question.

    `schema` is a JSON schema for the answer (None: prose).  `max_output_tokens` is for the answer alone; where a model
    thinks first, the adapter adds room for it.  `epoch` tells independent repetitions of the same question
    apart, also in the cache of calls.  `web_searches` is how many searches the provider's own tool may make.
    """

    role: Role
    system: tuple[Segment, ...]
    turns: tuple[Turn, ...]
    schema: Mapping[str, JsonValue] | None = None
    schema_name: str = "answer"
    max_output_tokens: int = 4000
    epoch: int = 0
    web_searches: int = 0
    purpose: str = ""  # shown in progress and in the account, never sent


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counts them; the input of a call is the sum of the three kinds of input.

    Thinking is part of the output; `long_cache_write_tokens` is the part of `cache_write_tokens` kept for an hour.
    """

    input_tokens: int = 0
    cache_write_tokens: int = 0
    cache_read_tokens: int = 0
    output_tokens: int = 0
    web_searches: int = 0
    calls: int = 0
    thinking_tokens: int = 0
    long_cache_write_tokens: int = 0

    @property
    def all_input(self) -> int:
        """Input tokens however they are billed."""
        return self.input_tokens + self.cache_write_tokens + self.cache_read_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.output_tokens + other.output_tokens,
            self.web_searches + other.web_searches,
            self.calls + other.calls,
            self.thinking_tokens + other.thinking_tokens,
            self.long_cache_write_tokens + other.long_cache_write_tokens,
        )


class OutcomeKind(StrEnum):
    """What became of a call."""

    ANSWERED = "answered"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    MALFORMED = "malformed"  # no valid JSON for the schema, also after one repair
    OVERLOADED = "overloaded"  # also a rate limit that lasts longer than we wait
    SPEND_LIMIT = "spend limit"  # of the account: no further call is sensible
    BUDGET = "budget"  # ours: the call was not made
    NOT_ALLOWED = "not allowed"  # no consent, no key: the call was not made
    TIMED_OUT = "timed out"
    UNAVAILABLE = "unavailable"
    KEY_REFUSED = "key refused"  # the provider does not take our key for this
    UNKNOWN_MODEL = "unknown model"  # the provider has no such model or no such address
    TOO_LARGE = "too large"  # the request, for the model's window or the provider's limit
    REJECTED = "rejected"  # the provider calls the request itself wrong: a fault of ours


HOPELESS = frozenset(
    {
        OutcomeKind.SPEND_LIMIT,
        OutcomeKind.BUDGET,
        OutcomeKind.NOT_ALLOWED,
        OutcomeKind.KEY_REFUSED,
        OutcomeKind.UNKNOWN_MODEL,
    }
)
"""After one of these no further call to the same model is sensible."""


@dataclass(frozen=True, slots=True)
class Source:
    """A page that a web search of the provider returned; not every one of them was used."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a request, or why there is none.

    `data` is the parsed and validated JSON when a schema was given and the kind is ANSWERED.  `cost_microusd` is None when the
    price of the model is unknown.  `replayed` means it came from the cache or a recording and cost nothing now.
    `usage_is_bound` means that the provider did not report all of the usage: what is missing is then an upper bound, or
    for a stream that was cut the length of what arrived.  `sources` are the pages that the provider's own search found.
    """

    kind: OutcomeKind
    text: str = ""
    data: JsonValue = None
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    cost_microusd: int | None = None
    replayed: bool = False
    detail: str = ""  # for people; never text of the manuscript
    usage_is_bound: bool = False
    retry_after: float | None = None  # seconds, where the provider names them
    request_id: str = ""  # for the provider's support
    sources: tuple[Source, ...] = ()

    @property
    def answered(self) -> bool:
        """True when there is a usable answer."""
        return self.kind is OutcomeKind.ANSWERED


class Model(Protocol):
    """Implemented by the adapters, with budget, consent, cache and accounting around them."""

    async def ask(self, request: ModelRequest) -> Outcome:
        """The outcome of one request.  Raises only `asyncio.CancelledError`."""
        ...

    async def count(self, request: ModelRequest) -> int:
        """The input tokens of a request: the provider's count where it offers one, else an upper bound."""
        ...
