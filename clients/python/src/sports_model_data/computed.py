"""Columns that the service computes: frames of the API have them, and releases do not."""

from collections.abc import Iterator

import polars as pl

from .tables import Table

_OUTCOMES = {"over": "over_under", "won_on_points": "won_on_points", "won_on_spread": "won_on_spread"}
_GRADING = ("IMPLIED", "push", "graded", "ungraded_reason", "recorded", *_OUTCOMES)
_FORECAST = (
    *("forecast_source", "forecast_run", "forecast_published_at", "model_probability_source"),
    *("model_training_through", "model_reconstruction_method"),
)
_VALUES = ("ev_pos", "ev_neg", "ev_away_spread", "ev_home_spread", "ev_away_ml", "ev_home_ml")
# By kind of file. Odds and finals keep no column that they do not know, and the service warns of those.
_COLUMNS = {
    "games": _GRADING,
    "probabilities": _GRADING,
    "results": _GRADING,
    "predictions": (*_GRADING, *_FORECAST, *_VALUES),
}
# The prices of a market: those of the home team or the over, and of the other side.
_PRICES = {
    "won_on_points": ("home_money_line", "away_money_line"),
    "won_on_spread": ("home_point_spread_line", "away_point_spread_line"),
    "over_under": ("over_line", "under_line"),
}
_TOLERANCE = 1e-4


def dropped(table: Table, kind: str, market: str | None) -> tuple[Table, list[str]]:
    """Returns a table without the columns that the service computes, and a warning for each that differs from its own."""
    found = [name for name in _COLUMNS.get(kind, ()) if name in table.rows.columns]
    warnings = []
    for name, differs in _differences(table.rows, market):
        if name in found and (rows := table.rows.select(differs.fill_null(False))[:, 0].arg_true()).len():
            warnings.append(f"column {name} is not taken: the service computes another value for {table.named(rows)}")
    return table.with_rows(table.rows.drop(found)), warnings


def _differences(rows: pl.DataFrame, market: str | None) -> Iterator[tuple[str, pl.Expr]]:
    """Yields columns, each with the rows in which it differs from what other columns of the row give."""
    given = set(rows.columns)
    margins: dict[str, pl.Expr] = {}
    if {"home_score", "away_score"} <= given:
        home, away = (pl.col(name).cast(pl.Float64, strict=False) for name in ("home_score", "away_score"))
        margins["won_on_points"] = home - away
        if "home_point_spread" in given:
            margins["won_on_spread"] = home - away + pl.col("home_point_spread").cast(pl.Float64, strict=False)
        if "over_under" in given:
            margins["over_under"] = home + away - pl.col("over_under").cast(pl.Float64, strict=False)
    for column, code in _OUTCOMES.items():
        if column in given and code in margins:
            yield column, (margins[code] != 0) & ((margins[code] > 0) != (pl.col(column).cast(pl.Int64, strict=False) == 1))
    if market is None:
        return
    if "push" in given and market in margins:
        yield "push", (margins[market] == 0) != pl.col("push").cast(pl.Boolean, strict=False)
    if "IMPLIED" in given and given.issuperset(_PRICES[market]):
        ours, theirs = (_share(name) for name in _PRICES[market])
        yield "IMPLIED", (ours / (ours + theirs) - pl.col("IMPLIED").cast(pl.Float64, strict=False)).abs() > _TOLERANCE


def _share(column: str) -> pl.Expr:
    """Returns the probability of a price by itself."""
    price = pl.col(column).cast(pl.Float64, strict=False)
    return pl.when(price > 0).then(100 / (100 + price)).when(price < 0).then(price / (price - 100))
