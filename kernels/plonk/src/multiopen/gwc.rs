//! GWC (ePrint 2019/953, §5): for each point one quotient of all that is opened there.

use halo2_axiom::{
    halo2curves::bn256::{Bn256, Fr, G1Affine},
    poly::kzg::multiopen::ProverGWC,
    transcript::{EncodedChallenge, TranscriptWrite},
};

use crate::{
    error::Result,
    multiopen::{Open, Query},
    secret::SecretColumn,
    srs::{Basis, Srs},
};

#[expect(private_interfaces, reason = "as the trait's")]
impl Open for ProverGWC<'_, Bn256> {
    fn open<E: EncodedChallenge<G1Affine>, T: TranscriptWrite<G1Affine, E>>(
        srs: &Srs,
        queries: &[Query<'_>],
        transcript: &mut T,
    ) -> Result<()> {
        let v: Fr = *transcript.squeeze_challenge_scalar::<()>();
        let context = srs.context();
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
            let mut witness = SecretColumn::new(context, srs.points())?;
            context.at_once().fold(&polys, v, Some(&low), &mut witness)?;
            context.at_once().divide_exactly(&mut witness, srs.points(), &[point])?;
            witnesses.push(witness);
        }
        let columns: Vec<_> = witnesses.iter().map(|witness| &**witness).collect();
        for commitment in srs.commit(Basis::Coefficients, &columns)? {
            transcript.write_point(commitment)?;
        }
        Ok(())
    }
}
