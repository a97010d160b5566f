/* What opening polynomials takes (KZG multiopen: SHPLONK, ePrint 2020/081, and GWC, ePrint 2019/953). Polynomials are
 * buffers of coefficients, the constant first. */
#ifndef ZKACCEL_POLYNOMIAL_H
#define ZKACCEL_POLYNOMIAL_H

#include "buffer.h"

/* out = sum over i < m of factor^i * (polys[i] - low[i]). Each polynomial has at most as many coefficients as out; low[i]
 * has low_len[i] of them and is in the caller's memory; low may be null. The numerators of both schemes. All but the
 * polynomials has been read when the call returns. */
ZKA_API zka_status zka_poly_fold(const zka_buf* const* polys, size_t m, const zka_fe* factor, const zka_fe* const* low,
                                 const size_t* low_len, zka_buf* out, zka_stream* stream);

/* The first n coefficients divided by (X - roots[0]) ... (X - roots[nroots-1]), in place: the quotient, then zeros.
 * `roots` has been read when the call returns; `remainders` (may be null; valid after the sync) gets what each division
 * left, in that order. `exact` != 0: any of them other than 0 is ZKA_E_REMAINDER; of `remainders` those up to the first
 * such are then written, and the n coefficients may be anything. */
ZKA_API zka_status zka_poly_div_roots(zka_buf* poly, size_t n, const zka_fe* roots, size_t nroots, int exact,
                                      zka_fe* remainders, zka_stream* stream);
ZKA_API zka_status zka_poly_div_roots_mem(const zka_ctx* ctx, size_t n, uint64_t* host_bytes, uint64_t* device_bytes);

/* out[i*npoints + j] = polys[i] at points[j]; valid after the sync. `polys` and `points` have been read when the call
 * returns. It has no *_mem: it takes at most two elements for each point and 2^12 coefficients (or fewer) of each
 * polynomial, and 21 for each point. */
ZKA_API zka_status zka_poly_eval(const zka_buf* const* polys, size_t m, const zka_fe* points, size_t npoints,
                                 zka_fe* out, zka_stream* stream);

#endif
