// Work on arrays of points, one piece a call.
#pragma once
#include "cpu/msm/kernels.h"
#include "ec/curve.h"
#include "ec/jacobian.h"

namespace zka::ZKA_ISA {

// Affine points of Jacobian ones, at the price of one inversion for each `CHUNK`.
template <class C>
void normalise(const zka_jacobian* from, size_t n, zka_affine* to) {
  using F = typename C::Base;
  constexpr size_t CHUNK = 128;
  const auto* const points = reinterpret_cast<const Jacobian<F>*>(from);
  auto* const out = reinterpret_cast<Affine<F>*>(to);
  for (size_t begin = 0; begin < n; begin += CHUNK) {
    const size_t count = n - begin < CHUNK ? n - begin : CHUNK;
    F before[CHUNK], product = F::one();
    const auto divisor = [&](size_t i) { return points[begin + i].is_identity() ? F::one() : points[begin + i].z; };
    for (size_t i = 0; i < count; ++i) {
      before[i] = product;
      product *= divisor(i);
    }
    F inverse = product.inverse();
    for (size_t i = count; i-- > 0;) {
      out[begin + i] = points[begin + i].to_affine(inverse * before[i]);
      inverse *= divisor(i);
    }
  }
}

template <class C>
PointFault first_fault(const zka_affine* from, size_t n, size_t& index) {
  const auto* const points = reinterpret_cast<const typename C::Point*>(from);
  for (index = 0; index < n; ++index) {
    const auto& point = points[index];
    if (!point.x.is_below_modulus() || !point.y.is_below_modulus()) return PointFault::NON_CANONICAL;
    if (!C::has(point)) return PointFault::NOT_ON_CURVE;
  }
  return PointFault::NONE;
}

template <class C>
bool any_identity(const zka_affine* from, size_t n) {
  const auto* const points = reinterpret_cast<const typename C::Point*>(from);
  for (size_t i = 0; i < n; ++i) {
    if (points[i].is_identity()) return true;
  }
  return false;
}

// Each point times lambda.
template <class C>
void apply_endomorphism(const zka_affine* from, size_t n, zka_affine* to) {
  const auto* const points = reinterpret_cast<const typename C::Point*>(from);
  auto* const out = reinterpret_cast<typename C::Point*>(to);
  const auto beta = C::beta();
  for (size_t i = 0; i < n; ++i) out[i] = {points[i].x * beta, points[i].y};
}

// Each point times 2^times.
template <class C>
void double_often(const zka_affine* from, size_t n, unsigned times, zka_affine* to) {
  using Sum = Jacobian<typename C::Base>;
  constexpr size_t CHUNK = 128;
  const auto* const points = reinterpret_cast<const typename C::Point*>(from);
  for (size_t begin = 0; begin < n; begin += CHUNK) {
    const size_t count = n - begin < CHUNK ? n - begin : CHUNK;
    Sum doubled[CHUNK];
    for (size_t i = 0; i < count; ++i) {
      doubled[i] = Sum::from(points[begin + i]);
      for (unsigned k = 0; k < times; ++k) doubled[i] = doubled[i].dbl();
    }
    normalise<C>(reinterpret_cast<const zka_jacobian*>(doubled), count, to + begin);
  }
}

}  // namespace zka::ZKA_ISA
