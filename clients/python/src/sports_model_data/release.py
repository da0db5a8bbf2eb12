"""Frames as the files of a release, and the way back from a file's row to the row of the caller's frame."""

import hashlib
import io
import json
import re
import tarfile
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timezone
from typing import Any

import polars as pl

from . import computed, terms
from .tables import Table, of_games, taken, written

# The last months of seasons that were played late, by league and the year in which they ended.
_LATE: Mapping[tuple[str, int], int] = {("nba", 2020): 10, ("nhl", 2020): 9, ("nba", 2021): 7, ("nhl", 2021): 7}
_LABEL = re.compile(r"(\d{4})(?:-(\d{2}))?")


@dataclass(frozen=True)
class Origin:
    """The rows of the caller that became a file, in the order of the file."""

    table: Table
    positions: Sequence[int]
    season: str | None = None

    @property
    def place(self) -> str:
        """The argument, with the season of a history."""
        return self.table.name if self.season is None else f"{self.table.name}, {self.season}"

    def label(self, row: int | None) -> Hashable | None:
        """Returns the label of a file's row, of which the header is 1; `None` for the header and for a whole file."""
        return self.table.labels[self.positions[row - 2]] if row and 2 <= row < len(self.positions) + 2 else None


@dataclass
class Release:
    """The files of a release by name, and the origin of each table."""

    sport: str
    files: dict[str, bytes] = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)
    warnings: list[tuple[str, str]] = field(default_factory=list)

    def add(self, name: str, table: Table, positions: Sequence[int] | None = None, season: str | None = None) -> None:
        """Adds a table as a file of Parquet."""
        rows = table.rows if positions is None else table.rows[positions]
        self.files[name] = parquet(rows)
        self.origins[name] = Origin(table, range(rows.height) if positions is None else positions, season)

    def digest(self) -> str:
        """Returns the SHA-256 of the files."""
        parts = (f"{name}\0{hashlib.sha256(content).hexdigest()}\n" for name, content in sorted(self.files.items()))
        return hashlib.sha256("".join(parts).encode()).hexdigest()

    def archive(self) -> bytes:
        """Returns the files as a tar archive. The same files have the same bytes."""
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name, content in sorted(self.files.items()):
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
        return packed.getvalue()


def release(
    sport: str,
    history: Mapping[str, Any],
    predictions: Mapping[str, Any],
    odds: Any,
    manifest: Callable[["Release", str | None], Mapping[str, Any]],
) -> Release:
    """Returns the files of frames. `history` has frames by folder, such as `games` and `results/over_under`.

    `manifest` makes release.json of the other files and the season of the earliest prediction.
    """
    made = Release(sport)
    for folder, (name, frame) in history.items():
        table = _prepared(made, taken(name, frame), folder.partition("/")[0], folder.partition("/")[2] or None)
        seasons = _seasons(sport, table)
        bare = table.with_rows(table.rows.drop("season", strict=False))
        for season in sorted(seasons.unique()):
            made.add(f"{folder}/{season}.parquet", bare, (seasons == season).arg_true().to_list(), season)
    earliest: tuple[str, str] | None = None
    for market, (name, frame) in predictions.items():
        table = _prepared(made, taken(name, frame), "predictions", market)
        seasons = _seasons(sport, table)
        if "season" in table.rows.columns:
            table = table.with_rows(table.rows.with_columns(seasons.alias("season")))
        first = table.rows["date"].cast(pl.String).arg_min() if "date" in table.rows.columns else 0
        found = (str(table.rows["date"][first]) if "date" in table.rows.columns else "", seasons[first or 0])
        earliest = min(earliest, found) if earliest else found
        made.add(f"predictions/{market}.parquet", table)
    if odds is not None:
        made.add("odds.parquet", _prepared(made, taken("odds", odds), "odds", None))
    made.files["release.json"] = encoded(manifest(made, earliest[1] if earliest else None))
    return made


def finals(sport: str, frame: Any) -> Release:
    """Returns the file of finals of a frame, `finals.parquet`."""
    made = Release(sport)
    made.add("finals.parquet", _prepared(made, taken("finals", frame), "finals", None))
    return made


def source(sport: str, frame: Any) -> Release:
    """Returns the table of another source, `table.parquet`, with its own columns."""
    made = Release(sport)
    table = taken("frame", frame)
    made.add("table.parquet", table.with_rows(written(table.rows)))
    return made


def parquet(rows: pl.DataFrame) -> bytes:
    """Returns rows as a file of Parquet."""
    content = io.BytesIO()
    rows.write_parquet(content, compression="zstd", statistics=False)
    return content.getvalue()


def encoded(value: Mapping[str, Any]) -> bytes:
    """Returns an object as JSON, dates and instants as text."""
    return json.dumps(value, default=_text, ensure_ascii=False, sort_keys=True).encode()


