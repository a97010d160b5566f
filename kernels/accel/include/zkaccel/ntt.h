/* Number theoretic transforms of 2^k elements of FR, k <= 28. */
#ifndef ZKACCEL_NTT_H
#define ZKACCEL_NTT_H

#include "buffer.h"

/* Twiddles for n = 2^k and for its extended domain of 2^extended_k. */
typedef struct zka_domain zka_domain;

typedef enum ZKA_UINT {
  ZKA_NTT_FORWARD = 0, /* coefficients to evaluations at omega^i */
  ZKA_NTT_INVERSE = 1  /* back, with the factor 1/n */
} zka_ntt_direction;

/* The order of input and output: N natural, R by the reversed bits of the index. */
typedef enum ZKA_UINT { ZKA_ORDER_NN = 0, ZKA_ORDER_NR = 1, ZKA_ORDER_RN = 2 } zka_order;

/* `omega` is a primitive root of unity of order 2^extended_k; null: 7^((r-1)/2^28) to the power 2^(28-extended_k), as
 * ROOT_OF_UNITY of halo2curves gives it. Arkworks has another, 5^((r-1)/2^28): hand that in. `coset` is the generator g
 * of the coset g*H of the extended domain; null: the field's generator 7. k <= extended_k <= 28.
 * Errors: SIZE; INVALID_ARG for an omega of another order, and for a coset of 0 or in H. */
ZKA_API zka_status zka_domain_create(zka_ctx* ctx, uint32_t k, uint32_t extended_k, const zka_fe* omega,
                                     const zka_fe* coset, zka_domain** out);
ZKA_API void zka_domain_free(zka_domain* domain);
ZKA_API zka_status zka_domain_mem(const zka_ctx* ctx, uint32_t k, uint32_t extended_k, uint64_t* host_bytes,
                                  uint64_t* device_bytes);

/* In place over columns that are all of 2^k or all of 2^extended_k elements. `on_coset` != 0: evaluations at
 * g * omega^i. The list of columns has been read when the call returns. */
ZKA_API zka_status zka_ntt(const zka_domain* domain, zka_buf* const* columns, size_t ncolumns,
                           zka_ntt_direction direction, zka_order order, int on_coset, zka_stream* stream);
ZKA_API zka_status zka_ntt_mem(const zka_domain* domain, size_t n, uint64_t* host_bytes, uint64_t* device_bytes);

/* extended[j] = the polynomial of `coefficients` (at most 2^extended_k of them) at g * w^j, w of order 2^extended_k.
 * [halo2's EvaluationDomain::coeff_to_extended, where the domain was made with halo2's omega and zeta] */
ZKA_API zka_status zka_coeff_to_extended(const zka_domain* domain, const zka_buf* coefficients, zka_buf* extended,
                                         zka_stream* stream);
/* Back, in place. */
ZKA_API zka_status zka_extended_to_coeff(const zka_domain* domain, zka_buf* extended, zka_stream* stream);
/* Evaluations on the coset, each divided by X^n - 1 there. [EvaluationDomain::divide_by_vanishing_poly] */
ZKA_API zka_status zka_divide_by_vanishing(const zka_domain* domain, zka_buf* extended, zka_stream* stream);

#endif
