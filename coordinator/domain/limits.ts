/** Sizes that both sides of the store agree on. */

/** Inputs and results up to this size are stored next to the record; larger ones are blobs. */
export const SMALL_BYTES_MAX = 4 * 1024;

/** What a client may send as the value of `input`. */
export const INPUT_BYTES_MAX = 10 * 1024 * 1024;

/** What a prover may return. */
export const RESULT_BYTES_MAX = 1024 * 1024 * 1024;

/** Above this a task's record leaves the result to `result_url`. */
export const RESULT_INLINE_BYTES_MAX = 8 * 1024 * 1024;
