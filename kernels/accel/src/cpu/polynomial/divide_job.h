// Division of a long polynomial by X - root on all threads.
#pragma once
#include <cstddef>

#include "core/job.h"
#include "zkaccel/polynomial.h"

namespace zka::cpu {

// How n coefficients are cut: pieces of equal length, a group of them a thread's work, and the remaining ones at the top.
struct DivisionPlan {
  size_t streams;  // pieces of a group, divided at once
  size_t groups;   // 0: it is not worth cutting
  size_t length;   // of a piece

  size_t pieces() const noexcept { return streams * groups; }
  uint64_t bytes() const { return Memory::counted(pieces(), sizeof(zka_fe)); }
};
DivisionPlan plan_division(Isa isa, unsigned threads, size_t n);

// The quotient in place of `poly`, its top coefficient 0; returns the remainder. `carries` has plan.pieces() elements.
zka_fe divide_by_root(const Job& job, const DivisionPlan& plan, zka_field field, zka_fe* poly, size_t n,
                      const zka_fe& root, zka_fe* carries);

}  // namespace zka::cpu
