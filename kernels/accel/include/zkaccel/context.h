/* Contexts and streams. */
#ifndef ZKACCEL_CONTEXT_H
#define ZKACCEL_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#define ZKA_ABI_VERSION 1u

typedef struct zka_ctx zka_ctx;
typedef struct zka_stream zka_stream;

typedef enum ZKA_UINT { ZKA_BACKEND_AUTO = 0, ZKA_BACKEND_CPU = 1, ZKA_BACKEND_CUDA = 2 } zka_backend;

/* Which instructions the CPU backend uses. One that the CPU lacks is ZKA_E_UNSUPPORTED. */
typedef enum ZKA_UINT {
  ZKA_ISA_AUTO = 0, /* the best there is; the environment's ZKA_CPU=portable|adx|ifma goes before it */
  ZKA_ISA_PORTABLE = 1,
  ZKA_ISA_ADX = 2,
  ZKA_ISA_IFMA = 3
} zka_isa;

typedef struct {
  uint32_t abi_version; /* ZKA_ABI_VERSION of the caller's header */
  uint32_t backend;     /* zka_backend */
  int32_t device;       /* CUDA's number of the GPU; ignored on the CPU */
  uint32_t threads;     /* of the CPU backend, the caller's among them; 0: as many as this process may run on */
  uint32_t isa;         /* zka_isa */
  uint32_t reserved;    /* 0 */
  uint64_t host_bytes_max;   /* of buffers, precomputed values and scratch together; 0: no limit */
  uint64_t device_bytes_max; /* likewise on the device; 0: most of what is free when the context is made */
} zka_config;

ZKA_API uint32_t zka_abi_version(void);

/* The caller owns *out and ends it with zka_ctx_destroy. Calls of a context on a GPU leave that GPU the current device of
 * CUDA for the thread that calls. Errors: INVALID_ARG, UNSUPPORTED, NO_DEVICE, DRIVER, OOM_*. */
ZKA_API zka_status zka_ctx_create(const zka_config* config, zka_ctx** out);

/* Ends what is on its streams and frees all that was made in it; its handles are dead from then on. Null is ignored.
 * In a child made by fork a context of its parent is left alone here, and refused by all else as ZKA_E_INVALID_ARG.
 * A call without a stream that another thread is in completes and returns what it would have: its context, with all its
 * memory, is freed when the last of those has returned. */
ZKA_API void zka_ctx_destroy(zka_ctx* ctx);

/* What went wrong in the last failed call of this thread, with `ctx` or, where it is null, in zka_ctx_create. Valid until
 * the thread's next failed call; never null. */
ZKA_API const char* zka_last_error(const zka_ctx* ctx);

/* A JSON object: backend, isa, threads, name, memory (bytes held and their limits, 0 for none), and why AUTO fell back.
 * *need is its length with the final zero; `json` gets it where cap_bytes suffices, else ZKA_E_SIZE. */
ZKA_API zka_status zka_device_info(const zka_ctx* ctx, char* json, size_t cap_bytes, size_t* need);

/* Bytes that the context holds now, and the most that it ever held, on host and device. */
typedef struct {
  uint64_t host_bytes, host_bytes_peak, device_bytes, device_bytes_peak;
} zka_memory;
ZKA_API zka_status zka_memory_used(const zka_ctx* ctx, zka_memory* out);

ZKA_API zka_status zka_stream_create(zka_ctx* ctx, zka_stream** out);
/* Waits for all that was queued; returns the first failure since the last sync, also one of a call that was refused for
 * its arguments. */
ZKA_API zka_status zka_stream_sync(zka_stream* stream);
/* From any thread: what is queued or under way ends soon with ZKA_E_CANCELLED, until the next sync. */
ZKA_API zka_status zka_stream_cancel(zka_stream* stream);
/* Waits first. Null is ignored. */
ZKA_API void zka_stream_destroy(zka_stream* stream);

#endif
