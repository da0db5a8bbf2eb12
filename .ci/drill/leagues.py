"""What servers serve of every league beside what they should, case by case of something wrong in the store."""

import json
import time
from pathlib import Path

from drill import Drill
from programs import Server
from world import LEAGUES, World, page

HARMED = "nba"
# Its market that is loaded before a generation is served, and one that is read when it is asked for.
HARMED_PAGES = (page(HARMED), page(HARMED, "over_under"))


class Leagues:
    def __init__(self, world: World, run: Drill):
        self.world, self.run, self.case, self.looks = world, run, "", 0
        # What was served of a page while nothing was wrong, the newest last.
        self.true: dict[str, list[bytes]] = {path: [] for path in (*map(page, LEAGUES), *HARMED_PAGES)}
        self.recovery = 0.0
        self.wrong: dict[str, list[str]] = {
            "altered data served": [],
            "sound leagues not served": [],
            "node not ready": [],
            "not named in health": [],
            "not found by sportsctl verify": [],
        }

    def remember(self) -> None:
        """Takes what is served now for true."""
        server = self.world.serve()
        for path, served in self.true.items():
            served.append(self.served(server, path))
        server.kill()

    def served(self, server: Server, path: str) -> bytes | None:
        """A page of results; nothing where the answer was not 200."""
        answer = server.ask(path, self.world.reader.key)
        return answer.body if answer.status == 200 else None

    def newest(self, server: Server, path: str = HARMED_PAGES[0]) -> bool:
        return self.served(server, path) == self.true[path][-1]

    def look(self, server: Server, harmed: str | None = HARMED) -> None:
        """Asks for everything: the harmed league may be an older one or fail, the others may not."""
        self.looks += 1
        for path, true in self.true.items():
            body = self.served(server, path)
            if not (harmed and f"/{harmed}/" in path):
                self.note("sound leagues not served", body == true[-1])
            self.note("altered data served", body in (None, *true))
        self.note("node not ready", server.status("/api/v1/readiness") == 200)

    def named(self, server: Server) -> None:
        """Health says which league is in trouble."""
        said = server.ask("/api/v1/health").json()["dependencies"]["object_storage"]
        self.note("not named in health", HARMED in str(said["detail"]))

    def found(self) -> None:
        self.note("not found by sportsctl verify", not self.world.verifies())

    def note(self, what: str, right: bool) -> None:
        if not right:
            self.wrong[what].append(self.case)

    def recovered(self, server: Server) -> None:
        """Waits until the newest is served, at most 10 seconds."""
        started = time.monotonic()
        while server.runs and not self.newest(server) and time.monotonic() < started + 10:
            time.sleep(0.05)
        self.recovery = max(self.recovery, time.monotonic() - started)

    def into_table(self) -> None:
        for what, cases in self.wrong.items():
            which = f"in {self.looks} looks: {'; '.join(dict.fromkeys(cases))}" if cases else ""
            self.run.outcome.at_most(what, len(cases), 0, note=which)
        self.run.expect_errors(2 * self.looks)


def archive(world: World, model_type: str) -> Path:
    """The file of the harmed league's season that the newest entry of its log names."""
    log = world.store / "sports" / HARMED / "log"
    results = json.loads(max(log.iterdir()).read_text())["results"]
    name = next(result["object"] for result in results if result["model_type"] == model_type)
    return log.with_name("objects") / name


def newer_than(before: str | None, world: World, server: Server) -> float:
    """Waits until a server has another generation of the league; for how long, 15 seconds at most."""
    started = time.monotonic()
    while world.generation(server) in (None, before) and time.monotonic() < started + 15:
        time.sleep(0.05)
    return time.monotonic() - started


def publish_shows(world: World, server: Server) -> float:
    """Publishes; seconds until the server has it, no more than 15."""
    before = world.generation(server)
    world.publish_next()
    return newer_than(before, world, server)
