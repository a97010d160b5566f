//! The Poseidon oracle of tests that watch what is absorbed and squeezed, in circuits and off them.

use std::sync::{Arc, Mutex};

use halo2curves::ff::PrimeField;

use super::{
    CircuitOracle, CircuitOracleFor, CircuitSponge, Error, RandomOracle, RandomOracleFor, Spec, Sponge, Tag,
};
use crate::circuit::{Circuit, Linear};

/// The oracle of width 5, watched.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WatchedRo {}

/// What went in or came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Event<F> {
    Absorbed(F),
    Squeezed(F),
}

/// One transcript from its start on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen<F> {
    pub(crate) tag: Tag,
    pub(crate) in_circuit: bool,
    pub(crate) events: Vec<Event<F>>,
}

/// The oracle's constants, and all transcripts since they were requested; none are recorded before.
#[derive(Clone, Debug)]
pub(crate) struct Watched<F: PrimeField> {
    pub(crate) spec: Spec<F, 5, 4>,
    seen: Arc<Mutex<Option<Vec<Seen<F>>>>>,
}

impl<F: PrimeField> Watched<F> {
    /// Watches from now on; gives what was seen since the last call.
    pub(crate) fn take(&self) -> Vec<Seen<F>> {
        self.seen.lock().unwrap().replace(Vec::new()).unwrap_or_default()
    }

    fn start(&self, tag: Tag, in_circuit: bool) -> Watcher<F> {
        let mut seen = self.seen.lock().unwrap();
        let number = seen.as_mut().map(|seen| {
            seen.push(Seen { tag, in_circuit, events: Vec::new() });
            seen.len() - 1
        });
        Watcher { watched: self.clone(), number }
    }
}

/// The eye on one transcript.
#[derive(Clone, Debug)]
pub(crate) struct Watcher<F: PrimeField> {
    watched: Watched<F>,
    number: Option<usize>,
}

impl<F: PrimeField> Watcher<F> {
    fn note(&self, event: Event<F>) {
        if let Some(number) = self.number {
            let mut seen = self.watched.seen.lock().unwrap();
            seen.as_mut().unwrap()[number].events.push(event);
        }
    }
}

/// A sponge under watch.
#[derive(Clone, Debug)]
pub(crate) struct WatchedSponge<F: PrimeField, S> {
    watcher: Watcher<F>,
    sponge: S,
}

impl<F: PrimeField> RandomOracle<F> for WatchedSponge<F, Sponge<F, 5, 4>> {
    fn absorb(&mut self, element: F) {
        self.watcher.note(Event::Absorbed(element));
        self.sponge.absorb(element);
    }

    fn squeeze(&mut self) -> F {
        let squeezed = self.sponge.squeeze();
        self.watcher.note(Event::Squeezed(squeezed));
        squeezed
    }
}

impl<F: PrimeField> CircuitOracle<F> for WatchedSponge<F, CircuitSponge<F, 5, 4>> {
    fn absorb(&mut self, circuit: &mut Circuit<F>, element: &Linear<F>) {
        self.watcher.note(Event::Absorbed(element.value()));
        self.sponge.absorb(circuit, element);
    }

    fn squeeze(&mut self, circuit: &mut Circuit<F>) -> Linear<F> {
        let squeezed = self.sponge.squeeze(circuit);
        self.watcher.note(Event::Squeezed(squeezed.value()));
        squeezed
    }
}

impl<F: PrimeField> RandomOracleFor<F> for WatchedRo {
    type Constants = Watched<F>;
    type Oracle = WatchedSponge<F, Sponge<F, 5, 4>>;

    fn reference() -> Result<Watched<F>, Error> {
        Ok(Watched { spec: Spec::reference()?, seen: Arc::default() })
    }

    fn is_below_reference(constants: &Watched<F>) -> bool {
        constants.spec.is_below_reference()
    }

    fn digest(constants: &Watched<F>) -> [u8; 32] {
        constants.spec.digest()
    }

    fn start(constants: &Watched<F>, tag: Tag) -> Self::Oracle {
        WatchedSponge { watcher: constants.start(tag, false), sponge: Sponge::new(&constants.spec, tag) }
    }
}

impl<F: PrimeField> CircuitOracleFor<F> for WatchedRo {
    type InCircuit = WatchedSponge<F, CircuitSponge<F, 5, 4>>;

    fn start_in_circuit(constants: &Watched<F>, tag: Tag, boxes: usize) -> Self::InCircuit {
        let sponge = CircuitSponge::new(&constants.spec, tag, boxes);
        WatchedSponge { watcher: constants.start(tag, true), sponge }
    }
}
