#!/usr/bin/env python3
"""A second opinion on every figure computed from graded games, in pandas, sharing no code with the service.

    python3 analytics.py FOLDER

reads FOLDER/games/{sport}/*.csv and FOLDER/probabilities/{sport}/{model_type}/*.csv (or, where FOLDER holds
a release.json, that one league's games/*.csv and probabilities/{model_type}/*.csv) and prints, as one JSON
document, {sport: {model_type: {season: figures}}}, the figures in the shape of the service's answers.
Odds are decimal odds throughout, and sides follow from arithmetic on columns.
"""

import functools
import json
import math
import re
import sys
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np
import pandas as pd

MODELS = ["IMPLIED", "AI", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"]
SIX = MODELS[3:9]
KEY = ["date", "time_est", "away_team", "home_team", "game_number"]
PRICES = {
    "over_under": ("over_line", "under_line"),
    "won_on_points": ("home_money_line", "away_money_line"),
    "won_on_spread": ("home_point_spread_line", "away_point_spread_line"),
}
SIDES = {"over_under": ("over", "under"), "won_on_points": ("home", "away"), "won_on_spread": ("home", "away")}
NONE_OR_ALIKE = 1e-9
# Opening spreads that are none, as release.json says.
NO_OPENERS = []


def rounded(number, places):
    """A figure as it is shown, halves away from zero; nothing stays nothing.

    >>> rounded(Decimal(100) / 32, 2), rounded(-0.0000001, 6), rounded(None, 2)
    (3.13, 0.0, None)
    """
    if number is None:
        return None
    exact = number if isinstance(number, Decimal) else Decimal(repr(round(float(number), 12)))
    return float(exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)) + 0.0


def share(part, whole, places=6, times=1):
    """`part / whole`; nothing over nothing.

    >>> share(2, 3), share(1, 0), share(1, 3, 2, 100)
    (0.666667, None, 33.33)
    """
    return rounded(Decimal(int(part)) * times / Decimal(int(whole)), places) if whole else None


def decimal_odds(american):
    """American odds as decimal odds; zero and nothing are no odds.

    >>> decimal_odds(pd.Series([-110.0, 150.0, 0.0])).round(6).tolist()
    [1.909091, 2.5, nan]
    """
    american = american.where(american != 0)
    return np.where(american > 0, american / 100 + 1, 100 / -american + 1) + 0 * american


def slug(name):
    """A team's slug.

    >>> slug("New York Giants"), slug("St. John's")
    ('new_york_giants', 'st_johns')
    """
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"['.&]", "", name.lower())).strip("_")


def table(path):
    """A file's rows, keys as text; every other column a number where it holds numbers."""
    rows = pd.read_csv(path, dtype={"date": str, "time_est": str, "season": str, "game_number": str})
    for column in KEY:
        rows[column] = rows[column].fillna("") if column in rows else ""
    for column in ["away_team", "home_team"]:
        rows[column] = rows[column].map(slug)
    return rows


def column(rows, name):
    """A column of numbers, empty where the file has no such column."""
    return pd.to_numeric(rows[name]) if name in rows else pd.Series(np.nan, rows.index)


def games_of(sport, path):
    """The games that count, in the order the service lists them."""
    games = table(path)
    if sport in ("mlb", "nba", "nfl", "nhl") and "game_type" in games:
        kind = games["game_type"].fillna("").str.lower()
        games = games[kind.isin(["", "regular", "postseason"])]
    last = games["time_est"].replace("", "99")
    return games.assign(last=last).sort_values(["date", "last", "away_team", "home_team", "game_number"])


