//! Whether an integer is below a constant.

use halo2curves::ff::PrimeField;

use super::bits::{Piece, digits};
use super::integer::{self, Words};
use crate::circuit::{Circuit, Gate, Linear};
use crate::relation::Expression;

/// The number that these pieces make, least first, is below the bound. Each piece has to be range-checked already, and all
/// of the bound's bits have to be covered.
///
/// An integer is below another exactly when, at the highest piece where they differ, its own piece is the smaller one. One
/// flag says which piece that is; above it the pieces are equal, and there a range check shows the bound's to be greater.
/// Takes a bit for each piece but one, and the digits of one piece.
pub(super) fn enforce_below<F: PrimeField>(circuit: &mut Circuit<F>, pieces: &[Piece<F>], bound: &Words) {
    let mut start = 0;
    let mut of_bound = Vec::with_capacity(pieces.len());
    for piece in pieces {
        of_bound.push(F::from_u128(integer::bits(bound, start, piece.bits)));
        start += piece.bits;
    }
    let gaps: Vec<_> = pieces
        .iter()
        .zip(&of_bound)
        .map(|(piece, bound)| Linear::constant(*bound) - piece.value.clone())
        .collect();

    let differs = gaps.iter().rposition(|gap| !bool::from(gap.value().is_zero())).unwrap_or(0);
    let mut flags: Vec<_> = (1..gaps.len()).map(|index| circuit.bit(index == differs)).collect();
    // Exactly one flag is set: the lowest piece's is what the others leave, and its row makes it a bit.
    flags.insert(0, flags.iter().fold(Linear::one(), |rest, flag| &rest - flag));

    // At the flag the gap is at least 1.
    let excess = circuit.witness(gaps[differs].value() - F::ONE);
    let widest = pieces.iter().map(|piece| piece.bits).max().unwrap_or(0);
    digits(circuit, &excess, widest);

    let inputs: Vec<_> = flags.iter().chain(&gaps).chain([&excess]).collect();
    circuit.enforce(&name(gaps.len()), || gate(gaps.len()), &inputs);
}

fn name(pieces: usize) -> String {
    format!("below a constant, {pieces} pieces")
}

/// Inputs: the flags, the gaps, the gap at the flag less 1.
fn gate<F: PrimeField>(pieces: usize) -> Gate<F> {
    let flag = Expression::Input;
    let gap = |index| Expression::Input(pieces + index);
    let one = || Expression::Constant(F::ONE);
    let excess = Expression::Input(2 * pieces);
    let selected = (1..pieces).fold(flag(0) * gap(0), |sum, index| sum + flag(index) * gap(index));
    let mut expressions = vec![flag(0) * (flag(0) - one()), selected - one() - excess];
    expressions.extend((1..pieces).map(|above| {
        let below = (1..above).fold(flag(0), |sum, index| sum + flag(index));
        below * gap(above)
    }));
    Gate { name: name(pieces), inputs: 2 * pieces + 1, expressions }
}
