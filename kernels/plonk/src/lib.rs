//! A PLONK prover for circuits of halo2-axiom 0.5.3, over KZG on bn256, that computes with the acceleration library zkaccel:
//! on the CPU, or on a GPU where its plug-in is next to the library. Circuits, constraint systems, keys, transcripts and the
//! verifier are halo2-axiom's; a proof of this prover is one that its `verify_proof` accepts.
//!
//! An existing program imports [`create_proof`] from here in place of `halo2_axiom::plonk::create_proof`. That prepares the key
//! for each proof; a program that makes several of one circuit holds a [`Prover`].
//!
//! ```
//! use elastic_plonk::{Prover, ProverSHPLONK};
//! use halo2_axiom::{
//!     circuit::{Layouter, SimpleFloorPlanner, Value},
//!     halo2curves::bn256::{Bn256, Fr},
//!     plonk::{Advice, Circuit, Column, ConstraintSystem, Error, keygen_pk2},
//!     poly::{Rotation, kzg::commitment::ParamsKZG},
//!     transcript::{Blake2bWrite, TranscriptWriterBuffer},
//! };
//!
//! /// "I know a number": a bit, since x * x = x.
//! struct Bit(Value<Fr>);
//!
//! impl Circuit<Fr> for Bit {
//!     type Config = Column<Advice>;
//!     type FloorPlanner = SimpleFloorPlanner;
//!     type Params = ();
//!
//!     fn without_witnesses(&self) -> Self {
//!         Self(Value::unknown())
//!     }
//!
//!     fn configure(system: &mut ConstraintSystem<Fr>) -> Column<Advice> {
//!         let column = system.advice_column();
//!         system.create_gate("bit", |cells| {
//!             let x = cells.query_advice(column, Rotation::cur());
//!             vec![x.clone() * x.clone() - x]
//!         });
//!         column
//!     }
//!
//!     fn synthesize(&self, column: Column<Advice>, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
//!         layouter.assign_region(|| "bit", |mut region| {
//!             region.assign_advice(column, 0, self.0);
//!             Ok(())
//!         })
//!     }
//! }
//!
//! let params = ParamsKZG::<Bn256>::setup(4, rand_core::OsRng);
//! let key = keygen_pk2(&params, &Bit(Value::unknown()), false)?;
//! let prover = Prover::new(&params, &key)?;
//!
//! let mut transcript = Blake2bWrite::<_, _, _>::init(Vec::new());
//! prover.prove::<ProverSHPLONK<'_, Bn256>, _, _, _>(&[Bit(Value::known(Fr::one()))], &[&[]], &mut transcript)?;
//! assert!(!transcript.finalize().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cancellation;
mod coset;
mod cost;
mod engine;
mod error;
mod key;
mod multiopen;
mod plan;
mod program;
mod proof;
mod prover;
mod random;
mod secret;
mod srs;
mod stage;
mod witness;

pub use cancellation::Cancellation;
pub use error::{Error, Result};
pub use multiopen::Multiopen;
pub use plan::Plan;
pub use prover::{Prover, create_proof};
pub use srs::Srs;
pub use stage::{Stage, Stages};

/// The multi-opening schemes that there are, which are halo2-axiom's.
pub use halo2_axiom::poly::kzg::multiopen::{ProverGWC, ProverSHPLONK};
