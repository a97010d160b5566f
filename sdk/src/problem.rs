//! Failures as problem documents (RFC 9457), each with a `code` by which programs distinguish them.

use crate::input_error::describe_input_error;
use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    Response, StatusCode,
    header::{ALLOW, CONTENT_TYPE, HeaderValue, RETRY_AFTER},
};
use serde_json::json;

/// A response other than success.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    code: &'static str,
    detail: String,
    header: Option<(hyper::header::HeaderName, HeaderValue)>,
}

impl Problem {
    fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code, detail: detail.into(), header: None }
    }

    /// The CloudEvents headers are not there or not understood.
    pub(crate) fn bad_event(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_event", detail)
    }

    /// The body broke off.
    pub(crate) fn body_broken(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "body_broken", detail)
    }

    /// The body did not come on.
    pub(crate) fn body_timeout() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "body_timeout", "the body stopped coming")
    }

    /// No such path.
    pub(crate) fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", detail)
    }

    /// The running proof has reported nothing, or none runs.
    pub(crate) fn no_progress() -> Self {
        Self::new(StatusCode::NOT_FOUND, "no_progress", "no proof is running that has reported progress")
    }

    /// A path that exists, with another method.
    pub(crate) fn method_not_allowed(allow: &'static str) -> Self {
        let mut problem = Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            format!("this path accepts {allow} only"),
        );
        problem.header = Some((ALLOW, HeaderValue::from_static(allow)));
        problem
    }

    /// The input is longer than the limit.
    pub(crate) fn input_too_large(bytes_max: usize) -> Self {
        let detail = format!("the input is longer than {bytes_max} bytes (ELASTIC_INPUT_BYTES_MAX)");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "input_too_large", detail)
    }

    /// The body is not the input as JSON.
    pub(crate) fn unsupported_media_type(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", detail)
    }

    /// The body is not JSON, or not the JSON that the handler reads.
    pub(crate) fn invalid_input(error: &serde_json::Error) -> Self {
        let detail = format!("the input is not what this prover reads: {}", describe_input_error(error));
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_input", detail)
    }

    /// The handler returned an error.
    pub(crate) fn prover_error(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "prover_error", detail)
    }

    /// The handler panicked.
    pub(crate) fn prover_panic(message: &str) -> Self {
        let detail = format!("the prover panicked: {message}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "prover_panic", detail)
    }

    /// The handler's output cannot be written as JSON.
    pub(crate) fn output_not_json(error: &serde_json::Error) -> Self {
        let detail = format!("the prover's output cannot be written as JSON: {error}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "output_not_json", detail)
    }

    /// A proof runs and enough others wait.
    pub(crate) fn busy() -> Self {
        Self::unavailable("busy", "a proof is running and no more requests can wait")
    }

    /// The program received a signal to end.
    pub(crate) fn draining() -> Self {
        Self::unavailable("draining", "this prover is shutting down and starts no more proofs")
    }

    fn unavailable(code: &'static str, detail: &str) -> Self {
        let mut problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, code, detail);
        problem.header = Some((RETRY_AFTER, HeaderValue::from_static("1")));
        problem
    }

    /// The code, for logs.
    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    /// The sentence, for logs.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    pub(crate) fn into_response(self) -> Response<Full<Bytes>> {
        let document = json!({
            "type": "about:blank",
            "title": self.status.canonical_reason(),
            "status": self.status.as_u16(),
            "detail": self.detail,
            "code": self.code,
        });
        let mut response = Response::new(Full::new(Bytes::from(document.to_string())));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some((name, value)) = self.header {
            headers.insert(name, value);
        }
        response
    }
}
