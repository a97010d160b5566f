//! How fast the GPU multiplies and copies at best. [cuda/rates.cu]

use std::{error::Error, ffi::c_int};

use crate::report;

unsafe extern "C" {
    fn zkb_rate(which: c_int) -> f64;
}

/// In the order of `zkb_rate`'s numbers: name, unit, and how many to one of the unit.
const RATES: [(&str, &str, f64); 9] = [
    ("32-bit multiply-adds, one chain a thread", "billion/s", 1e9),
    ("32-bit multiply-adds, eight chains a thread", "billion/s", 1e9),
    ("wide multiply-adds, one chain a thread", "billion/s", 1e9),
    ("wide multiply-adds, eight chains a thread", "billion/s", 1e9),
    ("field multiplications, one chain a thread", "billion/s", 1e9),
    ("field multiplications, four chains a thread", "billion/s", 1e9),
    ("copies within the GPU's memory", "GB/s", 1e9),
    ("copies to the GPU", "GB/s", 1e9),
    ("copies from the GPU", "GB/s", 1e9),
];

pub(crate) fn measure() -> Result<(), Box<dyn Error>> {
    for (which, (name, unit, one)) in (0..).zip(RATES) {
        eprintln!("{name}");
        // SAFETY: it takes and returns a number.
        let rate = unsafe { zkb_rate(which) };
        if rate < 0.0 {
            return Err(format!("{name} could not be measured").into());
        }
        report::rate(name, unit, rate / one)?;
    }
    Ok(())
}
