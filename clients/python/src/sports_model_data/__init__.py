"""Sports forecasts, lines and their graded record as frames.

import sports_model_data as smd

api = smd.connect()                                  # SPORTS_URL and SPORTS_API_KEY, or arguments
games = api.results("nfl", "spread", seasons="all")  # a polars frame
print(api.status("nba"))                             # the state of today's data, in words
"""

from .api import Api, connect
from .backtests import Backtest
from .calibration import Calibration
from .errors import (
    ApiError,
    BadRequest,
    Conflict,
    Damaged,
    Forbidden,
    Incompatible,
    NotFound,
    NotFresh,
    Refused,
    ServerError,
    TimedOut,
    TooManyRequests,
    Unauthorized,
    Unavailable,
    Unreachable,
)
from .status import Status
from .stream import Event
from .terms import Market, Sport
from .version import __version__

__all__ = [
    "Api",
    "ApiError",
    "Backtest",
    "BadRequest",
    "Calibration",
    "Conflict",
    "Damaged",
    "Event",
    "Forbidden",
    "Incompatible",
    "Market",
    "NotFound",
    "NotFresh",
    "Refused",
    "ServerError",
    "Sport",
    "Status",
    "TimedOut",
    "TooManyRequests",
    "Unauthorized",
    "Unavailable",
    "Unreachable",
    "__version__",
    "connect",
]
