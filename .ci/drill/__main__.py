"""Does to running programs what machines, disks and strangers do, and prints what was lost.

python3 .ci/drill [NAME...] [--short] [--bin DIR]; docs/drills.md says what each drill is about.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import drills  # noqa: F401 registers them
from drill import DRILLS, allow_many_descriptors, carry_out
from outcome import table
from world import ROOT, World


def in_own_mounts() -> None:
    """Goes on in a namespace of its own, if that is allowed: mounts need no root there, and end with this program."""
    if os.environ.get("DRILL_MOUNTS") or not shutil.which("unshare"):
        return
    unshare = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    if subprocess.run([*unshare, "true"], capture_output=True).returncode == 0:
        os.environ["DRILL_MOUNTS"] = "own"
        os.execvp(unshare[0], [*unshare, sys.executable, str(Path(__file__).parent), *sys.argv[1:]])


def main() -> int:
    parser = argparse.ArgumentParser(prog="drill", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"all, or some of {', '.join(DRILLS)}")
    parser.add_argument("--short", action="store_true", help="fewer rounds and shorter faults, as CI does it")
    parser.add_argument("--bin", type=Path, default=ROOT / "target/debug", metavar="DIR", help="the two programs")
    chosen = parser.parse_args()
    if unknown := set(chosen.names) - set(DRILLS):
        parser.error(f"no drill {', '.join(sorted(unknown))}; there are {', '.join(DRILLS)}")
    for program in ("sports-api", "sportsctl"):
        if not os.access(chosen.bin / program, os.X_OK):
            parser.error(f"no {program} in {chosen.bin}: cargo build --bins makes it there, --bin names another folder")

    in_own_mounts()
    allow_many_descriptors()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    form = [name for name, (_, _, short) in DRILLS.items() if short or not chosen.short]
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="drill-") as folder:
        template = World(Path(folder), chosen.bin.resolve())
        template.begin()
        for name in chosen.names or form:
            outcomes.append(carry_out(name, template, chosen.short))
            print(f"{name}: {outcomes[-1].seconds:.0f} s", file=sys.stderr, flush=True)
    print(table(outcomes), flush=True)
    failing = [outcome.name for outcome in outcomes if not outcome.holds]
    print(f"{len(outcomes)} drills in {sum(outcome.seconds for outcome in outcomes):.0f} s:", end=" ")
    print(f"more was lost than expected in {', '.join(failing)}" if failing else "no more was lost than expected")
    return 1 if failing else 0


sys.exit(main())
