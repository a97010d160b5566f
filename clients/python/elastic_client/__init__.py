"""Proofs from the Elastic Proving Service."""

from ._async_client import AsyncElasticClient
from ._client import ElasticClient
from ._errors import (
    ConnectionFailedError,
    ElasticError,
    InvalidField,
    ProblemError,
    TaskFailedError,
    UnexpectedResponseError,
    WaitTimeoutError,
    WebhookVerificationError,
)
from ._failure import FAILURE_REASONS, FailureReason, TaskFailure
from ._input import JsonText, InputUrl, TaskInput
from ._progress import TaskProgress
from ._prove import Proof
from ._records import Batch, Task
from ._retry import RetryPolicy
from ._webhook import WebhookEvent, sign_webhook, verify_webhook

__all__ = [
    "AsyncElasticClient",
    "Batch",
    "ConnectionFailedError",
    "ElasticClient",
    "ElasticError",
    "FAILURE_REASONS",
    "FailureReason",
    "InputUrl",
    "InvalidField",
    "JsonText",
    "ProblemError",
    "Proof",
    "RetryPolicy",
    "Task",
    "TaskFailedError",
    "TaskFailure",
    "TaskInput",
    "TaskProgress",
    "UnexpectedResponseError",
    "WaitTimeoutError",
    "WebhookEvent",
    "WebhookVerificationError",
    "sign_webhook",
    "verify_webhook",
]
