"""The MCP server, run as an assistant's program runs it, with the client of its SDK."""

import asyncio
import csv
import inspect
import io
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from conftest import Api
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent
from proxy import Proxy, Reply

import sports_model_data as smd

LIMIT = 20_000
SERVER = Path(sys.executable).with_name("sports-mcp")

Call = Callable[..., CallToolResult]


def calling(base: str, key: str, cache: Path) -> Call:
    """A call of a tool, by a server of its own."""
    environment = {"SPORTS_URL": base, "SPORTS_API_KEY": key, "XDG_CACHE_HOME": str(cache)}

    async def call(tool: str, arguments: dict[str, Any]) -> CallToolResult:
        async with Client(StdioServerParameters(command=str(SERVER), env=environment)) as client:
            answer = await client.call_tool(tool, arguments)
            assert isinstance(answer, CallToolResult)
            return answer

    return lambda tool, **arguments: asyncio.run(call(tool, arguments))


def text(answer: CallToolResult) -> str:
    (part,) = answer.content
    assert isinstance(part, TextContent) and len(part.text) <= LIMIT
    return part.text


@pytest.fixture(scope="module")
def read_key(api: Api) -> Iterator[str]:
    made = api.create_key("assistant", scope="read")
    yield made
    api.revoke_key(made)


@pytest.fixture
def call(base: str, read_key: str, tmp_path: Path) -> Call:
    return calling(base, read_key, tmp_path)


def tables(answer: CallToolResult) -> list[dict[str, str]]:
    """The rows of an answer's first table, which begins with its header."""
    lines = [line for line in text(answer).splitlines() if not line.startswith("The answer is cut: ")]
    first = next(
        number for number, line in enumerate(lines) if line.count(",") > 3 and not re.search(r"[ {]", line.split(",")[0])
    )
    end = next((number for number, line in enumerate(lines[first:], first) if line.count(",") < 3), len(lines))
    return list(csv.DictReader(io.StringIO("\n".join(lines[first:end]))))


def test_the_tools_are_listed_with_what_they_take(base: str, read_key: str, tmp_path: Path) -> None:
    environment = {"SPORTS_URL": base, "SPORTS_API_KEY": read_key, "XDG_CACHE_HOME": str(tmp_path)}

    async def tools() -> dict[str, Any]:
        async with Client(StdioServerParameters(command=str(SERVER), env=environment)) as client:
            return {tool.name: tool for tool in (await client.list_tools()).tools}

    found = asyncio.run(tools())
    assert found.keys() == {"slate", "record", "calibration", "backtest", "status", "prove"}
    assert all(tool.description and tool.annotations.read_only_hint for tool in found.values())
    assert found["prove"].input_schema["required"] == ["sport", "market", "game_id"]
    assert found["backtest"].input_schema["required"] == ["sport", "market", "tried"]
    rule = set(inspect.signature(smd.Api.backtest).parameters) - {"self"}
    assert found["backtest"].input_schema["properties"].keys() == rule
    assert "`tried` must count every rule" in found["backtest"].description


def test_a_slate_has_its_state_its_games_and_what_was_asked_for(call: Call, api: Api) -> None:
    games = api.predictions("nba", "spread")
    answer = call("slate", sport="nba", market="spread")
    assert text(answer).startswith(str(api.status("nba")))
    rows = tables(answer)
    assert [row["game_id"] for row in rows] == games["game_id"].to_list()
    shown = [(float(row["BLEND"]), float(row["home_point_spread"]), int(row["home_point_spread_line"])) for row in rows]
    assert shown == games.select("BLEND", "home_point_spread", "home_point_spread_line").rows()
    team = games["home_team"][0]
    few = tables(call("slate", sport="nba", market="spread", team=team.upper(), models=["BLEND"]))
    assert {team} <= set(few[0].values()) and "BLEND" in few[0] and "AI" not in few[0]


def test_a_record_and_a_calibration_are_those_of_the_api(call: Call, api: Api) -> None:
    record = call("record", sport="nfl", market="moneyline", season="2024-25", models=["BLEND"])
    (row,) = tables(record)
    blend = api.summary("nfl", "moneyline", "2024-25", models="BLEND").row(0, named=True)
    assert (int(row["wins"]), int(row["losses"])) == (blend["wins"], blend["losses"])
    tracked = next(one for one in api.tracking("nfl", "moneyline", "2024-25").models if one.model == "BLEND")
    assert f"BLEND,{tracked.games},{tracked.first_date},{tracked.last_date},{tracked.recorded}" in text(record)

    scores = api.calibration("nba", "moneyline").scores
    rows = tables(call("calibration", sport="nba", market="moneyline"))
    assert [(row["forecast_source"], row["model"], row["verdict_in_words"]) for row in rows] == [
        *scores.select("forecast_source", "model", "verdict_in_words").iter_rows()
    ]


