// Work on arrays of points, a thread each.
#pragma once
#include "ec/curve.h"
#include "ec/jacobian.h"

namespace zka::gpu {

template <class F>
ZKA_HD Affine<F> canonical(const Affine<F>& point) {
  return {point.x.canonical(), point.y.canonical()};
}

// Twice the first index of a point that is not one, and one more where its coordinates are but not on the curve.
template <class C>
struct FindFault {
  const typename C::Point* points;
  uint64_t n;
  uint64_t* first;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    if (i >= n) return;
    const auto& point = points[i];
    if (!point.x.is_below_modulus() || !point.y.is_below_modulus()) {
      thread.atomic_min(first, 2 * i);
    } else if (!C::has(point)) {
      thread.atomic_min(first, 2 * i + 1);
    }
  }
};

// Each point times 2^times.
template <class C>
struct DoubleOften {
  static constexpr uint32_t THREADS_MAX = 128;
  const typename C::Point* from;
  uint64_t n;
  unsigned times;
  typename C::Point* to;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    if (i >= n) return;
    auto sum = Jacobian<typename C::Base>::from(from[i]);
    for (unsigned k = 0; k < times; ++k) sum = sum.dbl();
    to[i] = canonical(sum.to_affine());
  }
};

template <class C>
struct Normalise {
  static constexpr uint32_t THREADS_MAX = 128;
  const Jacobian<typename C::Base>* from;
  uint64_t n;
  typename C::Point* to;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    if (i < n) to[i] = canonical(from[i].to_affine());
  }
};

}  // namespace zka::gpu
