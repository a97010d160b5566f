"""A stream of server-sent events that outlives its connections: it resumes after the last event that came."""

from __future__ import annotations

import http.client
import random
import time
from dataclasses import dataclass
from typing import Callable, Iterator, List, Optional

from ._errors import ConnectionFailedError, ElasticError, UnexpectedResponseError
from ._http import Connection, connection_error, read_rejection
from ._retry import retry_delay

# The service sends something every 15 seconds.
_SILENCE_MAX = 45.0
# More than any event of the service takes.
_LINE_BYTES_MAX = 1024 * 1024


@dataclass(frozen=True)
class ServerEvent:
    """`id` is what a client names to continue after it; None for an event that is not sent again."""

    id: Optional[str]
    type: str
    data: str


def follow_events(
    connection: Connection, path: str, *, is_last: Callable[[ServerEvent], bool], check: Callable[[], None]
) -> Iterator[ServerEvent]:
    """`check` is called with each line that comes, beats included, and raises to stop."""
    last_event_id: Optional[str] = None
    attempts = 0
    while True:
        attempts += 1
        try:
            headers = {"accept": "text/event-stream, application/problem+json"}
            if last_event_id is not None:
                headers["last-event-id"] = last_event_id
            with connection.open("GET", path, headers=headers, body=None, timeout=_SILENCE_MAX) as response:
                # The service has nothing further.
                if response.status == 204:
                    return
                _refuse_other(response)
                for event in read_events(response, check):
                    attempts = 0
                    last_event_id = event.id if event.id is not None else last_event_id
                    yield event
                    if is_last(event):
                        return
            failed: ElasticError = ConnectionFailedError("unreachable", "The stream of events ended early.")
        except ElasticError as error:
            failed = error
        except (OSError, http.client.HTTPException) as error:
            failed = connection_error(connection.url, error, _SILENCE_MAX)
        delay = retry_delay(connection.retries, failed, max(1, attempts), True, random.random(), time.time())
        if delay is None:
            raise failed
        check()
        time.sleep(delay)


def _refuse_other(response: http.client.HTTPResponse) -> None:
    if response.status >= 300:
        raise read_rejection(response)
    if not response.headers.get("content-type", "").startswith("text/event-stream"):
        raise UnexpectedResponseError("What responded does not send events.")


def read_events(response: http.client.HTTPResponse, check: Callable[[], None]) -> Iterator[ServerEvent]:
    event_id: Optional[str] = None
    event_type = ""
    data: List[str] = []
    while True:
        line = response.readline(_LINE_BYTES_MAX)
        if not line.endswith(b"\n"):
            if len(line) >= _LINE_BYTES_MAX:
                raise UnexpectedResponseError("An event of the stream is too large.")
            return
        check()
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        if text == "":
            if data:
                yield ServerEvent(event_id, event_type or "message", "\n".join(data))
            event_id, event_type, data = None, "", []
            continue
        field, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "data":
            data.append(value)
        elif field == "event":
            event_type = value
        elif field == "id":
            event_id = value
