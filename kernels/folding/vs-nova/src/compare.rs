//! Sides do the same steps in turns, in one process, each checked before it is timed.

use crate::{
    elastic::ElasticWorkload,
    error::Error,
    memory::Memory,
    meter::{Cost, metered},
    nova::NovaWorkload,
    row::Of,
    side::Side,
    sides::NamedSide,
    workload::{Twin, Workload},
    workloads::{Job, Named},
};

const VERIFICATIONS: usize = 5;
const COMPRESSIONS: usize = 3;

/// Whom to measure, and for how long.
pub(crate) struct Compare {
    pub(crate) sides: Vec<NamedSide>,
    pub(crate) threads: usize,
    /// Steps before those that are timed: the first are cheaper, since accumulators begin with zeros.
    pub(crate) warm_up: usize,
    /// Steps that are timed.
    pub(crate) steps: usize,
}

impl Job for Compare {
    fn run<W: NovaWorkload + ElasticWorkload>(&self, named: Named, workload: &W) -> Result<(), Error> {
        let mut contest = Contest {
            named,
            of: Of::new(named, workload, self.threads),
            sides: self.sides.iter().map(|side| side.of(workload)).collect(),
            twin: Twin::new(workload),
        };
        contest.setup(workload)?;
        contest.steps(self.warm_up, "steps to warm up")?;
        contest.check_verification()?;
        let costs = contest.steps(self.steps, "steps")?;
        contest.rows("step", &costs)?;
        contest.verification()?;
        contest.compression(COMPRESSIONS.min(self.steps))?;
        for &side in &self.sides {
            contest.report(side.argument(), "memory, in a separate process");
            Memory { side, threads: self.threads }.in_child(named)?;
        }
        Ok(())
    }
}

/// Sides in the midst of a workload.
struct Contest<'a, W: Workload> {
    named: Named,
    of: Of,
    sides: Vec<Box<dyn Side<W>>>,
    twin: Twin<'a, W>,
}

impl<W: Workload> Contest<'_, W> {
    fn setup(&mut self, workload: &W) -> Result<(), Error> {
        let first = Twin::new(workload).advance();
        let costs = self.turns(1, "set-up", |contest, at| {
            let (made, cost) = metered(|| contest.sides[at].setup(&first))?;
            contest.report(contest.sides[at].name(), &made);
            Ok(cost)
        })?;
        self.rows("set-up", &costs)
    }

    /// Steps of all sides, each with the output of the plain function.
    fn steps(&mut self, count: usize, what: &str) -> Result<Vec<Vec<Cost>>, Error> {
        self.report("all", &format!("{count} {what}"));
        let mut costs = vec![Vec::with_capacity(count); self.sides.len()];
        for round in 0..count {
            let advice = self.twin.advance();
            for at in order(self.sides.len(), round) {
                let side = &mut self.sides[at];
                let ((), cost) = metered(|| side.step(&advice))?;
                costs[at].push(cost);
                same(side.name(), &side.z()?, &self.twin)?;
            }
        }
        Ok(costs)
    }

    fn check_verification(&self) -> Result<(), Error> {
        let steps = self.twin.steps();
        for side in &self.sides {
            same(side.name(), &side.verify(steps)?, &self.twin)?;
            refuses(side.name(), "verify", steps, |steps| side.verify(steps).is_ok())?;
        }
        Ok(())
    }

    fn verification(&mut self) -> Result<(), Error> {
        let steps = self.twin.steps();
        let costs = self.turns(VERIFICATIONS, "verification", |contest, at| {
            let side = &contest.sides[at];
            let (z, cost) = metered(|| side.verify(steps))?;
            same(side.name(), &z, &contest.twin)?;
            Ok(cost)
        })?;
        self.rows("verify", &costs)
    }

    /// All about succinct proofs. The last one of each side is verified.
    fn compression(&mut self, count: usize) -> Result<(), Error> {
        let steps = self.twin.steps();
        let costs = self.turns(1, "set-up of compression", |contest, at| {
            Ok(metered(|| contest.sides[at].setup_compress())?.1)
        })?;
        self.rows("compress set-up", &costs)?;
        let mut proofs = vec![Vec::new(); self.sides.len()];
        let costs = self.turns(count, "compression", |contest, at| {
            let (proof, cost) = metered(|| contest.sides[at].compress())?;
            proofs[at] = proof;
            Ok(cost)
        })?;
        self.rows("compress", &costs)?;
        for (side, proof) in self.sides.iter().zip(&proofs) {
            refuses(side.name(), "verify compressed", steps, |steps| {
                side.verify_compressed(proof, steps).is_ok()
            })?;
            #[expect(clippy::cast_precision_loss, reason = "proofs are kilobytes")]
            self.of.values(side.name(), "compressed size", "bytes", vec![proof.len() as f64])?;
        }
        let costs = self.turns(VERIFICATIONS, "verification of succinct proofs", |contest, at| {
            let side = &contest.sides[at];
            let (z, cost) = metered(|| side.verify_compressed(&proofs[at], steps))?;
            same(side.name(), &z, &contest.twin)?;
            Ok(cost)
        })?;
        self.rows("verify compressed", &costs)
    }

    /// Costs of each side, of so many rounds of turns.
    fn turns(
        &mut self,
        rounds: usize,
        what: &str,
        mut turn: impl FnMut(&mut Self, usize) -> Result<Cost, Error>,
    ) -> Result<Vec<Vec<Cost>>, Error> {
        self.report("all", what);
        let mut costs = vec![Vec::with_capacity(rounds); self.sides.len()];
        for round in 0..rounds {
            for at in order(self.sides.len(), round) {
                costs[at].push(turn(self, at)?);
            }
        }
        Ok(costs)
    }

    fn rows(&self, metric: &'static str, costs: &[Vec<Cost>]) -> Result<(), Error> {
        for (side, costs) in self.sides.iter().zip(costs) {
            self.of.costs(side.name(), metric, costs)?;
        }
        Ok(())
    }

    fn report(&self, whom: &str, what: &str) {
        eprintln!("{}, {whom}: {what}", self.named);
    }
}

/// Every other round goes backwards: nobody always comes after the same one.
fn order(sides: usize, round: usize) -> Vec<usize> {
    let mut order: Vec<_> = (0..sides).collect();
    if round % 2 == 1 {
        order.reverse();
    }
    order
}

fn same<W: Workload>(
    side: &'static str,
    z: &[halo2curves::bn256::Fr],
    twin: &Twin<'_, W>,
) -> Result<(), Error> {
    if z == twin.z() {
        return Ok(());
    }
    let what = format!("after step {} it has {z:?}, which is {:?}", twin.steps(), twin.z());
    Err(Error::WrongOutput { side, what })
}

/// A step more and a step less are refused.
fn refuses(
    side: &'static str,
    what: &'static str,
    steps: usize,
    accepts: impl Fn(usize) -> bool,
) -> Result<(), Error> {
    match [steps - 1, steps + 1].into_iter().find(|&wrong| accepts(wrong)) {
        Some(steps) => Err(Error::AcceptsWrongCount { side, steps, what }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
