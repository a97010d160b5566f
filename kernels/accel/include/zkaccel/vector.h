/* Element-wise operations, and products along a vector. All ranges must be within their buffers (ZKA_E_SIZE), and all
 * buffers be of one context and field (ZKA_E_INVALID_ARG). Single elements (factor, start, base) have been read when the
 * call returns. */
#ifndef ZKACCEL_VECTOR_H
#define ZKACCEL_VECTOR_H

#include "buffer.h"

typedef enum ZKA_UINT { ZKA_OP_ADD = 0, ZKA_OP_SUB = 1, ZKA_OP_MUL = 2 } zka_vector_op;

/* out[i] = a[i] op b[i] for i < n. out may be a or b. */
ZKA_API zka_status zka_vector_op_apply(zka_vector_op op, const zka_buf* a, const zka_buf* b, zka_buf* out, size_t n,
                                       zka_stream* stream);
/* out[i] = factor * a[i] + b[i] for i < n; b may be null (0). out may be a or b. */
ZKA_API zka_status zka_vector_scale_add(const zka_fe* factor, const zka_buf* a, const zka_buf* b, zka_buf* out,
                                        size_t n, zka_stream* stream);
/* out[i] = start * base^i for i < n. */
ZKA_API zka_status zka_vector_powers(const zka_fe* start, const zka_fe* base, zka_buf* out, size_t n,
                                     zka_stream* stream);

/* v[offset..offset+n], each replaced by its inverse; zero stays zero, as in halo2's batch_invert.
 * [Montgomery's trick: "Speeding the Pollard and elliptic curve methods of factorization", 1987, §10.3.1] */
ZKA_API zka_status zka_batch_inverse(zka_buf* v, size_t offset, size_t n, zka_stream* stream);
ZKA_API zka_status zka_batch_inverse_mem(const zka_ctx* ctx, size_t n, uint64_t* host_bytes, uint64_t* device_bytes);

/* z[0] = start and z[i+1] = z[i] * num[i] / den[i] for i < n: z has n + 1 elements or more, and is neither num nor den
 * (ZKA_E_INVALID_ARG). A zero in den counts as 1/0 = 0.
 * [the permutation argument of PLONK, ePrint 2019/953, §5; halo2's plonk/permutation/prover.rs] */
ZKA_API zka_status zka_grand_product(const zka_buf* num, const zka_buf* den, const zka_fe* start, size_t n, zka_buf* z,
                                     zka_stream* stream);
ZKA_API zka_status zka_grand_product_mem(const zka_ctx* ctx, size_t n, uint64_t* host_bytes, uint64_t* device_bytes);

#endif
