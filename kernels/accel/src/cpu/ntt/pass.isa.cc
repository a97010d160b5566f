#include "cpu/ntt/pass.h"

#include "cpu/ntt/row_scalar.h"
#if defined(ZKA_HAVE_IFMA)
#include "cpu/ntt/row_ifma.h"
#endif

namespace zka::ZKA_ISA {
namespace {

#if defined(ZKA_HAVE_IFMA)
using Row = IfmaRow;
#else
using Row = ScalarRow;
#endif
using Factor = Row::Factor;
static_assert(sizeof(Row) <= cpu::row_bytes(Isa::ifma));

// Tiles of so many rows fit the first cache, and are finished before the next is begun.
constexpr size_t ROWS_NEAR = 64;

const Factor* factors(const uint64_t* words) { return reinterpret_cast<const Factor*>(words); }

// Counts through the reversals of 0, 1, 2 ... below 2^bits.
class Reversed {
 public:
  explicit Reversed(size_t n) : n_(n) {}
  size_t value() const { return value_; }
  void next() {
    size_t bit = n_ >> 1;
    for (; value_ & bit; bit >>= 1) value_ ^= bit;
    value_ |= bit;
  }

 private:
  size_t n_, value_ = 0;
};

// Levels of 2h and 4h rows.
void two_levels(Row* x, size_t rows, size_t h, const Factor* twiddles) {
  for (size_t base = 0; base < rows; base += 4 * h) {
    Row* const a = x + base;
    for (size_t i = 0; i < h; ++i) {
      Row::butterflies(a[i], a[i + h], a[i + 2 * h], a[i + 3 * h], twiddles[h + i], twiddles[2 * h + i],
                       twiddles[3 * h + i]);
    }
  }
}

// Decimation in time: from reversed order to natural.
void transform(Row* x, size_t rows, const Factor* twiddles) {
  if (rows > ROWS_NEAR) {
    for (size_t part = 0; part < 4; ++part) transform(x + part * (rows / 4), rows / 4, twiddles);
    two_levels(x, rows, rows / 4, twiddles);
    return;
  }
  size_t h = 1;
  if (__builtin_ctzll(rows) % 2 == 1) {
    for (size_t i = 0; i < rows; i += 2) Row::butterfly(x[i], x[i + 1]);
    h = 2;
  } else {
    for (size_t i = 0; i < rows; i += 4) {
      Row::butterflies_first(x[i], x[i + 1], x[i + 2], x[i + 3], twiddles[3]);
    }
    h = 4;
  }
  for (; h < rows; h *= 4) two_levels(x, rows, h, twiddles);
}

Row load_row(const cpu::NttPass& pass, const cpu::NttBlock& block, size_t row) {
  const size_t at = row * pass.from.row;
  const Fr* const from = reinterpret_cast<const Fr*>(block.from);
  if (at + cpu::LANES <= block.from_length || pass.from.lane != 1) return Row::load(from + at, pass.from.lane);
  Fr padded[cpu::LANES];
  for (size_t lane = 0; lane < cpu::LANES; ++lane) {
    padded[lane] = at + lane < block.from_length ? from[at + lane] : Fr::zero();
  }
  return Row::load(padded, 1);
}

}  // namespace

void ntt_block(const cpu::NttPass& pass, const cpu::NttBlock& block, void* tile) {
  const size_t rows = size_t{1} << pass.log_rows;
  Row* const x = static_cast<Row*>(tile);
  Reversed reversed(rows);
  for (size_t row = 0; row < rows; ++row, reversed.next()) {
    // Row i of the input belongs to place reversed(i) of the tile.
    const size_t i = pass.from.reversed ? reversed.value() : row;
    Row& to = x[pass.from.reversed ? row : reversed.value()];
    to = load_row(pass, block, row);
    if (pass.before != nullptr) to.times(factors(pass.before)[i]);
  }
  transform(x, rows, factors(pass.twiddles));

  Fr* const to = reinterpret_cast<Fr*>(block.to);
  Row power{};
  Row::Ratio ratio{};
  if (block.start != nullptr) {
    power = Row::load_running(reinterpret_cast<const Fr*>(block.start));
    ratio = Row::load_ratio(reinterpret_cast<const Fr*>(block.ratio));
  }
  Reversed place(rows);
  for (size_t i = 0; i < rows; ++i, place.next()) {
    if (block.start != nullptr) {
      x[i].times(power);
      power.step(ratio);
    } else if (pass.after != nullptr) {
      x[i].times(factors(pass.after)[i]);
    }
    Fr* const at = to + (pass.to.reversed ? place.value() : i) * pass.to.row;
    if (pass.last) {
      x[i].store_last(at, pass.to.lane);
    } else {
      x[i].store_between(at, pass.to.lane);
    }
  }
}

void scale_periodically(zka_fe* v, const zka_fe* table, size_t mask, size_t first, size_t n) {
  Fr* const x = reinterpret_cast<Fr*>(v);
  const Fr* const by = reinterpret_cast<const Fr*>(table);
  size_t i = 0;
#if defined(ZKA_HAVE_IFMA)
  for (; i + cpu::LANES <= n; i += cpu::LANES) {
    Fr8::mul(Fr8::load(x + i), Fr8::load_inner(by + ((first + i) & mask))).reduce().store(x + i);
  }
#endif
  for (; i < n; ++i) x[i] *= by[(first + i) & mask];
}

}  // namespace zka::ZKA_ISA
