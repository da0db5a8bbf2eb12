"""Publishing from frames: releases, finals, and tables of other sources."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload
from uuid import uuid4

import polars as pl

from . import release, terms, toml
from .door import Command, Door, HttpDoor, Parameters, Refusal, program
from .errors import Refused
from .frames import EASTERN, pandas_frame
from .report import Details, ReleaseRefused, Report
from .session import Day
from .transport import Deadline, Key, Transport
from .version import __version__

if TYPE_CHECKING:
    import pandas as pd

F = TypeVar("F")

#: A frame of pandas, polars or Arrow.
Frame = Any
#: Frames by market: `{"moneyline": frame}`.
Frames = Mapping[terms.Market, Frame] | Mapping[str, Frame]
_TIMEOUT = 300.0
# The seconds after which a door that has never answered is unreachable.
_ABSENCE = 5.0
_KEPT: Any = object()


def model(
    title: str | None = _KEPT,
    *,
    description: str | None = _KEPT,
    url: str | None = _KEPT,
    version: str | None = _KEPT,
    sha256: str | None = _KEPT,
    markets: Sequence[terms.Market] | None = _KEPT,
    public: bool = _KEPT,
    retired: bool = _KEPT,
) -> dict[str, Any]:
    """Returns the declaration of a model of your own. A field that is not given keeps its value, and `None` removes it.

    >>> model("Elo, weekly", public=True)
    {'title': 'Elo, weekly', 'public': True}
    """
    codes = [terms.model_type(market) for market in markets] if markets is not _KEPT and markets is not None else markets
    fields: dict[str, Any] = {"title": title, "description": description, "url": url, "version": version, "sha256": sha256}
    fields |= {"model_types": codes, "public": public, "retired": retired}
    return {name: value for name, value in fields.items() if value is not _KEPT}


class Publisher(Generic[F]):
    """A record to publish to. Made by `publisher` and `local_publisher`; threads may share it."""

    def __init__(self, door: Door, timeout: float, convert: Callable[[pl.DataFrame], F]) -> None:
        """Takes the way to the record."""
        self._door, self._timeout, self._convert = door, timeout, convert
        # The moment that the defaults of an upload are of: a repeated call has the same bytes.
        self._moments: dict[str, datetime] = {}

    def __repr__(self) -> str:
        """Returns the place; never the token."""
        return f"<publisher {self._door!r}>"

    def __enter__(self) -> "Publisher[F]":
        """Returns itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes the connections."""
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._door.close()

    def publish(
        self,
        sport: terms.Sport,
        *,
        games: Frame | None = None,
        probabilities: Frames | None = None,
        results: Frames | None = None,
        predictions: Frames | None = None,
        odds: Frame | None = None,
        models: Mapping[str, Mapping[str, Any] | Literal[False]] | None = None,
        headline: str | None = None,
        run: str | Mapping[str, Any] | None = None,
        season: str | int | None = None,
        slate_date: Day | None = None,
        slate: Literal["active", "none"] = "active",
        source_as_of: Mapping[str, datetime | str] | datetime | str | None = None,
        held_games: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
        moved: Sequence[Mapping[str, Any]] | None = None,
        fields: Mapping[str, Any] | None = None,
        dry_run: bool = False,
        strict: bool = False,
        allow: str | Sequence[str] = (),
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Report[F]:
        """Publishes a release, all of it or nothing, and returns what changed. Raises `ReleaseRefused` with the reasons.

        `games`, `probabilities` and `results` are history, of one season or of several (column `season`, else by `date`);
        `odds` and `predictions` are of the slate. A column `start` of instants with their zone replaces `date` and `time_est`.

        By default `slate_date` is the door's Eastern day, `season` that of the earliest prediction, and `run`, beside
        predictions, ends now and has a name from content and time. `source_as_of` is one instant, or one each of `odds` and
        `predictions`. `fields` has other fields of `release.json`, such as `{"markets": ["won_on_points"]}`. `allow` names the
        findings that are published nevertheless. A call that is repeated with its `idempotency_key` publishes once.
        """
        deadline, key = self._deadline(timeout), idempotency_key or uuid4().hex
        history = {"games": ("games", games)} if games is not None else {}
        history |= release.by_market("probabilities", probabilities, "probabilities/")
        history |= release.by_market("results", results, "results/")
        slate_tables = release.by_market("predictions", predictions)

        def manifest(made: release.Release, earliest: str | None) -> dict[str, Any]:
            day, times = slate_date, _source_times(source_as_of, odds is not None, bool(slate_tables))
            named: dict[str, Any] = {"sport": sport, "models": models, "headline": headline, "moved": moved}
            named |= {"season": earliest if season is None else release.label(sport, season), "source_as_of": times}
            if held_games is not None:
                named["held_games"] = {terms.model_type(market): games for market, games in held_games.items()}
            if slate != "active":
                named["slate"] = slate
            is_named = isinstance(run, Mapping)
            has_run = run is not None or bool(slate_tables) or slate == "none"
            if day is None or (has_run and not is_named):
                now = self._moments.get(key) or self._moments.setdefault(key, self._door.now(deadline))
                day = day or _eastern_day(now)
                if has_run and not is_named:
                    named["run"] = {"id": run or _run_id(made, now), "started_at": now, "completed_at": now}
            if is_named:
                named["run"] = run
            given = {name: value for name, value in named.items() if value is not None}
            return {**(fields or {}), **given, "slate_date": day}

        made = release.release(sport, history, slate_tables, odds, manifest)
        return self._sent("releases", made, _options(dry_run, strict, allow), key, deadline)

    def settle(
        self,
        sport: terms.Sport,
        finals: Frame,
        *,
        correct: bool = False,
        allow_unknown: bool = False,
        dry_run: bool = False,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Report[F]:
        """Adds finals to the games on record. `correct` replaces finals; `allow_unknown` skips games that are not on record."""
        options = [("correct", correct), ("allow_unknown", allow_unknown), ("dry_run", dry_run)]
        made, parameters = release.finals(sport, finals), [(name, True) for name, given in options if given]
        return self._sent("finals", made, parameters, idempotency_key or uuid4().hex, self._deadline(timeout))

    def convert(
        self,
        sport: terms.Sport,
        frame: Frame,
        *,
        preset: str | None = None,
        map: Mapping[str, Any] | str | None = None,
        season: str | None = None,
        postseason_from: Day | None = None,
        slate: bool = False,
        finals: bool = False,
        dry_run: bool = False,
        strict: bool = False,
        allow: str | Sequence[str] = (),
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Report[F]:
        """Converts a table of another source by a preset, a map of its columns, or both, and publishes the result.

        `map` is the map as a dict, or as a text of TOML. With `slate` the games to come are published, with `finals` those of
        the newest season that have started, else all that have started.
        """
        made = release.source(sport, frame)
        if map is not None:
            made.files["map.toml"] = (map if isinstance(map, str) else toml.document(map)).encode()
        named = [("preset", preset), ("season", season), ("postseason_from", postseason_from)]
        parameters: Parameters = [
            *((name, str(value)) for name, value in named if value is not None),
            *((name, True) for name, given in (("slate", slate), ("finals", finals)) if given),
            *_options(dry_run, strict, allow),
        ]
        return self._sent("convert", made, parameters, idempotency_key or uuid4().hex, self._deadline(timeout))

    def _deadline(self, timeout: float | None) -> Deadline:
        return Deadline(self._timeout if timeout is None else timeout)

    def _sent(self, action: str, made: release.Release, parameters: Parameters, key: str, deadline: Deadline) -> Report[F]:
        try:
            answer = self._door.send(action, made, parameters, key, deadline)
        except Refusal as error:
            refused, request_id = Details(error.answer, made, self._convert), error.request_id
            failure: Refused = ReleaseRefused(error.detail, refused, request_id)
        else:
            return Report(answer, made, self._convert)
        raise failure


def _options(dry_run: bool, strict: bool, allow: str | Sequence[str]) -> list[tuple[str, str | bool]]:
    names = [allow] if isinstance(allow, str) else list(allow)
    flags = [(name, True) for name, given in (("dry_run", dry_run), ("strict", strict)) if given]
    return [*flags, *(("allow", name) for name in names)]


def _source_times(given: Any, has_odds: bool, has_predictions: bool) -> dict[str, Any] | None:
    if given is None or isinstance(given, Mapping):
        return given if given is None else {**given}
    parts = {"odds": has_odds, "predictions": has_predictions}
    return {name: given for name, is_given in parts.items() if is_given}


def _eastern_day(now: datetime) -> date:
    day: date = pl.Series([now], dtype=pl.Datetime("us", "UTC")).dt.convert_time_zone(EASTERN).dt.date()[0]
    return day


def _run_id(made: release.Release, now: datetime) -> str:
    return f"{now.astimezone(timezone.utc):%Y%m%dT%H%M%SZ}-{made.digest()[:12]}"


def _converter(pandas: bool) -> Callable[[pl.DataFrame], Any]:
    return pandas_frame if pandas else lambda table: table


@overload
def publisher(
    url: str | None = ...,
    token: str | None = ...,
    *,
    pandas: Literal[False] = ...,
    timeout: float = ...,
    progress: bool = ...,
) -> Publisher[pl.DataFrame]: ...
@overload
def publisher(
    url: str | None = ..., token: str | None = ..., *, pandas: Literal[True], timeout: float = ..., progress: bool = ...
) -> "Publisher[pd.DataFrame]": ...
def publisher(
    url: str | None = None,
    token: str | None = None,
    *,
    pandas: bool = False,
    timeout: float = _TIMEOUT,
    progress: bool = True,
) -> Publisher[Any]:
    """Returns a publisher by a door, the `sportsctl receive` of the record's machine. Sends nothing yet.

    `url` is by default `SPORTS_PUBLISH_URL`, and `token` is `SPORTS_PUBLISH_TOKEN`. `timeout` is for a whole call, in seconds.
    `pandas=True` makes all frames of reports pandas frames. `progress` shows uploads above 1 MB if tqdm is installed.

    >>> publisher("https://picks.example.com/publish", "sk_publish_0")
    <publisher https://picks.example.com/publish>
    """
    address = url or os.environ.get("SPORTS_PUBLISH_URL")
    if not address:
        raise ValueError("publisher needs the door's address: publisher(url), or SPORTS_PUBLISH_URL in the environment")
    if not address.startswith(("https://", "http://")):
        raise ValueError(f"`{address}` is no address of a door: it begins with https://, as in https://example.com/publish")
    token = token or os.environ.get("SPORTS_PUBLISH_TOKEN")
    if not token:
        raise ValueError("publisher needs a token: publisher(url, token), or SPORTS_PUBLISH_TOKEN in the environment")
    if not re.fullmatch(r"[!-~]+", token := token.strip()):
        raise ValueError("the token is more than one word: give the line that `sportsctl publisher token create` begins with")
    key = Key(token, "Authorization", "Bearer ")
    transport = Transport(address, key, None, f"sports-model-data/{__version__}", absence=_ABSENCE)
    return Publisher(HttpDoor(transport, progress), timeout, _converter(pandas))


@overload
def local_publisher(
    store: str | Path | None = ...,
    *,
    settings: str | Path | None = ...,
    sportsctl: str | Path | None = ...,
    pandas: Literal[False] = ...,
    timeout: float = ...,
) -> Publisher[pl.DataFrame]: ...
@overload
def local_publisher(
    store: str | Path | None = ...,
    *,
    settings: str | Path | None = ...,
    sportsctl: str | Path | None = ...,
    pandas: Literal[True],
    timeout: float = ...,
) -> "Publisher[pd.DataFrame]": ...
def local_publisher(
    store: str | Path | None = None,
    *,
    settings: str | Path | None = None,
    sportsctl: str | Path | None = None,
    pandas: bool = False,
    timeout: float = _TIMEOUT,
) -> Publisher[Any]:
    """Returns a publisher by the `sportsctl` of this machine: the named one, else that beside python, else that of the PATH.

    `store` is the folder or the address of the record, and `settings` a file of settings; without them those of the environment
    and the folder decide, as for the command.
    """
    given = (("--store", store), ("--config", settings))
    options = [word for flag, value in given if value is not None for word in (flag, str(value))]
    return Publisher(Command(program(sportsctl), options), timeout, _converter(pandas))
