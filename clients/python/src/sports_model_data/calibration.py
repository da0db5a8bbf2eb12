"""The calibration of a market's models as an object."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, Generic, TypeVar

import polars as pl

from . import terms
from .records import Named

F = TypeVar("F")


@dataclass(frozen=True)
class CalibrationHead:
    """The head of the answer."""

    sport: str
    model_type: terms.ModelType
    season: str
    snapshot: str
    since: Annotated[date | None, Named("from")]
    until: Annotated[date | None, Named("to")]
    last_updated: datetime
    forecast_games: dict[str, int]


@dataclass(frozen=True)
class Calibration(Generic[F]):
    """The calibration of a market's models in a season: how right their probabilities were, and against the market's.

    `.scores` has a row for each source of forecasts and model, `.blocks` a row for each step of the reliability diagrams,
    `.bins` a row for each of the ten bins of Murphy's decomposition.
    """

    head: CalibrationHead
    scores: F
    blocks: F
    bins: F
    _blocks: pl.DataFrame

    def plot(self, *models: str) -> Any:
        """Returns the reliability diagram of these models, or of all, as an altair chart: on the diagonal they are right."""
        from .plots import reliability

        return reliability(self._blocks, models, f"{self.head.sport} {terms.word(self.head.model_type)} {self.head.season}")


_RATE, _COUNT = pl.Float64, pl.Int64
_OF = {"forecast_source": pl.String, "model": pl.String}
_SCORES = ("brier", "log_loss", "ece10")
SCORES: Mapping[str, Any] = {
    **_OF,
    "games": _COUNT,
    "sample": pl.String,
    **dict.fromkeys(_SCORES, _RATE),
    "clipped": _COUNT,
    **{f"corp_{name}": _RATE for name in ("mcb", "dsc", "unc", "mcb_p")},
    **{f"murphy_{name}": _RATE for name in ("rel", "res", "unc", "wbv", "wbc")},
    **{f"ece10_if_perfect_{name}": _RATE for name in ("mean", "low", "high")},
    "picks_wins": _COUNT,
    "picks_losses": _COUNT,
    **{f"picks_{name}": _RATE for name in ("rate", "wilson_low", "wilson_high", "break_even", "roi", "roi_low", "roi_high")},
    "market_games": _COUNT,
    "market_implied_brier": _RATE,
    "market_implied_log_loss": _RATE,
    "market_skill": _RATE,
    **{f"market_brier_{name}": _RATE for name in ("difference", "se", "t", "p", "low", "high", "p_holm")},
    "market_brier_dates": _COUNT,
    **{f"market_log_loss_{name}": _RATE for name in ("difference", "se", "t", "p", "low", "high")},
    "verdict": pl.String,
    "verdict_in_words": pl.String,
}
BLOCKS: Mapping[str, Any] = {
    **_OF,
    "p_min": _RATE,
    "p_max": _RATE,
    "games": _COUNT,
    "rate": _RATE,
    "band_low": _RATE,
    "band_high": _RATE,
}
BINS: Mapping[str, Any] = {
    **_OF,
    "from": _RATE,
    "to": _RATE,
    "games": _COUNT,
    "mean_p": _RATE,
    "rate": _RATE,
    "thin": pl.Boolean,
}


def rows(answer: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
    """Returns the rows of scores, of blocks and of bins."""
    scores, blocks, bins = [], [], []
    for source in answer["sources"]:
        for model in source["models"]:
            of = {"forecast_source": source["forecast_source"], "model": model["model"]}
            murphy = {name: value for name, value in model["murphy"].items() if name != "bins"}
            flat = {**model, "murphy": murphy}
            flat.pop("reliability_diagram")
            scores.append({**of, **flattened(flat)})
            blocks += [{**of, **block} for block in model["reliability_diagram"]]
            bins += [{**of, **one} for one in model["murphy"]["bins"]]
    return scores, blocks, bins


def flattened(value: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Returns an object with the fields of objects within it beside its own, their names joined by `_`."""
    flat: dict[str, Any] = {}
    for name, one in value.items():
        flat |= flattened(one, f"{prefix}{name}_") if isinstance(one, Mapping) else {f"{prefix}{name}": one}
    return flat
