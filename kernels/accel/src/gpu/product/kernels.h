// Inverses and running products of blocks of elements; what a thread has is contiguous.
#pragma once
#include "gpu/product/scan.h"
#include "gpu/field/field.h"

namespace zka::gpu {

constexpr uint32_t PRODUCT_THREADS = 256;
constexpr uint32_t PRODUCT_EACH = 8;
constexpr uint64_t PRODUCT_BLOCK = uint64_t{PRODUCT_THREADS} * PRODUCT_EACH;

template <class F>
struct ProductShared {
  F from_first[PRODUCT_THREADS / WARP], from_last[PRODUCT_THREADS / WARP], inverse;
};

// Shape of a kernel of this file over n elements.
template <class F>
Shape product_shape(uint64_t n) {
  return {.blocks = n / PRODUCT_BLOCK + (n % PRODUCT_BLOCK != 0), .threads = PRODUCT_THREADS,
          .shared_bytes = sizeof(ProductShared<F>)};
}

// out[i] = 1 / in[i], or 0; out may be in. One inversion a block, of the product of its elements that are not zero; the
// products of what comes before each and after it make of that the inverse of each. [Montgomery's trick, of a tree]
template <class F>
struct Invert {
  const F* in;
  F* out;
  uint64_t n;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    auto& shared = *thread.template shared<ProductShared<F>>();
    const uint64_t begin = thread.index() * PRODUCT_EACH;
    F before[PRODUCT_EACH], own = F::one();
    ZKA_UNROLLED
    for (uint32_t i = 0; i < PRODUCT_EACH; ++i) {
      before[i] = own;
      const F x = element(begin + i);
      if (!x.is_zero()) own *= x;
    }
    const F first = product_before<From::first>(thread, own, shared.from_first);
    const F last = product_before<From::last>(thread, own, shared.from_last);
    if (thread.thread() == 0) shared.inverse = (own * last).inverse();
    thread.sync_block();
    F inverse = shared.inverse * first * last;
    ZKA_UNROLLED
    for (uint32_t k = 0; k < PRODUCT_EACH; ++k) {
      const uint32_t i = PRODUCT_EACH - 1 - k;
      const F x = element(begin + i);
      if (begin + i < n) out[begin + i] = x.is_zero() ? F::zero() : (inverse * before[i]).canonical();
      if (!x.is_zero()) inverse *= x;
    }
  }

  ZKA_HD F element(uint64_t i) const { return i < n ? in[i] : F::zero(); }
};

// v[i] = the product of v[j] * num[j] for the j up to i that are in its block, whose product of all goes to totals.
template <class F>
struct Accumulate {
  const F* num;
  F* v;
  uint64_t n;
  F* totals;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    auto& shared = *thread.template shared<ProductShared<F>>();
    const uint64_t begin = thread.index() * PRODUCT_EACH;
    F through[PRODUCT_EACH], own = F::one();
    ZKA_UNROLLED
    for (uint32_t i = 0; i < PRODUCT_EACH; ++i) {
      if (begin + i < n) own *= v[begin + i] * num[begin + i];
      through[i] = own;
    }
    const F before = product_before<From::first>(thread, own, shared.from_first);
    ZKA_UNROLLED
    for (uint32_t i = 0; i < PRODUCT_EACH; ++i) {
      if (begin + i < n) v[begin + i] = (before * through[i]).canonical();
    }
    if (thread.thread() == PRODUCT_THREADS - 1) totals[thread.block()] = before * own;
  }
};

// From the products of all blocks, in order, to what comes before each, times `start`. One block.
template <class F>
struct CarryTotals {
  F start;
  F* totals;
  uint64_t n;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    auto& shared = *thread.template shared<ProductShared<F>>();
    const uint64_t begin = n * thread.thread() / PRODUCT_THREADS, end = n * (thread.thread() + 1) / PRODUCT_THREADS;
    F own = F::one();
    ZKA_ROLLED
    for (uint64_t i = begin; i < end; ++i) own *= totals[i];
    F before = start * product_before<From::first>(thread, own, shared.from_first);
    ZKA_ROLLED
    for (uint64_t i = begin; i < end; ++i) {
      const F total = totals[i];
      totals[i] = before;
      before *= total;
    }
  }
};

// v[i] *= what comes before its block.
template <class F>
struct Carry {
  const F* before;
  F* v;
  uint64_t n;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    if (i < n) v[i] = (v[i] * before[i / PRODUCT_BLOCK]).canonical();
  }
};

}  // namespace zka::gpu
