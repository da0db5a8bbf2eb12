"""Today's slate, a record and downloads without a notebook: python -m sports_model_data slate|record|download."""

import argparse
import os
import sys
from pathlib import Path
from typing import get_args

import polars as pl

from . import ApiError, connect, terms
from .api import Api


def slate(api: Api[pl.DataFrame], options: argparse.Namespace) -> None:
    """Prints the state of today's data and the games of the slate."""
    print(api.status(options.sport))
    games = api.predictions(options.sport, options.market, require_fresh=options.require_fresh)
    lines = [
        name
        for name in games.columns
        if not name.startswith(("open_", "ev_")) and name.endswith(("_line", "_spread", "_under"))
    ]
    headlines = api.raw(f"models/{options.sport}").get("headlines", {})
    default = headlines.get(terms.model_type(options.market), "BLEND")
    models = [name for name in ("IMPLIED", default) if name in games.columns]
    show(games.select("date", "time", "away_team", "home_team", *lines, *models))


def record(api: Api[pl.DataFrame], options: argparse.Namespace) -> None:
    """Prints each model's record over a season, and the comparison of its probabilities with the market's."""
    summary = api.summary(options.sport, options.market, options.season)
    shares = [percent(name) for name in ("win %", "break_even", "ev roi")]
    show(summary.select("season", "model", "wins", "losses", *shares, "bt bets", "bt units"))
    scores = api.calibration(options.sport, options.market, options.season).scores
    for source, model, words in scores.select("forecast_source", "model", "verdict_in_words").iter_rows():
        print(f"{model} ({source}): {words}")


def download(api: Api[pl.DataFrame], options: argparse.Namespace) -> None:
    """Writes seasons to a file."""
    chosen = options.seasons.split(",")
    games = api.results(options.sport, options.market, "all" if chosen == ["all"] else chosen)
    method, formats = WRITERS[options.to.suffix]
    getattr(games, method)(options.to, **formats)
    print(f"{options.to}: {games.height} games of {games['season'].n_unique()} seasons")


WRITERS: dict[str, tuple[str, dict[str, str]]] = {
    ".parquet": ("write_parquet", {}),
    ".csv": ("write_csv", {"time_format": "%H:%M:%S", "datetime_format": "%Y-%m-%dT%H:%M:%S%.fZ"}),
    ".ndjson": ("write_ndjson", {}),
}


def percent(name: str) -> pl.Expr:
    """Returns a column of fractions as text in percent, with one decimal; a null stays one."""
    return pl.col(name).map_elements("{:.1%}".format, return_dtype=pl.String)


def show(table: pl.DataFrame) -> None:
    """Prints a whole table."""
    with pl.Config(
        tbl_rows=-1, tbl_cols=-1, tbl_width_chars=240, tbl_hide_column_data_types=True, tbl_hide_dataframe_shape=True
    ):
        print(table)


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    program = argparse.ArgumentParser(
        "python -m sports_model_data", description="The server is SPORTS_URL, the key SPORTS_API_KEY."
    )
    commands = program.add_subparsers(required=True)
    for command, words in ((slate, "today's games"), (record, "the models of a season"), (download, "seasons into a file")):
        options = commands.add_parser(command.__name__, help=words)
        options.set_defaults(command=command)
        options.add_argument("sport", choices=get_args(terms.Sport))
        options.add_argument("--market", choices=get_args(terms.Market), default="moneyline")
        if command is slate:
            options.add_argument("--require-fresh", action="store_true", help="fail unless the slate is today's")
        if command is record:
            options.add_argument("--season", help="a label, such as 2024-25; the current one by default")
        if command is download:
            options.add_argument("--seasons", default="all", help="labels with commas between, or `all`")
            options.add_argument("--to", type=Path, required=True, help=f"a file that ends with {', '.join(WRITERS)}")
    return program


def drop_output() -> None:
    """Drops what is not printed yet: Python flushes once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> int:
    """Runs a command."""
    program = parser()
    options = program.parse_args()
    if "to" in options and options.to.suffix not in WRITERS:
        program.error(f"--to needs a name that ends with {', '.join(WRITERS)}")
    try:
        with connect() as api:
            options.command(api, options)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader, such as `head`, has enough.
        drop_output()
    except OSError as error:
        drop_output()
        print(f"the output could not be written: {error}", file=sys.stderr)
        return 1
    except (ApiError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
