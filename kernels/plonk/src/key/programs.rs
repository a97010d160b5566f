//! All programs of a key.

use zkaccel::Context;

use crate::{
    error::Result,
    key::Shape,
    program::{Compiled, LookupPrograms, SetPrograms, combination_program, pair_program, quotient_programs},
};

/// Compiled in a context.
#[derive(Debug)]
pub(crate) struct Programs {
    pub(crate) lookups: Vec<LookupPrograms>,
    pub(crate) pair: Compiled,
    pub(crate) sets: Vec<SetPrograms>,
    /// The constraints, in their order.
    pub(crate) quotient: Vec<Compiled>,
    pub(crate) combination: Compiled,
}

impl Programs {
    /// With constraints in as many programs as it takes for none to read more than `columns_max` columns, where one constraint alone
    /// does not.
    pub(crate) fn new(context: &Context, shape: &Shape, columns_max: usize) -> Result<Self> {
        let rows = shape.rows;
        let lookups = shape.system.lookups().iter().map(|lookup| {
            LookupPrograms::new(context, rows, lookup.input_expressions(), lookup.table_expressions())
        });
        let sets = shape.sets.iter().scan(0, |first, set| {
            let from = *first;
            *first += set.len();
            Some(SetPrograms::new(context, rows, from, set))
        });
        Ok(Self {
            lookups: lookups.collect::<Result<_>>()?,
            pair: pair_program(context, rows)?,
            sets: sets.collect::<Result<_>>()?,
            quotient: quotient_programs(context, shape, columns_max)?,
            combination: combination_program(context, rows, shape.pieces)?,
        })
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Compiled> {
        let lookups = self.lookups.iter().flat_map(|lookup| [&lookup.input, &lookup.table]);
        let sets = self.sets.iter().flat_map(|set| [&set.numerator, &set.denominator]);
        lookups.chain(sets).chain(&self.quotient).chain([&self.pair, &self.combination])
    }

    /// The most columns that a program of the constraints reads.
    pub(crate) fn columns(&self) -> usize {
        self.quotient.iter().map(|pass| pass.columns().len()).max().unwrap_or(0)
    }
}
