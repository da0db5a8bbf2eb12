"""Sports forecasts, lines and their graded record as frames.

import sports_model_data as smd

api = smd.connect()                                  # SPORTS_URL and SPORTS_API_KEY, or arguments
games = api.results("nfl", "spread", seasons="all")  # a polars frame
print(api.status("nba"))                             # the state of today's data, in words

pub = smd.publisher()                                # SPORTS_PUBLISH_URL and SPORTS_PUBLISH_TOKEN, or arguments
print(pub.publish("nfl", games=games_of_mine, dry_run=True))
"""

from .api import Api, connect
from .backtests import Backtest
from .calibration import Calibration
from .errors import (
    ApiError,
    BadFrame,
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
    Unpublished,
    Unreachable,
)
from .publishing import Publisher, local_publisher, model, publisher
from .report import ReleaseRefused, Report
from .status import Status
from .stream import Event
from .terms import Market, Sport
from .version import __version__

__all__ = [
    "Api",
    "ApiError",
    "Backtest",
    "BadFrame",
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
    "Publisher",
    "Refused",
    "ReleaseRefused",
    "Report",
    "ServerError",
    "Sport",
    "Status",
    "TimedOut",
    "TooManyRequests",
    "Unauthorized",
    "Unavailable",
    "Unpublished",
    "Unreachable",
    "__version__",
    "connect",
    "local_publisher",
    "model",
    "publisher",
]
