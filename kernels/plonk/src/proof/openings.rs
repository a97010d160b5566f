//! Evaluations of all polynomials, as the transcript has them and as they are opened.

use std::collections::{BTreeMap, BTreeSet};

use halo2_axiom::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::Field,
    },
    transcript::{EncodedChallenge, TranscriptWrite},
};
use rand_core::RngCore;
use zkaccel::Buffer;

use crate::{
    error::{Error, Result},
    multiopen::Query,
    proof::{CircuitColumns, Proof},
    secret::SecretColumn,
};

/// A polynomial at a rotation of x.
type Opening = (usize, i32);

/// All polynomials that are opened, and where.
pub(crate) struct Opened<'c> {
    key_rows: i32,
    polys: Vec<&'c Buffer<Fr>>,
    /// The quotient's pieces by powers of x^n, the second last of the polynomials, and the random one.
    last: [SecretColumn; 2],
    /// In the order of the queries.
    openings: Vec<Opening>,
    points: BTreeMap<i32, Fr>,
    values: BTreeMap<Opening, Fr>,
}

/// Where in `polys` the columns of a circuit begin.
struct Places {
    advice: usize,
    sets: usize,
    lookups: usize,
}

impl<E, R, T> Proof<'_, E, R, T>
where
    E: EncodedChallenge<G1Affine>,
    R: RngCore,
    T: TranscriptWrite<G1Affine, E>,
{
    /// Evaluates all polynomials where they are opened, and writes the values.
    pub(super) fn evaluate<'c>(
        &mut self,
        circuits: &'c [CircuitColumns],
        pieces: Vec<SecretColumn>,
        random_poly: SecretColumn,
        x: Fr,
    ) -> Result<Opened<'c>>
    where
        Self: 'c,
    {
        let key = self.key;
        let (system, last_rotation) = (&key.shape.system, key.shape.last_rotation());
        let mut quotient = SecretColumn::new(self.context(), key.shape.rows)?;
        let xn = x.pow_vartime([key.shape.rows as u64]);
        let parts: Vec<_> = pieces.iter().map(|piece| &**piece).collect();
        self.engine.fold(&parts, xn, None, &mut quotient)?;
        drop(pieces);

        let mut polys: Vec<&'c Buffer<Fr>> = Vec::new();
        let mut openings: Vec<Opening> = Vec::new();
        let mut places = Vec::with_capacity(circuits.len());
        for columns in circuits {
            let advice = polys.len();
            polys.extend(columns.advice.iter().map(|column| &**column));
            let sets = polys.len();
            polys.extend(columns.set_products.iter().map(|column| &**column));
            let lookups = polys.len();
            for lookup in &columns.lookups {
                polys.extend(lookup.product.iter().chain(&lookup.permuted).map(|column| &**column));
            }
            places.push(Places { advice, sets, lookups });

            openings
                .extend(system.advice_queries().iter().map(|&(column, at)| (advice + column.index(), at.0)));
            openings.extend((sets..lookups).flat_map(|set| [(set, 0), (set, 1)]));
            openings.extend((sets..lookups).rev().skip(1).map(|set| (set, last_rotation)));
            for at in 0..columns.lookups.len() {
                let product = lookups + 3 * at;
                let [input, table] = [product + 1, product + 2];
                openings.extend([(product, 0), (input, 0), (table, 0), (input, -1), (product, 1)]);
            }
        }
        let opened = (polys, openings, places);
        self.evaluate_with_common(circuits, opened, [quotient, random_poly], x)
    }

    fn evaluate_with_common<'c>(
        &mut self,
        circuits: &'c [CircuitColumns],
        (mut polys, mut openings, places): (Vec<&'c Buffer<Fr>>, Vec<Opening>, Vec<Places>),
        last: [SecretColumn; 2],
        x: Fr,
    ) -> Result<Opened<'c>>
    where
        Self: 'c,
    {
        let key = self.key;
        let system = &key.shape.system;
        let fixed = polys.len();
        polys.extend(&key.fixed_polys);
        let sigma = polys.len();
        polys.extend(&key.sigma_polys);
        let quotient = polys.len();
        let random = quotient + 1;
        openings.extend(system.fixed_queries().iter().map(|&(column, at)| (fixed + column.index(), at.0)));
        openings.extend((sigma..quotient).map(|poly| (poly, 0)));
        openings.extend([(quotient, 0), (random, 0)]);

        let mut opened = Opened {
            key_rows: i32::try_from(key.shape.rows).unwrap_or(i32::MAX),
            polys,
            last,
            openings,
            points: BTreeMap::new(),
            values: BTreeMap::new(),
        };
        opened.normalise()?;
        opened.points =
            opened.openings.iter().map(|&(_, rotation)| (rotation, key.rotate(x, rotation))).collect();
        opened.evaluate(self)?;

        let advice = places.iter().flat_map(|places| {
            system.advice_queries().iter().map(|&(column, at)| (places.advice + column.index(), at.0))
        });
        let fixed = system.fixed_queries().iter().map(|&(column, at)| (fixed + column.index(), at.0));
        let sets = places.iter().flat_map(|places| {
            (places.sets..places.lookups).flat_map(|set| {
                let ends = (set + 1 < places.lookups).then_some((set, key.shape.last_rotation()));
                [(set, 0), (set, 1)].into_iter().chain(ends)
            })
        });
        let lookups = places.iter().zip(circuits).flat_map(|(places, columns)| {
            (0..columns.lookups.len()).flat_map(|at| {
                let product = places.lookups + 3 * at;
                let [input, table] = [product + 1, product + 2];
                [(product, 0), (product, 1), (input, 0), (input, -1), (table, 0)]
            })
        });
        let common = (sigma..quotient).map(|poly| (poly, 0));
        let written = advice.chain(fixed).chain([(random, 0)]).chain(common).chain(sets).chain(lookups);
        for opening in written {
            self.transcript.write_scalar(opened.value(opening))?;
        }
        Ok(opened)
    }
}