def _text(value: Any) -> str:
    if isinstance(value, datetime):
        return instant(value)
    if isinstance(value, date | time):
        return value.isoformat()
    raise TypeError(f"a release has no {type(value).__name__}: give text, numbers, dates or instants")


def instant(moment: datetime) -> str:
    """Returns an instant as `release.json` has it."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no zone: datetime(…, tzinfo=timezone.utc)")
    return moment.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def _prepared(made: Release, table: Table, kind: str, market: str | None) -> Table:
    table = _of_league(of_games(table), made.sport, market)
    table, warnings = computed.dropped(table, kind, market)
    made.warnings += [(table.name, warning) for warning in warnings]
    return table.with_rows(written(table.rows))


def _of_league(table: Table, sport: str, market: str | None) -> Table:
    """Drops the columns that name the league and the market, if they are those of the call."""
    for column, expected in (("sport", sport), ("model_type", market)):
        if expected is None or column not in table.rows.columns:
            continue
        found = table.rows[column].cast(pl.String)
        other = (found != expected).fill_null(False)
        if other.any():
            problem = f"has `{found.filter(other)[0]}` in {table.named(other.arg_true())}, not `{expected}`"
            raise table.refusal(problem, f"publish the rows of `{expected}` alone", column)
        table = table.with_rows(table.rows.drop(column))
    return table


def _seasons(sport: str, table: Table) -> pl.Series:
    """Returns the label of each row's season: its own, else that of its date."""
    if "season" in table.rows.columns:
        labels = table.rows["season"].cast(pl.String)
        by_label = {label: _label(sport, label) for label in labels.unique()}
        if wrong := [label for label, season in by_label.items() if season is None]:
            rows = (labels.is_null() if wrong[0] is None else labels == wrong[0]).arg_true()
            shown = "is empty" if wrong[0] is None else f"has `{wrong[0]}`"
            raise table.refusal(f"{shown} in {table.named(rows)}", f"give labels such as {season_label(sport, 2024)}", "season")
        of_rows: pl.Series = labels.replace_strict(by_label, return_dtype=pl.String)
        return of_rows
    if "date" not in table.rows.columns:
        raise table.refusal("has neither `date` nor `start`", "give the Eastern date of each game, or its start with a zone")
    days = table.rows["date"]
    if days.dtype == pl.String:
        days = days.str.to_date("%Y-%m-%d", strict=False)
    if days.dtype != pl.Date or days.null_count():
        wrong_rows = days.is_null().arg_true() if days.dtype == pl.Date else [0]
        shown = f"has `{table.rows['date'][wrong_rows[0]]}` in {table.named(wrong_rows)}"
        raise table.refusal(shown, "give dates, or texts such as 2026-01-04", "date")
    by_day = {day: _season_of(sport, day) for day in days.unique()}
    seasons: pl.Series = days.replace_strict(by_day, return_dtype=pl.String)
    return seasons


def _season_of(sport: str, day: date) -> str:
    if sport == "mlb":
        return str(day.year)
    begins = 7 if (late := _LATE.get((sport, day.year))) is None else late + 1
    return season_label(sport, day.year if day.month >= begins else day.year - 1)


def season_label(sport: str, first: int) -> str:
    """Returns the label of the season that begins in a year."""
    return str(first) if sport == "mlb" else f"{first}-{(first + 1) % 100:02}"


def label(sport: str, season: str | int) -> str:
    """Returns the label of a season, which may be its first year. Other texts are passed on for the door to refuse."""
    return _label(sport, str(season)) or str(season)


def _label(sport: str, found: str | None) -> str | None:
    """Returns a season's label; of a number, which is the first year, that season's."""
    parts = _LABEL.fullmatch((found or "").removesuffix(".0"))
    if parts is None:
        return None
    label = season_label(sport, int(parts[1]))
    return label if parts[2] is None or label == found else None


def by_market(argument: str, frames: Mapping[Any, Any] | None, folder: str = "") -> dict[str, Any]:
    """Returns frames by the code of their market, each with the name that it has in messages."""
    if frames is None:
        return {}
    if not isinstance(frames, Mapping):
        kind = type(frames).__name__
        raise TypeError(f'`{argument}` is a {kind}, not a dict of frames by market: {argument}={{"moneyline": frame}}')
    named: dict[str, Any] = {}
    for market, frame in frames.items():
        code = terms.model_type(market)
        if code not in _CODES:
            raise ValueError(f"`{market}` is no market of `{argument}`: give {', '.join(terms.MARKETS)}")
        if f"{folder}{code}" in named:
            raise ValueError(f"`{argument}` has the market {terms.word(code)} twice: give it once")
        named[f"{folder}{code}"] = (f'{argument}["{market}"]', frame)
    return named


_CODES = frozenset(terms.model_type(market) for market in terms.MARKETS)


def slugs(names: pl.Series) -> Iterator[str]:
    """Yields names of teams as the service writes them."""
    for name in names.cast(pl.String):
        yield "_".join(re.findall(r"\w+", str(name).lower()))
