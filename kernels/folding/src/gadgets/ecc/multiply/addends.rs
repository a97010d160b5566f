//! What a ladder adds at each bit: one of two points, of which one is there already and the other is one addition.

use halo2curves::ff::{Field as _, PrimeField};

use crate::circuit::{Circuit, Linear};
use crate::gadgets::bits::SHORT_BITS;
use crate::gadgets::ecc::NativeCurve;

/// What a bit adds: one of two points.
pub(super) struct Addend<F> {
    pub(super) bit: Linear<F>,
    /// The point for 0.
    pub(super) x: Linear<F>,
    pub(super) y: Linear<F>,
    /// The point for 1 less that for 0, by coordinates.
    pub(super) x_change: Linear<F>,
    pub(super) y_change: Linear<F>,
}

impl<F: PrimeField> Addend<F> {
    pub(super) fn x_value(&self) -> F {
        self.x.value() + self.bit.value() * self.x_change.value()
    }

    pub(super) fn y_value(&self) -> F {
        self.y.value() + self.bit.value() * self.y_change.value()
    }
}

/// What the bits add, from the highest one on.
pub(super) fn addends<C: NativeCurve>(
    circuit: &mut Circuit<C::Base>,
    (x, y): &(Linear<C::Base>, Linear<C::Base>),
    bits: &[Linear<C::Base>],
) -> Vec<Addend<C::Base>> {
    let beta = C::beta();
    // T - phi(T), by the line through T and -phi(T) = (beta x, -y), which differ in x as x is not 0.
    let run = x * (C::Base::ONE - beta);
    let rise = y * C::Base::from(2);
    let slope = circuit.witness(rise.value() * run.value().invert().unwrap_or(C::Base::ZERO));
    circuit.enforce_product(&slope, &run, &rise);
    let difference_x = circuit.witness(slope.value().square() - x.value() - beta * x.value());
    circuit.enforce_product(&slope, &slope, &(&difference_x + &(x * (C::Base::ONE + beta))));
    let difference_y = circuit.witness(slope.value() * (x.value() - difference_x.value()) - y.value());
    circuit.enforce_product(&slope, &(x - &difference_x), &(&difference_y + y));

    let (of_phi, of_square) = (x * beta, x * beta.square());
    let minus_y = -y.clone();
    let signed = |positive: bool, y: &Linear<C::Base>| if positive { y.clone() } else { -y.clone() };
    let LadderDigits { a, g } = LadderDigits::of::<C>();
    (0..SHORT_BITS)
        .rev()
        .map(|index| {
            let (shifted, positive) = (a[index], g[index]);
            // f phi(T), and the sum T + f phi(T) or -T + f phi(T).
            let alone = (of_phi.clone(), signed(positive, y));
            let sum = if shifted == positive {
                (difference_x.clone(), signed(!positive, &difference_y))
            } else {
                (of_square.clone(), signed(positive, &minus_y))
            };
            let (zero, one) = if shifted { (sum, alone) } else { (alone, sum) };
            Addend {
                bit: bits[index].clone(),
                x_change: &one.0 - &zero.0,
                y_change: &one.1 - &zero.1,
                x: zero.0,
                y: zero.1,
            }
        })
        .collect()
}

/// The constant digits of the offset, least first.
struct LadderDigits {
    a: [bool; SHORT_BITS],
    g: [bool; SHORT_BITS],
}

impl LadderDigits {
    fn of<C: NativeCurve>() -> Self {
        let bits = |number: u128| std::array::from_fn(|index| number >> index & 1 == 1);
        Self { a: bits(C::OFFSET.a), g: bits(C::OFFSET.g) }
    }
}
