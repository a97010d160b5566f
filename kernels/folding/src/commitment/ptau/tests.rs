mod sections;

use std::fs;
use std::path::PathBuf;

use halo2curves::CurveAffine;
use halo2curves::bn256::{Fq, Fq2, Fr, G1Affine, G2Affine};
use halo2curves::ff::Field;
use halo2curves::group::Curve;
use halo2curves::group::prime::PrimeCurveAffine;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use tempfile::TempDir;

use super::insecure::powers;
use super::write::write;
use crate::commitment::{CommitmentKey, Error, KEY_SIZE_MAX, PtauFault};

const POWER: usize = 4;

/// Powers of a tau, and where to write them.
struct Fixture {
    folder: TempDir,
    tau_g1: Vec<G1Affine>,
    tau_g2: Vec<G2Affine>,
}

impl Fixture {
    fn new() -> Self {
        let tau = Fr::from(123_456_789);
        Self {
            folder: tempfile::tempdir().unwrap(),
            tau_g1: powers(tau, (2 << POWER) - 1),
            tau_g2: powers(tau, 1 << POWER),
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("powers.ptau")
    }

    fn load(&self, k: usize) -> Result<CommitmentKey<G1Affine>, Error> {
        write(&self.path(), POWER, &self.tau_g1, &self.tau_g2).unwrap();
        CommitmentKey::from_ptau(&self.path(), k)
    }

    fn fault(&self, k: usize) -> PtauFault {
        fault(self.load(k))
    }

    /// What is wrong with the file once these bytes are put at a place.
    fn fault_with(&self, at: usize, bytes: &[u8]) -> PtauFault {
        self.load(POWER).unwrap();
        let mut file = fs::read(self.path()).unwrap();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        fs::write(self.path(), file).unwrap();
        fault(CommitmentKey::from_ptau(&self.path(), POWER))
    }
}

fn fault(result: Result<CommitmentKey<G1Affine>, Error>) -> PtauFault {
    match result {
        Err(Error::Ptau { fault, .. }) => fault,
        other => panic!("not refused as powers of tau: {other:?}"),
    }
}

#[test]
fn powers_of_tau_make_a_structured_key() {
    let fixture = Fixture::new();
    let tau = Fr::from(123_456_789);
    for k in 0..=POWER {
        let key = fixture.load(k).unwrap();
        assert_eq!((key.k(), key.len()), (k, 1 << k));
        let mut power = Fr::ONE;
        for point in key.points() {
            assert_eq!(*point, (G1Affine::generator() * power).to_affine());
            power *= tau;
        }
        let structured = key.structured().unwrap();
        assert_eq!(structured.g2, G2Affine::generator());
        assert_eq!(structured.tau_g2, (G2Affine::generator() * tau).to_affine());
    }
}

#[test]
fn a_commitment_under_powers_of_tau_is_the_polynomial_at_tau() {
    let key = Fixture::new().load(2).unwrap();
    let tau = Fr::from(123_456_789);
    let coefficients = [3, 1, 4, 1].map(Fr::from);
    let value = coefficients.iter().rev().fold(Fr::ZERO, |sum, coefficient| sum * tau + coefficient);
    assert_eq!(key.commit(&coefficients).unwrap(), (G1Affine::generator() * value).to_affine());
}

#[test]
fn keys_of_different_taus_sizes_and_kinds_have_different_digests() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let fixture = Fixture::new();
    let digests = [
        fixture.load(2).unwrap().digest(),
        fixture.load(3).unwrap().digest(),
        CommitmentKey::<G1Affine>::insecure_setup(2, &mut rng).unwrap().digest(),
        CommitmentKey::<G1Affine>::insecure_setup(2, &mut rng).unwrap().digest(),
        CommitmentKey::<G1Affine>::setup(2, b"bn256").unwrap().digest(),
    ];
    for (i, digest) in digests.iter().enumerate() {
        assert!(!digests[..i].contains(digest), "digest {i} is there twice");
    }
    assert_eq!(fixture.load(2).unwrap().digest(), digests[0]);
}

