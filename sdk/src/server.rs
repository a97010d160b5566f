//! Connections: accepting them, bounding them, ending them.

use std::{convert::Infallible, future::Future, io, sync::Arc, time::Duration};

use hyper::{server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::{sleep, timeout},
};

use crate::{handler::ProofHandler, queue::Queue, routes, settings::Settings};

/// How long a request's head may take to arrive.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
const HEAD_BYTES_MAX: usize = 32 * 1024;
const HEADERS_MAX: usize = 64;
/// Connections beyond these wait to be accepted.
const CONNECTIONS_MAX: usize = 128;
/// What a failed accept waits before the next: it fails when descriptors run out, which takes time to pass.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);
/// How long the last responses may take to be sent after the last proof has ended.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// Serves a prover until `shutdown` is ready, then drains: new tasks are refused, the running proof is finished
/// and its response sent, and this returns. [`run`](crate::run) is this with a listener and signals.
///
/// # Errors
///
/// When the prover's threads cannot be started.
pub async fn serve<H: ProofHandler>(
    listener: TcpListener,
    settings: Settings,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let queue = Arc::new(Queue::new(settings.queue_max)?);
    let connections = GracefulShutdown::new();
    let drained = async {
        shutdown.await;
        tracing::info!("draining: no more proofs are started");
        queue.drain().await;
    };
    tokio::select! {
        () = accept::<H>(&listener, &queue, settings, &connections) => {}
        () = drained => {}
    }
    drop(listener);
    if timeout(CLOSE_TIMEOUT, connections.shutdown()).await.is_err() {
        tracing::warn!("some connections did not close in time");
    }
    tracing::info!("drained");
    Ok(())
}

async fn accept<H: ProofHandler>(
    listener: &TcpListener,
    queue: &Arc<Queue>,
    settings: Settings,
    connections: &GracefulShutdown,
) {
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    // The semaphore is never closed.
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!("cannot accept a connection: {error}");
                sleep(ACCEPT_RETRY).await;
                continue;
            }
        };
        let connection = connections.watch(connection::<H>(stream, Arc::clone(queue), settings));
        tokio::spawn(async move {
            // A connection that breaks concerns the caller alone, who knows.
            if let Err(error) = connection.await {
                tracing::debug!("connection ended: {error}");
            }
            drop(place);
        });
    }
}

/// With half-closed connections off, a caller that goes away drops its request, and that cancels its proof.
fn connection<H: ProofHandler>(
    stream: TcpStream,
    queue: Arc<Queue>,
    settings: Settings,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> + Send {
    let service = service_fn(move |request| {
        let queue = Arc::clone(&queue);
        async move { Ok::<_, Infallible>(routes::respond::<H>(request, queue, settings).await) }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_headers(HEADERS_MAX)
        .max_header_size(HEAD_BYTES_MAX)
        .half_close(false)
        .serve_connection(TokioIo::new(stream), service)
}
