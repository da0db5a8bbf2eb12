"""The basis of every group of operations: addresses, answers, seasons, pages."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from typing import Any, Generic, TypeVar, overload
from urllib.parse import quote

import polars as pl

from . import frames
from .errors import BadRequest, Conflict, Incompatible, NotFound, Refused
from .progress import Watch, arriving, tracked
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
# The beginning of the server's detail where a season, or each of several, has no dates of the request.
_NO_SUCH_DATES = "`from`, `to`: "


def operation(*ids: str) -> Callable[[C], C]:
    """Names the operations of the document that a function requests."""

    def mark(function: C) -> C:
        function.__dict__["operations"] = ids
        return function

    return mark


@dataclass(frozen=True)
class Settings:
    """The options of every call. `moment` has the parameters of the moment that answers are of; none is the present."""

    timeout: float
    progress: bool
    moment: Parameters = field(default_factory=dict)


class Session(Generic[F]):
    """A server, and the conversion of its tables to frames."""

    def __init__(self, transport: Transport, settings: Settings, convert: Callable[[pl.DataFrame], F]) -> None:
        """Takes what `connect` made."""
        self._transport, self._settings, self._convert = transport, settings, convert

    def __repr__(self) -> str:
        """Returns the server's address, and the moment if it is an earlier one; never the key."""
        moment = "".join(f" {name}={value}" for name, value in self._settings.moment.items())
        return f"<sports_model_data {self._transport.url}{moment}>"

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def _deadline(self) -> Deadline:
        return Deadline(self._settings.timeout)

    def _path(self, *parts: str) -> str:
        return "/api/v1/" + "/".join(quote(part, safe="") for part in parts)

    def _get(
        self,
        path: str,
        parameters: Parameters,
        deadline: Deadline,
        statuses: Iterable[int] = (),
        watch: Watch | None = None,
    ) -> Answer:
        given = (*parameters.items(), *self._settings.moment.items())
        return self._transport.get(path, given, deadline, frozenset(statuses), watch)

    def _json(self, path: str, parameters: Parameters | None = None, statuses: Iterable[int] = ()) -> Any:
        return _parsed(self._get(path, parameters or {}, self._deadline(), statuses))

    def _sent(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> Any:
        return _parsed(self._transport.send(method, path, body, headers or {}, self._deadline()))

    def _moment(self, moment: datetime | str | None, name: str) -> str | None:
        """Returns an instant as the API writes it."""
        if not isinstance(moment, datetime):
            return moment
        if moment.tzinfo is None:
            raise ValueError(f"`{name}` has no zone: datetime(…, tzinfo=timezone.utc)")
        return moment.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")

    def _record(self, kind: type[T], path: str, **parameters: str | int | float | bool | None) -> T:
        return decode(kind, self._json(path, parameters))

    def _rows(self, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, Any]) -> F:
        return self._convert(frames.of_rows(rows, columns))

    def _table(self, path: str, **parameters: str | int | float | bool | None) -> F:
        return self._convert(frames.typed(self._parquet(path, parameters, self._deadline())))

    def _parquet(self, path: str, parameters: Parameters, deadline: Deadline, watch: Watch | None = None) -> pl.DataFrame:
        return table_of(self._get(path, {**parameters, "format": "parquet"}, deadline, watch=watch))

    def _seasons(
        self, path: str, chosen: Seasons | None, parameters: Parameters, page_size: int | None, lists: Sequence[str]
    ) -> F:
        """Returns the games of seasons, oldest first, in one request if the server can answer it. `lists` have the labels."""
        deadline = self._deadline()
        if chosen is None and page_size is None:
            # Without a season, games come newest first.
            return self._convert(frames.typed(self._parquet(path, parameters, deadline).reverse()))
        labels = None if isinstance(chosen, str) and page_size is None else self._labels(lists, chosen, deadline)
        if page_size is None:
            season = ",".join(labels) if labels else str(chosen)
            is_several = season == "all" or "," in season
            try:
                with arriving(self._settings.progress and is_several) as watch:
                    table = self._parquet(path, {**parameters, "season": season}, deadline, watch)
                return self._convert(frames.typed(table))
            except BadRequest as error:
                # An older server has one season in a table, and no table has more games than its limit.
                if not is_several or error.detail.startswith(_NO_SUCH_DATES):
                    raise
        labels = labels or self._labels(lists, chosen, deadline)
        return self._convert(frames.typed(self._by_season(path, labels, parameters, page_size, deadline)))

    def _by_season(
        self, path: str, labels: Sequence[str], parameters: Parameters, page_size: int | None, deadline: Deadline
    ) -> pl.DataFrame:
        """Returns the table that the server would make of seasons, by requests for each season."""
        tables: list[pl.DataFrame] = []
        without: list[pl.DataFrame] = []
        refusal: Refused | None = None
        is_found = False
        is_limited = any(parameters.get(name) is not None for name in ("from", "to"))
        for label in tracked(labels, self._settings.progress):
            query = {**parameters, "season": label}
            try:
                if page_size is None:
                    table = self._parquet(path, query, deadline)
                else:
                    table = frames.joined(self._pages(path, query, page_size, deadline))
                # A season without such dates is left out of a table of several.
                (without if is_limited and table.is_empty() else tables).append(table)
                is_found = True
            except BadRequest as error:
                # An older server refuses it.
                if not error.detail.startswith(_NO_SUCH_DATES):
                    raise
                refusal = error
            except NotFound as error:
                # A season without the team has no row; its columns are in the table. An unpublished season is refused again.
                if parameters.get("team") is None:
                    raise
                tables.append(self._parquet(path, {**query, "team": None, "limit": 1}, deadline).clear())
                refusal = error
        if refusal and not is_found:
            raise refusal
        if without and not tables and len(labels) > 1:
            # The server says which seasons have such dates.
            return self._parquet(path, {**parameters, "season": ",".join(labels)}, deadline)
        return frames.joined(tables or without[:1])

    def _pages(self, path: str, query: Parameters, size: int, deadline: Deadline) -> list[pl.DataFrame]:
        """Returns the pages of one version of a season; begins again if the season is published meanwhile."""
        while True:
            pages: list[pl.DataFrame] = []
            paging: Parameters = {}
            try:
                while True:
                    request = {**query, **paging, "limit": size, "format": "parquet"}
                    answer = self._get(path, request, deadline)
                    pages.append(table_of(answer))
                    if (offset := answer.headers.get("x-results-next-offset")) is None:
                        return pages
                    paging = {"offset": offset, "snapshot": answer.headers["x-results-snapshot"]}
            except Conflict:
                deadline.check()

    def _labels(self, lists: Sequence[str], chosen: Seasons | None, deadline: Deadline) -> list[str]:
        """Returns labels of seasons, oldest first. Labels that the server does not list are left to it to refuse."""
        wanted: list[str | int] = []
        if isinstance(chosen, str):
            wanted = [] if chosen == "all" else [*chosen.split(",")]
        elif isinstance(chosen, int):
            wanted = [chosen]
        elif chosen is not None:
            wanted = list(chosen)
            if not wanted:
                raise ValueError("`seasons` names no season")
        if wanted and all(isinstance(one, str) for one in wanted):
            return sorted({str(one) for one in wanted})
        listed = [_parsed(self._get(f"{path}/seasons", {}, deadline)) for path in lists]
        known = sorted({label for one in listed for label in one["seasons"]})
        if not known:
            raise NotFound(404, "no season is published")
        if chosen is None:
            return [max(one["current_season"] or max(one["seasons"]) for one in listed if one["seasons"])]
        if not wanted:
            return known
        by_year = {int(label[:4]): label for label in known}
        if missing := [one for one in wanted if isinstance(one, int) and one not in by_year]:
            raise ValueError(f"no season begins in {missing[0]}; there are {', '.join(known)}")
        return sorted({by_year[one] if isinstance(one, int) else one for one in wanted})


def _parsed(answer: Answer) -> Any:
    try:
        return json.loads(answer.content)
    except ValueError:
        raise Incompatible("the answer is no JSON: does the address have a server of sports model data?") from None


def table_of(answer: Answer) -> pl.DataFrame:
    """Returns the table of an answer as it was sent. Its file is gone then, unless it is one of the cache."""
    try:
        if "parquet" not in answer.headers.get("content-type", ""):
            raise Incompatible("the answer is no Parquet: is the server of another version than this package?")
        return frames.parquet(answer.body.content)
    finally:
        answer.body.discard()


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
