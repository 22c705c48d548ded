"""A progress bar on the error stream, for people only: silent when that is no terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[str, float], None]


@contextmanager
def progress_bar(quiet: bool = False) -> Iterator[Advance]:
    """Yields a function that takes what is being done and the share done (0 to 1)."""
    if quiet or not sys.stderr.isatty():
        yield lambda _text, _fraction: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda text, fraction: bar.update(task, description=text, completed=fraction)
