"""The records of models, strategies and teams."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import polars as pl

from . import backtests, calibration, frames, terms
from .objects import Density, Rolling
from .records import decode, instant
from .session import Day, Models, Session, day_text, names, operation
from .transport import Parameters

F = TypeVar("F")

_CURVES: dict[str, Any] = {
    "season": pl.String,
    "model": pl.String,
    "date": pl.Date,
    "day": pl.Int64,
    "games": pl.Int64,
    "win_pct": pl.Float64,
}
_AVERAGE: dict[str, Any] = {"model": pl.String, "day": pl.Int64, "seasons": pl.Int64, "win_pct": pl.Float64}
_CELLS: dict[str, Any] = {
    "period": pl.String,
    "blend": pl.Float64,
    "implied": pl.Float64,
    **dict.fromkeys(("games", "wins", "positive"), pl.Int64),
    "win_pct": pl.Float64,
}


_LEFT_OUT = ("not_recorded_here", "not_started", "not_played")
_MEASURES = ("clv_ev", "clv_prob", "line_clv")
_EXCLUSIONS = ("no_close", "stale_close", "no_later_odds", "no_line", "no_price", "line_moved")
_CLV: dict[str, Any] = {
    "model": pl.String,
    "picks": pl.Int64,
    "no_pick": pl.Int64,
    **{
        f"{measure}_{name}": pl.Int64 if name in ("picks", "dates") else pl.Float64
        for measure in _MEASURES
        for name in ("picks", "mean", "se", "t", "p", "low", "high", "positive", "dates")
    },
    **{f"excluded_{reason}": pl.Int64 for reason in _EXCLUSIONS},
    **dict.fromkeys(_LEFT_OUT, pl.Int64),
}


def _measured(model: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a model without the measures that its market does not have."""
    return {name: value for name, value in model.items() if value is not None}


