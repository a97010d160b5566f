use halo2curves::{bn256::Fr, ff::PrimeField, grumpkin};
use proptest::prelude::*;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::super::Spec;

fn decimal<F: PrimeField>(text: &str) -> F {
    F::from_str_vartime(text).unwrap()
}

fn permutation_of_counting<F: PrimeField, const T: usize, const RATE: usize>() -> [F; T] {
    let spec = Spec::<F, T, RATE>::reference().unwrap();
    let mut state = std::array::from_fn(|i| F::from(i as u64));
    let mut plain = state;
    spec.permute(&mut state);
    spec.permute_plain(&mut plain);
    assert_eq!(state, plain);
    state
}

/// circomlib's hash: the first element of the permutation of `(0, inputs)`.
fn circomlib<const T: usize, const RATE: usize>(inputs: [u64; RATE]) -> Fr {
    let mut state = [Fr::from(0); T];
    for (element, input) in state[1..].iter_mut().zip(inputs) {
        *element = Fr::from(input);
    }
    Spec::<Fr, T, RATE>::reference().unwrap().permute(&mut state);
    state[0]
}

#[test]
fn permutations_agree_with_the_vectors_of_hadeshash() {
    // hadeshash `poseidonperm_x5_254_3` and `poseidonperm_x5_254_5`, permutations of [0, 1, 2, …].
    assert_eq!(
        permutation_of_counting::<Fr, 3, 2>(),
        [
            "7853200120776062878684798364095072458815029376092732009249414926327459813530",
            "7142104613055408817911962100316808866448378443474503659992478482890339429929",
            "6549537674122432311777789598043107870002137484850126429160507761192163713804",
        ]
        .map(decimal)
    );
    assert_eq!(
        permutation_of_counting::<Fr, 5, 4>(),
        [
            "18821383157269793795438455681495246036402687001665670618754263018637548127333",
            "7817711165059374331357136443537800893307845083525445872661165200086166013245",
            "16733335996448830230979566039396561240864200624113062088822991822580465420551",
            "6644334865470350789317807668685953492649391266180911382577082600917830417726",
            "3372108894677221197912083238087960099443657816445944159266857514496320565191",
        ]
        .map(decimal)
    );
}

#[test]
fn permutations_over_grumpkin_agree_with_another_implementation() {
    // No vectors are published. These are of a transcription of hadeshash's `generate_parameters_grain.sage` to Python
    // that gives the published ones for bn256's scalars.
    assert_eq!(
        permutation_of_counting::<grumpkin::Fr, 3, 2>(),
        [
            "1100878514760543335735019381593158458053631881945328566861929871560876584741",
            "1516730507926149701446742562509257292181028264157004519376100672211801402708",
            "19533963726815139257915676961579610829254802380625585426874112823421737648398",
        ]
        .map(decimal)
    );
    assert_eq!(
        permutation_of_counting::<grumpkin::Fr, 5, 4>(),
        [
            "2276546166592405039304248747085934583159174740356951905828095584648969636918",
            "12966747000467892474428216991452664010806050265020116619471743338097592006837",
            "7104552585831548638847268737821929154387548683962739891151218771396930810229",
            "8314161848268451043045979622458632001511674096943494837842932698260871601179",
            "9104240933119723141320770678409474156817919757696653232070596375421222064250",
        ]
        .map(decimal)
    );
}

#[test]
fn the_first_element_is_the_hash_of_circomlib() {
    // circomlibjs `test/poseidon.js` and go-iden3-crypto `poseidon/poseidon_test.go`, widths 2, 3, 5, 6, 7, 15 and 17.
    let hex = |high: u128, low: u128| {
        Fr::from_u128(high) * Fr::from_u128(1 << 64) * Fr::from_u128(1 << 64) + Fr::from_u128(low)
    };
    assert_eq!(
        circomlib::<3, 2>([1, 2]),
        hex(0x115c_c0f5_e7d6_9041_3df6_4c6b_9662_e9cf, 0x2a36_17f2_7432_4551_9e19_607a_4417_189a)
    );
    assert_eq!(
        circomlib::<5, 4>([1, 2, 3, 4]),
        hex(0x299c_867d_b6c1_fdd7_9dce_fa40_e451_0b98, 0x37e6_0ebb_1ce0_663d_baa5_25df_6525_0465)
    );
    let hashes = [
        circomlib::<2, 1>([1]),
        circomlib::<6, 5>([1, 2, 0, 0, 0]),
        circomlib::<7, 6>([1, 2, 3, 4, 5, 6]),
        circomlib::<15, 14>([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]),
        circomlib::<17, 16>([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
    ];
    assert_eq!(
        hashes,
        [
            "18586133768512220936620570745912940619677854269274689475585506675881198879027",
            "1018317224307729531995786483840663576608797660851238720571059489595066344487",
            "20400040500897583745843009878988256314335038853985262692600694741116813247201",
            "8354478399926161176778659061636406690034081872658507739535256090879947077494",
            "9989051620750914585850546081941653841776809718687451684622678807385399211877",
        ]
        .map(decimal)
    );
}

fn assert_twins_agree<F: PrimeField, const T: usize, const RATE: usize>(spec: &Spec<F, T, RATE>, seed: u64) {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    for start in [std::array::from_fn(|_| F::random(&mut rng)), [F::ZERO; T], [-F::ONE; T]] {
        let (mut quick, mut plain) = (start, start);
        spec.permute(&mut quick);
        spec.permute_plain(&mut plain);
        assert_eq!(quick, plain);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn the_quick_permutation_is_the_plain_one(seed: u64) {
        assert_twins_agree(&Spec::<Fr, 2, 1>::reference().unwrap(), seed);
        assert_twins_agree(&Spec::<Fr, 3, 2>::reference().unwrap(), seed);
        assert_twins_agree(&Spec::<Fr, 5, 4>::reference().unwrap(), seed);
        assert_twins_agree(&Spec::<Fr, 9, 8>::reference().unwrap(), seed);
        assert_twins_agree(&Spec::<grumpkin::Fr, 3, 2>::reference().unwrap(), seed);
        assert_twins_agree(&Spec::<grumpkin::Fr, 5, 4>::reference().unwrap(), seed);
        assert_twins_agree(&Spec::<grumpkin::Fr, 9, 8>::reference().unwrap(), seed);
    }
}

#[test]
fn the_quick_permutation_is_the_plain_one_with_the_fewest_rounds() {
    assert_twins_agree(&Spec::<Fr, 5, 4>::new(2, 5).unwrap(), 1);
    assert_twins_agree(&Spec::<Fr, 5, 4>::new(10, 10).unwrap(), 2);
    assert_twins_agree(&Spec::<grumpkin::Fr, 17, 16>::new(4, 18).unwrap(), 3);
}
