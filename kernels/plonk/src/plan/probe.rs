//! Queries the acceleration library for what its operations take, in a context that holds nothing else.

use halo2_axiom::halo2curves::bn256::{Fr, G1Affine};
use zkaccel::{Bases, BasesOptions, Bytes, Config, Context, Domain};

use crate::{
    error::Result,
    key::{Programs, Shape},
};

/// What operations in a context take.
pub(crate) struct Device<'a> {
    pub(crate) context: &'a Context,
    pub(crate) bases: &'a Bases<G1Affine>,
    pub(crate) domain: &'a Domain,
    /// A sum's scratch at the least, if it can be reduced.
    pub(crate) msm_least: Option<Bytes>,
}

/// A context for queries.
pub(crate) struct Probe {
    context: Context,
    bases: Bases<G1Affine>,
    domain: Domain,
    msm_least: Option<Bytes>,
}

impl Probe {
    pub(crate) fn new(config: &Config, shape: &Shape) -> Result<Self> {
        let context = Context::new(&Config { host_bytes_max: 0, device_bytes_max: 0, ..*config })?;
        let points = vec![G1Affine::default(); shape.rows];
        let options = BasesOptions { check: false, ..BasesOptions::default() };
        let device_bytes = Bases::<G1Affine>::bytes(&context, shape.rows, options.precompute)?.device;
        // A GPU's sums take what there is: next to a table that takes all of it, the least.
        let msm_least = if device_bytes == 0 {
            None
        } else {
            let full =
                Context::new(&Config { host_bytes_max: 0, device_bytes_max: device_bytes, ..*config })?;
            Some(Bases::new(&full, &points, options)?.msm_bytes(shape.rows, 1)?)
        };
        let bases = Bases::new(&context, &points, options)?;
        let domain = Domain::new(&context, shape.k, shape.k)?;
        Ok(Self { context, bases, domain, msm_least })
    }

    pub(crate) fn programs(&self, shape: &Shape, columns_max: usize) -> Result<Programs> {
        Programs::new(&self.context, shape, columns_max)
    }

    /// What programs, which are all that there are in this context, hold.
    pub(crate) fn program_bytes(&self, _: &Programs) -> Result<Bytes> {
        let now = self.context.memory()?.now;
        let tables = Bases::<G1Affine>::bytes(&self.context, self.bases.len(), 0)?;
        let domain = Domain::bytes(&self.context, self.domain.k(), self.domain.k())?;
        let rest = |now: u64, known: [u64; 2]| known.into_iter().fold(now, u64::saturating_sub);
        Ok(Bytes {
            host: rest(now.host, [tables.host, domain.host]),
            device: rest(now.device, [tables.device, domain.device]),
        })
    }

    pub(crate) fn device(&self) -> Device<'_> {
        Device { context: &self.context, bases: &self.bases, domain: &self.domain, msm_least: self.msm_least }
    }
}

impl Device<'_> {
    /// A column of elements.
    pub(crate) fn column(&self, n: usize) -> Bytes {
        let bytes = (n * size_of::<Fr>()).next_multiple_of(64) as u64;
        if self.msm_least.is_some() {
            Bytes { host: 0, device: bytes }
        } else {
            Bytes { host: bytes, device: 0 }
        }
    }
}
