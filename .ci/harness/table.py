"""Runs in turn, and the table that they become."""

import argparse
import statistics
import sys
from pathlib import Path

from harness import programs
from harness.load import Load


def options_of(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The options that all have. Builds what is measured, and prints the head of the tables."""
    parser.add_argument("--quick", action="store_true", help="one round of a second each")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3, help="of each run")
    options = programs.parsed(parser, "sports-api", "sports-ctl")
    if options.quick:
        options.rounds = options.seconds = 1
    if not options.programs:
        # By itself: the features of its dependencies, which tests share, stay out of the programs.
        programs.build("sports-api", examples=("bare-handler", "plain-reads"))
    command = " ".join([f".ci/{Path(sys.argv[0]).name}", *sys.argv[1:]])
    print(f"`{command}`: {programs.where()}\n", flush=True)
    return options


def rounds(options: argparse.Namespace, **runs) -> dict[str, list[Load]]:
    """The runs in turn, as many times as the options name."""
    found: dict[str, list[Load]] = {name: [] for name in runs}
    for _ in range(options.rounds):
        for name, run in runs.items():
            found[name].append(run())
    return found


def versus(upper: list[float], lower: list[float]) -> str:
    """The median of paired ratios, with the lowest and the highest."""
    paired = sorted(above / below for above, below in zip(upper, lower))
    return f"**{statistics.median(paired):.2f}** ({paired[0]:.2f}–{paired[-1]:.2f})"


def ratio(upper: list[Load], lower: list[Load]) -> str:
    """Of the CPU for each request."""
    return versus([run.each for run in upper], [run.each for run in lower])


def each(runs: list[Load]) -> str:
    return f"{statistics.median(run.each for run in runs):.1f}"


def latency(runs: list[Load]) -> str:
    return ", ".join(f"{statistics.median(values) / 1000:.2f}" for values in ([run.p50 for run in runs], [run.p99 for run in runs]))


def head(*names: str) -> None:
    row(*names)
    row(*["---"] * len(names))


def row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)
