#include "cpu/ntt/transform.h"

#include "cpu/ntt/reversed.h"
#include "cpu/share_out.h"

namespace zka::cpu {
namespace {

// Columns up to here are one thread's work each: sharing one out would cost more than it gains.
constexpr unsigned LOG_SHORT = 12;

const zka_fe* raw(const Fr* element) { return reinterpret_cast<const zka_fe*>(element); }

Array<Fr> powers(Memory& memory, uint64_t n, const Fr& ratio) {
  Array<Fr> all(memory, n);
  Fr power = Fr::one();
  for (uint64_t i = 0; i < n; ++i, power *= ratio) all[i] = power;
  return all;
}

// Of a root of order 2^log_n: [h + i] = its 2^log_n/2h-th power to the i. Entry 0 is not used.
Factors twiddle_table(Memory& memory, Isa isa, unsigned log_n, Fr root) {
  Factors all(memory, isa, uint64_t{1} << log_n);
  all.set(0, Fr::one());
  for (uint64_t h = (uint64_t{1} << log_n) / 2; h > 0; h /= 2, root = root.square()) {
    Fr power = Fr::one();
    for (uint64_t i = 0; i < h; ++i, power *= root) all.set(h + i, power);
  }
  return all;
}

}  // namespace

Transform::Transform(Memory& memory, Isa isa, unsigned log_n, const Fr& omega, const Fr& coset)
    : isa_(isa),
      log_n_(log_n),
      log_rows_(log_n / 2),
      log_columns_(log_n - log_n / 2),
      omega_{omega, omega.inverse()},
      coset_{coset, coset.inverse()},
      n_inverse_(Fr::from_u64(uint64_t{1} << log_n).inverse()) {
  if (log_n < LOG_SMALL) return;
  const uint64_t rows = uint64_t{1} << log_rows_, columns = uint64_t{1} << log_columns_;
  for (int back = 0; back < 2; ++back) {
    // The longer of both passes is that over columns: its table serves both.
    twiddles_[back] = twiddle_table(memory, isa, log_columns_, omega_[back].squared(log_rows_));
    steps_[back] = powers(memory, columns, omega_[back]);
  }
  coset_steps_ = powers(memory, columns, coset_[0]);
  coset_rows_[0] = Factors::powers(memory, isa, rows, Fr::one(), coset_[0].squared(log_columns_));
  coset_rows_[1] = Factors::powers(memory, isa, columns, Fr::one(), coset_[1].squared(log_rows_));
}

uint64_t Transform::bytes(Isa isa, unsigned log_n) {
  if (log_n < LOG_SMALL) return 0;
  const uint64_t rows = uint64_t{1} << (log_n / 2), columns = uint64_t{1} << (log_n - log_n / 2);
  return 3 * Factors::bytes(isa, columns) + Factors::bytes(isa, rows) + 3 * Memory::counted(columns, sizeof(Fr));
}

bool Transform::is_short(unsigned log_n) { return log_n <= LOG_SHORT; }

// What a thread needs is one piece: a tile, and for short columns a column.
struct Transform::Scratch {
  Scratch(const Job& job, unsigned log_n)
      : tile_bytes(tile(job.isa, log_n)),
        between(job.memory, between_elements(job.pool.threads(), log_n)),
        tiles(job.memory, tile_bytes * job.pool.threads()) {}

  static uint64_t tile(Isa isa, unsigned log_n) {
    return log_n < LOG_SMALL ? 0 : row_bytes(isa) << (log_n - log_n / 2);
  }
  static uint64_t between_elements(unsigned threads, unsigned log_n) {
    return log_n < LOG_SMALL ? 0 : (uint64_t{1} << log_n) * (is_short(log_n) ? threads : 1);
  }

