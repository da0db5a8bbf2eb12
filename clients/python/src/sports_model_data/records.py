"""JSON objects as dataclasses, across versions of the server.

Fields that a class does not have are left out. A missing field is `None` if its type allows that, a missing
list is empty, and other missing fields are `Incompatible`.
Values of closed sets are not compared with the set: a newer server may have one more.
"""

import dataclasses
import types
import typing
from collections.abc import Mapping
from datetime import date, datetime, timezone
from functools import cache
from typing import Any, TypeVar, Union

from .errors import Incompatible

T = TypeVar("T")


@dataclasses.dataclass(frozen=True)
class Named:
    """The name of a field in JSON, for `Annotated`, where it is another than in Python."""

    name: str


def instant(text: str) -> datetime:
    """Parses a point in time, such as `2026-01-15T15:04:05.123Z`, in UTC."""
    head, _, fraction = text.removesuffix("Z").partition(".")
    return datetime.fromisoformat(f"{head}.{fraction[:6]:0<6}").replace(tzinfo=timezone.utc)


def decode(kind: type[T], data: Any) -> T:
    """Returns a JSON object as a dataclass."""
    decoded: T = _value(kind, data, kind.__name__)
    return decoded


def _value(kind: Any, data: Any, place: str) -> Any:
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _object(kind, data, place)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (Union, types.UnionType):
        return None if data is None else _value(next(one for one in arguments if one is not type(None)), data, place)
    try:
        if origin is tuple:
            return tuple(_value(arguments[0], one, place) for one in data)
        if origin is dict:
            return {name: _value(arguments[1], one, f"{place}.{name}") for name, one in data.items()}
        if kind is datetime:
            return instant(data)
        if kind is date:
            return date.fromisoformat(data)
        if kind is float:
            return float(data)
    except (TypeError, ValueError, AttributeError) as error:
        raise Incompatible(f"the answer's `{place}` is {type(data).__name__}: {error}") from None
    if isinstance(kind, type) and not isinstance(data, kind):
        raise Incompatible(f"the answer's `{place}` is {type(data).__name__}, not {kind.__name__}")
    return data


def _object(kind: type, data: Any, place: str) -> Any:
    if not isinstance(data, Mapping):
        raise Incompatible(f"the answer's `{place}` is no object")
    values = {}
    for field, (name, hint) in fields(kind).items():
        if name in data:
            values[field] = _value(hint, data[name], f"{place}.{name}")
        elif type(None) in typing.get_args(hint):
            values[field] = None
        elif typing.get_origin(hint) is tuple:
            values[field] = ()
        else:
            raise Incompatible(f"the answer has no `{place}.{name}`: is the server of another version than this package?")
    return kind(**values)


@cache
def fields(kind: type) -> dict[str, tuple[str, Any]]:
    """Returns the fields of a dataclass, each with its name in JSON and its type."""
    found = {}
    for name, hint in typing.get_type_hints(kind, include_extras=True).items():
        if typing.get_origin(hint) is typing.Annotated:
            plain, mark = typing.get_args(hint)
            found[name] = (mark.name, plain)
        else:
            found[name] = (name, hint)
    return found
