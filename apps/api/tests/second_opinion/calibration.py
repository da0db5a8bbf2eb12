#!/usr/bin/env python3
"""A second opinion on calibration: scores and isotonic regression by scikit-learn, their decomposition by model-diagnostics,
Student's t by SciPy, intervals by draws of NumPy's own.

    python3 calibration.py FOLDER

reads the folders that analytics.py reads, and prints {sport: {model_type: {season: [models]}}} in the shape of the service's
answers. A figure from draws is {"about": figure, "within": tolerance}: four standard errors of the draws, or what the design
allows; one that is too coarse to be compared is left out.
"""

from decimal import Decimal
from functools import cache

import numpy as np
import pandas as pd
from analytics import MODELS, answer, judged
from model_diagnostics.scoring import SquaredError, decompose
from scipy import optimize, stats
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss

CLIP = 1e-6
DRAWS = 1_000
# More than the service draws, so that most of the difference is its own.
DATE_DRAWS = 10_000
# With fewer dates, or fewer games in a block, draws have few values, and ends jump from one to the next.
ENOUGH_DATES, ENOUGH_GAMES = 20, 30


def clipped(probability):
    """Probabilities that a log loss can take.

    >>> [float(p) for p in clipped(np.array([0.0, 0.3, 1.0]))]
    [1e-06, 0.3, 0.999999]
    """
    return np.clip(probability, CLIP, 1 - CLIP)


def tenth(probability):
    """The bin of a probability, by its decimal digits.

    >>> [tenth(p) for p in (0.0, 0.29999999999999993, 0.3, 1.0)]
    [0, 2, 3, 9]
    """
    return min(int(Decimal(repr(float(probability))) * 10), 9)


def holm(p_values):
    """Holm's correction.

    >>> [round(p, 6) for p in holm(pd.Series([0.01, 0.04, 0.03, 0.005]))]
    [0.03, 0.06, 0.06, 0.02]
    """
    ranked = p_values.sort_values()
    factors = np.arange(len(ranked), 0, -1)
    return (ranked * factors).cummax().clip(upper=1)[p_values.index]


def about(figure, within):
    """A figure that draws may miss by so much."""
    return {"about": float(figure), "within": float(within)}


@cache
def drawn_dates(dates):
    """The counts of so many dates in each draw."""
    generator = np.random.default_rng(dates)
    return generator.multinomial(dates, np.full(dates, 1 / dates), size=DATE_DRAWS).astype(np.float32)


def ends(day, sums, weights, error=None):
    """The ends of a ratio's interval over drawn dates."""
    by_day = pd.DataFrame({"sum": sums, "weight": weights}).groupby(np.asarray(day)).sum()
    if len(by_day) < ENOUGH_DATES:
        return None
    drawn = drawn_dates(len(by_day))
    ratios = (drawn @ by_day["sum"].to_numpy()) / (drawn @ by_day["weight"].to_numpy())
    within = max(0.0005, (ratios.std() if error is None else error) / 4)
    return [about(end, within) for end in np.quantile(ratios, [0.025, 0.975])]


def difference(day, losses):
    """Diebold and Mariano's test with the games of a date as one cluster."""
    n, mean = len(losses), losses.mean()
    clusters = (losses - mean).groupby(np.asarray(day)).sum()
    dates = len(clusters)
    found = {"difference": float(mean)}
    if dates < 2:
        return found | dict.fromkeys(("se", "t", "p", "low", "high"))
    error = float(np.sqrt(dates / (dates - 1) * (clusters**2).sum()) / n)
    t = mean / error
    found |= {"se": error, "t": float(t), "p": float(2 * stats.t.sf(abs(t), dates - 1)) if n >= 30 else None}
    interval = ends(day, losses, np.ones(n), error)
    return found | (dict(zip(("low", "high"), interval)) if interval else {})


