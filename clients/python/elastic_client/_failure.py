"""Why a task ended without a result: a closed list of reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Optional, Tuple, cast, get_args

from ._records import Task

FailureReason = Literal[
    "queue_timeout",
    "start_timeout",
    "run_timeout",
    "cancelled",
    "prover_error",
    "bad_output",
    "out_of_memory",
    "image_unavailable",
    "node_lost",
    "node_disk_full",
    "gpu_fault",
    "input_corrupt",
    "internal",
]

FAILURE_REASONS: Tuple[FailureReason, ...] = get_args(FailureReason)


@dataclass(frozen=True)
class TaskFailure:
    """`retryable` is whether the same task may succeed if it is created again."""

    reason: FailureReason
    message: str
    retryable: bool
    attempts: int
    exit_code: Optional[int]
    log_tail: str


def failure_of(task: Task) -> Optional[TaskFailure]:
    """None unless the task has failed."""
    failure = task["failure"]
    if failure is None:
        return None
    return TaskFailure(
        reason=cast(FailureReason, failure["reason"]),
        message=failure["message"],
        retryable=failure["retryable"],
        attempts=failure["attempts"],
        exit_code=failure["exit_code"],
        log_tail=failure["log_tail"],
    )
