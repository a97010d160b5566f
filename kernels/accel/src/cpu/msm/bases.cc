#include "cpu/msm/bases.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <string>

#include "cpu/chunks.h"
#include "cpu/msm/kernels.h"

namespace zka::cpu {
namespace {

void check_points(const Job& job, const MsmKernels& kernels, const zka_affine* points, size_t n, size_t* bad_index) {
  std::mutex mutex;
  size_t first = n;
  PointFault fault = PointFault::NONE;
  in_chunks(job, n, [&](size_t begin, size_t count) {
    size_t index = 0;
    const PointFault found = kernels.first_fault(points + begin, count, index);
    const std::lock_guard lock(mutex);
    if (found == PointFault::NONE || begin + index >= first) return;
    first = begin + index;
    fault = found;
  });
  refuse_point(fault, first, bad_index);
}

// Throws Failure SIZE where they cannot be numbered.
uint64_t count_of(const Split& split, size_t n) {
  if (n < NEGATIVE / split.parts) return uint64_t{n} * split.parts;
  throw Failure(ZKA_E_SIZE, std::to_string(n) + " points, each " + std::to_string(split.parts) + " times, are too many");
}

}  // namespace

uint64_t PreparedBases::bytes(size_t n, uint32_t precompute) {
  return Memory::counted(count_of(split_for(n, precompute), n), sizeof(zka_affine));
}

PreparedBases::PreparedBases(const Job& job, zka_curve curve, const zka_affine* points, size_t n, uint32_t precompute,
                             bool check, size_t* bad_index)
    : curve_(curve), n_(n), split_(split_for(n, precompute)) {
  const MsmKernels& kernels = msm_kernels(job.isa, curve);
  const uint64_t count = count_of(split_, n);
  if (check) check_points(job, kernels, points, n, bad_index);
  points_ = Array<zka_affine>(job.memory, count);
  std::atomic<bool> any{false};
  in_chunks(job, n, [&](size_t begin, size_t size) {
    std::memcpy(points_.data() + begin, points + begin, size * sizeof(zka_affine));
    if (kernels.any_identity(points + begin, size)) any = true;
  });
  has_identity_ = any;
  for (unsigned part = 1; part < split_.parts; ++part) {
    const zka_affine* const before = points_.data() + (part - 1) * n;
    zka_affine* const next = points_.data() + part * n;
    in_chunks(job, n, [&](size_t begin, size_t size) {
      if (split_.endomorphism) return kernels.apply_endomorphism(before + begin, size, next + begin);
      kernels.double_often(before + begin, size, split_.bits, next + begin);
    });
  }
}

Terms PreparedBases::terms(size_t first, size_t n) const noexcept {
  return {split_, n, points_.data() + first, n_, has_identity_};
}

}  // namespace zka::cpu
