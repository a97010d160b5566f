//! sppark's multi-scalar multiplication and transforms. [cuda/sppark_msm.cu, cuda/sppark_ntt.cu]

use std::{
    ffi::{c_int, c_void},
    ptr::{NonNull, null},
};

// Named, so that what they compiled is linked: sppark calls it, and calls into blst.
use blst as _;
use halo2curves_axiom::{
    CurveExt,
    bn256::{Fq, Fr, G1, G1Affine},
    ff::Field,
};
use sppark as _;
use zkaccel::{Buffer, Context, Domain, Transform};

use crate::contenders::Peer;

unsafe extern "C" {
    fn cuda_available() -> bool;
    fn zkb_sppark_msm_new(points: *const c_void, n: usize) -> *mut c_void;
    fn zkb_sppark_msm_upload(msm: *mut c_void, scalars: *const c_void, n: usize) -> c_int;
    fn zkb_sppark_msm_run(msm: *mut c_void, scalars: *const c_void, n: usize, sum: *mut c_void) -> c_int;
    fn zkb_sppark_msm_free(msm: *mut c_void);
    fn zkb_sppark_ntt_new(column: *const c_void, n: usize) -> *mut c_void;
    fn zkb_sppark_ntt_run(column: *mut c_void, k: u32) -> c_int;
    fn zkb_sppark_ntt_run_on_host(column: *mut c_void, k: u32) -> c_int;
    fn zkb_sppark_ntt_free(column: *mut c_void);
}

/// Checked first, since sppark ends the process where there is no GPU.
fn available() -> Result<(), String> {
    // SAFETY: it takes nothing.
    if unsafe { cuda_available() } { Ok(()) } else { Err("it finds no GPU".to_owned()) }
}

fn check(code: c_int) -> Result<(), String> {
    if code == 0 { Ok(()) } else { Err(format!("it failed with error {code} of CUDA")) }
}

fn made(handle: *mut c_void) -> Result<NonNull<c_void>, String> {
    NonNull::new(handle).ok_or("it failed".to_owned())
}

pub(crate) struct Multiplication<'a> {
    handle: NonNull<c_void>,
    scalars: &'a [Fr],
    resident: bool,
    expected: G1Affine,
}

// SAFETY: it is used by one thread at a time, and CUDA's handles are the process's.
unsafe impl Send for Multiplication<'_> {}

impl<'a> Multiplication<'a> {
    /// With the points on the GPU, and the scalars too where they are `resident`.
    pub(crate) fn new(
        points: &[G1Affine],
        scalars: &'a [Fr],
        resident: bool,
        expected: G1Affine,
    ) -> Result<Self, String> {
        available()?;
        assert_eq!(points.len(), scalars.len());
        // SAFETY: affine points are x and y as sppark has them.
        let handle = made(unsafe { zkb_sppark_msm_new(points.as_ptr().cast(), points.len()) })?;
        let own = Self { handle, scalars, resident, expected };
        // SAFETY: the handle has room for as many scalars as points.
        check(unsafe { zkb_sppark_msm_upload(handle.as_ptr(), scalars.as_ptr().cast(), scalars.len()) })?;
        Ok(own)
    }

    fn sum(&mut self) -> Result<G1, String> {
        // X, Y and Z.
        let mut sum = [Fq::ZERO; 3];
        let scalars = if self.resident { null() } else { self.scalars.as_ptr() };
        // SAFETY: there is room for its Jacobian coordinates, elements of the field in Montgomery form.
        check(unsafe {
            let (handle, out) = (self.handle.as_ptr(), sum.as_mut_ptr().cast());
            zkb_sppark_msm_run(handle, scalars.cast(), self.scalars.len(), out)
        })?;
        let [x, y, z] = sum;
        G1::new_jacobian(x, y, z).into_option().ok_or_else(|| "its sum is not on the curve".to_owned())
    }
}

impl Peer for Multiplication<'_> {
    fn computes_the_same(&mut self) -> Result<bool, String> {
        Ok(G1Affine::from(self.sum()?) == self.expected)
    }

    fn run(&mut self) -> Result<(), String> {
        self.sum().map(drop)
    }
}

impl Drop for Multiplication<'_> {
    fn drop(&mut self) {
        // SAFETY: nothing else has the handle.
        unsafe { zkb_sppark_msm_free(self.handle.as_ptr()) };
    }
}

pub(crate) struct ResidentTransform {
    handle: NonNull<c_void>,
    k: u32,
    same: bool,
}

// SAFETY: as above.
unsafe impl Send for ResidentTransform {}

impl ResidentTransform {
    pub(crate) fn new(column: &[Fr], same: bool) -> Result<Self, String> {
        available()?;
        // SAFETY: elements are four limbs in Montgomery form, as sppark has them.
        let handle = made(unsafe { zkb_sppark_ntt_new(column.as_ptr().cast(), column.len()) })?;
        Ok(Self { handle, k: column.len().ilog2(), same })
    }
}

impl Peer for ResidentTransform {
    /// As its transform in the host's memory does, which is the same code.
    fn computes_the_same(&mut self) -> Result<bool, String> {
        self.run()?;
        Ok(self.same)
    }

    fn run(&mut self) -> Result<(), String> {
        // SAFETY: the column has 2^k elements.
        check(unsafe { zkb_sppark_ntt_run(self.handle.as_ptr(), self.k) })
    }
}

impl Drop for ResidentTransform {
    fn drop(&mut self) {
        // SAFETY: nothing else has it.
        unsafe { zkb_sppark_ntt_free(self.handle.as_ptr()) };
    }
}

pub(crate) struct TransformWithTransfers {
    column: Vec<Fr>,
    same: bool,
}

impl TransformWithTransfers {
    pub(crate) fn new(column: &[Fr], same: bool) -> Result<Self, String> {
        available()?;
        Ok(Self { column: column.to_vec(), same })
    }
}

impl Peer for TransformWithTransfers {
    fn computes_the_same(&mut self) -> Result<bool, String> {
        self.run()?;
        Ok(self.same)
    }

    fn run(&mut self) -> Result<(), String> {
        transform(&mut self.column)
    }
}

fn transform(column: &mut [Fr]) -> Result<(), String> {
    // SAFETY: as above.
    check(unsafe { zkb_sppark_ntt_run_on_host(column.as_mut_ptr().cast(), column.len().ilog2()) })
}

/// Whether it transforms `column` as `context` does. Its root of unity is another one: its transform of X shows it.
pub(crate) fn transforms_as(context: &Context, column: &[Fr]) -> Result<bool, String> {
    available()?;
    let k = column.len().ilog2();
    let mut theirs = vec![Fr::zero(); column.len()];
    theirs[1] = Fr::ONE;
    transform(&mut theirs)?;
    let omega = theirs[1];
    theirs.copy_from_slice(column);
    transform(&mut theirs)?;
    let ours = || -> zkaccel::Result<Vec<Fr>> {
        let domain = Domain::with_roots(context, k, k, omega, Fr::from(7))?;
        let mut buffer = Buffer::of(context, column)?;
        context.at_once().ntt(&domain, &mut [&mut buffer], Transform::FORWARD)?;
        buffer.to_vec()
    };
    Ok(ours().map_err(|error| error.to_string())? == theirs)
}
