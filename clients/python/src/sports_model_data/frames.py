"""Frames with the types of the trade, from Parquet and from rows of JSON."""

import io
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import polars as pl

from . import terms

if TYPE_CHECKING:
    import pandas as pd

_GAME_TYPES = ("preseason", "regular", "postseason")
_SETTLEMENTS = ("settled", "postponed", "cancelled")

# The closed sets, by column. Values beyond the set become categories after those of the set.
CATEGORIES: Mapping[str, tuple[str, ...]] = {
    "sport": get_args(terms.Sport),
    "model_type": get_args(terms.ModelType),
    "market": get_args(terms.PublicMarket),
    "accounting": get_args(terms.Accounting),
    "game_type": _GAME_TYPES,
    "settlement_status": _SETTLEMENTS,
    "ungraded_reason": get_args(terms.UngradedReason),
    "model_probability_source": get_args(terms.ProbabilitySource),
    "forecast_source": get_args(terms.ForecastSource),
    "side": get_args(terms.BetSide),
    "pick_side": get_args(terms.BetSide),
    "outcome": get_args(terms.BetOutcome),
    "reason": get_args(terms.ExclusionReason),
    "signal": get_args(terms.Signal),
    "strategy_id": get_args(terms.Strategy),
    "clock": get_args(terms.Clock),
    "kind": get_args(terms.ModelKind),
    "sample": get_args(terms.SampleSize),
    "verdict": get_args(terms.Verdict),
    "period": ("current", "previous"),
}
EASTERN = "America/New_York"


def parquet(content: bytes | Path) -> pl.DataFrame:
    """Reads a table as it was sent. A file is mapped into memory, so that its bytes are not there beside the frame."""
    # Files are small: reading their columns in parallel costs more than it saves, in time and in memory.
    return pl.read_parquet(io.BytesIO(content) if isinstance(content, bytes) else content, parallel="row_groups")


def joined(tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Returns tables below each other, with the columns of a server's table of several seasons.

    Columns are those of the last table; a column of former tables follows the neighbour that it has there. A column of two
    types is a number if both are numbers, else a text.
    """
    order: list[str] = []
    kinds: dict[str, pl.DataType] = {}
    for table in reversed(tables):
        behind = 0
        for name, kind in table.schema.items():
            if name in kinds:
                behind = order.index(name)
            else:
                order.insert(behind, name)
            behind += 1
            kinds[name] = _common(kinds.get(name, kind), kind)
    parts = [table.with_columns(_converted(table[name], kinds[name]) for name in table.columns) for table in tables]
    return pl.concat(parts, how="diagonal", rechunk=False).select(order)


def _common(one: pl.DataType, other: pl.DataType) -> pl.DataType:
    if one == other:
        return one
    return pl.Float64() if one.is_numeric() and other.is_numeric() else pl.String()


def _converted(column: pl.Series, kind: pl.DataType) -> pl.Series:
    """Returns values in another type; texts are as the server writes them."""
    if kind == column.dtype:
        return column
    if kind == pl.String and column.dtype.is_float():
        texts = [None if value is None else f"{Decimal(repr(value)):f}".removesuffix(".0") for value in column]
        return pl.Series(column.name, texts, pl.String)
    if kind == pl.String and isinstance(column.dtype, pl.Datetime):
        texts = column.dt.to_string("%Y-%m-%dT%H:%M:%S%.f" + ("Z" if column.dtype.time_zone else "")).to_list()
        return pl.Series(column.name, texts, pl.String)
    converted: pl.Series = column.cast(kind)
    return converted


def typed(table: pl.DataFrame) -> pl.DataFrame:
    """Gives closed sets their categories, and Eastern times of day and date their zone, in UTC."""
    changes = [_enumerated(table[name], known) for name in table.columns if (known := _categories(name))]
    for name, kind in table.schema.items():
        if kind == pl.Datetime and getattr(kind, "time_zone", None) is None:
            moment = table[name].dt.replace_time_zone(EASTERN, ambiguous="earliest", non_existent="null")
            changes.append(moment.dt.convert_time_zone("UTC"))
    return table.with_columns(changes)


def _categories(column: str) -> tuple[str, ...] | None:
    """Returns the closed set of a column, also of one that begins with the word of a market."""
    market, _, name = column.partition("_")
    return CATEGORIES.get(column) or (CATEGORIES.get(name) if market in terms.MARKETS else None)


def _enumerated(column: pl.Series, known: Iterable[str]) -> pl.Series:
    if column.dtype != pl.String:
        return column
    values = dict.fromkeys((*known, *column.drop_nulls().unique().sort()))
    categories: pl.Series = column.cast(pl.Enum(list(values)))
    return categories


def of_rows(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, pl.DataType | type[pl.DataType]]) -> pl.DataFrame:
    """Returns rows of JSON as a table with these columns first. Columns of a newer server follow, typed by their values."""
    texts = {name: pl.String if kind in (pl.Date, pl.Time) or kind == pl.Datetime else kind for name, kind in columns.items()}
    more = dict.fromkeys(name for row in rows for name in row if name not in columns)
    table = pl.DataFrame([dict(row) for row in rows], schema={**texts, **dict.fromkeys(more)}, infer_schema_length=None)
    return typed(table.with_columns(_parsed(name, kind) for name, kind in columns.items()))


def _parsed(name: str, kind: pl.DataType | type[pl.DataType]) -> pl.Expr:
    text = pl.col(name)
    if kind == pl.Date:
        return text.str.to_date("%Y-%m-%d")
    if kind == pl.Time:
        return pl.when(text.str.len_bytes() == 5).then(text + ":00").otherwise(text).str.to_time("%H:%M:%S")
    if kind == pl.Datetime:
        return text.str.to_datetime("%+", time_unit="us", time_zone="UTC")
    return text


def pandas_frame(table: pl.DataFrame) -> "pd.DataFrame":
    """Returns a table as a frame of pandas, with Arrow's types."""
    try:
        return table.to_pandas(use_pyarrow_extension_array=True)
    except ImportError:
        raise ImportError("pandas=True needs pandas and pyarrow: pip install 'sports-model-data[pandas]'") from None
