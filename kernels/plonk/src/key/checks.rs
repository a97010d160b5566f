//! What a key has to be before it is prepared.

use std::env;

use halo2_axiom::{
    halo2curves::bn256::{Fr, G1Affine},
    plonk::{ConstraintSystem, Expression, Gate, ProvingKey},
};

use crate::error::{Error, Result};

/// The degree that decides how many columns one grand product of the permutation has.
pub(super) fn check_degree(system: &ConstraintSystem<Fr>, limit: usize) -> Result<usize> {
    // `ConstraintSystem::degree` reads it, and panics where it is no number.
    if let Ok(text) = env::var("MAX_DEGREE")
        && text.parse::<usize>().is_err()
    {
        return Err(Error::MaxDegree(text));
    }
    let of_gates = system.gates().iter().flat_map(Gate::polynomials).map(Expression::degree);
    let of_lookups = system.lookups().iter().map(|lookup| {
        let highest = |expressions: &[Expression<Fr>]| {
            expressions.iter().map(Expression::degree).max().unwrap_or(0).max(1)
        };
        (2 + highest(lookup.input_expressions()) + highest(lookup.table_expressions())).max(4)
    });
    let used = system.degree();
    let degree = of_gates.chain(of_lookups).max().unwrap_or(0).max(used);
    if degree > limit || used < 3 {
        return Err(Error::Degree { degree, limit });
    }
    Ok(used)
}

/// A key can be put together of any parts.
pub(super) fn check_shape(pk: &ProvingKey<G1Affine>, system: &ConstraintSystem<Fr>) -> Result<()> {
    let rows = 1usize << pk.get_vk().get_domain().k();
    let permuted = system.permutation().get_columns().len();
    let check = |what, found, expected| {
        if found == expected { Ok(()) } else { Err(Error::MalformedKey { what, found, expected }) }
    };
    if rows < system.minimum_rows() {
        return Err(Error::MalformedKey { what: "rows", found: rows, expected: system.minimum_rows() });
    }
    check("fixed columns", pk.fixed_values().len(), system.num_fixed_columns())?;
    check("fixed polynomials", pk.fixed_polys().len(), system.num_fixed_columns())?;
    check("permutation columns", pk.permutation().permutations().len(), permuted)?;
    check("permutation polynomials", pk.permutation().polys().len(), permuted)?;
    for column in pk.fixed_values().iter().chain(pk.permutation().permutations()) {
        check("rows", column.values().len(), rows)?;
    }
    let marks = [pk.l0(), pk.l_last(), pk.l_active_row()];
    for poly in pk.fixed_polys().iter().chain(pk.permutation().polys()).chain(marks) {
        check("coefficients", poly.values().len(), rows)?;
    }
    Ok(())
}
