"""What a prover is given, and how it gets to the service: in the request, sent ahead, or fetched by the service."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, BinaryIO, Dict, Iterator, Sequence, Tuple, Union, cast

from ._http import Connection

# What the service takes inline.
_INLINE_BYTES_MAX = 10 * 1024 * 1024
# The service takes no longer.
_UPLOAD_TIMEOUT = 2 * 3600.0
_CHUNK_BYTES = 256 * 1024


@dataclass(frozen=True)
class JsonText:
    """JSON text whose bytes reach the prover unchanged."""

    text: str


@dataclass(frozen=True)
class InputUrl:
    """The service fetches the input, of at most 1 GiB, from a public address."""

    url: str


# A value that `json.dumps` takes; or JSON text already: bytes, or a file that is opened for reading bytes.
# Beyond 10 MiB, and always for a file, they are uploaded ahead of the task.
TaskInput = Union[JsonText, InputUrl, bytes, BinaryIO, None, bool, int, float, str, list, tuple, Dict[str, Any]]


def task_body(connection: Connection, value: TaskInput, others: Dict[str, Any]) -> bytes:
    """The body of the request that creates a task. Raises TypeError for what has no JSON text."""
    if isinstance(value, InputUrl):
        return json.dumps({"input_url": value.url, **others}).encode()
    is_small, content = _content_of(value)
    if not is_small:
        return json.dumps({"input_upload_id": _upload(connection, content), **others}).encode()
    end = json.dumps(others)[1:]
    return b'{"input":' + cast(bytes, content) + (b"," if others else b"") + end.encode()


def batch_body(values: Sequence[TaskInput], others: Dict[str, Any]) -> bytes:
    """The body of the request that creates a task of each. Raises TypeError for what would be fetched or uploaded."""
    end = json.dumps(others)[1:]
    inputs = b",".join(_inline_bytes(value) for value in values)
    return b'{"inputs":[' + inputs + b"]" + (b"," if others else b"") + end.encode()


def _inline_bytes(value: TaskInput) -> bytes:
    if not isinstance(value, InputUrl):
        is_small, content = _content_of(value)
        if is_small:
            return cast(bytes, content)
    raise TypeError("an input of a batch is at most 10 MiB of JSON: create a single task for others")


def _content_of(value: Any) -> Tuple[bool, Union[bytes, Iterator[bytes]]]:
    if hasattr(value, "read"):
        return False, _chunks(cast(BinaryIO, value))
    if isinstance(value, (bytes, bytearray, memoryview)):
        text = bytes(value)
    elif isinstance(value, JsonText):
        text = value.text.encode()
    else:
        text = json.dumps(value, allow_nan=False).encode()
    return len(text) <= _INLINE_BYTES_MAX, text


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    while True:
        chunk = file.read(_CHUNK_BYTES)
        if not chunk:
            return
        yield chunk


def _upload(connection: Connection, content: Union[bytes, Iterator[bytes]]) -> str:
    """One that no task names is removed after an hour, so bytes are sent again after an error."""
    upload = connection.call("POST", "/v1/uploads", body=content, timeout=_UPLOAD_TIMEOUT, repeatable=True)
    return cast(str, upload["upload_id"])
