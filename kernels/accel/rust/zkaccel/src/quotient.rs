//! Evaluation of a constraint system over all rows by a program that is run for each.

use std::marker::PhantomData;

use zkaccel_sys as sys;

use crate::{
    buffer::{Buffer, handles},
    context::{Bytes, Context},
    element::Element,
    error::{Result, Status},
    handle::Handle,
    queue::Queue,
};

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register that was written before.
    Register(u32),
    /// One of the program's constants.
    Constant(u32),
    /// A column at row (i + rotation * rotation_scale) mod n.
    Column {
        /// Which of the columns.
        index: u32,
        /// How many rows on, before scaling.
        rotation: i32,
    },
    /// One of the challenges.
    Challenge(u32),
    /// What the row's output was before.
    Previous,
}

/// What an instruction computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// a
    Move(Operand),
    /// a + b
    Add(Operand, Operand),
    /// a - b
    Sub(Operand, Operand),
    /// a * b
    Mul(Operand, Operand),
    /// a * a
    Square(Operand),
    /// a + a
    Double(Operand),
    /// -a
    Negate(Operand),
    /// a * b + c: Horner's rule is a chain of these.
    MulAdd(Operand, Operand, Operand),
}

/// Writes the value of an operation to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The register.
    pub register: u32,
    /// The operation.
    pub operation: Operation,
}

/// A program: the value of a row is that of register 0 after the last instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramSource<E> {
    /// The instructions, at least one.
    pub code: Vec<Instruction>,
    /// The constants.
    pub constants: Vec<E>,
    /// How many columns an evaluation is handed.
    pub columns: u32,
    /// How many challenges.
    pub challenges: u32,
    /// How many registers the instructions name.
    pub registers: u32,
}

/// A program that was checked, its registers allocated again by liveness.
#[derive(Debug)]
pub struct Program<E> {
    handle: Handle<sys::zka_program>,
    columns: usize,
    challenges: usize,
    elements: PhantomData<E>,
}

impl<E: Element> Program<E> {
    /// Copies and checks.
    ///
    /// # Errors
    ///
    /// `Program` where an index is out of range, a register is read before it is written, or register 0 is not
    /// written; `NonCanonical` for a constant; memory.
    pub fn new(context: &Context, source: &ProgramSource<E>) -> Result<Self> {
        let code: Vec<_> = source.code.iter().map(Instruction::raw).collect();
        let description = sys::zka_program_desc {
            code: code.as_ptr(),
            ncode: code.len(),
            consts: source.constants.as_ptr().cast(),
            nconsts: source.constants.len(),
            ncolumns: source.columns,
            nchallenges: source.challenges,
            nregisters: source.registers,
            field: E::FIELD.number(),
        };
        // SAFETY: the description's lists are as long as it says, and are read in the call.
        let handle = Handle::make(context, sys::zka_program_free, |ctx, out| unsafe {
            sys::zka_program_create(ctx, &description, out)
        })?;
        let (columns, challenges) = (source.columns as usize, source.challenges as usize);
        Ok(Self { handle, columns, challenges, elements: PhantomData })
    }

    /// Registers that are live at once.
    #[must_use]
    pub fn registers(&self) -> u32 {
        // SAFETY: the handle lives.
        unsafe { sys::zka_program_registers(self.handle.raw()) }
    }

    /// The scratch of [`Queue::run`] over `n` rows.
    ///
    /// # Errors
    ///
    /// `Size`.
    pub fn run_bytes(&self, n: usize) -> Result<Bytes> {
        let program = self.handle.raw();
        // SAFETY: the handle lives, and the pointers are to locals of `bytes`.
        self.handle
            .context()
            .bytes(|host, device| unsafe { sys::zka_evaluate_quotient_mem(program, n, host, device) })
    }
}

impl Queue<'_> {
    /// `out[i]` = the program's value at row `i`, for `i < n`, from columns of `n` elements or more.
    ///
    /// # Errors
    ///
    /// `Size` unless there are as many columns and challenges as the program has, each column has `n` elements, and
    /// |rotation * rotation_scale| is below `n` for each that it uses; `NonCanonical` of a challenge.
    pub fn run<E: Element>(
        &self,
        program: &Program<E>,
        columns: &[&Buffer<E>],
        challenges: &[E],
        rotation_scale: u64,
        n: usize,
        out: &mut Buffer<E>,
    ) -> Result<()> {
        if columns.len() != program.columns || challenges.len() != program.challenges {
            let (columns, challenges) = (program.columns, program.challenges);
            let message = format!("the program takes {columns} columns and {challenges} challenges");
            return Err(self.refuse(Status::Size, message));
        }
        let (columns, challenges) = (handles(self, columns)?, challenges.as_ptr().cast());
        let (program, out) = (program.handle.raw_in(self, "a program is")?, out.raw_mut(self)?);
        // SAFETY: the handles live; list and challenges are as long as the program has them, and read in the call.
        self.check(unsafe {
            let columns = columns.as_ptr();
            sys::zka_evaluate_quotient(program, columns, challenges, rotation_scale, n, out, self.stream())
        })
    }
}

impl Instruction {
    fn raw(&self) -> sys::zka_insn {
        let none = sys::zka_operand::default();
        let one = |op, a: Operand| (op, [a.raw(), none, none]);
        let two = |op, a: Operand, b: Operand| (op, [a.raw(), b.raw(), none]);
        let (op, [a, b, c]) = match self.operation {
            Operation::Move(a) => one(sys::ZKA_INSN_MOV, a),
            Operation::Add(a, b) => two(sys::ZKA_INSN_ADD, a, b),
            Operation::Sub(a, b) => two(sys::ZKA_INSN_SUB, a, b),
            Operation::Mul(a, b) => two(sys::ZKA_INSN_MUL, a, b),
            Operation::Square(a) => one(sys::ZKA_INSN_SQR, a),
            Operation::Double(a) => one(sys::ZKA_INSN_DBL, a),
            Operation::Negate(a) => one(sys::ZKA_INSN_NEG, a),
            Operation::MulAdd(a, b, c) => (sys::ZKA_INSN_MULADD, [a.raw(), b.raw(), c.raw()]),
        };
        sys::zka_insn { op, dst: self.register, a, b, c }
    }
}

impl Operand {
    fn raw(self) -> sys::zka_operand {
        let (source, index, rotation) = match self {
            Self::Register(index) => (sys::ZKA_SRC_REGISTER, index, 0),
            Self::Constant(index) => (sys::ZKA_SRC_CONST, index, 0),
            Self::Column { index, rotation } => (sys::ZKA_SRC_COLUMN, index, rotation),
            Self::Challenge(index) => (sys::ZKA_SRC_CHALLENGE, index, 0),
            Self::Previous => (sys::ZKA_SRC_PREVIOUS, 0, 0),
        };
        sys::zka_operand { source, index, rotation }
    }
}
