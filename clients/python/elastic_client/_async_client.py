"""The client for asyncio: each call runs in a thread, of which the event loop has a pool."""

from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator, Iterator, Mapping, Sequence, TypeVar

from ._client import ElasticClient
from ._input import TaskInput
from ._progress import TaskProgress
from ._prove import Proof
from ._records import Batch, Task

T = TypeVar("T")
_END = object()


class AsyncElasticClient:
    """As ElasticClient, with its arguments. `on_progress` is called in the event loop.

    A call that is cancelled returns at once; its request ends in the background, and its task continues.
    """

    def __init__(self, url: str, key: str, **options: Any) -> None:
        self._client = ElasticClient(url, key, **options)

    async def prove(self, service: str, value: TaskInput, **options: Any) -> Proof:
        return await asyncio.to_thread(self._client.prove, service, value, **_in_loop(options))

    async def create_task(self, service: str, value: TaskInput, **options: Any) -> Task:
        return await asyncio.to_thread(self._client.create_task, service, value, **options)

    async def create_batch(self, service: str, values: Sequence[TaskInput], **options: Any) -> Batch:
        return await asyncio.to_thread(self._client.create_batch, service, values, **options)

    async def get_task(self, task_id: str) -> Task:
        return await asyncio.to_thread(self._client.get_task, task_id)

    async def await_task(self, task_id: str, **options: Any) -> Task:
        return await asyncio.to_thread(self._client.await_task, task_id, **_in_loop(options))

    async def cancel_task(self, task_id: str) -> Task:
        return await asyncio.to_thread(self._client.cancel_task, task_id)

    async def read_result(self, task: Mapping[str, Any]) -> str:
        return await asyncio.to_thread(self._client.read_result, task)

    def tasks(self, **filters: Any) -> AsyncIterator[Task]:
        return _in_threads(self._client.tasks(**filters))

    def services(self, **options: Any) -> AsyncIterator[Mapping[str, Any]]:
        return _in_threads(self._client.services(**options))


def _in_loop(options: Mapping[str, Any]) -> Mapping[str, Any]:
    on_progress: Any = options.get("on_progress")
    if on_progress is None:
        return options
    loop = asyncio.get_running_loop()

    def call_in_loop(progress: TaskProgress) -> None:
        loop.call_soon_threadsafe(on_progress, progress)

    return {**options, "on_progress": call_in_loop}


async def _in_threads(items: Iterator[T]) -> AsyncIterator[T]:
    while True:
        item: Any = await asyncio.to_thread(next, items, _END)
        if item is _END:
            return
        yield item
