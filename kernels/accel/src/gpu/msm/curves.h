// From a curve of the interface to its type.
#pragma once
#include "ec/curve.h"
#include "zkaccel/msm.h"

namespace zka::gpu {

template <class Work>
void over_curve(zka_curve curve, const Work& work) {
  if (curve == ZKA_CURVE_BN254) {
    work(Bn254{});
  } else {
    work(Grumpkin{});
  }
}

}  // namespace zka::gpu