class Figures(Session[F]):
    """The operations on what follows from graded games."""

    @operation("show_summary")
    def summary(
        self,
        sport: terms.Sport,
        market: terms.Market,
        season: str | None = None,
        *,
        models: Models | None = None,
        forecast_source: terms.CountedForecasts | None = None,
    ) -> F:
        """Returns the record of models, all without `models`, over a season and over its last weeks.

        `forecast_source="recorded"` counts the forecasts alone that the service published itself before play.

        >>> api.summary("nba", "moneyline").columns[3:7]
        ['model', 'total_games', 'wins', 'losses']
        """
        path = self._path("summary", sport, terms.model_type(market))
        return self._table(path, season=season, models=names(models), forecast_source=forecast_source)

    @operation("list_models")
    def models(self, sport: terms.Sport) -> F:
        """Returns the models of a league, the publisher's own last; `headline` is the default model of the league.

        >>> api.models("nba").schema["model_types"], "BLEND" in api.models("nba")["model"]
        (List(String), True)
        """
        table = frames.typed(self._parquet(self._path("models", sport), {}, self._deadline()))
        return self._convert(table.with_columns(pl.col("model_types").str.split(",")))

    @operation("show_calibration")
    def calibration(
        self,
        sport: terms.Sport,
        market: terms.Market,
        season: str | None = None,
        *,
        models: Models | None = None,
        since: Day | None = None,
        until: Day | None = None,
        forecast_source: terms.CountedForecasts | None = None,
        horizon: terms.Horizon | None = None,
    ) -> calibration.Calibration[F]:
        """Returns how right probabilities were, and how they compare with the market's.

        `horizon` scores the live forecasts that were served some time before the start, each by the line of then.

        >>> curve = api.calibration("nba", "moneyline")
        >>> curve.scores.columns[:4], "verdict_in_words" in curve.scores.columns
        (['forecast_source', 'model', 'games', 'sample'], True)
        """
        answer = self._json(
            self._path("calibration", sport, terms.model_type(market)),
            {
                "season": season,
                "models": names(models),
                "from": day_text(since),
                "to": day_text(until),
                "forecast_source": forecast_source,
                "horizon": horizon,
            },
        )
        scores, blocks, bins = calibration.rows(answer)
        return calibration.Calibration(
            decode(calibration.CalibrationHead, answer),
            self._rows(scores, calibration.SCORES),
            self._rows(blocks, calibration.BLOCKS),
            self._rows(bins, calibration.BINS),
            frames.of_rows(blocks, calibration.BLOCKS),
        )

    @operation("show_clv")
    def clv(
        self,
        sport: terms.Sport,
        market: terms.Market,
        season: str | None = None,
        *,
        models: Models | None = None,
        taken: terms.Taken | None = None,
        close_within: int | None = None,
        since: Day | None = None,
        until: Day | None = None,
        forecast_source: terms.CountedForecasts | None = None,
    ) -> F:
        """Returns the value of each model's picks at the closing line, by three measures that are never mixed.

        `excluded_…` counts the picks without a measure by their first reason, and the last three columns the games that are
        left out. A positive value promises no profit.

        >>> api.clv("nba", "moneyline").columns[:5]
        ['model', 'picks', 'no_pick', 'clv_ev_picks', 'clv_ev_mean']
        """
        query = {
            "season": season,
            "models": names(models),
            "taken": taken,
            "close_within": close_within,
            "from": day_text(since),
            "to": day_text(until),
            "forecast_source": forecast_source,
        }
        answer = self._json(self._path("clv", sport, terms.model_type(market)), query)
        left_out = {name: answer[name] for name in _LEFT_OUT}
        rows = [{**calibration.flattened(_measured(model)), **left_out} for model in answer["models"]]
        return self._rows(rows, _CLV)

    @operation("show_rolling_curves")
    def rolling(self, sport: terms.Sport, market: terms.Market, *, models: Models | None = None) -> Rolling[F]:
        """Returns four-week curves of models, all without `models`, in every season, and their mean over former seasons.

        >>> api.rolling("nba", "moneyline").curves.columns
        ['season', 'model', 'date', 'day', 'games', 'win_pct']
        """
        answer = self._json(self._path("results", sport, terms.model_type(market), "rolling"), {"models": names(models)})
        curves = [
            {"season": season["season"], "model": model, **point}
            for season in answer["seasons"]
            for model, points in season["models"].items()
            for point in points
        ]
        former = answer.get("historical_average") or {}
        average = [{"model": model, **point} for model, points in former.items() for point in points]
        return Rolling(self._rows(curves, _CURVES), self._rows(average, _AVERAGE), instant(answer["last_updated"]))

    @operation("show_result_density")
    def density(self, sport: terms.Sport, market: terms.Market, *, model: str | None = None) -> Density[F]:
        """Returns the number of games and of wins by a model's probability (column `blend`) and the market's.

        >>> api.density("nba", "moneyline").cells.columns[:3]
        ['period', 'blend', 'implied']
        """
        answer = self._json(self._path("results", sport, terms.model_type(market), "density"), {"model": model})
        cells = [{"period": period, **cell} for period in ("current", "previous") for cell in answer[period]["cells"]]
        current, previous = (tuple(answer[period]["seasons"]) for period in ("current", "previous"))
        updated = instant(answer["last_updated"])
        return Density(self._rows(cells, _CELLS), answer.get("model"), answer["bin_width"], current, previous, updated)

    @operation("show_team_form")
    def team_form(self, sport: terms.Sport, market: terms.Market) -> F:
        """Returns each team's record in the market; `last_10` is a list of 1 (won) and 0, the newest last.

        >>> api.team_form("nba", "moneyline").schema["last_10"]
        List(Int64)
        """
        path = self._path("results", sport, terms.model_type(market), "team-form")
        table = frames.typed(self._parquet(path, {}, self._deadline()))
        return self._convert(table.with_columns(pl.col("last_10").str.json_decode(pl.List(pl.Int64))))

    @operation("list_strategies")
    def strategies(
        self,
        sport: terms.Sport,
        market: terms.Market,
        season: str | None = None,
        *,
        model: str | None = None,
        accounting: terms.Accounting | None = None,
        forecast_source: terms.CountedForecasts | None = None,
    ) -> F:
        """Returns the betting rules on a model's probabilities, ranked by their return.

        >>> api.strategies("nba", "moneyline", accounting="recorded_v2").height
        16
        """
        path = self._path("strategies", sport, terms.model_type(market))
        return self._table(path, season=season, model=model, accounting=accounting, forecast_source=forecast_source)

    @operation("replay_strategy")
    def replay(
        self,
        sport: terms.Sport,
        market: terms.Market,
        strategy: terms.Strategy,
        season: str | None = None,
        *,
        model: str | None = None,
        accounting: terms.Accounting | None = None,
        include_excluded: bool | None = None,
        forecast_source: terms.CountedForecasts | None = None,
    ) -> F:
        """Returns the bets of a strategy with their prices, oldest first; `total` is the sum of units so far.

        `include_excluded=True` has games after them that were left out, with the `reason`.

        >>> bets = api.replay("nba", "moneyline", "follow_edge_home")
        >>> bets.schema["price"], bets.schema["profit"]
        (Int64, Float64)
        """
        path = self._path("strategies", sport, terms.model_type(market), strategy, "replay")
        return self._table(
            path,
            season=season,
            model=model,
            accounting=accounting,
            include_excluded=include_excluded,
            forecast_source=forecast_source,
        )

    @operation("show_backtest")
    def backtest(
        self,
        sport: terms.Sport,
        market: terms.Market,
        season: str | Sequence[str] | None = None,
        *,
        model: str | None = None,
        since: Day | None = None,
        until: Day | None = None,
        forecast_source: terms.BetForecasts | None = None,
        hours_before: float | None = None,
        bet: terms.RuleBet | None = None,
        side: terms.RuleSide | None = None,
        min_edge: float | None = None,
        max_edge: float | None = None,
        min_ev: float | None = None,
        max_ev: float | None = None,
        min_probability: float | None = None,
        max_probability: float | None = None,
        min_price: int | None = None,
        max_price: int | None = None,
        min_line: float | None = None,
        max_line: float | None = None,
        line_move: terms.LineMove | None = None,
        agree: int | None = None,
        models: Models | None = None,
        team: str | None = None,
        weekday: terms.Weekday | None = None,
        month: int | None = None,
        stake: terms.Stake | None = None,
        fraction: float | None = None,
        max_stake: float | None = None,
        tried: int | None = None,
    ) -> backtests.Backtest[F]:
        """Returns the bets that a rule of your own would have made, their record, and how likely it was by luck.

        `season` is a label, several, or `"all"`. `bet` names the side, by default the one that `model` rates above the market;
        every other argument leaves bets out. Edges, expected values and probabilities are fractions, prices American odds.
        `hours_before` decides by what was known so long before each start, so that no bet looks ahead. `tried` is the number of
        rules that you looked at to find this one: the best of many looks good by luck alone.

        >>> found = api.backtest("nba", "moneyline", "all", min_edge=0.03, side="underdog", tried=12)
        >>> found.head.rule.parameters["side"], found.head.search.tried
        ('underdog', 12)
        >>> found.neighbours["value"].to_list(), found.bets.schema["price"]
        ([0.02, 0.04], Int64)
        """
        path = self._path("backtest", sport, terms.model_type(market))
        query: Parameters = {
            "model": model,
            "season": names(season),
            "from": day_text(since),
            "to": day_text(until),
            "forecast_source": forecast_source,
            "hours_before": hours_before,
            "bet": bet,
            "side": side,
            "min_edge": min_edge,
            "max_edge": max_edge,
            "min_ev": min_ev,
            "max_ev": max_ev,
            "min_probability": min_probability,
            "max_probability": max_probability,
            "min_price": min_price,
            "max_price": max_price,
            "min_line": min_line,
            "max_line": max_line,
            "line_move": line_move,
            "agree": agree,
            "models": names(models),
            "team": team,
            "weekday": weekday,
            "month": month,
            "stake": stake,
            "fraction": fraction,
            "max_stake": max_stake,
            "tried": tried,
        }
        answer = self._json(path, query)
        tables = {name: self._rows(answer[name], columns) for name, columns in backtests.FRAMES.items()}
        head = decode(backtests.BacktestHead, answer)
        return backtests.Backtest(head, **tables, _request_bets=lambda: self._table(path, **query))
