//! What most programs need, by one import: step circuits, keys, computations, and both curves by their names.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use elastic_folding::prelude::bn256::{C1Affine, C1Scalar, C2Affine, C2Scalar, new_default_pp};
//! use elastic_folding::prelude::{CommitmentKey, IVC, trivial};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let cache = Path::new(".cache");
//! // SAFETY: nobody else can write to this folder.
//! let primary_key = unsafe { CommitmentKey::<C1Affine>::load_or_setup_cache(cache, "bn256", 19)? };
//! // SAFETY: as above.
//! let secondary_key = unsafe { CommitmentKey::<C2Affine>::load_or_setup_cache(cache, "grumpkin", 19)? };
//! let (mut primary, secondary) = (trivial::Circuit::<1, _>::default(), trivial::Circuit::<1, _>::default());
//! let pp = new_default_pp::<1, _, 1, _>(17, &primary_key, &primary, 17, &secondary_key, &secondary)?;
//!
//! let mut ivc = IVC::new(&pp, &primary, [C1Scalar::from(1)], &secondary, [C2Scalar::from(2)], false)?;
//! // What a step depends on next to its input, its witness, may change from one step to the next.
//! primary = trivial::Circuit::default();
//! ivc.fold_step(&pp, &primary, &secondary)?;
//! ivc.verify(&pp)?;
//! # Ok(())
//! # }
//! ```

pub mod bn256;
pub mod grumpkin;

pub use halo2curves::{ff, group};

pub use crate::commitment::CommitmentKey;
pub use crate::frontend::{
    Advice, AssignedCell, Cell, Chip, Column, ConstraintSystem, Constraints, Expression, Fixed, Layouter,
    PlonkError, Region, Rotation, Selector, StepCircuit, SynthesisError, Table, TableColumn, Value,
    VirtualCells, trivial,
};
pub use crate::ivc::{CircuitPublicParamsInput, IVC, Proof, PublicParams};
pub use crate::poseidon::{PoseidonRo, Spec};
