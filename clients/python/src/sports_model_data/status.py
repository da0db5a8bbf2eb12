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
_WORDS = {
    "fresh": "run, odds, predictions and results of today are complete",
    "off_day": "no slate is due: today's run found no games, or today is no slate day",
    "pending": "nothing of today is published yet; it is due at 10:15 Eastern",
    "updating": "a part of today is published; the rest is due at 10:15 Eastern",
    "partial": "a part of today is missing after its deadline",
    "stale": "today's data is missing or outdated after its deadline",
    "unknown": "the server cannot read its store now",
}
_REASONS = {
    "source_stale": "the odds are more than four hours old",
    "predictions_stale": "predictions were not rebuilt on newer odds in time",
    "results_awaiting_settlement": "games of former days have no final",
    "daily_output_stale": "the day's output is outdated",
    "release_missing": "nothing was ever published",
    "release_unavailable": "the newest release cannot be read",
}


@dataclass(frozen=True)
class Status:
    """The state of a league's data of today. `str` of it is a sentence or two."""

    sport: str
    status: terms.StatusCode
    operational: bool
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

    @property
    def trusted(self) -> bool:
        """True if today's data is complete, or today has no games, and nothing of it is late."""
        return self.status in _COMPLETE and self.degradation_reason is None

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
        text = head + _WORDS.get(self.status, f"the status is `{self.status}`")
        if self.degradation_reason:
            text += f" ({_REASONS.get(self.degradation_reason, self.degradation_reason)})"
        parts = [text + "."]
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
