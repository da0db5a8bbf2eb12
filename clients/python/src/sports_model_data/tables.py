"""Frames of a caller as tables of polars, with the labels of their rows, and the refusals of those that cannot be published."""

import sys
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timezone
from decimal import Decimal
from numbers import Integral, Number
from typing import Any

import polars as pl
from polars import selectors

from .errors import BadFrame
from .frames import EASTERN

#: Columns without which a row is no game.
_KEY = ("date", "away_team", "home_team")
_PLAIN = (pl.String, pl.Boolean, pl.Date, pl.Time, pl.Categorical, pl.Enum, pl.Null, pl.Decimal)
# How the values of a kind become a column, by the words of `_kind`.
_OF_KIND: Mapping[str, tuple[Callable[[Any], Any], pl.DataType]] = {
    "text": (str, pl.String()),
    "a number": (float, pl.Float64()),
    "a flag": (bool, pl.Boolean()),
    "a date": (lambda value: value, pl.Date()),
    "a time": (lambda value: value, pl.Time()),
    "an instant without a zone": (lambda value: value, pl.Datetime("us")),
    "an instant with its zone": (lambda value: value.astimezone(timezone.utc), pl.Datetime("us", "UTC")),
}
# The most rows that a sentence names.
_NAMED = 3


@dataclass(frozen=True)
class Table:
    """A frame of the caller: the name of its argument, its rows, and their labels, which are positions without an index."""

    name: str
    rows: pl.DataFrame
    labels: Sequence[Hashable]
    is_pandas: bool = False

    def with_rows(self, rows: pl.DataFrame) -> "Table":
        """Returns a table with other columns for the same rows."""
        return replace(self, rows=rows)

    def refusal(self, problem: str, cure: str, column: str | None = None) -> BadFrame:
        """Returns the error of this frame, one sentence."""
        place = f"`{self.name}`" if column is None else f"`{self.name}`, column `{column}`,"
        return BadFrame(f"{place} {problem}: {cure}")

    def named(self, positions: Iterable[int]) -> str:
        """Returns the labels of rows as a phrase, such as `row 3` or `rows 3, 4, 8 and 12 more`."""
        labels = [str(self.labels[position]) for position in positions]
        more = f" and {len(labels) - _NAMED} more" if len(labels) > _NAMED else ""
        return f"row{'s' if len(labels) > 1 else ''} {', '.join(labels[:_NAMED])}{more}"


def taken(name: str, frame: Any) -> Table:
    """Returns a frame of pandas, polars or Arrow as a table. Types are kept; a column of Python objects gets theirs."""
    pandas = sys.modules.get("pandas")
    is_pandas = pandas is not None and isinstance(frame, pandas.DataFrame | pandas.Series | pandas.Index)
    table = _of_pandas(name, frame) if is_pandas else _of_arrow(name, frame)
    if not table.rows.height:
        raise table.refusal("has no rows", "leave it out, or fill it")
    unknown = (column for column, kind in table.rows.schema.items() if not (kind.is_numeric() or _is_plain(kind)))
    if column := next(unknown, None):
        cure = "give text, numbers, flags, dates, times or instants"
        raise table.refusal(f"holds {table.rows.schema[column]}", cure, column)
    return table


def of_games(table: Table) -> Table:
    """Returns a table of games with `date` and `time_est` in place of instants under `start`."""
    if "start" in table.rows.columns:
        start = _instants(table, "start")
        _expect_filled(table, "start", "give `date`, and `time_est` where it is known, instead of `start`")
        eastern = start.dt.convert_time_zone(EASTERN)
        rows = table.rows.drop("start", "date", "time", "time_est", strict=False)
        table = table.with_rows(rows.insert_column(0, eastern.dt.date().alias("date")).insert_column(1, _time(eastern)))
    elif isinstance(kind := table.rows.schema.get("date"), pl.Datetime):
        table = table.with_rows(table.rows.with_columns(_days(table, kind)))
    if isinstance(table.rows.schema.get("last_updated"), pl.Datetime):
        # The service's own tables have Eastern times of day and date; frames of this package have instants.
        read = _instants(table, "last_updated").dt.convert_time_zone(EASTERN).dt.replace_time_zone(None).dt.truncate("1s")
        table = table.with_rows(table.rows.with_columns(read))
    if "settlement_status" in table.rows.columns and "void_markets" not in table.rows.columns:
        table = table.with_rows(_with_void_markets(table.rows))
    for column in _KEY:
        if column in table.rows.columns:
            _expect_filled(table, column, "fill it in, or drop the row")
    return table


