//! Proofs that are followed, and cancelled.

use std::{sync::mpsc, thread, time::Duration};

use elastic_plonk::{Cancellation, Error, Stage, Stages};
use halo2_axiom::{halo2curves::bn256::Fr, transcript::TranscriptWriterBuffer};

use crate::support::{
    Setup, Shplonk, Writer, borrowed,
    following::Following,
    mixed::{Mixed, Shape},
    rng,
};

fn prove(setup: &Setup, circuits: &[Mixed], stages: &mut dyn Stages) -> Result<Vec<u8>, Error> {
    let instances: Vec<_> = circuits.iter().map(Mixed::instances).collect();
    let mut transcript = Writer::init(Vec::new());
    borrowed(&instances, |instances| {
        setup.prover.prove_with::<Shplonk, _, _, _>(circuits, instances, rng(1), &mut transcript, stages)
    })?;
    Ok(transcript.finalize())
}

#[test]
fn progress_rises_to_one_in_the_order_of_stages() {
    struct Reports(Vec<(usize, f64)>);
    impl Stages for Reports {
        fn ended(&mut self, _: Stage, _: Duration) {}
        fn progressed(&mut self, stage: Stage, fraction: f64) {
            self.0.push((stage as usize, fraction));
        }
    }
    for (shape, circuits) in
        [(Shape::NONE, 1), (Shape::ALL, 1), (Shape { challenge: false, ..Shape::ALL }, 3)]
    {
        let setup = Setup::new(6, &Mixed::shape(shape));
        let circuits: Vec<_> = (0..circuits).map(|start| Mixed::new(shape, Fr::from(start))).collect();
        let mut reports = Reports(Vec::new());
        prove(&setup, &circuits, &mut reports).expect("a proof");
        let Reports(reports) = reports;
        assert!(reports.len() > 20, "{reports:?}");
        assert!(reports.windows(2).all(|two| two[0].1 <= two[1].1 && two[0].0 <= two[1].0), "{reports:?}");
        assert!(reports.last().is_some_and(|last| (last.1 - 1.0).abs() < 1e-9), "{reports:?}");
    }
}

#[test]
fn proof_is_cancelled_at_any_point_and_the_next_one_is_made() {
    let setup = Setup::new(6, &Mixed::shape(Shape::ALL));
    let circuits = [Mixed::new(Shape::ALL, Fr::from(3))];
    let proof = prove(&setup, &circuits, &mut ()).expect("a proof");
    let before = setup.prover.context().memory().expect("counts").now;
    for percent in 0..100 {
        let mut following = Following::until(f64::from(percent) / 100.0);
        let result = prove(&setup, &circuits, &mut following);
        assert!(matches!(result, Err(Error::Cancelled)), "{percent}: {result:?}");
        assert_eq!(setup.prover.context().memory().expect("counts").now, before);
    }
    assert_eq!(prove(&setup, &circuits, &mut ()).expect("a proof"), proof);
}

#[test]
fn cancellation_before_the_proof_ends_it_before_the_circuit_is_synthesized() {
    let setup = Setup::new(6, &Mixed::shape(Shape::ALL));
    let mut following = Following::to_the_end();
    following.cancellation.cancel();
    // The witness is not known, which is no matter then.
    let result = prove(&setup, &[Mixed::shape(Shape::ALL)], &mut following);
    assert!(matches!(result, Err(Error::Cancelled)), "{result:?}");
    assert!(following.cancellation.is_cancelled() && following.reports.is_empty());
}

#[test]
fn another_thread_cancels_a_call_that_is_under_way() {
    struct Signal(Cancellation, mpsc::Sender<()>);
    impl Stages for Signal {
        fn ended(&mut self, stage: Stage, _: Duration) {
            if stage == Stage::Products {
                self.1.send(()).expect("somebody listens");
            }
        }
        fn cancellation(&self) -> Cancellation {
            self.0.clone()
        }
    }
    let shape = Shape { challenge: false, ..Shape::ALL };
    let setup = Setup::new(12, &Mixed::shape(shape));
    let circuits: Vec<_> = (0..4).map(|start| Mixed::new(shape, Fr::from(start))).collect();
    let proof = prove(&setup, &circuits, &mut ()).expect("a proof");
    let (cancellation, (signal, signalled)) = (Cancellation::new(), mpsc::channel());
    let result = thread::scope(|scope| {
        let canceller = cancellation.clone();
        scope.spawn(move || {
            signalled.recv().expect("the proof gets as far");
            canceller.cancel();
        });
        prove(&setup, &circuits, &mut Signal(cancellation, signal))
    });
    assert!(matches!(result, Err(Error::Cancelled)), "{:?}", result.map(|proof| proof.len()));
    assert_eq!(prove(&setup, &circuits, &mut ()).expect("a proof"), proof);
}
