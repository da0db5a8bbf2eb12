"""Today's games."""

from typing import Any, TypeVar

import polars as pl

from . import terms
from .errors import NotFresh
from .records import decode
from .session import Session, operation
from .status import Status

F = TypeVar("F")

_GAME = {"game_id": pl.String, "date": pl.Date, "time": pl.Time, "away_team": pl.String, "home_team": pl.String}
_INSTANT = pl.Datetime("us", "UTC")
_COMPARED: dict[str, Any] = {
    "sport": pl.String,
    "model": pl.String,
    "as_of": _INSTANT,
    **_GAME,
    **dict.fromkeys(
        ("model_home", "model_away", "book_home", "book_away", "kalshi_home", "kalshi_away", "edge_home"), pl.Float64
    ),
}
_PICKS: dict[str, Any] = {
    "sport": pl.String,
    "model_type": pl.String,
    "model": pl.String,
    "predictions_date": _INSTANT,
    **_GAME,
    "pick": pl.String,
    "pick_side": pl.String,
    **dict.fromkeys(("pick_probability", "blend_probability", "confidence", "implied_probability"), pl.Float64),
    "market_line": pl.String,
}
_PRICES = ("over_line", "under_line", "money_line", "point_spread_line")
_DAYS: dict[str, Any] = {
    "date": pl.Date,
    "deadline": _INSTANT,
    "first_complete_at": _INSTANT,
    "on_time": pl.Boolean,
    "proven": pl.Boolean,
}


class Slate(Session[F]):
    """The operations on today's games."""

    @operation("get_data_status")
    def status(self, sport: terms.Sport) -> Status:
        """Returns the state of a league's data of today, in words and in fields. Needs no key.

        >>> state = api.status("nba")
        >>> state.words.startswith("nba, ") and isinstance(state.trusted, bool)
        True
        """
        return self._record(Status, self._path("data-status", sport))

    @operation("list_data_status_history")
    def status_history(self, sport: terms.Sport, days: int | None = None) -> F:
        """Returns past days of a league: deadline, when each was complete, and whether others had it in time. Needs no key.

        >>> past = api.status_history("nba", days=7)
        >>> past.columns
        ['date', 'deadline', 'first_complete_at', 'on_time', 'proven']
        """
        answer = self._json(self._path("data-status", sport, "history"), {"days": days})
        return self._rows([{name: day[name] for name in _DAYS} for day in answer["days"]], _DAYS)

    @operation("list_predictions")
    def predictions(
        self,
        sport: terms.Sport,
        market: terms.Market,
        *,
        model: str | None = None,
        upcoming_only: bool | None = None,
        changed_after: int | None = None,
        require_fresh: bool = False,
    ) -> F:
        """Returns the games of the current slate with each model's probability of the over or the home side.

        Expected values are those of `model`, the market's default without it. `upcoming_only=False` has
        games of former days, too. `changed_after` leaves only the games that changed after that generation.
        `require_fresh=True` raises `NotFresh` unless the slate is today's.

        >>> games = api.predictions("nba", "moneyline")
        >>> games.columns[:3], "BLEND" in games.columns
        (['sport', 'model_type', 'game_id'], True)
        """
        self._require(require_fresh, sport, market)
        path = self._path("predictions", sport, terms.model_type(market))
        return self._table(path, model=model, upcoming_only=upcoming_only, changed_after=changed_after)

    @operation("show_slate")
    def slate(
        self,
        sport: terms.Sport,
        *,
        model: str | None = None,
        upcoming_only: bool | None = None,
        changed_after: int | None = None,
        require_fresh: bool = False,
    ) -> F:
        """Returns the games of the current slate with their three markets and their odds.

        They are those of `predictions` and `odds`. The columns of a market begin with `moneyline_`, `spread_` or `total_`,
        those of the odds with `odds_`.

        >>> games = api.slate("nba")
        >>> games.columns[:3], "moneyline_BLEND" in games.columns, "odds_over_under" in games.columns
        (['sport', 'game_id', 'date'], True, True)
        """
        self._require(require_fresh, sport, None)
        path = self._path("slate", sport)
        return self._table(path, model=model, upcoming_only=upcoming_only, changed_after=changed_after)

    @operation("list_odds")
    def odds(self, sport: terms.Sport, *, changed_after: int | None = None, require_fresh: bool = False) -> F:
        """Returns the current lines and prices of the slate; `last_updated` is in UTC.

        >>> api.odds("nba").schema["home_money_line"]
        Int64
        """
        self._require(require_fresh, sport, None)
        return self._table(self._path("odds", sport), changed_after=changed_after)

    @operation("compare_markets")
    def markets(self, sport: terms.Sport, *, model: str | None = None, require_fresh: bool = False) -> F:
        """Returns the moneyline by a model (the market's default without one), the sportsbook and the prediction market.

        >>> api.markets("nba").columns[-3:]
        ['kalshi_home', 'kalshi_away', 'edge_home']
        """
        self._require(require_fresh, sport, "moneyline")
        answer = self._json(self._path("markets", sport), {"model": model})
        head = {"sport": answer["sport"], "model": answer.get("model"), "as_of": answer["as_of"]}
        return self._rows([{**head, **game} for game in answer["games"]], _COMPARED)

    @operation("list_public_picks")
    def public_picks(
        self,
        sport: terms.Sport,
        market: terms.Market,
        *,
        model: str | None = None,
        upcoming_only: bool | None = None,
        require_fresh: bool = False,
    ) -> F:
        """Returns the free picks of a model, with the lines and every model's probability. Needs no key.

        Teams have their display names. `pick_probability` is that of the pick itself, `blend_probability` the home
        team's or the over's.

        >>> api.public_picks("nba", "moneyline").columns[9:11]
        ['pick', 'pick_side']
        """
        self._require(require_fresh, sport, market)
        path = self._path("public", "ml-picks", sport, terms.public_market(market))
        answer = self._json(path, {"model": model, "upcoming_only": upcoming_only})
        head = {name: answer.get(name) for name in ("sport", "model_type", "model", "predictions_date")}
        models = dict.fromkeys(answer["models_used"], pl.Float64)
        rows: list[dict[str, Any]] = []
        lines: dict[str, Any] = {}
        for game in answer["games"]:
            plain = {name: value for name, value in game.items() if name not in ("lines", "models")}
            rows.append({**head, **plain, **game["lines"], **game["models"]})
            lines |= {name: pl.Int64 if name.endswith(_PRICES) else pl.Float64 for name in game["lines"]}
        return self._rows(rows, {**_PICKS, **lines, **models})

    def _require(self, fresh: bool, sport: terms.Sport, market: terms.Market | None) -> None:
        if not fresh:
            return
        # Requested before the slate: a publication between the two requests only makes the slate newer.
        state = decode(Status, self._json(self._path("data-status", sport)))
        if not state.fresh(market):
            raise NotFresh(state.words)
