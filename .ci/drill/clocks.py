"""The date of a program, moved while it runs. Its timers, and the machine's clock, go on as they were."""

from pathlib import Path

from outcome import Skipped


class MovedClock:
    """Programs started with its `environment` see a date that is some time from the machine's."""

    def __init__(self, file: Path):
        self.file = file
        self.move("+0")
        self.environment = {
            "LD_PRELOAD": library(),
            "FAKETIME_TIMESTAMP_FILE": str(file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def move(self, by: str) -> None:
        """By so much from the machine's date: `+3d`, `-2h`, `+0`."""
        new = self.file.with_suffix(".new")
        new.write_text(f"{by}\n")
        new.replace(self.file)


def library() -> str:
    for place in ("/usr/lib", "/usr/local/lib"):
        for found in Path(place).glob("**/faketime/libfaketimeMT.so.1"):
            return str(found)
    raise Skipped("needs libfaketime (Debian: apt-get install faketime)")
