//! What a circuit assigns to its advice columns.

mod cell;
mod cells;
mod collector;

pub(crate) use cells::Cells;
pub(crate) use collector::Collector;
