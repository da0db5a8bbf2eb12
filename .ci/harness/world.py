"""A simulated world of six leagues that a server can serve, with a long season and a subscriber's key."""

import contextlib
import json
import os
import subprocess
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

from harness import programs
from harness.load import OTHER_KEYS
from harness.programs import ON_ONE_CORE, answered, clean_environment, demo, free_port, running, until

# A Sunday with games in five leagues; the demo's releases of the day are out.
AS_OF = "2025-12-07T17:00:00Z"
LONG_SEASON, LONG_GAMES = "2022-23", 5_500
LONG = f"/api/v1/results/ncaab/over_under?season={LONG_SEASON}"
MARKETS = ("over_under", "won_on_points", "won_on_spread")
MODELS = ("BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT")
GAME_COLUMNS = (
    "date,time_est,season,game_type,away_team,home_team,away_score,home_score,home_money_line,away_money_line,"
    "open_home_money_line,open_away_money_line,home_point_spread,away_point_spread,home_point_spread_line,"
    "away_point_spread_line,open_home_point_spread,open_away_point_spread,over_under,over_line,under_line,open_over_under"
)


def write_season(folder: Path, year: int, games: int, models: Sequence[str]) -> None:
    """A season that begins in a year, with every price: its games, and the same probabilities for each market."""
    label = f"{year}-{(year + 1) % 100:02}"
    rows, forecasts = [GAME_COLUMNS], [f"date,time_est,away_team,home_team,{','.join(models)}"]
    for number in range(games):
        day = date(year, 11, 7) + timedelta(days=number // 40)
        start, teams = f"{day},19:00:00", f"club_{number % 40 * 2},club_{number % 40 * 2 + 1}"
        spread, total = number % 21 - 10.5, 130.5 + number % 29
        prices = f"{-105 - number % 11},{-104 - number % 13}"
        money = f"{-110 - number % 90},{100 + number % 70},{-112 - number % 80},{101 + number % 60}"
        spreads = f"{spread},{-spread},{prices},{spread + 1},{-spread - 1}"
        scores = f"{55 + number * 7 % 40},{52 + number * 11 % 47}"
        rows.append(f"{start},{label},regular,{teams},{scores},{money},{spreads},{total},{prices},{total - 1}")
        given = (f"0.{2500 + (number * 37 + place * 611) % 5000}" for place in range(len(models)))
        forecasts.append(f"{start},{teams},{','.join(given)}")
    for name, lines in {"games": rows, **{f"probabilities/{market}": forecasts for market in MARKETS}}.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / f"{label}.csv").write_text("\n".join([*lines, ""]))


class World:
    """A store and accounts in a folder, which is made, or belongs to whoever gives a key. `settings` replace the usual ones;
    None leaves one out."""

    def __init__(self, folder: Path, key: str | None = None, **settings: str | None):
        self.folder, self.settings = folder, settings
        if key:
            self.key = key
        else:
            folder.mkdir(exist_ok=True)
            self.key = self.simulated()
            OTHER_KEYS[self.key] = [self.key_of_another(number) for number in range(3)]
            self.ctl("publish", self.long_season())

    def environment(self, **settings: str) -> dict[str, str]:
        usual = dict(
            SPORTS_STORE__URL=f"file:{self.folder / 'store'}",
            SPORTS_DATABASE__URL=f"sqlite:{self.folder / 'sports.db'}",
            SPORTS_CLOCK__AS_OF=AS_OF,
            SPORTS_LIMITS__MONTHLY="1000000000000",
            SPORTS_LIMITS__PER_SECOND="100000",
            SPORTS_LIMITS__PUBLIC_PER_SECOND="100000",
            SPORTS_HTTP__MAX_CONNECTIONS_PER_ADDRESS="65536",
            SPORTS_HTTP__TRUSTED_PROXIES="127.0.0.1",
        )
        return clean_environment(**{name: value for name, value in (usual | self.settings | settings).items() if value is not None})

    def ctl(self, *arguments, **settings: str) -> str:
        command = [str(programs.PROGRAMS / "sportsctl"), *map(str, arguments)]
        done = subprocess.run(command, env=self.environment(**settings), text=True, capture_output=True)
        assert done.returncode == 0, f"{arguments[:2]}: {done.stdout}{done.stderr}"
        return done.stdout

    def key_of_another(self, number: int) -> str:
        """A key of another subscriber."""
        customer = self.ctl("customer", "create", "--email", f"{number}@example.com", "--name", "Load", "--plan", "ai")
        return self.ctl("key", "issue", "--customer", customer.split()[0], "--name", "load").strip()

    @contextlib.contextmanager
    def served(self, cores: list[str] = ON_ONE_CORE, workers: int = 1, program: Path | None = None, **settings: str):
        """A ready server that logs to a file; its process, address and log."""
        port, log = free_port(), self.folder / f"server-{os.urandom(4).hex()}.log"
        command = [*cores, program or programs.PROGRAMS / "sports-api", "serve", "--bind", f"127.0.0.1:{port}"]
        environment = self.environment(SPORTS_HTTP__WORKERS=str(workers), **settings)
        with log.open("a") as written, running(command, env=environment, stdout=written, stderr=written) as server:
            base = f"http://127.0.0.1:{port}"
            until(lambda: answered(f"{base}/api/v1/readiness", {})[0] == 200)
            yield server, base, log

    def simulated(self) -> str:
        """Publishes the demo's world up to now; the key of its customer."""
        with demo(self.folder, "--cycle", "off", "--seasons", "2", "--live-days", "0", "--as-of", AS_OF) as served:
            return served.key

    def long_season(self) -> Path:
        """A release with a season of 5,500 games, every price and seven models."""
        folder = self.folder / "long-season"
        write_season(folder, 2022, LONG_GAMES, MODELS)
        run = {"id": "history", "started_at": "2025-12-07T16:55:00Z", "completed_at": "2025-12-07T16:58:00Z"}
        manifest = {"sport": "ncaab", "season": LONG_SEASON, "slate_date": AS_OF[:10], "slate": "none", "run": run}
        (folder / "release.json").write_text(json.dumps(manifest))
        return folder
