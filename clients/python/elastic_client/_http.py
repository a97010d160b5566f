"""One call of the HTTP interface: bounded in time and size, and repeated where that is safe and may help."""

from __future__ import annotations

import http.client
import json
import random
import socket
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Callable, Dict, Iterable, Mapping, Optional, TypeVar, Union, cast

from ._errors import ConnectionFailedError, ElasticError, ProblemError, UnexpectedResponseError
from ._retry import RetryPolicy, retry_delay

# A record holds an input of 10 MiB and a result of 8 MiB, each escaped as JSON text.
JSON_BYTES_MAX = 128 * 1024 * 1024

T = TypeVar("T")
Body = Union[bytes, Iterable[bytes], None]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to wherever it points."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class _ReadsEarlyResponse(http.client.HTTPConnection):
    """A service that refuses a large body responds before it has read all of it, and closes: why is in that response."""

    def request(self, *args: Any, **options: Any) -> None:
        try:
            super().request(*args, **options)
        except (BrokenPipeError, ConnectionResetError):
            # It has no response where the connection was never made.
            if self.sock is None:
                raise


class _ReadsEarlyResponseOverTls(_ReadsEarlyResponse, http.client.HTTPSConnection):
    pass


class _HttpHandler(urllib.request.HTTPHandler):
    def do_open(self, _: Any, request: urllib.request.Request, **options: Any) -> http.client.HTTPResponse:
        return super().do_open(_ReadsEarlyResponse, request, **options)


class _HttpsHandler(urllib.request.HTTPSHandler):
    def do_open(self, _: Any, request: urllib.request.Request, **options: Any) -> http.client.HTTPResponse:
        return super().do_open(_ReadsEarlyResponseOverTls, request, **options)


class Connection:
    """Where the service is, who calls it, and how patiently."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        team: Optional[str],
        timeout: float,
        retries: RetryPolicy,
        ssl_context: Optional[ssl.SSLContext],
    ) -> None:
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"not an http or https address: {url}")
        self.url = url.rstrip("/")
        self.timeout = timeout
        self.retries = retries
        self._headers: Dict[str, str] = {
            "accept": "application/json",
            "user-agent": "elastic-client-python",
            "x-api-key": key,
        }
        if team is not None:
            self._headers["x-team"] = team
        self._opener = urllib.request.build_opener(_NoRedirects(), _HttpHandler(), _HttpsHandler(context=ssl_context))

    def open(
        self, method: str, path: str, *, headers: Mapping[str, str], body: Body, timeout: float
    ) -> http.client.HTTPResponse:
        """A response of any status. `timeout` bounds the silence of the other side."""
        sent = {**self._headers, **({} if body is None else {"content-type": "application/json"}), **headers}
        request = urllib.request.Request(self.url + path, data=cast(Any, body), headers=sent, method=method)
        try:
            return cast(http.client.HTTPResponse, self._opener.open(request, timeout=timeout))
        except urllib.error.HTTPError as response:
            return cast(http.client.HTTPResponse, response)

    def exchange(
        self,
        method: str,
        path: str,
        read: Callable[[http.client.HTTPResponse], T],
        *,
        headers: Optional[Mapping[str, str]] = None,
        body: Body = None,
        timeout: Optional[float] = None,
        repeatable: Optional[bool] = None,
    ) -> T:
        """What `read` makes of the response. By default GET, PUT and DELETE are repeated, and what has a key for it.

        An iterator is sent once in any case.
        """
        given = dict(headers or {})
        if repeatable is None:
            repeatable = method in ("GET", "PUT", "DELETE") or "idempotency-key" in given
        body_spent = not (body is None or isinstance(body, bytes))
        bound = self.timeout if timeout is None else timeout
        attempts = 0
        while True:
            attempts += 1
            try:
                return self._attempt(method, path, read, given, body, bound)
            except ElasticError as error:
                delay = retry_delay(
                    self.retries, error, attempts, repeatable, random.random(), time.time(), body_spent
                )
                if delay is None:
                    raise
            time.sleep(delay)

    def call(self, method: str, path: str, **options: Any) -> Any:
        """The parsed body of a 2xx response; None where it has none."""
        return self.exchange(method, path, read_json, **options)

    def _attempt(
        self,
        method: str,
        path: str,
        read: Callable[[http.client.HTTPResponse], T],
        headers: Mapping[str, str],
        body: Body,
        timeout: float,
    ) -> T:
        try:
            with self.open(method, path, headers=headers, body=body, timeout=timeout) as response:
                return read(response)
        except (OSError, http.client.HTTPException) as error:
            raise connection_error(self.url, error, timeout) from error


def connection_error(url: str, error: Exception, timeout: float) -> ConnectionFailedError:
    reason = getattr(error, "reason", error)
    # Up to Python 3.9 the two are different.
    timeouts = (TimeoutError, socket.timeout)
    if isinstance(error, timeouts) or isinstance(reason, timeouts):
        return ConnectionFailedError("timeout", f"{url} did not respond within {timeout:g} s.")
    return ConnectionFailedError("unreachable", f"Could not reach {url}: {reason or type(error).__name__}.")


def read_json(response: http.client.HTTPResponse) -> Any:
    if response.status == 204:
        return None
    body = _parse(read_bytes(response, JSON_BYTES_MAX))
    if 200 <= response.status < 300 and body is not _NOT_JSON:
        return body
    raise _rejection(response, body)


def read_rejection(response: http.client.HTTPResponse) -> ElasticError:
    """The error that a response which is not as requested stands for."""
    return _rejection(response, _parse(read_bytes(response, JSON_BYTES_MAX)))


def read_bytes(response: http.client.HTTPResponse, bytes_max: int) -> bytes:
    """Raises where the response is longer, and where it is cut short."""
    body = response.read(bytes_max + 1)
    if len(body) > bytes_max:
        raise UnexpectedResponseError(f"The response is larger than {bytes_max} bytes.")
    # http.client notices a cut only where all is read at once.
    expected = response.headers.get("content-length")
    if expected is not None and expected.isdigit() and len(body) < int(expected):
        raise http.client.IncompleteRead(body, int(expected) - len(body))
    return body


_NOT_JSON = object()


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return _NOT_JSON


def _rejection(response: http.client.HTTPResponse, body: Any) -> ElasticError:
    if response.status >= 400:
        return ProblemError(response.status, {k.lower(): v for k, v in response.headers.items()}, body)
    return UnexpectedResponseError("What responded is not the Elastic Proving Service.")
