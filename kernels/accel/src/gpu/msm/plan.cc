#include "gpu/msm/plan.h"

#include <algorithm>
#include <bit>
#include <string>

#include "core/failure.h"
#include "cpu/msm/digits.h"
#include "ff/field.h"
#include "gpu/msm/reduce.h"
#include "gpu/msm/scratch.h"

namespace zka::gpu {
namespace {

constexpr unsigned BITS_MAX = 20;
// In multiplications: of a point to a bucket, and of a bucket to its window with what a segment multiplies.
constexpr double TERM_COST = 10, BUCKET_COST = 40;
// An item is longer than nearly every bucket of random scalars, and a block has a thread for each shorter length.
constexpr unsigned LOG_ITEM_MIN = 5, LOG_ITEM_MAX = 8, LOG_ITEM_MORE = 1;
// A segment takes two sums a bucket, and then a multiplication by a number of as many bits as the window has: it is long
// where there are enough of them for every processor, and short where a few would be waited for.
constexpr unsigned LOG_SEGMENTS = 16, LOG_SEGMENT_MIN = 2, LOG_SEGMENT_MAX = 6;
// Terms of columns that are done side by side, and slots: each is a row of a grid.
constexpr uint64_t TERMS_MAX = uint64_t{1} << 22;
constexpr uint64_t SLOTS_MAX = uint64_t{1} << 15;
// Shorter pieces of a column, or narrower windows, would take more time than their memory is worth.
constexpr uint32_t PIECE_MIN = 1024;

unsigned best_bits(const Split& split, double terms) {
  const auto cost = [&](unsigned bits) {
    return windows_of(split.bits, bits) * (terms * TERM_COST + static_cast<double>(uint32_t{1} << (bits - 1)) * BUCKET_COST);
  };
  unsigned best = 1;
  for (unsigned bits = 2; bits <= BITS_MAX; ++bits) {
    if (cost(bits) < cost(best)) best = bits;
  }
  return best;
}

unsigned log_item(uint64_t terms, unsigned bits) {
  const auto log_terms = static_cast<unsigned>(std::bit_width(terms));
  return std::clamp(log_terms + LOG_ITEM_MORE - std::min(log_terms, bits), LOG_ITEM_MIN, LOG_ITEM_MAX);
}

unsigned log_segment(uint64_t buckets) {
  const auto log_buckets = static_cast<unsigned>(std::bit_width(buckets));
  return std::clamp(log_buckets - std::min(log_buckets, LOG_SEGMENTS), LOG_SEGMENT_MIN, LOG_SEGMENT_MAX);
}

// The next smaller one; whether there is.
bool reduce(MsmPlan& plan) {
  if (plan.columns > 1) {
    plan.columns = (plan.columns + 1) / 2;
  } else if (plan.windows > 1) {
    plan.windows = (plan.windows + 1) / 2;
  } else if (plan.n > PIECE_MIN) {
    plan.n = (plan.n + 1) / 2;
  } else {
    return false;
  }
  return true;
}

}  // namespace

uint32_t MsmPlan::windows_each() const { return windows_of(split.bits, bits); }

uint64_t MsmPlan::segments() const { return uint64_t{slots()} * segments_of(bits, log_segment); }

uint64_t MsmPlan::segment_blocks() const {
  return uint64_t{slots()} * segment_blocks_of(segments_of(bits, log_segment));
}

uint64_t MsmPlan::bytes() const { return MsmScratch<Fq>::bytes(*this); }

MsmPlan plan_msm(const Split& split, size_t n, size_t batch, uint64_t bytes_max) {
  if (n >= NEGATIVE / split.parts) {
    throw Failure(ZKA_E_SIZE, std::to_string(n) + " points, each " + std::to_string(split.parts) +
                                  " times, are more than one multiplication takes");
  }
  const uint64_t terms = n * split.parts;
  MsmPlan plan{};
  plan.split = split;
  plan.bits = best_bits(split, static_cast<double>(terms));
  plan.log_item = log_item(terms, plan.bits);
  plan.n = static_cast<uint32_t>(n);
  plan.windows = plan.windows_each();
  plan.columns = static_cast<uint32_t>(
      std::min<uint64_t>(batch, std::clamp<uint64_t>(TERMS_MAX / terms, 1, SLOTS_MAX / plan.windows)));
  plan.log_segment = log_segment(plan.buckets());
  while (plan.bytes() > bytes_max && reduce(plan)) {
  }
  return plan;
}

}  // namespace zka::gpu
