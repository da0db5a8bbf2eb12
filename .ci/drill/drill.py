"""What every drill is given: a folder, a world on it, whether to be short; and what it hands back."""

import os
import resource
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from outcome import Outcome, Skipped
from programs import Server
from world import World


class Drill:
    """One run of one drill. Whatever it starts or mounts ends with it."""

    def __init__(self, outcome: Outcome, template: World, short: bool):
        self.outcome, self.template, self.short = outcome, template, short
        self.ends = ExitStack()
        self.worlds: list[World] = []
        self.errors_expected = 0

    def __enter__(self) -> "Drill":
        self.folder = Path(self.ends.enter_context(tempfile.TemporaryDirectory(prefix="drill-")))
        return self

    def __exit__(self, *_: object) -> None:
        self.ends.close()

    def pick(self, short: float, full: float) -> float:
        """One figure for the short form, another for the full one."""
        return short if self.short else full

    def world(self, data: Path | None = None) -> World:
        """A new world; its data is in `data`, or beside its logs."""
        folder = self.folder / f"world-{len(self.worlds) + 1}"
        folder.mkdir()
        world = World(folder, self.template.binaries, data)
        world.begin_as(self.template)
        self.worlds.append(world)
        self.ends.callback(world.close)
        return world

    def expect_errors(self, seconds: float, failed: int = 0) -> None:
        """A fault of so many seconds may be logged some times a second, and so may every failed answer be."""
        self.errors_expected = int(10 * seconds) + failed + 20

    def servers(self) -> list[Server]:
        return [server for world in self.worlds for server in world.servers]

    def look_at_logs(self) -> None:
        """What no log may hold, whatever was done."""
        keys = {key.encode() for world in self.worlds for key in world.keys}
        levels = [line["level"] for server in self.servers() for line in server.lines()]
        logs = [server.log.read_bytes() + server.printed.read_bytes() for server in self.servers()]
        self.outcome.at_most("log lines of level ERROR", levels.count("ERROR"), self.errors_expected)
        leaked = sum(key in log for key in keys for log in logs)
        self.outcome.at_most("panics, and keys in the log", levels.count("PANIC") + leaked, 0)


# By name: what the table says was done, the function, and whether the short form has it.
DRILLS: dict[str, tuple[str, Callable[[Drill], None], bool]] = {}


def drill(name: str, done: str, short: bool = True) -> Callable[[Callable[[Drill], None]], Callable[[Drill], None]]:
    """Puts a function among the drills."""

    def register(function: Callable[[Drill], None]) -> Callable[[Drill], None]:
        DRILLS[name] = (done, function, short)
        return function

    return register


def carry_out(name: str, template: World, short: bool) -> Outcome:
    """Runs one drill to its end, whatever becomes of it; its worlds begin as the template."""
    done, function, _ = DRILLS[name]
    outcome, started = Outcome(name, done), time.monotonic()
    with Drill(outcome, template, short) as run:
        try:
            function(run)
            run.look_at_logs()
        except Skipped as why:
            if os.environ.get("REQUIRE_SERVICES") == "1":
                outcome.fails(f"not possible here: {why}")
            else:
                outcome.done = f"skipped: {why}"
        except Exception as error:  # noqa: BLE001 a drill that breaks is a finding like any other
            outcome.fails(f"{type(error).__name__}: {error}")
    outcome.seconds = time.monotonic() - started
    return outcome


def allow_many_descriptors() -> None:
    """The drills' own clients need more than the usual 1,024."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
