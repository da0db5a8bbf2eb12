"""The errors of the API and of the way to it. No error has the key."""

from collections.abc import Mapping
from typing import ClassVar


class ApiError(Exception):
    """The base of every error of this package."""


class Refused(ApiError):
    """An answer of the server that is an error."""

    #: The status of the class; an answer's own is `status`.
    expected: ClassVar[int] = 0

    def __init__(self, status: int, detail: str, request_id: str | None = None) -> None:
        """Takes the answer's status and detail, and the id of the request in the server's log."""
        self.status, self.detail, self.request_id = status, detail, request_id
        self.code = f"HTTP_{status}"
        super().__init__(f"{self.code}: {detail}" + (f" (request {request_id})" if request_id else ""))


class BadRequest(Refused):
    """400: a part of the address or a parameter is wrong."""

    expected = 400


class Unauthorized(Refused):
    """401: the key is missing, unknown, expired or revoked."""

    expected = 401


class Forbidden(Refused):
    """403: the key's customer has no active subscription, or does not own the resource."""

    expected = 403


class NotFound(Refused):
    """404: nothing is published there."""

    expected = 404


class Conflict(Refused):
    """409: the season was published anew since the first page."""

    expected = 409


class TooManyRequests(Refused):
    """429: more calls than a second or a month has."""

    expected = 429


class ServerError(Refused):
    """500: a fault of the service, in its log under `request_id`."""

    expected = 500


class Unavailable(Refused):
    """503: a part of the service is away for a while."""

    expected = 503


class Unreachable(ApiError):
    """A connection that failed, or broke off."""


class TimedOut(ApiError):
    """A call that took longer than its `timeout`."""


class Incompatible(ApiError):
    """An answer that lacks a field, or has another type than this version of the package expects."""


class Damaged(ApiError):
    """A file that is not the one that its link names."""


class BadFrame(ApiError, ValueError):
    """A frame that cannot be published as it is. The sentence names the cure; nothing was sent."""


class Unpublished(ApiError):
    """A `sportsctl` that failed for another reason than the release: its settings, the store, the key or the clock."""


class NotFresh(ApiError):
    """A slate that was requested with `require_fresh=True` and is not today's."""


BY_STATUS: Mapping[int, type[Refused]] = {kind.expected: kind for kind in Refused.__subclasses__()}


def refusal(status: int, detail: str, request_id: str | None) -> Refused:
    """Returns the error of an answer; statuses without a class of their own are `Refused`."""
    return BY_STATUS.get(status, Refused)(status, detail, request_id)
