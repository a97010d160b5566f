// One call of multi-scalar multiplication on the CPU: columns of scalars over the same bases.
#pragma once
#include "core/memory.h"
#include "cpu/msm/kernels.h"
#include "cpu/msm/plan.h"

namespace zka::cpu {

class Multiplication {
 public:
  // `terms` has at least one. Throws Failure SIZE, OOM_HOST.
  Multiplication(const Job& job, zka_curve curve, const Terms& terms, size_t batch);

  // scalars[k * n + i] with each base i, for k < batch; each sum with z = 1, or (0, 1, 0). Throws Failure CANCELLED.
  void run(const zka_fe* scalars, zka_jacobian* out);

 private:
  // The next plan.columns columns or fewer.
  void run_columns(const zka_fe* scalars, size_t columns, zka_jacobian* out);
  void split(const zka_fe* scalars, size_t columns);
  // Adds up the first `count` windows, and appends each to the sum of its column.
  void run_windows(size_t count, zka_jacobian* out);
  void sum_by_buckets(size_t count);
  // work(i, scratch) for each i below `count`, on all threads.
  template <class Work>
  void each(size_t count, const Work& work);
  Window window(size_t slot, size_t column, unsigned index, unsigned bits);

  const Job& job_;
  const MsmKernels& kernels_;
  const Terms terms_;
  const size_t batch_;
  const MsmPlan plan_;

  Array<Lengths> lengths_;    // of each column
  Array<uint64_t> parts_;     // likewise
  Array<Window> windows_;
  Array<uint32_t> ends_;      // of each window, as are the next three
  Array<uint32_t> entries_;
  Array<zka_affine> buckets_;
  Array<zka_affine> carried_;
  Array<zka_affine> points_;  // of each thread, as are the next three
  Array<Segment> segments_;
  Array<Pair> pairs_;
  Array<std::byte> products_;
};

}  // namespace zka::cpu
