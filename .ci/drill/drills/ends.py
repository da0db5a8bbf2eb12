"""How programs end: killed, asked to stop, killed while they publish."""

import os
import signal
import threading
import time

from drill import Drill, drill
from leagues import newer_than
from load import KeyWriters, Load
from programs import Server
from wire import FAILURES, Connection, request
from world import World, page

DOWNLOAD = 16 << 20  # bytes


@drill("kill", "kill -9 at full load, while keys are written by API and sportsctl; started again")
def kill(run: Drill) -> None:
    world = run.world()
    answered = calls = twice = keys_lost = 0
    worst = slowest_start = 0.0
    for _ in range(int(run.pick(3, 20))):
        server = world.serve()
        with Load(world, server) as load, KeyWriters(world, server) as writers:
            time.sleep(run.pick(1, 3))
            killed = time.monotonic()
            server.kill()
        loss = load.lost()
        answered, calls, twice = answered + loss.answered, calls + loss.calls, twice + loss.twice
        worst = max(worst, loss.milliseconds(killed))
        server = world.server()
        slowest_start = max(slowest_start, server.ready())
        keys_lost += sum(server.status("/api/v1/sports", key) != 200 for key in writers.made)
        server.kill()
    run.outcome.at_most("longest loss of calls", worst, 250, " ms", f"{calls:,} of {answered:,} calls")
    run.outcome.at_most("calls counted twice", twice, 0)
    run.outcome.at_most("keys handed out and lost", keys_lost, 0)
    run.outcome.at_most("ready again after", slowest_start, 10, " s")


@drill("stop", "SIGTERM at full load, while keys are written and a download is under way")
def stop(run: Drill) -> None:
    world = run.world()
    content = os.urandom(1 << 16) * (DOWNLOAD >> 16)
    path = link_to(content, world)
    calls = answered = twice = cut_short = keys_lost = 0
    slowest_end, codes = 0.0, set()
    for _ in range(int(run.pick(1, 6))):
        server = world.serve()
        download = Download(server, path)
        with Load(world, server) as load, KeyWriters(world, server) as writers:
            download.start()
            time.sleep(1)
            stopped = time.monotonic()
            server.signal(signal.SIGTERM)
            codes.add(server.ended())
        slowest_end = max(slowest_end, time.monotonic() - stopped)
        download.join()
        loss = load.lost()
        answered, calls, twice = answered + loss.answered, calls + loss.calls, twice + loss.twice
        cut_short += load.cut_short + (download.content != content)
        server = world.serve()
        keys_lost += sum(server.status("/api/v1/sports", key) != 200 for key in writers.made)
        server.stop()
    run.outcome.at_most("calls lost", calls, 0, note=f"of {answered:,}")
    run.outcome.at_most("calls counted twice", twice, 0)
    run.outcome.at_most("answers and downloads cut short", cut_short, 0)
    run.outcome.at_most("keys handed out and lost", keys_lost, 0)
    run.outcome.at_most("ended after", slowest_end, 15, " s")
    run.outcome.equal("exit codes", codes, {0})
    run.outcome.yes("database is one file", not world.database.log.exists())


@drill("publish", "sportsctl publish killed (-9) at instants all through its run, beside a running server")
def publish(run: Drill) -> None:
    world = run.world()
    server = world.serve(SPORTS_STORE__POLL_INTERVAL="200ms")
    began = time.monotonic()
    world.publish_next()
    takes = time.monotonic() - began
    rounds, done, torn, unserved = int(run.pick(8, 60)), 0, [], 0
    for number in range(rounds):
        release, instant = world.next_release(), takes * number / rounds
        publisher = world.start("publish", release)
        time.sleep(instant)
        publisher.kill()
        done += publisher.wait() == 0
        if not world.verifies():
            torn.append(f"{instant * 1000:.0f} ms")
        unserved += server.status(page("nba"), world.reader.key) != 200
    # Of the last release all or nothing was published; the next one differs from both.
    before = world.generation(server)
    again = world.command("publish", world.next_release())
    shown = newer_than(before, world, server)
    seen = f"killed at {', '.join(torn)}" if torn else f"{done} of {rounds} were quicker"
    run.outcome.at_most("records torn", len(torn), 0, note=seen)
    run.outcome.at_most("league not served", unserved, 0)
    run.outcome.yes("publishing works afterwards", again.returncode == 0 and world.verifies())
    run.outcome.at_most("and is served after", shown, 10, " s")


def link_to(content: bytes, world: World) -> str:
    """The path of a download with this content, which needs no key."""
    file = world.beside / "dataset.csv"
    file.write_bytes(content)
    owner = world.customer("owner@example.com")
    world.ctl("dataset", "add", "history", "nfl", file)
    world.ctl("entitlement", "grant", "--customer", owner.id, "--product", "history", "--sport", "nfl")
    server = world.serve()
    refreshed = server.ask("/api/v1/service-sports-data/refresh", owner.key, method="POST").json()
    server.stop()
    return "/" + refreshed["downloads"][0]["url"].split("/", 3)[3]


class Download(threading.Thread):
    """A download over a line of some megabytes a second."""

    def __init__(self, server: Server, path: str):
        super().__init__(daemon=True)
        self.port, self.path, self.content = server.port, path, b""

    def run(self) -> None:
        try:
            with Connection(self.port, receive_buffer=1 << 16, pace=0.01) as connection:
                self.content = connection.ask(request(self.path)).body
        except FAILURES:
            pass
