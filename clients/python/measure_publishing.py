"""The time of a publish from frames: measure_publishing.py SPORT [ROUNDS]

Expects SPORTS_REAL_DATA and `sportsctl` on the PATH. Publishes the whole history of a league into new stores, from frames and,
by `sportsctl publish`, from the folder of its CSV files. Asserts nothing: times are those of this machine and its load.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars as pl

import sports_model_data as smd
from sports_model_data import terms


def history(folder: Path) -> pl.DataFrame:
    """Returns the seasons of a folder in one frame."""
    return pl.concat([pl.read_csv(file, infer_schema_length=None) for file in sorted(folder.iterdir())], how="diagonal_relaxed")


def main() -> None:
    """Prints the figures."""
    sport, rounds = sys.argv[1], int((sys.argv[2:] or ["5"])[0])
    data = Path(os.environ["SPORTS_REAL_DATA"])
    games = history(data / "games" / sport)
    chances = {market: history(data / "probabilities" / sport / terms.model_type(market)) for market in terms.MARKETS}
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind in ("games", "probabilities"):
            shutil.copytree(data / kind / sport, folder / "release" / kind, copy_function=shutil.copyfile)
        (folder / "release/release.json").write_text(json.dumps({"sport": sport, "slate_date": "2024-04-09"}))
        for number in range(rounds):
            began = time.perf_counter()
            smd.local_publisher(folder / f"frames-{number}").publish(
                sport,  # type: ignore[arg-type]
                games=games,
                probabilities=chances,
                slate_date="2024-04-09",
            )
            ours.append(time.perf_counter() - began)
            command = ["sportsctl", "publish", folder / "release", "--store", folder / f"folder-{number}"]
            began = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            theirs.append(time.perf_counter() - began)
    mine, same = (1000 * statistics.median(times) for times in (ours, theirs))
    print(f"{games.height} games of {sport}: {mine:.0f} ms from frames, {same:.0f} ms from the folder: {mine / same:.2f} ×")


main()
