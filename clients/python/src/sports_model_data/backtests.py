"""The backtest of a rule as an object."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Annotated, Any, Generic, TypeVar

import polars as pl

from . import terms
from .records import Named

F = TypeVar("F")


@dataclass(frozen=True)
class Rule:
    """A rule in its normal form: a sentence, and the parameters that are not at their default."""

    sentence: str
    parameters: dict[str, str]


@dataclass(frozen=True)
class Bets:
    """The record of some bets, each of one unit. `roi` is a fraction, with its 95 percent interval over dates."""

    bets: int
    wins: int
    losses: int
    pushes: int
    units: float
    roi: float | None
    roi_low: float | None
    roi_high: float | None


@dataclass(frozen=True)
class SeasonBets(Bets):
    """The bets of a season."""

    season: str


@dataclass(frozen=True)
class SeasonsBets(Bets):
    """The bets of several seasons."""

    seasons: tuple[str, ...]


@dataclass(frozen=True)
class Drawdown:
    """The largest fall of the units, from the date of the peak (`since`, `None` for the start) to that of the lowest point."""

    units: float
    since: Annotated[date | None, Named("from")]
    until: Annotated[date | None, Named("to")]


@dataclass(frozen=True)
class Exclusions:
    """Finished games without a bet for which the rule names a side. `no_stake` is `None` without `stake="kelly"`."""

    missing_price: int
    unverified_finality: int
    no_stake: int | None


@dataclass(frozen=True)
class Kelly:
    """A bank that starts at 1 and bets shares of itself. `drawdown` is a share of the bank.

    `larger_drawdown_share` is the share of 10,000 orders of the same dates with a larger `drawdown`.
    """

    bank: float
    drawdown: float
    larger_drawdown_share: float


@dataclass(frozen=True)
class Record(Bets):
    """The record of all bets of a rule. `mean_price` is of decimal odds; `kelly` is `None` without `stake="kelly"`."""

    stakes: int
    mean_price: float | None
    mean_edge: float | None
    mean_ev: float | None
    longest_losing_run: int
    drawdown: Drawdown
    exclusions: Exclusions
    kelly: Kelly | None


@dataclass(frozen=True)
class Luck:
    """The luck in the units, over the bets whose market had both prices (`bets`).

    `p` is the share of lucky bettors with at least the units of the rule: they make the same bets, and each wins with the
    no-vig probability of the market. `p_random_games` is the share of as many bets at games drawn at random.
    """

    p: float
    method: terms.LuckMethod
    bets: int
    p_random_games: float
    p_in_words: str


@dataclass(frozen=True)
class Search:
    """The best of `tried` rules that have luck alone: the probability that it does at least as well, and its units."""

    tried: int
    p_of_best: float | None
    best_50: float | None
    best_95: float | None


@dataclass(frozen=True)
class OutOfSample:
    """The newest season against all before."""

    newest: SeasonBets
    before: SeasonsBets


@dataclass(frozen=True)
class Sources:
    """Bets by the source of their forecast: those of `walk_forward` show a method, not a forecast that somebody had."""

    recorded: int
    live_imported: int
    walk_forward: int
    none: int


@dataclass(frozen=True)
class Proof:
    """The bets on forecasts that the service recorded, and those among them that others had seen before the start.

    `proven` is `None` while the service cannot list its checkpoints.
    """

    recorded: int
    proven: int | None


@dataclass(frozen=True)
class BacktestHead:
    """The head of the answer. `luck` is `None` if no market of a bet had both prices, `out_of_sample` with one season.

    `not_known_then` has the games without a row so many hours before their start, and is `None` without `hours_before`.
    """

    sport: terms.Sport
    model_type: terms.ModelType
    model: str
    seasons: tuple[str, ...]
    rule: Rule
    record: Record
    luck: Luck | None
    search: Search
    out_of_sample: OutOfSample | None
    forecast_sources: Sources
    not_known_then: int | None
    proof: Proof
    note: str
    last_updated: datetime


@dataclass(frozen=True)
class Backtest(Generic[F]):
    """The bets that a rule would have made, their record and how much of it is luck.

    `.course` has a row for each date with a bet, at most 400, with the quantiles of lucky bettors' units; `.by_season`,
    `.by_month`, `.by_edge` and `.by_price` a row for each group with a bet; `.neighbours` a row for each threshold a step away.
    """

    head: BacktestHead
    course: F
    by_season: F
    by_month: F
    by_edge: F
    by_price: F
    neighbours: F
    _request_bets: Callable[[], F]

    @cached_property
    def bets(self) -> F:
        """The bets, oldest first; `total` is the sum of units so far. They are requested at the first use.

        A release in between can add a bet: `api.at(…)` is a client whose answers are all of one moment.
        """
        return self._request_bets()


_RATE, _COUNT = pl.Float64, pl.Int64
_RECORD: Mapping[str, Any] = {
    **dict.fromkeys(("bets", "wins", "losses", "pushes"), _COUNT),
    **dict.fromkeys(("units", "roi", "roi_low", "roi_high"), _RATE),
}
_BANDS: Mapping[str, Any] = {"from": _RATE, "to": _RATE, **_RECORD}
#: The columns of the frames, by the name that both the answer and the object have for them.
FRAMES: Mapping[str, Mapping[str, Any]] = {
    "course": {"date": pl.Date, "bets": _COUNT, **dict.fromkeys(("units", "p5", "p25", "p50", "p75", "p95"), _RATE)},
    "by_season": {"season": pl.String, **_RECORD},
    "by_month": {"month": pl.String, **_RECORD},
    "by_edge": _BANDS,
    "by_price": _BANDS,
    "neighbours": {"parameter": pl.String, "value": _RATE, "bets": _COUNT, "units": _RATE, "roi": _RATE},
}
