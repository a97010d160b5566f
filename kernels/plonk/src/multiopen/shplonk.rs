//! SHPLONK (ePrint 2020/081): polynomials are grouped by the set of points that they are opened at.

use std::collections::{BTreeMap, BTreeSet};

use halo2_axiom::{
    arithmetic::lagrange_interpolate,
    halo2curves::{
        bn256::{Bn256, Fr, G1Affine},
        ff::Field,
    },
    poly::kzg::multiopen::ProverSHPLONK,
    transcript::{EncodedChallenge, TranscriptWrite},
};
use zkaccel::{Buffer, Context};

use crate::{
    engine::Engine,
    error::Result,
    multiopen::{Open, Query, Tools},
    plan::Scheme,
    secret::SecretColumn,
};

/// Polynomials that are opened at one set of points, in the order of their first queries.
struct PointSet<'p> {
    rotations: BTreeSet<i32>,
    points: Vec<Fr>,
    polys: Vec<&'p Buffer<Fr>>,
    /// For each polynomial the coefficients of the one through its values.
    interpolated: Vec<Vec<Fr>>,
}

#[expect(private_interfaces, reason = "as the trait's")]
impl Open for ProverSHPLONK<'_, Bn256> {
    const SCHEME: Scheme = Scheme::Shplonk;

    fn open<E: EncodedChallenge<G1Affine>, T: TranscriptWrite<G1Affine, E>>(
        tools: &Tools<'_>,
        queries: &[Query<'_>],
        transcript: &mut T,
    ) -> Result<()> {
        let (engine, context, n) = (tools.engine, tools.engine.context(), tools.srs.points());
        let y: Fr = *transcript.squeeze_challenge_scalar::<()>();
        let v: Fr = *transcript.squeeze_challenge_scalar::<()>();
        let points: BTreeMap<i32, Fr> = queries.iter().map(|query| (query.rotation, query.point)).collect();
        let sets = group(queries, &points);

        // Of each set the polynomials P by powers of y; N = the same of P - R, divided by the set's points.
        let sums = sets.iter().map(|set| fold(engine, n, &set.polys, y)).collect::<Result<Vec<_>>>()?;
        let mut quotients = Vec::with_capacity(sets.len());
        for (set, sum) in sets.iter().zip(&sums) {
            let mut quotient = SecretColumn::new(context, n)?;
            context.at_once().copy(sum, 0, &mut quotient, 0, n)?;
            subtract_low(context, &mut quotient, &horner(&set.interpolated, y))?;
            engine.divide_exactly(&mut quotient, &set.points)?;
            quotients.push(quotient);
        }
        let h = fold(engine, n, &quotients.iter().map(|quotient| &**quotient).collect::<Vec<_>>(), v)?;
        drop(quotients);
        tools.commit(&[&h], transcript)?;
        let u: Fr = *transcript.squeeze_challenge_scalar::<()>();

        // L = sum of v^i z_i (N_i with R at u) - z h, which is 0 at u.
        let vanishing =
            |of: &mut dyn Iterator<Item = Fr>| of.fold(Fr::ONE, |product, point| product * (u - point));
        let differences: Vec<Fr> = sets
            .iter()
            .map(|set| {
                let others = points.iter().filter(|(rotation, _)| !set.rotations.contains(rotation));
                vanishing(&mut others.map(|(_, point)| *point))
            })
            .collect();
        let all = vanishing(&mut points.values().copied());
        let mut linear = SecretColumn::new(context, n)?;
        engine.scale_add(-all, &h, &mut linear)?;
        let (mut power, mut constant) = (Fr::ONE, Fr::ZERO);
        for ((set, mut sum), difference) in sets.iter().zip(sums).zip(&differences) {
            let at_u = at(&horner(&set.interpolated, y), u);
            constant += power * difference * at_u;
            engine.scale_add_to(power * difference, &mut sum, Some(&linear))?;
            linear = sum;
            power *= v;
        }
        subtract_low(context, &mut linear, &[constant])?;
        engine.divide_exactly(&mut linear, &[u])?;
        // As halo2 has it, by the factor of the first set.
        let factor = differences.first().and_then(|first| Option::from(first.invert())).unwrap_or(Fr::ONE);
        engine.scale_add_to(factor, &mut linear, None)?;
        tools.commit(&[&linear], transcript)
    }
}

fn group<'p>(queries: &[Query<'p>], points: &BTreeMap<i32, Fr>) -> Vec<PointSet<'p>> {
    // Polynomials in the order of their first queries, with their values by rotation.
    let mut polys: Vec<(usize, &'p Buffer<Fr>, BTreeMap<i32, Fr>)> = Vec::new();
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    for query in queries {
        let place = *places.entry(query.poly).or_insert_with(|| {
            polys.push((query.poly, query.coefficients, BTreeMap::new()));
            polys.len() - 1
        });
        polys[place].2.insert(query.rotation, query.value);
    }
    let mut sets: Vec<PointSet<'p>> = Vec::new();
    for (_, poly, values) in polys {
        let rotations: BTreeSet<i32> = values.keys().copied().collect();
        let place = sets.iter().position(|set| set.rotations == rotations).unwrap_or_else(|| {
            let points = rotations.iter().map(|rotation| points[rotation]).collect();
            sets.push(PointSet { rotations, points, polys: Vec::new(), interpolated: Vec::new() });
            sets.len() - 1
        });
        let set = &mut sets[place];
        let values: Vec<Fr> = values.into_values().collect();
        set.interpolated.push(lagrange_interpolate(&set.points, &values));
        set.polys.push(poly);
    }
    sets
}

/// The sum of the polynomials by powers of the factor.
fn fold(engine: &Engine<'_>, n: usize, polys: &[&Buffer<Fr>], factor: Fr) -> Result<SecretColumn> {
    let mut sum = SecretColumn::new(engine.context(), n)?;
    engine.fold(polys, factor, None, &mut sum)?;
    Ok(sum)
}

/// The same of short polynomials.
fn horner(polys: &[Vec<Fr>], factor: Fr) -> Vec<Fr> {
    let mut sum = vec![Fr::ZERO; polys.iter().map(Vec::len).max().unwrap_or(0)];
    for poly in polys.iter().rev() {
        for coefficient in &mut sum {
            *coefficient *= factor;
        }
        for (sum, coefficient) in sum.iter_mut().zip(poly) {
            *sum += coefficient;
        }
    }
    sum
}

fn at(poly: &[Fr], point: Fr) -> Fr {
    poly.iter().rev().fold(Fr::ZERO, |value, coefficient| value * point + coefficient)
}

/// Subtracts a polynomial of a few coefficients.
fn subtract_low(context: &Context, poly: &mut Buffer<Fr>, low: &[Fr]) -> Result<()> {
    let mut coefficients = vec![Fr::ZERO; low.len()];
    context.at_once().read(poly, 0, &mut coefficients)?;
    for (coefficient, low) in coefficients.iter_mut().zip(low) {
        *coefficient -= low;
    }
    Ok(context.at_once().write(poly, 0, &coefficients)?)
}
