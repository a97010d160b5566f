/* Field elements, and arrays of them in a backend's memory. */
#ifndef ZKACCEL_BUFFER_H
#define ZKACCEL_BUFFER_H

#include "context.h"

/* bn256 (BN254, alt_bn128): FR orders its G1, FQ is the field of its points. Grumpkin has them the other way round. */
typedef enum ZKA_UINT { ZKA_FIELD_BN254_FR = 0, ZKA_FIELD_BN254_FQ = 1 } zka_field;

typedef struct {
  uint64_t l[4];
} zka_fe;

typedef struct zka_buf zka_buf;

/* How elements look outside. */
typedef enum ZKA_UINT {
  ZKA_FORM_MONTGOMERY = 0,
  ZKA_FORM_CANONICAL = 1 /* the value itself, little-endian */
} zka_form;

/* `n` elements, all zero. Errors: OOM_*, SIZE when the bytes do not fit. n may be 0. */
ZKA_API zka_status zka_buf_alloc(zka_ctx* ctx, zka_field field, size_t n, zka_buf** out);
/* Null is ignored. */
ZKA_API void zka_buf_free(zka_buf* buf);
ZKA_API size_t zka_buf_len(const zka_buf* buf);

/* Copies n elements to buf[offset..]; `from` has been read when the call returns. ZKA_E_NON_CANONICAL where one is not
 * below the modulus: each element of the range is then what it was, what was to be written, or 0. */
ZKA_API zka_status zka_buf_write(zka_buf* buf, size_t offset, const zka_fe* from, size_t n, zka_form form,
                                 zka_stream* stream);
/* Copies buf[offset..offset+n] out; `to` is valid after the stream's sync. */
ZKA_API zka_status zka_buf_read(const zka_buf* buf, size_t offset, zka_fe* to, size_t n, zka_form form,
                                zka_stream* stream);
/* Copies n elements between buffers of one context and field; they may be the same, and the ranges overlap. */
ZKA_API zka_status zka_buf_copy(zka_buf* to, size_t to_offset, const zka_buf* from, size_t from_offset, size_t n,
                                zka_stream* stream);

/* Memory that a device reads without an intermediate copy (pinned with CUDA, ordinary else). Freed by zka_host_free, which
 * waits for what streams are still to write there. */
ZKA_API zka_status zka_host_alloc(zka_ctx* ctx, size_t bytes, void** out);
ZKA_API void zka_host_free(zka_ctx* ctx, void* memory);

#endif
