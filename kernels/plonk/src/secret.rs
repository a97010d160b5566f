//! What says something of a witness is overwritten before its memory is released.

use std::{
    hint::black_box,
    ops::{Deref, DerefMut},
};

use halo2_axiom::halo2curves::{bn256::Fr, ff::Field};
use zkaccel::{Buffer, Context};

use crate::error::Result;

/// A column of the backend that is overwritten with zeros when it is dropped.
pub(crate) struct SecretColumn {
    context: Context,
    column: Buffer<Fr>,
}

impl SecretColumn {
    pub(crate) fn new(context: &Context, n: usize) -> Result<Self> {
        Ok(Self { context: context.clone(), column: Buffer::new(context, n)? })
    }

    pub(crate) fn of(context: &Context, values: &[Fr]) -> Result<Self> {
        let mut made = Self::new(context, values.len())?;
        context.at_once().write(&mut made.column, 0, values)?;
        Ok(made)
    }
}

impl Deref for SecretColumn {
    type Target = Buffer<Fr>;

    fn deref(&self) -> &Buffer<Fr> {
        &self.column
    }
}

impl DerefMut for SecretColumn {
    fn deref_mut(&mut self) -> &mut Buffer<Fr> {
        &mut self.column
    }
}

impl Drop for SecretColumn {
    fn drop(&mut self) {
        // It fails only where the device has failed for good, and nothing can be written there any more.
        let _ = self.context.at_once().powers(Fr::ZERO, Fr::ONE, &mut self.column);
    }
}

/// Elements on the host that are overwritten with zeros when they are dropped.
#[derive(Default)]
pub(crate) struct SecretValues(pub(crate) Vec<Fr>);

impl Deref for SecretValues {
    type Target = Vec<Fr>;

    fn deref(&self) -> &Vec<Fr> {
        &self.0
    }
}

impl DerefMut for SecretValues {
    fn deref_mut(&mut self) -> &mut Vec<Fr> {
        &mut self.0
    }
}

impl Drop for SecretValues {
    fn drop(&mut self) {
        self.0.fill(Fr::ZERO);
        // Somebody might read them: the compiler may not leave out the zeros.
        black_box(&self.0);
    }
}

/// A seed on the host that is overwritten with zeros when it is dropped.
#[derive(Default)]
pub(crate) struct SecretBytes(pub(crate) [u8; 32]);

impl Drop for SecretBytes {
    fn drop(&mut self) {
        self.0.fill(0);
        black_box(&self.0);
    }
}
