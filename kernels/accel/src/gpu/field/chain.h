// 32-bit additions and multiply-adds whose carry goes from one to the next: on a device it is in a flag of PTX, on the
// host in a variable. A chain begins with an operation that takes no carry, and between two of its operations there is
// none of another chain. The flag does not outlive a call, so each function that has a part of a chain is ZKA_HD_INLINE.
#pragma once
#include <cstdint>

#include "ff/hd.h"

// nvcc -G: code is compiled without optimisation, the flag is lost between instructions, and sums are wrong in silence.
#if defined(__CUDACC_DEBUG__)
#error "field arithmetic is wrong in code that nvcc compiles for device debugging: leave out -G (-lineinfo is fine)"
#endif

namespace zka::gpu {

// `ptx` on a device, `host` elsewhere, of the operands a, b and (THREE) c.
#if defined(__CUDA_ARCH__)
#define ZKA_OF_TWO(ptx, host) \
  uint32_t result;            \
  asm volatile(ptx " %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b)); \
  return result
#define ZKA_OF_THREE(ptx, host) \
  uint32_t result;              \
  asm volatile(ptx " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c)); \
  return result
#else
#define ZKA_OF_TWO(ptx, host) return host
#define ZKA_OF_THREE(ptx, host) return host
#endif

// With _cc a carry is passed on, and with a c before it, one is added. lo and hi are of a * b, to which c is added.
class Chain {
 public:
  ZKA_HD_INLINE uint32_t add_cc(uint32_t a, uint32_t b) { ZKA_OF_TWO("add.cc.u32", sum(a, b, 0)); }
  ZKA_HD_INLINE uint32_t addc_cc(uint32_t a, uint32_t b) { ZKA_OF_TWO("addc.cc.u32", sum(a, b, carry_)); }
  ZKA_HD_INLINE uint32_t addc(uint32_t a, uint32_t b) { ZKA_OF_TWO("addc.u32", sum(a, b, carry_)); }
  // The carry is a borrow here.
  ZKA_HD_INLINE uint32_t sub_cc(uint32_t a, uint32_t b) { ZKA_OF_TWO("sub.cc.u32", difference(a, b, 0)); }
  ZKA_HD_INLINE uint32_t subc_cc(uint32_t a, uint32_t b) { ZKA_OF_TWO("subc.cc.u32", difference(a, b, carry_)); }
  ZKA_HD_INLINE uint32_t subc(uint32_t a, uint32_t b) { ZKA_OF_TWO("subc.u32", difference(a, b, carry_)); }

  ZKA_HD_INLINE uint32_t mad_lo_cc(uint32_t a, uint32_t b, uint32_t c) { ZKA_OF_THREE("mad.lo.cc.u32", sum(lo(a, b), c, 0)); }
  ZKA_HD_INLINE uint32_t madc_lo_cc(uint32_t a, uint32_t b, uint32_t c) {
    ZKA_OF_THREE("madc.lo.cc.u32", sum(lo(a, b), c, carry_));
  }
  ZKA_HD_INLINE uint32_t madc_hi_cc(uint32_t a, uint32_t b, uint32_t c) {
    ZKA_OF_THREE("madc.hi.cc.u32", sum(hi(a, b), c, carry_));
  }
  ZKA_HD_INLINE uint32_t madc_hi(uint32_t a, uint32_t b, uint32_t c) { ZKA_OF_THREE("madc.hi.u32", sum(hi(a, b), c, carry_)); }

 private:
#if !defined(__CUDA_ARCH__)
  static uint32_t lo(uint32_t a, uint32_t b) { return a * b; }
  static uint32_t hi(uint32_t a, uint32_t b) { return static_cast<uint32_t>(uint64_t{a} * b >> 32); }
  uint32_t sum(uint32_t a, uint32_t b, uint32_t carry) {
    const uint64_t wide = uint64_t{a} + b + carry;
    carry_ = static_cast<uint32_t>(wide >> 32);
    return static_cast<uint32_t>(wide);
  }
  uint32_t difference(uint32_t a, uint32_t b, uint32_t borrow) {
    const uint64_t wide = uint64_t{a} - b - borrow;
    carry_ = static_cast<uint32_t>(wide >> 32) & 1;
    return static_cast<uint32_t>(wide);
  }
  uint32_t carry_ = 0;
#endif
};

#undef ZKA_OF_TWO
#undef ZKA_OF_THREE

}  // namespace zka::gpu
