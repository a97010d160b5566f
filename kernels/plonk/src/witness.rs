//! What a circuit assigns to its advice columns.

mod cell;
mod cells;
mod collector;

pub(crate) use cells::{Cells, SpareCells};
pub(crate) use collector::Collector;
