#!/usr/bin/env python3
"""Prints, per league, the rates that tests/it/calibration.rs expects of the simulated world.

    python3 crates/demo/tests/real_rates.py DATA

DATA has the folders `games/` and `probabilities/` of real historical seasons (SPORTS_REAL_DATA).
Percentages are of decided games unless the row says otherwise; preseason games are left out. There
is no hockey in the data.
"""

import csv
import glob
import os
import statistics
import sys

LEAGUES = ("mlb", "nba", "nfl", "ncaaf", "ncaab")
MODELS = ("CATB", "RF", "LGB", "LOGR", "XGB", "XT")
MARKETS = {"spread": "won_on_spread", "total": "over_under", "money": "won_on_points"}


def number(row, name):
    text = row.get(name) or ""
    return float(text) if text else None


def rows(data, kind, sport):
    for path in sorted(glob.glob(os.path.join(data, kind, sport, "*.csv"))):
        with open(path, newline="") as file:
            yield from csv.DictReader(file)


def key(row):
    return tuple(row.get(name, "") for name in ("date", "time_est", "away_team", "home_team", "game_number"))


def outcome(game, market):
    """1 for the positive side, 0 for the negative, None for a push, a missing line or no final."""
    home, away = number(game, "home_score"), number(game, "away_score")
    line = {"spread": number(game, "home_point_spread"), "total": number(game, "over_under"), "money": 0.0}[market]
    if home is None or away is None or line is None:
        return None
    value = {"spread": home - away + line, "total": home + away - line, "money": home - away}[market]
    return None if value == 0 else int(value > 0)


def share(flags):
    flags = list(flags)
    return f"{100 * sum(flags) / len(flags):.2f}" if flags else "-"


def spread_of(values):
    values = list(values)
    return f"{statistics.pstdev(values):.2f}" if len(values) > 1 else "-"


def mean_of(values):
    values = list(values)
    return f"{statistics.fmean(values):.2f}" if values else "-"


def implied(price):
    return 100 / (price + 100) if price > 0 else -price / (-price + 100)


def money_line_rates(games):
    priced = [(number(g, "home_money_line"), number(g, "away_money_line"), g) for g in games]
    both = [(h, a, g) for h, a, g in priced if h is not None and a is not None]
    wins = [outcome(g, "money") == int(h < a) for h, a, g in both if h != a and outcome(g, "money") is not None]
    fair = [implied(h) / (implied(h) + implied(a)) for h, a, _ in both]
    return {
        "money line favourite wins": share(wins),
        "money line margin, %": mean_of(100 * (implied(h) + implied(a) - 1) for h, a, _ in both),
        "fair home probability, sd": spread_of(100 * p for p in fair),
        "one-sided money line, of priced": share((h is None) != (a is None) for h, a, _ in priced if h or a),
        "even money line, of priced": share(h == a for h, a, _ in both),
    }


