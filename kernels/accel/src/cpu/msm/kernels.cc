#include "cpu/msm/kernels.h"

#include "cpu/dispatch.h"

#define ZKA_DECLARE(isa) \
  namespace zka::isa {   \
  const MsmKernels& kernels_of(zka_curve curve); \
  }
ZKA_EACH_ISA(ZKA_DECLARE)
#undef ZKA_DECLARE

namespace zka {

const MsmKernels& msm_kernels(Isa isa, zka_curve curve) { return ZKA_BY_ISA(isa, kernels_of(curve)); }

}  // namespace zka
