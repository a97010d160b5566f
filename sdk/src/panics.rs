//! What a panic said.

use std::any::Any;

/// The message, which is text unless the code panicked with another value.
pub(crate) fn text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}
