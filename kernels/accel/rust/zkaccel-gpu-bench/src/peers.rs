//! The libraries that ours is compared with, on the same GPU.

pub(crate) mod halo2;
pub(crate) mod sppark;

pub(crate) const SPPARK: &str = "sppark";
pub(crate) const HALO2: &str = "halo2-axiom-gpu";
