"""Programs under test or measurement, and the services they need."""

import argparse
import contextlib
import json
import os
import re
import socket
import subprocess
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
# The profile that is shipped and measured.
PROFILE = "dist"
PROGRAMS = TARGET / PROFILE

ON_ONE_CORE, ON_THE_OTHER = ["taskset", "-c", "0"], ["taskset", "-c", "1"]


def build(*packages: str, examples: tuple[str, ...] = ()) -> None:
    named = [argument for package in packages for argument in ("-p", package)]
    named += [argument for example in examples for argument in ("--example", example)]
    subprocess.run(["cargo", "build", "--quiet", "--locked", "--profile", PROFILE, *named], cwd=ROOT, check=True)


def parsed(parser: argparse.ArgumentParser, *packages: str) -> argparse.Namespace:
    """The options of a script that measures these packages: it builds them, or uses the programs of a named folder."""
    global PROGRAMS
    parser.add_argument("--programs", type=Path, help="measure the programs of this folder instead of building them")
    options = parser.parse_args()
    if options.programs:
        PROGRAMS = options.programs
    else:
        build(*packages)
    return options


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def until(what, seconds: float = 60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError, subprocess.CalledProcessError):
            if found := what():
                return found
        time.sleep(0.05)
    raise TimeoutError("a program did not come up")


def listens(port: int) -> bool:
    socket.create_connection(("127.0.0.1", port)).close()
    return True


def answered(address: str, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
    """An answer's status, headers (names in lower case) and body as it was sent, compressed or not."""
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
        return answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read()


def clean_environment(**more: str) -> dict[str, str]:
    """This one's without settings of the service."""
    ours = ("SPORTS_", "RUST_LOG")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)} | more


@contextlib.contextmanager
def running(command: list, **options):
    program = subprocess.Popen(
        [str(word) for word in command], **({"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | options)
    )
    try:
        yield program
    finally:
        program.terminate()
        program.wait()


def cpu_seconds(pid: int) -> float:
    """The CPU time of a process so far, all its threads together."""
    # The clock of another process, as `clock_getcpuclockid` names it; `/proc` counts hundredths of a second.
    return time.clock_gettime(~pid << 3 | 2)


def resident_bytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) * 1024


@contextlib.contextmanager
def bare_handler(file: Path, headers: dict[str, str] | None = None, workers: int = 1, cores: list[str] = ON_ONE_CORE):
    """A bare actix handler with the bytes of a file; its process and address."""
    port = free_port()
    given = [argument for header in (headers or {}).items() for argument in ("--header", ":".join(header))]
    command = [*cores, PROGRAMS / "examples/bare-handler", f"127.0.0.1:{port}", file, "--workers", workers, *given]
    with running(command) as program:
        until(lambda: listens(port))
        yield program, f"http://127.0.0.1:{port}"


def where() -> str:
    """Commit and machine, for the head of a table."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, check=True, text=True, capture_output=True
    ).stdout.strip()
    names = (line.partition(": ")[2] for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name"))
    load = os.getloadavg()[0]
    return f"commit {commit}, {os.cpu_count()} × {next(names, 'unknown')}, Linux {os.uname().release}, load {load:.1f} at the start"


@dataclass(frozen=True)
class Served:
    """A server that is ready, its address, a subscriber's key and its log."""

    process: subprocess.Popen
    base: str
    key: str
    log: Path


@contextlib.contextmanager
def demo(folder: Path, *arguments: str, program: Path | None = None, cores: tuple[str, ...] = (), **settings: str):
    """Runs the demo with its data in `folder`, and yields it as `Served` once it is ready and has printed a key."""
    base, log = f"http://127.0.0.1:{free_port()}", folder.with_suffix(".log")
    command = [*cores, program or PROGRAMS / "sports-api", "demo", "--data-dir", folder, *arguments]
    environment = clean_environment(SPORTS_HTTP__BIND=base.removeprefix("http://")) | settings
    with log.open("w") as written, running(command, env=environment, stdout=written, stderr=written) as process:

        def key() -> str | None:
            if process.poll() is not None:
                raise SystemExit(f"the demo ended before it was ready:\n{log.read_text()}")
            found = re.search(r"KEY=(\S+)", log.read_text())
            return found[1] if found and answered(f"{base}/api/v1/readiness", {})[0] == 200 else None

        yield Served(process, base, until(key, 300), log)


@dataclass(frozen=True)
class Door:
    """A publisher's door and the service of its record: their addresses, a token for it, and their settings."""

    process: subprocess.Popen
    url: str
    token: str
    record: str
    settings: Path


@contextlib.contextmanager
def door(folder: Path, *leagues: str, programs: Path = TARGET / "debug", rights: tuple[str, ...] = ("publish", "settle", "mend")):
    """Makes a record in `folder`, opens its door, serves what is published, and yields them as `Door`."""
    folder.mkdir(parents=True, exist_ok=True)
    settings, log, record = folder / "sports.toml", folder / "door.log", f"http://127.0.0.1:{free_port()}"
    (folder / "record").mkdir()
    settings.write_text(
        f'[http]\nbind = "{record.removeprefix("http://")}"\npublic_url = "{record}"\n[store]\nurl = "file:{folder}/store"\n'
        f'[database]\nurl = "sqlite:{folder}/sports.db"\n[record]\norigin = "record.example.com"\nkey_file = "{folder}/record/record.key"\n'
        "[record.public]\n" + "".join(f'{league} = "all"\n' for league in leagues) + "[limits]\nper_second = 100000\n"
    )
    common = {"env": clean_environment(), "text": True}

    def ctl(*words: str) -> str:
        command = [programs / "sportsctl", "--config", settings, *words]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **common).stdout

    ctl("record", "init")
    chosen = [word for flag, values in (("--league", leagues), ("--can", rights)) for value in values for word in (flag, value)]
    token = json.loads(ctl("publisher", "token", "create", *chosen, "--name", "tests", "--json"))["token"]
    command = [programs / "sportsctl", "--config", settings, "receive", "--bind", "127.0.0.1:0"]
    serve = [programs / "sports-api", "--config", settings, "serve"]
    with log.open("w") as written, running(command, stdout=written, stderr=written, **common) as process:

        def listens_at() -> str | None:
            found = re.search(r"receiving at (http://\S+)", log.read_text())
            if found is None and process.poll() is not None:
                raise SystemExit(f"the door ended before it was open:\n{log.read_text()}")
            return found and found[1]

        url = until(listens_at)
        with running(serve, **common):
            until(lambda: listens(int(record.rpartition(":")[2])))
            yield Door(process, url, token, record, settings)
