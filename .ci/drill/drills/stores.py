"""A store that becomes unavailable, objects that are altered or lost, and numbers in a log that continue nothing."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from drill import Drill, drill
from leagues import HARMED, Leagues, archive, publish_shows
from load import Load
from probes import Probes
from world import page

QUICK_POLL = {"SPORTS_STORE__POLL_INTERVAL": "200ms"}

DAMAGES: dict[str, Callable[[Path], object]] = {
    "bits flipped": lambda file: file.write_bytes(bytes(byte ^ 0x55 for byte in file.read_bytes())),
    "cut to half": lambda file: os.truncate(file, file.stat().st_size // 2),
    "of no length": lambda file: os.truncate(file, 0),
    "deleted": lambda file: file.unlink(),
}


@drill("store-unavailable", "the store's folder renamed under load, and back; then a publish")
def store_unavailable(run: Drill) -> None:
    world = run.world()
    server = world.serve()
    with Probes(server) as probes, Load(world, server) as load:
        time.sleep(1)
        elsewhere = world.store.with_name("elsewhere")
        world.store.rename(elsewhere)
        gone = time.monotonic()
        time.sleep(run.pick(3, 35))
        back = time.monotonic()
        elsewhere.rename(world.store)
        well_again = probes.well_again(back)
    loss = load.lost_after(5)
    run.outcome.at_most("calls lost", loss.calls, 0, note=str(loss))
    run.outcome.at_most("calls answered with 5xx", load.failed(), 0)
    run.outcome.at_most("answers cut short", load.cut_short, 0)
    said = probes.troubled("object_storage", gone + 1, back + 1)
    run.outcome.yes("health said so", said is not None, said or "healthy throughout")
    run.outcome.at_most("well again after", well_again, 10, " s")
    run.outcome.at_most("a publish is served after", publish_shows(world, server), 10, " s")
    run.outcome.yes("the record verifies", world.verifies())
    run.expect_errors(back - gone, load.failed())


@drill("store-damaged", "objects and log entries of nba altered or lost: under a running server, and before a start")
def store_damaged(run: Drill) -> None:
    world = run.world()
    leagues = Leagues(world, run)
    leagues.remember()
    world.publish_next()
    leagues.remember()
    entries = sorted((world.store / "sports" / HARMED / "log").iterdir())
    targets = {
        "archive served": [archive(world, "won_on_spread")],
        "archive read later": [archive(world, "over_under")],
        "newest entry": entries[-1:],
        "every entry": entries,
    }
    cases = [(what, how) for what in targets for how in DAMAGES]
    for number, (what, how) in enumerate(cases):
        # The short form does another damage to each.
        if run.short and (number + number // 4) % 4 != 3:
            continue
        leagues.case = f"{what} {how}"
        # The newest entries of a log can be cut off unseen, as docs/architecture.md says.
        unseen = how == "deleted" and what.endswith("entry")
        damaged(leagues, targets[what], DAMAGES[how], unseen, loaded_before=what != "archive read later")
    leagues.into_table()
    run.outcome.at_most("put back, served after", leagues.recovery, 9, " s")


def damaged(
    leagues: Leagues, files: list[Path], damage: Callable[[Path], object], unseen: bool, loaded_before: bool
) -> None:
    """One case, from sound to sound again."""
    kept = {file: file.read_bytes() for file in files}
    server = leagues.world.serve(**QUICK_POLL)
    for file in files:
        damage(file)
    time.sleep(0.5)
    leagues.look(server)
    if not unseen:
        leagues.found()
    server.kill()

    server = leagues.world.server(**QUICK_POLL)
    server.listening()
    time.sleep(1)
    leagues.look(server)
    if loaded_before and not unseen:
        leagues.named(server)
    for file, content in kept.items():
        file.write_bytes(content)
    leagues.recovered(server)
    server.kill()


@drill("store-strays", "numbers in nba's log that continue nothing: running, started again, and publishing")
def store_strays(run: Drill) -> None:
    world = run.world()
    leagues = Leagues(world, run)
    leagues.remember()
    log = world.store / "sports" / HARMED / "log"
    strays = {
        "999999999999.json": b"",
        "000000000900.json": b"{}",
        "500000000000.json": b"\x00\xff no entry",
        "000000000777.json": max(log.iterdir()).read_bytes(),
    }
    server = world.serve()
    for name, content in strays.items():
        (log / name).write_bytes(content)
    leagues.case = "running"
    time.sleep(1.5)
    leagues.look(server, harmed=None)
    server.kill()

    leagues.case = "started again"
    server = world.server()
    server.listening()
    time.sleep(1)
    leagues.look(server, harmed=None)
    leagues.named(server)
    leagues.found()
    spent = server.processor_seconds()
    time.sleep(2)
    busy = (server.processor_seconds() - spent) / 2 * 100
    published = world.command("publish", world.next_release())
    time.sleep(1.5)
    served = not leagues.newest(server) and leagues.served(server, page(HARMED)) is not None
    for name in strays:
        (log / name).unlink()
    leagues.into_table()
    run.outcome.at_most("busy while asked nothing", busy, 30, " % of a core")
    run.outcome.equal("publishing ends with code", published.returncode, 0)
    run.outcome.yes("what was published is served", served)
    run.outcome.yes("the record verifies without them", world.verifies())
