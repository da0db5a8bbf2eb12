#!/usr/bin/env python3
"""A second opinion on closing-line values, from what the service served at every generation of a record.

    python3 clv.py FILE

reads a file of JSON: "releases", oldest first, each with "generation", "published_at", "odds" (null, or "read_at" and "games")
and "predictions" (null, or the games of each market); "results", the rows of each market; and "now". It prints
{market: {taken: answer}} in the shape of the service's answers. Only answers as of a generation are read, no history.
"""

import json
import sys
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
from calibration import difference

MODELS = ["AI", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"]
PRICES = {
    "won_on_points": ("home_money_line", "away_money_line"),
    "won_on_spread": ("home_point_spread_line", "away_point_spread_line"),
    "over_under": ("over_line", "under_line"),
}
LINES = {"won_on_points": None, "won_on_spread": "home_point_spread", "over_under": "over_under"}
ANY_PRICE = [price for pair in PRICES.values() for price in pair]
WITHIN = timedelta(minutes=120)
EASTERN = ZoneInfo("America/New_York")


def decimal(price):
    """Decimal odds.

    >>> [round(decimal(price), 6) for price in (-125, 140)]
    [1.8, 2.4]
    """
    return 1 + (price / 100 if price > 0 else 100 / -price)


def fair(pick, other):
    """The no-vig probability of the picked side.

    >>> round(fair(-150, 130), 6)
    0.579832
    """
    return (1 / decimal(pick)) / (1 / decimal(pick) + 1 / decimal(other))


def instant(text):
    return datetime.fromisoformat(text)


def start(row):
    """The start of a game."""
    return datetime.fromisoformat(f"{row['date']}T{row['time_est']}").replace(tzinfo=EASTERN)


def served(releases, market, game_id, until):
    """The forecasts of a game before an instant: each with the release that first had it."""
    found = []
    for release in releases:
        if release["predictions"] is None or instant(release["published_at"]) >= until:
            continue
        game = release["predictions"][market].get(game_id)
        names = [*PRICES[market], *([LINES[market]] if LINES[market] else [])]
        openers = [name for name in (game or {}) if name.startswith("open_")]
        content = game and (game["predictions"], [game[name] for name in names + openers])
        if not found or found[-1][0] != content:
            found.append((content, release, game))
    return [(release, game) for content, release, game in found if content]


def close_of(releases, game_id, until):
    """The last odds of a game with a price before an instant."""
    for release in reversed(releases):
        if release["odds"] is None or instant(release["published_at"]) >= until:
            continue
        game = release["odds"]["games"].get(game_id)
        if game and any(game[price] is not None for price in ANY_PRICE):
            return release, game
    return None


def pick_of(market, probability, taken, close):
    """The measures of a pick, or the reason for which it has none."""
    positive = probability > 0.5
    side = (lambda game: tuple(game[name] for name in (PRICES[market] if positive else PRICES[market][::-1])))
    values = {"line_clv": None, "clv_ev": None, "clv_prob": None}
    if LINES[market]:
        ours, theirs = taken[LINES[market]], close[LINES[market]]
        if ours is None or theirs is None:
            return values, "no_line"
        # The over and the away side gain if the number rises, the under and the home side if it falls.
        rises = positive if market == "over_under" else not positive
        values["line_clv"] = theirs - ours if rises else ours - theirs
    (price, other), closing = side(taken), side(close)
    if price is None or None in closing:
        return values, "no_price"
    if LINES[market] and taken[LINES[market]] != close[LINES[market]]:
        return values, "line_moved"
    values["clv_ev"] = decimal(price) * fair(*closing) - 1
    values["clv_prob"] = None if other is None else fair(*closing) - fair(price, other)
    return values, None


def measure(picks, name):
    """The mean of a measure, with its error over dates."""
    picks = picks[picks[name].notna()] if len(picks) else picks
    found = {"picks": len(picks), "dates": picks["date"].nunique() if len(picks) else 0}
    if picks.empty:
        return found | dict.fromkeys(("mean", "se", "t", "p", "low", "high", "positive"))
    values = picks[name].astype(float).reset_index(drop=True)
    test = difference(picks["date"], values)
    found |= {"mean": test.pop("difference"), "positive": float((values > 0).mean())}
    return found | (test if len(picks) >= 30 else {"se": test["se"]} | dict.fromkeys(("t", "p", "low", "high")))


def answer(record, market, taken):
    """The answer of the service."""
    now, releases = instant(record["now"]), record["releases"]
    live = [row for row in record["results"][market] if row["forecast_source"] == "live"]
    counts = {"not_recorded_here": 0, "not_started": 0, "not_played": 0}
    picks = []
    for row in live:
        begins = start(row)
        if row["away_score"] is None and row["settlement_status"] not in (None, "settled"):
            counts["not_played"] += 1
            continue
        if begins > now:
            counts["not_started"] += 1
            continue
        forecasts = served(releases, market, row["game_id"], begins)
        made_at = instant(row["forecast_published_at"])
        standing = [item for item in forecasts if instant(item[0]["published_at"]) <= made_at][-1]
        close = close_of(releases, row["game_id"], begins)
        for model in MODELS:
            of_model = [item for item in forecasts if item[1]["predictions"].get(model) is not None]
            release, game = (of_model or [standing])[0] if taken == "first" else standing
            probability = game["predictions"].get(model)
            if probability is None:
                continue
            values, reason = dict.fromkeys(("line_clv", "clv_ev", "clv_prob")), None
            if probability == 0.5:
                reason = "no_pick"
            elif close is None:
                reason = "no_close"
            elif begins - instant(close[0]["odds"]["read_at"]) > WITHIN:
                reason = "stale_close"
            elif close[0]["generation"] <= release["generation"]:
                reason = "no_later_odds"
            else:
                values, reason = pick_of(market, probability, game, close[1])
            picks.append({"model": model, "date": row["date"], "reason": reason, **values})
    return counts | {"models": [entry(pd.DataFrame(picks), market, model) for model in MODELS if of(picks, model)]}


def of(picks, model):
    return any(pick["model"] == model for pick in picks)


def entry(picks, market, model):
    """The answer for one model."""
    picks = picks[picks["model"] == model]
    taken = picks[picks["reason"] != "no_pick"]
    reasons = ["no_close", "stale_close", "no_later_odds", "no_line", "no_price", "line_moved"]
    return {
        "model": model, "picks": len(taken), "no_pick": len(picks) - len(taken),
        "clv_ev": measure(taken, "clv_ev"), "clv_prob": measure(taken, "clv_prob"),
        "line_clv": measure(taken, "line_clv") if LINES[market] else None,
        "excluded": {reason: int((taken["reason"] == reason).sum()) for reason in reasons},
    }  # fmt: skip


def plain(value):
    """NumPy's numbers as Python's."""
    return value.item() if isinstance(value, np.generic) else str(value)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        record = json.load(file)
    answers = {
        market: {taken: answer(record, market, taken) for taken in ("standing", "first")} for market in record["results"]
    }
    print(json.dumps(answers, default=plain))
