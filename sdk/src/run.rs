//! The program around a prover: environment, logs, signals, threads.

use std::{io, process::ExitCode};

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
/// Where the port is not available, a variable of the environment is not a number, or a second signal ended it, it
/// writes why to stderr, as one sentence, and returns [`ExitCode::FAILURE`].
#[must_use = "return it from `main`: it is the exit code of the program"]
pub fn run<H: ProofHandler>() -> ExitCode {
    log::start();
    match try_run::<H>() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::end(&error);
            ExitCode::FAILURE
        }
    }
}

fn try_run<H: ProofHandler>() -> io::Result<()> {
    let settings = Settings::from_env()?;
    let port = number("PORT", PORT_DEFAULT)?;
    // One thread serves; the prover has its own.
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(run_until_signalled::<H>(port, settings));
    runtime.shutdown_background();
    result
}

async fn run_until_signalled<H: ProofHandler>(port: u16, settings: Settings) -> io::Result<()> {
    let mut signals = Signals::new()?;
    let listener = TcpListener::bind(("0.0.0.0", port)).await.map_err(|error| no_port(port, &error))?;
    let port = listener.local_addr()?.port();
    tracing::info!(port, "listening on http://localhost:{port}");
    try_line::show(port, H::EXAMPLE_INPUT);
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

fn no_port(port: u16, error: &io::Error) -> io::Error {
    let why = match error.kind() {
        io::ErrorKind::AddrInUse => "another program listens there".to_owned(),
        _ => error.to_string(),
    };
    io::Error::new(error.kind(), format!("cannot listen on port {port}: {why}; set PORT to another port"))
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
