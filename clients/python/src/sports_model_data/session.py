"""The basis of every group of operations: addresses, answers, seasons, pages."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, TypeVar, overload
from urllib.parse import quote

import polars as pl

from . import frames
from .errors import Conflict, Incompatible
from .progress import tracked
from .records import decode
from .transport import Answer, Deadline, Parameters, Transport

F = TypeVar("F")
T = TypeVar("T")
C = TypeVar("C", bound=Callable[..., Any])

#: A season's label; a list of labels or of first years; a range of first years; or `"all"`.
Seasons = str | int | Sequence[str] | Sequence[int] | range
Day = date | str
#: Names of models: one, or several.
Models = str | Sequence[str]


def operation(*ids: str) -> Callable[[C], C]:
    """Names the operations of the document that a function requests."""

    def mark(function: C) -> C:
        function.__dict__["operations"] = ids
        return function

    return mark


@dataclass(frozen=True)
class Settings:
    """What holds for every call."""

    timeout: float
    progress: bool


class Session(Generic[F]):
    """A server, and the conversion of its tables to frames."""

    def __init__(self, transport: Transport, settings: Settings, convert: Callable[[pl.DataFrame], F]) -> None:
        """Takes what `connect` made."""
        self._transport, self._settings, self._convert = transport, settings, convert

    def __repr__(self) -> str:
        """Returns the server's address; never the key."""
        return f"<sports_model_data {self._transport.url}>"

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def _deadline(self) -> Deadline:
        return Deadline(self._settings.timeout)

    def _path(self, *parts: str) -> str:
        return "/api/v1/" + "/".join(quote(part, safe="") for part in parts)

    def _json(self, path: str, parameters: Parameters | None = None, statuses: Iterable[int] = ()) -> Any:
        answer = self._transport.get(path, parameters or {}, self._deadline(), frozenset(statuses))
        return _parsed(answer)

    def _record(self, kind: type[T], path: str, **parameters: str | int | bool | None) -> T:
        return decode(kind, self._json(path, parameters))

    def _rows(self, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, Any]) -> F:
        return self._convert(frames.of_rows(rows, columns))

    def _table(self, path: str, **parameters: str | int | bool | None) -> F:
        return self._convert(frames.typed(self._parquet(path, parameters, self._deadline())))

    def _parquet(self, path: str, parameters: Parameters, deadline: Deadline) -> pl.DataFrame:
        return _frame(self._transport.get(path, {**parameters, "format": "parquet"}, deadline))

    def _seasons(self, path: str, chosen: Seasons | None, parameters: Parameters, page_size: int | None) -> F:
        """Returns the games of seasons, oldest first: a request for each season, or for each page."""
        deadline = self._deadline()
        if chosen is None and page_size is None:
            # Without a season, games come newest first.
            return self._convert(frames.typed(self._parquet(path, parameters, deadline).reverse()))
        labels = self._labels(path, chosen, deadline)
        tables = []
        for label in tracked(labels, self._settings.progress):
            query = {**parameters, "season": label}
            if page_size is None:
                tables.append(self._parquet(path, query, deadline))
            else:
                tables.append(frames.joined(self._pages(path, query, page_size, deadline)))
        return self._convert(frames.typed(frames.joined(tables)))

    def _pages(self, path: str, query: Parameters, size: int, deadline: Deadline) -> list[pl.DataFrame]:
        """Returns the pages of one version of a season; begins again if the season is published meanwhile."""
        while True:
            pages: list[pl.DataFrame] = []
            paging: Parameters = {}
            try:
                while True:
                    request = {**query, **paging, "limit": size, "format": "parquet"}
                    answer = self._transport.get(path, request, deadline)
                    pages.append(_frame(answer))
                    if (offset := answer.headers.get("x-results-next-offset")) is None:
                        return pages
                    paging = {"offset": offset, "snapshot": answer.headers["x-results-snapshot"]}
            except Conflict:
                deadline.check()

    def _labels(self, path: str, chosen: Seasons | None, deadline: Deadline) -> list[str]:
        """Returns labels of seasons, oldest first. Labels that the server does not list are left to it to refuse."""
        if isinstance(chosen, str) and chosen != "all":
            return [chosen]
        listed = _parsed(self._transport.get(f"{path}/seasons", {}, deadline))
        known = sorted(listed["seasons"])
        if chosen is None:
            return [listed["current_season"] or known[-1]]
        if chosen == "all":
            return known
        wanted: list[str | int] = [chosen] if isinstance(chosen, int) else list(chosen)
        by_year = {int(label[:4]): label for label in known}
        if missing := [one for one in wanted if isinstance(one, int) and one not in by_year]:
            raise ValueError(f"no season begins in {missing[0]}; there are {', '.join(known)}")
        labels = {by_year[one] if isinstance(one, int) else one for one in wanted}
        if not labels:
            raise ValueError("`seasons` names no season")
        return sorted(labels)


def _parsed(answer: Answer) -> Any:
    try:
        return json.loads(answer.content)
    except ValueError:
        raise Incompatible("the answer is no JSON: does the address have a server of sports model data?") from None


def _frame(answer: Answer) -> pl.DataFrame:
    if "parquet" not in answer.headers.get("content-type", ""):
        raise Incompatible("the answer is no Parquet: is the server of another version than this package?")
    return frames.parquet(answer.content)


def names(models: Models | None) -> str | None:
    """Returns names of models as the API writes them."""
    return models if models is None or isinstance(models, str) else ",".join(models)


@overload
def day_text(day: Day) -> str: ...
@overload
def day_text(day: Day | None) -> str | None: ...
def day_text(day: Day | None) -> str | None:
    """Returns a date as the API writes it."""
    return day.isoformat() if isinstance(day, date) else day
