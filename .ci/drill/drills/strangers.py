"""Clients from anywhere: slow ones, and ones that send too much."""

import resource
import threading
import time
from collections import Counter
from collections.abc import Iterable

from bombs import ENCODED, pieces
from drill import Drill, drill
from flood import Flood
from leagues import newer_than
from probes import Probes
from programs import Server
from wire import FAILURES, Connection, Refused, ask, request
from world import World, page

KEYS = "/api/v1/customers/me/api-keys"
LIMIT = 1024  # descriptors, as many systems give a program
SAME, OTHER, HONEST = "127.0.0.2", "127.0.0.9", "127.0.0.1"


@drill("descriptors", "more slow connections than the server may have descriptors: from one address, then from many")
def descriptors(run: Drill) -> None:
    world = run.world()
    server = world.serve(started_by=("prlimit", f"--nofile={LIMIT}:{LIMIT}"))
    unanswered = asked = most = 0
    shown = longest = 0.0
    statuses: Counter[int] = Counter()
    for sources in ([SAME], [f"127.0.1.{number}" for number in range(1, 101)]):
        before = world.generation(server)
        with Flood(server.port, 3 * LIMIT, sources) as flood:
            with Probes(server, source=SAME) as from_the_same, Probes(server, source=OTHER) as from_another:
                world.publish_next()
                shown = max(shown, newer_than(before, world, server))
                until = time.monotonic() + run.pick(4, 100)
                while time.monotonic() < until:
                    statuses[status_of_a_call(server, world)] += 1
                    most = max(most, server.descriptors())
                    time.sleep(0.05)
            longest = max(longest, flood.longest())
        for probes in (from_the_same, from_another):
            unanswered, asked = unanswered + probes.unanswered(), asked + probes.asked()
    calls, failed = statuses.total(), statuses.total() - statuses[200]
    began = time.monotonic()
    server.ready(10)
    run.outcome.at_most("probes unanswered", unanswered, 0, note=f"of {asked}")
    run.outcome.at_most("honest calls unanswered or failed", failed, 0, note=f"of {calls}")
    run.outcome.at_most("descriptors in use", most, LIMIT - 16, note=f"of {LIMIT:,}")
    run.outcome.at_most("a publish is served after", shown, 10, " s")
    if not run.short:
        run.outcome.at_most("a slow client is kept for", longest, 92, " s")
    run.outcome.at_most("well again after", time.monotonic() - began, 5, " s")


def status_of_a_call(server: Server, world: World) -> int:
    """A call with a key on a connection of its own; 0 where it was not answered."""
    try:
        return ask(server.port, request(page("nfl"), world.reader.key), 3, HONEST).status
    except FAILURES:
        return 0


@drill("memory", "bodies that inflate, do not end or are too large, at a server with 1 GiB of addresses to spare")
def memory(run: Drill) -> None:
    world = run.world()
    server = world.serve()
    for _ in range(200):
        server.ask(page("nba"), world.reader.key)
    server.limit(resource.RLIMIT_AS, (server.figure("VmSize") + (1 << 20)) << 10)
    before = server.figure("VmHWM")
    verdicts: Counter[str] = Counter()
    slowest = 0.0
    key = {"X_API_Key": world.reader.key}
    encoded = {coding: make() for coding, make in ENCODED.items()}
    size = int(run.pick(48, 300))
    for target in ((KEYS, "POST", key), (KEYS, "POST", {}), ("/api/v1/sports", "GET", key), ("/none", "PUT", {})):
        senders = [Sender(server, *target, [body], len(body), coding) for coding, body in encoded.items()]
        senders += [Sender(server, *target, pieces(size), length) for length in (size << 20, None)]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join()
            verdicts[sender.verdict] += 1
            slowest = max(slowest, sender.seconds)
    alive = server.runs
    run.outcome.yes("server lives", alive, "" if alive else server.last_words())
    if alive:
        run.outcome.at_most("memory gained at the peak", (server.figure("VmHWM") - before) / 1024, 64, " MiB")
    refused = verdicts["413"] + verdicts["415"] + verdicts["closed"]
    run.outcome.at_most("bodies not refused", verdicts.total() - refused, 0, note=str(dict(verdicts)))
    run.outcome.at_most("slowest refusal", slowest, 10, " s")
    run.outcome.yes("calls are answered afterwards", alive and server.status(page("nba"), world.reader.key) == 200)


class Sender(threading.Thread):
    """Sends one body, chunked where it has no `length`; what came back: a status, or how the connection ended."""

    def __init__(
        self, server: Server, path: str, method: str, headers: dict[str, str],
        body: Iterable[bytes], length: int | None, coding: str = "identity",
    ):  # fmt: skip
        super().__init__(daemon=True)
        framing = {"Transfer_Encoding": "chunked"} if length is None else {"Content_Length": str(length)}
        encoding = {} if coding == "identity" else {"Content_Encoding": coding}
        kind = {"Content_Type": "application/json"}
        self.head = request(path, method=method, **headers, **kind, **framing, **encoding)
        self.port, self.body, self.chunked = server.port, body, length is None
        self.verdict, self.seconds = "not sent", 0.0

    def run(self) -> None:
        began = time.monotonic()
        try:
            with Connection(self.port, timeout=20) as connection:
                self.send(connection)
                self.verdict = str(connection.read().status)
        except Refused:
            self.verdict = "refused"
        except FAILURES as error:
            self.verdict = "unanswered" if "timed out" in str(error) else "closed"
        self.seconds = time.monotonic() - began

    def send(self, connection: Connection) -> None:
        """Until all is sent, or the server no longer takes it."""
        try:
            connection.socket.sendall(self.head)
            for piece in self.body:
                connection.socket.sendall(b"%x\r\n%s\r\n" % (len(piece), piece) if self.chunked else piece)
            if self.chunked:
                connection.socket.sendall(b"0\r\n\r\n")
        except OSError:
            pass
