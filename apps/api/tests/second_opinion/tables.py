#!/usr/bin/env python3
"""Reads tables of the service as programs of other people do: tables.py FOLDER

Prints, as one JSON document, {file: {"columns", "types", "rows"}} of each .csv, .ndjson and .parquet file in the folder. Only a
Parquet file has types.
"""

import csv
import json
import sys
from pathlib import Path

import pyarrow.parquet as pq


def cell(text):
    """The value of a cell of CSV.

    >>> [cell(text) for text in ("", "true", "-1.5", "[1,0]", "5-3")]
    [None, True, -1.5, [1, 0], '5-3']
    """
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text


def read(path):
    """The columns of a file, their types, and its rows."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            header, *lines = csv.reader(file)
        return header, None, [dict(zip(header, map(cell, line), strict=True)) for line in lines]
    if path.suffix == ".ndjson":
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return list(rows[0]) if rows else [], None, rows
    table = pq.read_table(path)
    return table.column_names, {field.name: str(field.type) for field in table.schema}, table.to_pylist()


def nested(row):
    """The row with the lists and objects of the JSON answer.

    >>> nested({"n": 2, "exclusions_missing_price": 1, "last_10": "[1,0]"})
    {'n': 2, 'last_10': [1, 0], 'exclusions': {'missing_price': 1}}
    """
    part = "exclusions_"
    exclusions = {name.removeprefix(part): row.pop(name) for name in list(row) if name.startswith(part)}
    if exclusions:
        row["exclusions"] = exclusions
    if isinstance(row.get("last_10"), str):
        row["last_10"] = json.loads(row["last_10"])
    return row


def answer(folder):
    """The content of the files of a folder."""
    tables = {}
    for path in sorted(folder.iterdir()):
        columns, types, rows = read(path)
        tables[path.name] = {"columns": columns, "types": types, "rows": [nested(row) for row in rows]}
    return tables


if __name__ == "__main__":
    print(json.dumps(answer(Path(sys.argv[1])), default=str, allow_nan=False))
