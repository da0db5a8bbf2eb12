"""The costs of programs that run to their end."""

import os
import resource
import subprocess
import time
from collections.abc import Callable
from typing import NamedTuple


class Cost(NamedTuple):
    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.wall:6.3f} s wall  {self.cpu:6.3f} s CPU"


def of(what: Callable[[], object]) -> Cost:
    """Calls a function, and measures the programs that it starts and awaits."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    what()
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def run(commands: list[list]) -> Cost:
    """Runs commands one after the other."""
    # Nothing that is written before is on its way to the disk while this is timed.
    os.sync()
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return of(lambda: [subprocess.run(command, **quiet) for command in commands])
