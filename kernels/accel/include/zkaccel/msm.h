/* Multi-scalar multiplication: sum of scalars[i] * bases[i]. */
#ifndef ZKACCEL_MSM_H
#define ZKACCEL_MSM_H

#include "buffer.h"

/* G1 of bn256: y^2 = x^3 + 3 over FQ, scalars of FR. Grumpkin: y^2 = x^3 - 17 over FR, scalars of FQ. */
typedef enum ZKA_UINT { ZKA_CURVE_BN254 = 0, ZKA_CURVE_GRUMPKIN = 1 } zka_curve;

typedef struct {
  zka_fe x, y;
} zka_affine; /* (0, 0) is the identity */
typedef struct {
  zka_fe x, y, z;
} zka_jacobian; /* (x/z^2, y/z^3); z = 0 is the identity */

/* Points that are used again and again, such as an SRS. */
typedef struct zka_bases zka_bases;

/* Copies n points. `precompute`: how many multiples of each point are precomputed and stored next to it. The precompute
 * factor, by which memory grows, is one more than that, and each MSM gets cheaper; more than 252 is ZKA_E_SIZE. With 0, up
 * to 2^18 points are stored twice nevertheless, each with its multiple by the curve's endomorphism, so that scalars have
 * half their length [GLV: Gallant, Lambert, Vanstone, CRYPTO 2001].
 * `check` != 0: a coordinate that is not below its modulus is ZKA_E_NON_CANONICAL, a point off the curve is
 * ZKA_E_NOT_ON_CURVE; *bad_index (may be null) is the first such. `check` == 0: points are taken as they are. A sum that
 * has one off the curve is some zka_jacobian, not the same in each call, and no failure; sums without it are right. With a
 * coordinate that is not below its modulus no sum over these bases means anything. */
ZKA_API zka_status zka_bases_create(zka_ctx* ctx, zka_curve curve, const zka_affine* points, size_t n, uint32_t precompute,
                                    int check, size_t* bad_index, zka_bases** out);
ZKA_API void zka_bases_free(zka_bases* bases);
ZKA_API size_t zka_bases_len(const zka_bases* bases);
/* What they hold; with `check` a device holds 64 bytes more while they are made. */
ZKA_API zka_status zka_bases_mem(const zka_ctx* ctx, zka_curve curve, size_t n, uint32_t precompute,
                                 uint64_t* host_bytes, uint64_t* device_bytes);

/* out[k] = sum over i < n of scalars[offset + k*n + i] * bases[first + i], for k < batch: `n` points a sum come before
 * `batch` sums, and `out` has room for `batch` points. Scalars are of the curve's scalar field. `out` is valid after the
 * stream's sync. n or batch may be 0: the identity, or nothing. */
ZKA_API zka_status zka_msm(const zka_bases* bases, size_t first, const zka_buf* scalars, size_t offset, size_t n,
                           size_t batch, zka_jacobian* out, zka_stream* stream);
/* The scratch of that call, exactly. */
ZKA_API zka_status zka_msm_mem(const zka_bases* bases, size_t n, size_t batch, uint64_t* host_bytes,
                               uint64_t* device_bytes);
/* The same once, from the caller's memory. Scalars in Montgomery form, checked to be below the modulus; points are taken
 * as with `check` == 0. */
ZKA_API zka_status zka_msm_once(zka_ctx* ctx, zka_curve curve, const zka_affine* points, const zka_fe* scalars, size_t n,
                                zka_jacobian* out);

/* out[i] = (x/z^2, y/z^3) of points[i], on the curve or off it, or (0, 0) where z is 0. A coordinate that is not below its
 * modulus is ZKA_E_NON_CANONICAL; zka_last_error says of which point. */
ZKA_API zka_status zka_to_affine(zka_ctx* ctx, zka_curve curve, const zka_jacobian* points, size_t n, zka_affine* out);

#endif
