//! What a circuit assigns to its advice columns.

mod arena;
mod cells;
mod collector;

pub(crate) use cells::Cells;
pub(crate) use collector::Collector;