def line_rates(games):
    finals = [g for g in games if number(g, "home_score") is not None]
    pushes = lambda market, name: share(
        outcome(g, market) is None for g in finals if number(g, name) is not None)
    favoured = [(number(g, "home_point_spread"), outcome(g, "spread")) for g in finals]
    spreads = [number(g, "home_point_spread") for g in games if number(g, "home_point_spread") is not None]
    totals = [number(g, "over_under") for g in games if number(g, "over_under") is not None]
    opened = [(number(g, "open_home_point_spread"), number(g, "home_point_spread")) for g in games]
    moved = [abs(o - c) for o, c in opened if o and c is not None and abs(o - c) < 10]
    open_totals = [(number(g, "open_over_under"), number(g, "over_under")) for g in games]
    moved_totals = [abs(o - c) for o, c in open_totals if o and c is not None and abs(o - c) < 30]
    return {
        "home wins": share(outcome(g, "money") == 1 for g in finals if outcome(g, "money") is not None),
        "ties, of finals": share(outcome(g, "money") is None for g in finals),
        "home covers": share(outcome(g, "spread") for g in finals if outcome(g, "spread") is not None),
        "favourite covers": share(int(s < 0) == o for s, o in favoured if s and o is not None),
        "over": share(outcome(g, "total") for g in finals if outcome(g, "total") is not None),
        "spread pushes, of finals": pushes("spread", "home_point_spread"),
        "total pushes, of finals": pushes("total", "over_under"),
        "spread on a whole number": share(s == int(s) for s in spreads),
        "total on a whole number": share(t == int(t) for t in totals),
        "pick'ems": share(s == 0 for s in spreads),
        "spread size, mean": mean_of(map(abs, spreads)),
        "spread, sd": spread_of(spreads),
        "total line, mean": mean_of(totals),
        "total line, sd": spread_of(totals),
        "margin off the spread, sd": spread_of(
            number(g, "home_score") - number(g, "away_score") + number(g, "home_point_spread")
            for g in finals if number(g, "home_point_spread") is not None),
        "total off the line, sd": spread_of(
            number(g, "home_score") + number(g, "away_score") - number(g, "over_under")
            for g in finals if number(g, "over_under") is not None),
        "spread move, mean size": mean_of(moved),
        "total move, mean size": mean_of(moved_totals),
        "zero opener four points off": share(o == 0 and abs(c) >= 4 for o, c in opened if o is not None and c is not None),
    }


def price_rates(games):
    pairs = {
        "even spread prices": ("home_point_spread_line", "away_point_spread_line"),
        "even total prices": ("over_line", "under_line"),
    }
    rates = {}
    for name, (positive, negative) in pairs.items():
        both = [(number(g, positive), number(g, negative)) for g in games]
        both = [(p, n) for p, n in both if p is not None and n is not None]
        rates[name] = share(p == n for p, n in both)
        rates[name.replace("even", "margin of") + ", %"] = mean_of(100 * (implied(p) + implied(n) - 1) for p, n in both)
    return rates


def model_rates(data, sport, games):
    by_key = {key(g): g for g in games}
    rates = {}
    for market, model_type in MARKETS.items():
        hits = {model: [] for model in ("BLEND", *MODELS)}
        blends, singles = [], []
        for row in rows(data, os.path.join("probabilities", sport), model_type):
            game = by_key.get(key(row))
            happened = outcome(game, market) if game else None
            blends.append(float(row["BLEND"]))
            singles.append(statistics.pstdev(float(row[model]) for model in MODELS))
            for model in hits:
                probability = float(row[model])
                if happened is not None and probability != 0.5:
                    hits[model].append(happened == int(probability > 0.5))
        each = [float(share(hits[model])) for model in MODELS if hits[model]]
        rates[f"BLEND hits, {market}"] = share(hits["BLEND"])
        rates[f"worst model hits, {market}"] = f"{min(each):.2f}" if each else "-"
        rates[f"best model hits, {market}"] = f"{max(each):.2f}" if each else "-"
        rates[f"BLEND, sd of %, {market}"] = spread_of(100 * b for b in blends)
        rates[f"models of a game, sd of %, {market}"] = mean_of(100 * s for s in singles)
    return rates


def of_league(data, sport):
    games = [g for g in rows(data, "games", sport) if g["game_type"] != "preseason"]
    twice = {}
    for game in games:
        twice[(game["date"], game["away_team"], game["home_team"])] = (
            twice.get((game["date"], game["away_team"], game["home_team"]), 0) + 1)
    double = sum(n for n in twice.values() if n > 1)
    rates = {"games": str(len(games)), "in doubleheaders, of games": f"{100 * double / len(games):.2f}"}
    return rates | line_rates(games) | money_line_rates(games) | price_rates(games) | model_rates(data, sport, games)


def main():
    data = sys.argv[1] if len(sys.argv) > 1 else os.environ["SPORTS_REAL_DATA"]
    table = {sport: of_league(data, sport) for sport in LEAGUES}
    print(f"{'':38}" + "".join(f"{sport:>9}" for sport in LEAGUES))
    for name in table[LEAGUES[0]]:
        print(f"{name:38}" + "".join(f"{table[sport][name]:>9}" for sport in LEAGUES))


main()
