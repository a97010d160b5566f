//! halo2-axiom-gpu's multi-scalar multiplication, transforms and inverses. What its prover keeps to itself is called by
//! its foreign functions, as the prover calls them.

use std::mem::size_of;

use halo2_axiom_gpu::cuda::{
    culib::{
        _halo2_fft_normal, _halo2_fft_normal_to_device, _halo2_fft_normal_to_device_workspace_size,
        _halo2_fft_normal_workspace_size, _halo2_multiexp_device_bases,
        _halo2_multiexp_device_bases_workspace_size,
    },
    error::CudaStatus,
    funcs::{batch_invert_device_in_place, multiexp_gpu_device_scalars_device_bases_chunked},
    utils::{FFITraitObject, HALO2_GPU_CTX},
};
use halo2curves_axiom::{
    bn256::{Fr, G1, G1Affine},
    ff::Field,
    group::Group,
};
use openvm_cuda_common::{
    copy::{MemCopyD2H, MemCopyH2D},
    d_buffer::DeviceBuffer,
};

use crate::contenders::Peer;

/// The number of a plain transform, of its `NttType`.
const FORWARD: u32 = 1;

fn message(error: impl std::fmt::Debug) -> String {
    format!("{error:?}")
}

fn on_gpu<T>(values: &[T]) -> Result<DeviceBuffer<T>, String> {
    values.to_device_on(&HALO2_GPU_CTX).map_err(message)
}

fn check(status: CudaStatus) -> Result<(), String> {
    if status.code == 0 { Ok(()) } else { Err(format!("it failed with error {} of CUDA", status.code)) }
}

fn done() -> Result<(), String> {
    HALO2_GPU_CTX.stream.synchronize().map_err(message)
}

fn scratch(bytes: u64) -> Result<DeviceBuffer<u8>, String> {
    let bytes = usize::try_from(bytes).map_err(message)?;
    Ok(DeviceBuffer::with_capacity_on(bytes, &HALO2_GPU_CTX))
}

pub(crate) struct Multiplication<'a> {
    points: DeviceBuffer<G1Affine>,
    scalars: Scalars<'a>,
    expected: G1Affine,
}

enum Scalars<'a> {
    OnGpu(DeviceBuffer<Fr>),
    OnHost(&'a [Fr]),
}

impl<'a> Multiplication<'a> {
    /// With the points on the GPU, and the scalars too where they are `resident`.
    pub(crate) fn new(
        points: &[G1Affine],
        scalars: &'a [Fr],
        resident: bool,
        expected: G1Affine,
    ) -> Result<Self, String> {
        let scalars = if resident { Scalars::OnGpu(on_gpu(scalars)?) } else { Scalars::OnHost(scalars) };
        Ok(Self { points: on_gpu(points)?, scalars, expected })
    }

    fn sum(&mut self) -> Result<G1, String> {
        let n = self.points.len();
        match &self.scalars {
            Scalars::OnGpu(scalars) => {
                multiexp_gpu_device_scalars_device_bases_chunked(scalars, &self.points, n).map_err(message)
            }
            Scalars::OnHost(scalars) => {
                let sum = G1::identity();
                // SAFETY: it takes a number.
                let bytes = unsafe { _halo2_multiexp_device_bases_workspace_size(n as u64) };
                let scratch = scratch(bytes)?;
                // SAFETY: as many scalars as points, and scratch as long as requested; all live until it is done.
                check(unsafe {
                    _halo2_multiexp_device_bases(
                        &FFITraitObject::from_ref(&scalars[0]),
                        self.points.as_raw_ptr(),
                        &FFITraitObject::from_ref(&sum),
                        n,
                        scratch.as_mut_raw_ptr(),
                        bytes,
                        HALO2_GPU_CTX.stream.as_raw(),
                    )
                })?;
                done()?;
                Ok(std::hint::black_box(sum))
            }
        }
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

pub(crate) struct ResidentTransform<'a> {
    column: DeviceBuffer<Fr>,
    omega: DeviceBuffer<Fr>,
    expected: &'a [Fr],
}

impl<'a> ResidentTransform<'a> {
    pub(crate) fn new(column: &[Fr], omega: Fr, expected: &'a [Fr]) -> Result<Self, String> {
        Ok(Self { column: on_gpu(column)?, omega: on_gpu(&[omega])?, expected })
    }
}

impl Peer for ResidentTransform<'_> {
    fn computes_the_same(&mut self) -> Result<bool, String> {
        self.run()?;
        Ok(self.column.to_host_on(&HALO2_GPU_CTX).map_err(message)? == self.expected)
    }

