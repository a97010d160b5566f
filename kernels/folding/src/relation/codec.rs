//! A relation's canonical bytes, for keys of verifiers that lay no circuits out.

use halo2curves::ff::PrimeField;

use super::{Expression, Group, Input, Layout, Relation, SparseRows};
use crate::snark::encoding::{Error, Reader, write_length, write_number, write_scalars};

/// The most of anything that is counted.
const COUNT_MAX: usize = 1 << 26;

/// The most rounds.
const ROUNDS_MAX: usize = 8;

/// How deep expressions may nest: reading them is recursive.
const DEPTH_MAX: usize = 1 << 10;

/// The most operations, constants and inputs of all expressions: each may become thirty when it is raised to the
/// relation's degree, which is a thousand times its bytes.
const NODES_MAX: usize = 1 << 17;

/// The least bytes that one of each takes: the number of rows; a tag and an element; a cell and an element.
const GROUP_BYTES: usize = 4;
const EXPRESSION_BYTES: usize = 1 + 1;
const TERM_BYTES: usize = 4 + 1;

/// Tags of elements: those that occur most are written in one byte.
const ZERO: usize = 0;
const ONE: usize = 1;
const MINUS_ONE: usize = 2;
const OTHER: usize = 3;

impl<F: PrimeField> Relation<F> {
    /// Appends the canonical bytes. Names are left out. Expressions that nest deeper than a thousand levels, or have
    /// more than a hundred thousand operations together, as no circuit's do, are not read back.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        write_number(bytes, self.layout.publics);
        write_number(bytes, self.layout.challenges);
        write_length(bytes, self.layout.rounds.len());
        self.layout.rounds.iter().for_each(|round| write_number(bytes, *round));
        write_number(bytes, self.groups.len());
        self.groups.iter().for_each(|group| write_group(bytes, group));
    }

    /// Reads what [`Relation::write`] wrote.
    ///
    /// # Errors
    /// What [`Reader`] finds wrong; [`Error::Length`] for anything that no relation has, such as an index beyond the vector.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let (publics, challenges) = (reader.number(COUNT_MAX)?, reader.number(COUNT_MAX)?);
        let rounds = reader.length(0, ROUNDS_MAX)?;
        let rounds = (0..rounds).map(|_| reader.number(COUNT_MAX)).collect::<Result<_, _>>()?;
        let layout = Layout { publics, challenges, rounds };
        let groups = reader.count(COUNT_MAX, GROUP_BYTES)?;
        let entries = layout.len();
        let mut nodes = NODES_MAX;
        let groups =
            (0..groups).map(|_| read_group(reader, entries, &mut nodes)).collect::<Result<Vec<_>, _>>()?;
        // Any other order is not how a relation numbers its constraints.
        for pair in groups.windows(2) {
            let (before, after) = (pair[0].stride(), pair[1].stride());
            if after > before {
                return Err(Error::Length { found: after, least: 1, most: before });
            }
        }
        Ok(Self::new(layout, groups))
    }
}

fn write_group<F: PrimeField>(bytes: &mut Vec<u8>, group: &Group<F>) {
    write_number(bytes, group.rows());
    write_number(bytes, group.inputs().len());
    group.inputs().iter().for_each(|input| write_input(bytes, input));
    write_number(bytes, group.expressions().len());
    group.expressions().iter().for_each(|expression| write_expression(bytes, expression));
}

fn read_group<F: PrimeField>(
    reader: &mut Reader<'_>,
    entries: usize,
    nodes: &mut usize,
) -> Result<Group<F>, Error> {
    let rows = reader.count(COUNT_MAX, 1)?;
    // A tag, and a byte at least for each row.
    let inputs = reader.count(COUNT_MAX, 1 + rows)?;
    if rows == 0 || inputs == 0 {
        return Err(Error::Length { found: 0, least: 1, most: COUNT_MAX });
    }
    let inputs = (0..inputs).map(|_| read_input(reader, rows, entries)).collect::<Result<Vec<_>, _>>()?;
    let expressions = reader.count(COUNT_MAX, EXPRESSION_BYTES)?;
    if expressions == 0 {
        return Err(Error::Length { found: 0, least: 1, most: COUNT_MAX });
    }
    let expressions = (0..expressions)
        .map(|_| read_expression(reader, inputs.len(), DEPTH_MAX, nodes))
        .collect::<Result<_, _>>()?;
    Ok(Group::new("", expressions, inputs))
}

