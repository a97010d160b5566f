//! What the library computes is what halo2curves, halo2 and arkworks compute, over inputs that have broken others:
//! with every set of instructions that this CPU has.
// What goes wrong in here fails the test.
#![allow(clippy::unwrap_used)]

mod contexts;
mod curve_points;
mod elements;
mod lookups;
mod msm;
mod polynomials;
mod precompiles;
mod products;
mod quotients;
mod transforms;
mod twins;
