#!/usr/bin/env python3
"""A second opinion on the backtests of rules, from rows as the service serves them.

    python3 backtest.py FILE

reads a file of JSON: "seed", "rules" (how many of each market), and "markets", each with "sport", "model_type", "default" (the
current season), "models", and "seasons": {label: {"results": CSV, "known": {hours: CSV}}}. It draws rules and prints a list of
{"query": the parameters, "answer": what the service must answer}, by loops over rows and odds in decimal form. A figure from
random draws is {"about", "within"}.
"""

import itertools
import json
import math
import random
import sys
from urllib.parse import urlencode

import numpy as np
import pandas as pd

PRICES = {
    "over_under": ("over_line", "under_line", "open_over_line"),
    "won_on_points": ("home_money_line", "away_money_line", "open_home_money_line"),
    "won_on_spread": ("home_point_spread_line", "away_point_spread_line", None),
}
SIDES = {"over_under": ("over", "under"), "won_on_points": ("home", "away"), "won_on_spread": ("home", "away")}
MODELS = ["AI", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"]
ALIKE = 1e-9
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


def decimal(price):
    """American odds as decimal odds; zero and nothing are no odds.

    >>> decimal(-110), decimal(150), decimal(0), decimal(math.nan)
    (1.9090909090909092, 2.5, None, None)
    """
    if price is None or math.isnan(price) or price == 0:
        return None
    return 1 + (price / 100 if price > 0 else 100 / -price)


def number(row, name):
    value = row.get(name)
    return None if value is None or pd.isna(value) else float(value)


def positive(value):
    return value if value is not None and value > 0 else None


class Game:
    """A row of a market: what a bettor sees, and what became of it."""

    def __init__(self, market, row, settled, score):
        self.row, self.date, self.id = row, row["date"], row["game_id"]
        self.day = pd.Timestamp(row["date"])
        late = row["time_est"] if isinstance(row["time_est"], str) else "99"
        self.order = (row["date"], late, row["away_team"], row["home_team"], str(row.get("game_number")))
        self.teams = (row["home_team"], row["away_team"])
        self.settled, self.score = settled, score
        for_, against, _ = PRICES[market]
        self.odds = (decimal(number(row, for_) or 0), decimal(number(row, against) or 0))
        both = None not in self.odds
        fair = (1 / self.odds[0]) / (1 / self.odds[0] + 1 / self.odds[1]) if both else None
        self.fair = 0.5 if both and abs(fair - 0.5) < ALIKE else fair
        self.models = {name: number(row, name) for name in row if name in MODELS or name.startswith("own_")}
        total, spread = positive(number(row, "over_under")), number(row, "home_point_spread")
        self.opener, self.numbers, moved = None, (None, None), None
        if market == "over_under":
            self.numbers, self.opener = (total, total), positive(number(row, "open_over_under"))
            moved = None if None in (total, self.opener) else total - self.opener
            self.lined = total is not None
        elif market == "won_on_spread":
            self.opener = number(row, "open_home_point_spread")
            self.numbers = (spread, None if spread is None else -spread)
            moved = None if None in (spread, self.opener) else self.opener - spread
            self.lined = spread is not None
        else:
            self.opener = decimal(number(row, "open_home_money_line") or 0)
            moved = None if None in (self.odds[0], self.opener) else 1 / self.odds[0] - 1 / self.opener
            self.lined = self.odds != (None, None)
        self.line = sign(moved) if self.lined else None
        self.unmoved = self.lined and moved is not None and abs(moved) <= ALIKE and self.opener != 0
        self.won = None
        if score is not None and self.lined:
            away, home = score
            self.won = sign({"over_under": away + home - (total or 0), "won_on_points": home - away,
                             "won_on_spread": home - away + (spread or 0)}[market]) or 0  # fmt: skip


def sign(value):
    """The side that a value points to, up to 1e-9: 1 is home or over, -1 away or under."""
    return None if value is None or abs(value) <= ALIKE else int(math.copysign(1, value))


def scores(row):
    away, home = number(row, "away_score"), number(row, "home_score")
    return None if None in (away, home) else (away, home)


def is_settled(row, score):
    status = row.get("settlement_status")
    return status == "settled" if isinstance(status, str) else score is not None


def games_of(market, results, known):
    """The rows of a season in the order of results, and the number of games without a row."""
    all_rows = pd.read_csv(results).to_dict("records")
    finals = {row["game_id"]: row for row in all_rows}
    rows = all_rows if known is None else pd.read_csv(known).to_dict("records")
    games = []
    for row in rows:
        final = finals[row["game_id"]]
        score = scores(final)
        games.append(Game(market, row, is_settled(final, score), score))
    seen = {game.id for game in games}
    missing = [row["date"] for row in all_rows if row["game_id"] not in seen] if known else []
    return sorted(games, key=lambda game: game.order), missing


def source(game, recorded_since):
    """The kind of a row's forecast."""
    word = game.row.get("forecast_source")
    if not isinstance(word, str):
        return None
    if word == "walk_forward":
        return "walk_forward"
    return "recorded" if recorded_since and game.date >= recorded_since else "live_imported"


def side_of(bet, game, probability):
    if bet in ("line", "fade_line"):
        side = game.line
    elif probability is None:
        return None
    elif bet in ("pick", "fade"):
        side = sign(probability - 0.5)
    else:
        side = sign(probability - game.fair) if game.fair is not None and game.lined else None
    return side and (-side if bet.startswith("fade") else side)


def judge(rule, market, game):
    """None for a game that is no candidate, a word for an exclusion, else the bet."""
    probability = game.models.get(rule["model"])
    side = side_of(rule.get("bet", "value"), game, probability)
    if side is None or game.won is None:
        return None
    mine = 0 if side == 1 else 1
    odds, other = game.odds[mine], game.odds[1 - mine]
    p = None if probability is None else (probability if side == 1 else 1 - probability)
    q = None if game.fair is None else (game.fair if side == 1 else 1 - game.fair)
    lacks_price = odds is None

    def passes(value, name):
        low, high = rule.get("min_" + name), rule.get("max_" + name)
        if name == "price":
            low, high = low and decimal(low), high and decimal(high)
        return (low is None or value >= low - ALIKE) and (high is None or value <= high + ALIKE)

    def limits(name):
        return rule.get("min_" + name) is not None or rule.get("max_" + name) is not None

    for name in ("edge", "ev", "probability"):
        if limits(name):
            if p is None:
                return None
            if name == "edge" and q is None or name == "ev" and odds is None:
                lacks_price = True
            elif not passes({"edge": lambda: p - q, "ev": lambda: p * odds - 1, "probability": lambda: p}[name](), name):
                return None
    if limits("price"):
        if odds is None:
            lacks_price = True
        elif not passes(odds, "price"):
            return None
    if limits("line") and (game.numbers[mine] is None or not passes(game.numbers[mine], "line")):
        return None
    wanted = rule.get("side")
    if wanted in ("favourite", "underdog"):
        if q is None:
            lacks_price = True
        elif sign(q - 0.5) != (1 if wanted == "favourite" else -1):
            return None
    elif wanted is not None and wanted != SIDES[market][mine]:
        return None
    move = rule.get("line_move")
    if move == "none" and not game.unmoved:
        return None
    if move in ("with", "against") and game.line != (side if move == "with" else -side):
        return None
    if "agree" in rule:
        voters = [game.models.get(name) for name in rule["models"].split(",")]
        votes = sum(p is not None and sign(p - 0.5) == side for p in voters)
        if votes < rule["agree"]:
            return None
    if "team" in rule and rule["team"] not in (game.teams if market == "over_under" else (game.teams[mine],)):
        return None
    if "weekday" in rule and rule["weekday"] != DAYS[game.day.weekday()]:
        return None
    if "month" in rule and rule["month"] != game.day.month:
        return None
    if not game.settled:
        return "unverified_finality"
    if lacks_price:
        return "missing_price"
    kelly = None if p is None else (p * odds - 1) / (odds - 1)
    if rule.get("stake") == "kelly" and (kelly is None or kelly <= ALIKE):
        return "no_stake"
    result = game.won * side
    return {
        "date": game.date, "odds": odds, "p": p, "q": q, "result": result, "kelly": kelly,
        "back": odds - 1 if result > 0 else (-1 if result < 0 else 0.0),
    }  # fmt: skip


def row_of(bets):
    results = [bet["result"] for bet in bets]
    units = math.fsum(bet["back"] for bet in bets)
    return {
        "bets": len(bets), "wins": results.count(1), "losses": results.count(-1), "pushes": results.count(0),
        "units": units, "roi": units / len(bets) if bets else None,
    }  # fmt: skip


def mean(values):
    values = [value for value in values if value is not None]
    return math.fsum(values) / len(values) if values else None


def by_date(bets):
    return [(date, list(group)) for date, group in itertools.groupby(bets, lambda bet: bet["date"])]


def drawdown(bets):
    total, peak, since, worst = 0.0, 0.0, None, {"units": 0.0, "from": None, "to": None}
    for date, group in by_date(bets):
        total += math.fsum(bet["back"] for bet in group)
        if total > peak + ALIKE:
            peak, since = total, date
        if peak - total > worst["units"] + ALIKE:
            worst = {"units": peak - total, "from": since, "to": date}
    return worst


def losing_run(bets):
    longest = run = 0
    for bet in bets:
        if bet["result"]:
            run = run + 1 if bet["result"] < 0 else 0
            longest = max(longest, run)
    return longest


def bank(bets, fraction, most):
    bank, peak, fall, growths = 1.0, 1.0, 0.0, []
    for _, group in by_date(bets):
        shares = [min(fraction * bet["kelly"], most) for bet in group]
        scale = max(1.0, math.fsum(shares))
        growths.append(1 + math.fsum(share * bet["back"] for share, bet in zip(shares, group)) / scale)
        bank *= growths[-1]
        peak = max(peak, bank)
        fall = max(fall, 1 - bank / peak)
    return {"bank": bank, "drawdown": fall}


def luck(bets, rng):
    """The share of lucky bettors: exactly if there are few prices, else about."""
    bets = [bet for bet in bets if bet["q"] is not None]
    if not bets:
        return None
    units = math.fsum(bet["back"] for bet in bets)
    decided = [bet for bet in bets if bet["result"]]
    prices = {}
    for bet in decided:
        prices.setdefault(bet["odds"], []).append(bet["q"])
    if math.prod(len(chances) + 1 for chances in prices.values()) <= 100_000:
        sums = {0.0: 1.0}
        for odds, chances in prices.items():
            wins = np.array([1.0])
            for chance in chances:
                wins = np.convolve(wins, [1 - chance, chance])
            group = [(won * (odds - 1) - (len(chances) - won), share) for won, share in enumerate(wins)]
            joined = {}
            for (one, share), (other, part) in itertools.product(sums.items(), group):
                joined[one + other] = joined.get(one + other, 0.0) + share * part
            sums = joined
        share = math.fsum(part for total, part in sums.items() if total >= units - ALIKE)
        return {"p": share, "method": "exact", "bets": len(bets)}
    won = np.zeros(20_000)
    for bet in decided:
        won += np.where(rng.random(len(won)) < bet["q"], bet["odds"] - 1, -1.0)
    share = float((won >= units - ALIKE).mean())
    error = math.sqrt(max(share * (1 - share), 1e-4) * (1 / 10_000 + 1 / len(won)))
    return {"p": {"about": share, "within": 4 * error}, "method": "draws", "bets": len(bets)}


def answer(rule, market, seasons, since, rng):
    """What the service answers."""
    hours, labels = rule.get("hours_before"), rule["season"].split(",")
    bets, excluded, of_season, sources, unknown = [], [], {}, [], 0
    for label in sorted(labels):
        games, missing = seasons[label][hours]
        inside = (lambda date: rule.get("from", "0") <= date <= rule.get("to", "9"))
        unknown += sum(map(inside, missing))
        for game in games:
            kind = source(game, since) if hours is None else ("recorded" if any(v is not None for v in game.models.values()) else None)
            wanted = {"all": None, "recorded": ["recorded"], "live": ["recorded", "live_imported"],
                      "walk_forward": ["walk_forward"]}[rule.get("forecast_source", "all")]  # fmt: skip
            if not inside(game.date) or wanted is not None and kind not in wanted:
                continue
            made = judge(rule, market, game)
            if isinstance(made, str):
                excluded.append(made)
            elif made is not None:
                bets.append(made)
                of_season.setdefault(label, []).append(made)
                sources.append(kind or "none")
    is_kelly = rule.get("stake") == "kelly"
    reasons = ["missing_price", "unverified_finality"] + (["no_stake"] if is_kelly else [])
    record = row_of(bets) | {
        "stakes": len(bets), "mean_price": mean(bet["odds"] for bet in bets),
        "mean_edge": mean(None if None in (bet["p"], bet["q"]) else bet["p"] - bet["q"] for bet in bets),
        "mean_ev": mean(None if bet["p"] is None else bet["p"] * bet["odds"] - 1 for bet in bets),
        "longest_losing_run": losing_run(bets), "drawdown": drawdown(bets),
        "exclusions": {reason: excluded.count(reason) for reason in reasons},
    }  # fmt: skip
    if is_kelly:
        record["kelly"] = bank(bets, rule.get("fraction", 0.25), rule.get("max_stake", 0.05))
    kinds = ["recorded", "live_imported", "walk_forward", "none"]
    return {
        "model": rule["model"], "seasons": sorted(labels), "record": record,
        "by_season": [{"season": label} | row_of(made) for label, made in of_season.items()],
        "luck": luck(bets, rng), "forecast_sources": {kind: sources.count(kind) for kind in kinds},
        "not_known_then": None if hours is None else unknown,
    }  # fmt: skip


def draw(dice, market, of):
    """A rule, often at a value that a game has."""
    labels, games = sorted(of["seasons"]), of["rows"]
    some = dice.choice(games)
    rule = {"model": dice.choice(of["models"])}
    rule["season"] = ",".join(dice.sample(labels, dice.choice([1, 1, min(3, len(labels)), len(labels)])))

    def maybe(share, name, value):
        if dice.random() < share:
            rule[name] = value()

    maybe(0.6, "bet", lambda: dice.choice(["value", "fade_value", "pick", "fade", "line", "fade_line"]))
    maybe(0.4, "side", lambda: dice.choice([*SIDES[market], "favourite", "underdog"]))
    p, fair = some.models.get(rule["model"]), some.fair
    maybe(0.25, "min_edge", lambda: abs(p - fair) if p is not None and fair is not None else dice.choice([0.01, 0.03, -0.02]))
    maybe(0.1, "max_edge", lambda: rule.get("min_edge", -1) + dice.choice([0.0, 0.05, 0.2]))
    maybe(0.15, "min_ev", lambda: dice.choice([-0.05, 0, 0.02, 0.1]))
    maybe(0.1, "max_ev", lambda: rule.get("min_ev", 0.0) + dice.choice([0.05, 0.3]))
    maybe(0.15, "min_probability", lambda: p if p is not None else 0.5)
    maybe(0.1, "max_probability", lambda: min(1.0, rule.get("min_probability", 0.4) + dice.choice([0.05, 0.3])))
    maybe(0.2, "min_price", lambda: dice.choice([-400, -150, -110, -100, 100, 120]))
    maybe(0.15, "max_price", lambda: dice.choice([130, 200, 450]))
    if market != "won_on_points":
        number = some.numbers[0] if some.numbers[0] is not None else 3.0
        maybe(0.15, "min_line", lambda: number)
        maybe(0.15, "max_line", lambda: rule.get("min_line", number) + dice.choice([0, 3, 10]))
    maybe(0.2, "line_move", lambda: dice.choice(["with", "against", "none"]))
    if dice.random() < 0.15:
        voters = dice.sample(of["models"], dice.randint(1, len(of["models"])))
        rule |= {"models": ",".join(voters), "agree": dice.randint(1, len(voters))}
    maybe(0.08, "team", lambda: dice.choice(some.teams))
    maybe(0.1, "weekday", lambda: dice.choice(DAYS))
    maybe(0.1, "month", lambda: some.day.month)
    maybe(0.1, "from", lambda: some.date)
    maybe(0.3 if "from" in rule else 0, "to", lambda: (some.day + pd.Timedelta(days=60)).date().isoformat())
    maybe(0.2, "forecast_source", lambda: dice.choice(["all", "recorded", "live", "walk_forward"]))
    if dice.random() < 0.2:
        rule["stake"] = "kelly"
        maybe(0.5, "fraction", lambda: dice.choice([0.1, 0.5, 1.0]))
        maybe(0.5, "max_stake", lambda: dice.choice([0.02, 0.2, 1.0]))
    hours = sorted(set.intersection(*[set(of["seasons"][label]) - {None} for label in rule["season"].split(",")]))
    if hours and dice.random() < 0.5 and rule.get("forecast_source") != "walk_forward":
        rule["hours_before"] = dice.choice(hours)
    return rule


def spans(rule, of):
    """True if some chosen season has the dates."""
    for label in rule["season"].split(","):
        dates = [game.date for game in of["seasons"][label][None][0]]
        if rule.get("from", min(dates)) <= max(dates) and rule.get("to", max(dates)) >= min(dates):
            return True
    return False


def main(path):
    with open(path, encoding="utf-8") as file:
        given = json.load(file)
    dice, rng, answers = random.Random(given["seed"]), np.random.default_rng(given["seed"]), []
    for of in given["markets"]:
        market = of["model_type"]
        read = {
            label: {None: games_of(market, files["results"], None)}
            | {hours: games_of(market, files["results"], known) for hours, known in files.get("known", {}).items()}
            for label, files in of["seasons"].items()
        }
        of = of | {"seasons": read, "rows": [game for season in read.values() for game in season[None][0]]}
        for _ in range(given["rules"]):
            rule = draw(dice, market, of)
            if not spans(rule, of):
                continue
            path = f"/api/v1/backtest/{of['sport']}/{market}?{urlencode(rule)}"
            answers.append({"query": path, "answer": answer(rule, market, read, given.get("recorded_since"), rng)})
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
