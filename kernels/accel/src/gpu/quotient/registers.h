// The registers of the threads that run a program, each thread's its own.
#pragma once
#include "gpu/field/field.h"

namespace zka::gpu {

// Half an element: as much as a thread reads or writes at once.
struct alignas(16) RegisterHalf {
  uint32_t w[4];
};

// Registers of one number are side by side, and so are their halves, so that adjacent threads access adjacent memory.
template <class F>
class Registers {
 public:
  // The thread's, of `threads` that share the memory.
  ZKA_HD Registers(RegisterHalf* halves, uint64_t threads, uint64_t thread) : own_(halves + thread), threads_(threads) {}

  ZKA_HD F get(uint32_t number) const {
    const RegisterHalf* const at = half(number);
    const RegisterHalf low = at[0], high = at[threads_];
    return {{{low.w[0], low.w[1], low.w[2], low.w[3], high.w[0], high.w[1], high.w[2], high.w[3]}}};
  }
  ZKA_HD void put(uint32_t number, const F& x) const {
    const uint32_t(&w)[8] = x.l.w;
    RegisterHalf* const at = half(number);
    at[0] = {{w[0], w[1], w[2], w[3]}};
    at[threads_] = {{w[4], w[5], w[6], w[7]}};
  }

 private:
  ZKA_HD RegisterHalf* half(uint32_t number) const { return own_ + 2 * uint64_t{number} * threads_; }

  RegisterHalf* own_;
  uint64_t threads_;
};

}  // namespace zka::gpu