def judged(market, games, forecasts):
    """One row a game with everything figures need: margin, sides, odds, probabilities, picks."""
    if forecasts is None:
        forecasts = pd.DataFrame(columns=KEY)
    forecasts = forecasts[KEY + [model for model in MODELS[1:] if model in forecasts]]
    game = games.drop(columns=[m for m in MODELS if m in games]).merge(forecasts, on=KEY, how="left", validate="1:1")
    away, home = column(game, "away_score"), column(game, "home_score")
    game["final"] = away.notna() & home.notna()
    game["status"] = game["settlement_status"] if "settlement_status" in game else None
    game["verified"] = np.where(game["status"].notna(), game["status"] == "settled", game["final"])
    over, under = PRICES[market]
    game["d_pos"], game["d_neg"] = decimal_odds(column(game, over)), decimal_odds(column(game, under))
    total = column(game, "over_under")
    if market == "over_under":
        game["line"], game["margin"] = total.where(total > 0), away + home - total
        open_total = column(game, "open_over_under")
        game["moved"] = total - open_total.where(open_total > 0)
    elif market == "won_on_spread":
        game["line"] = column(game, "home_point_spread")
        game["margin"] = home - away + game["line"]
        opener = column(game, "open_home_point_spread")
        game["moved"] = opener.mask(opener.isin(NO_OPENERS)) - game["line"]
    else:
        game["line"] = np.where(game["d_pos"].notna() | game["d_neg"].notna(), 0.0, np.nan)
        game["margin"] = home - away
        game["moved"] = 1 / game["d_pos"] - 1 / decimal_odds(column(game, "open_home_money_line"))
    game["lined"] = game["line"].notna()
    game["finished"] = game["final"] & game["lined"]
    game["winner"] = np.sign(game["margin"]).where(game["finished"])
    implied = (1 / game["d_pos"]) / (1 / game["d_pos"] + 1 / game["d_neg"])
    game["IMPLIED"] = implied.where((implied - 0.5).abs() > NONE_OR_ALIKE, 0.5).where(implied.notna())
    for model in MODELS[1:]:
        game[model] = column(game, model)
    for model in MODELS:
        game["pick " + model] = np.sign(game[model] - 0.5).fillna(0)
    decided = game["finished"] & (game["winner"] != 0)
    game["predicted"] = (game[["pick " + model for model in MODELS[1:]]] != 0).any(axis=1)
    game["graded"] = decided & game["predicted"]
    votes = game[["pick " + model for model in SIX]]
    game["pick ENSEMBLE"] = np.where((votes == 1).sum(axis=1) >= 5, 1, np.where((votes == -1).sum(axis=1) >= 5, -1, 0))
    game["day"] = pd.to_datetime(game["date"])
    game["decided"] = decided
    return game


def wilson(wins, games):
    """The 95 percent interval of a rate, from the roots of (p - rate)² = z² p (1 - p) / n.

    >>> [round(end, 4) for end in wilson(195, 285)]
    [0.6281, 0.7354]
    """
    z2 = 1.959963984540054**2
    a, b, c = 1 + z2 / games, -(2 * wins / games + z2 / games), (wins / games) ** 2
    root = math.sqrt(max(b * b - 4 * a * c, 0.0))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


@functools.cache
def draws(dates):
    """The counts of the dates in each of 8,000 draws of so many dates."""
    return np.random.default_rng(dates).multinomial(dates, [1 / dates] * dates, size=8000).astype(float)


def roi_ends(bets, back, times=1):
    """The facts about the ends of a return's interval: none below two dates, and from twenty dates on their
    approximate places."""
    by_date = back.groupby(bets["date"]).agg(["sum", "size"])
    if len(by_date) < 2:
        return None, None
    if len(by_date) < 20:
        return {}, {}
    drawn = draws(len(by_date))
    ratios = times * (drawn @ by_date["sum"].to_numpy()) / (drawn @ by_date["size"].to_numpy().astype(float))
    within = max(0.0005 * times, 0.4 * ratios.std())
    return tuple({"about": float(np.quantile(ratios, share)), "within": within} for share in (0.025, 0.975))


def by_model(game, model):
    """The games a model picked and that were graded, with what became of the pick."""
    picked = game[game["graded"] & (game["pick " + model] != 0)]
    return picked.assign(won=picked["pick " + model] == picked["winner"])


def staked(game, model):
    """One unit on the side with the higher expected value of every priced game that is graded, or would be but for
    the push."""
    priced = game["d_pos"].notna() & game["d_neg"].notna() & game[model].notna()
    bets = game[game["finished"] & game["predicted"] & priced]
    ev_pos, ev_neg = bets[model] * bets["d_pos"] - 1, (1 - bets[model]) * bets["d_neg"] - 1
    alike = (ev_pos - ev_neg).abs() <= NONE_OR_ALIKE
    favoured = np.where(bets["pick " + model] == -1, -1, 1)
    side = np.where(alike, favoured, np.where(ev_pos > ev_neg, 1, -1))
    odds = np.where(side == 1, bets["d_pos"], bets["d_neg"])
    back = np.where(bets["winner"] == 0, 0.0, np.where(bets["winner"] == side, odds - 1, -1.0))
    return bets.assign(back=back, side=side, value=np.where(side == 1, ev_pos, ev_neg))


