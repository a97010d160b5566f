//! A step that is computed and not proved.

use halo2curves::ff::PrimeField;
use midnight_proofs::circuit::Value;

use super::error::{Error, SynthesisError};
use super::layouter::StepLayouter;
use super::recorder::Recorder;
use super::step_circuit::StepCircuit;
use super::synthesis::{Configured, check_table_size, synthesize};

/// The values of the cells that a circuit returns for this input.
pub(super) fn process_step<const ARITY: usize, F: PrimeField, SC>(
    circuit: &SC,
    z_i: &[F; ARITY],
    k_table_size: u32,
) -> Result<[F; ARITY], SynthesisError>
where
    SC: StepCircuit<ARITY, F> + ?Sized,
{
    check_table_size(k_table_size)?;
    let configured = Configured::<F, SC::Config>::new::<ARITY, SC>()?;
    let mut layouter = StepLayouter::new(Recorder::new(&configured.cs, true));
    let inputs = z_i.map(Value::known);
    let outputs = synthesize(circuit, configured.config.clone(), configured.inputs, inputs, &mut layouter);
    let layout = layouter.assignments.finish()?;
    let outputs = outputs?;
    configured.check_rows(layout.rows, k_table_size)?;
    let mut z_out = [F::ZERO; ARITY];
    for (number, (output, z_out)) in outputs.iter().zip(&mut z_out).enumerate() {
        let mut known = None;
        output.value().map(|value| known = Some(*value));
        *z_out = known.ok_or(Error::OutputUnknown(number))?;
    }
    Ok(z_out)
}
