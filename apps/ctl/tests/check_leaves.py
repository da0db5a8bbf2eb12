"""Checks the leaves of a week's slate and of its finals against the published files: check_leaves.py STORE RELEASE FINALS.

Written from the description of the record alone, and sharing nothing with the program. The store has two entries of a
league: the slate, without history, and its finals. Every leaf, commitment, edge and root is worked out again.
"""

import base64
import csv
import hashlib
import hmac
import json
import sys
from pathlib import Path

LINES = (
    "home_money_line away_money_line open_home_money_line open_away_money_line home_point_spread away_point_spread "
    "home_point_spread_line away_point_spread_line open_home_point_spread open_away_point_spread over_under over_line "
    "under_line open_over_under"
).split()
PRICES = [name for name in LINES if name.endswith("money_line") or name.endswith("_line")]
MODELS = "AI BLEND CATB RF LGB LOGR XGB XT".split()
MARKETS = "over_under won_on_points won_on_spread".split()


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def slug(name: str) -> str:
    return name.lower().replace(".", "").replace(" ", "_")


def rows(folder: Path, name: str) -> list[dict]:
    """Returns the rows of a file, by any of its endings, without empty cells."""
    if (path := folder / f"{name}.json").exists():
        found = json.loads(path.read_text())
        found = found["games"] if isinstance(found, dict) else found
    else:
        found = list(csv.DictReader((folder / f"{name}.csv").open()))
    return [{key: value for key, value in row.items() if value not in ("", None)} for row in found]


def game_of(row: dict) -> tuple[str, str, str, str]:
    time = row.get("time") or row.get("time_est") or "-"
    return row["date"], time if time == "-" or len(time) == 8 else f"{time}:00", slug(row["away_team"]), slug(row["home_team"])


def number(name: str, value) -> str:
    return str(int(float(value))) if name in PRICES else repr(float(value))


def lines_of(release: Path, game: tuple) -> dict[str, str]:
    """Returns the lines of a game: those of the odds, replaced by those of the predictions."""
    lines = {}
    for file in ["odds", *(f"predictions/{market}" for market in MARKETS)]:
        for row in (row for row in rows(release, file) if game_of(row) == game):
            lines |= {name: number(name, row[name]) for name in LINES if name in row}
    for home, away in [("home_point_spread", "away_point_spread"), ("open_home_point_spread", "open_away_point_spread")]:
        if home in lines:
            lines[away] = repr(-float(lines[home]) + 0.0)
    return {name: lines[name] for name in LINES if name in lines}


def forecast(entry: dict, manifest: dict, lines: dict, market: str, row: dict) -> str:
    date, time, away, home = game_of(row)
    number_of = {model: repr(float(row[model])) for model in MODELS if model in row}
    text = json.dumps(
        {"form": "sports-forecast/v1", "sport": "nfl", "model_type": market, "season": manifest["season"], "date": date,
         "time_est": time, "away_team": away, "home_team": home, "release_id": entry["release_id"],
         "published_at": stamp(entry), "clock": entry["clock"]},
        separators=(",", ":"),
    )  # fmt: skip
    objects = [",".join(f'"{name}":{value}' for name, value in of.items()) for of in (lines, number_of)]
    payload = f'{text[:-1]},"lines":{{{objects[0]}}},"probabilities":{{{objects[1]}}}}}'
    message = f"sports-salt/v1\n{entry['generation']}\n{market}\n{date} {time} {away} {home}"
    salt = hmac.new(bytes.fromhex(entry["record"]["nonce"]), message.encode(), hashlib.sha256).digest()
    return hashlib.sha256(b"sports-forecast/v1\n" + salt + payload.encode()).hexdigest()


def stamp(entry: dict) -> str:
    """Returns the time of an entry, which has up to nine decimals, with three."""
    whole, _, decimals = entry["published_at"].removesuffix("Z").partition(".")
    return f"{whole}.{decimals[:3]:0<3}Z"


def release_leaf(entry: dict) -> str:
    before = entry["previous"] or "0" * 64
    return f"sports-record/v1 release\nnfl {entry['generation']} {stamp(entry)} {entry['clock']}\nsha256:{before}\n"


def edge_of(hashes: list[bytes]) -> list[bytes]:
    """Returns the roots of the complete subtrees, largest first."""
    edge, start = [], 0
    for bit in reversed(range(len(hashes).bit_length())):
        if len(hashes) >> bit & 1:
            level = hashes[start : start + (1 << bit)]
            while len(level) > 1:
                level = [sha256(b"\1" + left + right) for left, right in zip(level[::2], level[1::2])]
            edge.append(level[0])
            start += 1 << bit
    return edge


def check(store: Path, entry: dict, before: list[str], expected: list[str]) -> None:
    record = entry["record"]
    stored = json.loads((store / "sports/nfl/objects" / record["leaves"]["object"]).read_text())
    head = {"schema_version": 1, "sport": "nfl", "kind": "leaves", "first": len(before)}
    assert stored == head | {"leaves": expected}, [pair for pair in zip(stored["leaves"], expected) if pair[0] != pair[1]]
    every = before + expected
    edge = edge_of([sha256(b"\0" + leaf.encode()) for leaf in every])
    root = edge[-1]
    for left in reversed(edge[:-1]):
        root = sha256(b"\1" + left + root)
    in_base64 = [base64.b64encode(node).decode() for node in [root, *edge]]
    found = [record["first"], record["size"], record["root"], *record["edge"]]
    assert found == [len(before), len(every), *in_base64], found


def main(store: Path, release: Path, finals: Path) -> None:
    entries = [json.loads((store / f"sports/nfl/log/{number:012}.json").read_text()) for number in (1, 2)]
    manifest = json.loads((release / "release.json").read_text())
    season = manifest["season"]
    slate = [release_leaf(entries[0])]
    starts = {}
    for market in MARKETS:
        for row in sorted(rows(release / "predictions", market), key=game_of):
            game = game_of(row)
            starts[game[0], *game[2:]] = game
            commitment = forecast(entries[0], manifest, lines_of(release, game), market, row)
            slate.append(
                f"sports-record/v1 forecast\nnfl {market} {season} 1\n{' '.join(game)}\nsha256:{commitment}\n"
            )
    check(store, entries[0], [], slate)
    ended = []
    for row in rows(finals.parent, finals.stem):
        date, _, away, home = game_of(row)
        if (date, away, home) in starts:
            ended.append((starts[date, away, home], f"{row['away_score']} {row['home_score']} settled"))
    settled = [
        f"sports-record/v1 final\nnfl {season} 2\n{' '.join(game)}\n{ending}\n" for game, ending in sorted(ended)
    ]
    check(store, entries[1], slate, [release_leaf(entries[1]), *settled])
    print(json.dumps({"forecasts": len(slate) - 1, "finals": len(settled)}))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