    fn run(&mut self) -> Result<(), String> {
        let (k, divisor) = (self.column.len().ilog2(), Fr::ONE);
        // SAFETY: it takes numbers.
        let bytes = unsafe { _halo2_fft_normal_to_device_workspace_size(FORWARD, k, k) };
        let scratch = scratch(bytes)?;
        // SAFETY: a column of 2^k elements, in place as it allows, and scratch as long as requested.
        check(unsafe {
            _halo2_fft_normal_to_device(
                FORWARD,
                k,
                self.column.as_raw_ptr(),
                self.column.as_mut_raw_ptr(),
                self.omega.as_raw_ptr(),
                (&raw const divisor).cast(),
                scratch.as_mut_raw_ptr(),
                bytes,
                HALO2_GPU_CTX.stream.as_raw(),
            )
        })?;
        done()
    }
}

pub(crate) struct TransformWithTransfers<'a> {
    column: Vec<Fr>,
    omega: Fr,
    expected: &'a [Fr],
}

impl<'a> TransformWithTransfers<'a> {
    pub(crate) fn new(column: &[Fr], omega: Fr, expected: &'a [Fr]) -> Result<Self, String> {
        Ok(Self { column: column.to_vec(), omega, expected })
    }
}

impl Peer for TransformWithTransfers<'_> {
    fn computes_the_same(&mut self) -> Result<bool, String> {
        self.run()?;
        Ok(self.column == self.expected)
    }

    fn run(&mut self) -> Result<(), String> {
        let (k, divisor) = (self.column.len().ilog2(), Fr::ONE);
        // SAFETY: it takes numbers.
        let bytes = unsafe { _halo2_fft_normal_workspace_size(FORWARD, k, k) };
        let scratch = scratch(bytes)?;
        let column = self.column.as_mut_ptr();
        // SAFETY: a column of 2^k elements, in place as its prover has it, and scratch as long as requested.
        check(unsafe {
            _halo2_fft_normal(
                FORWARD,
                k,
                column.cast_const().cast(),
                column.cast(),
                (&raw const self.omega).cast(),
                (&raw const divisor).cast(),
                scratch.as_mut_raw_ptr(),
                bytes,
                HALO2_GPU_CTX.stream.as_raw(),
            )
        })?;
        done()
    }
}

pub(crate) struct Inversion<'a> {
    column: DeviceBuffer<Fr>,
    expected: &'a [Fr],
}

impl<'a> Inversion<'a> {
    pub(crate) fn new(column: &[Fr], expected: &'a [Fr]) -> Result<Self, String> {
        Ok(Self { column: on_gpu(column)?, expected })
    }
}

impl Peer for Inversion<'_> {
    fn computes_the_same(&mut self) -> Result<bool, String> {
        self.run()?;
        Ok(self.column.to_host_on(&HALO2_GPU_CTX).map_err(message)? == self.expected)
    }

    fn run(&mut self) -> Result<(), String> {
        batch_invert_device_in_place(&self.column).map_err(message)?;
        done()
    }
}

const _: () = assert!(size_of::<Fr>() == 32 && size_of::<G1Affine>() == 64 && size_of::<G1>() == 96);