def test_a_backtest_is_short_and_has_the_figures_that_decide(call: Call, api: Api) -> None:
    labels = sorted(api.seasons("nba", "moneyline").seasons)[:2]
    rule: dict[str, Any] = {"min_edge": 0.03, "side": "underdog", "models": ["XGB", "RF"], "agree": 1, "tried": 40}
    answer = text(call("backtest", sport="nba", market="moneyline", season=",".join(labels), **rule))
    found = api.backtest("nba", "moneyline", labels, **rule)
    assert found.head.luck and found.head.out_of_sample and found.course.height > 100 and len(answer) < 4000
    lines = answer.splitlines()
    assert lines[0] == found.head.rule.sentence and lines[-1] == found.head.note
    assert f"Luck: {found.head.luck.p_in_words}" in lines
    figures = {head: json.loads(rest) for head, _, rest in (line.partition(": ") for line in lines) if rest.startswith("{")}
    assert figures["Record"]["bets"] == found.head.record.bets
    assert figures["Record"]["drawdown"]["until"] == str(found.head.record.drawdown.until)
    assert figures["Search"] == {name: value and round(value, 6) for name, value in vars(found.head.search).items()}
    assert figures["Newest season"]["season"] == labels[1] and figures["Seasons before it"]["seasons"] == labels[:1]
    steps = list(csv.DictReader(lines[lines.index("The same rule with one threshold a step away:") + 1 : -1]))
    assert [(row["parameter"], float(row["value"]), int(row["bets"])) for row in steps] == found.neighbours.select(
        "parameter", "value", "bets"
    ).rows()

    none = text(call("backtest", sport="nba", market="spread", season=labels[0], min_edge=1, tried=1))
    assert "Luck: unknown, " in none and '"roi": null' in none
    known = text(call("backtest", sport="nba", market="spread", hours_before=2, tried=1))
    assert "\nGames that were not known then: " in known
    refused = call("backtest", sport="nba", market="moneyline", min_line=3.5, tried=1)
    assert refused.is_error and "min_line" in text(refused)


def test_a_status_is_a_sentence_and_its_fields(call: Call, api: Api) -> None:
    answer = text(call("status", sport="nba"))
    assert answer.startswith(str(api.status("nba"))) and '"trusted_reason"' in answer


def test_a_proof_comes_with_commands_that_check_it(call: Call, api: Api, tmp_path: Path) -> None:
    game = api.results("nba", "moneyline").filter(pl.col("forecast_source") == "live")["game_id"][0]
    answer = text(call("prove", sport="nba", market="moneyline", game_id=game))
    (tmp_path / "forecast.tlog-proof").write_text(answer[answer.index("c2sp.org/tlog-proof@v1") :])
    commands = [shlex.split(line) for line in answer.splitlines() if line.startswith(("curl ", "python3 "))]
    assert [command[0] for command in commands] == ["curl", "python3"]
    for command in commands:
        done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("proven: ")


def test_a_refusal_is_an_error_with_the_remedy(call: Call) -> None:
    unknown = call("prove", sport="nba", market="moneyline", game_id="nba-2026-01-01-nobody-nowhere")
    assert unknown.is_error and "HTTP_404" in text(unknown)
    season = call("record", sport="nfl", market="moneyline", season="1901-02")
    assert season.is_error and "1901-02" in text(season)
    assert call("slate", sport="cricket", market="moneyline").is_error


def test_a_wrong_key_is_named_and_not_shown(base: str, tmp_path: Path) -> None:
    secret = "sk_service_" + "0" * 40
    answer = calling(base, secret, tmp_path)("slate", sport="nba", market="spread")
    assert answer.is_error and "HTTP_401" in text(answer) and secret not in text(answer)


def test_a_long_answer_is_cut_and_says_how_to_ask_for_less(proxy: Proxy, read_key: str, tmp_path: Path) -> None:
    def longer(path: str, reply: Reply) -> Reply:
        if "/predictions/" in path and reply.status == 200:
            found = json.loads(reply.content)
            found["games"] = [game | {"game_id": f"{number}"} for number in range(400) for game in found["games"][:1]]
            reply.content = json.dumps(found).encode()
        return reply

    proxy.alter = longer
    call = calling(proxy.url, read_key, tmp_path)
    answer = call("slate", sport="nba", market="spread")
    lines = text(answer).splitlines()
    assert len(text(answer)) > LIMIT - 500 and "400 games." in lines
    assert re.fullmatch(r"The answer is cut: .* To ask for less, name a `team`, or the `models` to show\.", lines[-1])
    # Whole rows: each has as many fields as the header.
    rows = tables(answer)
    assert 50 < len(rows) < 400 and all(None not in row.values() for row in rows)
    assert len(tables(call("slate", sport="nba", market="spread", models=[]))) > len(rows)


def test_without_an_address_the_server_says_what_it_needs() -> None:
    done = subprocess.run([SERVER], env={}, text=True, capture_output=True, timeout=60)
    assert done.returncode == 1 and "SPORTS_URL" in done.stderr
