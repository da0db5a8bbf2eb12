"""An MCP server over stdio, with which assistants read the service: `sports-mcp`, of the extra `[mcp]`.

Its server and key are SPORTS_URL and SPORTS_API_KEY. It only reads, so a key with the scope `read` suffices.
"""

import base64
import csv
import dataclasses
import functools
import io
import json
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ParamSpec
from zoneinfo import ZoneInfo

import polars as pl

from . import backtests, terms
from . import calibration as calibrations
from .api import Api, connect
from .errors import ApiError
from .records import decode
from .session import names
from .status import Status
from .version import __version__

try:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import ToolAnnotations
except ImportError as missing:
    raise ImportError("the MCP server needs the extra: pip install 'sports-model-data[mcp]'") from missing

P = ParamSpec("P")

#: The characters that an answer has at most.
LIMIT = 20_000
_INSTRUCTIONS = (
    "Forecasts, lines and the graded record of sports models. A market is moneyline, spread or total. Probabilities are of the "
    "home side, or of the over; IMPLIED is the market's own. Before acting on a slate read its first sentence: it says whether "
    "today's data can be trusted. Model outputs are research signals; no edge is guaranteed."
)


def server(api: Api[pl.DataFrame]) -> MCPServer:
    """Returns the MCP server whose tools ask this client."""
    made = MCPServer("sports-model-data", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING")

    def tool(function: Callable[P, str]) -> Callable[P, str]:
        """Adds a tool. Refusals have the remedy in their text, so the assistant gets it."""

        @functools.wraps(function)
        def answer(*arguments: P.args, **named: P.kwargs) -> str:
            try:
                return function(*arguments, **named)
            except (ApiError, ValueError) as error:
                raise ToolError(str(error)) from None

        hints = ToolAnnotations(read_only_hint=True, open_world_hint=True)
        made.tool(annotations=hints, structured_output=False)(answer)
        return answer

    @tool
    def slate(
        sport: terms.Sport,
        market: terms.Market,
        model: str | None = None,
        models: Sequence[str] | None = None,
        team: str | None = None,
    ) -> str:
        """Today's games of a market as CSV: lines, prices, openers, each model's probability, expected values.

        Expected values (ev_…) are by `model`, the market's default without it. `models` lists the models to show, `team` is
        a part of a team's name, such as `celtics`.
        """
        answer = api.raw(f"predictions/{sport}/{terms.model_type(market)}", model=model)
        rows = []
        for game in answer["games"]:
            if team is not None and not any(team.lower() in game[side].lower() for side in ("away_team", "home_team")):
                continue
            shown = {name: value for name, value in game["predictions"].items() if models is None or name in models}
            lines = {name: value for name, value in game.items() if name not in ("predictions", "match_id")}
            rows.append({**lines, **shown})
        parts = [str(api.status(sport)), answer.get("message") or "", f"{len(rows)} games.", table(rows)]
        return cut(parts, "name a `team`, or the `models` to show")

    @tool
    def record(sport: terms.Sport, market: terms.Market, season: str | None = None, models: Sequence[str] | None = None) -> str:
        """The record of models in a season, the current one without `season`, as CSV; and where their forecasts are from.

        `ev roi` bets every game on the side with the higher expected value, `bt units` those where it is above zero; what
        following the picks returned is `picks_roi` of calibration. `recorded` forecasts were published before the start;
        `proven` are those among them that others had seen by then.
        """
        path = f"{sport}/{terms.model_type(market)}"
        summary = api.raw(f"summary/{path}", season=season, models=None if models is None else names(models))
        tracked = api.raw(f"model-tracking/{path}", season=season)
        origin = [one for one in tracked["models"] if models is None or one["model"] in models]
        counts = {name: tracked[name] for name in ("archive_games", "graded_games", "ungraded", "forecast_games")}
        head = f"{sport} {terms.word(market)} {summary['season']}: {json.dumps(counts)}"
        return cut([head, table(summary["summaries"]), "Origin of the forecasts:", table(origin)], "name the `models` to show")

    @tool
    def calibration(
        sport: terms.Sport, market: terms.Market, season: str | None = None, models: Sequence[str] | None = None
    ) -> str:
        """How right the probabilities of models were in a season, and whether they beat the market's, as CSV.

        A row is a model with one source of forecasts: `live` were published before the start, `walk_forward` computed later.
        `verdict_in_words` is the comparison with the market; `market_brier_p_holm` is corrected for the number of models.
        """
        chosen = None if models is None else names(models)
        answer = api.raw(f"calibration/{sport}/{terms.model_type(market)}", season=season, models=chosen)
        scores, _, _ = calibrations.rows(answer)
        head = f"{sport} {terms.word(market)} {answer['season']}"
        return cut([head, table(scores)], "name the `models` to show")

    @tool
    def backtest(
        sport: terms.Sport,
        market: terms.Market,
        tried: int,
        season: str | None = None,
        model: str | None = None,
        since: str | None = None,
        until: str | None = None,
        forecast_source: terms.BetForecasts | None = None,
        hours_before: float | None = None,
        bet: terms.RuleBet | None = None,
        side: terms.RuleSide | None = None,
        min_edge: float | None = None,
        max_edge: float | None = None,
        min_ev: float | None = None,
        max_ev: float | None = None,
        min_probability: float | None = None,
        max_probability: float | None = None,
        min_price: int | None = None,
        max_price: int | None = None,
        min_line: float | None = None,
        max_line: float | None = None,
        line_move: terms.LineMove | None = None,
        agree: int | None = None,
        models: Sequence[str] | None = None,
        team: str | None = None,
        weekday: terms.Weekday | None = None,
        month: int | None = None,
        stake: terms.Stake | None = None,
        fraction: float | None = None,
        max_stake: float | None = None,
    ) -> str:
        """The record of a betting rule at recorded prices, its luck in words, and what one step of each threshold changes.

        `tried` must count every rule that was looked at to find this one, with this one, those with poor results and those
        of earlier conversations: it is 1 for the first rule, and grows by 1 with each other rule. The best of many rules looks
        good by luck alone; `p_of_best` is the probability that the best of `tried` such rules does at least as well.

        `season` is a label, several with commas between them, or `all`; the current one without it. `bet` is the side that
        `model` rates above the market (`value`, the default) or gives more than one half (`pick`), or that the line moved to
        (`line`); with `fade` it is the other one. The other arguments leave bets out. Edges, expected values and probabilities
        are fractions, prices American odds, dates `2026-01-15`; `agree` is the least number of `models` that favour the side.
        `hours_before` decides by what was known so long before each start. The newest season against those before says more
        than the whole record.
        """
        found = api.backtest(
            sport,
            market,
            season,
            model=model,
            since=since,
            until=until,
            forecast_source=forecast_source,
            hours_before=hours_before,
            bet=bet,
            side=side,
            min_edge=min_edge,
            max_edge=max_edge,
            min_ev=min_ev,
            max_ev=max_ev,
            min_probability=min_probability,
            max_probability=max_probability,
            min_price=min_price,
            max_price=max_price,
            min_line=min_line,
            max_line=max_line,
            line_move=line_move,
            agree=agree,
            models=models,
            team=team,
            weekday=weekday,
            month=month,
            stake=stake,
            fraction=fraction,
            max_stake=max_stake,
            tried=tried,
        )
        return cut(tested(found), "name fewer thresholds")

    @tool
    def status(sport: terms.Sport) -> str:
        """Whether a league's data of today is there and can be trusted: a sentence, then every field as JSON."""
        state = api.raw(f"data-status/{sport}")
        return cut([str(decode(Status, state)), json.dumps(state)], "take the sentence above, which decides")

    @tool
    def prove(sport: terms.Sport, market: terms.Market, game_id: str) -> str:
        """The proof that a game's forecast stood in the signed log, and the commands that check it without this service.

        `game_id` is that of a slate or of results. A forecast of minutes ago may not be in a signed checkpoint yet.
        """
        found = api.raw(f"record/{sport}/proof", model_type=terms.model_type(market), game_id=game_id)
        keys = api.raw("record/keys")
        # A log may have had several keys; the first bytes of a signature name its own.
        signed = {base64.b64decode(line.split()[-1])[:4].hex() for line in found.splitlines() if line.startswith("— ")}
        log = next((key["vkey"] for key in keys["keys"] if key["vkey"].split("+", 2)[1] in signed), None)
        if log is None:
            raise ToolError("None of the keys that the server names has signed this proof")
        witnesses = "".join(f" --witness {shlex.quote(witness)}" for witness in keys["witnesses"])
        checks = (
            "Save the proof (the lines from c2sp.org on) as forecast.tlog-proof, and check it:\n\n"
            f"curl -fsS {shlex.quote(f'{api._transport.url}/verify.py')} -o verify.py\n"
            f"python3 verify.py forecast.tlog-proof --log {shlex.quote(log)}{witnesses} --start {start(found)}\n\n"
            "The keys are those that the server names, and the start is the one in the proof: the check is worth what you know "
            "of both from elsewhere.\n\n"
        )
        if len(checks) + len(found) > LIMIT:
            raise ToolError(f"The proof is longer than {LIMIT} characters: fetch record/{sport}/proof of the API itself")
        return checks + str(found)

    return made


def tested(found: backtests.Backtest[pl.DataFrame]) -> Iterator[str]:
    """Returns the lines of a backtest: the figures that decide, without the course and the tables of groups."""
    head = found.head
    yield head.rule.sentence
    yield f"Record: {plain(head.record)}"
    yield f"Luck: {head.luck.p_in_words if head.luck else 'unknown, as no bet was in a market with both prices.'}"
    yield f"Search: {plain(head.search)}"
    if head.out_of_sample:
        yield f"Newest season: {plain(head.out_of_sample.newest)}"
        yield f"Seasons before it: {plain(head.out_of_sample.before)}"
    yield f"Bets by source of the forecast: {plain(head.forecast_sources)}"
    if head.not_known_then is not None:
        yield f"Games that were not known then: {head.not_known_then}"
    if not found.neighbours.is_empty():
        yield f"The same rule with one threshold a step away:\n{table(found.neighbours.to_dicts())}"
    yield head.note


def plain(figures: Any) -> str:
    """Returns figures as JSON, fractions with six decimals; dates are texts."""
    fields = dataclasses.asdict(figures, dict_factory=lambda pairs: {name: rounded(value) for name, value in pairs})
    return json.dumps(fields, default=str)


def rounded(value: Any) -> Any:
    """Returns a fraction with six decimals, and any other value as it is."""
    return round(value, 6) if isinstance(value, float) else value


def cut(parts: Iterable[str], less: str) -> str:
    """Returns the parts as one text of whole lines, cut at the limit with a sentence that says how to ask for less."""
    text = "\n".join(part for part in parts if part)
    if len(text) <= LIMIT:
        return text
    sentence = f"\nThe answer is cut: it has {len(text)} characters, and {LIMIT} are shown. To ask for less, {less}."
    kept = text[: LIMIT - len(sentence)]
    return (kept.rpartition("\n")[0] or kept) + sentence


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Returns rows as CSV with the columns of all of them; fractions have six decimals."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: rounded(value) for name, value in row.items()})
    return text.getvalue().rstrip()


def start(proof: str) -> str:
    """Returns the start of the game that a proof is about, as its leaf has it, or a word for the one that is unknown."""
    extra = next(line for line in proof.splitlines() if line.startswith("extra ")).removeprefix("extra ")
    day, time, *_ = json.loads(base64.b64decode(extra))["entry"].splitlines()[2].split()
    if time == "-":
        return "START"
    return datetime.fromisoformat(f"{day}T{time}").replace(tzinfo=ZoneInfo("America/New_York")).isoformat()


def main() -> int:
    """Serves until the assistant's program ends."""
    try:
        with connect(progress=False) as api:
            server(api).run()
    except ValueError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 1
    return 0