impl Opened<'_> {
    /// Each opening with its polynomial, point and value, in the order of halo2's queries.
    pub(crate) fn queries(&self) -> Vec<Query<'_>> {
        self.openings
            .iter()
            .map(|&(poly, rotation)| Query {
                poly,
                rotation,
                coefficients: self.poly(poly),
                point: self.points[&rotation],
                value: self.values[&(poly, rotation)],
            })
            .collect()
    }

    fn poly(&self, at: usize) -> &Buffer<Fr> {
        match at.checked_sub(self.polys.len()) {
            None => self.polys[at],
            Some(last) => &self.last[last],
        }
    }

    fn value(&self, (poly, rotation): Opening) -> Fr {
        self.values[&(poly, self.normal(rotation))]
    }

    /// Rotations that differ by the number of rows are one.
    fn normal(&self, rotation: i32) -> i32 {
        rotation.rem_euclid(self.key_rows)
    }

    fn normalise(&mut self) -> Result<()> {
        let rows = self.key_rows;
        for (_, rotation) in &mut self.openings {
            *rotation = rotation.rem_euclid(rows);
        }
        let distinct: BTreeSet<_> = self.openings.iter().collect();
        if distinct.len() < self.openings.len() { Err(Error::QueriedTwice) } else { Ok(()) }
    }

    /// All values, by one call for each point.
    fn evaluate<E, R, T>(&mut self, proof: &Proof<'_, E, R, T>) -> Result<()>
    where
        E: EncodedChallenge<G1Affine>,
        R: RngCore,
        T: TranscriptWrite<G1Affine, E>,
    {
        for (&rotation, &point) in &self.points {
            let at_point: Vec<Opening> =
                self.openings.iter().copied().filter(|&(_, of)| of == rotation).collect();
            let polys: Vec<_> = at_point.iter().map(|&(poly, _)| self.poly(poly)).collect();
            let mut values = vec![Fr::ZERO; polys.len()];
            proof.engine.evaluate(&polys, point, &mut values)?;
            self.values.extend(at_point.into_iter().zip(values));
        }
        Ok(())
    }
}
