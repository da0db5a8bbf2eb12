#!/usr/bin/env python3
"""Reads the tables of a server straight from their addresses: readers.py BASE_URL, with the key in API_KEY.

Prints, as one JSON object, what polars, pandas and DuckDB make of them. No reader is given a header: the key is in the address.
"""

import json
import os
import sys
import urllib.request
from pathlib import Path

import duckdb
import duckdb_extension_httpfs
import pandas as pd
import polars as pl

BASE_URL, KEY = sys.argv[1], os.environ["API_KEY"]
SEASON = "/api/v1/results/nfl/over_under?season=2024-25"


def address(path: str, form: str) -> str:
    return f"{BASE_URL}{path}{'&' if '?' in path else '?'}format={form}&api_key={KEY}"


def fetched(path: str, form: str) -> bytes:
    with urllib.request.urlopen(address(path, form)) as answer:
        return answer.read()


def by_polars() -> dict:
    games = pl.scan_parquet(address(SEASON, "parquet"))
    some = games.filter(pl.col("away_score").is_not_null()).select("date", "home_team", "BLEND").collect()
    csv = pl.read_csv(address(SEASON, "csv"), try_parse_dates=True)
    return {
        "rows": games.select(pl.len()).collect().item(),
        "finals": some.height,
        "types": {name: str(dtype) for name, dtype in games.collect_schema().items()},
        "first": str(games.select("date").first().collect().item()),
        "csv": [csv.height, csv.width, str(csv["date"].dtype)],
        "ndjson": pl.read_ndjson(fetched(SEASON, "ndjson")).height,
    }


def by_pandas() -> dict:
    games = pd.read_parquet(address(SEASON, "parquet"))
    csv = pd.read_csv(address(SEASON, "csv"), parse_dates=["date"])
    return {
        "rows": len(games),
        "finals": int(games["away_score"].notna().sum()),
        "first": str(games["date"].iloc[0]),
        "csv": [len(csv), len(csv.columns), str(csv["date"].dtype)[:10]],
        "ndjson": len(pd.read_json(address(SEASON, "ndjson"), lines=True)),
    }


def by_duckdb(paths: list[str]) -> dict:
    # What reads addresses is an extension, which it would download: here it comes with a package.
    folder = Path(duckdb_extension_httpfs.__file__).parent / "extensions" / f"v{duckdb.__version__}"
    database = duckdb.connect()
    database.load_extension(str(folder / "httpfs.duckdb_extension"))
    types = {}
    for path in paths:
        table = database.sql(f"select * from read_parquet('{address(path, 'parquet')}')")
        types[path] = dict(zip(table.columns, map(str, table.types)))
        in_csv = database.sql(f"select * from read_csv('{address(path, 'csv')}', header = true, all_varchar = true)")
        assert in_csv.columns == table.columns, path
        assert len(in_csv) == len(table), path
    return types


print(json.dumps({"polars": by_polars(), "pandas": by_pandas(), "duckdb": by_duckdb(sys.argv[2:])}))
