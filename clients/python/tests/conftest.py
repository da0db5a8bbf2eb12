"""Servers to test against: a demo (BASE_URL, API_KEY; see .ci/with_server) and the real leagues (SPORTS_REAL_DATA)."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from proxy import Proxy

import sports_model_data as smd

__all__ = ["ROOT", "TARGET", "Api", "Door", "clean_environment", "running", "serving", "until"]

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / ".ci"))

from harness.programs import TARGET, Door, answered, clean_environment, door as opened, free_port, running, until  # noqa: E402, I001

Api = smd.Api[pl.DataFrame]
#: A file that the customer of the real leagues owns.
DATASET = "date,away_team,home_team,total\n" + "2024-11-24,min,chi,39.5\n" * 1000


@pytest.fixture(scope="session")
def base() -> str:
    return os.environ["BASE_URL"]


@pytest.fixture(scope="session")
def key() -> str:
    return os.environ["API_KEY"]


@pytest.fixture(scope="session")
def api(base: str, key: str) -> Iterator[Api]:
    with smd.connect(base, key, cache=False, timeout=600) as connected:
        yield connected


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((ROOT / "docs/openapi.json").read_text())
    return loaded


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """A server of the real nfl and mlb, published by `sportsctl` into a store of their own: its address and a key."""
    data = os.environ.get("SPORTS_REAL_DATA")
    if not data:
        pytest.skip("SPORTS_REAL_DATA does not name the folder of real leagues")
    folder, port = tmp_path_factory.mktemp("real"), free_port()
    environment = clean_environment(
        SPORTS_STORE__URL=f"file:{folder / 'store'}",
        SPORTS_DATABASE__URL=f"sqlite:{folder / 'sports.db'}",
        SPORTS_LIMITS__PER_SECOND="100000",
    )

    def ctl(*words: str) -> str:
        command = [str(TARGET / "debug/sportsctl"), *words]
        done = subprocess.run(command, env=environment, text=True, capture_output=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    for league in ("mlb", "nfl"):
        for kind in ("games", "probabilities"):
            shutil.copytree(Path(data) / kind / league, folder / league / kind, copy_function=shutil.copyfile)
        run = {"id": "history", "started_at": "2024-04-09T09:00:00Z", "completed_at": "2024-04-09T10:00:00Z"}
        release = {"sport": league, "slate_date": "2024-04-09", "slate": "none", "run": run}
        (folder / league / "release.json").write_text(json.dumps(release))
        ctl("publish", str(folder / league))
    customer = ctl("customer", "create", "--email", "ann@example.com", "--name", "Ann", "--plan", "ai").split()[0]
    issued = ctl("key", "issue", "--customer", customer, "--name", "tests").strip()
    (folder / "nfl-totals.csv").write_text(DATASET)
    ctl("dataset", "add", "historical-odds", "nfl", str(folder / "nfl-totals.csv"))
    ctl("entitlement", "grant", "--customer", customer, "--product", "historical-odds", "--sport", "nfl")
    command = [TARGET / "debug/sports-api", "serve", "--bind", f"127.0.0.1:{port}"]
    address = f"http://127.0.0.1:{port}"
    with running(command, env=environment):
        until(lambda: answered(f"{address}/api/v1/readiness", {})[0] == 200)
        yield address, issued


@contextmanager
def serving(store: Path) -> Iterator[tuple[str, str]]:
    """Serves a store: the address and a key."""
    port = free_port()
    environment = clean_environment(
        SPORTS_STORE__URL=f"file:{store}", SPORTS_DATABASE__URL=f"sqlite:{store}.db", SPORTS_LIMITS__PER_SECOND="100000"
    )

    def ctl(*words: str) -> str:
        command = [str(TARGET / "debug/sportsctl"), *words]
        return subprocess.run(command, env=environment, text=True, capture_output=True, check=True).stdout

    customer = ctl("customer", "create", "--email", "ann@example.com", "--name", "Ann", "--plan", "ai").split()[0]
    key = ctl("key", "issue", "--customer", customer, "--name", "tests").strip()
    address = f"http://127.0.0.1:{port}"
    with running([TARGET / "debug/sports-api", "serve", "--bind", f"127.0.0.1:{port}"], env=environment):
        until(lambda: answered(f"{address}/api/v1/readiness", {})[0] == 200)
        yield address, key


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    """A door of an empty record, and the service of that record, which is open to everybody."""
    with opened(tmp_path / "publisher", "nfl", "nba") as made:
        yield made


@pytest.fixture
def proxy(base: str) -> Iterator[Proxy]:
    with Proxy(base) as between:
        yield between


@pytest.fixture
def real_proxy(real: tuple[str, str]) -> Iterator[Proxy]:
    with Proxy(real[0]) as between:
        yield between
