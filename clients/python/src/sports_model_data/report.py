"""The answer to a publish as frames, and the error of one that was refused. Rows are those of the caller's frames."""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from html import escape
from typing import Any, Generic, TypeVar

import polars as pl

from . import terms
from .calibration import flattened
from .errors import Refused
from .release import Origin, Release, slugs

F = TypeVar("F")

# The files of an upload in messages. A file beside a release has the folder of the command, or a number of the door.
_FILE = re.compile(
    r"(?:games|probabilities|results|predictions)/[\w/-]+\.parquet|(?:[\w./-]*/)?(odds|finals|table)(?:-1)?\.parquet"
)
_ROW = re.compile(r"\brow (\d+)\b")
# The options of `sportsctl` that messages name.
_OPTION = re.compile(r"--(correct|allow-unknown|dry-run|strict|slate|finals|allow ([\w-]+))(?![\w-])")
# A game as messages name it.
_GAME = re.compile(r"(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d)(?::\d\d)?)? (\S+) at (\w+)")
_TEXTS = dict.fromkeys(("frame", "season", "column", "value", "expected", "hint", "message"), pl.String)
PROBLEMS = ("frame", "season", "row", "times", "column", "value", "expected", "hint")
FINDINGS = ("finding", "severity", "frame", "season", "row", "message")
WARNINGS = ("frame", "season", "row", "message")
_SEASONS = {
    **dict.fromkeys(("season", "market"), pl.String),
    **dict.fromkeys(
        ("games", "added", "changed", "left_out", "live_kept", "finals_changed", "blend_kept"),
        pl.Int64,
    ),
}
_RECORDS = {
    **dict.fromkeys(("season", "market", "model"), pl.String),
    **dict.fromkeys(("wins", "losses"), pl.Int64),
    **dict.fromkeys(("brier", "market_brier"), pl.Float64),
}
# The most rows of a table in a notebook, and of problems in a message.
_SHOWN, _IN_MESSAGE = 20, 5
# The findings that `allow` lifts.
_LIFTED = frozenset(
    ("spread-signs", "vig", "final-total", "finals-against-spread", "time-zone", "placeholder-start", "score-range")
)
# The outcomes of an answer in words.
_WORDS = {"on_air": "published", "already_on_air": "nothing to do", "would_be": "dry run, nothing was written"}


