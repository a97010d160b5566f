#include "cpu/msm/multiplication.h"

#include <algorithm>
#include <mutex>

#include "cpu/msm/digits.h"

namespace zka::cpu {
namespace {

// Scalars split between looks at the stream's cancel.
constexpr size_t SPLIT_CHUNK = 2048;

}  // namespace

Multiplication::Multiplication(const Job& job, zka_curve curve, const Terms& terms, size_t batch)
    : job_(job),
      kernels_(msm_kernels(job.isa, curve)),
      terms_(terms),
      batch_(batch),
      plan_(plan_msm(job.isa, terms, batch, job.pool.threads())),
      lengths_(job.memory, plan_.columns),
      parts_(job.memory, plan_.part_limbs(terms)),
      windows_(job.memory, plan_.windows),
      ends_(job.memory, plan_.ends()),
      entries_(job.memory, plan_.entries(terms)),
      buckets_(job.memory, plan_.windows * plan_.buckets_each()),
      carried_(job.memory, plan_.windows * plan_.carried_each(terms)),
      points_(job.memory, plan_.threads * plan_.scratch_each()),
      segments_(job.memory, plan_.threads * plan_.scratch_each()),
      pairs_(job.memory, plan_.threads * plan_.pairs_each()),
      products_(job.memory, plan_.threads * plan_.product_bytes_each()) {}

void Multiplication::run(const zka_fe* scalars, zka_jacobian* out) {
  for (size_t done = 0; done < batch_; done += plan_.columns) {
    run_columns(scalars + done * terms_.n, std::min(plan_.columns, batch_ - done), out + done);
  }
}

void Multiplication::run_columns(const zka_fe* scalars, size_t columns, zka_jacobian* out) {
  split(scalars, columns);
  std::fill_n(out, columns, zka_jacobian{});
  size_t waiting = 0;
  for (size_t column = 0; column < columns; ++column) {
    const Lengths& lengths = lengths_[column];
    unsigned longest = SCALAR_BITS;
    while (longest > 0 && lengths.count[longest] == 0) --longest;
    if (longest == 0) continue;
    const unsigned bits = window_bits(plan_, job_.isa, terms_, lengths);
    for (unsigned index = portable::windows_of(longest, bits); index-- > 0;) {
      windows_[waiting] = window(waiting, column, index, bits);
      if (++waiting < plan_.windows) continue;
      run_windows(waiting, out);
      waiting = 0;
    }
  }
  run_windows(waiting, out);
  job_.pool.parallel(columns, [&](size_t column) { kernels_.finish(out[column]); });
}

void Multiplication::split(const zka_fe* scalars, size_t columns) {
  std::fill_n(lengths_.data(), columns, Lengths{});
  std::mutex mutex;
  const size_t chunks = (terms_.n + SPLIT_CHUNK - 1) / SPLIT_CHUNK;
  job_.pool.parallel(columns * chunks, [&](size_t chunk) {
    job_.cancel.check();
    const size_t column = chunk / chunks, begin = chunk % chunks * SPLIT_CHUNK;
    const size_t end = std::min(begin + SPLIT_CHUNK, terms_.n);
    Lengths found{};
    kernels_.split_scalars(terms_, scalars + column * terms_.n, begin, end,
                           parts_.data() + column * terms_.count() * terms_.split.limbs(), found);
    const std::lock_guard lock(mutex);
    for (unsigned bits = 0; bits <= SCALAR_BITS; ++bits) lengths_[column].count[bits] += found.count[bits];
  });
}

Window Multiplication::window(size_t slot, size_t column, unsigned index, unsigned bits) {
  return {.parts = parts_.data() + column * terms_.count() * terms_.split.limbs(),
          .column = column,
          .index = index,
          .bits = bits,
          .ends = plan_.direct ? nullptr : ends_.data() + slot * (plan_.buckets_max() + 1),
          .entries = plan_.direct ? nullptr : entries_.data() + slot * terms_.count(),
          .buckets = buckets_.data() + slot * plan_.buckets_each(),
          .carried = carried_.data() + slot * plan_.carried_each(terms_),
          .buckets_used = 0,
          .first_tile = 0,
          .sum = {}};
}

void Multiplication::run_windows(size_t count, zka_jacobian* out) {
  if (count == 0) return;
  if (plan_.direct) {
    job_.pool.parallel(count, [&](size_t i) {
      job_.cancel.check();
      kernels_.sum_directly(terms_, windows_[i]);
    });
  } else {
    sum_by_buckets(count);
  }
  // Windows are in the order of their columns, the highest of each first.
  const size_t first = windows_[0].column, columns = windows_[count - 1].column - first + 1;
  job_.pool.parallel(columns, [&](size_t k) {
    for (size_t i = 0; i < count; ++i) {
      const Window& each = windows_[i];
      if (each.column == first + k) kernels_.append_window(out[each.column], each.bits, each.sum);
    }
  });
}

void Multiplication::sum_by_buckets(size_t count) {
  job_.pool.parallel(count, [&](size_t i) {
    job_.cancel.check();
    kernels_.sort_window(terms_, windows_[i]);
  });
  size_t tiles = 0;
  for (size_t i = 0; i < count; ++i) {
    windows_[i].first_tile = tiles;
    tiles += windows_[i].tiles();
  }
  each(tiles, [&](size_t tile, const Scratch& scratch) {
    const auto after = [](size_t wanted, const Window& window) { return wanted < window.first_tile; };
    Window& of = *(std::upper_bound(windows_.data(), windows_.data() + count, tile, after) - 1);
    kernels_.sum_tile(terms_, of, static_cast<uint32_t>(tile - of.first_tile), scratch);
  });
  each(count, [&](size_t i, const Scratch& scratch) { kernels_.sum_buckets(windows_[i], scratch); });
}

template <class Work>
void Multiplication::each(size_t count, const Work& work) {
  std::atomic<size_t> next{0};
  job_.pool.parallel(std::min(plan_.threads, count), [&](size_t thread) {
    const Scratch scratch = {points_.data() + thread * plan_.scratch_each(),
                             segments_.data() + thread * plan_.scratch_each(),
                             pairs_.data() + thread * plan_.pairs_each(),
                             products_.data() + thread * plan_.product_bytes_each()};
    for (size_t i = next++; i < count; i = next++) {
      job_.cancel.check();
      work(i, scratch);
    }
  });
}

}  // namespace zka::cpu
