//! Measures zkaccel next to halo2curves, halo2 and arkworks over the same inputs, in turns, with one thread and with two,
//! each result asserted to be the same. It prints one JSON document; `bench/accel/` makes rows of it.
//!
//! Usage: `zkaccel-bench ROUNDS SECONDS [small]`: a row's contenders share SECONDS, ROUNDS times, each with one call at
//! least, and the median of the rounds is reported. `small` leaves out all but the small sizes, for trying.

mod inputs;
mod machine;
mod memory;
mod program;
mod rows;
mod turns;
mod twin;

use serde::Serialize;
use zkaccel_measure::Effort;

use crate::{memory::Scratch, turns::Measured};

#[derive(Serialize)]
struct Report {
    /// What the library says of its context for all the machine's instructions.
    library: serde_json::Value,
    rows: Vec<Measured>,
    scratch: Vec<Scratch>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let effort = Effort::from_arguments(std::env::args().skip(1))?;
    let (mut rows, mut scratch) = (Vec::new(), Vec::new());
    for threads in [1, 2] {
        let machine = machine::Machine::new(threads)?;
        for measure in rows::ALL {
            rows.extend(measure(&machine, &effort)?);
        }
        scratch.extend(memory::of_multiplications(&machine, &effort)?);
    }
    let library = serde_json::from_str(&machine::Machine::new(1)?.best().context.describe()?)?;
    println!("{}", serde_json::to_string(&Report { library, rows, scratch })?);
    Ok(())
}
