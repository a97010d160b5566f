//! What folding needs of a random oracle.

use halo2curves::ff::PrimeField;

use super::{Error, Spec, Sponge, Tag, tag::low_128};

/// A transcript that gives challenges: what was absorbed decides all that is squeezed afterwards.
pub trait RandomOracle<F: PrimeField> {
    /// Takes in one element.
    fn absorb(&mut self, element: F);

    /// Takes in elements in order: the same as absorbing them one by one.
    fn absorb_all<'a>(&mut self, elements: impl IntoIterator<Item = &'a F>)
    where
        F: 'a,
    {
        for element in elements {
            self.absorb(*element);
        }
    }

    /// A field element of full width, for what has to be collision resistant. Each call gives another one.
    fn squeeze(&mut self) -> F;

    /// A challenge of 128 bits: the low half of a squeezed element's canonical representative. Not for binding state:
    /// 128 bits collide after 2^64 attempts.
    fn squeeze_challenge(&mut self) -> u128 {
        low_128(self.squeeze().to_repr().as_ref())
    }
}

/// A choice of oracle, for code that works over several fields.
pub trait RandomOracleFor<F: PrimeField> {
    /// What the oracle is made from.
    type Constants: Clone + std::fmt::Debug + Send + Sync + 'static;
    /// The oracle in use.
    type Oracle: RandomOracle<F> + Clone;

    /// The constants that the authors of the oracle recommend.
    ///
    /// # Errors
    ///
    /// Where the oracle does not exist over this field.
    fn reference() -> Result<Self::Constants, Error>;

    /// Whether the constants have less security than [`Self::reference`] has.
    fn is_below_reference(constants: &Self::Constants) -> bool;

    /// A digest of all that defines the oracle, to be bound into the digest of public parameters.
    fn digest(constants: &Self::Constants) -> [u8; 32];

    /// An empty transcript in the domain of `tag`.
    fn start(constants: &Self::Constants, tag: Tag) -> Self::Oracle;
}

/// The Poseidon oracle of width `T` and `RATE = T - 1`, over any field.
#[derive(Debug, Clone, Copy)]
pub enum PoseidonRo<const T: usize, const RATE: usize> {}

impl<F: PrimeField, const T: usize, const RATE: usize> RandomOracleFor<F> for PoseidonRo<T, RATE> {
    type Constants = Spec<F, T, RATE>;
    type Oracle = Sponge<F, T, RATE>;

    fn reference() -> Result<Self::Constants, Error> {
        Spec::reference()
    }

    fn is_below_reference(constants: &Self::Constants) -> bool {
        constants.is_below_reference()
    }

    fn digest(constants: &Self::Constants) -> [u8; 32] {
        constants.digest()
    }

    fn start(constants: &Self::Constants, tag: Tag) -> Self::Oracle {
        Sponge::new(constants, tag)
    }
}
