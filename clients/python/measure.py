"""The memory and the time of a download: measure.py SPORT MARKET [ROUNDS]

Expects SPORTS_URL and SPORTS_API_KEY. Prints the peak of memory above that of an idle client as a multiple of the frame, in a
process of its own; and the median time of all seasons by this package and by one curl that gets the same files over one
connection. Asserts nothing: times are those of this machine and its load.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import sports_model_data as smd
from sports_model_data import terms

MEMORY = """
import resource, sys
import sports_model_data as smd
from sports_model_data import terms
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
with smd.connect(cache=False, progress=False, timeout=600) as api:
    first = api.seasons(*sys.argv[1:3]).seasons[-1]
    api.results(*sys.argv[1:3], first)  # what is loaded and started once
    before = peak()
    games = api.results(*sys.argv[1:3], "all")
    print(games.height, games.estimated_size(), peak() - before)
"""


def by_curl(api: "smd.Api[object]", sport: str, market: str, folder: Path) -> float:
    """Returns the seconds of one curl that gets every season."""
    code = terms.model_type(market)
    labels = api.seasons(sport, market).seasons  # type: ignore[arg-type]
    url = f"{os.environ['SPORTS_URL']}/api/v1/results/{sport}/{code}?format=parquet&season="
    lines = [f'url = "{url}{label}"\noutput = "{folder / label}.parquet"' for label in labels]
    config = "\n".join([f'header = "X-API-Key: {os.environ["SPORTS_API_KEY"]}"', "fail", "silent", *lines])
    began = time.perf_counter()
    subprocess.run(["curl", "--config", "-"], input=config, text=True, check=True)  # noqa: S607
    return time.perf_counter() - began


def main() -> None:
    """Prints both figures."""
    sport, market = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    measured = subprocess.run([sys.executable, "-c", MEMORY, sport, market], check=True, text=True, capture_output=True)
    games, size, used = map(int, measured.stdout.split())
    print(f"{games} games: a frame of {size / 1e6:.1f} MB, {used / 1e6:.1f} MB more at the peak, {used / size:.2f} × the frame")
    ours, curls = [], []
    with smd.connect(cache=False, progress=False, timeout=600) as api, tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            began = time.perf_counter()
            api.results(sport, market, "all")  # type: ignore[arg-type]
            ours.append(time.perf_counter() - began)
            curls.append(by_curl(api, sport, market, Path(folder)))
    mine, curl = statistics.median(ours), statistics.median(curls)
    print(f"{mine:.2f} s against {curl:.2f} s by curl: {mine / curl:.2f} ×")


main()
