//! What stands in for the proving system while a circuit is synthesized.

use halo2_axiom::{
    circuit::Value,
    halo2curves::bn256::Fr,
    plonk::{
        Advice, Any, Assigned, Assignment, Challenge, Circuit, Column, ConstraintSystem, Error as FrontError,
        Fixed, FloorPlanner, Instance, Selector,
    },
};

use crate::{
    cancellation::Cancellation,
    error::{Error, Result},
    key::Shape,
    witness::cells::Cells,
};

/// What happens at the end of a phase, before the circuit sees the challenges of it.
pub(crate) type PhaseEnd<'a> = dyn FnMut(u8, &mut Cells, &mut [Option<Fr>]) -> Result<()> + 'a;

/// Takes what a circuit assigns to advice columns; all else is in the key.
pub(crate) struct Collector<'a> {
    shape: &'a Shape,
    instances: &'a [&'a [Fr]],
    cancellation: Cancellation,
    phase: u8,
    cells: Cells,
    challenges: Vec<Option<Fr>>,
    end_phase: &'a mut PhaseEnd<'a>,
    failure: Option<Error>,
}

impl<'a> Collector<'a> {
    pub(crate) fn new(
        shape: &'a Shape,
        instances: &'a [&'a [Fr]],
        cells: Cells,
        cancellation: Cancellation,
        end_phase: &'a mut PhaseEnd<'a>,
    ) -> Self {
        let challenges = vec![None; shape.system.num_challenges()];
        Self { shape, instances, cancellation, phase: 0, cells, challenges, end_phase, failure: None }
    }

    /// Synthesizes the circuit until all phases have ended: once where it ends phases on its own (`next_phase`), else once
    /// for each. Returns the cells, to which the circuit has no reference any more.
    pub(crate) fn collect<C: Circuit<Fr>>(mut self, circuit: &C) -> Result<Cells> {
        let system = &self.shape.system;
        let phases = self.shape.column_phases.iter().max().map_or(1, |last| last + 1);
        let mut configured = ConstraintSystem::default();
        let config = C::configure_with_params(&mut configured, circuit.params());
        check_configured(&configured, system)?;
        while self.phase < phases {
            let done =
                C::FloorPlanner::synthesize(&mut self, circuit, config.clone(), system.constants().clone());
            // What this prover found comes first: the circuit may have failed for it.
            if let Some(failure) = self.failure.take() {
                return Err(failure);
            }
            done.map_err(Error::Synthesis)?;
            if self.phase < phases {
                self.next_phase();
            }
            self.failure.take().map_or(Ok(()), Err)?;
        }
        Ok(self.cells)
    }

    fn fail(&mut self, failure: Error) {
        self.failure.get_or_insert(failure);
    }
}

impl Assignment<Fr> for Collector<'_> {
    fn enter_region<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn exit_region(&mut self) {}

    fn annotate_column<A: FnOnce() -> AR, AR: Into<String>>(&mut self, _: A, _: Column<Any>) {}

    fn enable_selector<A: FnOnce() -> AR, AR: Into<String>>(
        &mut self,
        _: A,
        _: &Selector,
        _: usize,
    ) -> std::result::Result<(), FrontError> {
        // The circuit returns early then, unless it ignores errors.
        if self.failure.is_none() && self.cancellation.is_cancelled() {
            self.fail(Error::Cancelled);
        }
        if self.failure.is_some() { Err(FrontError::Synthesis) } else { Ok(()) }
    }

    fn query_instance(
        &self,
        column: Column<Instance>,
        row: usize,
    ) -> std::result::Result<Value<Fr>, FrontError> {
        if row >= self.shape.usable {
            return Err(FrontError::NotEnoughRowsAvailable { current_k: self.shape.k });
        }
        let value = self.instances.get(column.index()).and_then(|column| column.get(row));
        value.map(|value| Value::known(*value)).ok_or(FrontError::BoundsFailure)
    }

    fn assign_advice<'v>(
        &mut self,
        column: Column<Advice>,
        row: usize,
        to: Value<Assigned<Fr>>,
    ) -> Value<&'v Assigned<Fr>> {
        let column = column.index();
        let (columns, usable) = (self.cells.columns(), self.shape.usable);
        if column >= columns || row >= usable {
            self.fail(Error::CellOutside { column, row, columns, usable });
            return Value::unknown();
        }
        if self.cancellation.is_cancelled() {
            self.fail(Error::Cancelled);
        }
        if self.failure.is_some() {
            return Value::unknown();
        }
        let mut known = None;
        to.map(|value| known = Some(value));
        let Some(value) = known else {
            // What needs a challenge is not known before its phase.
            if self.shape.column_phases[column] == self.phase {
                self.fail(Error::UnknownWitness { column, row });
            }
            return Value::unknown();
        };
        Value::known(self.cells.assign(column, row, value))
    }

    fn assign_fixed(&mut self, _: Column<Fixed>, _: usize, _: Assigned<Fr>) {}

    fn copy(&mut self, _: Column<Any>, _: usize, _: Column<Any>, _: usize) {}

    fn fill_from_row(
        &mut self,
        _: Column<Fixed>,
        _: usize,
        _: Value<Assigned<Fr>>,
    ) -> std::result::Result<(), FrontError> {
        Ok(())
    }

    fn get_challenge(&self, challenge: Challenge) -> Value<Fr> {
        self.challenges.get(challenge.index()).copied().flatten().map_or_else(Value::unknown, Value::known)
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn pop_namespace(&mut self, _: Option<String>) {}

    fn next_phase(&mut self) {
        if self.failure.is_none()
            && let Err(failure) = (self.end_phase)(self.phase, &mut self.cells, &mut self.challenges)
        {
            self.fail(failure);
        }
        self.phase = self.phase.saturating_add(1);
    }
}

/// Whether the circuit is as it was when its key was made: one whose columns depend on its input may be another.
fn check_configured(found: &ConstraintSystem<Fr>, key: &ConstraintSystem<Fr>) -> Result<()> {
    let counts = |system: &ConstraintSystem<Fr>| {
        [
            ("advice columns", system.num_advice_columns()),
            ("instance columns", system.num_instance_columns()),
            ("challenges", system.num_challenges()),
            ("gates", system.gates().len()),
            ("lookups", system.lookups().len()),
            ("columns with copies", system.permutation().get_columns().len()),
        ]
    };
    let pairs = counts(found).into_iter().zip(counts(key));
    match pairs.into_iter().find(|(found, key)| found != key) {
        Some(((what, found), (_, expected))) => Err(Error::OtherCircuit { what, found, expected }),
        None => Ok(()),
    }
}
