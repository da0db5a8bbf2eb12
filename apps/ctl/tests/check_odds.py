"""Checks an odds file against the feed of The Odds API it was made from: check_odds.py FEED CSV BOOKMAKER AS_OF.

Written from the feed's description alone and sharing nothing with the converter. Every cell of every row is
worked out again from the feed; every event of the feed has its row or a reason to have none.
"""

import csv
import json
import sys
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

COLUMNS = (
    "match_id date time away_team home_team away_point_spread away_point_spread_line home_point_spread "
    "home_point_spread_line away_money_line home_money_line over_under over_line under_line quote_source last_updated"
).split()
EASTERN = ZoneInfo("America/New_York")


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(timezone.utc)


def slug(name: str) -> str:
    return name.lower().replace(".", "").replace(" ", "_")


def number(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def expected(event: dict, bookmaker: dict) -> dict[str, str]:
    home, away = event["home_team"], event["away_team"]
    markets = {market["key"]: market for market in bookmaker["markets"]}

    def listed(market: str, name: str, field: str) -> str:
        outcomes = [o for o in markets.get(market, {}).get("outcomes", []) if o["name"] == name]
        assert len(outcomes) <= 1, f"{event['id']}: {name} is listed twice in {market}"
        return number(outcomes[0].get(field)) if outcomes else ""

    start = instant(event["commence_time"]).astimezone(EASTERN)
    updates = [instant(m["last_update"]) for key, m in markets.items() if key in ("h2h", "spreads", "totals")]
    return {
        "match_id": event["id"],
        "date": start.strftime("%Y-%m-%d"),
        "time": start.strftime("%H:%M:%S"),
        "away_team": slug(away),
        "home_team": slug(home),
        "away_point_spread": listed("spreads", away, "point"),
        "away_point_spread_line": listed("spreads", away, "price"),
        "home_point_spread": listed("spreads", home, "point"),
        "home_point_spread_line": listed("spreads", home, "price"),
        "away_money_line": listed("h2h", away, "price"),
        "home_money_line": listed("h2h", home, "price"),
        "over_under": listed("totals", "Over", "point"),
        "over_line": listed("totals", "Over", "price"),
        "under_line": listed("totals", "Under", "price"),
        "quote_source": bookmaker["key"],
        "last_updated": max(updates).astimezone(EASTERN).strftime("%Y-%m-%d %H:%M:%S"),
    }


def main() -> None:
    feed_path, csv_path, wanted, as_of = sys.argv[1:]
    with open(feed_path, encoding="utf-8") as file:
        events = json.load(file)
    with open(csv_path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
        assert reader.fieldnames == COLUMNS, reader.fieldnames
    made, cells = {row["match_id"]: row for row in rows}, 0
    assert len(made) == len(rows), "an event has two rows"
    for event in events:
        offered = [b for b in event["bookmakers"] if b["key"] == wanted and b["markets"]]
        live = instant(event["commence_time"]) <= instant(as_of)
        if live or not offered:
            assert event["id"] not in made, f"{event['id']} has a row: live {live}, offered {bool(offered)}"
            continue
        row = made.pop(event["id"])
        for column, cell in expected(event, offered[0]).items():
            assert row[column] == cell, f"{event['id']} {column}: {row[column]!r}, the feed says {cell!r}"
            cells += 1
    assert not made, f"rows without an event: {sorted(made)}"
    keys = [(row["date"], row["time"], row["away_team"]) for row in rows]
    assert keys == sorted(keys), "rows run by date and time"
    print(json.dumps({"rows": len(rows), "cells": cells}))


main()
