use std::sync::{Arc, Mutex};

use halo2curves::bn256::Fr;

use super::*;
use crate::workloads::trivial::Trivial;

/// Proves nothing, and returns what a test sets.
struct Fake {
    name: &'static str,
    calls: Arc<Mutex<String>>,
    z: u64,
    /// What it takes for the number of steps, given how many it made.
    accepts: fn(usize, usize) -> bool,
    steps: usize,
}

impl Fake {
    fn honest(name: &'static str) -> Self {
        Self { name, calls: Arc::default(), z: 2, accepts: |made, requested| made == requested, steps: 0 }
    }

    fn verified(&self, steps: usize) -> Result<Vec<Fr>, Error> {
        if (self.accepts)(self.steps, steps) { self.z() } else { Err(Error::NotReady(self.name)) }
    }
}

impl Side<Trivial> for Fake {
    fn name(&self) -> &'static str {
        self.name
    }

    fn setup(&mut self, (): &()) -> Result<String, Error> {
        Ok(String::new())
    }

    fn step(&mut self, (): &()) -> Result<(), Error> {
        self.steps += 1;
        self.calls.lock().expect("no test panics with it").push_str(self.name);
        Ok(())
    }

    fn z(&self) -> Result<Vec<Fr>, Error> {
        Ok(vec![Fr::from(self.z)])
    }

    fn verify(&self, steps: usize) -> Result<Vec<Fr>, Error> {
        self.verified(steps)
    }

    fn setup_compress(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn compress(&self) -> Result<Vec<u8>, Error> {
        Ok(vec![0; 7])
    }

    fn verify_compressed(&self, _proof: &[u8], steps: usize) -> Result<Vec<Fr>, Error> {
        self.verified(steps)
    }
}

fn contest(sides: Vec<Fake>) -> Contest<'static, Trivial> {
    Contest {
        named: Named::Trivial,
        of: Of::new(Named::Trivial, &Trivial, 1),
        sides: sides.into_iter().map(|side| Box::new(side) as Box<dyn Side<Trivial>>).collect(),
        twin: Twin::new(&Trivial),
    }
}

#[test]
fn sides_take_turns_and_every_other_turn_goes_backwards() {
    let calls: Arc<Mutex<String>> = Arc::default();
    let of = |name| Fake { calls: Arc::clone(&calls), ..Fake::honest(name) };
    let mut contest = contest(vec![of("a"), of("b")]);
    let costs = contest.steps(3, "steps").expect("both are honest");
    assert_eq!(*calls.lock().expect("as above"), "abbaab");
    assert_eq!(costs.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
}

#[test]
fn a_side_that_computes_something_else_ends_the_run() {
    let wrong = Fake { z: 3, ..Fake::honest("wrong") };
    let why = contest(vec![Fake::honest("right"), wrong]).steps(1, "steps");
    assert!(matches!(why, Err(Error::WrongOutput { side: "wrong", .. })));
}

#[test]
fn a_side_that_accepts_another_number_of_steps_ends_the_run() {
    let takers: [fn(usize, usize) -> bool; 2] =
        [|made, requested| requested <= made, |made, requested| requested >= made];
    for accepts in takers {
        let mut contest = contest(vec![Fake::honest("honest"), Fake { accepts, ..Fake::honest("lax") }]);
        contest.steps(4, "steps").expect("what they compute is right");
        let why = contest.check_verification();
        assert!(matches!(why, Err(Error::AcceptsWrongCount { side: "lax", what: "verify", .. })));
        let why = contest.compression(1);
        assert!(matches!(why, Err(Error::AcceptsWrongCount { side: "lax", what: "verify compressed", .. })));
    }
}

#[test]
fn a_side_that_refuses_its_own_steps_ends_the_run() {
    let mut contest = contest(vec![Fake { accepts: |_, _| false, ..Fake::honest("broken") }]);
    contest.steps(2, "steps").expect("what it computes is right");
    assert!(contest.check_verification().is_err());
}
