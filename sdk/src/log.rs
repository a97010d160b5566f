//! Logs: JSON lines on stderr, each with the task's id while a task is served.

use std::{
    io::{self, IsTerminal, Write},
    panic,
};

use tracing::level_filters::LevelFilter;

use crate::panics;

/// Starts logging and sends panics there. A subscriber that the program has set already stays. The level is
/// `info`, or what `ELASTIC_LOG` says (`error`, `warn`, `info`, `debug`, `trace`, `off`), or else `RUST_LOG`.
pub(crate) fn start() {
    let said = |variable| std::env::var(variable).ok().and_then(|text| level(&text));
    let level = said("ELASTIC_LOG").or_else(|| said("RUST_LOG")).unwrap_or(LevelFilter::INFO);
    let subscriber = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .with_max_level(level)
        // It would report a failed write by a macro that panics when stderr is gone.
        .log_internal_errors(false)
        .with_writer(std::io::stderr);
    if subscriber.try_init().is_ok() {
        panic::set_hook(Box::new(|panic| {
            let location = panic.location().map(ToString::to_string);
            let text = panics::text(panic.payload());
            tracing::error!(location, "panic: {text}");
        }));
    }
}

/// Writes why the program ends: to the log; at a terminal, and where the log is off, as a plain sentence.
pub(crate) fn end(error: &io::Error) {
    let mut stderr = io::stderr().lock();
    if stderr.is_terminal() || !tracing::enabled!(tracing::Level::ERROR) {
        // A failed write has no reader.
        let _ = writeln!(stderr, "error: {error}");
    } else {
        drop(stderr);
        tracing::error!("{error}");
    }
}

/// The level that is meant for everything. `RUST_LOG` may also list levels of single crates, which are left out.
fn level(text: &str) -> Option<LevelFilter> {
    // An empty part would be read as `error`.
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).find_map(|part| part.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::{LevelFilter, level};

    #[test]
    fn a_list_of_levels_says_by_the_one_without_a_crate() {
        assert_eq!(level("debug"), Some(LevelFilter::DEBUG));
        assert_eq!(level("hyper=trace, warn"), Some(LevelFilter::WARN));
        assert_eq!(level("my_prover=debug"), None);
        assert_eq!(level(""), None);
    }
}
