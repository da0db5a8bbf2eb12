"""The lines and forecasts of games as they moved."""

import datetime as dt
from typing import TypeVar

from . import terms
from .session import Session, operation

F = TypeVar("F")


class Movement(Session[F]):
    """The operations on what was published of games, from release to release.

    A game is named by `game_id`, by `match_id`, or by its day and both teams, with its time if they meet twice that day.
    """

    @operation("show_odds_history")
    def odds_history(
        self,
        sport: terms.Sport,
        *,
        game_id: str | None = None,
        match_id: str | None = None,
        day: dt.date | str | None = None,
        time: dt.time | str | None = None,
        away_team: str | None = None,
        home_team: str | None = None,
        days: int | None = None,
    ) -> F:
        """Returns the lines of a game before its start, each where it changed; `mark` has the opener and the close.

        >>> game = api.odds("nba")["game_id"][0]
        >>> api.odds_history("nba", game_id=game).columns[:3]
        ['sport', 'game_id', 'generation']
        """
        path = self._path("odds", sport, "history")
        game = _game(game_id, match_id, day, time, away_team, home_team)
        return self._table(path, **game, days=days)

    @operation("show_forecast_history")
    def forecast_history(
        self,
        sport: terms.Sport,
        market: terms.Market,
        *,
        game_id: str | None = None,
        match_id: str | None = None,
        day: dt.date | str | None = None,
        time: dt.time | str | None = None,
        away_team: str | None = None,
        home_team: str | None = None,
        days: int | None = None,
    ) -> F:
        """Returns the forecasts of a game before its start, each where it changed; `standing` marks the one that counts.

        >>> game = api.predictions("nba", "moneyline")["game_id"][0]
        >>> "standing" in api.forecast_history("nba", "moneyline", game_id=game).columns
        True
        """
        path = self._path("predictions", sport, terms.model_type(market), "history")
        game = _game(game_id, match_id, day, time, away_team, home_team)
        return self._table(path, **game, days=days)

    @operation("list_closing_odds")
    def closing_odds(self, sport: terms.Sport, *, season: str | None = None, state: terms.ClosingState | None = None) -> F:
        """Returns first line, opener and close of each started game of a season that releases quoted, the oldest game first.

        `state="all"` adds the games that have not started, with the mark `latest` in place of `close`.

        >>> api.closing_odds("nba").columns[2:4]
        ['game_id', 'date']
        """
        return self._table(self._path("odds", sport, "closing"), season=season, state=state)

    @operation("list_corrections")
    def corrections(self, sport: terms.Sport, *, after_generation: int | None = None, since_generation: int | None = None) -> F:
        """Returns the changes of what was recorded, the oldest first: other finals, statuses and starts, withdrawn forecasts.

        They are those after a generation that you have, or since the first one that you lack.

        >>> api.corrections("nba").columns[1:4]
        ['generation', 'published_at', 'kind']
        """
        path = self._path("corrections", sport)
        return self._table(path, after_generation=after_generation, since_generation=since_generation)

    @operation("list_odds_moves", "list_prediction_moves")
    def moves(
        self,
        sport: terms.Sport,
        market: terms.Market | None = None,
        *,
        after_generation: int | None = None,
        since: dt.datetime | str | None = None,
        until: dt.datetime | str | None = None,
        model: str | None = None,
    ) -> F:
        """Returns the moves of the odds, or of the predictions of a market: a row for each game and generation with a change.

        `change` is `new`, `moved` or `gone`, and the row has all values after it. The slate at a generation with the moves
        after it applied is the slate now; `since` and `until` are instants. Expected values are those of `model`.

        >>> newest = api.releases("nba").releases["generation"][0]
        >>> api.moves("nba", after_generation=newest).height
        0
        >>> api.moves("nba", "moneyline").columns[:5]
        ['sport', 'model_type', 'generation', 'published_at', 'change']
        """
        path = self._path("odds", sport) if market is None else self._path("predictions", sport, terms.model_type(market))
        span = {"from": self._moment(since, "since"), "to": self._moment(until, "until")}
        return self._table(f"{path}/moves", after_generation=after_generation, model=model, **span)


def _game(
    game_id: str | None,
    match_id: str | None,
    day: dt.date | str | None,
    time: dt.time | str | None,
    away_team: str | None,
    home_team: str | None,
) -> dict[str, str | None]:
    at = time.strftime("%H:%M:%S") if isinstance(time, dt.time) else time
    return {
        "game_id": game_id,
        "match_id": match_id,
        "date": None if day is None else str(day),
        "time": at,
        "away_team": away_team,
        "home_team": home_team,
    }
