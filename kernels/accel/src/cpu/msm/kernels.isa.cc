#include "cpu/msm/kernels.h"

#include <bit>

#include "cpu/msm/carried.h"
#include "cpu/msm/direct.h"
#include "cpu/msm/points.h"
#include "cpu/msm/sort.h"
#include "cpu/msm/split.h"
#include "cpu/msm/tile.h"
#include "cpu/msm/weighted.h"

namespace zka::ZKA_ISA {
namespace {

template <class C>
void sum_buckets(Window& window, const Scratch& scratch) {
  using F = typename C::Base;
  add_carried<C>(window, scratch);
  const auto sum = weighted_sum(reinterpret_cast<Affine<F>*>(window.buckets), window.buckets_used, scratch);
  window.sum = std::bit_cast<zka_jacobian>(Jacobian<F>::from(sum));
}

template <class C>
void append_window(zka_jacobian& to, unsigned bits, const zka_jacobian& more) {
  using Sum = Jacobian<typename C::Base>;
  Sum sum = std::bit_cast<Sum>(to);
  for (unsigned i = 0; i < bits; ++i) sum = sum.dbl();
  to = std::bit_cast<zka_jacobian>(sum + std::bit_cast<Sum>(more));
}

template <class C>
void finish(zka_jacobian& to) {
  using Sum = Jacobian<typename C::Base>;
  to = std::bit_cast<zka_jacobian>(Sum::from(std::bit_cast<Sum>(to).to_affine()));
}

template <class C>
constexpr MsmKernels KERNELS = {first_fault<C>, any_identity<C>,  apply_endomorphism<C>, double_often<C>,
                                normalise<C>,   split_scalars<C>, sort_window,           sum_tile<C>,
                                sum_buckets<C>, sum_directly<C>,  append_window<C>,      finish<C>};

}  // namespace

const MsmKernels& kernels_of(zka_curve curve) {
  return with_curve(curve, []<class C>(C) -> const MsmKernels& { return KERNELS<C>; });
}

}  // namespace zka::ZKA_ISA
