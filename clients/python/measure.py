"""The memory and the time of a download: measure.py SPORT MARKET [SEASONS [ROUNDS]]

Expects SPORTS_URL and SPORTS_API_KEY. Reads the newest SEASONS (10). Prints the peak of memory above that of an idle client as
a multiple of the frame, in a process of its own; and the median time of the seasons by this package, by one curl that gets the
same file, and by one curl that gets a file for each season over one connection. Asserts nothing: times are those of this
machine and its load.
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
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
sport, market, *labels = sys.argv[1:]
with smd.connect(cache=False, progress=False, timeout=600) as api:
    api.results(sport, market, labels[0])  # what is loaded and started once
    before = peak()
    games = api.results(sport, market, labels)
    print(games.height, games.estimated_size(), peak() - before)
"""


def by_curl(sport: str, market: str, choices: list[str], folder: Path) -> float:
    """Returns the seconds of one curl that gets a file for each choice of seasons."""
    url = f"{os.environ['SPORTS_URL']}/api/v1/results/{sport}/{terms.model_type(market)}?format=parquet&season="
    lines = [f'url = "{url}{choice}"\noutput = "{folder / choice[:7]}.parquet"' for choice in choices]
    config = "\n".join([f'header = "X-API-Key: {os.environ["SPORTS_API_KEY"]}"', "fail", "silent", *lines])
    began = time.perf_counter()
    subprocess.run(["curl", "--config", "-"], input=config, text=True, check=True)
    return time.perf_counter() - began


def main() -> None:
    """Prints the figures."""
    sport, market = sys.argv[1:3]
    number, rounds = (int(given) for given in (sys.argv[3:5] + ["10", "5"][len(sys.argv) - 3 :])[:2])
    ours, one, each = [], [], []
    with smd.connect(cache=False, progress=False, timeout=600) as api, tempfile.TemporaryDirectory() as folder:
        labels = sorted(api.seasons(sport, market).seasons)[-number:]  # type: ignore[arg-type]
        measured = subprocess.run(
            [sys.executable, "-c", MEMORY, sport, market, *labels], check=True, text=True, capture_output=True
        )
        games, size, used = map(int, measured.stdout.split())
        print(f"{games} games: a frame of {size / 1e6:.2f} MB, {used / size:.2f} × the frame more at the peak")
        for _ in range(rounds):
            began = time.perf_counter()
            api.results(sport, market, labels)  # type: ignore[arg-type]
            ours.append(time.perf_counter() - began)
            one.append(by_curl(sport, market, [",".join(labels)], Path(folder)))
            each.append(by_curl(sport, market, labels, Path(folder)))
    mine, same, single = (1000 * statistics.median(times) for times in (ours, one, each))
    print(f"{len(labels)} seasons in {mine:.1f} ms; one curl of the file {same:.1f} ms: {mine / same:.2f} ×")
    print(f"one curl of a file for each season {single:.1f} ms: {mine / single:.2f} ×")


main()
