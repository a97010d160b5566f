"""Whether a request came from the service's webhook, and what it says (Standard Webhooks 1.0)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import math
import re
import time
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._errors import WebhookVerificationError

_TOLERANCE = 300.0


@dataclass(frozen=True)
class WebhookEvent:
    """`id` is the same with every attempt: skip what was seen before. `timestamp` is when it happened."""

    id: str
    type: str
    timestamp: str
    data: Dict[str, Any]


def verify_webhook(
    body: Union[str, bytes],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = _TOLERANCE,
    now: Optional[float] = None,
) -> WebhookEvent:
    """The event, once a signature by one of the secrets is found.

    `body` is what was received, byte for byte: parsed and written again it has other bytes. Raises
    WebhookVerificationError, or ValueError where the arguments are such that nothing could be verified.
    """
    # Compared with NaN, no request is too old.
    if not tolerance >= 0:
        raise ValueError("the tolerance is not a number from 0")
    if now is not None and not math.isfinite(now):
        raise ValueError("now is not a time in seconds")
    named = {name.lower(): value for name, value in headers.items()}
    event_id, timestamp, signatures = (named.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not event_id or not timestamp or not signatures:
        raise WebhookVerificationError("header_missing")
    content = _bytes_of(body) if isinstance(body, str) else bytes(body)
    _check_time(timestamp, time.time() if now is None else now, tolerance)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    expected = [_signature(one, event_id, timestamp, content) for one in secrets]
    if not any(_is_one_of(expected, given) for given in signatures.split(" ")):
        raise WebhookVerificationError("signature_invalid")
    return _event_of(event_id, content)


def sign_webhook(body: Union[str, bytes], *, id: str, timestamp: float, secret: str) -> Dict[str, str]:
    """What the service sends with a body: for tests of a receiver."""
    content = _bytes_of(body) if isinstance(body, str) else body
    seconds = str(int(timestamp))
    return {
        "webhook-id": id,
        "webhook-timestamp": seconds,
        "webhook-signature": _signature(secret, id, seconds, content),
    }


def _signature(secret: str, event_id: str, timestamp: str, body: bytes) -> str:
    encoded = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
    try:
        key = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("the secret of a webhook is whsec_ and base64")
    digest = hmac.new(key, _bytes_of(f"{event_id}.{timestamp}.") + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def _is_one_of(expected: List[str], given: str) -> bool:
    return any(hmac.compare_digest(_bytes_of(one), _bytes_of(given)) for one in expected)


def _bytes_of(text: str) -> bytes:
    """Some servers decode headers so that bytes beyond ASCII are lone surrogates, which UTF-8 does not have."""
    return text.encode("utf-8", "surrogatepass")


def _check_time(timestamp: str, now: float, tolerance: float) -> None:
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("timestamp_invalid")
    age = now - int(timestamp)
    if age > tolerance:
        raise WebhookVerificationError("timestamp_too_old")
    if age < -tolerance:
        raise WebhookVerificationError("timestamp_too_new")


def _event_of(event_id: str, body: bytes) -> WebhookEvent:
    try:
        event = json.loads(body)
        kind, timestamp, data = event["type"], event["timestamp"], event["data"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise WebhookVerificationError("body_invalid") from error
    if not (isinstance(kind, str) and isinstance(timestamp, str) and isinstance(data, dict)):
        raise WebhookVerificationError("body_invalid")
    return WebhookEvent(event_id, kind, timestamp, data)
