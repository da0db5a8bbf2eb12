"""A bar over seasons, where tqdm is installed and somebody looks."""

from collections.abc import Iterable, Sequence


def tracked(labels: Sequence[str], shown: bool) -> Iterable[str]:
    """Returns the labels; shows the way through them on a terminal or in a notebook."""
    if not shown or len(labels) < 2:
        return labels
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return labels
    bar: Iterable[str] = tqdm(labels, unit="season", disable=None)
    return bar
