//! The acceleration library of `kernels/accel`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ::zkaccel as library;
use halo2curves::CurveAffine;
use halo2curves::bn256::{self, Fr};
use halo2curves::ff::PrimeField;
use halo2curves::grumpkin;
use library::{Affine, Backend, BasesOptions, Buffer, Config, Context, Element, Transform};

use super::error::{check_lengths, check_range};
use super::transform;
use super::{Accelerator, Bases, Cpu, Direction, Error};
use crate::commitment::Curve;

/// Sums and transforms by the acceleration library, in one of its contexts: on the CPU, or on a GPU.
///
/// Points, scalars and elements are handed over as they are in memory. Clones share what was prepared for transforms.
#[derive(Clone, Debug)]
pub struct Zkaccel {
    context: Context,
    /// By the logarithm of their sizes.
    domains: Arc<Mutex<HashMap<u32, Arc<library::Domain>>>>,
}

impl Zkaccel {
    /// Computes in this context.
    #[must_use]
    pub fn new(context: &Context) -> Self {
        Self { context: context.clone(), domains: Arc::default() }
    }

    /// Computes on the CPU, on as many threads as the current `rayon` pool has.
    ///
    /// # Errors
    ///
    /// [`Error::Device`].
    pub fn on_cpu() -> Result<Self, Error> {
        let threads = u32::try_from(rayon::current_num_threads()).unwrap_or(u32::MAX);
        let config = Config { backend: Backend::Cpu, threads, ..Config::default() };
        Ok(Self::new(&Context::new(&config).map_err(device)?))
    }

    fn domain(&self, domain: &transform::Domain<Fr>) -> Result<Arc<library::Domain>, Error> {
        let mut domains = self.domains.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(prepared) = domains.get(&domain.k) {
            return Ok(prepared.clone());
        }
        let (k, coset) = (domain.k, Fr::MULTIPLICATIVE_GENERATOR);
        let made = library::Domain::with_roots(&self.context, k, k, domain.omega, coset).map_err(device)?;
        let made = Arc::new(made);
        domains.insert(k, made.clone());
        Ok(made)
    }

    fn sum<C: Shared>(&self, scalars: &[C::ScalarExt], bases: &[C]) -> Result<C::CurveExt, Error> {
        check_lengths(scalars.len(), bases.len())?;
        self.context.msm_once(bases, scalars).map_err(device)
    }

    fn prepared<C: Shared>(&self, bases: &[C]) -> Result<Box<dyn Bases<C>>, Error> {
        let options = BasesOptions { precompute: precompute_for(bases.len()), ..BasesOptions::default() };
        let bases = library::Bases::new(&self.context, bases, options).map_err(device)?;
        Ok(Box::new(Kept { context: self.context.clone(), bases }))
    }
}

/// How many multiples of each base are worth their memory. The fewer the terms of a sum, the more of its time goes to
/// buckets, which multiples share: 2^10 terms are summed in 0.6 times the time, 2^13 in 0.87 times, and 2^15 in no less.
fn precompute_for(bases: usize) -> u32 {
    match bases {
        0..=4096 => 8,
        4097..=16_384 => 3,
        _ => 0,
    }
}

/// A curve whose points and scalars both libraries have in the same form.
trait Shared:
    Curve
    + CurveAffine<ScalarExt: Element>
    + Affine<Scalar = <Self as CurveAffine>::ScalarExt, Jacobian = <Self as CurveAffine>::CurveExt>
{
}

impl Shared for bn256::G1Affine {}
impl Shared for grumpkin::G1Affine {}

impl Accelerator<bn256::G1Affine> for Zkaccel {
    fn msm(&self, scalars: &[Fr], bases: &[bn256::G1Affine]) -> Result<bn256::G1, Error> {
        self.sum(scalars, bases)
    }

    fn keep(&self, bases: &[bn256::G1Affine]) -> Result<Box<dyn Bases<bn256::G1Affine>>, Error> {
        self.prepared(bases)
    }

    fn transform(&self, elements: &mut [Fr], direction: Direction) -> Result<(), Error> {
        let domain = self.domain(&transform::Domain::new(elements.len())?)?;
        let transform = match direction {
            Direction::Forward => Transform::FORWARD,
            Direction::Inverse => Transform::INVERSE,
        };
        let mut column = Buffer::of(&self.context, elements).map_err(device)?;
        let queue = self.context.at_once();
        queue.ntt(&domain, &mut [&mut column], transform).map_err(device)?;
        self.context.at_once().read(&column, 0, elements).map_err(device)
    }
}

impl Accelerator<grumpkin::G1Affine> for Zkaccel {
    fn msm(&self, scalars: &[grumpkin::Fr], bases: &[grumpkin::G1Affine]) -> Result<grumpkin::G1, Error> {
        self.sum(scalars, bases)
    }

    fn keep(&self, bases: &[grumpkin::G1Affine]) -> Result<Box<dyn Bases<grumpkin::G1Affine>>, Error> {
        self.prepared(bases)
    }

    /// This field has transforms of one and of two elements, which nothing accelerates.
    fn transform(&self, elements: &mut [grumpkin::Fr], direction: Direction) -> Result<(), Error> {
        Accelerator::<grumpkin::G1Affine>::transform(&Cpu, elements, direction)
    }
}

/// Bases in a context.
#[derive(Debug)]
struct Kept<C> {
    context: Context,
    bases: library::Bases<C>,
}

impl<C: Shared> Bases<C> for Kept<C> {
    fn len(&self) -> usize {
        self.bases.len()
    }

    fn msm(&self, offset: usize, scalars: &[C::ScalarExt]) -> Result<C::CurveExt, Error> {
        check_range(offset, scalars.len(), self.len())?;
        let scalars = Buffer::of(&self.context, scalars).map_err(device)?;
        let mut sum = [C::CurveExt::default()];
        let queue = self.context.at_once();
        queue.msm(&self.bases, offset, &scalars, 0, scalars.len(), &mut sum).map_err(device)?;
        Ok(sum[0])
    }

    /// In one call where they have one length: the library's threads then wait for each other once.
    fn msm_each(&self, offset: usize, vectors: &[Vec<C::ScalarExt>]) -> Result<Vec<C::CurveExt>, Error> {
        let len = vectors.first().map_or(0, Vec::len);
        if vectors.iter().any(|scalars| scalars.len() != len) {
            return vectors.iter().map(|scalars| self.msm(offset, scalars)).collect();
        }
        check_range(offset, len, self.len())?;
        let scalars = Buffer::of(&self.context, &vectors.concat()).map_err(device)?;
        let mut sums = vec![C::CurveExt::default(); vectors.len()];
        self.context.at_once().msm(&self.bases, offset, &scalars, 0, len, &mut sums).map_err(device)?;
        Ok(sums)
    }
}

fn device(error: library::Error) -> Error {
    Error::Device(Box::new(error))
}
