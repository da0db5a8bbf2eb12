"""A machine whose date is set, back and ahead, while programs run."""

import time
from collections import Counter

from clocks import MovedClock
from drill import Drill, drill
from leagues import newer_than
from load import Load
from programs import Server
from wire import Connection, request
from world import World

SETTINGS = {"SPORTS_LIMITS__PER_SECOND": "40"}
SPORTS = "/api/v1/sports"


@drill("clock", "the date set back 2 h, to now, ahead 40 days and back under load, while releases are published")
def clock(run: Drill) -> None:
    world = run.world()
    moved = MovedClock(world.beside / "date")
    server = world.serve(**SETTINGS, **moved.environment)
    refused = shown = 0.0
    published = {}
    # Two callers a customer, well under the limit.
    with Load(world, server, pause=0.15) as load:
        for by in ("-2h", "+0", "+40d", "-1d"):
            moved.move(by)
            time.sleep(run.pick(0.7, 5))
            refused = max(refused, refused_for(server, world))
            before = world.generation(server)
            published[by] = world.command("publish", world.next_release(), **moved.environment).returncode == 0
            if published[by]:
                shown = max(shown, newer_than(before, world, server))
    loss = load.lost_after(5)
    code = server.stop()
    again = world.serve(**SETTINGS, **moved.environment)
    keys = [again.status(SPORTS, who.key) for who in world.customers]
    again.stop()
    other = {status: number for status, number in load.statuses().items() if status not in (200, 400)}
    # A record's time goes forward only: docs/design/record.md, time in a record.
    by_the_rule = {"-2h": False, "+0": True, "+40d": True, "-1d": False}
    run.outcome.at_most("calls lost, all months together", loss.calls, 0, note=str(loss))
    run.outcome.at_most("calls refused or failed", sum(other.values()), 0, note=str(other) if other else "")
    run.outcome.at_most("refused after a second used up", refused, 3, " s")
    run.outcome.at_most("a publish is served after", shown, 10, " s")
    run.outcome.yes("no publish behind the record", published == by_the_rule)
    run.outcome.yes("the record verifies", world.verifies())
    run.outcome.equal("exit code", code, 0)
    run.outcome.equal("keys after a start in the past", keys, [200] * len(keys))


def refused_for(server: Server, world: World) -> float:
    """How long a customer that used up a second is refused, 10 seconds at most."""
    key = world.customer(f"hasty{len(world.keys)}@example.com").key
    with Connection(server.port) as connection:
        statuses = [connection.ask(request(SPORTS, key)).status for _ in range(60)]
        assert 429 in statuses, f"60 calls at once were answered {Counter(statuses)}"
        began = time.monotonic()
        while time.monotonic() - began < 10 and connection.ask(request(SPORTS, key)).status == 429:
            time.sleep(0.05)
        return time.monotonic() - began
