//! What a computation's proof refuses.

mod before;
mod bound;
mod first;
mod fixture;
mod forged;
mod holes;
mod lookups;
mod points;
mod refused;
mod stitched;