def written(rows: pl.DataFrame) -> pl.DataFrame:
    """Returns rows with the types that a publisher's Parquet file may have."""
    plain = [pl.col(name).cast(_parquet(kind)) for name, kind in rows.schema.items() if _parquet(kind) != kind]
    return rows.with_columns(plain).with_columns(selectors.float().fill_nan(None))


def _parquet(kind: pl.DataType) -> pl.DataType:
    if kind == pl.Null or isinstance(kind, pl.Categorical | pl.Enum):
        return pl.String()
    return pl.Int64() if kind in (pl.Int128,) else kind


def _is_plain(kind: pl.DataType) -> bool:
    return isinstance(kind, pl.Datetime) or kind.base_type() in _PLAIN


def _of_arrow(name: str, frame: Any) -> Table:
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, pl.DataFrame):
        if not hasattr(frame, "__arrow_c_stream__") or isinstance(frame, pl.Series):
            kind = type(frame).__name__
            raise TypeError(
                f"`{name}` is a {kind}, not a frame of pandas, polars or Arrow: polars.DataFrame(…) makes one of it"
            )
        try:
            frame = pl.DataFrame(frame)
        except pl.exceptions.DuplicateError as error:
            raise BadFrame(f"`{name}` has a column twice: rename or drop one of them ({_first_line(error)})") from None
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, TypeError, ValueError) as error:
            raise BadFrame(f"`{name}` is no table that polars can hold: convert its columns ({_first_line(error)})") from None
    table = Table(name, frame, range(frame.height))
    objects = [column for column, kind in frame.schema.items() if kind == pl.Object]
    return table.with_rows(frame.with_columns(_of_objects(table, column, frame[column].to_list()) for column in objects))


def _of_pandas(name: str, frame: Any) -> Table:
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"`{name}` is a {type(frame).__name__} of pandas, not a frame: to_frame() makes one of a column")
    if frame.index.nlevels > 1:
        raise BadFrame(f"`{name}` has a MultiIndex: frame.reset_index() makes columns of it")
    if frame.columns.nlevels > 1:
        raise BadFrame(f'`{name}` has a MultiIndex for columns: frame.columns = ["_".join(names) for names in frame.columns]')
    if other := [column for column in frame.columns if not isinstance(column, str)]:
        raise BadFrame(
            f"`{name}` has the column {other[0]!r}, whose name is no text: frame.columns = frame.columns.astype(str)"
        )
    if twice := [*frame.columns[frame.columns.duplicated()]]:
        raise BadFrame(f"`{name}` has the column `{twice[0]}` twice: rename or drop one of them")
    table = Table(name, pl.DataFrame(), frame.index.tolist(), is_pandas=True)
    objects = [column for column in frame.columns if frame[column].dtype == object]
    try:
        rows = pl.from_pandas(frame.drop(columns=objects).reset_index(drop=True))
    except ImportError:
        raise ImportError("frames of pandas need pyarrow: pip install 'sports-model-data[pandas]'") from None
    except Exception as error:  # pyarrow has errors of its own
        raise BadFrame(f"`{name}` has a column that Arrow cannot hold: convert it ({_first_line(error)})") from None
    columns = [
        _of_objects(table, column, frame[column].tolist()) if column in objects else rows[column] for column in frame.columns
    ]
    return table.with_rows(pl.DataFrame(columns))


