// What code says that runs on the host and, where nvcc compiles it, on a device too.
#pragma once

// ZKA_HD: a function of both. ZKA_HD_INLINE: one that is never called on a device, but always part of its caller.
// ZKA_UNROLLED, ZKA_ROLLED: the loop that follows is written out, or is not, on a device.
#if defined(__CUDACC__)
#define ZKA_HD __host__ __device__
#define ZKA_HD_INLINE __host__ __device__ __forceinline__
#else
#define ZKA_HD
#define ZKA_HD_INLINE inline
#endif
#if defined(__CUDA_ARCH__)
#define ZKA_UNROLLED _Pragma("unroll")
#define ZKA_ROLLED _Pragma("unroll 1")
#else
#define ZKA_UNROLLED
#define ZKA_ROLLED
#endif
