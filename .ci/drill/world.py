"""A throwaway folder with published leagues, customers and their keys, and the programs over it."""

import itertools
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import releases
from database import SqliteDatabase
from programs import Server
from wire import FAILURES

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ("doubleheader", "edge-cases", "nfl-2023-week-18")
# Each with a market that its releases tell of.
LEAGUES = {"mlb": "over_under", "nfl": "won_on_points", "nba": "won_on_spread"}
# Load is not to be refused for being fast; what drills are about is beyond these.
SETTINGS = {
    "SPORTS_LIMITS__PER_SECOND": "100000",
    "SPORTS_LIMITS__PUBLIC_PER_SECOND": "100000",
    "SPORTS_LIMITS__MONTHLY": "100000000",
}


@dataclass
class Customer:
    id: str
    key: str


class World:
    """Everything in `data` is the programs'; logs, releases and backups are beside it, in `beside`."""

    def __init__(self, beside: Path, binaries: Path, data: Path | None = None):
        self.binaries, self.beside, self.data = binaries, beside, data or beside / "data"
        self.store = self.data / "store"
        self.database = SqliteDatabase(self.data / "sports.db")
        self.servers: list[Server] = []
        self.keys: list[str] = []
        self.numbers = itertools.count(1)
        # Whose calls are counted and compared, and who asks for everything else.
        self.customers: list[Customer] = []
        self.reader = Customer("", "")

    def begin(self) -> None:
        """Publishes three leagues, and opens the accounts."""
        self.data.mkdir()
        for fixture in FIXTURES:
            self.publish(ROOT / "fixtures" / fixture / "release")
        self.publish_next()
        self.customers = [self.customer(f"caller{number}@example.com") for number in range(3)]
        self.reader = self.customer("reader@example.com")

    def begin_as(self, other: "World") -> None:
        """Takes over a copy of all that another world has."""
        shutil.copytree(other.data, self.data)
        self.keys, self.customers, self.reader = list(other.keys), other.customers, other.reader
        self.numbers = itertools.count(2)

    def environment(self, **more: str) -> dict[str, str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("SPORTS_", "RUST_LOG"))}
        places = {"SPORTS_STORE__URL": f"file:{self.store}", "SPORTS_DATABASE__URL": self.database.url}
        return {**clean, **SETTINGS, **places, **more}

    def command(self, *arguments: object, **more: str) -> subprocess.CompletedProcess:
        """Runs `sportsctl --json`, which has a minute."""
        return subprocess.run(
            [self.binaries / "sportsctl", "--json", *map(str, arguments)],
            env=self.environment(**more), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        )  # fmt: skip

    def start(self, *arguments: object) -> subprocess.Popen:
        """Starts `sportsctl`, and does not wait for its end."""
        return subprocess.Popen(
            [self.binaries / "sportsctl", *map(str, arguments)],
            env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def ctl(self, *arguments: object) -> dict:
        """What `sportsctl` says, which ends well."""
        done = self.command(*arguments)
        assert done.returncode == 0, f"sportsctl {' '.join(map(str, arguments[:2]))}: {done.stdout}{done.stderr}"
        return json.loads(done.stdout)

    def customer(self, email: str) -> Customer:
        customer = self.ctl("customer", "create", "--email", email, "--name", "Drill")["customer_id"]
        return Customer(customer, self.issue(customer))

    def issue(self, customer: str) -> str:
        key = self.ctl("key", "issue", "--customer", customer, "--name", "drill")["api_key"]
        self.keys.append(key)
        return key

    def on_record(self, customer: Customer) -> int | None:
        """The customer's calls in the database, of all months; none where the database cannot be read."""
        done = self.command("customer", "usage", customer.id)
        return sum(month["requests"] for month in json.loads(done.stdout)["months"]) if done.returncode == 0 else None

    def publish(self, release: Path) -> dict:
        return self.ctl("publish", release)

    def next_release(self) -> Path:
        """A release of nba that differs from the one before it in a final."""
        number = next(self.numbers)
        return releases.write(self.beside / f"release-{number}", number)

    def publish_next(self) -> int:
        """Publishes the next release of nba; its generation."""
        return self.publish(self.next_release())["generation"]

    def verifies(self) -> bool:
        return self.command("verify").returncode == 0

    def server(self, started_by: tuple[str, ...] = (), **settings: str) -> Server:
        """A server that was started and may not listen yet."""
        log = self.beside / f"server-{len(self.servers) + 1}.log"
        command = [*started_by, str(self.binaries / "sports-api")]
        self.servers.append(Server(command, self.environment(**settings), log))
        return self.servers[-1]

    def serve(self, started_by: tuple[str, ...] = (), **settings: str) -> Server:
        """A server that is ready."""
        server = self.server(started_by, **settings)
        server.ready()
        return server

    def generation(self, server: Server) -> str | None:
        """What a server has of nba, as an answer's snapshot names it; nothing where it did not answer."""
        try:
            return server.ask(page("nba"), self.reader.key).headers.get("x-results-snapshot")
        except FAILURES:
            return None

    def close(self) -> None:
        for server in self.servers:
            server.kill()


def page(league: str, model_type: str | None = None) -> str:
    """A page of a league's results."""
    return f"/api/v1/results/{league}/{model_type or LEAGUES[league]}?limit=25"
