"""The record of each model from the openings and the finals in the log alone, written from the specification: the second opinion on
what `sportsctl record audit` prints. Statements that came too late are not judged here."""

import json
import sys
import urllib.request

URL, KEY, SPORT, SEASON = sys.argv[1:]
MARKETS = {
    "over_under": ("over_line", "under_line"),
    "won_on_points": ("home_money_line", "away_money_line"),
    "won_on_spread": ("home_point_spread_line", "away_point_spread_line"),
}


def get(path: str) -> bytes:
    request = urllib.request.Request(f"{URL}/api/v1/record/{SPORT}/{path}", headers={"X-API-Key": KEY})
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def leaves() -> list[str]:
    size = int(get("checkpoint").split(b"\n")[1])
    texts = []
    for number in range((size + 255) // 256):
        width = min(256, size - 256 * number)
        rest = get(f"tile/entries/{number:03}" + ("" if width == 256 else f".p/{width}"))
        while rest:
            length = int.from_bytes(rest[:2], "big")
            texts.append(rest[2 : 2 + length].decode())
            rest = rest[2 + length :]
    return texts


def margin(market: str, lines: dict, away: int, home: int) -> float | None:
    """How far the positive side is beyond the line."""
    if market == "won_on_points":
        return home - away if any(price in lines for price in MARKETS[market]) else None
    name = "over_under" if market == "over_under" else "home_point_spread"
    if name not in lines:
        return None
    return home + away - lines[name] if market == "over_under" else home - away + lines[name]


def profit(american: int) -> float:
    return american / 100 if american > 0 else 100 / -american


finals = {}
for text in leaves():
    lines = text.split("\n")
    if lines[0].endswith(" final"):
        away, home, status = lines[3].split(" ", 2)
        finals[lines[2]] = None if away == "-" else (int(away), int(home), status)

records = {}
for market, prices in MARKETS.items():
    for line in get(f"{market}/openings?season={SEASON}").splitlines():
        opening = json.loads(line)
        final = finals.get(opening["entry"].split("\n")[2])
        if not opening["standing"] or final is None:
            continue
        payload = json.loads(opening["payload"])
        beyond = margin(market, payload["lines"], *final[:2])
        if beyond is None:
            continue
        for model, probability in payload["probabilities"].items():
            record = records.setdefault(f"{market} {model}", {"wlp": [0, 0, 0], "units": 0.0, "errors": []})
            if beyond != 0:
                record["errors"].append((probability - (beyond > 0)) ** 2)
            if probability == 0.5:
                continue
            takes_positive = probability > 0.5
            price = payload["lines"].get(prices[0] if takes_positive else prices[1])
            won = None if beyond == 0 else (beyond > 0) == takes_positive
            record["wlp"][2 if won is None else 0 if won else 1] += 1
            if price is not None and won is not None:
                record["units"] += profit(price) if won else -1.0

for record in records.values():
    errors = record.pop("errors")
    record["brier"] = sum(errors) / len(errors) if errors else None
print(json.dumps(records))
