//! Why parameters of Poseidon are refused.

/// Parameters that do not make a permutation that this module can compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Full rounds are in equal halves before and after the partial ones.
    #[error("{0} full rounds: an even number from 2 to 1022 is needed")]
    FullRounds(usize),
    /// The recurrence of the partial rounds spans as many rounds as the state is wide.
    #[error("{partial_rounds} partial rounds at width {width}: from {width} to 1023 are needed")]
    PartialRounds {
        /// Partial rounds requested.
        partial_rounds: usize,
        /// Elements of the state.
        width: usize,
    },
    /// The field's encoding is not little-endian, or its size is not from 200 to 256 bits.
    #[error("the field has to have 200 to 256 bits and a little-endian encoding")]
    Field,
    /// 5 divides the order of the multiplicative group.
    #[error("x^5 is not a permutation of the field")]
    SBox,
    /// Inputs of the first S-box over as many partial rounds as the state is wide do not determine the state. Such a
    /// matrix lets a difference pass partial rounds without end, so it is not secure either.
    #[error("the matrix hides part of the state from the first S-box")]
    NotObservable,
}
