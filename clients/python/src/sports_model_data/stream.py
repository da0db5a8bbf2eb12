"""The stream of releases and of changes of the data status."""

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from . import terms
from .session import Session, operation

F = TypeVar("F")


@dataclass(frozen=True)
class Event:
    """An event of a stream. `name` is `hello`, `release`, `status` or `reset`."""

    name: str
    #: The position of the stream: `last_event_id` of a stream that goes on after this event.
    id: str
    data: dict[str, Any]


class Stream(Session[F]):
    """The operation that goes on."""

    @operation("stream_releases")
    def stream(self, sport: terms.Sport | Sequence[terms.Sport], *, last_event_id: str | None = None) -> Iterator[Event]:
        """Yields the events of leagues: `hello` at first, then each release and each change of the data status.

        It connects again after a lost connection and goes on where it was, so that no release is lost or repeated; each
        connection has its `hello`. After a `reset` the server cannot go on: read again what you keep. It ends when the quota of
        the month is used up, and raises what a request would raise.

        >>> for event in api.stream("nfl"):
        ...     print(event.name, event.data["leagues"][0]["sport"])
        ...     break
        hello nfl
        """
        sports = sport if isinstance(sport, str) else ",".join(sport)
        pause = 1.0
        while True:
            lines = self._transport.lines(self._path("stream"), {"sport": sports}, last_event_id)
            for event, wanted in _blocks(lines):
                pause = wanted / 1000 if wanted is not None else pause
                if event is None:
                    continue
                last_event_id = event.id
                yield event
                if event.name == "reset" and event.data.get("reason") == "month":
                    return
            time.sleep(pause)


def _blocks(lines: Iterable[str]) -> Iterator[tuple[Event | None, int | None]]:
    """Yields the event of each block, if it has one, and its time before a reconnection in milliseconds."""
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
            continue
        event = Event(fields["event"], fields["id"], json.loads(fields["data"])) if "data" in fields else None
        yield event, int(fields["retry"]) if "retry" in fields else None
        fields = {}