class Details(Generic[F]):
    """Problems, findings and warnings of an answer, as frames with the rows of the caller's frames."""

    def __init__(self, answer: Mapping[str, Any], release: Release, convert: Callable[[pl.DataFrame], F]) -> None:
        """Takes the answer as the door or `sportsctl` gave it, and the files that it is about."""
        #: The whole answer.
        self.answer = answer
        self._release, self._convert = release, convert
        found = [one for one in answer.get("problems", ()) if isinstance(one, Mapping)]
        refused = [one for one in found if "finding" in one]
        self._problems = self._table(PROBLEMS, (self._problem(one) for one in found if "finding" not in one))
        self._findings = self._table(FINDINGS, (self._finding(one) for one in (*refused, *answer.get("findings", ()))))
        own = (f"{place}: {text}" for place, text in release.warnings)
        self._warnings = self._table(WARNINGS, (self._warning(one) for one in (*answer.get("warnings", ()), *own)))

    @property
    def problems(self) -> F:
        """A row for each problem: `frame`, `row` (its label, else its position), `column`, `value`, `expected`, `hint`."""
        return self._convert(self._problems)

    @property
    def findings(self) -> F:
        """A row for each finding, a probable mistake of a frame as a whole; `row` is that of the first game it names."""
        return self._convert(self._findings)

    @property
    def warnings(self) -> F:
        """A row for each warning."""
        return self._convert(self._warnings)

    def _origin(self, file: str | None) -> Origin | None:
        found = _FILE.fullmatch(file or "")
        return self._release.origins.get(f"{found[1]}.parquet" if found[1] else found[0]) if found else None

    def _place(self, file: str | None) -> dict[str, Any]:
        origin = self._origin(file)
        return {"frame": origin.table.name, "season": origin.season} if origin else {"frame": file, "season": None}

    def _problem(self, one: Mapping[str, Any]) -> dict[str, Any]:
        file = one.get("file")
        values = {name: one.get(name) for name in ("column", "value", "hint")}
        expected = self._worded(str(one.get("expected", "")), file)
        origin = self._origin(file)
        row = origin.label(one.get("row")) if origin else one.get("row")
        return {**self._place(file), "row": row, "times": one.get("times", 1), **values, "expected": expected}

    def _finding(self, one: Mapping[str, Any]) -> dict[str, Any]:
        file, message = one.get("file"), str(one.get("message", ""))
        named = {name: one.get(name) for name in ("finding", "severity")}
        place = self._place(file)
        place["season"] = one.get("season") or place["season"]
        return {**named, **place, "row": self._row(file, message), "message": self._worded(message, file)}

    def _warning(self, text: str) -> dict[str, Any]:
        file, separated, message = text.partition(": ")
        if not separated or not (self._origin(file) or any(file == place for place, _ in self._release.warnings)):
            file, message = "", text
        place = self._place(file) if file else {"frame": None, "season": None}
        return {**place, "row": self._row(file, message), "message": self._worded(message, file)}

    def _row(self, file: str | None, message: str) -> Hashable | None:
        """Returns the label of the first row that a message names, by its number or by its game."""
        origin = self._origin(file)
        if origin is None:
            return None
        if number := _ROW.search(message):
            return origin.label(int(number[1]))
        if game := _GAME.search(message):
            rows = origin.table.rows[origin.positions]
            wanted = zip(rows["date"].cast(pl.String), slugs(rows["away_team"]), slugs(rows["home_team"]), strict=True)
            places = [place for place, found in enumerate(wanted) if found == (game[1], game[3], game[4])]
            return origin.label(places[0] + 2) if len(places) == 1 else None
        return None

    def _worded(self, message: str, file: str | None) -> str:
        """Returns a message with the caller's frames and rows in place of files and theirs."""
        origin = self._origin(file)

        def labelled(row: re.Match[str]) -> str:
            label = origin.label(int(row[1])) if origin else None
            return row[0] if label is None else f"row {label}"

        def named(name: re.Match[str]) -> str:
            found = self._origin(name[0])
            return found.place if found else name[0]

        return _OPTION.sub(_argument, _FILE.sub(named, _ROW.sub(labelled, message)))

    def _table(self, columns: tuple[str, ...], rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
        found = list(rows)
        labels = [one["row"] for one in found]
        is_whole = all(isinstance(label, int) for label in labels if label is not None)
        kinds = {**_TEXTS, "finding": pl.String, "severity": pl.String, "times": pl.Int64}
        kinds["row"] = pl.Int64 if is_whole else pl.String
        if not is_whole:
            found = [{**one, "row": None if one["row"] is None else str(one["row"])} for one in found]
        return pl.DataFrame(found, schema={name: kinds[name] for name in columns})

    def _lines(self) -> list[str]:
        """Returns problems and refusing findings as sentences."""
        lines = []
        for one in self._problems.iter_rows(named=True):
            row = "" if one["row"] is None else f", row {one['row']}"
            more = f" ({one['times']} rows)" if (one["times"] or 1) > 1 else ""
            column = "" if one["column"] is None else f", column {one['column']}"
            value = "" if one["value"] is None else f": `{one['value']}`"
            hint = "" if one["hint"] is None else f" ({one['hint']})"
            lines.append(f"{_place(one)}{row}{more}{column}{value}: expected {one['expected']}{hint}")
        for one in self._findings.filter(pl.col("severity") == "refusal").iter_rows(named=True):
            lift = f'; allow=["{one["finding"]}"] publishes it nevertheless' if one["finding"] in _LIFTED else ""
            lines.append(f"{_place(one)}: {one['finding']}: {one['message']}{lift}")
        return lines


class ReleaseRefused(Refused, Generic[F]):
    """A release of which nothing was published, with its reasons: `problems`, `findings` and `warnings` are frames.

    Each row names the frame and its row: the label of a pandas frame, else the position.
    """

    def __init__(self, detail: str, details: Details[F], request_id: str | None = None) -> None:
        """Takes the answer's sentence and its details."""
        super().__init__(422, detail, request_id)
        self._details = details
        self.problems, self.findings, self.warnings = details.problems, details.findings, details.warnings
        #: The number of problems, of which the answer may have the first ones alone.
        self.total: int = details.answer.get("total", details._problems.height)
        lines = details._lines() or ([one["message"] for one in details._warnings.iter_rows(named=True)])
        more = [f"… and {len(lines) - _IN_MESSAGE} more: see .problems"] if len(lines) > _IN_MESSAGE else []
        self.args = ("\n  ".join([detail, *lines[:_IN_MESSAGE], *more]),)

    def _repr_html_(self) -> str:
        tables = (("problems", self._details._problems), ("findings", self._details._findings))
        return _html(self.detail, (*tables, ("warnings", self._details._warnings)))


class Report(Details[F]):
    """The answer to a publish: what changed, and what to look at. `str` of it is a few lines; a notebook shows tables."""

    def __init__(self, answer: Mapping[str, Any], release: Release, convert: Callable[[pl.DataFrame], F]) -> None:
        """Takes the answer, and the files that it is about."""
        super().__init__(answer, release, convert)
        self.sport: str = answer.get("sport", release.sport)
        #: `on_air`, `already_on_air` if nothing changed, or `would_be` of a dry run.
        self.outcome: str = answer.get("outcome", "on_air")
        self.generation: int | None = answer.get("generation")
        self.release_id: str | None = answer.get("release_id")
        #: The head of the record: keep it, or publish on it alone. `None` before the first release.
        self.head: str | None = answer.get("head")
        #: True if the door had this upload before, and answers as it did then.
        self.replayed: bool = bool(answer.get("replayed"))

    @property
    def published(self) -> bool:
        """True if the record has a new entry."""
        return self.outcome == "on_air"

    @property
    def seasons(self) -> F:
        """A row for each season and market of the history: its games, and how many are new, changed or left out."""
        return self._convert(self._seasons())

    @property
    def slate(self) -> F:
        """A row for each game of the slate that changed: its market, or `odds`, and the change."""
        return self._convert(self._slate())

    @property
    def contents(self) -> F:
        """A row for each season and market that is new, or of a dry run: its lines, prices, finals and forecasts."""
        rows = [{"season": one["season"], "market": terms.word(one["model_type"])} | flattened(one) for one in self._report]
        return self._convert(pl.DataFrame(rows, infer_schema_length=None).drop("model_type", "models", strict=False))

    @property
    def records(self) -> F:
        """A row for each model in the seasons of `contents`: wins, losses, Brier score and that of the market."""
        of = ((one["season"], terms.word(one["model_type"]), model) for one in self._report for model in one["models"])
        rows = [{"season": season, "market": market, **model} for season, market, model in of]
        return self._convert(pl.DataFrame(rows, schema=_RECORDS))

    @property
    def _report(self) -> Sequence[Mapping[str, Any]]:
        found: Sequence[Mapping[str, Any]] = self.answer.get("report", ())
        return found

    def _seasons(self) -> pl.DataFrame:
        rows = [{**one, "market": terms.word(one["model_type"])} for one in self.answer.get("seasons", ())]
        return pl.DataFrame([{name: one.get(name) for name in _SEASONS} for one in rows], schema=_SEASONS)

    def _slate(self) -> pl.DataFrame:
        slate = self.answer.get("slate") or {}
        rows: list[tuple[str | None, str, str]] = [
            ("odds", "dropped", game) for game in slate.get("odds", {}).get("dropped", ())
        ]
        rows += [(None, "moved", f"{one['from']} to {one['to']}") for one in slate.get("moved", ())]
        for market, changes in slate.get("predictions", {}).items():
            lists = {change: games for change, games in changes.items() if isinstance(games, list)}
            rows += [(terms.word(market), change, game) for change, games in lists.items() for game in games]
        return pl.DataFrame(rows, schema=dict.fromkeys(("market", "change", "game"), pl.String), orient="row")

    def __str__(self) -> str:
        """Returns what changed, and the warnings."""
        lines = [self._head()]
        seasons: dict[tuple[str, str], list[str]] = {}
        for one in self._seasons().iter_rows(named=True):
            counts = ", ".join(f"{one[name]} {word}" for name, word in _COUNTS.items() if one[name])
            seasons.setdefault((one["season"], f"{one['games']} games ({counts or 'no change'})"), []).append(one["market"])
        lines += [f"{season} {', '.join(markets)}: {counts}" for (season, counts), markets in seasons.items()]
        lines += self._counts()
        for one in self._warnings.iter_rows(named=True):
            place = f"{_place(one)}: " if one["frame"] else ""
            lines.append(f"warning: {place}{one['message']}")
        return "\n".join(lines)

    def _counts(self) -> list[str]:
        """Returns the changes of the slate and of finals, a line for each kind."""
        lines = []
        if (odds := (self.answer.get("slate") or {}).get("odds", {})).get("games"):
            lines.append(f"odds: {odds['games']} games, {odds['new']} new, {odds['changed']} changed")
        slate = self._slate().group_by("market", "change", maintain_order=True).len()
        lines += [f"{market or 'games'}: {count} {change.replace('_', ' ')}" for market, change, count in slate.iter_rows()]
        finals = ("settled", "called_off", "corrected", "unchanged")
        return lines + [f"{self.answer[name]} {name.replace('_', ' ')}" for name in finals if self.answer.get(name)]

    def __repr__(self) -> str:
        """Returns the outcome."""
        return f"<{self._head()}>"

    def _head(self) -> str:
        of = f"{self.sport} generation {self.generation}"
        said = _WORDS.get(self.outcome, self.outcome)
        of = f"it would be {of}" if self.outcome == "would_be" else of
        return f"{said}: {of}" + (f", release {self.release_id}" if self.published and self.release_id else "")

    def _repr_html_(self) -> str:
        tables = (("history", self._seasons()), ("slate", self._slate()), ("findings", self._findings))
        return _html("\n".join((self._head(), *self._counts())), (*tables, ("warnings", self._warnings)))


def _argument(option: re.Match[str]) -> str:
    """Returns an option of the command as the argument that it is here."""
    return f'allow=["{option[2]}"]' if option[2] else f"{option[1].replace('-', '_')}=True"


_COUNTS = {"added": "new", "changed": "changed", "left_out": "left out", "finals_changed": "other finals"}


def _place(one: Mapping[str, Any]) -> str:
    return one["frame"] or "the release" if one.get("season") is None else f"{one['frame']}, {one['season']}"


def _html(head: str, tables: Iterable[tuple[str, pl.DataFrame]]) -> str:
    first, *others = escape(head).splitlines()
    parts = ["<br>".join((f"<p><b>{first}</b>", *others)) + "</p>"]
    for title, table in tables:
        if table.is_empty():
            continue
        shown = [name for name in table.columns if table[name].null_count() < table.height]
        heads = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in shown)
        rows = "".join(
            "<tr>" + "".join(f"<td>{'' if cell is None else escape(str(cell))}</td>" for cell in row) + "</tr>"
            for row in table.select(shown).head(_SHOWN).iter_rows()
        )
        more = f"<p>… and {table.height - _SHOWN} more</p>" if table.height > _SHOWN else ""
        parts.append(f"<table><caption>{title}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{more}")
    return "\n".join(parts)
