"""A dict as a text of TOML, for the map of a table."""

import json
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any


def document(table: Mapping[str, Any]) -> str:
    """Returns the text of a table."""
    return "".join(f"{_text(name)} = {_value(value)}\n" for name, value in table.items())


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_text(name)} = {_value(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, datetime | date | time):
        return _text(value.isoformat())
    raise TypeError(f"a map has no {type(value).__name__}: give text, numbers, flags, lists and dicts")


def _text(text: str) -> str:
    """Returns a quoted text: JSON's form is one of TOML, but for a character that JSON does not escape."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
