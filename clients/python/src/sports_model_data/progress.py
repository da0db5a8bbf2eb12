"""A bar over seasons, or over the bytes of several in one file, where tqdm is installed and somebody looks."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

#: Takes the size of a piece that has arrived, and that of the whole where it is known.
Watch = Callable[[int, int | None], None]
# The bytes above which an upload has a bar.
_LARGE = 1_000_000


def tracked(labels: Sequence[str], shown: bool) -> Iterable[str]:
    """Returns the labels; shows the way through them on a terminal or in a notebook."""
    bars = _bars() if shown and len(labels) > 1 else None
    bar: Iterable[str] = bars(labels, unit="season", disable=None) if bars else labels
    return bar


@contextmanager
def arriving(shown: bool) -> Iterator[Watch | None]:
    """Gives a function that shows the bytes of one file as they arrive."""
    bars = _bars() if shown else None
    if bars is None:
        yield None
        return
    with bars(unit="B", unit_scale=True, disable=None) as bar:

        def watch(size: int, total: int | None) -> None:
            bar.total = total
            bar.update(size)

        yield watch


@contextmanager
def leaving(size: int, shown: bool) -> Iterator[Watch | None]:
    """Gives a function that shows the bytes of an upload as they leave, where there are many. A repeated upload goes on."""
    bars = _bars() if shown and size > _LARGE else None
    if bars is None:
        yield None
        return
    with bars(total=size, unit="B", unit_scale=True, desc="upload", disable=None) as bar:
        yield lambda piece, total: bar.update(piece)


def _bars() -> Callable[..., Any] | None:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    bars: Callable[..., Any] = tqdm
    return bars
