"""What a drill found, and the table of all of it."""

import textwrap
from dataclasses import dataclass, field


class Skipped(Exception):
    """This machine cannot do the drill; says why."""


@dataclass
class Check:
    """One figure beside what it may be."""

    measure: str
    found: str
    expected: str
    holds: bool


@dataclass
class Outcome:
    """All that one drill found."""

    name: str
    done: str
    seconds: float = 0.0
    checks: list[Check] = field(default_factory=list)

    def at_most(self, measure: str, found: float, limit: float, unit: str = "", note: str = "") -> None:
        """A figure, in `unit`, that may not be greater; `note` goes beside it."""
        shown = f"{figure(found)}{unit}{f' ({note})' if note else ''}"
        self.checks.append(Check(measure, shown, f"{figure(limit)}{unit}", found <= limit))

    def yes(self, measure: str, holds: bool, note: str = "") -> None:
        """Something that has to be so; `note` says what was seen."""
        self.checks.append(Check(measure, ("yes" if holds else "no") + (f" ({note})" if note else ""), "yes", holds))

    def equal(self, measure: str, found: object, expected: object) -> None:
        """Something that has to be exactly this."""
        self.checks.append(Check(measure, str(found), str(expected), found == expected))

    def fails(self, why: str) -> None:
        """The drill itself came to nothing."""
        self.checks.append(Check("carried out", why, "yes", False))

    @property
    def holds(self) -> bool:
        return all(check.holds for check in self.checks)


def figure(number: float) -> str:
    """As `12,345`, or `0.2`."""
    return f"{number:,.0f}" if number == int(number) else f"{number:,.1f}"


HEAD = ("drill", "what was done", "measured", "found", "at most", "ok")


def table(outcomes: list[Outcome]) -> str:
    """Every check a row, beside the drill's name and what was done; long cells go on in the next line."""
    rows = [HEAD]
    for outcome in outcomes:
        done = textwrap.wrap(outcome.done, 32)
        cells = []
        for check in outcome.checks:
            found = textwrap.wrap(check.found, 34, max_lines=4, placeholder=" …") or [""]
            cells.append((check.measure, found[0], check.expected, "ok" if check.holds else "NO"))
            cells += [("", more, "", "") for more in found[1:]]
        for number in range(max(len(done), len(cells))):
            name = outcome.name if number == 0 else ""
            left = (name, done[number] if number < len(done) else "")
            rows.append(left + (cells[number] if number < len(cells) else ("",) * 4))
        rows.append(("",) * len(HEAD))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return "\n".join(lines)
