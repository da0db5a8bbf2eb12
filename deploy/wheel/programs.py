"""Puts the static programs of the folder SPORTS_PROGRAMS into the wheel, where pip installs them beside `python`."""

import os
import platform
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Programs(BuildHookInterface):
    """A wheel with two programs and no module."""

    def initialize(self, version: str, build_data: dict) -> None:
        """Names the files of the wheel and the systems that it is for."""
        folder = Path(os.environ["SPORTS_PROGRAMS"])
        build_data["shared_scripts"] = {str(folder / name): name for name in ("sports-api", "sportsctl")}
        build_data["sbom_files"] = [str(path) for path in sorted(folder.glob("*.cdx.json"))]
        # A program without shared libraries runs beside any libc. These are the oldest that pip of Python 3.10 knows of each.
        machine = platform.machine()
        build_data["tag"] = f"py3-none-manylinux_2_17_{machine}.musllinux_1_1_{machine}"
        build_data["pure_python"] = False
