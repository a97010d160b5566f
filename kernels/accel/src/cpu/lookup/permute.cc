#include "cpu/lookup/permute.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "cpu/chunks.h"
#include "cpu/lookup/keys.h"
#include "cpu/lookup/sort.h"

namespace zka::cpu {
namespace {

size_t chunks_of(size_t n) { return n / CHUNK + (n % CHUNK != 0); }

// Sums of what came before each chunk; returns that of all.
size_t sum_up(Array<size_t>& counts) {
  size_t sum = 0;
  for (size_t& count : counts.span()) sum += std::exchange(count, sum);
  return sum;
}

bool begins_run(const Key* sorted, size_t i) { return i == 0 || !same(sorted[i], sorted[i - 1]); }

// Looks up ascending keys in sorted ones, each from where the last was found.
class Seeker {
 public:
  Seeker(const Key* sorted, size_t n, const Key& first)
      : at_(std::lower_bound(sorted, sorted + n, first, less)), end_(sorted + n) {}
  bool has(const Key& key) {
    while (at_ != end_ && less(*at_, key)) ++at_;
    return at_ != end_ && same(*at_, key);
  }

 private:
  const Key* at_;
  const Key* end_;
};

class Permutation {
 public:
  Permutation(const Job& job, zka_field field, size_t n)
      : job_(job),
        field_(field),
        n_(n),
        keys_a_(job.memory, n),
        keys_s_(job.memory, n),
        keys_spare_(job.memory, n),
        repeated_(job.memory, chunks_of(n)),
        left_over_(job.memory, chunks_of(n)) {}

  void sort(const zka_fe* a, const zka_fe* s) {
    spare_ = keys_spare_.data();
    a_ = sorted(a, keys_a_.data());
    s_ = sorted(s, keys_s_.data());
  }

  // Counts the rows of A' that repeat the one before; returns whether the table has all others.
  bool count_repeated() {
    std::atomic<bool> all{true};
    in_chunks(job_, n_, [&](size_t begin, size_t n) {
      Seeker table(s_, n_, a_[begin]);
      size_t repeated = 0;
      for (size_t i = begin; i < begin + n; ++i) {
        if (!begins_run(a_, i)) {
          ++repeated;
        } else if (!table.has(a_[i])) {
          all = false;
        }
      }
      repeated_[begin / CHUNK] = repeated;
    });
    nrepeated_ = sum_up(repeated_);
    return all;
  }

  // The first row whose value the table has not.
  uint64_t first_missing(const zka_fe* a) {
    std::atomic<uint64_t> first = n_;
    in_chunks(job_, n_, [&](size_t begin, size_t n) {
      ZKA_BY_ISA(job_.isa, lookup_keys(field_, a + begin, spare_ + begin, n));
      for (uint64_t i = begin; i < begin + n; ++i) {
        if (std::binary_search(s_, s_ + n_, spare_[i], less)) continue;
        uint64_t before = first;
        while (i < before && !first.compare_exchange_weak(before, i)) {
        }
        return;
      }
    });
    return first;
  }

  // What is left of S after one of each value went to A', ascending.
  void collect_left_over() {
    const auto each = [this](size_t begin, size_t n, const auto& visit) {
      Seeker inputs(a_, n_, s_[begin]);
      for (size_t i = begin; i < begin + n; ++i) {
        if (!begins_run(s_, i) || !inputs.has(s_[i])) visit(s_[i]);
      }
    };
    in_chunks(job_, n_, [&](size_t begin, size_t n) {
      size_t count = 0;
      each(begin, n, [&](const Key&) { ++count; });
      left_over_[begin / CHUNK] = count;
    });
    sum_up(left_over_);
    in_chunks(job_, n_, [&](size_t begin, size_t n) {
      Key* to = spare_ + left_over_[begin / CHUNK];
      each(begin, n, [&](const Key& key) { *to++ = key; });
    });
  }

  // Row by row; what is left goes to the rows that repeat, from the last backwards.
  void write(zka_permute_order order, zka_fe* a_out, zka_fe* s_out) {
    in_chunks(job_, n_, [&](size_t begin, size_t n) {
      const Key* from = spare_ + nrepeated_ - repeated_[begin / CHUNK];
      for (size_t i = begin; i < begin + n; ++i) s_[i] = begins_run(a_, i) ? a_[i] : *--from;
      const size_t to = order == ZKA_PERMUTE_FIRST_MEETS ? begin : n_ - begin - n;
      for (const auto& [out, keys] : {std::pair{a_out + to, a_ + begin}, std::pair{s_out + to, s_ + begin}}) {
        ZKA_BY_ISA(job_.isa, lookup_rows(field_, keys, out, n));
        if (order == ZKA_PERMUTE_LAST_MEETS) std::reverse(out, out + n);
      }
    });
  }

 private:
  Key* sorted(const zka_fe* column, Key* keys) {
    in_chunks(job_, n_, [&](size_t begin, size_t n) {
      ZKA_BY_ISA(job_.isa, lookup_keys(field_, column + begin, keys + begin, n));
    });
    Key* const result = sort_keys(job_, keys, spare_, n_);
    if (result == spare_) spare_ = keys;
    return result;
  }

  const Job& job_;
  zka_field field_;
  size_t n_;
  Array<Key> keys_a_, keys_s_, keys_spare_;
  Array<size_t> repeated_, left_over_;  // by chunk: how many there are before it
  Key* a_ = nullptr;                    // A', sorted
  Key* s_ = nullptr;                    // S sorted, then S'
  Key* spare_ = nullptr;
  size_t nrepeated_ = 0;
};

}  // namespace

void permute_pair(const Job& job, zka_field field, const zka_fe* a, const zka_fe* s, size_t usable,
                  zka_permute_order order, zka_fe* a_out, zka_fe* s_out, uint64_t* bad_row) {
  Permutation permutation(job, field, usable);
  permutation.sort(a, s);
  if (!permutation.count_repeated()) {
    const uint64_t row = permutation.first_missing(a);
    if (bad_row != nullptr) *bad_row = row;
    throw Failure(ZKA_E_NOT_IN_TABLE, "the value in row " + std::to_string(row) + " is not in the table");
  }
  permutation.collect_left_over();
  permutation.write(order, a_out, s_out);
}

uint64_t permute_pair_bytes(size_t usable) {
  return 3 * Memory::counted(usable, sizeof(Key)) + 2 * Memory::counted(chunks_of(usable), sizeof(size_t));
}

}  // namespace zka::cpu
