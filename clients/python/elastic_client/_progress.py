"""How far a task is, as its events say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Mapping, Optional

FINAL_EVENTS = frozenset({"task.succeeded", "task.failed", "task.cancelled", "task.timed_out", "task.expired"})


@dataclass(frozen=True)
class TaskProgress:
    """`attempt` counts those started so far; `fraction` is from 0 to 1, None where the prover says nothing of it."""

    task_id: str
    phase: Literal["queued", "running"]
    attempt: int
    fraction: Optional[float]
    message: str


def progress_of(event: Mapping[str, Any]) -> Optional[TaskProgress]:
    """None for an event that ends the task."""
    task_id, attempt = event["task_id"], event["attempt"] or 0
    if event["type"] == "task.progress":
        return TaskProgress(task_id, "running", attempt, event["fraction"], event["message"])
    if event["type"] in ("task.created", "task.requeued"):
        return TaskProgress(task_id, "queued", attempt, None, "")
    if event["type"] == "task.started":
        return TaskProgress(task_id, "running", attempt, None, "")
    return None
