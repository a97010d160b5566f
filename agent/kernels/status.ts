/** How a native call ended; the numbers are those of elastic_ffi.h. */
export const STATUS = {
  ok: 0,
  proverError: 1,
  badInput: 2,
  unknownProver: 3,
  cancelled: 4,
  panic: 5,
  invalidArgument: 6,
} as const;