def _of_objects(table: Table, column: str, values: Sequence[Any]) -> pl.Series:
    """Returns a column of Python objects with their common type."""
    cells = [None if _is_missing(value) else value for value in values]
    first: dict[str, int] = {}
    for position, value in enumerate(cells):
        if value is not None:
            first.setdefault(_kind(value), position)
    if {"an instant with its zone", "an instant without a zone"} <= first.keys():
        without = first["an instant without a zone"]
        problem = f"has instants with and without a zone, the first without in {table.named([without])}"
        raise table.refusal(problem, "give each its zone, such as tz_localize('America/New_York')", column)
    if len(first) > 1:
        (one, here), (other, there) = [*first.items()][:2]
        problem = f"is mixed: {one} in {table.named([here])}, {other} in {table.named([there])}"
        raise table.refusal(problem, "give the column one type, such as with pandas.to_numeric or astype(str)", column)
    kind = next(iter(first), None)
    if kind is None:
        return pl.Series(column, cells, pl.Null)
    if kind not in _OF_KIND:
        cure = "give text, numbers, flags, dates, times or instants"
        raise table.refusal(f"has {kind} in {table.named([first[kind]])}", cure, column)
    convert, dtype = _OF_KIND[kind]
    if kind == "a number" and all(value is None or isinstance(value, Integral) for value in cells):
        convert, dtype = int, pl.Int64()
    try:
        return pl.Series(column, [None if value is None else convert(value) for value in cells], dtype)
    except (OverflowError, TypeError):
        raise table.refusal("has a value that is too large", "give numbers of 64 bits, or text", column) from None


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def _is_missing(value: Any) -> bool:
    """Returns true for None, NaN, NaT and pandas.NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | Decimal) and value != value


def _kind(value: Any) -> str:
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return "a flag"
    if isinstance(value, Number):
        return "a number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, datetime):
        return f"an instant {'without a' if value.tzinfo is None else 'with its'} zone"
    if isinstance(value, date):
        return "a date"
    if isinstance(value, time):
        return "a time"
    return f"a {type(value).__name__}"


def _instants(table: Table, column: str) -> pl.Series:
    """Returns a column of instants in UTC, whose texts have an offset."""
    found = table.rows[column]
    if found.dtype == pl.String:
        found = pl.Series(
            column, [_instant(table, column, row, text) for row, text in enumerate(found)], pl.Datetime("us", "UTC")
        )
    if not isinstance(found.dtype, pl.Datetime):
        raise table.refusal(f"holds {found.dtype}, not instants", "give instants with their zone", column)
    if found.dtype.time_zone is None:
        frame = f'{table.name.partition("[")[0]}["{column}"].dt'
        cure = f'{frame}.{"tz_localize" if table.is_pandas else "replace_time_zone"}("{EASTERN}")'
        raise table.refusal("has instants without a zone", f"give them theirs, such as {cure}", column)
    return found.dt.convert_time_zone("UTC")


def _instant(table: Table, column: str, row: int, text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        instant = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise table.refusal(
            f"has `{text}` in {table.named([row])}", "give instants such as 2026-01-04T18:00:00Z", column
        ) from None
    if instant.tzinfo is None:
        raise table.refusal(f"has `{text}` without a zone in {table.named([row])}", "end it with Z or an offset", column)
    return instant.astimezone(timezone.utc)


def _time(eastern: pl.Series) -> pl.Series:
    return eastern.dt.time().alias("time_est")


def _days(table: Table, kind: pl.Datetime) -> pl.Series:
    """Returns the dates of a column that pandas holds as midnights."""
    moments = table.rows["date"]
    if kind.time_zone is not None or (moments.dt.time() != time()).any():
        raise table.refusal("has times of day", "call instants with their zone `start`, or give dates and `time_est`", "date")
    return moments.dt.date()


def _with_void_markets(rows: pl.DataFrame) -> pl.DataFrame:
    """Takes the void markets out of the words of results, such as `settled void won_on_spread`."""
    words = pl.col("settlement_status").cast(pl.String)
    parts = words.str.extract(r"^\w+ void (.+)$")
    if rows.select(parts.is_null().all()).item():
        return rows
    bare = pl.when(parts.is_null()).then(words).otherwise(words.str.extract(r"^(\w+) void "))
    return rows.with_columns(bare.alias("settlement_status"), parts.alias("void_markets"))


def _expect_filled(table: Table, column: str, cure: str) -> None:
    found = table.rows[column]
    missing = found.is_null() | found.is_nan() if found.dtype.is_float() else found.is_null()
    if missing.any():
        raise table.refusal(f"is empty in {table.named(missing.arg_true())}", cure, column)
