//! How the acceleration library's benchmarks measure: those that do the same work take turns, and a row has the median
//! of each. The programs for the CPU and for GPUs both do it so, and evaluate the same circuit's gates.

mod effort;
mod gates;
mod textbook;
mod turns;

pub use effort::Effort;
pub use gates::{multiplications, program_of_gates};
pub use textbook::multiplications_of_msm;
pub use turns::{Contender, Measured, Milliseconds, Work, measure};