def murphy(p, y):
    """Murphy's terms, the bins and the calibration error."""
    games = pd.DataFrame({"p": p, "y": y, "bin": [tenth(value) for value in p]})
    bins = games.groupby("bin").agg(games=("p", "size"), mean_p=("p", "mean"), rate=("y", "mean"))
    mean_p, rate = (bins[name].reindex(games["bin"]).to_numpy() for name in ("mean_p", "rate"))
    base = y.mean()
    shown = []
    for place in range(10):
        there = bins.loc[place] if place in bins.index else None
        shown.append({
            "from": place / 10, "to": (place + 1) / 10, "games": 0 if there is None else int(there["games"]),
            "mean_p": None if there is None else float(there["mean_p"]),
            "rate": None if there is None else float(there["rate"]), "thin": bool(there is None or there["games"] < 10),
        })  # fmt: skip
    terms = {
        "rel": np.mean((mean_p - rate) ** 2), "res": np.mean((rate - base) ** 2), "unc": base * (1 - base),
        "wbv": np.mean((p - mean_p) ** 2), "wbc": 2 * np.mean((p - mean_p) * (y - rate)),
    }  # fmt: skip
    error = (bins["games"] * (bins["mean_p"] - bins["rate"]).abs()).sum() / len(p)
    return {name: float(term) for name, term in terms.items()} | {"bins": shown}, float(error)


def perfect(p, mcb, blocks, seed):
    """The effect of chance on the figures of a perfect forecaster."""
    generator = np.random.default_rng(seed)
    each, games = np.unique(p, return_counts=True)
    won = generator.binomial(games, each, size=(DRAWS, len(each)))
    score = lambda q, won: (won * (1 - q) ** 2 + (games - won) * q**2).sum() / len(p)
    fitted = np.array([optimize.isotonic_regression(rates, weights=games).x for rates in won / games])
    worse = sum(score(each, drawn) - score(q, drawn) >= mcb - 1e-9 for q, drawn in zip(fitted, won))
    bins = np.array([tenth(value) for value in each])
    errors = sum(
        np.abs((games * each)[bins == place].sum() - won[:, bins == place].sum(axis=1)) for place in np.unique(bins)
    ) / len(p)
    # Both have drawn as often, so that the error of their difference is greater by the root of two.
    spread = errors.std() * 2**0.5
    # Errors have a long tail, on which an end is drawn less exactly than a mean: 4 standard errors are .55 of the spread.
    ends_of_error = [about(end, 0.55 * spread + 1e-9) for end in np.quantile(errors, [0.025, 0.975])]
    bands = []
    for block in blocks:
        inside = (each >= block["p_min"]) & (each <= block["p_max"])
        rates = (fitted * games)[:, inside].sum(axis=1) / games[inside].sum()
        low, high = (about(end, max(0.02, 0.5 * rates.std())) for end in np.quantile(rates, [0.05, 0.95]))
        bands.append({"band_low": low, "band_high": high} if block["games"] >= ENOUGH_GAMES else {})
    error = {"mean": about(errors.mean(), 4 * spread / DRAWS**0.5 + 1e-9)} | dict(zip(("low", "high"), ends_of_error))
    return about((1 + worse) / (1 + DRAWS), 0.065 * 2**0.5) if len(p) >= 30 else None, error, bands


