#include "cpu/msm/plan.h"

#include <algorithm>
#include <string>

#include "core/memory.h"
#include "cpu/msm/digits.h"
#include "cpu/msm/weighted.h"

namespace zka {
namespace {

constexpr unsigned BITS_MAX = 17;
constexpr unsigned DIRECT_BITS_MAX = 10;
// With more bases the endomorphism's second copy of them costs more memory than it saves buckets.
constexpr size_t ENDOMORPHISM_MAX = size_t{1} << 18;
// Terms split at a time, and terms of the windows under way at a time, where columns are small. What is under way is new
// memory to each call, and the less the more of it stays in the caches.
constexpr size_t SPLIT_TERMS = size_t{1} << 20;
constexpr size_t WINDOW_TERMS = size_t{1} << 20;
constexpr size_t WINDOWS_MAX = 128;
// Columns split at a time, however small: each has its lengths counted in a kilobyte.
constexpr size_t COLUMNS_MAX = size_t{1} << 12;

// In units of one addition of a pair, from counts of multiplications: 6 for a pair; 10 for a point to an XYZZ bucket; of
// a bucket 2.2 additions of pairs, or 10 and 14 in XYZZ. An inversion takes about 110 of one multiplication. Pairs are
// worked on five times faster by eight, all else is not.
struct Costs {
  double bucket, direct_term, direct_bucket, window;
};
constexpr Costs SCALAR = {2.2, 1.7, 4.0, 450};
constexpr Costs BY_EIGHT = {2.2, 8.0, 20.0, 2200};

const Costs& costs_of(Isa isa) { return isa == Isa::ifma ? BY_EIGHT : SCALAR; }

// `count_above(b)`: parts of more than b bits.
template <class CountAbove>
double cost(const Costs& costs, bool direct, const Split& split, unsigned c, const CountAbove& count_above) {
  const double buckets = static_cast<double>(uint32_t{1} << (c - 1));
  double sum = 0;
  for (unsigned window = 0; window < portable::windows_of(split.bits, c); ++window) {
    const double terms = static_cast<double>(count_above(window == 0 ? 0 : window * c - 1));
    if (terms == 0) break;
    // The last window's digits are short.
    const unsigned left = split.bits + 1 - std::min(split.bits, window * c);
    const double used = left < c ? static_cast<double>(uint32_t{1} << (left - 1)) : buckets;
    sum += direct ? terms * costs.direct_term + used * costs.direct_bucket
                  : terms + used * costs.bucket + costs.window;
  }
  return sum;
}

template <class CountAbove>
unsigned best_bits(const Costs& costs, bool direct, const Split& split, unsigned bits_max, const CountAbove& count_above,
                   double& best) {
  unsigned bits = 1;
  for (unsigned c = 1; c <= bits_max; ++c) {
    const double now = cost(costs, direct, split, c, count_above);
    if (c > 1 && now >= best) continue;
    best = now;
    bits = c;
  }
  return bits;
}

}  // namespace

uint64_t MsmPlan::buckets_each() const {
  return direct ? 2 * uint64_t{buckets_max()}  // of four coordinates
                : uint64_t{buckets_max()} + portable::segments_of(buckets_max());
}

uint64_t MsmPlan::pairs_each() const {
  return direct ? 0 : std::max<uint64_t>(TILE / 2, 2 * uint64_t{portable::segments_of(buckets_max())});
}

uint64_t MsmPlan::product_bytes_each() const { return direct ? 0 : (pairs_each() + PRODUCTS_MORE) * PRODUCT_BYTES; }

uint64_t MsmPlan::bytes(const Terms& terms) const {
  return Memory::counted(columns, sizeof(Lengths)) + Memory::counted(part_limbs(terms), sizeof(uint64_t)) +
         Memory::counted(windows, sizeof(Window)) + Memory::counted(ends(), sizeof(uint32_t)) +
         Memory::counted(entries(terms), sizeof(uint32_t)) +
         Memory::counted(windows * buckets_each(), sizeof(zka_affine)) +
         Memory::counted(windows * carried_each(terms), sizeof(zka_affine)) +
         Memory::counted(threads * scratch_each(), sizeof(zka_affine)) +
         Memory::counted(threads * scratch_each(), sizeof(Segment)) +
         Memory::counted(threads * pairs_each(), sizeof(Pair)) + Memory::counted(threads * product_bytes_each(), 1);
}

MsmPlan plan_msm(Isa isa, const Terms& terms, size_t batch, size_t threads) {
  const size_t count = terms.count();
  if (count >= NEGATIVE || terms.stride >= NEGATIVE / terms.split.parts) {
    throw Failure(ZKA_E_SIZE, std::to_string(count) + " points are more than one multiplication takes");
  }
  const auto all = [&](unsigned) { return count; };
  double pairs = 0, direct = 0;
  MsmPlan plan{};
  plan.bits_max = best_bits(costs_of(isa), false, terms.split, BITS_MAX, all, pairs);
  const unsigned direct_bits = best_bits(costs_of(isa), true, terms.split, DIRECT_BITS_MAX, all, direct);
  plan.direct = direct < pairs;
  if (plan.direct) plan.bits_max = direct_bits;
  plan.columns = std::min(batch, std::clamp<size_t>(SPLIT_TERMS / std::max<size_t>(count, 1), 1, COLUMNS_MAX));
  const size_t windows = portable::windows_of(terms.split.bits, plan.bits_max);
  // As many for each thread.
  const size_t each = std::min(WINDOW_TERMS / std::max<size_t>(count, 1), WINDOWS_MAX) / threads;
  plan.windows = std::min(plan.columns * windows, threads * std::max<size_t>(each, 1));
  plan.threads = threads;
  return plan;
}

unsigned window_bits(const MsmPlan& plan, Isa isa, const Terms& terms, const Lengths& lengths) {
  uint64_t above[SCALAR_BITS + 1];  // [b]: of more than b bits
  uint64_t sum = 0;
  for (unsigned bits = SCALAR_BITS + 1; bits-- > 0;) {
    above[bits] = sum;
    sum += lengths.count[bits];
  }
  double best = 0;
  return best_bits(costs_of(isa), plan.direct, terms.split, plan.bits_max, [&](unsigned b) { return above[b]; }, best);
}

Split split_for(size_t n, uint32_t precompute) {
  if (precompute != 0) return {precompute + 1, (SCALAR_BITS + precompute) / (precompute + 1), false};
  if (n <= ENDOMORPHISM_MAX) return {2, GLV_BITS, true};
  return {1, SCALAR_BITS, false};
}

}  // namespace zka
