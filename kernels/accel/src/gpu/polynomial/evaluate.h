// Polynomials at points: a block for each piece of a polynomial at each point, and one for what its pieces make.
#pragma once
#include "gpu/field/field.h"
#include "gpu/grid/shape.h"

namespace zka::gpu {

constexpr uint32_t LOG_EVALUATE_THREADS = 8;
constexpr uint32_t EVALUATE_THREADS = 1 << LOG_EVALUATE_THREADS;
// Of a piece: sixteen for each thread, so that adding up what threads have costs little compared with it.
constexpr uint32_t LOG_PIECE = LOG_EVALUATE_THREADS + 4;
constexpr uint64_t PIECE = uint64_t{1} << LOG_PIECE;
// Of a point x: x^(2^k) for k below this.
constexpr uint32_t SQUARINGS = LOG_PIECE + LOG_EVALUATE_THREADS + 1;

// Shape of a kernel of this file.
template <class F>
Shape evaluate_shape(uint64_t blocks) {
  return {.blocks = blocks, .threads = EVALUATE_THREADS, .shared_bytes = EVALUATE_THREADS * sizeof(F)};
}

// A block's: sum of c[i * stride] * x^i over i < n, for the first thread; `squares` are x^(2^k). Each thread takes
// one coefficient of EVALUATE_THREADS by Horner's rule, so that adjacent threads read what is side by side; then halves of
// the threads are added up.
template <class F, class Thread>
ZKA_HD F value_of_block(Thread& thread, const F* c, uint64_t n, uint64_t stride, const F* squares) {
  const uint32_t own = thread.thread();
  const F step = squares[LOG_EVALUATE_THREADS];
  F sum = F::zero();
  const uint64_t mine = n > own ? (n - own - 1) / EVALUATE_THREADS + 1 : 0;
  ZKA_ROLLED
  for (uint64_t i = mine; i-- > 0;) sum = sum * step + c[(own + i * EVALUATE_THREADS) * stride];

  F* const shared = thread.template shared<F>();
  ZKA_ROLLED
  for (uint32_t k = LOG_EVALUATE_THREADS; k-- > 0;) {
    const uint32_t half = uint32_t{1} << k;
    if (own >= half) shared[own] = sum;
    thread.sync_block();
    if (own < half) sum += squares[k] * shared[own + half];
    thread.sync_block();
  }
  return sum;
}

// Polynomials of one launch, and where the pieces of each begin among those of all. Begins as all zeros.
template <class F>
struct PolynomialsAtPoints {
  static constexpr uint32_t MAX = 64;
  const F* c[MAX];
  uint64_t n[MAX];
  uint64_t first[MAX + 1];
  uint32_t count;
  const F* squares;  // [point][SQUARINGS]
  uint64_t npoints;

  // Where there are fewer than MAX.
  void add(const F* coefficients, uint64_t length) {
    c[count] = coefficients;
    n[count] = length;
    first[count + 1] = first[count] + length / PIECE + (length % PIECE != 0);
    ++count;
  }
  uint64_t pieces() const { return first[count]; }
  // The polynomial that a piece is of.
  ZKA_HD uint32_t of_piece(uint64_t piece) const {
    uint32_t from = 0, to = count;
    while (to - from > 1) {
      const uint32_t middle = (from + to) / 2;
      (first[middle] <= piece ? from : to) = middle;
    }
    return from;
  }
};

// values[piece * npoints + point]: a block each.
template <class F>
struct EvaluatePieces {
  PolynomialsAtPoints<F> polys;
  F* values;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t piece = thread.block() / polys.npoints, point = thread.block() % polys.npoints;
    const uint32_t i = polys.of_piece(piece);
    const uint64_t begin = (piece - polys.first[i]) * PIECE, left = polys.n[i] - begin;
    const F value = value_of_block(thread, polys.c[i] + begin, left < PIECE ? left : PIECE, 1,
                                   polys.squares + point * SQUARINGS);
    if (thread.thread() == 0) values[thread.block()] = value;
  }
};

// out[i * npoints + point], of these: a block each.
template <class F>
struct JoinPieces {
  PolynomialsAtPoints<F> polys;
  const F* values;
  F* out;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.block() / polys.npoints, point = thread.block() % polys.npoints;
    const uint64_t first = polys.first[i];
    const F value = value_of_block(thread, values + first * polys.npoints + point, polys.first[i + 1] - first,
                                   polys.npoints, polys.squares + point * SQUARINGS + LOG_PIECE);
    if (thread.thread() == 0) out[thread.block()] = value.canonical();
  }
};

}  // namespace zka::gpu
