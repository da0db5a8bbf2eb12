"""The two programs, as an operator starts them."""

import json
import os
import resource
import signal
import subprocess
import time
from pathlib import Path

from wire import FAILURES, Answer, ask, request

# Even if the drills are killed.
ENDS_WITH_US = ("setpriv", "--pdeathsig", "KILL")
READY_WITHIN = 30  # seconds; a busy machine takes a while


class Server:
    """`sports-api serve` on any free port. Its log goes to `log`, a JSON object a line."""

    def __init__(self, command: list[str], environment: dict[str, str], log: Path):
        self.log, self.printed, self.port = log, log.with_suffix(".out"), 0
        arguments = ["serve", "--bind", "127.0.0.1:0", "--log-format", "json"]
        with open(log, "wb") as lines, open(self.printed, "wb") as printed:
            # A write that hits a file size limit is to fail, as on a full disk, and its signal not to end the program:
            # Python ignores that signal, and so do the children whose signals are not restored.
            self.process = subprocess.Popen(
                [*ENDS_WITH_US, *command, *arguments],
                env=environment, stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.PIPE,
                start_new_session=True, restore_signals=False,
            )  # fmt: skip
            # The log is kept by another program, which the server's limits do not hold for.
            self.keeper = subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=lines, start_new_session=True)
        self.process.stderr.close()

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def runs(self) -> bool:
        return self.process.poll() is None

    def listens(self) -> bool:
        address = self.printed.read_text().partition("listening on http://127.0.0.1:")[2]
        self.port = int(address.split()[0]) if address.endswith("\n") else 0
        return self.port != 0

    def listening(self, within: float = READY_WITHIN) -> bool:
        """Waits until it listens, has ended, or `within` seconds are over; says whether it listens."""
        give_up = time.monotonic() + within
        while self.runs and time.monotonic() < give_up:
            if self.listens():
                return True
            time.sleep(0.01)
        return False

    def ready(self, within: float = READY_WITHIN) -> float:
        """Waits until it is ready; how long that took, in seconds."""
        started = time.monotonic()
        while time.monotonic() - started < within and self.runs:
            if (self.port or self.listens()) and self.status("/api/v1/readiness") == 200:
                return time.monotonic() - started
            time.sleep(0.01)
        raise TimeoutError(f"not ready after {within} s; its last words: {self.last_words()}")

    def ask(self, path: str, key: str | None = None, **more: object) -> Answer:
        return ask(self.port, request(path, key, **more))

    def status(self, path: str, key: str | None = None, timeout: float = 2) -> int | None:
        """The status of an answer; none where none came in time."""
        try:
            return ask(self.port, request(path, key), timeout).status
        except FAILURES:
            return None

    def signal(self, number: signal.Signals) -> None:
        if self.runs:
            self.process.send_signal(number)

    def ended(self, within: float = 20) -> int | None:
        """Waits for its end; the exit code, none where it goes on."""
        try:
            return self.process.wait(within)
        except subprocess.TimeoutExpired:
            return None

    def stop(self) -> int | None:
        self.signal(signal.SIGTERM)
        return self.ended()

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self.ended()

    def limit(self, which: int, soft: int) -> None:
        """Sets the soft limit of the running program, a `resource.RLIMIT_*`."""
        hard = resource.prlimit(self.pid, which)[1]
        resource.prlimit(self.pid, which, (soft, hard))

    def figure(self, name: str) -> int:
        """A line of /proc/PID/status such as `VmHWM`, in KiB."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith(f"{name}:")))

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def processor_seconds(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def lines(self) -> list[dict]:
        """The log; a line that is no JSON, such as a panic's, is at level PANIC or TEXT."""
        if not self.runs:
            self.keeper.wait()
        return [parsed(line) for line in self.log.read_text(errors="replace").splitlines()]

    def last_words(self) -> str:
        """What it said of its end: the first line that is no log line, else the last one."""
        lines = self.lines()
        said = next((line for line in lines if line["level"] in ("TEXT", "PANIC")), lines[-1] if lines else {})
        return said.get("message", "nothing")[:300]


def parsed(line: str) -> dict:
    try:
        return json.loads(line)
    except ValueError:
        return {"level": "PANIC" if "panicked at" in line else "TEXT", "message": line}