def calibration(game, model, seed):
    """One model's entry; with draws of seasons where there is a seed, for they take long."""
    games = game[game["decided"] & game[model].notna()]
    if games.empty:
        return {"model": model, "games": 0}, None
    p, y = games[model].to_numpy(), (games["winner"] == 1).astype(int).to_numpy()
    parts = decompose(y_obs=y, y_pred=p, scoring_function=SquaredError())
    named = {"mcb": "miscalibration", "dsc": "discrimination", "unc": "uncertainty"}
    corp = {ours: float(parts[theirs][0]) for ours, theirs in named.items()}
    rates = IsotonicRegression(y_min=0, y_max=1).fit(p, y).predict(p)
    steps = pd.DataFrame({"p": p, "rate": rates}).groupby(np.round(rates, 10)).agg(
        p_min=("p", "min"), p_max=("p", "max"), games=("p", "size"), rate=("rate", "mean")
    )  # fmt: skip
    diagram = [{name: float(value) for name, value in step.items()} for step in steps.to_dict("records")]
    terms, error = murphy(p, y)
    entry = {
        "model": model, "games": len(p), "sample": "too_few" if len(p) < 30 else "small" if len(p) < 200 else "large",
        "brier": float(brier_score_loss(y, p, labels=[0, 1])), "log_loss": float(log_loss(y, clipped(p), labels=[0, 1])),
        "clipped": int((clipped(p) != p).sum()), "corp": corp, "murphy": terms, "ece10": error,
    }  # fmt: skip
    if seed is not None:
        corp["mcb_p"], entry["ece10_if_perfect"], bands = perfect(p, corp["mcb"], diagram, seed)
        diagram = [step | band for step, band in zip(diagram, bands)]
    entry["reliability_diagram"] = diagram

    picked = games[games["pick " + model] != 0]
    won = picked["pick " + model] == picked["winner"]
    odds = pd.Series(np.where(picked["pick " + model] == 1, picked["d_pos"], picked["d_neg"]), picked.index)
    back = (odds - 1).where(won, -1.0)[odds.notna()]
    test = stats.binomtest(int(won.sum()), len(won)).proportion_ci(method="wilson") if len(won) else None
    interval = ends(picked["date"][odds.notna()], back, np.ones(len(back))) if len(back) else None
    entry["picks"] = {
        "wins": int(won.sum()), "losses": int((~won).sum()), "rate": float(won.mean()) if len(won) else None,
        "wilson_low": float(test.low) if test else None, "wilson_high": float(test.high) if test else None,
        "break_even": float((1 / odds).mean()) if len(back) else None, "roi": float(back.mean()) if len(back) else None,
    } | (dict(zip(("roi_low", "roi_high"), interval)) if interval else {})  # fmt: skip

    both = games[games["IMPLIED"].notna()]
    if both.empty:
        return entry, None
    p, m, y = both[model], both["IMPLIED"], (both["winner"] == 1).astype(int)
    log = lambda q: pd.Series(-np.log(np.where(y == 1, clipped(q), 1 - clipped(q))), both.index)
    theirs = {"brier": brier_score_loss(y, m, labels=[0, 1]), "log_loss": log_loss(y, clipped(m), labels=[0, 1])}
    brier = difference(both["date"], (p - y) ** 2 - (m - y) ** 2) | {"dates": both["date"].nunique()}
    entry["market"] = {
        "games": len(both), "implied": {name: float(score) for name, score in theirs.items()},
        "skill": float(1 - brier_score_loss(y, p, labels=[0, 1]) / theirs["brier"]), "brier": brier,
        "log_loss": difference(both["date"], log(p) - log(m)),
    }  # fmt: skip
    return entry, brier["p"]


def season(market, games, forecasts, seed):
    """The entries of a season's models; of two of them with drawn seasons, another second one each season."""
    game = judged(market, games, forecasts)
    models = [model for model in MODELS[1:] if game[model].notna().any()]
    drawn = {"BLEND": seed, models[seed % len(models)]: seed} if models else {}
    found = [calibration(game, model, drawn.get(model)) for model in models]
    p_values = pd.Series({place: p for place, (_, p) in enumerate(found) if p is not None}, dtype=float)
    for place, corrected in holm(p_values).items():
        market = found[place][0]["market"]
        market["brier"]["p_holm"] = float(corrected)
        sign = "model_better" if market["brier"]["difference"] < 0 else "market_better"
        found[place][0]["verdict"] = sign if corrected <= 0.05 else "undecided"
    return [entry for entry, _ in found]


if __name__ == "__main__":
    answer(season)
