"""Whether a request is sent again after an error, and when."""

from __future__ import annotations

import email.utils
import re
from dataclasses import dataclass
from typing import Optional

from ._errors import ConnectionFailedError, ProblemError

_PASSING_STATUSES = frozenset({408, 429, 502, 503, 504})
_PASSING_CODES = frozenset({"idempotency_key_in_flight"})
# These last until somebody acts.
_LASTING_CODES = frozenset({"quota_exceeded", "store_changed", "result_corrupt", "source_corrupt"})


@dataclass(frozen=True)
class RetryPolicy:
    """About 40 seconds in all: longer than a coordinator takes to be replaced by another. Times are in seconds."""

    # The first one included; 1 never repeats a request.
    attempts_max: int = 10
    # The first pause; each further one is twice as long.
    pause: float = 0.25
    pause_max: float = 8.0
    # A service that says to wait longer is not waited for.
    retry_after_max: float = 60.0


def retry_delay(
    policy: RetryPolicy,
    error: Exception,
    attempts: int,
    repeatable: bool,
    random: float,
    now: float,
    body_spent: bool = False,
) -> Optional[float]:
    """None for an error that is final. `random` is from 0 to 1: clients that failed together do not return together.

    `body_spent` is for an iterator: what it has sent is gone, and a second request would have an empty body.
    """
    if attempts >= policy.attempts_max or body_spent or not _may_pass(error, repeatable):
        return None
    pause = min(policy.pause_max, policy.pause * 2.0 ** min(attempts - 1, 30)) * (0.5 + random / 2)
    requested = _retry_after(error.retry_after, now) if isinstance(error, ProblemError) else 0.0
    return None if requested > policy.retry_after_max else max(pause, requested)


def _may_pass(error: Exception, repeatable: bool) -> bool:
    if isinstance(error, ConnectionFailedError):
        return repeatable
    if not isinstance(error, ProblemError) or error.code in _LASTING_CODES:
        return False
    # With 429 nothing was done.
    if error.status == 429:
        return True
    return repeatable and (error.status in _PASSING_STATUSES or error.code in _PASSING_CODES)


def _retry_after(header: Optional[str], now: float) -> float:
    """Seconds, or the time of the next attempt; 0 where it is absent or malformed."""
    if header is None:
        return 0.0
    if re.fullmatch(r"[0-9]{1,9}", header.strip()):
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - now)
    except (TypeError, ValueError):
        return 0.0
