"""Releases of a small invented nba season, each with another final than the one before."""

import json
from datetime import date, timedelta
from pathlib import Path

GAMES = 120
TEAMS = [f"{place} {club}" for place in ("Harbor", "Canal", "Granite", "Prairie") for club in ("Gulls", "Foxes")]
GAME_COLUMNS = (
    "date,time_est,away_team,home_team,away_score,home_score,"
    "home_point_spread,home_point_spread_line,away_point_spread_line"
)


def write(folder: Path, number: int) -> Path:
    """A release folder; the home side of the first game has `number` points more than a hundred."""
    games, forecasts = [GAME_COLUMNS], ["date,time_est,away_team,home_team,BLEND,XGB"]
    for index in range(GAMES):
        away, home = TEAMS[index % 8], TEAMS[(index + 1 + index // 8 % 7) % 8]
        day = date(2025, 11, 1) + timedelta(days=index)
        game = f"{day},19:00:00,{away},{home}"
        points = 100 + (number if index == 0 else index % 17)
        games.append(f"{game},{95 + index % 23},{points},{index % 9 - 4.5},-110,-110")
        forecasts.append(f"{game},0.{45 + index % 11},0.{44 + index % 13}")
    run = {"id": f"drill-{number}", "started_at": "2026-03-01T10:00:00Z", "completed_at": "2026-03-01T10:05:00Z"}
    manifest = {"sport": "nba", "slate_date": "2026-03-01", "slate": "none", "run": run}
    put(folder / "release.json", json.dumps(manifest))
    put(folder / "games/2025-26.csv", "\n".join([*games, ""]))
    put(folder / "probabilities/won_on_spread/2025-26.csv", "\n".join([*forecasts, ""]))
    return folder


def put(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
