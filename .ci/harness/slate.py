"""A release folder with a slate."""

import json
import shutil
from datetime import date, timedelta
from pathlib import Path

from harness.world import MODELS

PRICES = {
    "over_under": ("over_under,over_line,under_line", "44.5,-110,-110"),
    "won_on_points": ("home_money_line,away_money_line", "-130,110"),
    "won_on_spread": ("home_point_spread,home_point_spread_line,away_point_spread_line", "-3.0,-115,-105"),
}


def slate(folder: Path, sport: str, season: str, day: date, games: list[tuple[str, str]], version: int) -> Path:
    """A release folder with the forecasts and the odds of a day."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "predictions").mkdir(parents=True)
    for place, (market, (columns, prices)) in enumerate(PRICES.items()):
        lines = [f"date,time,away_team,home_team,{columns},{','.join(MODELS)}"]
        for number, (away, home) in enumerate(games):
            seed = number * 37 + version * 101 + place * 53
            given = (f"0.{2500 + (seed + model * 611) % 5000}" for model in range(len(MODELS)))
            lines.append(f"{day},13:00:00,{away},{home},{prices},{','.join(given)}")
        (folder / "predictions" / f"{market}.csv").write_text("\n".join([*lines, ""]))
    odds = [
        {"date": str(day), "time": "13:00:00", "away_team": away, "home_team": home, "home_money_line": -110 - (number + version) % 90,
         "away_money_line": 100 + (number + version) % 70, "home_point_spread": -3.0, "away_point_spread": 3.0,
         "home_point_spread_line": -105 - (number + version) % 11, "away_point_spread_line": -104 - (number + version) % 13,
         "over_under": 44.5, "over_line": -110, "under_line": -110 + (number + version) % 5,
         "last_updated": f"{day - timedelta(days=7)} 09:30:00"}
        for number, (away, home) in enumerate(games)
    ]  # fmt: skip
    (folder / "odds.json").write_text(json.dumps({"games": odds}))
    manifest = {"sport": sport, "season": season, "slate_date": str(day), "slate": "active"}
    (folder / "release.json").write_text(json.dumps(manifest))
    return folder
