// The transform of 2^log_n elements, in the caches: four steps. [Bailey, "FFTs in external or hierarchical memory", 1990]
//
// With n = rows * columns, an input index j = j1 * columns + j2 and an output index k = k1 + rows * k2:
//   pass A, for each j2: over j1 to k1, then times omega^(j2 * k1);
//   pass B, for each k1: over j2 to k2.
// Eight neighbouring j2 (then k1) are the eight lanes of a block. Scalings cost nothing, or one product an element: on a
// coset, g^j = g^(columns * j1) * g^j2 goes into a factor a row before pass A and into the powers after it; back,
// 1/n and g^-k1 go into those powers, and g^(-rows * k2) is a factor a row after pass B.
// Reversed orders only place rows and lanes elsewhere; then both passes work in place, else pass A leads to scratch.
#pragma once
#include <span>

#include "core/operations/ntt.h"
#include "cpu/ntt/factors.h"
#include "cpu/ntt/pass.h"

namespace zka::cpu {

class Transform {
 public:
  // omega is of order 2^log_n.
  Transform(Memory& memory, Isa isa, unsigned log_n, const Fr& omega, const Fr& coset);
  static uint64_t bytes(Isa isa, unsigned log_n);

  unsigned log_n() const { return log_n_; }
  uint64_t n() const { return uint64_t{1} << log_n_; }

  // In place, one column after the other, or for short ones one a thread.
  void run(const Job& job, std::span<zka_fe* const> columns, NttKind kind) const;
  // From `from_length` elements (those up to n are zero) to n elements; they may be the same memory.
  void run(const Job& job, const zka_fe* from, uint64_t from_length, zka_fe* to, NttKind kind) const;
  // The scratch of either, whatever the order and the number of columns.
  static uint64_t scratch_bytes(Isa isa, unsigned threads, unsigned log_n);

 private:
  struct Scratch;
  enum class Threads { one, all };
  // Below this there are fewer than eight rows or columns.
  static constexpr unsigned LOG_SMALL = 6;

  static bool is_short(unsigned log_n);
  void column(const Job& job, const zka_fe* from, uint64_t from_length, zka_fe* to, NttKind kind, zka_fe* between,
              std::span<uint8_t> tiles, Threads threads) const;
  void pass_a(const Job& job, const zka_fe* from, uint64_t from_length, zka_fe* to, NttKind kind,
              std::span<uint8_t> tiles, Threads threads) const;
  void pass_b(const Job& job, const zka_fe* from, zka_fe* to, NttKind kind, std::span<uint8_t> tiles,
              Threads threads) const;
  template <class Block>
  void for_blocks(const Job& job, uint64_t lanes, std::span<uint8_t> tiles, Threads threads, const Block& block) const;
  void small(const zka_fe* from, uint64_t from_length, zka_fe* to, NttKind kind) const;

  Isa isa_;
  unsigned log_n_, log_rows_, log_columns_;
  Fr omega_[2], coset_[2], n_inverse_;  // [1]: the inverse
  Factors twiddles_[2];
  Array<Fr> steps_[2];         // omega^j2
  Array<Fr> coset_steps_;      // g^j2
  Factors coset_rows_[2];      // g^(columns * j1); g^(-rows * k2)
};

}  // namespace zka::cpu
