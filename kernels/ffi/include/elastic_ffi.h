/*
 * The builtin provers of the Elastic Proving Service, behind one C ABI.
 *
 * All functions may be called from any thread, several at a time. Calls block until they are done. Nothing
 * unwinds out of this library; only the test prover `crash` ends the process, when its input says so.
 *
 * Outputs. A function with `output` and `output_len` always writes both unless one of them is null (then it
 * returns ELASTIC_INVALID_ARGUMENT and does nothing). With ELASTIC_OK the output is the result; with any other
 * status it is a sentence in UTF-8 that says what went wrong. It is not terminated by NUL. It may be empty:
 * then the pointer is null and the length 0. It belongs to the caller, who gives it back with elastic_free.
 */
#ifndef ELASTIC_FFI_H
#define ELASTIC_FFI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a call ended. */
enum elastic_status {
    ELASTIC_OK = 0,
    ELASTIC_PROVER_ERROR = 1,     /* the prover refused the statement, or failed on it */
    ELASTIC_BAD_INPUT = 2,        /* the input does not parse as this prover's input */
    ELASTIC_UNKNOWN_PROVER = 3,   /* no prover has that name */
    ELASTIC_CANCELLED = 4,        /* the caller set the cancel word */
    ELASTIC_PANIC = 5,            /* the prover panicked: a fault of this library */
    ELASTIC_INVALID_ARGUMENT = 6  /* a null or misaligned pointer, or a name that is not UTF-8 */
};

/* The version of this interface. This header describes version 1. */
uint32_t elastic_ffi_version(void);

/* The names of all available provers, as a JSON array of strings. Status: OK, INVALID_ARGUMENT. */
int32_t elastic_prover_names(uint8_t **output, size_t *output_len);

/*
 * Gets a prover ready: reads set-up parameters, makes keys, makes one proof. The output of OK is empty. Calling
 * it is optional, and it may be called again. `name` ends in NUL.
 *
 * Status: OK, PROVER_ERROR (the prover cannot work, for example because the file that the environment variable
 * ELASTIC_SRS_PATH names is unusable), UNKNOWN_PROVER, PANIC, INVALID_ARGUMENT.
 */
int32_t elastic_prover_ready(const char *name, uint8_t **output, size_t *output_len);

/*
 * Proves one input.
 *
 * name                 which prover; ends in NUL
 * input, input_len     the input's JSON text in UTF-8, exactly as it was submitted; read only, until the call
 *                      returns. Null is allowed with length 0.
 * progress_millionths  null, or an aligned word in which the prover stores how far it is, 0 to 1000000, by
 *                      atomic stores. It never falls, and a prover may never touch it.
 * cancel               null, or an aligned word that the prover polls by atomic loads. Nonzero requests it to stop:
 *                      it returns CANCELLED soon, or the result if that was nearly done.
 * output, output_len   with OK, the JSON text of the prover's output in UTF-8
 *
 * Both words must be in memory that other threads can reach while the call blocks.
 * Status: any.
 */
int32_t elastic_prove(const char *name,
                      const uint8_t *input, size_t input_len,
                      uint32_t *progress_millionths,
                      const uint32_t *cancel,
                      uint8_t **output, size_t *output_len);

/* Gives an output back. Null is allowed. */
void elastic_free(uint8_t *output, size_t output_len);

/*
 * Makes five provers exist in this process that prove nothing; for tests and benchmarks.
 *
 * noop   any input; returns "ok"
 * clock  any input; returns when it was called, in microseconds since the Unix epoch
 * echo   any JSON text; returns it byte for byte
 * sleep  {"ms": N}; sleeps so long unless cancelled, reporting its progress; returns {"slept_ms": N}
 * crash  {"how": "segv" | "abort" | "stack" | "panic"}; ends the process, or (panic) returns PANIC
 */
void elastic_enable_test_provers(void);

#ifdef __cplusplus
}
#endif

#endif
