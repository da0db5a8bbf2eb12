"""The closed sets of the API as types, and the trade's words for markets. A test compares them with the document."""

from collections.abc import Mapping
from typing import Literal

Sport = Literal["mlb", "nba", "nfl", "nhl", "ncaaf", "ncaab"]
ModelType = Literal["over_under", "won_on_points", "won_on_spread"]
Market = Literal["moneyline", "spread", "total", "over_under", "won_on_points", "won_on_spread"]
PublicMarket = Literal["over_under", "moneyline", "spread"]
Accounting = Literal["legacy_v1", "recorded_v2"]
ForecastSource = Literal["live", "walk_forward"]
CountedForecasts = Literal["live", "walk_forward", "recorded"]
BetForecasts = Literal["all", "recorded", "live", "walk_forward"]
Horizon = Literal["first", "24h", "6h", "1h", "standing"]
Taken = Literal["first", "standing"]
GameState = Literal["final", "graded", "scheduled"]
ClosingState = Literal["started", "all"]
ProbabilitySource = Literal["recorded", "walk_forward", "reconstructed_oos"]
UngradedReason = Literal["no_final", "no_line", "push", "no_prediction"]
ExclusionReason = Literal["missing_price", "unverified_finality"]
BetSide = Literal["over", "under", "home", "away"]
BetOutcome = Literal["win", "loss", "push"]
RuleBet = Literal["value", "fade_value", "pick", "fade", "line", "fade_line"]
RuleSide = Literal["home", "away", "over", "under", "favourite", "underdog"]
LineMove = Literal["with", "against", "none"]
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
Stake = Literal["flat", "kelly"]
LuckMethod = Literal["exact", "draws"]
Signal = Literal["Line", "Δ Edge", "Hybrid"]
ModelKind = Literal["standard", "own"]
KeyScope = Literal["full", "read"]
WebhookEvent = Literal["release", "status"]
Clock = Literal["system", "set"]
StatusCode = Literal["pending", "updating", "fresh", "off_day", "partial", "stale", "unknown"]
Degradation = Literal[
    "source_stale",
    "predictions_stale",
    "results_awaiting_settlement",
    "daily_output_stale",
    "release_missing",
    "release_unavailable",
]
SampleSize = Literal["too_few", "small", "large"]
Verdict = Literal["model_better", "market_better", "undecided"]
Strategy = Literal[
    "follow_line_over",
    "fade_line_over",
    "follow_edge_over",
    "fade_edge_over",
    "follow_line_follow_edge_over",
    "follow_line_fade_edge_over",
    "fade_line_follow_edge_over",
    "fade_line_fade_edge_over",
    "follow_line_under",
    "fade_line_under",
    "follow_edge_under",
    "fade_edge_under",
    "follow_line_follow_edge_under",
    "follow_line_fade_edge_under",
    "fade_line_follow_edge_under",
    "fade_line_fade_edge_under",
    "follow_line_home",
    "fade_line_home",
    "follow_edge_home",
    "fade_edge_home",
    "follow_line_follow_edge_home",
    "follow_line_fade_edge_home",
    "fade_line_follow_edge_home",
    "fade_line_fade_edge_home",
    "follow_line_away",
    "fade_line_away",
    "follow_edge_away",
    "fade_edge_away",
    "follow_line_follow_edge_away",
    "follow_line_fade_edge_away",
    "fade_line_follow_edge_away",
    "fade_line_fade_edge_away",
]

_MODEL_TYPES: Mapping[str, str] = {"moneyline": "won_on_points", "spread": "won_on_spread", "total": "over_under"}
#: The trade's words for the markets. Columns of games begin with them.
MARKETS: tuple[Market, ...] = ("moneyline", "spread", "total")
_WORDS: Mapping[str, str] = {code: word for word, code in _MODEL_TYPES.items()}


def model_type(market: str) -> str:
    """Returns the API's code of a market. Other words are passed on, as a newer server may know them."""
    return _MODEL_TYPES.get(market, market)


def word(market: str) -> str:
    """Returns the trade's word for a market."""
    return _WORDS.get(market, market)


def public_market(market: str) -> str:
    """Returns the name of a market in the address of the free picks."""
    found = word(market)
    return "over_under" if found == "total" else found
