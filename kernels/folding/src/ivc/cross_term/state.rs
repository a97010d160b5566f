//! The state of a computation, in the letters of Nova (eprint 2021/370, section 5): of each side the running instance `U` and its
//! witness `W`, and of the secondary side the instance `u` of the latest step with its witness `w`.

use halo2curves::CurveAffine;

use crate::cross_term::{Accumulator, Witness};
use crate::relation::Instance;

/// A side's instances but the last, folded.
#[derive(Clone, Debug)]
pub(super) struct Running<C: CurveAffine> {
    pub(super) accumulator: Accumulator<C>,
    pub(super) witness: Witness<C::ScalarExt>,
}

/// A side's last instance, which is not folded yet.
#[derive(Clone, Debug)]
pub(super) struct Last<C: CurveAffine> {
    pub(super) instance: Instance<C>,
    pub(super) vector: Vec<C::ScalarExt>,
}

/// A computation after some executions, with the vectors behind its instances. The last primary instance is folded within
/// its own execution.
#[derive(Clone, Debug)]
pub(super) struct State<C1: CurveAffine, C2: CurveAffine> {
    pub(super) steps: u64,
    pub(super) primary_start: Vec<C1::ScalarExt>,
    pub(super) primary: Vec<C1::ScalarExt>,
    pub(super) secondary_start: Vec<C2::ScalarExt>,
    pub(super) secondary: Vec<C2::ScalarExt>,
    pub(super) primary_running: Running<C1>,
    pub(super) secondary_running: Running<C2>,
    pub(super) last: Last<C2>,
}
