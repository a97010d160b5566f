/* The status codes that calls return. */
#ifndef ZKACCEL_STATUS_H
#define ZKACCEL_STATUS_H

#ifdef __cplusplus
#define ZKA_EXTERN_C extern "C"
/* Of enumerations: a caller in C may hand in any number, and the library looks at it. */
#define ZKA_UINT : unsigned int
#else
#define ZKA_EXTERN_C
#define ZKA_UINT
#endif
#if defined(__GNUC__)
#define ZKA_API ZKA_EXTERN_C __attribute__((visibility("default")))
#else
#define ZKA_API ZKA_EXTERN_C
#endif

typedef enum {
  ZKA_OK = 0,
  ZKA_E_INVALID_ARG = -1,    /* null, misaligned, freed or foreign; or a value that is none of its kind */
  ZKA_E_SIZE = -2,           /* too small, too large, no power of two, or not as long as its partner */
  ZKA_E_NOT_ON_CURVE = -3,   /* a point; zka_last_error says which */
  ZKA_E_NON_CANONICAL = -4,  /* an element that is not below the modulus */
  ZKA_E_OOM_HOST = -5,       /* no memory, or beyond the limit of the context */
  ZKA_E_OOM_DEVICE = -6,     /* no device memory, or beyond the limit of the context */
  ZKA_E_NO_DEVICE = -7,      /* ZKA_BACKEND_CUDA where there is no such GPU */
  ZKA_E_DRIVER = -8,         /* the driver is too old, or refused */
  ZKA_E_NOT_IN_TABLE = -9,   /* an input of a lookup is not in its table */
  ZKA_E_PROGRAM = -10,       /* a quotient program is malformed; zka_last_error says at which instruction */
  ZKA_E_UNSUPPORTED = -11,   /* not for this curve, field or backend */
  ZKA_E_CANCELLED = -12,     /* zka_stream_cancel came first; the outputs are undefined */
  ZKA_E_POISONED = -13,      /* the device failed for good: destroy the context */
  ZKA_E_REMAINDER = -14,     /* a division was to be exact and is not */
  ZKA_E_INTERNAL = -99       /* a fault of this library */
} zka_status;

/* The name of a status, such as "ZKA_E_SIZE"; never null. */
ZKA_API const char* zka_status_name(int status);

#endif
