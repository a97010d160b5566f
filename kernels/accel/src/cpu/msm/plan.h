// How a multi-scalar multiplication is carried out, and what memory that takes.
#pragma once
#include "core/job.h"
#include "cpu/msm/terms.h"

namespace zka {

struct MsmPlan {
  bool direct;            // windows of few terms, see direct.h
  unsigned bits_max;      // of a window
  size_t columns;         // split at a time
  size_t windows;         // under way at a time
  size_t threads;

  uint32_t buckets_max() const { return uint32_t{1} << (bits_max - 1); }
  uint64_t part_limbs(const Terms& terms) const { return columns * terms.count() * terms.split.limbs(); }
  uint64_t ends() const { return direct ? 0 : windows * (uint64_t{buckets_max()} + 1); }
  uint64_t entries(const Terms& terms) const { return direct ? 0 : windows * terms.count(); }
  uint64_t buckets_each() const;
  uint64_t carried_each(const Terms& terms) const { return direct ? 0 : (terms.count() + TILE - 1) / TILE; }
  uint64_t scratch_each() const { return direct ? 0 : TILE; }
  uint64_t pairs_each() const;
  uint64_t product_bytes_each() const;

  // All of it, as Memory counts it.
  uint64_t bytes(const Terms& terms) const;
};

// From the numbers alone. Throws Failure SIZE where the points cannot be numbered.
MsmPlan plan_msm(Isa isa, const Terms& terms, size_t batch, size_t threads);

// The best width for a column of such lengths, at most `plan.bits_max`.
unsigned window_bits(const MsmPlan& plan, Isa isa, const Terms& terms, const Lengths& lengths);

// How bases of that many points, with so many precomputed multiples of each, are stored.
Split split_for(size_t n, uint32_t precompute);

}  // namespace zka
