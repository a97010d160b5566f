/* Evaluation of a constraint system over all rows: one generic kernel runs a list of instructions for each row.
 * [halo2's plonk/evaluation.rs is the graph that such lists come from; specification, "Library: GPU acceleration"] */
#ifndef ZKACCEL_QUOTIENT_H
#define ZKACCEL_QUOTIENT_H

#include "buffer.h"

typedef enum ZKA_UINT {
  ZKA_INSN_MOV = 0,    /* a */
  ZKA_INSN_ADD = 1,    /* a + b */
  ZKA_INSN_SUB = 2,    /* a - b */
  ZKA_INSN_MUL = 3,    /* a * b */
  ZKA_INSN_SQR = 4,    /* a * a */
  ZKA_INSN_DBL = 5,    /* a + a */
  ZKA_INSN_NEG = 6,    /* -a */
  ZKA_INSN_MULADD = 7  /* a * b + c: Horner's rule is a chain of these */
} zka_insn_op;

typedef enum ZKA_UINT {
  ZKA_SRC_REGISTER = 0,  /* index: a register written before */
  ZKA_SRC_CONST = 1,     /* index: of the program's constants */
  ZKA_SRC_COLUMN = 2,    /* index: of the columns handed to the evaluation; row (i + rotation * rotation_scale) mod n */
  ZKA_SRC_CHALLENGE = 3, /* index: of the challenges handed to the evaluation */
  ZKA_SRC_PREVIOUS = 4   /* what out[i] was before; index 0 */
} zka_insn_source;

typedef struct {
  uint32_t source; /* zka_insn_source */
  uint32_t index;
  int32_t rotation; /* of ZKA_SRC_COLUMN; else 0 */
} zka_operand;

/* register[dst] = op(a, b, c); operands that op has not are all zero. */
typedef struct {
  uint32_t op; /* zka_insn_op */
  uint32_t dst;
  zka_operand a, b, c;
} zka_insn;

/* The value of a row is that of register 0 after the last instruction. */
typedef struct {
  const zka_insn* code;
  size_t ncode; /* at least 1 */
  const zka_fe* consts;
  size_t nconsts;
  uint32_t ncolumns, nchallenges, nregisters;
  uint32_t field; /* zka_field */
} zka_program_desc;

typedef struct zka_program zka_program;

/* Copies and checks: every index in range, every register written before it is read, register 0 at the end. Then
 * registers are allocated again by liveness: as few as the order of the instructions allows.
 * Errors: PROGRAM with the instruction's number in zka_last_error, NON_CANONICAL for a constant, SIZE for more than 2^26
 * instructions on a GPU. It has no *_mem: what it takes grows with what `desc` has, and not with rows. */
ZKA_API zka_status zka_program_create(zka_ctx* ctx, const zka_program_desc* desc, zka_program** out);
ZKA_API void zka_program_free(zka_program* program);
/* Registers that are live at once. */
ZKA_API uint32_t zka_program_registers(const zka_program* program);

/* out[i] for i < n from columns of n elements or more; `columns` has ncolumns of them, `challenges` nchallenges.
 * `rotation_scale` is by how many rows a rotation of 1 goes: 1 over the rows themselves, 2^(extended_k - k) over those of
 * the extended domain. |rotation * rotation_scale| must be below n for each that the program uses. Where scratch does not
 * fit what is left of the context's device memory, fewer rows are worked on at once. `out` may not be one of the columns.
 * `columns` and `challenges` have been read when the call returns. */
ZKA_API zka_status zka_evaluate_quotient(const zka_program* program, const zka_buf* const* columns,
                                         const zka_fe* challenges, uint64_t rotation_scale, size_t n, zka_buf* out,
                                         zka_stream* stream);
ZKA_API zka_status zka_evaluate_quotient_mem(const zka_program* program, size_t n, uint64_t* host_bytes,
                                             uint64_t* device_bytes);

#endif
