//! GWC (ePrint 2019/953, §5): for each point one quotient of all that is opened there.

use halo2_axiom::{
    halo2curves::bn256::{Bn256, Fr, G1Affine},
    poly::kzg::multiopen::ProverGWC,
    transcript::{EncodedChallenge, TranscriptWrite},
};

use crate::{
    error::Result,
    multiopen::{Open, Query, Tools},
    plan::Scheme,
    secret::SecretColumn,
};

#[expect(private_interfaces, reason = "as the trait's")]
impl Open for ProverGWC<'_, Bn256> {
    const SCHEME: Scheme = Scheme::Gwc;

    fn open<E: EncodedChallenge<G1Affine>, T: TranscriptWrite<G1Affine, E>>(
        tools: &Tools<'_>,
        queries: &[Query<'_>],
        transcript: &mut T,
    ) -> Result<()> {
        let v: Fr = *transcript.squeeze_challenge_scalar::<()>();
        let engine = tools.engine;
        let mut by_point: Vec<(Fr, Vec<&Query<'_>>)> = Vec::new();
        for query in queries {
            match by_point.iter_mut().find(|(point, _)| *point == query.point) {
                Some((_, queries)) => queries.push(query),
                None => by_point.push((query.point, vec![query])),
            }
        }
        let mut witnesses = Vec::with_capacity(by_point.len());
        for (point, queries) in by_point {
            let polys: Vec<_> = queries.iter().map(|query| query.coefficients).collect();
            let values: Vec<[Fr; 1]> = queries.iter().map(|query| [query.value]).collect();
            let low: Vec<&[Fr]> = values.iter().map(<[Fr; 1]>::as_slice).collect();
            let mut witness = SecretColumn::new(engine.context(), tools.srs.points())?;
            engine.fold(&polys, v, Some(&low), &mut witness)?;
            engine.divide_exactly(&mut witness, &[point])?;
            witnesses.push(witness);
        }
        let columns: Vec<_> = witnesses.iter().map(|witness| &**witness).collect();
        tools.commit(&columns, transcript)
    }
}
