"""From an input to a proof: one task, created once and waited for."""

from __future__ import annotations

import json
import time
import uuid
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Sequence, cast

from ._errors import TaskFailedError, WaitTimeoutError
from ._events import follow_events
from ._failure import failure_of
from ._http import Connection, read_bytes, read_rejection
from ._input import TaskInput, batch_body, task_body
from ._progress import FINAL_EVENTS, TaskProgress, progress_of
from ._records import Batch, Task

# Shorter than proxies let a request wait.
LONG_POLL = 25
# Long enough for an input at its limit over a slow line, or for the service to fetch one.
_CREATE_TIMEOUT = 300.0
_TASK_TIMEOUT = 120.0
_BATCH_TIMEOUT = 600.0
_RESULT_TIMEOUT = 300.0
_RESULT_BYTES_MAX = 1024 * 1024 * 1024

OnProgress = Callable[[TaskProgress], None]


@dataclass(frozen=True)
class Proof:
    """`result` is what the prover returned: its text, or JSON text."""

    task_id: str
    result: str
    task: Task


class Deadline:
    """Until when something is waited for."""

    def __init__(self, timeout: Optional[float]) -> None:
        self._timeout = timeout
        self._end = None if timeout is None else time.monotonic() + timeout
        self.task_id: Optional[str] = None

    def check(self) -> None:
        if self._timeout is not None and self._end is not None and time.monotonic() >= self._end:
            raise WaitTimeoutError(self.task_id, self._timeout)

    def poll_seconds(self) -> int:
        """How long the next request may wait: a whole number of seconds, at least one."""
        if self._end is None:
            return LONG_POLL
        return max(1, min(LONG_POLL, int(self._end - time.monotonic())))


def prove(
    connection: Connection,
    service_id: str,
    value: TaskInput,
    *,
    priority: Optional[int],
    idempotency_key: Optional[str],
    on_progress: Optional[OnProgress],
    timeout: Optional[float],
    cancel_on_timeout: bool,
) -> Proof:
    deadline = Deadline(timeout)
    # What its events show is not to be missed.
    wait = 0 if on_progress is not None else deadline.poll_seconds()
    task = create_task(
        connection, service_id, value, priority=priority, idempotency_key=idempotency_key, wait=wait
    )
    if task["state"] == "PENDING":
        try:
            task = await_task(connection, task["task_id"], on_progress, deadline)
        except WaitTimeoutError:
            if cancel_on_timeout:
                cancel_task(connection, task["task_id"])
            raise
    failure = failure_of(task)
    if failure is not None:
        raise TaskFailedError(task, failure)
    return Proof(task["task_id"], read_result(connection, task), task)


def create_task(
    connection: Connection,
    service_id: str,
    value: TaskInput,
    *,
    priority: Optional[int],
    idempotency_key: Optional[str],
    wait: int = 0,
) -> Task:
    others: Dict[str, Any] = {} if priority is None else {"priority": priority}
    body = task_body(connection, value, others)
    headers = {"idempotency-key": str(uuid.uuid4()) if idempotency_key is None else idempotency_key}
    query = "" if wait == 0 else f"?wait={wait}"
    path = f"/v1/services/{service_id}{query}"
    return cast(Task, connection.call("POST", path, headers=headers, body=body, timeout=_CREATE_TIMEOUT + wait))


def create_batch(
    connection: Connection,
    service_id: str,
    values: Sequence[TaskInput],
    *,
    priority: Optional[int],
    idempotency_key: Optional[str],
) -> Batch:
    body = batch_body(values, {} if priority is None else {"priority": priority})
    headers = {"idempotency-key": str(uuid.uuid4()) if idempotency_key is None else idempotency_key}
    path = f"/v1/services/{service_id}/batch"
    return cast(Batch, connection.call("POST", path, headers=headers, body=body, timeout=_BATCH_TIMEOUT))


def get_task(connection: Connection, task_id: str, wait: int = 0) -> Task:
    query = "" if wait == 0 else f"?wait={wait}"
    return cast(Task, connection.call("GET", f"/v1/tasks/{task_id}{query}", timeout=_TASK_TIMEOUT + wait))


def await_task(
    connection: Connection, task_id: str, on_progress: Optional[OnProgress], deadline: Deadline
) -> Task:
    """By long polls, or by its events where progress is wanted."""
    deadline.task_id = task_id
    if on_progress is not None:
        for event in follow_task(connection, task_id, deadline.check):
            progress = progress_of(event)
            if progress is not None:
                on_progress(progress)
    while True:
        deadline.check()
        task = get_task(connection, task_id, deadline.poll_seconds())
        if task["state"] != "PENDING":
            return task


def follow_task(
    connection: Connection, task_id: str, check: Callable[[], None] = lambda: None
) -> Iterator[Dict[str, Any]]:
    path = f"/v1/tasks/{task_id}/events"
    for event in follow_events(connection, path, is_last=lambda one: one.type in FINAL_EVENTS, check=check):
        yield cast(Dict[str, Any], json.loads(event.data))


def cancel_task(connection: Connection, task_id: str) -> Task:
    return cast(Task, connection.call("POST", f"/v1/tasks/{task_id}/cancel", repeatable=True))


def read_result(connection: Connection, task: Mapping[str, Any]) -> str:
    """The text in the record, or where it is too long for that, and in lists and webhooks, fetched."""
    if task["result"] is not None:
        return cast(str, task["result"])
    headers = {"accept": "text/plain, application/problem+json"}
    path = f"/v1/tasks/{task['task_id']}/result"
    return connection.exchange("GET", path, _read_result, headers=headers, timeout=_RESULT_TIMEOUT)


def _read_result(response: Any) -> str:
    if response.status != 200:
        raise read_rejection(response)
    return read_bytes(response, _RESULT_BYTES_MAX).decode("utf-8")

