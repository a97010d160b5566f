//! The set-up parameters as resident tables, and commitments over them.

use std::io;

use halo2_axiom::{
    SerdeFormat,
    halo2curves::{
        bn256::{Bn256, Fr, G1, G1Affine},
        group::Group,
        serde::SerdeObject,
    },
    poly::{
        commitment::{Params, ParamsProver},
        kzg::commitment::ParamsKZG,
    },
};
use zkaccel::{Backend, Bases, BasesOptions, Buffer, Bytes, Config, Context, Domain, Isa};

use crate::{
    engine::Engine,
    error::{Error, Result},
    plan::Device,
};

/// KZG's set-up parameters in the memory of a backend, for all keys of one size. It is made once.
#[derive(Debug)]
pub struct Srs {
    context: Context,
    config: Config,
    k: u32,
    points: usize,
    monomial: Bases<G1Affine>,
    lagrange: Bases<G1Affine>,
}

/// What a column has.
#[derive(Clone, Copy)]
pub(crate) enum Basis {
    Coefficients,
    Values,
}

impl Srs {
    /// In the memory of the best backend that there is: a GPU, or else the CPU.
    ///
    /// # Errors
    ///
    /// [`Error::Accel`]: memory, a device, or a point that is not on the curve.
    pub fn new(params: &ParamsKZG<Bn256>) -> Result<Self> {
        Self::in_context(&Context::new(&Config::default())?, params)
    }

    /// In the memory of a context, which decides on the backend, its threads and its limits.
    ///
    /// # Errors
    ///
    /// As [`Srs::new`].
    pub fn in_context(context: &Context, params: &ParamsKZG<Bn256>) -> Result<Self> {
        let (k, g) = (params.k(), params.get_g());
        let needed = 1usize << k;
        if g.len() < needed {
            return Err(Error::SrsTooSmall { k, needed, points: g.len() });
        }
        let lagrange = LagrangePoints::of(params)?;
        if lagrange.len() < needed {
            return Err(Error::SrsTooSmall { k, needed, points: lagrange.len() });
        }
        let table = |points: &[G1Affine]| Bases::new(context, points, BasesOptions::default());
        Ok(Self {
            context: context.clone(),
            config: config_of(&context.describe()?),
            k,
            points: needed,
            monomial: table(&g[..needed])?,
            lagrange: table(&lagrange[..needed])?,
        })
    }

    /// The context that the tables are in, and proofs are made in.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The logarithm of the number of rows.
    #[must_use]
    pub fn k(&self) -> u32 {
        self.k
    }

    pub(crate) fn points(&self) -> usize {
        self.points
    }

    /// Of its context, as far as it is known.
    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// What operations take here.
    pub(crate) fn device<'a>(&'a self, domain: &'a Domain) -> Device<'a> {
        Device { context: &self.context, bases: &self.monomial, domain, msm_least: None }
    }

    /// Bytes of the tables.
    pub(crate) fn bytes(&self) -> Result<Bytes> {
        let table = Bases::<G1Affine>::bytes(&self.context, self.points, 0)?;
        Ok(Bytes { host: 2 * table.host, device: 2 * table.device })
    }

    /// A commitment to each of the columns, which all have as many elements as there are points. KZG's commitments have no
    /// blinding factors: what blinds is in the columns.
    pub(crate) fn commit(
        &self,
        engine: &Engine<'_>,
        staged: usize,
        basis: Basis,
        columns: &[&Buffer<Fr>],
    ) -> Result<Vec<G1Affine>> {
        let (n, context) = (self.points, &self.context);
        let bases = match basis {
            Basis::Coefficients => &self.monomial,
            Basis::Values => &self.lagrange,
        };
        let mut sums = vec![G1::identity(); columns.len()];
        let at_once = staged.clamp(1, columns.len().max(1));
        // Sums of one call come from one buffer.
        let mut staged = match at_once {
            1 => None,
            many => Some(crate::secret::SecretColumn::new(context, many * n)?),
        };
        for (columns, sums) in columns.chunks(at_once).zip(sums.chunks_mut(at_once)) {
            match (columns, &mut staged) {
                ([column], _) => engine.msm(bases, column, sums)?,
                (columns, Some(staged)) => {
                    for (at, column) in columns.iter().enumerate() {
                        context.at_once().copy(column, 0, staged, at * n, n)?;
                    }
                    engine.msm(bases, staged, sums)?;
                }
                (_, None) => {}
            }
        }
        let mut commitments = vec![G1Affine::default(); sums.len()];
        context.to_affine(&sums, &mut commitments)?;
        Ok(commitments)
    }
}

/// The configuration that a context describes itself by. It says nothing of a GPU's number.
fn config_of(description: &str) -> Config {
    let after = |name: &str| {
        let at = description.find(&format!("\"{name}\":"))? + name.len() + 3;
        description.get(at..)
    };
    let number = |name: &str| -> u64 {
        let text = after(name).unwrap_or("");
        let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
        text[..end].parse().unwrap_or(0)
    };
    let says =
        |name: &str, word: &str| after(name).is_some_and(|text| text.starts_with(&format!("\"{word}\"")));
    let on_cpu = says("backend", "cpu");
    let isas = [("portable", Isa::Portable), ("adx", Isa::Adx), ("ifma", Isa::Ifma)];
    Config {
        backend: if on_cpu { Backend::Cpu } else { Backend::Cuda },
        threads: if on_cpu { u32::try_from(number("threads")).unwrap_or(0) } else { 0 },
        isa: isas.into_iter().find(|(name, _)| says("isa", name)).map_or(Isa::Auto, |(_, isa)| isa),
        host_bytes_max: number("host_bytes_max"),
        device_bytes_max: number("device_bytes_max"),
        ..Config::default()
    }
}

/// Takes the Lagrange points, for which there is no getter, out of what the parameters write: their k in four bytes, the
/// powers, the Lagrange points, and points of the other group.
struct LagrangePoints {
    skip: usize,
    partial: Vec<u8>,
    wanted: usize,
    points: Vec<G1Affine>,
}

/// Coordinates of a point as it is written.
const POINT_BYTES: usize = 64;

impl LagrangePoints {
    fn of(params: &ParamsKZG<Bn256>) -> io::Result<Vec<G1Affine>> {
        let powers = params.get_g().len();
        let mut taker = Self {
            skip: size_of::<u32>() + powers * POINT_BYTES,
            partial: Vec::with_capacity(POINT_BYTES),
            wanted: 1 << params.k(),
            points: Vec::with_capacity(1 << params.k()),
        };
        params.write_custom(&mut taker, SerdeFormat::RawBytesUnchecked)?;
        Ok(taker.points)
    }
}

impl io::Write for LagrangePoints {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let skipped = self.skip.min(bytes.len());
        self.skip -= skipped;
        for &byte in &bytes[skipped..] {
            if self.points.len() == self.wanted {
                break;
            }
            self.partial.push(byte);
            if self.partial.len() == POINT_BYTES {
                self.points.push(G1Affine::from_raw_bytes_unchecked(&self.partial));
                self.partial.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
