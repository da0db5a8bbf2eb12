#!/usr/bin/env python3
"""A second opinion on the grading rules, written apart from the crate and in exact arithmetic.

    python3 second_opinion.py FOLDER [--league nfl]

reads every CSV of FOLDER/games/{sport}/ and FOLDER/probabilities/{sport}/{model_type}/ (or, where
FOLDER holds a release.json, that one league's games/ and probabilities/{model_type}/), grades each
market of each season, and prints {sport: {model_type: {season: counts}}} as one JSON document.
"""

import argparse
import csv
import json
import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

PROFESSIONAL = {"mlb", "nba", "nfl", "nhl"}
FORECASTS = ("AI", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT")
REASONS = ("no_final", "no_line", "push", "no_prediction")
HALF = Decimal("0.5")
# Each market's price columns, positive side (over, home) first.
PRICES = {
    "over_under": ("over_line", "under_line"),
    "won_on_points": ("home_money_line", "away_money_line"),
    "won_on_spread": ("home_point_spread_line", "away_point_spread_line"),
}


@lru_cache(maxsize=None)
def number(cell):
    """The number in a cell; nothing in an empty one.

    >>> number("-3.5"), number(""), number(None)
    (Decimal('-3.5'), None, None)
    """
    return Decimal(cell) if cell else None


def price(cell):
    """An American price; zero is a placeholder for none.

    >>> price("-110"), price("0"), price("")
    (Decimal('-110'), None, None)
    """
    return number(cell) or None


def break_even(odds):
    """The share of bets that must win at a price, the bookmaker's margin included.

    >>> break_even(Decimal(-150)), break_even(Decimal(150))
    (Fraction(3, 5), Fraction(2, 5))
    """
    size = abs(Fraction(odds))
    return 100 / (size + 100) if odds > 0 else size / (size + 100)


@lru_cache(maxsize=None)
def no_vig(positive, negative):
    """The positive side's share of both break-even rates; nothing unless both sides are priced.

    >>> no_vig(Decimal(-110), Decimal(-110)), no_vig(Decimal(-200), Decimal(150))
    (Fraction(1, 2), Fraction(5, 8))
    >>> no_vig(Decimal(-200), None) is None
    True
    """
    if positive is None or negative is None:
        return None
    ours, theirs = break_even(positive), break_even(negative)
    return ours / (ours + theirs)


def score(game):
    """The final as (away, home); nothing without both.

    >>> score({"away_score": "17", "home_score": "24.0"}), score({"away_score": "", "home_score": ""})
    ((Decimal('17'), Decimal('24.0')), None)
    """
    away, home = number(game.get("away_score")), number(game.get("home_score"))
    return None if away is None or home is None else (away, home)


def line(market, game):
    """The posted number a final is held against; zero for a moneyline with at least one price.

    >>> line("won_on_spread", {"home_point_spread": "0.0"}), line("over_under", {"over_under": ""})
    (Decimal('0.0'), None)
    >>> line("won_on_points", {"away_money_line": "130"}), line("won_on_points", {"home_money_line": "0"})
    (Decimal('0'), None)
    """
    if market == "over_under":
        return number(game.get("over_under")) or None
    if market == "won_on_spread":
        return number(game.get("home_point_spread"))
    return Decimal(0) if any(price(game.get(column)) for column in PRICES[market]) else None


def beyond(market, final, posted):
    """The distance of the final to the positive side of the line: below zero the negative side won, zero is a push.

    >>> beyond("over_under", (20, 24), Decimal("44.0"))
    Decimal('0.0')
    >>> beyond("won_on_spread", (20, 24), Decimal("-3.5")), beyond("won_on_points", (24, 20), Decimal(0))
    (Decimal('0.5'), Decimal('-4'))
    """
    away, home = final
    return away + home - posted if market == "over_under" else home - away + posted


def grade(market, game, forecasts):
    """(reason, {model: won}): the reason a game is not graded, or none and what became of each pick.

    >>> final = {"away_score": "1", "home_score": "2", "home_money_line": "-200", "away_money_line": "170"}
    >>> grade("won_on_points", final, {"BLEND": "0.4", "RF": "0.5"})
    (None, {'BLEND': False, 'IMPLIED': True})
    >>> grade("won_on_points", final, {"BLEND": "0.5"})
    ('no_prediction', {})
    >>> grade("won_on_points", {**final, "away_score": "2"}, {})
    ('push', {})
    """
    final, posted = score(game), line(market, game)
    if final is None:
        return "no_final", {}
    if posted is None:
        return "no_line", {}
    margin = beyond(market, final, posted)
    if margin == 0:
        return "push", {}
    picks = {model: number(forecasts.get(model)) for model in FORECASTS}
    picks = {model: probability for model, probability in picks.items() if probability is not None and probability != HALF}
    if not picks:
        return "no_prediction", {}
    implied = no_vig(*(price(game.get(column)) for column in PRICES[market]))
    if implied is not None and implied != Fraction(1, 2):
        picks["IMPLIED"] = implied
    return None, {model: (probability > HALF) == (margin > 0) for model, probability in picks.items()}


@lru_cache(maxsize=None)
def slug(name):
    """A team's normalised name.

    >>> slug("St. John's"), slug("texas_am")
    ('st_johns', 'texas_am')
    """
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"['.&]", "", name.lower())).strip("_")


