//! What was measured, as JSON objects, one a line.

use serde::Serialize;

use crate::{error::Error, meter::Cost, workload::Workload, workloads::Named};

/// Whose rows these are.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Of {
    /// As the command line has it.
    workload: String,
    name: &'static str,
    size: String,
    threads: usize,
}

impl Of {
    pub(crate) fn new(named: Named, workload: &impl Workload, threads: usize) -> Self {
        Self { workload: named.to_string(), name: workload.name(), size: workload.size(), threads }
    }

    /// Of both times.
    pub(crate) fn costs(
        &self,
        side: &'static str,
        metric: &'static str,
        costs: &[Cost],
    ) -> Result<(), Error> {
        self.values(side, metric, "ms", costs.iter().map(|cost| cost.wall).collect())?;
        self.values(side, &format!("{metric}, CPU"), "ms", costs.iter().map(|cost| cost.cpu).collect())
    }

    /// Of at least one value.
    pub(crate) fn values(
        &self,
        side: &'static str,
        metric: &str,
        unit: &'static str,
        mut values: Vec<f64>,
    ) -> Result<(), Error> {
        values.sort_by(f64::total_cmp);
        let samples = values.len();
        let row = Row {
            of: self,
            side,
            metric,
            unit,
            median: f64::midpoint(values[(samples - 1) / 2], values[samples / 2]),
            min: values[0],
            samples,
        };
        println!("{}", serde_json::to_string(&row)?);
        Ok(())
    }
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    of: &'a Of,
    side: &'static str,
    metric: &'a str,
    unit: &'static str,
    median: f64,
    min: f64,
    samples: usize,
}
