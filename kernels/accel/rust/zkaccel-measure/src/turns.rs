//! Contenders take turns, round after round, so that what the machine does meanwhile meets all alike.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::effort::Effort;

/// One that does the row's work once a call. It keeps its memory from call to call.
pub struct Contender<'a> {
    /// As the report calls it.
    pub name: &'static str,
    run: Box<dyn FnMut() + Send + 'a>,
}

impl<'a> Contender<'a> {
    /// `run` returns when the work is done.
    pub fn new(name: &'static str, run: impl FnMut() + Send + 'a) -> Self {
        Self { name, run: Box::new(run) }
    }
}

/// What all contenders of a row do.
#[derive(Clone, Debug)]
pub struct Work {
    /// Of the row.
    pub name: &'static str,
    /// What is worked on.
    pub size: String,
    /// Of each contender; 0 where threads are not what it computes with.
    pub threads: u32,
    /// Multiplications of field elements that the work takes as the textbook has it; 0 where it takes none.
    pub multiplications: f64,
}

/// One row: what was done, and how long each contender took.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    name: &'static str,
    size: String,
    threads: u32,
    contenders: Vec<Milliseconds>,
    multiplications: f64,
}

/// The median over rounds of the median time of a call.
#[derive(Clone, Debug, Serialize)]
pub struct Milliseconds {
    name: &'static str,
    median: f64,
}

/// The row's medians. `within` makes the calls it is given, such as in a pool of threads. Every other round goes
/// backwards: nobody always comes after the same one.
pub fn measure(
    work: Work,
    effort: &Effort,
    mut contenders: Vec<Contender<'_>>,
    within: impl Fn(&mut (dyn FnMut() -> f64 + Send)) -> f64,
) -> Measured {
    let Work { name, size, threads, multiplications } = work;
    eprintln!("{name}, {size}{}", if threads == 0 { String::new() } else { format!(", {threads} threads") });
    let turn = effort.round.div_f64(contenders.len().max(1) as f64);
    let mut times = vec![Vec::new(); contenders.len()];
    for round in 0..effort.rounds {
        let mut order: Vec<_> = (0..contenders.len()).collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for at in order {
            let run = &mut contenders[at].run;
            times[at].push(within(&mut || of_one_call(turn, run)));
        }
    }
    let medians = contenders.iter().zip(times);
    let contenders =
        medians.map(|(of, times)| Milliseconds { name: of.name, median: median(times) }).collect();
    Measured { name, size, threads, contenders, multiplications }
}

/// The median time of a call, of as many as there is time for.
fn of_one_call(time: Duration, run: &mut (dyn FnMut() + Send)) -> f64 {
    let began = Instant::now();
    let mut calls = Vec::new();
    while calls.is_empty() || began.elapsed() < time {
        let call = Instant::now();
        run();
        calls.push(call.elapsed().as_secs_f64() * 1e3);
    }
    median(calls)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let (low, high) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contenders_have_a_turn_in_each_round_and_every_other_round_goes_backwards() {
        let arguments = ["2", "1"].map(String::from).into_iter();
        let mut effort = Effort::from_arguments(arguments).expect("two numbers");
        effort.round = Duration::ZERO;
        let turns = std::sync::Mutex::new(String::new());
        let of = |name: &'static str| {
            let turns = &turns;
            Contender::new(name, move || turns.lock().expect("no turn panics").push_str(name))
        };
        let contenders = vec![of("a"), of("b"), of("c")];
        let work = Work { name: "none", size: "0".to_owned(), threads: 0, multiplications: 0.0 };
        let row = measure(work, &effort, contenders, |turn| turn());
        assert_eq!(*turns.lock().expect("as above"), "abccba");
        assert_eq!(row.contenders.iter().map(|one| one.name).collect::<String>(), "abc");
    }

    #[test]
    fn of_an_even_number_of_times_the_median_is_between_the_middle_two() {
        assert!((median(vec![9.0, 1.0, 4.0, 2.0]) - 3.0).abs() < f64::EPSILON);
        assert!((median(vec![9.0, 1.0, 4.0]) - 4.0).abs() < f64::EPSILON);
    }
}
