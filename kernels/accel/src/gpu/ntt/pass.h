// One pass of a transform: each block takes a tile of neighbouring columns into its shared memory, transforms them there,
// two levels at a time in registers, and puts them back. transform.h says what passes are parts of.
#pragma once
#include "gpu/elements.h"
#include "gpu/ntt/place.h"
#include "gpu/ntt/powers.h"
#include "gpu/ntt/tile.h"

namespace zka::gpu {

struct NttPass {
  static constexpr uint32_t THREADS_MAX = 256;
  // Polynomials side by side, each a row of the grid.
  static constexpr uint32_t BATCH_MAX = 16;

  const zka_fe* from[BATCH_MAX];
  zka_fe* to[BATCH_MAX];
  uint32_t from_length;  // elements that there are; those after are zero
  unsigned log_n;
  unsigned log_rows;
  unsigned log_columns;  // of a tile
  unsigned levels_done;  // by passes before
  Layout from_place, to_place;
  // The column with number q of `to` is in `from` number (q's lowest turn_low bits << turn_high) + (q >> turn_low).
  unsigned turn_low, turn_high;

  Powers roots;  // of order 2^log_roots >= 2^log_rows
  unsigned log_roots;
  Powers before;   // by the index of an element where it comes from
  Powers between;  // of the root of order 2^log_n, with the steps to the next pass
  Powers after;    // by the index of an element where it goes

  ZKA_HD uint32_t tile_size() const { return uint32_t{1} << (log_rows + log_columns); }

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const Tile tile(thread.template shared<Tile::Half>(), tile_size());
    load(thread, tile);
    unsigned levels = log_rows;
    for (; levels >= 2; levels -= 2) two_levels(thread, tile, levels - 2);
    if (levels == 1) last_level(thread, tile);
    store(thread, tile);
  }

 private:
  ZKA_HD uint32_t slot(uint32_t row, uint32_t column) const { return row << log_columns | column; }
  ZKA_HD uint32_t from_column(uint32_t to_column) const {
    return lowest(to_column, turn_low) << turn_high | to_column >> turn_low;
  }

  template <class Thread>
  ZKA_HD void load(Thread& thread, const Tile& tile) const {
    const Fr* const source = of_field<Fr>(from[thread.row()]);
    const uint32_t first = thread.block() << log_columns;
    for (uint32_t e = thread.thread(); e < tile_size(); e += thread.threads()) {
      const Cell cell = from_place.cell(e, log_rows, log_columns);
      const uint32_t at = from_place.index({cell.row, from_column(first + cell.column)}, log_rows);
      Fr x = at < from_length ? source[at] : Fr::zero();
      if (before) x *= before[from_place.reversed ? reversed(at, log_n) : at];
      tile.put(slot(from_place.reversed ? reversed(cell.row, log_rows) : cell.row, cell.column), x);
    }
    thread.sync_block();
  }

  // Of blocks of four times 2^log_quarter rows, from natural order to reversed.
  template <class Thread>
  ZKA_HD void two_levels(Thread& thread, const Tile& tile, unsigned log_quarter) const {
    const uint32_t step = slot(uint32_t{1} << log_quarter, 0);
    const Fr fourth = roots.high[uint32_t{1} << (log_roots - 2)];
    for (uint32_t u = thread.thread(); u < tile_size() / 4; u += thread.threads()) {
      const uint32_t v = u >> log_columns, i = lowest(v, log_quarter);
      const uint32_t at = slot(v >> log_quarter << (log_quarter + 2) | i, lowest(u, log_columns));
      const Fr a = tile.get(at), b = tile.get(at + step), c = tile.get(at + 2 * step), d = tile.get(at + 3 * step);
      const Fr ac = a + c, bd = b + d, a_c = a - c, b_d = (b - d) * fourth;
      Fr second = ac - bd, third = a_c + b_d, last = a_c - b_d;
      if (log_quarter != 0) {
        const unsigned shift = log_roots - log_quarter - 2;
        second *= roots.high[2 * i << shift];
        third *= roots.high[i << shift];
        last *= roots.high[3 * i << shift];
      }
      tile.put(at, ac + bd);
      tile.put(at + step, second);
      tile.put(at + 2 * step, third);
      tile.put(at + 3 * step, last);
    }
    thread.sync_block();
  }

  template <class Thread>
  ZKA_HD void last_level(Thread& thread, const Tile& tile) const {
    const uint32_t step = slot(1, 0);
    for (uint32_t u = thread.thread(); u < tile_size() / 2; u += thread.threads()) {
      const uint32_t at = slot(u >> log_columns << 1, lowest(u, log_columns));
      const Fr a = tile.get(at), b = tile.get(at + step);
      tile.put(at, a + b);
      tile.put(at + step, a - b);
    }
    thread.sync_block();
  }

  template <class Thread>
  ZKA_HD void store(Thread& thread, const Tile& tile) const {
    Fr* const target = of_field<Fr>(to[thread.row()]);
    const uint32_t first = thread.block() << log_columns;
    for (uint32_t e = thread.thread(); e < tile_size(); e += thread.threads()) {
      const Cell cell = to_place.cell(e, log_rows, log_columns);
      const uint32_t turned = reversed(cell.row, log_rows);
      Fr x = tile.get(slot(to_place.reversed ? cell.row : turned, cell.column));
      if (between) x *= between[(to_place.reversed ? turned : cell.row) * steps(first + cell.column) << levels_done];
      const uint32_t at = to_place.index({cell.row, first + cell.column}, log_rows);
      if (after) x *= after[to_place.reversed ? reversed(at, log_n) : at];
      target[at] = x.canonical();
    }
  }

  // What is left of the input's index when the rows of this pass are taken out of it.
  ZKA_HD uint32_t steps(uint32_t column) const {
    const unsigned left = log_n - levels_done - log_rows;
    return from_place.reversed ? reversed(column >> levels_done, left) : lowest(column, left);
  }
};

}  // namespace zka::gpu
