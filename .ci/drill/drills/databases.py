"""A database that another program has locked, and one that is damaged or replaced."""

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from drill import Drill, drill
from load import Load
from probes import Probes
from programs import Server
from world import World

KEYS = "/api/v1/customers/me/api-keys"
SPORTS = "/api/v1/sports"


@drill("db-locked", "another program holds the database's write lock under load, then lets go of it")
def locked(run: Drill) -> None:
    world = run.world()
    server = world.serve()
    recovery, slowest, lasted = 0.0, 0.0, 0.0
    with Probes(server) as probes, Load(world, server) as load:
        time.sleep(0.5)
        for seconds in (2, run.pick(3, 20)):
            with world.database.locked():
                began = time.monotonic()
                answer = server.ask(KEYS, world.reader.key, method="POST", body={"name": "locked"})
                assert answer.status in (200, 503), f"making a key was answered {answer.status}"
                slowest = max(slowest, time.monotonic() - began)
                time.sleep(max(0.0, seconds - (time.monotonic() - began)))
                said = probes.troubled("database", began, time.monotonic())
            lasted += seconds
            recovery = max(recovery, probes.well_again(time.monotonic()))
    key = server.ask(KEYS, world.reader.key, method="POST", body={"name": "after"})
    running = load.lost_after(8)
    code = server.stop()
    stopped = load.lost()
    run.outcome.at_most("calls lost, the server running", running.calls, 0, note=str(running))
    run.outcome.at_most("calls lost, the server stopped", stopped.calls, 0, note=str(stopped))
    run.outcome.at_most("calls answered with 5xx", load.failed(), 0)
    run.outcome.at_most("slowest answer", load.slowest, 5, " s")
    run.outcome.at_most("a key refused or made after", slowest, 10, " s")
    if not run.short:
        run.outcome.yes("health said so of the longer lock", said is not None, said or "healthy throughout")
    run.outcome.at_most("well again after", recovery, 10, " s")
    run.outcome.equal("making a key afterwards", key.status, 200)
    run.outcome.equal("exit code", code, 0)
    run.expect_errors(lasted, load.failed())


@dataclass
class Damages:
    """What went wrong with a damaged database, case by case."""

    turned_away: list[str] = field(default_factory=list)
    miscounted: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    unreachable: list[str] = field(default_factory=list)
    not_restored: list[str] = field(default_factory=list)
    cases: int = 0

    def into_table(self, run: Drill) -> None:
        rows = {
            "good keys called bad": self.turned_away,
            "counts that are not true": self.miscounted,
            "damage neither named nor harmless": self.silent,
            "public answers missing": self.unreachable,
            "not whole after a restore": self.not_restored,
        }
        for what, cases in rows.items():
            run.outcome.at_most(what, len(cases), 0, note=f"of {self.cases}: {'; '.join(cases)}" if cases else "")


def backed_up(run: Drill) -> tuple[World, int]:
    """A world with some calls on record, and a backup of it beside it."""
    world = run.world()
    server = world.serve()
    with Load(world, server, pause=0.005):
        time.sleep(0.5)
    server.stop()
    world.ctl("backup", world.beside / "backup")
    return world, world.on_record(world.customers[0])


def restored(world: World, counted: int) -> bool:
    """Puts the backup in place of what is there, as docs/operations.md says."""
    shutil.rmtree(world.data)
    world.data.mkdir()
    done = world.command("restore", world.beside / "backup")
    return done.returncode == 0 and world.on_record(world.customers[0]) == counted and world.database.whole()


@drill("db-damaged", "noise, a cut or another file in place of the database before a start; then a restore")
def damaged(run: Drill) -> None:
    world, counted = backed_up(run)
    damages = Damages()
    for how, damage in world.database.damage().items():
        damages.cases += 1
        damage()
        server = world.server()
        if server.listening(15):
            judge(world, server, counted, damages, how)
            server.stop()
        elif server.ended(0.1) not in (1, 2) or "database" not in server.last_words():
            damages.silent.append(f"{how}: {server.last_words()}")
        if not restored(world, counted):
            damages.not_restored.append(how)
    damages.into_table(run)
    run.expect_errors(5 * damages.cases)


def judge(world: World, server: Server, counted: int, damages: Damages, how: str) -> None:
    """What a server answers that has a damaged database: the truth, or that it cannot."""
    time.sleep(1)
    usage = server.ask("/api/v1/customers/me/usage", world.customers[0].key)
    if usage.status in (401, 403):
        damages.turned_away.append(how)
    elif usage.status == 200 and usage.json()["monthly_requests"] != counted:
        damages.miscounted.append(how)
    if server.status("/api/v1/data-status/nfl") != 200:
        damages.unreachable.append(how)
    health = server.ask("/api/v1/health").json()
    if health["status"] == "healthy" and usage.status != 200:
        damages.silent.append(how)


@drill("db-hurt", "noise over the database, a cut, or another in its place under a running server; then a restore")
def hurt(run: Drill) -> None:
    world, counted = backed_up(run)
    damages = Damages()
    other = world.beside / "backup" / "sports.db"
    ways: dict[str, Callable[[], object]] = {
        "another in its place": lambda: world.database.replace(other),
        **world.database.damage_running(),
    }
    if run.short:
        ways = dict(list(ways.items())[:2])
    lasted, failed = 0.0, 0
    for how, damage in ways.items():
        damages.cases += 1
        server = world.serve()
        with Probes(server) as probes, Load(world, server, pause=0.002) as load:
            time.sleep(0.3)
            began = time.monotonic()
            damage()
            time.sleep(run.pick(1.5, 8))
            public = server.status("/api/v1/data-status/nfl")
            named = not server.runs or probes.troubled("database", began, time.monotonic())
        if load.turned_away():
            damages.turned_away.append(how)
        if public != 200 and server.runs:
            damages.unreachable.append(how)
        server.stop()
        server.kill()
        lasted, failed = lasted + time.monotonic() - began, failed + load.failed()
        harmless = world.database.whole() and load.lost().calls == 0
        # What cannot be seen while it runs, the next backup sees.
        if not (named or harmless or world.command("backup", world.beside / "damaged").returncode != 0):
            damages.silent.append(how)
        shutil.rmtree(world.beside / "damaged", ignore_errors=True)
        if not restored(world, counted):
            damages.not_restored.append(how)
    damages.into_table(run)
    run.expect_errors(lasted, failed)
