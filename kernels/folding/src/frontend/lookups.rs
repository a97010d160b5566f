//! Lookups of a circuit as rows over variables, and their tables.

use std::collections::HashMap;

use halo2curves::ff::PrimeField;
use midnight_proofs::plonk::{ConstraintSystem, Expression};

use super::cells::Cells;
use super::error::Error;
use super::operand::Constants;
use super::shape::Lookup;
use super::template::{Template, group_rows};
use super::tuples::Tuples;

type LookupsAndTables<F> = (Vec<Lookup<F>>, Vec<Tuples<F>>);

/// All lookups, without the rows in which they hold whatever the variables are, and the tables of those that are left.
pub(super) fn lookups<F: PrimeField>(
    cs: &ConstraintSystem<F>,
    cells: &Cells<'_, F>,
    constants: &mut Constants<F>,
) -> Result<LookupsAndTables<F>, Error> {
    let mut lookups = Vec::new();
    let mut tables = Vec::new();
    let mut known: HashMap<Vec<String>, usize> = HashMap::new();
    for argument in cs.lookups().iter().filter(|argument| !argument.input_expressions().is_empty()) {
        let identifiers = argument.table_expressions().iter().map(Expression::identifier).collect();
        let number = *known.entry(identifiers).or_insert(tables.len());
        if number == tables.len() {
            tables.push(table(argument.name(), argument.table_expressions(), cells)?);
        }
        let source = Source {
            name: argument.name(),
            template: Template::new(argument.input_expressions())?,
            table: &tables[number],
        };
        source.rows(number, cells, constants, &mut lookups)?;
    }
    let tables = keep_used(&mut lookups, tables);
    Ok((lookups, tables))
}

/// The tables that rows look something up in, whose numbers the lookups are given.
fn keep_used<F>(lookups: &mut [Lookup<F>], tables: Vec<Tuples<F>>) -> Vec<Tuples<F>> {
    let mut distinct = Vec::new();
    for (number, table) in tables.into_iter().enumerate() {
        if lookups.iter().any(|lookup| lookup.table == number) {
            // Numbers only become smaller, so that one given here is met again by none of the tables that follow.
            lookups
                .iter_mut()
                .filter(|lookup| lookup.table == number)
                .for_each(|lookup| lookup.table = distinct.len());
            distinct.push(table);
        }
    }
    distinct
}

/// The distinct tuples that table expressions have in usable rows.
fn table<F: PrimeField>(
    name: &str,
    expressions: &[Expression<F>],
    cells: &Cells<'_, F>,
) -> Result<Tuples<F>, Error> {
    let template = Template::new(expressions)?;
    let mut tuples = Tuples::new(expressions.len());
    let (mut known, mut tuple, mut before) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..cells.usable {
        template.known_at(row, cells, &mut known);
        tuple.clear();
        for expression in &template.expressions {
            let value = expression.value_from(&|input| known[input]);
            tuple.push(value.ok_or_else(|| Error::DynamicTable { lookup: name.to_owned(), row })?);
        }
        // Tables end in many rows that are equal.
        if tuple != before {
            tuples.insert(&tuple);
            before.clone_from(&tuple);
        }
    }
    Ok(tuples)
}

/// What a lookup of the circuit says of each row of the table.
struct Source<'a, F> {
    name: &'a str,
    template: Template<F>,
    table: &'a Tuples<F>,
}

impl<F: PrimeField> Source<'_, F> {
    fn rows(
        &self,
        table: usize,
        cells: &Cells<'_, F>,
        constants: &mut Constants<F>,
        lookups: &mut Vec<Lookup<F>>,
    ) -> Result<(), Error> {
        let groups = group_rows(cells.usable, |row, known| self.setting(row, cells, known))?;
        for (_, rows) in groups {
            let all = vec![true; self.template.expressions.len()];
            let (expressions, degree, rows) = self.template.specialise(&all, rows, cells, constants);
            lookups.push(Lookup { name: self.name.to_owned(), expressions, degree, table, rows });
        }
        Ok(())
    }

    /// Which selectors are on in a row, unless what is looked up there is constant.
    fn setting(
        &self,
        row: u32,
        cells: &Cells<'_, F>,
        known: &mut Vec<Option<F>>,
    ) -> Option<Result<Vec<bool>, Error>> {
        self.template.known_at(row, cells, known);
        let values =
            self.template.expressions.iter().map(|expression| expression.value_from(&|input| known[input]));
        match values.collect::<Option<Vec<F>>>() {
            None => Some(Ok(self.template.enabled(known))),
            Some(tuple) if self.table.find(&tuple).is_some() => None,
            Some(_) => Some(Err(Error::NeverInTable { lookup: self.name.to_owned(), row })),
        }
    }
}