fn write_input<F: PrimeField>(bytes: &mut Vec<u8>, input: &Input<F>) {
    match input {
        Input::Cell(cells) => {
            write_length(bytes, 0);
            cells.iter().for_each(|cell| write_number(bytes, *cell as usize));
        }
        Input::Linear(combinations) => {
            write_length(bytes, 1);
            for row in 0..combinations.rows() {
                write_number(bytes, combinations.row(row).len());
                for (cell, coefficient) in combinations.row(row) {
                    write_number(bytes, cell as usize);
                    write_element(bytes, &coefficient);
                }
            }
        }
        Input::Fixed(values) => {
            write_length(bytes, 2);
            values.iter().for_each(|value| write_element(bytes, value));
        }
    }
}

fn read_input<F: PrimeField>(
    reader: &mut Reader<'_>,
    rows: usize,
    entries: usize,
) -> Result<Input<F>, Error> {
    let cell = |reader: &mut Reader<'_>| {
        let cell = reader.number(entries - 1)?;
        u32::try_from(cell).map_err(|_| Error::Length { found: cell, least: 0, most: COUNT_MAX })
    };
    Ok(match reader.length(0, 2)? {
        0 => Input::Cell((0..rows).map(|_| cell(reader)).collect::<Result<_, _>>()?),
        1 => {
            let mut combinations = SparseRows::new();
            for _ in 0..rows {
                let terms = reader.count(COUNT_MAX, TERM_BYTES)?;
                let term = |_| Ok((cell(reader)?, read_element(reader)?));
                combinations.push((0..terms).map(term).collect::<Result<Vec<_>, Error>>()?);
            }
            Input::Linear(combinations)
        }
        _ => Input::Fixed((0..rows).map(|_| read_element(reader)).collect::<Result<_, _>>()?),
    })
}

fn write_expression<F: PrimeField>(bytes: &mut Vec<u8>, expression: &Expression<F>) {
    match expression {
        Expression::Constant(value) => {
            write_length(bytes, 0);
            write_element(bytes, value);
        }
        Expression::Input(index) => {
            write_length(bytes, 1);
            write_number(bytes, *index);
        }
        Expression::Sum(left, right) => {
            write_length(bytes, 2);
            write_expression(bytes, left);
            write_expression(bytes, right);
        }
        Expression::Product(left, right) => {
            write_length(bytes, 3);
            write_expression(bytes, left);
            write_expression(bytes, right);
        }
        Expression::Scaled(inner, factor) => {
            write_length(bytes, 4);
            write_expression(bytes, inner);
            write_element(bytes, factor);
        }
        Expression::Negated(inner) => {
            write_length(bytes, 5);
            write_expression(bytes, inner);
        }
    }
}

/// An expression in so many inputs that nests no deeper than that, of which each node is one of those that are left.
fn read_expression<F: PrimeField>(
    reader: &mut Reader<'_>,
    inputs: usize,
    depth: usize,
    nodes: &mut usize,
) -> Result<Expression<F>, Error> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(Error::Length { found: DEPTH_MAX + 1, least: 1, most: DEPTH_MAX });
    };
    let too_many = Error::Length { found: NODES_MAX + 1, least: 1, most: NODES_MAX };
    *nodes = nodes.checked_sub(1).ok_or(too_many)?;
    let mut inner = |reader: &mut Reader<'_>| read_expression(reader, inputs, depth, nodes).map(Box::new);
    Ok(match reader.length(0, 5)? {
        0 => Expression::Constant(read_element(reader)?),
        1 => Expression::Input(reader.number(inputs - 1)?),
        2 => Expression::Sum(inner(reader)?, inner(reader)?),
        3 => Expression::Product(inner(reader)?, inner(reader)?),
        4 => Expression::Scaled(inner(reader)?, read_element(reader)?),
        _ => Expression::Negated(inner(reader)?),
    })
}

fn tag<F: PrimeField>(element: &F) -> usize {
    if *element == F::ZERO {
        ZERO
    } else if *element == F::ONE {
        ONE
    } else if *element == -F::ONE {
        MINUS_ONE
    } else {
        OTHER
    }
}

fn write_element<F: PrimeField>(bytes: &mut Vec<u8>, element: &F) {
    let tag = tag(element);
    write_length(bytes, tag);
    if tag == OTHER {
        write_scalars(bytes, &[*element]);
    }
}

fn read_element<F: PrimeField>(reader: &mut Reader<'_>) -> Result<F, Error> {
    match reader.length(ZERO, OTHER)? {
        ZERO => Ok(F::ZERO),
        ONE => Ok(F::ONE),
        MINUS_ONE => Ok(-F::ONE),
        _ => {
            let element = reader.scalar()?;
            // One encoding for one element.
            if tag(&element) == OTHER { Ok(element) } else { Err(Error::Scalar) }
        }
    }
}
