"""Programs that run while something is measured, each on a core of its own."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RELEASE = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


ON_ONE_CORE, ON_THE_OTHER = ["taskset", "-c", "0"], ["taskset", "-c", "1"]


def build(*packages: str) -> None:
    named = [argument for package in packages for argument in ("-p", package)]
    subprocess.run(["cargo", "build", "--quiet", "--release", *named], cwd=ROOT, check=True)


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
    """What a process has computed so far, all its threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_A_SECOND


def resident_bytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) * 1024


@contextlib.contextmanager
def bare_handler(file: Path, headers: dict[str, str] | None = None, workers: int = 1, cores: list[str] = ON_ONE_CORE):
    """A bare actix handler with the bytes of a file; its process and address."""
    port = free_port()
    given = [argument for header in (headers or {}).items() for argument in ("--header", ":".join(header))]
    command = [*cores, RELEASE / "bare-handler", f"127.0.0.1:{port}", file, "--workers", workers, *given]
    with running(command) as program:
        until(lambda: listens(port))
        yield program, f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def postgres(folder: Path, cores: list[str] = ON_THE_OTHER):
    """The address of an empty database; the server refuses to run as root."""
    tools = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    as_its_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
    data, port = folder / "pg", free_port()
    data.mkdir()
    folder.chmod(0o755)
    if as_its_user:
        shutil.chown(data, "postgres", "postgres")
    subprocess.run(
        [*as_its_user, tools / "initdb", "-D", data, "-U", "sports", "--auth=trust"], check=True, stdout=subprocess.DEVNULL
    )
    with running([*cores, *as_its_user, tools / "postgres", "-D", data, "-k", data, "-p", port]):
        until(lambda: subprocess.run([tools / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)], check=True))
        yield f"postgres://sports@127.0.0.1:{port}/postgres"


@contextlib.contextmanager
def redis(cores: list[str] = ON_THE_OTHER):
    """A Redis without persistence; its process and port."""
    port = free_port()
    with running([*cores, "redis-server", "--port", port, "--save", ""]) as program:
        until(lambda: listens(port))
        yield program, port


def redis_says(port: int, section: str) -> str:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(f"INFO {section}\r\n".encode())
        time.sleep(0.2)
        return connection.recv(1 << 16).decode()


def where() -> str:
    """Commit and machine, for the head of a table."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, check=True, text=True, capture_output=True
    ).stdout.strip()
    names = (line.partition(": ")[2] for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name"))
    load = os.getloadavg()[0]
    return f"commit {commit}, {os.cpu_count()} × {next(names, 'unknown')}, Linux {os.uname().release}, load {load:.1f} at the start"


def python_tools() -> Path:
    """A folder with the pinned Python programs that the service is compared with; makes it at first use."""
    pins = Path(__file__).with_name("requirements.txt")
    folder = ROOT / "target/bench-venv"
    made = folder / "pins"
    if not made.exists() or made.read_text() != pins.read_text():
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
        subprocess.run([*pip, "--requirement", pins], check=True)
        made.write_text(pins.read_text())
    return folder / "bin"
