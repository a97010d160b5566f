/* The permuted columns A' and S' of a lookup argument. [halo2 book, "Lookup argument"; the service's specification,
 * "Library: GPU acceleration"] */
#ifndef ZKACCEL_LOOKUP_H
#define ZKACCEL_LOOKUP_H

#include "buffer.h"

typedef enum ZKA_UINT {
  /* (A'[i] - A'[i+1]) * (S'[i] - A'[i]) = 0: the last row of each run of A' meets its S'. */
  ZKA_PERMUTE_LAST_MEETS = 0,
  /* (A'[i] - A'[i-1]) * (A'[i] - S'[i]) = 0 and A'[0] = S'[0]: the first does. Byte for byte what halo2's CPU prover
   * makes: A' in ascending canonical order, what is left of S ascending into the free rows from the last backwards. */
  ZKA_PERMUTE_FIRST_MEETS = 1
} zka_permute_order;

/* From the first `usable` rows of a and s. Rows from `usable` on are left as they are: blinding is the caller's.
 * A value of a that s has not is ZKA_E_NOT_IN_TABLE, and *bad_row (may be null; valid after the sync) the first row of
 * `a` that has such. LAST_MEETS is FIRST_MEETS read backwards. */
ZKA_API zka_status zka_permute_pair(const zka_buf* a, const zka_buf* s, size_t usable, zka_permute_order order,
                                    zka_buf* a_out, zka_buf* s_out, uint64_t* bad_row, zka_stream* stream);
ZKA_API zka_status zka_permute_pair_mem(const zka_ctx* ctx, size_t usable, uint64_t* host_bytes,
                                        uint64_t* device_bytes);

#endif
