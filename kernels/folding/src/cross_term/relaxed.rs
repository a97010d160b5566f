//! A relation with its polynomials made homogeneous.

use std::cmp::Ordering;

use halo2curves::ff::PrimeField;

use crate::relation::{Expression, Group, Input, Layout, Relation};

/// A relation whose polynomials `f` are `u^d f(z / u)`, where `u` is in the place of the constant 1.
///
/// The same `d`, the relation's degree, serves all of them, though many have a lower one. The coefficient of `X^d` in
/// `u^d f` at `z + X z_1` is then `f(z_1)`, for which no cross term is sent. With its own degree, a constraint of
/// degree `c < d` would have that coefficient at `X^c`, and a prover could hide `f(z_1) != 0` in the cross term `T_c`.
///
/// For `u = 1` it is the relation that it was made of.
#[derive(Clone, Debug)]
pub struct RelaxedRelation<F> {
    relation: Relation<F>,
}

impl<F: PrimeField> RelaxedRelation<F> {
    /// Makes a relation homogeneous: constraints keep their numbers.
    #[must_use]
    pub fn new(relation: &Relation<F>) -> Self {
        let degree = relation.degree();
        let groups = relation.groups().iter().map(|group| homogeneous(group, degree)).collect();
        Self { relation: Relation::new(relation.layout().clone(), groups) }
    }

    /// The homogeneous polynomials, as a relation over vectors that start with `u`.
    #[must_use]
    pub fn relation(&self) -> &Relation<F> {
        &self.relation
    }

    /// How many cross terms a fold has: `d - 1`.
    #[must_use]
    pub fn terms(&self) -> usize {
        self.relation.degree() - 1
    }
}

/// A group with one more input, `u`, whose polynomials all have the degree.
fn homogeneous<F: PrimeField>(group: &Group<F>, degree: usize) -> Group<F> {
    let scale = group.inputs().len();
    let degrees: Vec<_> = group.inputs().iter().map(|input| usize::from(!input.is_fixed())).collect();
    let lifted = |expression| {
        let (lifted, own) = lift(expression, &degrees, scale);
        raise(lifted, degree - own, scale)
    };
    let expressions = group.expressions().iter().map(lifted).collect();
    let mut inputs = group.inputs().to_vec();
    let one = u32::try_from(Layout::ONE).expect("the constant is first");
    inputs.push(Input::Cell(vec![one; group.rows()]));
    Group::new(group.name(), expressions, inputs)
}

/// A multiple by a power of `u`.
fn raise<F: PrimeField>(expression: Expression<F>, power: usize, scale: usize) -> Expression<F> {
    match (0..power).map(|_| Expression::Input(scale)).reduce(|left, right| left * right) {
        Some(power) => expression * power,
        None => expression,
    }
}

/// An expression all of whose terms have one degree, and the degree.
fn lift<F: PrimeField>(
    expression: &Expression<F>,
    degrees: &[usize],
    scale: usize,
) -> (Expression<F>, usize) {
    match expression {
        Expression::Constant(_) => (expression.clone(), 0),
        Expression::Input(index) => (expression.clone(), degrees[*index]),
        Expression::Sum(left, right) => {
            let (left, left_degree) = lift(left, degrees, scale);
            let (right, right_degree) = lift(right, degrees, scale);
            match left_degree.cmp(&right_degree) {
                Ordering::Less => (raise(left, right_degree - left_degree, scale) + right, right_degree),
                Ordering::Equal => (left + right, left_degree),
                Ordering::Greater => (left + raise(right, left_degree - right_degree, scale), left_degree),
            }
        }
        Expression::Product(left, right) => {
            let (left, left_degree) = lift(left, degrees, scale);
            let (right, right_degree) = lift(right, degrees, scale);
            (left * right, left_degree + right_degree)
        }
        Expression::Scaled(inner, factor) => {
            let (inner, degree) = lift(inner, degrees, scale);
            (inner * *factor, degree)
        }
        Expression::Negated(inner) => {
            let (inner, degree) = lift(inner, degrees, scale);
            (-inner, degree)
        }
    }
}
