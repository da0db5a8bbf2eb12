"""Disks that are full, refuse writes, or are read-only."""

import resource
import time
from collections.abc import Callable

from disk import FailingDisk, SmallDisk
from drill import Drill, drill
from leagues import publish_shows
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
        time.sleep(run.pick(2.5, 15))
        torn = not publishes_whole(world, server, before)
        ended = time.monotonic()
        end()
        well_again = probes.well_again(ended)
        time.sleep(0.5)
        key = server.ask(KEYS, world.reader.key, method="POST", body={"name": "after"})
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
    run.outcome.equal("making a key afterwards", key.status, 200)
    run.outcome.at_most("publishes torn", torn, 0)
    afterwards = world.command("publish", world.next_release())
    run.outcome.yes("publishing works afterwards", afterwards.returncode == 0 and world.verifies())
    run.outcome.equal("exit code", code, 0)
    run.expect_errors(ended - began, load.failed())


def publishes_whole(world: World, server: Server, before: str) -> bool:
    """Tries to publish; whether the record verifies afterwards, and the server has the old or the new of it."""
    done = world.command("publish", world.next_release())
    if not world.verifies():
        return False
    return done.returncode == 0 or world.generation(server) == before


@drill("disk-fails", "an ext4 disk finds an error under load and is read-only; stopped, repaired, started", short=False)
def disk_fails(run: Drill) -> None:
    disk = FailingDisk(run.folder / "disk", 64, run.ends)
    world = run.world(disk.folder / "data")
    disk.sync()
    server = world.serve()
    with Probes(server) as probes, Load(world, server) as load:
        time.sleep(1)
        began = time.monotonic()
        disk.fail()
        time.sleep(5)
        failed = load.failed()
    said = probes.troubled("database", began, time.monotonic())
    stopping = time.monotonic()
    code = server.stop()
    took = time.monotonic() - stopping
    server.kill()
    disk.repair()
    lost = load.lost().calls
    run.outcome.at_most("calls answered with 5xx", failed, 0)
    run.outcome.yes("health said so", said is not None, said or "healthy throughout")
    errors = [line for line in server.lines() if line["level"] == "ERROR"]
    run.outcome.yes("log or exit code say what was lost", bool(code or errors or not lost), f"{lost:,} calls")
    run.outcome.at_most("ended after", took, 15, " s")
    run.outcome.yes("database whole after the repair", world.database.whole())
    server = world.serve()
    run.outcome.at_most("a publish is served after", publish_shows(world, server), 10, " s")
    run.outcome.yes("the record verifies", world.verifies())
    run.expect_errors(time.monotonic() - began, failed)


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
    run.outcome.equal("publishing ends with code", publish.returncode, 1)
    issue = world.command("key", "issue", "--customer", world.customers[0].id, "--name", "drill")
    run.outcome.equal("making a key ends with code", issue.returncode, 1)
    run.expect_errors(10)

    disk.writable()
    loss = load.lost()
    run.outcome.at_most("calls lost", loss.calls, 0, note=str(loss))
    started = time.monotonic()
    server = world.serve()
    run.outcome.at_most("ready again after", time.monotonic() - started, 10, " s")
    answered = [server.status(page(league), world.reader.key) for league in ("mlb", "nfl", "nba")]
    run.outcome.equal("every league afterwards", answered, [200] * 3)
    run.outcome.yes("the record verifies", world.verifies())
    server.stop()
