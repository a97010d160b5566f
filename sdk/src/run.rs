//! The program around a prover: environment, logs, signals, threads.

use std::io;

use tokio::{
    net::TcpListener,
    runtime::Builder,
    signal::unix::{Signal, SignalKind, signal},
};

use crate::{
    handler::ProofHandler,
    log,
    server::serve,
    settings::{Settings, number},
    try_line,
};

/// Where provers listen unless `PORT` says otherwise.
const PORT_DEFAULT: u16 = 8080;

/// Runs a prover: call it from a plain `fn main`, without a runtime around it.
///
/// It listens on `0.0.0.0:$PORT` (8080) until SIGTERM or SIGINT, then finishes the running proof and returns.
/// A second signal does not wait for the proof.
///
/// # Errors
///
/// When the port cannot be had, a variable of the environment is not a number, or a second signal ended it.
pub fn run<H: ProofHandler>() -> io::Result<()> {
    log::start();
    let settings = Settings::from_env()?;
    let port = number("PORT", PORT_DEFAULT)?;
    // One thread serves; the prover has its own.
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(run_until_signalled::<H>(port, settings));
    if let Err(error) = &result {
        tracing::error!("{error}");
    }
    runtime.shutdown_background();
    result
}

async fn run_until_signalled<H: ProofHandler>(port: u16, settings: Settings) -> io::Result<()> {
    let mut signals = Signals::new()?;
    let listener = TcpListener::bind(("0.0.0.0", port)).await.map_err(|error| {
        io::Error::new(error.kind(), format!("cannot listen on port {port}: {error} (set PORT to another)"))
    })?;
    let port = listener.local_addr()?.port();
    tracing::info!(port, "listening on http://localhost:{port}");
    try_line::tell(port, H::EXAMPLE_INPUT);
    let (drain, drained) = tokio::sync::oneshot::channel::<()>();
    let served = serve::<H>(listener, settings, async {
        // An error would mean that the sender is gone, and then the program is ending too.
        let _ = drained.await;
    });
    tokio::select! {
        served = served => served,
        ended = end_on_second_signal(&mut signals, drain) => ended,
    }
}

async fn end_on_second_signal(
    signals: &mut Signals,
    drain: tokio::sync::oneshot::Sender<()>,
) -> io::Result<()> {
    signals.next().await;
    let _ = drain.send(());
    signals.next().await;
    Err(io::Error::new(
        io::ErrorKind::Interrupted,
        "ended by a second signal, before the running proof was done",
    ))
}

/// SIGTERM and SIGINT.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
