//! What work costs: time on the wall, and time of all threads.

use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};

use crate::error::Error;

/// Of one piece of work, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) wall: f64,
    /// User and system time of the process meanwhile.
    pub(crate) cpu: f64,
}

/// Does the work and measures what it costs.
pub(crate) fn metered<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<(T, Cost), Error> {
    let (cpu, began) = (cpu_milliseconds()?, Instant::now());
    let result = work()?;
    let wall = began.elapsed().as_secs_f64() * 1e3;
    Ok((result, Cost { wall, cpu: cpu_milliseconds()? - cpu }))
}

#[expect(clippy::cast_precision_loss, reason = "microseconds of hours have few digits")]
fn cpu_milliseconds() -> Result<f64, Error> {
    let usage = getrusage(UsageWho::RUSAGE_SELF).map_err(|error| Error::Usage(error.to_string()))?;
    let microseconds = |time: nix::sys::time::TimeVal| time.tv_sec() * 1_000_000 + time.tv_usec();
    Ok((microseconds(usage.user_time()) + microseconds(usage.system_time())) as f64 / 1e3)
}

/// The most memory that this process has held so far, in MiB. (getrusage returns its parent's, where that is more.)
pub(crate) fn peak_mebibytes() -> Result<f64, Error> {
    let status =
        std::fs::read_to_string("/proc/self/status").map_err(|error| Error::Usage(error.to_string()))?;
    peak_in(&status).ok_or_else(|| Error::Usage("/proc/self/status has no VmHWM".to_owned()))
}

/// Of the text that Linux has for a process.
fn peak_in(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_in_mebibytes() {
        assert_eq!(peak_in("VmPeak:\t 9 kB\nVmHWM:\t    3072 kB\nVmRSS:\t 1 kB\n"), Some(3.0));
        assert_eq!(peak_in("VmRSS:\t 1 kB\n"), None);
        assert!(peak_mebibytes().expect("Linux reports it") > 0.0);
    }
}
