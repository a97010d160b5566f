//! The rounds that the authors of Poseidon set for 254-bit fields, S-box x^5, 128 bits of security.

/// Full rounds of every width: four before and four after the partial ones.
pub const FULL_ROUNDS: usize = 8;

/// The narrowest state: one element of capacity, one of rate.
pub const WIDTH_MIN: usize = 2;

/// The widest state that the reference gives rounds for.
pub const WIDTH_MAX: usize = 17;

/// Partial rounds of the widths 2 to 17: hadeshash `calc_round_numbers.py` with the security margin of eprint 2019/458,
/// section 5.4, as circomlib publishes them (`circuits/poseidon.circom`, `N_ROUNDS_P`).
const PARTIAL_ROUNDS: [usize; WIDTH_MAX - WIDTH_MIN + 1] =
    [56, 57, 56, 60, 60, 63, 64, 63, 60, 66, 60, 65, 70, 60, 64, 68];

/// The reference's partial rounds of a width from [`WIDTH_MIN`] to [`WIDTH_MAX`].
#[must_use]
pub const fn partial_rounds(width: usize) -> Option<usize> {
    if width < WIDTH_MIN || width > WIDTH_MAX { None } else { Some(PARTIAL_ROUNDS[width - WIDTH_MIN]) }
}
