#!/usr/bin/env python3
"""Checks the law of moves in every table: moving.py BASE_URL NEWEST, with the key in API_KEY.

The slate at each generation with the moves after it applied is the slate now. Prints the moves that were applied, as JSON.
"""

import io
import json
import os
import sys
import urllib.request

import polars as pl

BASE_URL, NEWEST, KEY = sys.argv[1], int(sys.argv[2]), os.environ["API_KEY"]
SLATES = {
    "odds/nfl": "",
    "predictions/nfl/won_on_points": "&upcoming_only=false&model=BLEND",
    "predictions/nfl/won_on_spread": "&upcoming_only=false&model=XGB",
}
READERS = {
    "csv": lambda file: pl.read_csv(file, infer_schema=False),
    "ndjson": lambda file: pl.read_ndjson(file, infer_schema_length=None),
    "parquet": pl.read_parquet,
}
HEAD = ["generation", "published_at", "change"]


def rows(path: str, query: str, form: str) -> list[dict]:
    address = f"{BASE_URL}/api/v1/{path}?format={form}{query}"
    request = urllib.request.Request(address, headers={"X-API-Key": KEY})
    with urllib.request.urlopen(request) as answer:
        table = answer.read()
    # No lines are no table for polars.
    return READERS[form](io.BytesIO(table)).drop("last_updated", strict=False).rows(named=True) if table else []


def games(path: str, query: str, form: str) -> dict[str, dict]:
    return {row["game_id"]: row for row in rows(path, query, form)}


def values(row: dict) -> dict:
    return {name: value for name, value in row.items() if name not in HEAD}


applied = {}
for path, query in SLATES.items():
    for form in READERS:
        now = games(path, query, form)
        columns = next(iter(now.values())).keys()
        for after in range(1, NEWEST + 1):
            slate = games(path, f"{query}&generation={after}", form)
            moves = rows(f"{path}/moves", f"{query.replace('&upcoming_only=false', '')}&after_generation={after}", form)
            for row in moves:
                assert set(row) - set(HEAD) == set(columns), (path, form, list(row))
                if row["change"] == "gone":
                    del slate[row["game_id"]]
                else:
                    slate[row["game_id"]] = values(row)
            assert slate == now, (path, form, after)
            applied[f"{path} {form}"] = applied.get(f"{path} {form}", 0) + len(moves)
print(json.dumps(applied))
