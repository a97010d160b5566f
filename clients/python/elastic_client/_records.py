"""The records of the HTTP interface that this client reads, as its OpenAPI document has them."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict

TaskState = Literal["PENDING", "SUCCESS", "FAILURE"]
TaskPhase = Literal["queued", "running", "succeeded", "failed", "cancelled", "timed_out", "expired"]


class FailureRecord(TypedDict):
    reason: str
    message: str
    retryable: bool
    attempts: int
    exit_code: Optional[int]
    log_tail: str


class ProgressRecord(TypedDict):
    fraction: float
    message: str


class Task(TypedDict):
    """Times are UTC, as `YYYY-MM-DDTHH:MM:SS`."""

    task_id: str
    service_id: str
    service_name: str
    team_id: str
    creator_id: str
    state: TaskState
    phase: TaskPhase
    created: str
    started: Optional[str]
    finished: Optional[str]
    phase_since: str
    attempt: int
    progress: Optional[ProgressRecord]
    waiting: Optional[Dict[str, Any]]
    priority: int
    canary_of: Optional[str]
    limits: Dict[str, float]
    failure: Optional[FailureRecord]
    error: Optional[str]
    input_bytes: int
    result_bytes: Optional[int]
    result_url: Optional[str]
    result_omitted: bool
    expires_at: Optional[str]
    result_expired: bool
    input: Optional[str]
    result: Optional[str]


class Batch(TypedDict):
    """`task_ids` has the order of the inputs. Of a batch that is ABANDONED the tasks from `tasks_created` on are never created."""

    batch_id: str
    team_id: str
    service_id: str
    created: str
    state: Literal["CREATING", "CREATED", "ABANDONED"]
    tasks_created: int
    task_ids: List[str]
    message: Optional[str]