#[test]
fn the_digest_binds_the_second_group() {
    // With k = 0, the first group has no tau in it.
    let mut fixture = Fixture::new();
    let digest = fixture.load(0).unwrap().digest();
    fixture.tau_g2[1] = (G2Affine::generator() * Fr::from(5)).to_affine();
    assert_ne!(fixture.load(0).unwrap().digest(), digest);
}

#[test]
fn an_insecure_file_is_read_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("insecure.ptau");
    CommitmentKey::write_insecure_ptau(&path, 11, ChaCha20Rng::seed_from_u64(2)).unwrap();
    let key = CommitmentKey::from_ptau(&path, 11).unwrap();
    assert_eq!(
        key.digest(),
        CommitmentKey::insecure_setup(11, ChaCha20Rng::seed_from_u64(2)).unwrap().digest()
    );
}

#[test]
fn a_file_over_another_prime_is_refused() {
    let fixture = Fixture::new();
    assert_eq!(fixture.fault_with(24, &48u32.to_le_bytes()), PtauFault::Prime);
    assert_eq!(fixture.fault_with(28, &[0x46]), PtauFault::Prime);
    assert_eq!(fixture.fault_with(59, &[0x31]), PtauFault::Prime);
}

#[test]
fn a_file_of_something_else_is_refused() {
    let fixture = Fixture::new();
    assert_eq!(fixture.fault_with(0, b"zkey"), PtauFault::NotPtau);
    assert_eq!(fixture.fault_with(4, &2u32.to_le_bytes()), PtauFault::NotPtau);
    assert_eq!(fixture.fault_with(8, &u32::MAX.to_le_bytes()), PtauFault::NotPtau);
    fs::write(fixture.path(), b"").unwrap();
    assert_eq!(fault(CommitmentKey::from_ptau(&fixture.path(), 1)), PtauFault::NotPtau);
}

#[test]
fn a_missing_doubled_or_overlong_section_is_refused() {
    let fixture = Fixture::new();
    let is_section = |fault| matches!(fault, PtauFault::Section { .. });
    // The header again, in place of the first group; another number in its place; a length beyond all files.
    assert!(is_section(fixture.fault_with(68, &1u32.to_le_bytes())));
    assert!(is_section(fixture.fault_with(68, &9u32.to_le_bytes())));
    assert!(is_section(fixture.fault_with(72, &u64::MAX.to_le_bytes())));
    assert!(is_section(fixture.fault_with(60, &200u32.to_le_bytes())));
}

#[test]
fn refuses_a_file_of_fewer_powers_than_requested() {
    let mut fixture = Fixture::new();
    assert_eq!(fixture.fault(POWER + 1), PtauFault::TooFew { power: 4, k: POWER + 1 });
    fixture.tau_g1.truncate((1 << POWER) - 1);
    assert!(matches!(fixture.fault(POWER), PtauFault::Section { .. }));
    assert!(fixture.load(POWER - 1).is_ok());
    fixture.tau_g2.truncate(1);
    assert!(matches!(fixture.fault(1), PtauFault::Section { .. }));
    let too_large = CommitmentKey::from_ptau(&fixture.path(), KEY_SIZE_MAX + 1);
    assert!(matches!(too_large, Err(Error::KeySize { .. })));
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let fixture = Fixture::new();
    fixture.load(POWER).unwrap();
    let complete = fs::read(fixture.path()).unwrap();
    for len in (0..complete.len()).step_by(37) {
        fs::write(fixture.path(), &complete[..len]).unwrap();
        fault(CommitmentKey::from_ptau(&fixture.path(), POWER));
    }
}

#[test]
fn a_point_off_the_curve_is_refused() {
    let mut fixture = Fixture::new();
    fixture.tau_g1[3].y += Fq::ONE;
    assert_eq!(fixture.fault(POWER), PtauFault::G1Point { index: 3 });
    assert!(fixture.load(1).is_ok(), "a power that is not used is not read");
    let mut fixture = Fixture::new();
    fixture.tau_g2[1].x += Fq2::ONE;
    assert_eq!(fixture.fault(POWER), PtauFault::G2Point { index: 1 });
}

