"""Disks that are full, refuse writes, or are read-only."""

import resource
import time
from collections.abc import Callable

from disk import SmallDisk
from drill import Drill, drill
from load import Load
from probes import Probes
from programs import Server
from world import World, page

KEYS = "/api/v1/customers/me/api-keys"


@drill("disk-full", "database and store on a disk that fills up under load, and is freed")
def disk_full(run: Drill) -> None:
    disk = SmallDisk(run.folder / "disk", 24, run.ends)
    world = run.world(disk.folder / "data")
    through_a_fault(run, world, world.serve(), disk.fill, disk.free)


@drill("disk-refuses", "every write of the server fails under load (a file size limit of 0), then no more")
def disk_refuses(run: Drill) -> None:
    world = run.world()
    server = world.serve()
    unlimited = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)[0]
    refuse = lambda: server.limit(resource.RLIMIT_FSIZE, 0)  # noqa: E731
    through_a_fault(run, world, server, refuse, lambda: server.limit(resource.RLIMIT_FSIZE, unlimited))


def through_a_fault(
    run: Drill, world: World, server: Server, begin: Callable[[], None], end: Callable[[], None]
) -> None:
    """Load before, during and after a fault of the disk; what is on record in the end."""
    before = world.generation(server)
    with Probes(server) as probes, Load(world, server) as load:
        time.sleep(0.5)
        begin()
        began = time.monotonic()
        time.sleep(run.pick(3, 10))
        torn = not publishes_whole(world, server, before)
        ended = time.monotonic()
        end()
        well_again = probes.well_again(ended)
        time.sleep(0.5)
        key = server.ask(KEYS, world.reader.key, method="POST", body={"name": "after"})
        alive = server.runs
    running = load.lost_after(8)
    code = server.stop()
    stopped = load.lost()
    run.outcome.at_most("calls lost, the server running", running.calls, 0, note=str(running))
    run.outcome.at_most("calls lost, the server stopped", stopped.calls, 0, note=str(stopped))
    run.outcome.at_most("calls counted twice", stopped.twice, 0)
    run.outcome.at_most("calls answered with 5xx", load.failed(), 0)
    said = probes.troubled("database", began, ended + 1)
    run.outcome.yes("health said so", said is not None, said or "healthy throughout")
    run.outcome.at_most("well again after", well_again, 10, " s")
    run.outcome.yes("keys can be made afterwards", key.status == 200, "" if key.status == 200 else str(key.status))
    run.outcome.at_most("publishes torn", torn, 0)
    afterwards = world.command("publish", world.next_release())
    run.outcome.yes("publishing works afterwards", afterwards.returncode == 0 and world.verifies())
    run.outcome.yes("exit code 0", alive and code == 0, "" if code == 0 else str(code))
    run.expect_errors(ended - began, load.failed())


def publishes_whole(world: World, server: Server, before: str) -> bool:
    """Tries to publish; whether the record holds afterwards, and the server has the old or the new of it."""
    done = world.command("publish", world.next_release())
    if not world.verifies():
        return False
    return done.returncode == 0 or world.generation(server) == before


@drill("disk-read-only", "programs started on a disk that is read-only, then writable again")
def disk_read_only(run: Drill) -> None:
    disk = SmallDisk(run.folder / "disk", 24, run.ends)
    world = run.world(disk.folder / "data")
    server = world.serve()
    with Load(world, server) as load:
        time.sleep(0.5)
    server.stop()

    disk.read_only()
    server = world.server()
    if server.listening(10):
        with Probes(server) as probes:
            began = time.monotonic()
            time.sleep(2.5)
        said = probes.troubled("database", began, time.monotonic())
        run.outcome.yes("server says so", said is not None, said or "serves, and health is healthy")
        server.stop()
    else:
        said = server.last_words()
        run.outcome.yes("server says so", server.ended(0.1) in (1, 2) and "sports.db" in said, said)
    publish = world.command("publish", world.next_release())
    run.outcome.yes("publishing is refused", publish.returncode == 1, f"exit code {publish.returncode}")
    issue = world.command("key", "issue", "--customer", world.customers[0].id, "--name", "drill")
    run.outcome.yes("making a key is refused", issue.returncode == 1, f"exit code {issue.returncode}")
    run.expect_errors(10)

    disk.writable()
    loss = load.lost()
    run.outcome.at_most("calls lost", loss.calls, 0, note=str(loss))
    started = time.monotonic()
    server = world.serve()
    run.outcome.at_most("ready again after", time.monotonic() - started, 10, " s")
    answered = [server.status(page(league), world.reader.key) for league in ("mlb", "nfl", "nba")]
    run.outcome.yes("every league answers", answered == [200] * 3, "" if answered == [200] * 3 else str(answered))
    run.outcome.yes("the record holds", world.verifies())
    server.stop()
