//! What a prover may not change: each variable of the circuits of real steps, one by one and in lies that are consistent.

mod encodings;
mod free;
mod lies;
mod names;
mod rows;
mod runs;
mod single;
mod states;
mod steps;
mod transcripts;