def key(row):
    """The values that identify a game within its league."""
    time = row.get("time_est") or row.get("time") or ""
    return row["date"], time, slug(row["away_team"]), slug(row["home_team"]), row.get("game_number") or ""


def rows(path):
    """The rows of a CSV file; none where there is no file."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def season_counts(market, games, forecasts):
    """Everything counted for one market of one season."""
    ungraded = dict.fromkeys(REASONS, 0)
    models = {model: {"wins": 0, "losses": 0} for model in ("IMPLIED", *FORECASTS)}
    decided, played, unsettled = [], [], []
    for game in games:
        reason, picks = grade(market, game, forecasts.get(key(game), {}))
        if reason:
            ungraded[reason] += 1
        for model, won in picks.items():
            models[model]["wins" if won else "losses"] += 1
        if reason == "no_final":
            unsettled.append(game["date"])
        elif reason != "no_line":
            played.append(game["date"])
            if reason != "push":
                decided.append(game["date"])
    if not any(models["AI"].values()):
        del models["AI"]
    dates = [game["date"] for game in games]
    return {
        "rows": len(games),
        "graded": len(games) - sum(ungraded.values()),
        "decided": len(decided),
        "pushes": ungraded["push"],
        "ungraded": ungraded,
        "models": models,
        "first_date": min(dates, default=None),
        "last_date": max(dates, default=None),
        "last_decided_date": max(decided, default=None),
        "last_played_with_line_date": max(played, default=None),
        "oldest_unsettled_date": min(unsettled, default=None),
    }


def league_counts(sport, games_folder, probabilities_folder):
    """The counts of every market and season of one league."""
    counts = {market: {} for market in PRICES}
    for path in sorted(games_folder.glob("*.csv")):
        games = rows(path)
        if sport in PROFESSIONAL:
            games = [game for game in games if game.get("game_type", "").lower() in ("", "regular", "postseason")]
        for market, seasons in counts.items():
            forecasts = {key(row): row for row in rows(probabilities_folder / market / path.name)}
            seasons[path.stem] = season_counts(market, games, forecasts)
    return counts


def leagues(folder):
    """(sport, its games folder, its probabilities folder) for each league of a data or release folder."""
    games, probabilities = folder / "games", folder / "probabilities"
    release = folder / "release.json"
    if release.exists():
        return [(json.loads(release.read_text(encoding="utf-8"))["sport"], games, probabilities)]
    return [(league.name, league, probabilities / league.name) for league in sorted(games.iterdir()) if league.is_dir()]


def main():
    arguments = argparse.ArgumentParser(description="Grade a data or release folder a second time, independently.")
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--league", help="only this one, such as nfl")
    asked = arguments.parse_args()
    found = [league for league in leagues(asked.folder) if asked.league in (None, league[0])]
    print(json.dumps({league[0]: league_counts(*league) for league in found}, indent=1))


if __name__ == "__main__":
    main()
