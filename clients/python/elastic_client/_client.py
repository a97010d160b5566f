"""The service, as a program uses it."""

from __future__ import annotations

import re
import ssl
from typing import Any, Dict, Iterator, Mapping, Optional, Sequence, cast
from urllib.parse import urlencode

from ._errors import ProblemError
from ._http import Connection
from ._input import TaskInput
from ._prove import (
    Deadline,
    OnProgress,
    Proof,
    await_task,
    cancel_task,
    create_batch,
    create_task,
    follow_task,
    get_task,
    prove,
    read_result,
)
from ._records import Batch, Task
from ._retry import RetryPolicy

_ID = re.compile(r"[0-9a-f]{32}")
_PAGE_SIZE = 100


class ElasticClient:
    """Every method raises an ElasticError where it fails.

    What is safe to repeat is repeated while the service is unavailable for a moment. A service is named by its id or
    its name. One client may be used by several threads. `timeout` is how long a response may take, in seconds, what is
    waited for not included.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        team: Optional[str] = None,
        timeout: float = 30.0,
        retries: RetryPolicy = RetryPolicy(),
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._connection = Connection(
            url, key, team=team, timeout=timeout, retries=retries, ssl_context=ssl_context
        )
        self._ids_by_name: Dict[str, str] = {}

    def prove(
        self,
        service: str,
        value: TaskInput,
        *,
        on_progress: Optional[OnProgress] = None,
        timeout: Optional[float] = None,
        cancel_on_timeout: bool = False,
        priority: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> Proof:
        """The proof of an input.

        Raises TaskFailedError where the task ends without a result, and WaitTimeoutError where it has not ended after
        `timeout` seconds; then it continues, unless it is cancelled. The same `idempotency_key` and input make one task;
        by default it is a new one for each call, so that the retries of this call make one task.
        """
        service_id = self._service_id(service)
        try:
            return prove(
                self._connection,
                service_id,
                value,
                priority=priority,
                idempotency_key=idempotency_key,
                on_progress=on_progress,
                timeout=timeout,
                cancel_on_timeout=cancel_on_timeout,
            )
        except ProblemError as error:
            self._forget(service, error)
            raise

    def create_task(
        self,
        service: str,
        value: TaskInput,
        *,
        priority: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> Task:
        """Returns once the task is durable."""
        service_id = self._service_id(service)
        try:
            return create_task(
                self._connection, service_id, value, priority=priority, idempotency_key=idempotency_key
            )
        except ProblemError as error:
            self._forget(service, error)
            raise

    def create_batch(
        self,
        service: str,
        values: Sequence[TaskInput],
        *,
        priority: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> Batch:
        """A task of each input, at most 1,000 of 64 MiB together: all of them or none.

        `task_ids` has the order of the inputs. Neither URLs nor files can be among them.
        """
        service_id = self._service_id(service)
        try:
            return create_batch(
                self._connection, service_id, values, priority=priority, idempotency_key=idempotency_key
            )
        except ProblemError as error:
            self._forget(service, error)
            raise

    def get_task(self, task_id: str) -> Task:
        return get_task(self._connection, task_id)

    def await_task(
        self, task_id: str, *, on_progress: Optional[OnProgress] = None, timeout: Optional[float] = None
    ) -> Task:
        """The record as it has ended, with or without a result."""
        return await_task(self._connection, task_id, on_progress, Deadline(timeout))

    def follow_task(self, task_id: str) -> Iterator[Dict[str, Any]]:
        """What happens to a task, from its creation to its end, each event of its timeline once."""
        return follow_task(self._connection, task_id)

    def cancel_task(self, task_id: str) -> Task:
        """Of a task that has ended this changes nothing."""
        return cancel_task(self._connection, task_id)

    def read_result(self, task: Mapping[str, Any]) -> str:
        """The result of a task that succeeded, from its record, or fetched where that leaves it out."""
        return read_result(self._connection, task)

    def tasks(self, *, page_size: int = _PAGE_SIZE, **filters: str) -> Iterator[Task]:
        """Newest first, each page fetched once the one before is used up.

        Filters are `service_id`, `state`, `phase`, `reason`, `created_after`, `created_before` and `id_prefix`. Inputs and
        results are in the items up to 4 KiB.
        """
        return cast(Iterator[Task], self._list("/v1/tasks", page_size, filters))

    def services(self, *, page_size: int = _PAGE_SIZE) -> Iterator[Dict[str, Any]]:
        return self._list("/v1/services", page_size, {})

    def request(self, method: str, path: str, *, body: Optional[bytes] = None) -> Any:
        """Any other endpoint of the OpenAPI document: the parsed body of its response, None where it has none."""
        return self._connection.call(method, path, body=body)

    def _list(self, path: str, page_size: int, filters: Mapping[str, str]) -> Iterator[Dict[str, Any]]:
        place: Dict[str, str] = {}
        number = 1
        while True:
            page = self._connection.call("GET", f"{path}?{urlencode({**filters, 'size': str(page_size), **place})}")
            yield from page["items"]
            cursor = page.get("next_cursor")
            if cursor is None and ("next_cursor" in page or number >= page["pages"]):
                return
            number += 1
            place = {"page": str(number)} if cursor is None else {"cursor": cursor}

    def _service_id(self, service: str) -> str:
        if _ID.fullmatch(service):
            return service
        known = self._ids_by_name.get(service)
        if known is not None:
            return known
        for one in self.services():
            if one["service_name"] == service:
                self._ids_by_name[service] = one["service_id"]
                return cast(str, one["service_id"])
        detail = f'There is no service named "{service}" in the team.'
        raise ProblemError(404, {}, {"code": "not_found", "detail": detail})

    def _forget(self, service: str, error: ProblemError) -> None:
        """Another service may have the name by now."""
        if error.code in ("not_found", "service_deleted"):
            self._ids_by_name.pop(service, None)
