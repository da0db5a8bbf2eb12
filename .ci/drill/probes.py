"""What health and readiness say while a drill goes on."""

import threading
import time

from programs import Server
from wire import FAILURES, ask, request

EVERY = 0.1  # seconds
PATIENCE = 3  # seconds that a probe waits for its answer


class Probes(threading.Thread):
    """Asks after health and readiness, each time on a new connection; from `with` to the end of its block."""

    def __init__(self, server: Server, source: str | None = None):
        super().__init__(daemon=True)
        self.server, self.source, self.stopping = server, source, threading.Event()
        # When the answer was there; the status, 0 without an answer; what was said.
        self.health: list[tuple[float, int, dict]] = []
        self.readiness: list[tuple[float, int]] = []

    def __enter__(self) -> "Probes":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self.join()

    def run(self) -> None:
        while not self.stopping.wait(EVERY):
            self.readiness.append(self.probe("/api/v1/readiness")[:2])
            self.health.append(self.probe("/api/v1/health"))

    def probe(self, path: str) -> tuple[float, int, dict]:
        try:
            answer = ask(self.server.port, request(path), PATIENCE, self.source)
            return time.monotonic(), answer.status, answer.json()
        except FAILURES:
            return time.monotonic(), 0, {}

    def unanswered(self) -> int:
        return sum(status == 0 for _, status, *_ in [*self.health, *self.readiness])

    def asked(self) -> int:
        return len(self.health) + len(self.readiness)

    def troubled(self, dependency: str, since: float, until: float) -> str | None:
        """What health said of a dependency that was not well in that time, and readiness; nothing where all was well."""
        readiness = sorted({status for at, status in list(self.readiness) if since <= at < until})
        for at, status, said in list(self.health):
            part = said.get("dependencies", {}).get(dependency, {})
            if since <= at < until and status and part.get("status") != "healthy":
                return f"{part.get('status')}: {part.get('detail')}; readiness {' and '.join(map(str, readiness))}"
        return None

    def well_again(self, since: float, within: float = 15) -> float:
        """Waits until health and readiness are well again; seconds since `since`, `within` where they are not."""
        while time.monotonic() < since + within:
            well = [at for at, _, said in list(self.health) if at > since and said.get("status") == "healthy"]
            ready = [at for at, status in list(self.readiness) if at > since and status == 200]
            # The second answer: the first may have been kept from before.
            if len(well) > 1 and len(ready) > 1:
                return max(well[1], ready[1]) - since
            time.sleep(0.05)
        return within
