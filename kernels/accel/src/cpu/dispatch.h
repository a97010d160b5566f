// How plain code calls what is compiled once for each set of instructions.
#pragma once
#include "core/job.h"

// ZKA_EACH_ISA(DECLARE): DECLARE(portable) and so on, for the variants that there are.
#if defined(ZKA_X86_VARIANTS)
#define ZKA_EACH_ISA(DECLARE) DECLARE(portable) DECLARE(adx) DECLARE(ifma)
// zka::<isa>::call, with its arguments.
#define ZKA_BY_ISA(isa, ...)               \
  ((isa) == ::zka::Isa::ifma  ? ::zka::ifma::__VA_ARGS__ \
   : (isa) == ::zka::Isa::adx ? ::zka::adx::__VA_ARGS__  \
                              : ::zka::portable::__VA_ARGS__)
#else
#define ZKA_EACH_ISA(DECLARE) DECLARE(portable)
#define ZKA_BY_ISA(isa, ...) (static_cast<void>(isa), ::zka::portable::__VA_ARGS__)
#endif