def followed(games, side):
    """The record of who takes these sides: 1 for the first, -1 for the second."""
    won, pushed = games["winner"] == side, games["winner"] == 0
    odds = games["d_pos"].where(side == 1, games["d_neg"])
    priced = odds.notna()
    back = (odds - 1).where(won, -1.0).mask(pushed, 0.0)[priced]
    wins, lost = int(won.sum()), int((~won & ~pushed).sum())
    ends = [rounded(end, 6) for end in wilson(wins, wins + lost)] if wins + lost else [None, None]
    decided = odds[priced & ~pushed]
    favoured = games[games["pick IMPLIED"] != 0]
    favourites = favoured["pick IMPLIED"] * favoured["winner"]
    low, high = roi_ends(games[priced], back) if len(back) else (None, None)
    return {
        "won": wins, "lost": lost, "pushed": int(pushed.sum()), "staked": len(back), "units": rounded(back.sum(), 6),
        "roi": rounded(back.mean(), 6) if len(back) else None, "roi_low": low, "roi_high": high,
        "break_even": rounded((1 / decided).mean(), 6) if len(decided) else None,
        "wilson_low": ends[0], "wilson_high": ends[1],
        "baseline_won": int((favourites == 1).sum()), "baseline_lost": int((favourites == -1).sum()),
        "baseline_pushed": int((favourites == 0).sum()),
    }  # fmt: skip


def summaries(market, game):
    """The summary's entries."""
    entries = []
    last = game.loc[game["decided"], "day"].max()
    spans = {"": None, " 1W": 7, " 4W": 28}

    def within(rows, days):
        if days is None:
            return rows
        return rows[(rows["day"] <= last) & (rows["day"] > last - pd.Timedelta(days=days))]

    for model in [*MODELS, "ENSEMBLE"]:
        picks = by_model(game, model)
        if picks.empty:
            continue
        wins, games = picks["won"].sum(), len(picks)
        entry = {
            "model": model, "total_games": games, "wins": int(wins), "losses": int(games - wins),
            "win %": share(wins, games), "fade %": share(games - wins, games),
        }  # fmt: skip
        entry["wilson_low"], entry["wilson_high"] = (rounded(end, 6) for end in wilson(int(wins), games))
        picked_odds = picks["d_pos"].where(picks["pick " + model] == 1, picks["d_neg"]).dropna()
        entry["break_even"] = rounded((1 / picked_odds).mean(), 6) if len(picked_odds) else None
        four_weeks = within(picks, 28)
        entry["win % 4W"] = share(four_weeks["won"].sum(), len(four_weeks))
        for suffix, days in spans.items():
            span = within(picks, days)
            for word, side in zip(SIDES[market], (1, -1)):
                of_side = span[span["pick " + model] == side]
                entry[f"{word} %{suffix}"] = share(of_side["won"].sum(), len(of_side))
        bets = staked(game, model) if model in MODELS else game.iloc[:0].assign(back=0.0, side=0, value=0.0)
        for suffix, days in spans.items():
            span = within(bets, days)
            entry["ev roi" + suffix] = rounded(span["back"].mean(), 6) if len(span) else None
        entry["ev roi season"] = entry["ev roi"]
        entry["ev roi low"], entry["ev roi high"] = roi_ends(bets, bets["back"])
        valued = bets[bets["value"] > NONE_OR_ALIKE]
        entry["bt bets"], entry["bt units"] = len(valued), rounded(valued["back"].sum(), 6)
        taken = game[game["finished"] & game["predicted"] & (game["pick " + model] != 0)]
        entry["picks"] = followed(taken, taken["pick " + model])
        entry["bets"] = followed(valued, valued["side"])
        entries.append(entry)
    return entries


