"""The account, the service itself, and lists that are always empty."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import TypeVar

from . import terms
from .errors import Damaged
from .objects import (
    Account,
    Datasets,
    Delivery,
    Download,
    EdgePicksRecord,
    Health,
    KeyEntry,
    Leagues,
    Liveness,
    Picks,
    PicksPerformance,
    PublicLeague,
    Readiness,
    Refresh,
    Server,
    Team,
    Usage,
    Webhook,
)
from .progress import arriving
from .records import decode
from .session import Day, Session, day_text, operation

F = TypeVar("F")

_WEBHOOKS = ("customers", "me", "webhooks")


class Service(Session[F]):
    """The operations on the account and the service."""

    @operation("list_sports")
    def leagues(self) -> Leagues:
        """Returns the leagues and markets.

        >>> [league.code for league in api.leagues().sports][:3]
        ['mlb', 'nba', 'nfl']
        """
        return self._record(Leagues, self._path("sports"))

    @operation("list_public_leagues")
    def public_leagues(self) -> list[PublicLeague]:
        """Returns the leagues with a public record, with their open seasons and models. Needs no key.

        >>> all(league.public in ("all", "finished") for league in api.public_leagues())
        True
        """
        return [decode(PublicLeague, league) for league in self._json(self._path("public", "leagues"))["leagues"]]

    @operation("list_teams")
    def teams(self, sport: str) -> list[Team]:
        """Returns the teams of a league by slug, with the names to show for them. Needs no key.

        >>> [team.nickname for team in api.teams("nfl") if team.abbreviation == "BUF"]
        ['Bills']
        """
        return [decode(Team, team) for team in self._json(self._path("teams", sport))["teams"]]

    @operation("show_customer")
    def account(self) -> Account:
        """Returns the account of the key.

        >>> api.account().subscription_status
        'active'
        """
        return self._record(Account, self._path("customers", "me"))

    @operation("show_usage")
    def usage(self) -> Usage:
        """Returns the calls of this month, and those of 31 days by key, operation and day; the request is not counted.

        >>> usage = api.usage()
        >>> usage.monthly_requests + usage.requests_remaining == usage.monthly_limit
        True
        """
        return self._record(Usage, self._path("customers", "me", "usage"))

    @operation("list_api_keys")
    def keys(self) -> list[KeyEntry]:
        """Returns the keys of the account, masked.

        >>> any(key.is_active for key in api.keys())
        True
        """
        return [decode(KeyEntry, key) for key in self._json(self._path("customers", "me", "api-keys"))]

    @operation("create_api_key")
    def create_key(
        self,
        name: str,
        *,
        scope: terms.KeyScope | None = None,
        expires_at: datetime | str | None = None,
        allowed_networks: Sequence[str] | None = None,
    ) -> str:
        """Returns a new key of the account, which no other answer has. Store it now.

        `scope="read"` is for a key that reads published data and nothing of the account. `allowed_networks` are the networks
        that it works from, such as `["192.0.2.0/24"]`.

        >>> key = api.create_key("an example", scope="read")
        >>> api.revoke_key(key)
        """
        body = {
            "name": name,
            "scope": scope,
            "expires_at": self._moment(expires_at, "expires_at"),
            "allowed_networks": None if allowed_networks is None else list(allowed_networks),
        }
        given = {field: value for field, value in body.items() if value is not None}
        made: str = self._sent("POST", self._path("customers", "me", "api-keys"), given)["api_key"]
        return made

    @operation("rename_api_key")
    def rename_key(self, key: str, name: str) -> None:
        """Renames a key, which is named in full or masked as `keys` lists it.

        >>> key = api.create_key("an example")
        >>> api.rename_key(key, "another example")
        >>> [one.name for one in api.keys() if one.is_active and one.api_key[:15] == key[:15]]
        ['another example']
        >>> api.revoke_key(key)
        """
        body = {"api_key_to_rename": key, "new_name": name}
        self._sent("PATCH", self._path("customers", "me", "api-keys", "rename"), body)

    @operation("revoke_api_key")
    def revoke_key(self, key: str) -> None:
        """Ends a key for good; it is named in full or masked as `keys` lists it. The client's own key is refused.

        >>> api.revoke_key(api.create_key("an example"))
        """
        self._sent("DELETE", self._path("customers", "me", "api-keys", key))

    @operation("list_webhooks")
    def webhooks(self) -> list[Webhook]:
        """Returns the webhooks of the account, without their secrets.

        >>> api.webhooks()
        []
        """
        return [decode(Webhook, webhook) for webhook in self._json(self._path(*_WEBHOOKS))]

    @operation("create_webhook")
    def create_webhook(
        self,
        url: str,
        *,
        sports: Sequence[terms.Sport] | None = None,
        events: Sequence[terms.WebhookEvent] | None = None,
    ) -> tuple[str, str]:
        """Returns the id and the secret of a new webhook for leagues and events, by default all. Store the secret now.

        >>> webhook, secret = api.create_webhook("https://example.com/hooks/sports", sports=["nfl"])
        >>> api.remove_webhook(webhook)
        """
        given = {"url": url, "sports": sports and list(sports), "events": events and list(events)}
        body = {field: value for field, value in given.items() if value is not None}
        made = self._sent("POST", self._path(*_WEBHOOKS), body)
        return made["id"], made["secret"]

    @operation("remove_webhook")
    def remove_webhook(self, webhook: str) -> None:
        """Removes a webhook and its deliveries.

        >>> api.remove_webhook(api.create_webhook("https://example.com/hooks/sports")[0])
        """
        self._sent("DELETE", self._path(*_WEBHOOKS, webhook))

    @operation("test_webhook")
    def test_webhook(self, webhook: str) -> str:
        """Sends a test to a webhook; returns the `webhook-id` of the delivery.

        >>> webhook, secret = api.create_webhook("https://example.com/hooks/sports")
        >>> api.test_webhook(webhook)[:4]
        'msg_'
        >>> [delivery.event for delivery in api.webhook_deliveries(webhook)]
        ['test']
        >>> api.remove_webhook(webhook)
        """
        sent: str = self._sent("POST", self._path(*_WEBHOOKS, webhook, "test"))["id"]
        return sent

    @operation("enable_webhook")
    def enable_webhook(self, webhook: str) -> Webhook:
        """Enables a webhook that was disabled, and returns it.

        >>> webhook, secret = api.create_webhook("https://example.com/hooks/sports")
        >>> api.enable_webhook(webhook).is_enabled
        True
        >>> api.remove_webhook(webhook)
        """
        return decode(Webhook, self._sent("POST", self._path(*_WEBHOOKS, webhook, "enable")))

    @operation("list_webhook_deliveries")
    def webhook_deliveries(self, webhook: str) -> list[Delivery]:
        """Returns the last 100 deliveries to a webhook, newest first.

        >>> webhook, secret = api.create_webhook("https://example.com/hooks/sports")
        >>> api.webhook_deliveries(webhook)
        []
        >>> api.remove_webhook(webhook)
        """
        return [decode(Delivery, one) for one in self._json(self._path(*_WEBHOOKS, webhook, "deliveries"))]

    @operation("show_dataset_status")
    def datasets(self) -> Datasets:
        """Returns the datasets that the account owns, and their refreshes of this month.

        >>> owned = api.datasets()
        >>> owned.refreshes_used + owned.refreshes_remaining == owned.refresh_limit
        True
        """
        return self._record(Datasets, self._path("service-sports-data", "status"))

    @operation("refresh_datasets")
    def refresh(self) -> Refresh:
        """Returns links to the current files of all datasets that the account owns. Uses one of the refreshes of the month.

        >>> files = [api.download(link, "datasets") for link in api.refresh().downloads]  # doctest: +SKIP
        """
        # Sent again after a lost connection, the request uses no other refresh.
        once = {"Idempotency-Key": str(uuid.uuid4())}
        return decode(Refresh, self._sent("POST", self._path("service-sports-data", "refresh"), headers=once))

    @operation("show_last_refresh")
    def last_refresh(self) -> Refresh:
        """Returns the links of the last refresh, which are good for 15 minutes. Uses no refresh; raises `NotFound` later.

        >>> links = api.last_refresh().downloads  # doctest: +SKIP
        """
        return self._record(Refresh, self._path("service-sports-data", "refresh", "last"))

    def download(self, link: Download, folder: str | Path = ".") -> Path:
        """Writes the file of a link of `refresh` into a folder under the link's `filename`, and returns its path.

        The file has its name once its size and its hash are those of the link; otherwise it raises `Damaged`. The key is not
        sent.
        """
        to = Path(folder) / PurePosixPath(link.filename).name
        to.parent.mkdir(parents=True, exist_ok=True)
        with arriving(self._settings.progress) as watch:
            body = self._transport.fetch(link.url, to.parent, self._deadline(), watch)
        if not isinstance(body.content, Path):
            raise OSError(f"{to.parent} cannot be written")
        for what, found, expected in (("bytes", body.size, link.bytes), ("sha256", body.sha256, link.sha256)):
            if expected not in (None, found):
                body.discard()
                raise Damaged(
                    f"{link.filename}: `{what}` is {found}, and {expected} in the link: refresh and download it again"
                )
        return body.content.replace(to)

    @operation("get_root")
    def server(self) -> Server:
        """Returns the server's version and description. Needs no key.

        >>> api.server().simulated
        True
        """
        return self._record(Server, "/")

    @operation("get_health")
    def health(self) -> Health:
        """Returns the state of the service and of its parts, sick or not. Needs no key.

        >>> api.health().status
        'healthy'
        """
        return decode(Health, self._json(self._path("health"), statuses=(503,)))

    @operation("get_liveness")
    def alive(self) -> bool:
        """Returns true if the server's process runs. Needs no key.

        >>> api.alive()
        True
        """
        return self._record(Liveness, self._path("liveness")).status == "alive"

    @operation("get_readiness")
    def ready(self) -> Readiness:
        """Returns whether requests can be sent to the server, by check. Needs no key.

        >>> api.ready().status
        'ready'
        """
        return decode(Readiness, self._json(self._path("readiness"), statuses=(503,)))

    @operation("list_todays_picks", "list_picks")
    def picks(self, day: Day | None = None) -> Picks:
        """Returns the picks of a day, today without one: always none, as `note` states.

        >>> api.picks().picks
        ()
        """
        return self._record(Picks, self._path("picks", day_text(day) or "today"))

    @operation("get_picks_performance")
    def picks_record(self, sport: terms.Sport | None = None, market: terms.Market | None = None) -> PicksPerformance:
        """Returns the record of the picks.

        >>> api.picks_record("nba", "moneyline").season.picks
        0
        """
        chosen = market and terms.word(market)
        return self._record(PicksPerformance, self._path("picks", "performance"), sport=sport and sport.upper(), market=chosen)

    @operation("list_edge_picks", "list_edge_picks_of_day")
    def edge_picks(self, day: Day | None = None, *, sport: terms.Sport | None = None) -> Picks:
        """Returns the edge picks, of a day or at present: always none, as `note` states. Only those at present have a `sport`.

        >>> api.edge_picks("2026-01-15").picks
        ()
        """
        if day is None:
            return self._record(Picks, self._path("edge-picks"), sport=sport)
        if sport is not None:
            raise ValueError("`sport` selects edge picks at present; leave out `day`")
        return self._record(Picks, self._path("edge-picks", day_text(day)))

    @operation("get_edge_picks_track_record")
    def edge_picks_record(self) -> EdgePicksRecord:
        """Returns the record of the edge picks.

        >>> api.edge_picks_record().record.picks
        0
        """
        return self._record(EdgePicksRecord, self._path("edge-picks", "track-record"))
