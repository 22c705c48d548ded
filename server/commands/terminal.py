"""What commands say on the terminal, and their exit codes."""

import sys

OK, FINDINGS, INCOMPLETE, USAGE = 0, 1, 2, 64
"""Nothing to report; something to report; an answer that is not whole; wrong usage."""


def say(text: str) -> None:
    """Words for people; the report alone goes to the standard output."""
    print(text, file=sys.stderr)


def out(text: str) -> None:
    """A report, in UTF-8 whatever the terminal's encoding is; what cannot be written becomes a question mark."""
    if hasattr(sys.stdout, "buffer"):
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    else:
        sys.stdout.write(text)
    sys.stdout.flush()
