//! The ladder's variables: the slopes of each bit's two lines, and what comes out.

use halo2curves::ff::{BatchInvert as _, Field as _};
use halo2curves::group::Curve as _;

use super::addends::Addend;
use super::gates;
use crate::circuit::{Circuit, Linear};
use crate::gadgets::ecc::{NativeCurve, coordinates};

/// A bit's slopes.
struct Slopes<F> {
    first: Linear<F>,
    second: Linear<F>,
}

/// The coordinates of the last accumulator.
pub(super) fn ladder<C: NativeCurve>(
    circuit: &mut Circuit<C::Base>,
    (x, y): &(Linear<C::Base>, Linear<C::Base>),
    addends: &[Addend<C::Base>],
) -> (Linear<C::Base>, Linear<C::Base>) {
    let start_x = x * C::beta();
    let values = Values::<C>::of((start_x.value(), y.value()), addends);
    let tangent = circuit.witness(values.tangent);
    let slopes: Vec<_> = values
        .slopes
        .iter()
        .map(|(first, second)| Slopes { first: circuit.witness(*first), second: circuit.witness(*second) })
        .collect();
    let (last_x, last_y) = (circuit.witness(values.last.0), circuit.witness(values.last.1));

    let first_bit =
        [&slopes[0].first, &slopes[0].second, &addends[0].bit, &addends[0].x, &addends[0].x_change];
    let inputs: Vec<_> = [&tangent, &start_x, y].into_iter().chain(first_bit).collect();
    circuit.enforce(gates::START, gates::start, &inputs);

    // The doubling before the first bit, as a bit: 2 phi(T) has x = tangent^2 - 2 x.
    let zero = Linear::zero();
    let doubled = &start_x * -C::Base::from(2);
    let before = [&zero, &tangent, &zero, &doubled, &zero];
    for (index, (addend, slope)) in addends.iter().zip(&slopes).enumerate() {
        let before = match index.checked_sub(1) {
            None => before,
            Some(before) => x_inputs(&slopes[before], &addends[before]),
        };
        let current = x_inputs(slope, addend);
        let common = before.into_iter().chain(current).chain([&addend.y, &addend.y_change]);
        if let (Some(slope), Some(addend)) = (slopes.get(index + 1), addends.get(index + 1)) {
            let inputs: Vec<_> = common.chain(x_inputs(slope, addend)).collect();
            circuit.enforce(gates::BIT, gates::bit, &inputs);
        } else {
            let inputs: Vec<_> = common.chain([&last_x, &last_y]).collect();
            circuit.enforce(gates::LAST, gates::last, &inputs);
        }
    }
    (last_x, last_y)
}

/// What decides the horizontal coordinate of the accumulator after a bit.
fn x_inputs<'a, F>(slopes: &'a Slopes<F>, addend: &'a Addend<F>) -> [&'a Linear<F>; 5] {
    [&slopes.first, &slopes.second, &addend.bit, &addend.x, &addend.x_change]
}

/// The values of a ladder's variables.
struct Values<C: NativeCurve> {
    tangent: C::Base,
    slopes: Vec<(C::Base, C::Base)>,
    last: (C::Base, C::Base),
}

impl<C: NativeCurve> Values<C> {
    /// All accumulators first, in projective coordinates; then two inversions for all of them.
    fn of((x, y): (C::Base, C::Base), addends: &[Addend<C::Base>]) -> Self {
        let affine = |x, y| Option::<C>::from(C::from_xy(x, y)).unwrap_or_else(C::identity);
        let mut accumulator = affine(x, y).to_curve();
        accumulator = accumulator + accumulator;
        let mut points = Vec::with_capacity(2 * addends.len() + 1);
        for addend in addends {
            let sum = accumulator + affine(addend.x_value(), addend.y_value());
            points.extend([accumulator, sum]);
            accumulator = sum + accumulator;
        }
        points.push(accumulator);
        let mut normal = vec![C::identity(); points.len()];
        C::Curve::batch_normalize(&points, &mut normal);
        let points: Vec<_> = normal.into_iter().map(coordinates).collect();

        let mut runs = vec![y.double()];
        for (pair, addend) in points.chunks_exact(2).zip(addends) {
            runs.extend([pair[0].0 - addend.x_value(), pair[0].0 - pair[1].0]);
        }
        runs.iter_mut().batch_invert();
        let slopes = points.chunks_exact(2).zip(addends).zip(runs[1..].chunks_exact(2));
        let slopes = slopes.map(|((pair, addend), runs)| {
            ((pair[0].1 - addend.y_value()) * runs[0], (pair[0].1 - pair[1].1) * runs[1])
        });
        Self {
            tangent: x.square() * C::Base::from(3) * runs[0],
            slopes: slopes.collect(),
            last: points[points.len() - 1],
        }
    }
}
