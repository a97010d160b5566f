//! `zkaccel/quotient.h`: evaluation of a constraint system over all rows.

use crate::{
    buffer::{zka_buf, zka_fe},
    context::{zka_ctx, zka_stream},
    opaque,
    status::zka_status,
};

/// What an instruction computes.
pub type zka_insn_op = u32;
/// a
pub const ZKA_INSN_MOV: zka_insn_op = 0;
/// a + b
pub const ZKA_INSN_ADD: zka_insn_op = 1;
/// a - b
pub const ZKA_INSN_SUB: zka_insn_op = 2;
/// a * b
pub const ZKA_INSN_MUL: zka_insn_op = 3;
/// a * a
pub const ZKA_INSN_SQR: zka_insn_op = 4;
/// a + a
pub const ZKA_INSN_DBL: zka_insn_op = 5;
/// -a
pub const ZKA_INSN_NEG: zka_insn_op = 6;
/// a * b + c
pub const ZKA_INSN_MULADD: zka_insn_op = 7;

/// Where an operand comes from.
pub type zka_insn_source = u32;
/// A register that was written before.
pub const ZKA_SRC_REGISTER: zka_insn_source = 0;
/// One of the program's constants.
pub const ZKA_SRC_CONST: zka_insn_source = 1;
/// One of the columns, at a rotated row.
pub const ZKA_SRC_COLUMN: zka_insn_source = 2;
/// One of the challenges.
pub const ZKA_SRC_CHALLENGE: zka_insn_source = 3;
/// What the row's output was before; index 0.
pub const ZKA_SRC_PREVIOUS: zka_insn_source = 4;

/// An operand.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct zka_operand {
    /// A [`zka_insn_source`].
    pub source: u32,
    /// Which of that source.
    pub index: u32,
    /// Of [`ZKA_SRC_COLUMN`]; else 0.
    pub rotation: i32,
}

/// register\[dst\] = op(a, b, c); operands that op has not are all zero.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct zka_insn {
    /// A [`zka_insn_op`].
    pub op: u32,
    /// The register that is written.
    pub dst: u32,
    /// The first operand.
    pub a: zka_operand,
    /// The second operand.
    pub b: zka_operand,
    /// The third operand.
    pub c: zka_operand,
}

/// A program: the value of a row is that of register 0 after the last instruction.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct zka_program_desc {
    /// The instructions.
    pub code: *const zka_insn,
    /// Their number, at least 1.
    pub ncode: usize,
    /// The constants.
    pub consts: *const zka_fe,
    /// Their number.
    pub nconsts: usize,
    /// How many columns an evaluation is handed.
    pub ncolumns: u32,
    /// How many challenges.
    pub nchallenges: u32,
    /// How many registers the instructions name.
    pub nregisters: u32,
    /// A [`zka_field`](crate::zka_field).
    pub field: u32,
}

opaque! {
    /// A program that was checked.
    zka_program;
}

unsafe extern "C" {
    /// Copies, checks, and allocates registers again by liveness.
    pub fn zka_program_create(
        ctx: *mut zka_ctx,
        desc: *const zka_program_desc,
        out: *mut *mut zka_program,
    ) -> zka_status;
    /// Null is ignored.
    pub fn zka_program_free(program: *mut zka_program);
    /// Registers that are live at once.
    pub fn zka_program_registers(program: *const zka_program) -> u32;
    /// `out[i]` for `i < n`.
    pub fn zka_evaluate_quotient(
        program: *const zka_program,
        columns: *const *const zka_buf,
        challenges: *const zka_fe,
        rotation_scale: u64,
        n: usize,
        out: *mut zka_buf,
        stream: *mut zka_stream,
    ) -> zka_status;
    /// The scratch of that call.
    pub fn zka_evaluate_quotient_mem(
        program: *const zka_program,
        n: usize,
        host_bytes: *mut u64,
        device_bytes: *mut u64,
    ) -> zka_status;
}
