"""Callers with keys, who write down themselves what they were answered and when."""

import threading
import time
from collections import Counter
from itertools import cycle

from programs import Server
from wire import Connection, CutShort, Refused, Unanswered, request
from world import Customer, World, page

# One of them asks for a league that there is not: it is answered 400, and counted.
CALLS = ("/api/v1/sports", page("nfl"), page("mlb"), "/api/v1/results/cricket/over_under")
FREE = {304, 401, 403, 429}


def counts(status: int) -> bool:
    """Whether an answer of this status is on the customer's bill, as docs/operations.md says."""
    return status < 500 and status not in FREE


class Caller(threading.Thread):
    """One connection of one customer, on which a call follows the other, `pause` seconds apart."""

    def __init__(self, port: int, customer: Customer, stop: threading.Event, pause: float):
        super().__init__(daemon=True)
        self.port, self.customer, self.stop, self.pause = port, customer, stop, pause
        self.answers: list[tuple[float, int]] = []  # when it was whole, by the monotonic clock, and its status
        self.unanswered, self.cut_short, self.slowest = 0, 0, 0.0

    def run(self) -> None:
        requests = cycle([request(path, self.customer.key) for path in CALLS])
        while not self.stop.is_set():
            try:
                with Connection(self.port) as connection:
                    while not self.stop.is_set():
                        sent = time.monotonic()
                        answer = connection.ask(next(requests))
                        self.answers.append((time.monotonic(), answer.status))
                        self.slowest = max(self.slowest, self.answers[-1][0] - sent)
                        self.stop.wait(self.pause)
            except Refused:
                pass
            except Unanswered:
                self.unanswered += 1
            except CutShort:
                self.cut_short += 1
            self.stop.wait(0.02)


class Load:
    """Callers on a server, two for each customer of its world; from `with` to the end of its block."""

    def __init__(self, world: World, server: Server, pause: float = 0.0):
        self.world, self.stopping = world, threading.Event()
        self.callers = [Caller(server.port, who, self.stopping, pause) for who in world.customers for _ in range(2)]
        self.before = {who.id: world.on_record(who) for who in world.customers}

    def __enter__(self) -> "Load":
        for caller in self.callers:
            caller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        for caller in self.callers:
            caller.join()

    def answers(self, customer: Customer | None = None) -> list[tuple[float, int]]:
        """In the order of their ends."""
        mine = [caller for caller in self.callers if customer in (None, caller.customer)]
        return sorted(answer for caller in mine for answer in list(caller.answers))

    def statuses(self, since: float = 0.0, until: float = float("inf")) -> Counter[int]:
        return Counter(status for at, status in self.answers() if since <= at < until)

    def failed(self, since: float = 0.0, until: float = float("inf")) -> int:
        """Answers with 5xx."""
        return sum(number for status, number in self.statuses(since, until).items() if status >= 500)

    def turned_away(self) -> int:
        """Answers that say of a good key that it is none."""
        return sum(number for status, number in self.statuses().items() if status in (401, 403))

    @property
    def cut_short(self) -> int:
        return sum(caller.cut_short for caller in self.callers)

    @property
    def slowest(self) -> float:
        return max(caller.slowest for caller in self.callers)

    def lost_after(self, within: float) -> "Loss":
        """What is lost beside a running server, which has `within` seconds to write what it counted."""
        give_up = time.monotonic() + within
        while (loss := self.lost()).calls and time.monotonic() < give_up:
            time.sleep(0.2)
        return loss

    def lost(self) -> "Loss":
        """What was answered and is not on record, or is on record twice."""
        loss = Loss()
        for customer in self.world.customers:
            counted = [at for at, status in self.answers(customer) if counts(status)]
            loss.answered += len(counted)
            record = self.world.on_record(customer)
            if record is None:
                loss.unreadable = True
            recorded = (record or 0) - self.before[customer.id]
            missing = min(len(counted), max(0, len(counted) - recorded))
            loss.calls += missing
            if missing:
                loss.since = min(loss.since, counted[-missing])
            callers = [caller for caller in self.callers if caller.customer == customer]
            unknown = sum(caller.unanswered + caller.cut_short for caller in callers)
            loss.twice += max(0, recorded - len(counted) - unknown)
        return loss


class Loss:
    """Calls that were answered and not recorded: the last ones, as far as can be known."""

    def __init__(self) -> None:
        self.answered, self.calls, self.twice = 0, 0, 0
        self.since = float("inf")
        self.unreadable = False  # sportsctl could not read the record, so all calls count as lost

    def milliseconds(self, end: float) -> float:
        """How far back from `end` the lost calls reach."""
        return max(0.0, (end - self.since) * 1000) if self.calls else 0.0

    def __str__(self) -> str:
        return f"of {self.answered:,}" + (", sportsctl cannot read the record" if self.unreadable else "")


class KeyWriters:
    """Keys made and taken back meanwhile: by the API on two connections, and by `sportsctl`, one after the other."""

    def __init__(self, world: World, server: Server):
        self.world, self.port, self.stopping = world, server.port, threading.Event()
        self.customers = [world.customer(f"writer{len(world.keys)}-{number}@example.com") for number in range(3)]
        self.made: list[str] = []  # by the API: keys whose making was answered, and whose taking back was not asked for
        self.written = 0
        by_api = [threading.Thread(target=self.by_api, args=(who,), daemon=True) for who in self.customers[:2]]
        self.threads = [*by_api, threading.Thread(target=self.by_command, args=(self.customers[2],), daemon=True)]

    def __enter__(self) -> "KeyWriters":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def by_api(self, customer: Customer) -> None:
        path = "/api/v1/customers/me/api-keys"
        while not self.stopping.is_set():
            try:
                with Connection(self.port) as connection:
                    while not self.stopping.is_set():
                        made = connection.ask(request(path, customer.key, "POST", {"name": "drill"}))
                        if made.status == 200:
                            key = made.json()["api_key"]
                            self.world.keys.append(key)
                            self.made.append(key)
                            self.stopping.wait(0.01)
                            self.made.remove(key)
                            connection.ask(request(f"{path}/{key}", customer.key, "DELETE"))
                            self.written += 1
            except (Refused, Unanswered, CutShort):
                pass
            self.stopping.wait(0.02)

    def by_command(self, customer: Customer) -> None:
        while not self.stopping.is_set():
            issued = self.world.command("key", "issue", "--customer", customer.id, "--name", "drill")
            if issued.returncode == 0:
                key = issued.stdout.split('"api_key":"')[1].split('"')[0]
                self.world.keys.append(key)
                self.world.command("key", "revoke", key)
                self.written += 1