#[test]
fn an_identity_is_refused() {
    let mut fixture = Fixture::new();
    fixture.tau_g1[2] = G1Affine::identity();
    assert_eq!(fixture.fault(POWER), PtauFault::G1Point { index: 2 });
    let mut fixture = Fixture::new();
    fixture.tau_g2[1] = G2Affine::identity();
    assert_eq!(fixture.fault(POWER), PtauFault::G2Point { index: 1 });
}

#[test]
fn a_coordinate_that_is_not_below_the_modulus_is_refused() {
    let fixture = Fixture::new();
    // The generator's abscissa in Montgomery form, 2^256 mod p, and the modulus once more; its bytes start at 80.
    let raw = "e40a0c9ea4cf7d0fcbd5385eba55faa1899efaf925e9be1e597f397b34c66e3e";
    let bytes: Vec<u8> = (0..32).map(|i| u8::from_str_radix(&raw[2 * i..2 * i + 2], 16).unwrap()).collect();
    assert_eq!(fixture.fault_with(80, &bytes), PtauFault::G1Point { index: 0 });
}

#[test]
fn powers_of_different_taus_are_refused() {
    let tau = Fr::from(123_456_789);
    for index in [1, 2, (1 << POWER) - 1] {
        let mut fixture = Fixture::new();
        fixture.tau_g1[index] = (G1Affine::generator() * Fr::from(7)).to_affine();
        assert_eq!(fixture.fault(POWER), PtauFault::Powers, "power {index}");
    }
    let mut fixture = Fixture::new();
    fixture.tau_g1 = powers(tau + Fr::ONE, (2 << POWER) - 1);
    assert_eq!(fixture.fault(POWER), PtauFault::Powers);
    let mut fixture = Fixture::new();
    fixture.tau_g2[1] = (G2Affine::generator() * (tau + Fr::ONE)).to_affine();
    assert_eq!(fixture.fault(POWER), PtauFault::Powers);
}

#[test]
fn the_start_of_a_ceremony_is_refused() {
    let mut fixture = Fixture::new();
    fixture.tau_g1.fill(G1Affine::generator());
    fixture.tau_g2.fill(G2Affine::generator());
    assert_eq!(fixture.fault(POWER), PtauFault::NoContribution);
}

#[test]
fn powers_of_another_base_point_are_refused() {
    let mut fixture = Fixture::new();
    let scaled = |point: &G1Affine| (point * Fr::from(2)).to_affine();
    fixture.tau_g1 = fixture.tau_g1.iter().map(scaled).collect();
    assert_eq!(fixture.fault(POWER), PtauFault::Generator { group: "first" });
    let mut fixture = Fixture::new();
    fixture.tau_g2 = fixture.tau_g2.iter().map(|point| (point * Fr::from(2)).to_affine()).collect();
    assert_eq!(fixture.fault(POWER), PtauFault::Generator { group: "second" });
}

#[test]
fn a_point_of_the_second_group_outside_the_subgroup_is_refused() {
    // Nearly all points of this curve have another order than the prime.
    let mut abscissas = std::iter::successors(Some(Fq2::ONE), |x| Some(x + Fq2::ONE));
    let outside = abscissas.find_map(|x| {
        let y: Option<Fq2> = (x.square() * x + G2Affine::b()).sqrt().into();
        G2Affine::from_xy(x, y?).into()
    });
    let mut fixture = Fixture::new();
    fixture.tau_g2[1] = outside.unwrap();
    assert_eq!(fixture.fault(POWER), PtauFault::Subgroup { index: 1 });
    let mut fixture = Fixture::new();
    fixture.tau_g2[0] = outside.unwrap();
    assert_eq!(fixture.fault(POWER), PtauFault::Subgroup { index: 0 });
}
