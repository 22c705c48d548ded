"""What would be sent to whom, and what it may cost, before anything is sent."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from analyzers.review.port import Image, ModelRequest, Usage
from analyzers.review.script import Script

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_PROVIDERS = {"anthropic": "Anthropic's Messages API", "openai-compatible": "a server with the chat completions API"}


@dataclass(frozen=True, slots=True)
class Recipient:
    """Who would receive a request.  Consent is given to provider and address together, for any model there."""

    provider: str
    address: str
    model: str = ""

    @property
    def id(self) -> str:
        """The name under which consent is kept."""
        return f"{self.provider} {self.address.rstrip('/')}"

    @property
    def host(self) -> str:
        """The host of the address; empty when the address is none."""
        try:
            return (urlsplit(self.address).hostname or "").lower()
        except ValueError:
            return ""

    @property
    def local(self) -> bool:
        """Whether it is this computer."""
        return self.host in _LOOPBACK

    @property
    def encrypted(self) -> bool:
        """Whether the way there is encrypted."""
        return self.address.lower().startswith("https:")


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """One call with upper bounds of its tokens, and its cost in micro-dollars (None: the price is unknown)."""

    request: ModelRequest
    recipient: Recipient
    bound: Usage
    cost_microusd: int | None

    @property
    def characters(self) -> int:
        """The characters of its prompt, instructions included."""
        texts = [segment.text for segment in self.request.system]
        texts += [segment.text for turn in self.request.turns for segment in turn.segments]
        return sum(len(text) for text in texts)


@dataclass(frozen=True, slots=True)
class SentFile:
    """How many characters of a file's visible text are in the prompts, each counted once."""

    path: str
    characters: int


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Everything a person needs to know to agree.  `withheld` counts hidden places that stay here."""

    files: tuple[SentFile, ...]
    calls: tuple[PlannedCall, ...]
    withheld: int = 0

    @property
    def recipients(self) -> tuple[Recipient, ...]:
        """Who would receive something, each provider, address and model once."""
        return tuple(dict.fromkeys(call.recipient for call in self.calls))

    @property
    def images(self) -> tuple[Image, ...]:
        """The pictures that would leave, each once."""
        segments = (segment for call in self.calls for turn in call.request.turns for segment in turn.segments)
        return tuple(dict.fromkeys(segment.image for segment in segments if segment.image is not None))

    @property
    def characters(self) -> int:
        """The characters of the manuscript that would leave."""
        return sum(file.characters for file in self.files)

    @property
    def bound(self) -> Usage:
        """Upper bounds of the tokens of all calls."""
        return sum((call.bound for call in self.calls), Usage())

    @property
    def cost_microusd(self) -> int | None:
        """The most that all calls cost together, None when the price of one is unknown."""
        total = 0
        for call in self.calls:
            if call.cost_microusd is None:
                return None
            total += call.cost_microusd
        return total


def disclosure(script: Script, calls: Iterable[PlannedCall]) -> Disclosure:
    """What the calls would send of a manuscript.

    A line counts as sent when one of the prompts holds its text.  Prompts are searched for the whole script first, so
    that the usual case costs one comparison, and not one for each line.
    """
    planned = tuple(calls)
    prompts = [_prompt(call.request) for call in planned]
    files: dict[str, int] = {}
    for lines in (script.main, script.appendix):
        whole = script.text(lines)
        every = bool(lines) and any(whole in prompt for prompt in prompts)
        numbered = {} if every else _lines(prompts)
        for line in lines:
            if every or script.text((line,)).strip() in numbered:
                files[line.span.path] = files.get(line.span.path, 0) + len(line.text)
    sent = tuple(SentFile(path, count) for path, count in sorted(files.items()))
    return Disclosure(sent, planned, len(set(script.withheld)))


def described(what: Disclosure, cost: str) -> str:
    """The disclosure for people, a fact a line.  `cost` is the amount as the caller writes amounts."""
    if not what.calls:
        return "Nothing would be sent."
    lines = ["This would be sent:"]
    for recipient in what.recipients:
        where = "on this computer" if recipient.local else recipient.address
        who = _PROVIDERS.get(recipient.provider, recipient.provider)
        lines.append(f"- To {who}, {where}, model {recipient.model}.")
        if not recipient.local and not recipient.encrypted:
            lines.append("  The connection is not encrypted: others on the network can read along.")
    lines += [f"- From {file.path}: {file.characters:,} characters." for file in what.files]
    if len(what.files) > 1:
        lines.append(f"- In all {what.characters:,} characters of the manuscript.")
    if what.images:
        count = "1 image" if len(what.images) == 1 else f"{len(what.images):,} images"
        lines.append(f"- {count} of figures, {sum(len(image.data) for image in what.images):,} bytes.")
    if what.withheld:
        places = "1 place" if what.withheld == 1 else f"{what.withheld:,} places"
        lines.append(f"- Not sent: the hidden text of {places}.")
    bound = what.bound
    calls = "1 call" if len(what.calls) == 1 else f"{len(what.calls):,} calls"
    lines.append(
        f"- {calls}, with at most about {bound.all_input:,} tokens of input and {bound.output_tokens:,} of output."
    )
    if bound.web_searches:
        lines.append(f"- Up to {bound.web_searches} web searches by the provider, with words from the manuscript.")
    if what.cost_microusd is None:
        unknown = sorted({call.recipient.model for call in what.calls if call.cost_microusd is None})
        lines.append(f"- Cost: unknown, because no price is known for {', '.join(unknown)} with what is asked of it.")
    else:
        lines.append(f"- Cost: at most {cost}.")
    return "\n".join(lines)


def _prompt(request: ModelRequest) -> str:
    segments = [*request.system, *(segment for turn in request.turns for segment in turn.segments)]
    return "".join(segment.text for segment in segments)


def _lines(prompts: Sequence[str]) -> set[str]:
    return {line.strip() for prompt in prompts for line in prompt.split("\n")}
