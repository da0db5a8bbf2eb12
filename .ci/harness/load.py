"""A load by wrk, and what it cost the server."""

import contextlib
import json
import re
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from harness.programs import ON_THE_OTHER, cpu_seconds

CONNECTIONS = 32

REPORT = """
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format('\\nREPORT {"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"most":%d,"errors":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    e.connect + e.read + e.write + e.status + e.timeout))
end
"""


@dataclass
class Load:
    requests: int
    seconds: float
    # Latency in microseconds.
    p50: int
    p99: int
    most: int
    errors: int
    # The CPU time of the servers meanwhile, in seconds.
    cpu: float

    @property
    def each(self) -> float:
        """Microseconds of the servers' CPU for each request."""
        return self.cpu * 1e6 / self.requests

    @property
    def rate(self) -> float:
        return self.requests / self.seconds


# Other customers' keys that requests with a key take turns with: one customer is held to 100,000 calls a second.
OTHER_KEYS: dict[str, list[str]] = {}
# So is an address without a key: a proxy that the server trusts forwards requests of several.
ADDRESSES = [f"192.0.2.{number}" for number in range(1, 5)]


def taking_turns(header: str, values: list[str]) -> str:
    """Lua that sends a request with each value of a header in turn."""
    listed = ", ".join(f'"{value}"' for value in values)
    return f"""
local values, requests, turn = {{{listed}}}, {{}}, 0
init = function()
  for number, value in ipairs(values) do
    wrk.headers["{header}"] = value
    requests[number] = wrk.format()
  end
end
request = function()
  turn = turn % #values + 1
  return requests[turn]
end
"""


def load(
    address: str,
    headers: dict[str, str],
    pids: list[int],
    seconds: float,
    connections: int = CONNECTIONS,
    cores: list[str] = ON_THE_OTHER,
    requests: str = "",
) -> Load:
    """Asks for `address` as fast as it is answered. `requests` is Lua that makes other requests of it.

    # Errors

    An answer that is an error, or none, ends the measuring.
    """
    key = headers.get("X-API-Key", "")
    if not requests and not key:
        requests = taking_turns("X-Forwarded-For", ADDRESSES)
    elif not requests and OTHER_KEYS.get(key):
        requests = taking_turns("X-API-Key", [key, *OTHER_KEYS[key]])
    asked = [argument for header in headers.items() for argument in ("-H", ": ".join(header))]
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(requests + REPORT)
        script.flush()
        shape = ["-t1", f"-c{connections}", f"-d{max(round(seconds), 1)}s", "--timeout", "10s"]
        command = [*cores, "wrk", *shape, "-s", script.name, *asked, address]
        before = sum(map(cpu_seconds, pids))
        said = subprocess.run(command, check=True, text=True, capture_output=True).stdout
        cpu = sum(map(cpu_seconds, pids)) - before
    report = json.loads(said.rpartition("REPORT ")[2])
    report["seconds"] = report.pop("microseconds") / 1e6
    found = Load(**report, cpu=cpu)
    if found.errors or not found.requests:
        raise AssertionError(f"{address} {headers.get('Accept-Encoding', '')}: {found.errors} errors in {found.requests} requests")
    return found


def paced(paths: Iterable[str], pause: int) -> str:
    """Lua that requests paths in turn, each so many milliseconds after the answer before."""
    listed = ", ".join(f"'{path}'" for path in paths)
    return f"""
local paths, requests, at = {{ {listed} }}, {{}}, 0
init = function() for number, path in ipairs(paths) do requests[number] = wrk.format('GET', path) end end
request = function() at = at % #requests + 1; return requests[at] end
delay = function() return {pause} end
"""


@contextlib.contextmanager
def beside(base: str, key: str, seconds: int, connections: int, requests: str):
    """One customer sends requests that Lua makes meanwhile. Then the list that it yields has the numbers of answers and refusals."""
    given: list[str] = []
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(requests)
        script.flush()
        shape = ["-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "20s"]
        command = ["wrk", *shape, "-s", script.name, "-H", f"X-API-Key: {key}", base]
        program = subprocess.Popen(command, text=True, stdout=subprocess.PIPE)
        try:
            yield given
        finally:
            said = program.communicate()[0]
            patterns = (r"(\d+) requests in", r"Non-2xx or 3xx responses: (\d+)")
            answers, refused = (int(found[1]) if (found := re.search(pattern, said)) else 0 for pattern in patterns)
            given.append(f"{answers}, {refused} refused")


def body_file(folder: Path, name: str, body: bytes) -> Path:
    file = folder / "".join(letter if letter.isalnum() else "-" for letter in name)
    file.write_bytes(body)
    return file
