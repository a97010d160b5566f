//! What the sums of a prover are computed by. A verifier has this library's own sums alone.

use crate::error::SetupError;
use crate::setup::Keys;

/// Has the acceleration library compute commitments: on the CPU, with as many threads as there are for the rest.
#[cfg(feature = "accel")]
pub(crate) fn accelerate(keys: &mut Keys) -> Result<(), SetupError> {
    let library = elastic_folding::acceleration::Zkaccel::on_cpu()?;
    let Keys { primary, secondary } = keys;
    primary.accelerate(&library, primary.len())?;
    secondary.accelerate(&library, secondary.len())?;
    Ok(())
}

/// Without the acceleration library keys are as they are.
#[cfg(not(feature = "accel"))]
pub(crate) fn accelerate(_: &mut Keys) -> Result<(), SetupError> {
    Ok(())
}
