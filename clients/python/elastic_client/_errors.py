"""What can go wrong. Everything that this package raises on its own is an ElasticError, but for invalid arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Mapping, Optional, Tuple

if TYPE_CHECKING:
    from ._failure import TaskFailure
    from ._records import Task


class ElasticError(Exception):
    """The base of all errors of this package."""


class ConnectionFailedError(ElasticError):
    """There was no complete response. `__cause__` has what the connection ended with."""

    def __init__(self, kind: Literal["unreachable", "timeout"], message: str) -> None:
        super().__init__(message)
        self.kind = kind


class UnexpectedResponseError(ElasticError):
    """What responded is not the service, or sends more than the service does."""


@dataclass(frozen=True)
class InvalidField:
    """What is wrong with one field of the request."""

    pointer: str
    detail: str


class ProblemError(ElasticError):
    """The service rejected a request, and says why (RFC 9457).

    `code` is for programs, such as `service_not_ready`; `http_<status>` where a proxy responded. `request_id` names the
    request in the service's log.
    """

    def __init__(self, status: int, headers: Mapping[str, str], body: Any) -> None:
        problem = body if isinstance(body, dict) else {}
        self.status = status
        self.code: str = problem.get("code") or f"http_{status}"
        self.detail: str = problem.get("detail") or problem.get("title") or f"The service responded with status {status}."
        self.request_id: Optional[str] = problem.get("request_id") or headers.get("x-request-id")
        self.retry_after: Optional[str] = headers.get("retry-after")
        self.errors: Tuple[InvalidField, ...] = tuple(
            InvalidField(str(error.get("pointer") or ""), str(error.get("detail") or ""))
            for error in problem.get("errors") or []
            if isinstance(error, dict)
        )
        super().__init__(self.detail)


class TaskFailedError(ElasticError):
    """The task ended without a result: `failure` says why, `task` is its record."""

    def __init__(self, task: "Task", failure: "TaskFailure") -> None:
        super().__init__(
            f"The task {task['task_id']} ended without a result: {failure.reason}: {failure.message}"
        )
        self.task = task
        self.failure = failure


class WaitTimeoutError(ElasticError, TimeoutError):
    """The task did not end in time; it continues."""

    def __init__(self, task_id: Optional[str], timeout: float) -> None:
        super().__init__(f"The task {task_id or ''} did not end within {timeout:g} s.".replace("  ", " "))
        self.task_id = task_id


VerificationReason = Literal[
    "header_missing",
    "timestamp_invalid",
    "timestamp_too_old",
    "timestamp_too_new",
    "signature_invalid",
    "body_invalid",
]

_MESSAGES: Mapping[VerificationReason, str] = {
    "header_missing": "The request lacks a header of webhooks: webhook-id, webhook-timestamp and webhook-signature.",
    "timestamp_invalid": "The webhook-timestamp is not a number of seconds.",
    "timestamp_too_old": "The webhook-timestamp is too old: the request may be a repetition by somebody else.",
    "timestamp_too_new": "The webhook-timestamp is in the future: the clock of this machine may be off.",
    "signature_invalid": "No signature of the request is by this secret.",
    "body_invalid": "The body is signed, but is no event.",
}


class WebhookVerificationError(ElasticError):
    """The request is none of the service's webhook: respond with 400, and do nothing else."""

    def __init__(self, reason: VerificationReason) -> None:
        super().__init__(_MESSAGES[reason])
        self.reason: VerificationReason = reason