def teams(market, game):
    """The form of every team, best first."""
    decided = game[game["decided"]]
    positive = decided["winner"] == 1
    home = decided.assign(team=decided["home_team"], won=positive)
    away = decided.assign(team=decided["away_team"], won=positive if market == "over_under" else ~positive)
    both = pd.concat([home, away]).sort_values(["date", "last", "away_team", "home_team", "game_number"], kind="stable")
    entries = []
    for team, rows in both.groupby("team"):
        results = rows["won"].astype(int).tolist()
        wins, games = sum(results), len(results)
        alike = 1
        while alike < games and results[-alike - 1] == results[-1]:
            alike += 1
        entries.append({
            "team": team, "games": games, "wins": wins, "losses": games - wins, "win_pct": share(wins, games),
            "last_10": results[-10:], "streak": f"{'W' if results[-1] else 'L'}{alike}", "next_game_date": None,
        })  # fmt: skip
    exact = lambda entry: Decimal(entry["wins"]) / Decimal(entry["games"])
    return sorted(entries, key=lambda entry: (-exact(entry), -entry["wins"], entry["team"]))


def strategies(market, game, recorded, model="BLEND"):
    """The sixteen entries by the edge of a model, in their order."""
    delta = game[model] - game["IMPLIED"]
    signals = {
        "line": np.sign(game["moved"].where(game["moved"].abs() > NONE_OR_ALIKE)).where(game["lined"]).fillna(0),
        "edge": np.sign(delta.where(delta.abs() > NONE_OR_ALIKE)).where(game["lined"]).fillna(0),
    }
    stances = {"follow": 1, "fade": -1}
    entries = []
    for word, side in zip(SIDES[market], (1, -1)):
        asked = {f"{stance}_{name}": sign * signals[name] == side for stance, sign in stances.items() for name in signals}
        rules = {name: (("Line" if "line" in name else "Δ Edge"), mask) for name, mask in asked.items()}
        for line in stances:
            for edge in stances:
                both = asked[f"{line}_line"] & asked[f"{edge}_edge"]
                rules[f"{line}_line_{edge}_edge"] = ("Hybrid", both)
        for name, (signal, mask) in rules.items():
            bets = game[mask & game["finished"]]
            odds = bets["d_pos"] if side == 1 else bets["d_neg"]
            unverified = ~bets["verified"].astype(bool)
            if recorded:
                excluded = {
                    "missing_price": int((odds.isna() & ~unverified).sum()), "unverified_finality": int(unverified.sum()),
                }  # fmt: skip
                keep = odds.notna() & ~unverified
            else:
                if market != "won_on_points":
                    odds = pd.Series(1 + 100 / 110, odds.index)
                keep = odds.notna() & (bets["winner"] != 0)
            bets, odds = bets[keep], odds[keep]
            wins, losses = (bets["winner"] == side).sum(), (bets["winner"] == -side).sum()
            pushes, n = (bets["winner"] == 0).sum(), wins + losses
            profit = float((odds - 1)[bets["winner"] == side].sum() - losses)
            entry = {
                "id": f"{name}_{word}", "signal": signal, "rank": None, "wins": int(wins), "losses": int(losses),
                "record": f"{wins}-{losses}" + (f"-{pushes}" if recorded else ""), "win_pct": share(wins, n, 2, 100),
                "roi": rounded(100 * profit / len(bets), 2) if len(bets) else None, "n": int(n), "ranked": bool(n >= 30),
            }  # fmt: skip
            if recorded:
                entry |= {
                    "pushes": int(pushes), "stakes": len(bets), "profit_units": rounded(profit, 6), "exclusions": excluded,
                }  # fmt: skip
                back = (odds - 1).where(bets["winner"] == side, -1.0).where(bets["winner"] != 0, 0.0)
                entry["roi_low"], entry["roi_high"] = roi_ends(bets, back, 100)
            entries.append(entry)
    ranked = sorted((e for e in entries if e["ranked"]), key=lambda e: (-e["roi"], -e["n"], e["id"]))
    for place, entry in enumerate(ranked, 1):
        entry["rank"] = place
    return ranked + sorted((e for e in entries if not e["ranked"]), key=lambda e: (-e["n"], e["id"]))


def rolling(game):
    """By model, the trailing 28 days as of each day with a pick."""
    curves, first = {}, game["day"].min()
    for model in MODELS:
        picks = by_model(game, model)
        if picks.empty:
            continue
        days = picks.groupby("day")["won"].agg(["sum", "size"])
        trailing = days.rolling("28D").sum().astype(int)
        curves[model] = [
            {
                "date": day.date().isoformat(), "day": (day - first).days, "games": int(row["size"]),
                "win_pct": share(row["sum"], row["size"]),
            }
            for day, row in trailing.iterrows()
        ]  # fmt: skip
    return curves


