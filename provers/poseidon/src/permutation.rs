//! Poseidon as the paper defines it, round by round: the plain twin against which the circuit is tested.

use halo2_axiom::halo2curves::{bn256::Fr, ff::Field};

use crate::parameters::{FULL_ROUNDS, Parameters, parameters};

/// The hash of 1 to 16 elements, as circomlib's `Poseidon(n)`: one permutation of `[0, inputs…]`, of which the
/// first element is the result.
///
/// # Panics
///
/// On no input or more than 16.
#[must_use]
pub fn hash(inputs: &[Fr]) -> Fr {
    let mut state = initial_state(inputs);
    permute(parameters(inputs.len()), &mut state);
    state[0]
}

/// The state before the first round: a zero of capacity, then the inputs.
pub(crate) fn initial_state(inputs: &[Fr]) -> Vec<Fr> {
    std::iter::once(Fr::ZERO).chain(inputs.iter().copied()).collect()
}

/// The Poseidon permutation: each round adds its constants, applies the S-box, and mixes.
///
/// # Panics
///
/// Unless `state` has `parameters.width` elements.
pub fn permute(parameters: &Parameters, state: &mut Vec<Fr>) {
    assert_eq!(state.len(), parameters.width, "the state is as wide as the permutation");
    for (round, constants) in parameters.round_constants.iter().enumerate() {
        for (element, constant) in state.iter_mut().zip(constants) {
            *element += constant;
        }
        substitute(state, is_full(parameters, round));
        *state = mix(parameters, state);
    }
}

/// Whether a round applies the S-box to all of the state.
pub(crate) fn is_full(parameters: &Parameters, round: usize) -> bool {
    let half = FULL_ROUNDS / 2;
    round < half || round >= half + parameters.partial_rounds
}

/// The S-box, on every element or on the first alone.
pub(crate) fn substitute(state: &mut [Fr], full: bool) {
    let count = if full { state.len() } else { 1 };
    for element in &mut state[..count] {
        *element = fifth_power(*element);
    }
}

/// The matrix times the state.
pub(crate) fn mix(parameters: &Parameters, state: &[Fr]) -> Vec<Fr> {
    parameters.matrix.iter().map(|row| row.iter().zip(state).map(|(m, s)| m * s).sum()).collect()
}

fn fifth_power(x: Fr) -> Fr {
    x.square().square() * x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::{format_decimal, parse_decimal};

    fn hash_of(inputs: &[u64]) -> String {
        format_decimal(&hash(&inputs.iter().map(|&x| Fr::from(x)).collect::<Vec<_>>()))
    }

    #[test]
    fn the_hash_agrees_with_the_vectors_published_for_circomlib() {
        // go-iden3-crypto `poseidon/poseidon_test.go` and circomlibjs `test/poseidon.js`.
        let vectors: [(&[u64], &str); 12] = [
            (&[1], "18586133768512220936620570745912940619677854269274689475585506675881198879027"),
            (&[1, 2], "7853200120776062878684798364095072458815029376092732009249414926327459813530"),
            (
                &[1, 2, 0, 0, 0],
                "1018317224307729531995786483840663576608797660851238720571059489595066344487",
            ),
            (
                &[1, 2, 0, 0, 0, 0],
                "15336558801450556532856248569924170992202208561737609669134139141992924267169",
            ),
            (
                &[3, 4, 0, 0, 0],
                "5811595552068139067952687508729883632420015185677766880877743348592482390548",
            ),
            (
                &[3, 4, 0, 0, 0, 0],
                "12263118664590987767234828103155242843640892839966517009184493198782366909018",
            ),
            (
                &[1, 2, 3, 4, 5, 6],
                "20400040500897583745843009878988256314335038853985262692600694741116813247201",
            ),
            (
                &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
                "8354478399926161176778659061636406690034081872658507739535256090879947077494",
            ),
            (
                &[1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0],
                "5540388656744764564518487011617040650780060800286365721923524861648744699539",
            ),
            (
                &[1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0],
                "11882816200654282475720830292386643970958445617880627439994635298904836126497",
            ),
            (
                &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
                "9989051620750914585850546081941653841776809718687451684622678807385399211877",
            ),
            (&[1, 2, 3, 4], "18821383157269793795438455681495246036402687001665670618754263018637548127333"),
        ];
        for (inputs, expected) in vectors {
            assert_eq!(hash_of(inputs), expected, "hash of {inputs:?}");
        }
    }

    #[test]
    fn all_of_the_state_agrees_with_the_hadeshash_permutation_vectors() {
        // hadeshash `poseidonperm_x5_254_3` and `poseidonperm_x5_254_5`, permutations of [0, 1, 2, …].
        let three = [
            "7853200120776062878684798364095072458815029376092732009249414926327459813530",
            "7142104613055408817911962100316808866448378443474503659992478482890339429929",
            "6549537674122432311777789598043107870002137484850126429160507761192163713804",
        ];
        let five = [
            "18821383157269793795438455681495246036402687001665670618754263018637548127333",
            "7817711165059374331357136443537800893307845083525445872661165200086166013245",
            "16733335996448830230979566039396561240864200624113062088822991822580465420551",
            "6644334865470350789317807668685953492649391266180911382577082600917830417726",
            "3372108894677221197912083238087960099443657816445944159266857514496320565191",
        ];
        for expected in [&three[..], &five[..]] {
            let inputs: Vec<Fr> = (1..expected.len() as u64).map(Fr::from).collect();
            let mut state = initial_state(&inputs);
            permute(parameters(inputs.len()), &mut state);
            let expected: Vec<Fr> = expected.iter().map(|text| parse_decimal(text).unwrap()).collect();
            assert_eq!(state, expected);
        }
    }
}
