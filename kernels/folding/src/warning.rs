//! What a user should know and no result can express.

use std::io::Write as _;

/// Writes a line on standard error, if anybody reads it: where nobody does, `eprintln` would panic.
pub(crate) fn warn(text: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "warning: elastic-folding: {text}");
}