def density(game, model="BLEND"):
    """The cells of a model against IMPLIED."""
    picks = by_model(game, model)
    picks = picks[picks["IMPLIED"].notna()]
    # Whole hundred-thousandths decide an edge, so that no binary fraction falls short of it.
    place = lambda probability: np.minimum((probability * 1e9).round() // 5e7, 19).astype(int) * 5
    if picks.empty:
        return []
    picks = picks.assign(blend=place(picks[model]), implied=place(picks["IMPLIED"]), up=picks["winner"] == 1)
    cells = picks.groupby(["blend", "implied"]).agg(games=("won", "size"), wins=("won", "sum"), positive=("up", "sum"))
    return [
        {
            "blend": blend / 100, "implied": implied / 100, "games": int(cell["games"]), "wins": int(cell["wins"]),
            "positive": int(cell["positive"]), "win_pct": share(cell["wins"], cell["games"]),
        }
        for (blend, implied), cell in cells.iterrows()
    ]  # fmt: skip


def coverage(game):
    """The models with a probability, with the games that have it."""
    entries = []
    for model in MODELS[1:]:
        given = game[game[model].notna()]
        if len(given):
            dates = {"first_date": given["date"].min(), "last_date": given["date"].max()}
            entries.append({"model": model, "games": len(given)} | dates)
    return entries


def values(game):
    """The probabilities of a publisher's own models, game by game."""
    models = [model for model in MODELS[9:] if game[model].notna().any()]
    kept = game[["date", "away_team", "home_team", *models]]
    return [{name: None if pd.isna(cell) else cell for name, cell in row.items()} for row in kept.to_dict("records")]


def tracking(game):
    """The number of graded games, and the reasons of the others."""
    has_forecast = game[MODELS[1:]].notna().any(axis=1)
    return {
        "archive_games": len(game), "graded_games": int(game["graded"].sum()),
        "ungraded": {
            "no_final": int((~game["final"]).sum()), "no_line": int((game["final"] & ~game["lined"]).sum()),
            "push": int((game["winner"] == 0).sum()), "no_prediction": int((game["decided"] & ~game["graded"]).sum()),
        },
        "forecast_source": {"live": 0, "walk_forward": int(has_forecast.sum()), "none": int((~has_forecast).sum())},
        "models": coverage(game),
    }  # fmt: skip


def season(market, games, forecasts):
    """Every figure of one season of one market."""
    game = judged(market, games, forecasts)
    return {
        "summaries": summaries(market, game), "teams": teams(market, game), "tracking": tracking(game),
        "legacy_v1": strategies(market, game, False), "recorded_v2": strategies(market, game, True),
        "rolling": rolling(game), "density": density(game), "values": values(game),
        "own": {
            model: {
                "density": density(game, model), "legacy_v1": strategies(market, game, False, model),
                "recorded_v2": strategies(market, game, True, model),
            }
            for model in MODELS[9:] if game[model].notna().any()
        },
    }  # fmt: skip


def league(sport, games_folder, probabilities_folder, figures_of):
    """The result of `figures_of(market, games, forecasts, number)` for each market and season of one league, numbered from 0."""
    figures, number = {market: {} for market in PRICES}, 0
    for path in sorted(games_folder.glob("*.csv")):
        games = games_of(sport, path)
        for market, seasons in figures.items():
            forecasts = probabilities_folder / market / path.name
            seasons[path.stem] = figures_of(market, games, table(forecasts) if forecasts.exists() else None, number)
            number += 1
    return figures


def answer(figures_of):
    """Prints what is made of every league of the folder that the command names."""
    folder = Path(sys.argv[1])
    games, probabilities = folder / "games", folder / "probabilities"
    if (folder / "release.json").exists():
        release = json.loads((folder / "release.json").read_text(encoding="utf-8"))
        # A league's own models follow those of the specification.
        MODELS.extend(name for name, declared in release.get("models", {}).items() if declared is not False)
        if release.get("zero_spread_openers") == "placeholder":
            NO_OPENERS.append(0.0)
        sports = {release["sport"]: (games, probabilities)}
    else:
        sports = {path.name: (path, probabilities / path.name) for path in sorted(games.iterdir()) if path.is_dir()}
    figures = {sport: league(sport, *folders, figures_of) for sport, folders in sports.items()}
    print(json.dumps(figures, allow_nan=False))


if __name__ == "__main__":
    answer(lambda market, games, forecasts, _: season(market, games, forecasts))
