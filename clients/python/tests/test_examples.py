"""Examples run: those of functions, of the README, and the commands."""

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from conftest import ROOT, Api, Door

import sports_model_data as smd

MODULES = [one.name for one in pkgutil.iter_modules(smd.__path__) if one.name != "__main__"]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name: str, api: Api) -> None:
    module = importlib.import_module(f"sports_model_data.{name}")
    failed, _ = doctest.testmod(module, extraglobs={"api": api})
    assert not failed


def test_the_examples_of_the_readme_run(
    base: str, key: str, door: Door, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPORTS_PUBLISH_URL", door.url)
    monkeypatch.setenv("SPORTS_PUBLISH_TOKEN", door.token)
    monkeypatch.setenv("SPORTS_URL", base)
    monkeypatch.setenv("SPORTS_API_KEY", key)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "clients/python/README.md").read_text(), re.MULTILINE | re.DOTALL)
    session: dict[str, object] = {}
    for block in blocks:
        exec(block, session)
    assert isinstance(session["games"], pl.DataFrame)
    printed = capsys.readouterr().out
    assert "today's slate can" in printed and "published: nfl generation 1, release " in printed
    assert list(tmp_path.rglob("*.answer")), "answers are kept in the user's cache folder"


def command(*words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    program = [sys.executable, "-m", "sports_model_data", *words]
    variables = {name: value for name, value in os.environ.items() if not name.startswith("SPORTS_")}
    return subprocess.run(program, env=variables | environment, text=True, capture_output=True, timeout=120)


def test_commands_print_the_slate_and_the_record_and_download_seasons(base: str, key: str, api: Api, tmp_path: Path) -> None:
    server = {"SPORTS_URL": base, "SPORTS_API_KEY": key, "XDG_CACHE_HOME": str(tmp_path)}
    slate = command("slate", "nba", "--market", "spread", **server)
    assert "today's slate" in slate.stdout and "home_point_spread" in slate.stdout, slate.stderr
    record = command("record", "nfl", "--season", "2024-25", **server)
    assert "BLEND (walk_forward): " in record.stdout and "break_even" in record.stdout, record.stderr
    blend = api.summary("nfl", "moneyline", "2024-25").row(by_predicate=pl.col("model") == "BLEND", named=True)
    shown = next(line for line in record.stdout.splitlines() if re.search(r"\bBLEND\b", line)).split("┆")
    won = blend["wins"] / (blend["wins"] + blend["losses"])
    assert [shown[2].strip(), shown[3].strip(), shown[4].strip()] == [str(blend["wins"]), str(blend["losses"]), f"{won:.1%}"]

    everything = api.results("nfl", "spread", "all")
    done = command("download", "nfl", "--market", "spread", "--to", str(tmp_path / "nfl.parquet"), **server)
    assert f"{everything.height} games of 3 seasons" in done.stdout, done.stderr
    assert pl.read_parquet(tmp_path / "nfl.parquet").equals(everything)
    command("download", "nfl", "--market", "spread", "--seasons", "2024-25", "--to", str(tmp_path / "nfl.csv"), **server)
    lines = (tmp_path / "nfl.csv").read_text().splitlines()
    assert lines[1].startswith("2024-") and re.fullmatch(r"\d\d:\d\d:\d\d", lines[1].split(",")[1])


@pytest.mark.parametrize(
    "words", [("slate", "nba"), ("record", "nfl", "--season", "2024-25"), ("download", "nfl", "--to", "nfl.csv")]
)
def test_commands_end_quietly_if_nobody_reads_on(words: tuple[str, ...], base: str, key: str, tmp_path: Path) -> None:
    server = {"SPORTS_URL": base, "SPORTS_API_KEY": key, "XDG_CACHE_HOME": str(tmp_path)}
    reader, writer = os.pipe()
    os.close(reader)
    program = [sys.executable, "-m", "sports_model_data", *words]
    done = subprocess.run(program, env=os.environ | server, cwd=tmp_path, stdout=writer, stderr=subprocess.PIPE, timeout=120)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("words", [("slate", "nba"), ("record", "nfl", "--season", "2024-25")])
def test_commands_name_an_output_that_cannot_be_written(words: tuple[str, ...], base: str, key: str, tmp_path: Path) -> None:
    server = {"SPORTS_URL": base, "SPORTS_API_KEY": key, "XDG_CACHE_HOME": str(tmp_path)}
    program = [sys.executable, "-m", "sports_model_data", *words]
    with open("/dev/full", "w") as full:
        done = subprocess.run(program, env=os.environ | server, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stderr == "the output could not be written: [Errno 28] No space left on device\n"


def test_commands_end_with_the_error_and_without_a_traceback(base: str, key: str, tmp_path: Path) -> None:
    failed = command("slate", "nba", SPORTS_URL=base, SPORTS_API_KEY="sk_service_wrong", XDG_CACHE_HOME=str(tmp_path))
    assert failed.returncode == 1
    assert failed.stderr.startswith("HTTP_401: ") and "sk_service_wrong" not in failed.stderr + failed.stdout
    assert "SPORTS_URL" in command("slate", "nba").stderr
    assert command("download", "nfl", "--to", "games.xlsx").returncode == 2
