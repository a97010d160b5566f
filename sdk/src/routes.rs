//! Which request gets which response.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    Method, Request, Response, StatusCode,
    body::Incoming,
    header::{CONTENT_TYPE, HeaderValue},
};
use serde_json::json;
use tracing::Instrument;

use crate::{body, event::Event, handler::ProofHandler, problem::Problem, queue::Queue, settings::Settings};

/// Every request ends in a response.
pub(crate) async fn respond<H: ProofHandler>(
    request: Request<Incoming>,
    queue: Arc<Queue>,
    settings: Settings,
) -> Response<Full<Bytes>> {
    let is_get = matches!(*request.method(), Method::GET | Method::HEAD);
    match (request.uri().path(), request.method()) {
        ("/", &Method::POST) => prove::<H>(request, queue, settings).await,
        ("/", _) => Problem::method_not_allowed("POST").into_response(),
        ("/healthz", _) if is_get => health(&queue),
        ("/progress", _) if is_get => progress(&queue),
        ("/healthz" | "/progress", _) => Problem::method_not_allowed("GET, HEAD").into_response(),
        (path, _) => {
            let detail = format!(
                "there is nothing at {path}; a prover accepts POST /, GET /healthz and GET /progress"
            );
            Problem::not_found(detail).into_response()
        }
    }
}

async fn prove<H: ProofHandler>(
    request: Request<Incoming>,
    queue: Arc<Queue>,
    settings: Settings,
) -> Response<Full<Bytes>> {
    let event = match Event::read(request.headers()) {
        Ok(event) => event,
        Err(problem) => {
            tracing::warn!(code = problem.code(), "request refused: {}", problem.detail());
            return problem.into_response();
        }
    };
    let span = tracing::info_span!("proof", "ce-id" = %event.id);
    let proof = async {
        let input = body::read(request.into_body(), settings.input_bytes_max).await?;
        tracing::info!(input_bytes = input.len(), "task received");
        queue.prove::<H>(input, tracing::Span::current()).await
    };
    async {
        let guard = LogDropped(true);
        let output = proof.await;
        guard.disarm();
        match output {
            Ok(output) => {
                tracing::info!(output_bytes = output.len(), "task proven");
                json_response(StatusCode::OK, output)
            }
            Err(problem) => {
                tracing::warn!(code = problem.code(), "task failed: {}", problem.detail());
                problem.into_response()
            }
        }
    }
    .instrument(span)
    .await
}

/// Logs when a request is dropped before its response: the caller has gone.
struct LogDropped(bool);

impl LogDropped {
    fn disarm(mut self) {
        self.0 = false;
    }
}

impl Drop for LogDropped {
    fn drop(&mut self) {
        if self.0 {
            tracing::warn!(code = "cancelled", "the caller went away, so the task is cancelled");
        }
    }
}

/// Ready also while a proof runs; a prover that drains is not.
fn health(queue: &Queue) -> Response<Full<Bytes>> {
    let (status, word) = if queue.is_draining() {
        (StatusCode::SERVICE_UNAVAILABLE, "draining")
    } else {
        (StatusCode::OK, "ready")
    };
    json_response(status, json!({ "status": word, "busy": queue.is_busy() }).to_string())
}

fn progress(queue: &Queue) -> Response<Full<Bytes>> {
    match queue.progress() {
        Some(progress) => {
            let document = json!({ "fraction": progress.fraction, "message": progress.message });
            json_response(StatusCode::OK, document.to_string())
        }
        None => Problem::no_progress().into_response(),
    }
}

fn json_response(status: StatusCode, body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
