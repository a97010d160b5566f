//! What is claimed, and the transcript that starts from it.

use halo2curves::CurveAffine;
use halo2curves::bn256::{Fr, G1Affine};
use halo2curves::ff::{Field as _, FromUniformBytes};
use halo2curves::grumpkin;

use super::{Error, VerifierKey};
use crate::relation::{Instance, Layout};
use crate::snark::multilinear::ProductPolynomial;
use crate::snark::spartan::{Shape, Statement};
use crate::snark::transcript::Transcript;
use crate::{cross_term, protogalaxy};

/// The accumulators whose claims are proved.
#[derive(Clone, Copy, Debug)]
pub struct Accumulators<'a> {
    /// Of the primary relation.
    pub primary: &'a protogalaxy::Accumulator<G1Affine>,
    /// Of the secondary relation.
    pub secondary: &'a cross_term::Accumulator<grumpkin::G1Affine>,
}

impl Accumulators<'_> {
    /// Compares all lengths with those of the key's relations.
    pub(super) fn check(&self, key: &VerifierKey) -> Result<(), Error> {
        let shape = key.primary_shape()?;
        expect("betas", shape.number_variables(), self.primary.betas.len())?;
        check_instance(key.primary.layout(), &self.primary.instance)?;
        check_instance(key.secondary.relation().layout(), &self.secondary.instance)
    }

    /// The transcript of a proof, at its start: it has absorbed the key and all of both accumulators.
    pub(super) fn transcript(&self, key: &VerifierKey) -> Transcript {
        let mut transcript = Transcript::new(b"elastic-folding accumulators");
        transcript.absorb_bytes(b"key", &key.digest());
        absorb_instance(&mut transcript, &self.primary.instance);
        transcript.absorb_scalars(b"betas", &self.primary.betas);
        transcript.absorb_scalar(b"error", &self.primary.error);
        absorb_instance(&mut transcript, &self.secondary.instance);
        transcript.absorb_scalar(b"scale", &self.secondary.scale);
        transcript.absorb_point(b"error", &self.secondary.error);
        transcript
    }

    /// The first entries of the primary vector.
    pub(super) fn primary_public(&self) -> Vec<Fr> {
        public(Fr::ONE, &self.primary.instance)
    }

    /// The first entries of the secondary vector, which starts with `u`.
    pub(super) fn secondary_public(&self) -> Vec<grumpkin::Fr> {
        public(self.secondary.scale, &self.secondary.instance)
    }

    /// `Σ_i pow_i(β) f_i(z) = e`.
    pub(super) fn primary_statement<'a>(&self, public: &'a [Fr]) -> Statement<'a, Fr> {
        // Bit `j` of a number picks `β_j`, and a polynomial's first variable is the highest bit.
        let betas: Vec<_> = self.primary.betas.iter().rev().copied().collect();
        Statement { weight: ProductPolynomial::powers(&betas), public, sum: self.primary.error }
    }

    /// The commitments that the secondary proof evaluates: the rounds', then that of the errors.
    pub(super) fn secondary_commitments(&self) -> Vec<grumpkin::G1Affine> {
        let rounds = self.secondary.instance.commitments.iter();
        rounds.chain([&self.secondary.error]).copied().collect()
    }
}

/// `Σ_i eq(τ, i) (f_i(z) - E(i)) = 0`, with `τ` from a transcript that has absorbed `z` and `E`.
pub(super) fn secondary_statement<'a>(
    transcript: &mut Transcript,
    shape: &Shape<'_, grumpkin::Fr>,
    public: &'a [grumpkin::Fr],
) -> Statement<'a, grumpkin::Fr> {
    let tau: Vec<_> = (0..shape.number_variables()).map(|_| transcript.challenge(b"tau")).collect();
    Statement { weight: ProductPolynomial::eq(&tau), public, sum: grumpkin::Fr::ZERO }
}

fn public<C: CurveAffine>(first: C::ScalarExt, instance: &Instance<C>) -> Vec<C::ScalarExt> {
    let rest = instance.publics.iter().chain(&instance.challenges);
    core::iter::once(&first).chain(rest).copied().collect()
}

fn check_instance<C: CurveAffine>(layout: &Layout, instance: &Instance<C>) -> Result<(), Error> {
    expect("commitments", layout.rounds.len(), instance.commitments.len())?;
    expect("public inputs", layout.publics, instance.publics.len())?;
    expect("challenges", layout.challenges, instance.challenges.len())
}

fn expect(of: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(Error::Shape { of, expected, found }) }
}

fn absorb_instance<C: CurveAffine>(transcript: &mut Transcript, instance: &Instance<C>)
where
    C::ScalarExt: FromUniformBytes<64>,
{
    transcript.absorb_points(b"commitments", &instance.commitments);
    transcript.absorb_scalars(b"public inputs", &instance.publics);
    transcript.absorb_scalars(b"challenges", &instance.challenges);
}
