//! Logs: JSON lines on stderr, each with the task's id while a task is served.

use std::panic;

use tracing::level_filters::LevelFilter;

use crate::panics;

/// Starts logging and sends panics there. A subscriber that the program has set already stays. The level is
/// `info`, or what `ELASTIC_LOG` says (`error`, `warn`, `info`, `debug`, `trace`, `off`).
pub(crate) fn start() {
    let wanted = std::env::var("ELASTIC_LOG").ok();
    let level = wanted.as_deref().and_then(|text| text.parse().ok()).unwrap_or(LevelFilter::INFO);
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
