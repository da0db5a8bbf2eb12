"""Answers that are no tables, as small objects. Their fields are those of the document; a test compares them."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Generic, TypeVar

from . import terms

F = TypeVar("F")


@dataclass(frozen=True)
class League:
    """A league and its name."""

    code: str
    name: str


@dataclass(frozen=True)
class ModelTypeName:
    """A market and its name."""

    code: str
    name: str


@dataclass(frozen=True)
class Leagues:
    """The leagues and markets of the service."""

    sports: tuple[League, ...]
    model_types: tuple[ModelTypeName, ...]


@dataclass(frozen=True)
class PublicLeague:
    """A league whose record is open without a key, and the part of it that is: `all`, or `finished` seasons.

    `cards` has the addresses of pictures to share, by market and model.
    """

    sport: str
    public: str
    seasons: tuple[str, ...]
    headline: str
    models: tuple[str, ...]
    models_hidden: int
    cards: dict[str, dict[str, str]]


@dataclass(frozen=True)
class Team:
    """A team by its slug, or an earlier name of one; a college has no abbreviation and no nickname."""

    team: str
    name: str
    abbreviation: str | None
    nickname: str | None


@dataclass(frozen=True)
class SeasonList:
    """The labels of a market's seasons, newest first."""

    seasons: tuple[str, ...]
    current_season: str | None
    live: bool
    live_season: str | None


@dataclass(frozen=True)
class TrackedModel:
    """The games of a season with a probability of a model.

    `recorded` are those whose forecast the service published before the start; `proven` those among them that others had
    seen by then, `None` while the service cannot list its checkpoints.
    """

    model: str
    games: int
    first_date: date
    last_date: date
    recorded: int
    proven: int | None


@dataclass(frozen=True)
class Tracking:
    """The origin of the forecasts of a season, and the number of its games that were graded."""

    sport: str
    model_type: terms.ModelType
    season: str
    archive_games: int
    graded_games: int
    ungraded: dict[str, int]
    forecast_source: dict[str, int]
    forecast_games: dict[str, int]
    model_probability_source: dict[str, int]
    first_forecast_at: datetime | None
    last_forecast_at: datetime | None
    models: tuple[TrackedModel, ...]
    last_updated: datetime


@dataclass(frozen=True)
class Rolling(Generic[F]):
    """Four-week curves: a row for each season, model and day; and their mean over former seasons by day of the season."""

    curves: F
    average: F
    last_updated: datetime


@dataclass(frozen=True)
class Density(Generic[F]):
    """Graded games over a model's probability (`blend`) and the market's: a row for each cell and period."""

    cells: F
    model: str | None
    bin_width: float
    current: tuple[str, ...]
    previous: tuple[str, ...]
    last_updated: datetime


@dataclass(frozen=True)
class Releases(Generic[F]):
    """The newest releases of a league: a row for each, and a row for each season that a release changed."""

    head: str
    simulated: bool
    releases: F
    changes: F


@dataclass(frozen=True)
class Account:
    """The account of the key."""

    customer_id: str
    email: str
    name: str
    tier: str
    api_plan: str | None
    api_subscription_status: str
    subscription_status: str
    monthly_requests: int
    monthly_limit: int
    created_at: datetime


@dataclass(frozen=True)
class KeyUsage:
    """The counted calls of a key, which is masked."""

    api_key: str
    name: str
    requests: int


@dataclass(frozen=True)
class OperationUsage:
    """The counted calls of an operation."""

    operation: str
    requests: int


@dataclass(frozen=True)
class DayUsage:
    """The counted calls of a day (UTC)."""

    date: date
    requests: int


@dataclass(frozen=True)
class Usage:
    """The calls of this month, and those since a day by key, by operation and by day."""

    monthly_requests: int
    monthly_limit: int
    requests_remaining: int
    tier: str
    api_plan: str | None
    api_subscription_status: str
    subscription_status: str
    reset_date: datetime
    since: date | None
    by_key: tuple[KeyUsage, ...] | None
    by_operation: tuple[OperationUsage, ...] | None
    by_day: tuple[DayUsage, ...] | None


@dataclass(frozen=True)
class KeyEntry:
    """A key of the account, masked by the server."""

    api_key: str
    name: str
    tier: str
    created_at: datetime
    is_active: bool
    expires_at: datetime | None
    scope: str
    allowed_networks: tuple[str, ...]
    created_by: str | None
    last_used_at: datetime | None
    last_used_from: str | None


@dataclass(frozen=True)
class Webhook:
    """An address that is told of releases and of changes of the data status."""

    id: str
    url: str
    sports: tuple[str, ...]
    events: tuple[str, ...]
    created_at: datetime
    is_enabled: bool
    failing_since: datetime | None
    disabled_at: datetime | None
    disabled_reason: str | None


@dataclass(frozen=True)
class Delivery:
    """A delivery to a webhook."""

    id: str
    event: str
    created_at: datetime
    attempts: int
    is_delivered: bool
    next_attempt_at: datetime | None
    last_attempt_at: datetime | None
    last_status: int | None
    last_error: str | None


@dataclass(frozen=True)
class Datasets:
    """The datasets of the account."""

    has_service_sports_data: bool
    expires_at: datetime | None
    owned_products: tuple[str, ...]
    owned_sports: tuple[str, ...]
    refreshes_used: int
    refreshes_remaining: int
    refresh_limit: int
    next_reset_at: datetime


@dataclass(frozen=True)
class Download:
    """A link to a file. `bytes` and `sha256` are `None` if an older server does not state them."""

    sport: str
    filename: str
    url: str
    expires_at: datetime
    bytes: int | None
    sha256: str | None


@dataclass(frozen=True)
class Refresh:
    """The links of a refresh, and the refreshes that are left of this month."""

    downloads: tuple[Download, ...]
    refreshes_remaining: int
    next_reset_at: datetime


@dataclass(frozen=True)
class Server:
    """The server's description of itself."""

    message: str
    simulated: bool
    version: str
    commit: str
    docs: str


@dataclass(frozen=True)
class Part:
    """A part that the service depends on."""

    status: str
    latency_ms: float | None
    detail: str | None


@dataclass(frozen=True)
class Health:
    """The state of the service and of its parts."""

    status: str
    version: str
    commit: str
    timestamp: datetime
    dependencies: dict[str, Part]
    malformed_requests_total: int
    warnings: tuple[str, ...] | None


@dataclass(frozen=True)
class Liveness:
    """The state of the process."""

    status: str
    timestamp: datetime


@dataclass(frozen=True)
class Readiness:
    """The readiness for requests, by check."""

    status: str
    timestamp: datetime
    checks: dict[str, bool]


@dataclass(frozen=True)
class PicksRecord:
    """A record of picks."""

    picks: int
    wins: int
    losses: int
    pushes: int
    win_pct: float
    units: float
    roi: float


@dataclass(frozen=True)
class Picks:
    """Picks of a day. There are none: no betting selector is active, as `note` states."""

    date: date | None
    picks: tuple[dict[str, Any], ...]
    note: str


@dataclass(frozen=True)
class PicksPerformance:
    """The record of the picks of a day's length and more."""

    last_7_days: PicksRecord
    last_30_days: PicksRecord
    season: PicksRecord
    all_time: PicksRecord
    note: str


@dataclass(frozen=True)
class EdgePicksRecord:
    """The record of edge picks."""

    record: PicksRecord
    history: tuple[dict[str, Any], ...]
    note: str
