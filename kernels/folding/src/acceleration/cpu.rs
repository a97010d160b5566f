//! The sums and transforms on the processor.

use halo2curves::fft::best_fft;

use super::error::{check_lengths, check_range};
use super::msm::{Table, msm};
use super::transform::{Domain, scale};
use super::{Accelerator, Bases, Direction, Error};
use crate::commitment::Curve;

/// The most terms of a sum on the processor: as many as the largest commitment key has points.
pub const TERMS_MAX: usize = 1 << crate::commitment::KEY_SIZE_MAX;

/// On the threads of the current `rayon` pool: sums by this library, transforms by `halo2curves`.
///
/// Of bases that it keeps it computes multiples, which take 20 to 30 times the memory of the bases, 1.3 KB to 2 KB each.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cpu;

impl<C: Curve> Accelerator<C> for Cpu {
    fn msm(&self, scalars: &[C::Scalar], bases: &[C]) -> Result<C::Curve, Error> {
        check_lengths(scalars.len(), bases.len())?;
        check_terms(bases.len())?;
        Ok(msm(scalars, bases))
    }

    fn keep(&self, bases: &[C]) -> Result<Box<dyn Bases<C>>, Error> {
        check_terms(bases.len())?;
        Ok(Box::new(Table::new(bases)))
    }

    fn transform(&self, elements: &mut [C::Scalar], direction: Direction) -> Result<(), Error> {
        let domain = Domain::<C::Scalar>::new(elements.len())?;
        match direction {
            Direction::Forward => best_fft(elements, domain.omega, domain.k),
            Direction::Inverse => {
                best_fft(elements, domain.omega_inverse(), domain.k);
                scale(elements, domain.len_inverse());
            }
        }
        Ok(())
    }
}

impl<C: Curve> Bases<C> for Table<C> {
    fn len(&self) -> usize {
        self.len()
    }

    fn msm(&self, offset: usize, scalars: &[C::Scalar]) -> Result<C::Curve, Error> {
        check_range(offset, scalars.len(), self.len())?;
        Ok(self.msm(offset, scalars))
    }
}

/// Places of terms, and of their multiples, have to fit the numbers that the sums keep them in.
fn check_terms(terms: usize) -> Result<(), Error> {
    if terms > TERMS_MAX { Err(Error::Terms { terms, max: TERMS_MAX }) } else { Ok(()) }
}
