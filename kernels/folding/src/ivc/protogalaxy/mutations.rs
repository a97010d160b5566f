//! What a prover may not change: each variable of the circuits of real steps, one by one, and with all that follows from it.

mod dishonest_witness;
mod encodings;
mod free;
mod names;
mod rows;
mod runs;
mod single;
mod states;
mod steps;
mod transcripts;
