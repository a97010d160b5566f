#include "gpu/lookup/permute.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "gpu/elements.h"
#include "gpu/grid/launch.h"
#include "gpu/lookup/rows.h"
#include "gpu/lookup/scratch.h"
#include "gpu/lookup/sort.h"

namespace zka::gpu {
namespace {

template <class F>
class Permutation {
 public:
  Permutation(DeviceQueue& queue, uint64_t n) : queue_(queue), n_(n), scratch_(queue, n) {}

  void sort(const F* a, const F* s) {
    sort_column(a, scratch_.keys.data());
    sort_column(s, scratch_.keys.data() + n_);
  }

  // Finds what the columns have in common; returns the lowest row of A whose value the table has not, n for none.
  uint64_t match(const F* a) {
    Shape blocks = over(match_.blocks);
    blocks.rows = 2;
    launch(queue_, blocks, FindFirsts{match_});
    Shape keys = over(n_, MATCH_THREADS);
    keys.rows = 2;
    keys.shared_bytes = MATCH_THREADS * sizeof(uint32_t);
    if (row_from(keys, MarkLeft{match_, row()}) < n_) return row_from(over(n_), FindMissing<F>{match_, a, row()});
    const auto threads =
        static_cast<uint32_t>(std::clamp<uint64_t>(std::bit_ceil(match_.blocks), WARP, SumLeft::THREADS_MAX));
    launch(queue_, {.threads = threads, .rows = 2, .shared_bytes = static_cast<uint32_t>(threads * sizeof(uint64_t))},
           SumLeft{match_});
    return n_;
  }

  void write(zka_permute_order order, F* a_out, F* s_out) {
    Key* const remaining = scratch_.spare.data();
    launch(queue_, over(n_), CollectLeft{match_, remaining});
    launch(queue_, over(n_), WriteRows<F>{match_, remaining, order == ZKA_PERMUTE_LAST_MEETS, a_out, s_out});
  }

 private:
  // Each step goes from one array to the other: it begins in that which makes it end in `keys`.
  void sort_column(const F* column, Key* keys) {
    Key *from = keys, *to = scratch_.spare.data();
    for (uint64_t run = SORT_TILE; run < n_; run *= 2) std::swap(from, to);
    const Shape tiles = sort_shape(n_);
    launch(queue_, tiles, SortTiles<F>{column, from, n_});
    for (uint64_t run = SORT_TILE; run < n_; run *= 2, std::swap(from, to)) {
      const MergeStep step{from, n_, run};
      launch(queue_, over(tiles.blocks), FindSplits{step, scratch_.places.data(), tiles.blocks});
      launch(queue_, tiles, MergeTiles{step, scratch_.places.data(), to});
    }
  }

  uint64_t* row() { return scratch_.row.data(); }
  // The row that the kernel puts there, n if it puts none. Waits.
  template <class Kernel>
  uint64_t row_from(const Shape& shape, const Kernel& kernel) {
    queue_.upload(row(), &n_, sizeof n_);
    launch(queue_, shape, kernel);
    return read_back(queue_, row());
  }

  DeviceQueue& queue_;
  const uint64_t n_;
  LookupScratch scratch_;
  const Match match_{scratch_.keys.data(), n_,
                     LookupScratch::blocks(n_), scratch_.places.data(),
                     scratch_.left.data(), scratch_.before.data()};
};

}  // namespace

void permute_pair(DeviceQueue& queue, zka_field field, const zka_fe* a, const zka_fe* s, size_t usable,
                  zka_permute_order order, zka_fe* a_out, zka_fe* s_out, uint64_t* bad_row) {
  in_field(field, [&]<class F>(std::type_identity<F>) {
    Permutation<F> permutation(queue, usable);
    permutation.sort(of_field<F>(a), of_field<F>(s));
    const uint64_t row = permutation.match(of_field<F>(a));
    if (row < usable) {
      if (bad_row != nullptr) *bad_row = row;
      throw Failure(ZKA_E_NOT_IN_TABLE, "the value in row " + std::to_string(row) + " is not in the table");
    }
    permutation.write(order, of_field<F>(a_out), of_field<F>(s_out));
  });
}

uint64_t permute_pair_bytes(size_t usable) { return LookupScratch::bytes(usable); }

}  // namespace zka::gpu
