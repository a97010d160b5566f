//! Classes of cells that copy constraints tie together: the variables of a step.

mod forest;

use halo2curves::ff::PrimeField;

use super::cell::{CellName, Lane};
use super::cells::FixedColumns;
use super::error::Error;
use super::layout::Layout;
use super::operand::{Constants, Operand, OperandId};
use forest::Forest;

/// The meaning of each advice cell of a layout.
#[derive(Debug)]
pub(super) struct Classes<F> {
    /// Cells and their meanings; a cell that is not here was not assigned.
    pub(super) cells: Vec<(CellName, OperandId)>,
    /// For each assignment of an advice cell, in order, what is done with its value.
    pub(super) targets: Vec<Target>,
    /// Variables, of which the first are the step's inputs.
    pub(super) variables: u32,
    /// Inputs that are tied to an earlier input or to a constant: they stay variables, and this has to be checked.
    pub(super) tied_inputs: Vec<(u32, Operand<F>)>,
    /// The constants that cells are.
    pub(super) constants: Constants<F>,
}

/// What is done with the value that an advice cell is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// It is that of the next variable.
    Define,
    /// It should be that of a variable defined before, or a constant.
    Compare(OperandId),
    /// It is given again later, and that value holds.
    Superseded,
}

/// Ties cells together as the layout says. Its first `arity` advice cells are the step's inputs.
pub(super) fn classes<F: PrimeField>(
    layout: &Layout<F>,
    fixed: &FixedColumns<F>,
    arity: usize,
) -> Result<Classes<F>, Error> {
    let mut forest = Forest::new();
    let assigned: Vec<u32> = layout.advice.iter().map(|cell| forest.node(*cell)).collect::<Result<_, _>>()?;
    let mut last = vec![usize::MAX; forest.len()];
    for (call, node) in assigned.iter().enumerate() {
        last[*node as usize] = call;
    }
    for (left, right) in &layout.copies {
        let (left, right) = (forest.node(*left)?, forest.node(*right)?);
        forest.join(left, right);
    }
    let roots = forest.roots();
    let known = constants_of(forest.cells(), &roots, last.len(), fixed)?;

    let mut constants = Constants::default();
    let mut standing: Vec<Option<OperandId>> = vec![None; forest.len()];
    for (root, known) in known.iter().enumerate() {
        standing[root] = known.map(|(value, _)| constants.intern(Operand::Constant(value)));
    }
    let mut classes =
        Classes { cells: Vec::new(), targets: Vec::new(), variables: 0, tied_inputs: Vec::new(), constants };
    for (call, node) in assigned.iter().enumerate() {
        let standing = &mut standing[roots[*node as usize] as usize];
        let target = match *standing {
            _ if last[*node as usize] != call => Target::Superseded,
            None => {
                *standing = Some(OperandId::variable(classes.variables));
                Target::Define
            }
            Some(tied) if call < arity => {
                classes.tied_inputs.push((classes.variables, classes.constants.operand(tied)));
                Target::Define
            }
            Some(known) => Target::Compare(known),
        };
        classes.variables += u32::from(target == Target::Define);
        classes.targets.push(target);
    }
    let cells = forest.cells().iter().zip(&roots);
    classes.cells =
        cells.filter_map(|(cell, root)| standing[*root as usize].map(|known| (*cell, known))).collect();
    Ok(classes)
}

/// For each root, the constant that its class is, with a cell that says so.
///
/// Nodes from `assigned` on are cells that were copied without being assigned: advice cells among them are 0.
fn constants_of<F: PrimeField>(
    cells: &[CellName],
    roots: &[u32],
    assigned: usize,
    fixed: &FixedColumns<F>,
) -> Result<Vec<Option<(F, CellName)>>, Error> {
    let mut known: Vec<Option<(F, CellName)>> = vec![None; cells.len()];
    for (node, cell) in cells.iter().enumerate() {
        let value = match cell.lane {
            Lane::Fixed(column) => fixed.value(column, cell.row),
            _ if node >= assigned => F::ZERO,
            _ => continue,
        };
        match &known[roots[node] as usize] {
            Some((other, first)) if *other != value => {
                return Err(Error::DifferentConstants { first: *first, second: *cell });
            }
            Some(_) => {}
            none => {
                debug_assert!(none.is_none());
                known[roots[node] as usize] = Some((value, *cell));
            }
        }
    }
    Ok(known)
}
