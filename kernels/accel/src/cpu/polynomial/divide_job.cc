#include "cpu/polynomial/divide_job.h"

#include <algorithm>

#include "cpu/chunks.h"
#include "cpu/polynomial/loops.h"

namespace zka::cpu {
namespace {

// Pieces shorter than this do not pay for what comes with them.
constexpr size_t LENGTH_MIN = 256;

}  // namespace

DivisionPlan plan_division(Isa isa, unsigned threads, size_t n) {
  const size_t streams = ZKA_BY_ISA(isa, poly_streams());
  const size_t groups = std::min<size_t>(size_t{threads} * 4, n / std::max(streams * LENGTH_MIN, CHUNK));
  // Pieces take twice the products of one chain: without lanes only a second thread wins that back.
  const bool is_worth_it = isa == Isa::ifma || (threads > 1 && groups > 1);
  if (groups == 0 || !is_worth_it) return {streams, 0, 0};
  // An odd distance between the streams of a group, or all of them would be in the same few sets of the cache.
  return {streams, groups, (n / (streams * groups) - 1) | 1};
}

// The quotient's coefficients are the values of Horner's rule on its way down. Where it stands at the top of a piece
// takes only the values of the pieces above, each for itself: so first those, then all pieces at once.
zka_fe divide_by_root(const Job& job, const DivisionPlan& plan, zka_field field, zka_fe* poly, size_t n,
                      const zka_fe& root, zka_fe* carries) {
  const size_t group = plan.streams * plan.length;
  const size_t cut = group * plan.groups;
  job.pool.parallel(plan.groups, [&](size_t g) {
    job.cancel.check();
    zka_fe* const values = carries + g * plan.streams;
    ZKA_BY_ISA(job.isa, poly_horner_streams(field, poly + g * group, plan.length, root, values));
  });
  zka_fe carry{};
  for (size_t end = n; end > cut;) {
    job.cancel.check();
    const size_t begin = end - std::min(CHUNK, end - cut);
    carry = ZKA_BY_ISA(job.isa, poly_divide(field, poly + begin, end - begin, root, carry));
    end = begin;
  }
  const zka_fe power = ZKA_BY_ISA(job.isa, poly_power(field, root, plan.length));
  for (size_t piece = plan.pieces(); piece-- > 0;) {
    const zka_fe value = carries[piece];
    carries[piece] = carry;
    carry = ZKA_BY_ISA(job.isa, poly_mul_add(field, power, carry, value));
  }
  job.pool.parallel(plan.groups, [&](size_t g) {
    job.cancel.check();
    const zka_fe* const starts = carries + g * plan.streams;
    ZKA_BY_ISA(job.isa, poly_divide_streams(field, poly + g * group, plan.length, root, starts));
  });
  return carry;
}

}  // namespace zka::cpu
