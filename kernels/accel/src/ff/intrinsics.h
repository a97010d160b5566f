// The instructions of x86 as functions.
#pragma once
#if defined(__x86_64__)
// gcc 12 takes the intrinsics' own "undefined" operands for uninitialised ones (its bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#else
#include <immintrin.h>
#endif
#endif
