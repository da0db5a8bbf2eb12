"""Graded games of all seasons, and the record of releases."""

from typing import Any, TypeVar

import polars as pl

from . import terms
from .objects import Releases, SeasonList, Tracking
from .session import Day, Seasons, Session, day_text, operation

F = TypeVar("F")

_INSTANT = pl.Datetime("us", "UTC")
_RELEASES: dict[str, Any] = {
    "generation": pl.Int64,
    "release_id": pl.String,
    "published_at": _INSTANT,
    "clock": pl.String,
    "slate_date": pl.Date,
    "sha256": pl.String,
    "previous": pl.String,
    "odds": pl.Boolean,
    **dict.fromkeys(("predictions", "models_declared", "models_retired"), pl.List(pl.String)),
}
_CHANGES: dict[str, Any] = {
    "generation": pl.Int64,
    "model_type": pl.String,
    "season": pl.String,
    **dict.fromkeys(("games", "games_added", "decided_added"), pl.Int64),
}


class History(Session[F]):
    """The operations on games that were."""

    @operation("list_results")
    def results(
        self,
        sport: terms.Sport,
        market: terms.Market,
        seasons: Seasons | None = None,
        *,
        since: Day | None = None,
        until: Day | None = None,
        team: str | None = None,
        state: terms.GameState | None = None,
        page_size: int | None = None,
    ) -> F:
        """Returns the games of seasons with lines, finals, grades and every model's probability, oldest first.

        Without `seasons` it is the current season. Several seasons are one request. `since` and `until` are Eastern dates, both
        included. `team` is a slug or any other name of one club, `state` selects finals, graded or scheduled games. `page_size`
        requests each season in pages of one version; the frame is the same.

        >>> games = api.results("nfl", "spread", seasons="all")
        >>> games.columns[:3], games.schema["date"], games.schema["home_money_line"]
        (['date', 'time_est', 'season'], Date, Int64)
        """
        path = self._path("results", sport, terms.model_type(market))
        filters = {"from": day_text(since), "to": day_text(until), "team": team, "state": state}
        return self._seasons(path, seasons, filters, page_size, [path])

    @operation("list_games")
    def games(
        self,
        sport: terms.Sport,
        seasons: Seasons | None = None,
        *,
        since: Day | None = None,
        until: Day | None = None,
        team: str | None = None,
        state: terms.GameState | None = None,
        page_size: int | None = None,
    ) -> F:
        """Returns the games of seasons with their three markets beside each other, oldest first.

        A game's key and identity are columns; the columns of its markets are those of `results` with `moneyline_`, `spread_` or
        `total_` before them. A market that does not have the game has nulls. The arguments are those of `results`.

        >>> games = api.games("nfl", seasons="all")
        >>> games.columns[:2], games.schema["spread_home_point_spread"], "moneyline_BLEND" in games.columns
        (['date', 'time_est'], Float64, True)
        """
        markets = [self._path("results", sport, terms.model_type(market)) for market in terms.MARKETS]
        filters = {"from": day_text(since), "to": day_text(until), "team": team, "state": state}
        return self._seasons(self._path("games", sport), seasons, filters, page_size, markets)

    @operation("fetch_known_season")
    def known(
        self,
        sport: terms.Sport,
        market: terms.Market,
        season: str | None = None,
        *,
        hours_before: float | None = None,
        finals: bool | None = None,
    ) -> F:
        """Returns the games of a season as they were known some hours before their starts, for a backtest without look-ahead.

        A row is what predictions and odds answered then. `finals=True` adds the finals as labels: they were not available then.

        >>> games = api.known("nba", "moneyline", hours_before=1, finals=True)
        >>> games.columns[:2], games.schema["known_at"], games.columns[-1]
        (['game_id', 'date'], Datetime(time_unit='us', time_zone='UTC'), 'won_on_points')
        """
        path = self._path("predictions", sport, terms.model_type(market), "season")
        hours = None if hours_before is None else f"{hours_before:g}"
        return self._table(path, season=season, hours_before=hours, finals=finals)

    @operation("list_result_seasons")
    def seasons(self, sport: terms.Sport, market: terms.Market) -> SeasonList:
        """Returns the labels of the seasons with results, newest first.

        >>> api.seasons("nfl", "spread").seasons[0] == api.seasons("nfl", "spread").current_season
        True
        """
        return self._record(SeasonList, self._path("results", sport, terms.model_type(market), "seasons"))

    @operation("show_model_tracking")
    def tracking(
        self,
        sport: terms.Sport,
        market: terms.Market,
        season: str | None = None,
        *,
        forecast_source: terms.CountedForecasts | None = None,
    ) -> Tracking:
        """Returns the origin of a season's forecasts, and the number of its games that were graded.

        `.forecast_games` has the games whose forecasts the service recorded before play, those that were imported as live, and
        those of a backtest.

        >>> tracking = api.tracking("nba", "moneyline")
        >>> tracking.archive_games == tracking.graded_games + sum(tracking.ungraded.values())
        True
        """
        path = self._path("model-tracking", sport, terms.model_type(market))
        return self._record(Tracking, path, season=season, forecast_source=forecast_source)

    @operation("list_releases")
    def releases(self, sport: terms.Sport, before: int | None = None) -> Releases[F]:
        """Returns the newest releases, or those before a generation, and the head of the chain of their hashes. Needs no key.

        >>> record = api.releases("nba")
        >>> record.releases["sha256"][0] == record.head
        True
        """
        answer = self._json(self._path("releases", sport), {"before": before})
        releases, changes = [], []
        for release in answer["releases"]:
            plain = {name: value for name, value in release.items() if name != "changed"}
            changed = release["changed"]
            releases.append({**plain, **{name: value for name, value in changed.items() if name != "results"}})
            changes += [{"generation": release["generation"], **season} for season in changed["results"]]
        tables = self._rows(releases, _RELEASES), self._rows(changes, _CHANGES)
        return Releases(answer["head"], answer["simulated"], *tables)
