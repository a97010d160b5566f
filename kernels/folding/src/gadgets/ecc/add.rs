//! Addition of any two points.

use halo2curves::ff::Field as _;

use super::{NativeCurve, Point};
use crate::circuit::{Circuit, Gate, Linear};
use crate::relation::Expression;

const NAME: &str = "complete addition";

impl<C: NativeCurve> Point<C> {
    /// The sum, whatever the two points: equal, opposite, or the identity. Takes 4 full-size variables, an
    /// inverse that is 0 but for equal points, and 3 bits.
    ///
    /// Where both are the identity the slope is free, and it is used nowhere; where the vertical coordinates are opposite,
    /// so is the inverse of their sum, and where the horizontal ones are equal, that of their difference.
    #[must_use]
    pub fn add(&self, circuit: &mut Circuit<C::Base>, other: &Self) -> Self {
        let (p, q) = (self, other);
        let run = &q.x - &p.x;
        let same_x = circuit.is_zero(&run);
        let heights = &p.y + &q.y;
        let is_same_x = !bool::from(same_x.value().is_zero());
        let both_identity = p.identity.value() * q.identity.value();

        let slope = if is_same_x {
            (p.x.value().square() * C::Base::from(3), p.y.value().double())
        } else {
            (q.y.value() - p.y.value(), run.value())
        };
        let slope = circuit.witness(slope.0 * slope.1.invert().unwrap_or(C::Base::ZERO));
        let cancel = is_same_x && bool::from(heights.value().is_zero() & both_identity.is_zero());
        let opposite = circuit.witness(C::Base::from(u64::from(cancel)));
        let inverse = heights.value().invert().unwrap_or(C::Base::ZERO);
        let inverse = circuit.witness(inverse * (same_x.value() - opposite.value() - both_identity));
        let identities = &p.identity + &q.identity;
        let generic = Linear::one() - identities.clone() - opposite.clone() + Linear::constant(both_identity);
        let generic = circuit.witness(generic.value());

        let of_slope = slope.value().square() - p.x.value() - q.x.value();
        let chosen = |p_other: C::Base, q_other: C::Base, sum: C::Base| {
            p.identity.value() * q_other + q.identity.value() * p_other + generic.value() * sum
        };
        let x = circuit.witness(chosen(p.x.value(), q.x.value(), of_slope));
        let fall = slope.value() * (p.x.value() - x.value()) - p.y.value();
        let y = circuit.witness(chosen(p.y.value(), q.y.value(), fall));

        let inputs = [
            &p.x,
            &p.y,
            &p.identity,
            &q.x,
            &q.y,
            &q.identity,
            &same_x,
            &slope,
            &opposite,
            &inverse,
            &generic,
            &x,
            &y,
        ];
        circuit.enforce(NAME, gate, &inputs);
        // opposite + both identities, where generic = 1 - identities - opposite + both.
        let identity = generic + identities + opposite * C::Base::from(2) - Linear::one();
        Self { x, y, identity }
    }
}

/// Inputs: the coordinates of P and a bit for its being the identity, those of Q, whether they have the same x, the slope,
/// whether they are opposite and not both the identity, an inverse, whether slopes decide the sum, its coordinates.
fn gate<F: halo2curves::ff::PrimeField>() -> Gate<F> {
    let [px, py, p_identity, qx, qy, q_identity, same_x, slope, opposite, inverse, generic, x, y] =
        std::array::from_fn(|input| move || Expression::<F>::Input(input));
    let run = || qx() - px();
    let heights = || py() + qy();
    let both = || p_identity() * q_identity();
    let one = Expression::Constant(F::ONE);
    let expressions = vec![
        // The slope of the line through two points.
        run() * (run() * slope() - qy() + py()),
        // The slope of the tangent, where x is the same. Opposite points take it too, to no use.
        same_x() * (py() * slope() * F::from(2) - px() * px() * F::from(3)),
        // Opposite are points of the same x whose heights add up to 0, and that are not both the identity. Where x is not
        // the same, heights of 0 leave nothing for the second polynomial to be but -opposite.
        opposite() * heights(),
        heights() * inverse() - same_x() + opposite() + both(),
        generic() - one + p_identity() + q_identity() + opposite() - both(),
        p_identity() * qx() + q_identity() * px() + generic() * (slope() * slope() - px() - qx()) - x(),
        p_identity() * qy() + q_identity() * py() + generic() * (slope() * (px() - x()) - py()) - y(),
    ];
    Gate { name: NAME.into(), inputs: 13, expressions }
}
