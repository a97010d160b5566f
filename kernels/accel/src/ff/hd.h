// ZKA_HD: a function that runs on the host and, where nvcc compiles it, on a device too.
#pragma once

#if defined(__CUDACC__)
#define ZKA_HD __host__ __device__
#else
#define ZKA_HD
#endif
