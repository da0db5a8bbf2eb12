"""The state of today's data, in words."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

from . import terms
from .records import Named


@dataclass(frozen=True)
class Game:
    """A game as a status names it."""

    date: date
    time_est: str | None
    away_team: str
    home_team: str
    game_number: int | None


@dataclass(frozen=True)
class Awaiting:
    """Games of former days without a final, the oldest 20 of them by name."""

    count: int
    games: tuple[Game, ...]


@dataclass(frozen=True)
class Published:
    """The time of a publication; `None` if there is none."""

    published_at: datetime | None


@dataclass(frozen=True)
class OddsTimes:
    """The times of the odds: of their publication, and at their source."""

    published_at: datetime
    source_as_of: datetime


@dataclass(frozen=True)
class Run:
    """The run of the models that decides the status."""

    id: str
    started_at: datetime
    completed_at: datetime | None
    slate: str


@dataclass(frozen=True)
class MarketStatus:
    """The state of a market's data. `expected` is false for a market that the league does not have, else `None`."""

    expected: bool | None
    status: terms.StatusCode
    refresh_pending: bool
    refresh_deadline: datetime | None
    release_id: str | None
    source_as_of: datetime | None
    held_games: tuple[Game, ...]
    predictions: Published
    results: Published
    summary: Published
    model_tracking: Published


_COMPLETE = ("fresh", "off_day")


@dataclass(frozen=True)
class Status:
    """The state of a league's data of today. `trusted` decides; `str` of it is a sentence or two."""

    sport: str
    status: terms.StatusCode
    operational: bool
    trusted: bool
    trusted_reason: str
    degradation_reason: terms.Degradation | None
    refresh_pending: bool
    date: date
    deadline: datetime
    simulated: bool
    release_id: str | None
    run: Run | None
    by_model_type: Annotated[dict[str, MarketStatus], Named("markets")]
    odds: OddsTimes | None
    awaiting_settlement: Awaiting

    def market(self, market: terms.Market) -> MarketStatus:
        """Returns the state of a market."""
        return self.by_model_type[terms.model_type(market)]

    def fresh(self, market: terms.Market | None = None) -> bool:
        """Returns true if the slate of a market, or the whole league, is today's."""
        if market is None:
            return self.trusted
        current = self.degradation_reason in (None, "results_awaiting_settlement", "predictions_stale")
        state = self.market(market)
        return current and self.status != "unknown" and state.expected is not False and state.status in _COMPLETE

    @property
    def words(self) -> str:
        """A sentence or two: what can be trusted, and what cannot for which reason."""
        head = f"{self.sport}, {self.date:%Y-%m-%d}: today's slate {'can' if self.trusted else 'cannot'} be trusted: "
        parts = [head + self.trusted_reason]
        expected = {code: state for code, state in self.by_model_type.items() if state.expected is not False}
        if any(state.status != self.status for state in expected.values()):
            states = ", ".join(f"{terms.word(code)} is {state.status}" for code, state in expected.items())
            parts.append(f"By market: {states}.")
        if len(expected) < len(self.by_model_type):
            parts.append(f"The league's markets: {', '.join(map(terms.word, expected))}.")
        if self.refresh_pending:
            parts.append("Newer odds were published than those of the predictions.")
        if held := sum(len(state.held_games) for state in self.by_model_type.values()):
            parts.append(f"Predictions held from a former run: {held}.")
        if self.awaiting_settlement.count:
            parts.append(f"Games that await their final: {self.awaiting_settlement.count}.")
        if self.simulated:
            parts.append("The data is simulated.")
        return " ".join(parts)

    def __str__(self) -> str:
        """Returns `words`."""
        return self.words
