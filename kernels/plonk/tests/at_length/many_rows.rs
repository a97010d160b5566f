//! Proofs of 2^17 rows: how soon they end when they are cancelled, how their progress follows the time, and what they take.

use std::{
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use elastic_plonk::{Cancellation, Error, Prover, Stage, Stages};
use halo2_axiom::{halo2curves::bn256::Fr, transcript::TranscriptWriterBuffer};
use zkaccel::Config;

use crate::support::{
    Setup, Shplonk, Writer, borrowed,
    following::Following,
    mixed::{Mixed, Shape},
    rng,
};

const K: u32 = 17;
const SHAPE: Shape = Shape { steps: 100_000, challenge: false, ..Shape::ALL };

#[test]
fn proofs_of_many_rows_are_followed_and_cancelled() {
    let setup = Setup::new(K, &Mixed::shape(SHAPE));
    let plan = Prover::plan(&Config::default(), &setup.key, 1).expect("a plan");
    let mut following = Following::to_the_end();
    prove(&setup, &mut following).expect("a proof");
    let used = setup.prover.context().memory().expect("counts").peak;
    println!("peak {} of {} bytes planned", used.host, plan.peak.host);
    assert!(used.host <= plan.peak.host && plan.peak.host <= used.host + used.host / 8);
    let all = following.reports.last().expect("reports").1.as_secs_f64();
    let off = |&(fraction, at): &(f64, Duration)| (fraction - at.as_secs_f64() / all).abs();
    let most = following.reports.iter().map(off).fold(0.0, f64::max);
    println!("a proof of 2^{K} rows takes {all:.2} s; its progress is off by {most:.2} at most");
    for report in following.reports.iter().step_by(following.reports.len() / 24 + 1) {
        println!("  {:.3} at {:.3}", report.0, report.1.as_secs_f64() / all);
    }
    assert!(most < 0.3);

    let (mut longest, mut count) = (Duration::ZERO, 0);
    for part in 0..24 {
        let after = Duration::from_secs_f64(all * f64::from(part) / 25.0);
        // This one may have been faster.
        let Some(took) = cancelled_after(&setup, after) else { break };
        println!(
            "cancelled {:.2} s after it began, it ended in {:.1} ms",
            after.as_secs_f64(),
            took.as_secs_f64() * 1e3
        );
        longest = longest.max(took);
        count += 1;
    }
    // Where others have the processor, that takes longer, as the whole proof does.
    let most = Duration::from_millis(100).max(Duration::from_secs_f64(all / 20.0));
    assert!(count > 12 && longest < most, "{count}, {longest:?} of {most:?}");
    prove(&setup, &mut ()).expect("a proof");
}

fn prove(setup: &Setup, stages: &mut dyn Stages) -> Result<(), Error> {
    let circuit = Mixed::new(SHAPE, Fr::from(3));
    let instances = [circuit.instances()];
    let mut transcript = Writer::init(Vec::new());
    borrowed(&instances, |instances| {
        setup.prover.prove_with::<Shplonk, _, _, _>(&[circuit], instances, rng(1), &mut transcript, stages)
    })
}

/// How long it takes a proof to end, if it has not when it is cancelled.
fn cancelled_after(setup: &Setup, after: Duration) -> Option<Duration> {
    struct Cancelled(Cancellation);
    impl Stages for Cancelled {
        fn ended(&mut self, _: Stage, _: Duration) {}
        fn cancellation(&self) -> Cancellation {
            self.0.clone()
        }
    }
    let cancellation = Cancellation::new();
    let (ended, ends) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let canceller = cancellation.clone();
        let cancelled = scope.spawn(move || {
            // Or when the proof has ended.
            let _ = ends.recv_timeout(after);
            let now = Instant::now();
            canceller.cancel();
            now
        });
        let result = prove(setup, &mut Cancelled(cancellation));
        let now = Instant::now();
        drop(ended);
        let cancelled = cancelled.join().expect("a time");
        match result {
            Ok(()) => None,
            Err(Error::Cancelled) => Some(now - cancelled),
            Err(other) => panic!("after {after:?}: {other}"),
        }
    })
}