  uint64_t tile_bytes;
  Array<zka_fe> between;
  Array<uint8_t> tiles;
};

uint64_t Transform::scratch_bytes(Isa isa, unsigned threads, unsigned log_n) {
  return Memory::counted(Scratch::between_elements(threads, log_n), sizeof(zka_fe)) +
         Memory::counted(Scratch::tile(isa, log_n) * threads, 1);
}

void Transform::run(const Job& job, std::span<zka_fe* const> columns, NttKind kind) const {
  Scratch scratch(job, log_n_);
  if (!is_short(log_n_)) {
    for (zka_fe* column_data : columns) {
      column(job, column_data, n(), column_data, kind, scratch.between.data(), scratch.tiles.span(), Threads::all);
    }
    return;
  }
  const uint64_t between = scratch.between.size() / job.pool.threads();
  share_out(job, columns.size(), job.pool.threads(), [&](size_t worker, size_t i) {
    column(job, columns[i], n(), columns[i], kind, scratch.between.data() + worker * between,
           scratch.tiles.span().subspan(worker * scratch.tile_bytes, scratch.tile_bytes), Threads::one);
  });
}

void Transform::run(const Job& job, const zka_fe* from, uint64_t from_length, zka_fe* to, NttKind kind) const {
  Scratch scratch(job, log_n_);
  column(job, from, from_length, to, kind, scratch.between.data(), scratch.tiles.span(),
         is_short(log_n_) ? Threads::one : Threads::all);
}

void Transform::column(const Job& job, const zka_fe* from, uint64_t from_length, zka_fe* to, NttKind kind,
                       zka_fe* between, std::span<uint8_t> tiles, Threads threads) const {
  if (log_n_ < LOG_SMALL) return small(from, from_length, to, kind);
  zka_fe* const middle = kind.order == ZKA_ORDER_NN ? between : to;
  pass_a(job, from, from_length, middle, kind, tiles, threads);
  pass_b(job, middle, to, kind, tiles, threads);
}

// block(first lane, tile) for all lanes, on the threads that there are.
template <class Block>
void Transform::for_blocks(const Job& job, uint64_t lanes, std::span<uint8_t> tiles, Threads threads,
                           const Block& block) const {
  const uint64_t tile_bytes = Scratch::tile(isa_, log_n_);
  const auto work = [&](size_t worker, size_t i) { block(i * LANES, tiles.data() + worker * tile_bytes); };
  if (threads == Threads::all) return share_out(job, lanes / LANES, job.pool.threads(), work);
  for (uint64_t i = 0; i < lanes / LANES; ++i) work(0, i);
}

void Transform::pass_a(const Job& job, const zka_fe* from, uint64_t from_length, zka_fe* to, NttKind kind,
                       std::span<uint8_t> tiles, Threads threads) const {
  const uint64_t rows = uint64_t{1} << log_rows_, columns = uint64_t{1} << log_columns_;
  const bool back = kind.direction == ZKA_NTT_INVERSE;
  const bool from_reversed = kind.order == ZKA_ORDER_RN;
  // In natural order, a row of the tile is a row of the matrix; in reversed order it is a column, of which there are
  // `rows`, and the lanes are its rows.
  const Placement natural{columns, 1, false};
  NttPass pass{.log_rows = log_rows_,
               .from = from_reversed ? Placement{1, rows, true} : natural,
               .to = from_reversed ? Placement{1, rows, false} : natural,
               .twiddles = twiddles_[back].data(),
               .before = kind.on_coset && !back ? coset_rows_[0].data() : nullptr,
               .after = nullptr,
               .last = false};
  pass.to.reversed = kind.order == ZKA_ORDER_NR;
  for_blocks(job, columns, tiles, threads, [&](uint64_t lane, void* tile) {
    Fr start[LANES], ratio[LANES];
    for (uint64_t i = 0; i < LANES; ++i) {
      const uint64_t j2 = from_reversed ? reversed(lane + i, log_columns_) : lane + i;
      start[i] = back ? n_inverse_ : kind.on_coset ? coset_steps_[j2] : Fr::one();
      ratio[i] = back && kind.on_coset ? steps_[back][j2] * coset_[1] : steps_[back][j2];
    }
    const uint64_t offset = lane * pass.from.lane;
    const uint64_t left = from_length > offset ? from_length - offset : 0;
    const NttBlock block{from + offset, left, to + offset, raw(start), raw(ratio)};
    ZKA_BY_ISA(isa_, ntt_block(pass, block, tile));
  });
}

void Transform::pass_b(const Job& job, const zka_fe* from, zka_fe* to, NttKind kind, std::span<uint8_t> tiles,
                       Threads threads) const {
  const uint64_t rows = uint64_t{1} << log_rows_, columns = uint64_t{1} << log_columns_;
  const bool back = kind.direction == ZKA_NTT_INVERSE;
  // k1 as it counts, side by side; or a matrix whose rows are the lanes.
  const Placement side_by_side{rows, 1, false}, below{1, columns, false};
  NttPass pass{.log_rows = log_columns_,
               .from = kind.order == ZKA_ORDER_RN ? side_by_side : below,
               .to = kind.order == ZKA_ORDER_NR ? below : side_by_side,
               .twiddles = twiddles_[back].data(),
               .before = nullptr,
               .after = kind.on_coset && back ? coset_rows_[1].data() : nullptr,
               .last = true};
  pass.from.reversed = kind.order == ZKA_ORDER_RN;
  pass.to.reversed = kind.order == ZKA_ORDER_NR;
  for_blocks(job, rows, tiles, threads, [&](uint64_t lane, void* tile) {
    const NttBlock block{from + lane * pass.from.lane, n(), to + lane * pass.to.lane, nullptr, nullptr};
    ZKA_BY_ISA(isa_, ntt_block(pass, block, tile));
  });
}

}  // namespace zka::cpu
