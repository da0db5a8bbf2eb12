"""The client of a server."""

import json
import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

import platformdirs
import polars as pl

from .cache import DiskCache
from .figures import Figures
from .frames import pandas_frame
from .history import History
from .movement import Movement
from .service import Service
from .session import Settings, table_of
from .slate import Slate
from .stream import Stream
from .transport import Key, Transport
from .version import __version__

if TYPE_CHECKING:
    import pandas as pd

F = TypeVar("F")

_CACHE_LIMIT = 512 * 1024 * 1024


class Api(Slate[F], Stream[F], Movement[F], History[F], Figures[F], Service[F]):
    """A server of sports model data. Made by `connect`; threads may share it."""

    def __enter__(self) -> "Api[F]":
        """Returns itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes the connections."""
        self.close()

    def at(self, as_of: datetime | str | None = None, *, generation: int | None = None) -> "Api[F]":
        """Returns a client of an earlier moment, whose answers have the data that was published by then.

        The moment is an instant with its zone, or a generation, the number of a release in the record. Today's grading rules
        apply. The server refuses it for what has no past, such as the account. Both clients share their connections.

        >>> then = api.at(generation=api.releases("nba").releases["generation"][0])
        >>> then.results("nba", "spread").equals(api.results("nba", "spread"))
        True
        """
        if (as_of is None) == (generation is None):
            raise ValueError("`at` needs an instant or a generation: at(as_of) or at(generation=1)")
        moment = {"as_of": self._moment(as_of, "as_of")} if generation is None else {"generation": generation}
        return Api(self._transport, replace(self._settings, moment=moment), self._convert)

    def raw(self, path: str, **parameters: str | int | float | bool | None) -> Any:
        """Returns the answer of any address below `/api/v1`: JSON as Python has it, Parquet as a frame, other forms as text.

        Parameters are arguments, or the query of the address, or some of both. The server refuses a parameter that is given
        twice: in the address, as an argument, or by `at`.

        >>> api.raw("odds/nba", format="csv")[:14]
        'sport,game_id,'
        >>> api.raw("odds/nba?format=csv") == api.raw("odds/nba", format="csv")
        True
        """
        address = path if path.startswith("/") else f"/api/v1/{path}"
        answer = self._get(address, parameters, self._deadline())
        kind = answer.headers.get("content-type", "")
        if kind.startswith("application/json"):
            return json.loads(answer.content)
        if "parquet" in kind:
            return self._convert(table_of(answer))
        return answer.content.decode()


@overload
def connect(
    url: str | None = ...,
    key: str | None = ...,
    *,
    pandas: Literal[False] = ...,
    timeout: float = ...,
    cache: bool | str | Path = ...,
    cache_bytes: int = ...,
    progress: bool = ...,
) -> Api[pl.DataFrame]: ...
@overload
def connect(
    url: str | None = ...,
    key: str | None = ...,
    *,
    pandas: Literal[True],
    timeout: float = ...,
    cache: bool | str | Path = ...,
    cache_bytes: int = ...,
    progress: bool = ...,
) -> "Api[pd.DataFrame]": ...
def connect(
    url: str | None = None,
    key: str | None = None,
    *,
    pandas: bool = False,
    timeout: float = 60.0,
    cache: bool | str | Path = True,
    cache_bytes: int = _CACHE_LIMIT,
    progress: bool = True,
) -> Api[Any]:
    """Returns a client. Sends nothing yet.

    `url` is by default `SPORTS_URL`, and `key` is `SPORTS_API_KEY`; without a key, or with `""`, only what is public
    can be read.
    `pandas=True` makes all frames pandas frames. `timeout` is for a whole call, in seconds. `cache` is whether answers are kept
    on disk, or the folder for them, of at most `cache_bytes`. `progress` shows the way through several seasons if tqdm is
    installed.

    >>> connect("http://127.0.0.1:8080", "sk_service_0")
    <sports_model_data http://127.0.0.1:8080>
    """
    address = url or os.environ.get("SPORTS_URL")
    if not address:
        raise ValueError("connect needs the server's address: connect(url), or SPORTS_URL in the environment")
    folder = Path(platformdirs.user_cache_dir("sports-model-data")) if cache is True else Path(cache or ".")
    kept = DiskCache(folder, cache_bytes) if cache else None
    sent = Key(os.environ.get("SPORTS_API_KEY") if key is None else key)
    transport = Transport(address, sent, kept, f"sports-model-data/{__version__}")
    return Api(transport, Settings(timeout, progress), pandas_frame if pandas else lambda table: table)
