//! The state of a computation: what both circuits computed, and what was folded.
//!
//! In the letters of Nova (eprint 2021/370, section 5): `latest` and `latest_vector` are `u` and `w`, the instance of the latest
//! step and its witness. `accumulator` and `accumulator_vector` are `U` and `W` of the primary side, with the `β` and `e` of
//! ProtoGalaxy (eprint 2023/1106, section 4); `secondary_accumulator` and `secondary_witness` are `U` and `W` of the secondary side.

use halo2curves::CurveAffine;
use halo2curves::ff::Field as _;

use crate::cross_term::{self, RelaxedRelation};
use crate::ivc::step::array;
use crate::protogalaxy::{self, FoldShape};
use crate::relation::Instance;

/// A computation after some executions, with the vectors behind its instances.
#[derive(Clone, Debug)]
pub(super) struct State<C1: CurveAffine, C2: CurveAffine> {
    /// Executions so far.
    pub(super) steps: u64,
    pub(super) primary_start: Vec<C1::ScalarExt>,
    pub(super) primary: Vec<C1::ScalarExt>,
    pub(super) secondary_start: Vec<C2::ScalarExt>,
    pub(super) secondary: Vec<C2::ScalarExt>,
    /// All primary instances but the last.
    pub(super) accumulator: protogalaxy::Accumulator<C1>,
    pub(super) accumulator_vector: Vec<C1::ScalarExt>,
    /// The last primary instance, which is not folded yet.
    pub(super) latest: Instance<C1>,
    pub(super) latest_vector: Vec<C1::ScalarExt>,
    /// All secondary instances.
    pub(super) secondary_accumulator: cross_term::Accumulator<C2>,
    pub(super) secondary_witness: cross_term::Witness<C2::ScalarExt>,
}

impl<C1: CurveAffine, C2: CurveAffine> State<C1, C2> {
    /// Before the first execution. Instances are of zeros, and prove nothing.
    pub(super) fn start(
        fold: &FoldShape,
        secondary: &RelaxedRelation<C2::ScalarExt>,
        primary_start: Vec<C1::ScalarExt>,
        secondary_start: Vec<C2::ScalarExt>,
    ) -> Self {
        let zeros = |count| vec![C1::ScalarExt::ZERO; count];
        let nothing = Instance {
            commitments: vec![C1::identity(); fold.commitments],
            publics: zeros(fold.publics),
            challenges: zeros(fold.challenges),
        };
        Self {
            steps: 0,
            primary: primary_start.clone(),
            primary_start,
            secondary: secondary_start.clone(),
            secondary_start,
            accumulator: protogalaxy::Accumulator {
                instance: nothing.clone(),
                betas: zeros(fold.betas),
                error: C1::ScalarExt::ZERO,
            },
            accumulator_vector: Vec::new(),
            latest: nothing,
            latest_vector: Vec::new(),
            secondary_accumulator: cross_term::Accumulator::empty(secondary.relation().layout()),
            secondary_witness: cross_term::Witness::empty(secondary),
        }
    }

    /// What the primary steps computed.
    ///
    /// # Panics
    /// When their arity is another, which is a mistake of the code that made the state.
    pub(super) fn primary_output<const ARITY: usize>(&self) -> [C1::ScalarExt; ARITY] {
        array(&self.primary)
    }

    /// What the secondary steps computed; panics as [`State::primary_output`] does.
    pub(super) fn secondary_output<const ARITY: usize>(&self) -> [C2::ScalarExt; ARITY] {
        array(&self.secondary)
    }
}
