#include "gpu/msm/multiplication.h"

#include <algorithm>
#include <bit>

#include "ec/curve.h"
#include "gpu/elements.h"
#include "gpu/grid/launch.h"
#include "gpu/msm/accumulate.h"
#include "gpu/msm/reduce.h"
#include "gpu/msm/scratch.h"
#include "gpu/msm/sort.h"
#include "gpu/msm/split.h"

namespace zka::gpu {
namespace {

template <class C>
class Multiplication {
  using F = typename C::Base;
  using Sum = Xyzz<F>;

 public:
  Multiplication(DeviceQueue& queue, const MsmPlan& plan, const zka_affine* points, size_t stride)
      : queue_(queue), plan_(plan), points_(reinterpret_cast<const typename C::Point*>(points)),
        stride_(static_cast<uint32_t>(stride)), scratch_(queue, plan) {}

  void run(const zka_fe* scalars, size_t n, size_t batch, zka_jacobian* out) {
    for (size_t done = 0; done < batch; done += plan_.columns) {
      const auto columns = static_cast<uint32_t>(std::min<size_t>(plan_.columns, batch - done));
      queue_.clear(scratch_.window_sums.data(), scratch_.window_sums.size() * sizeof(Sum));
      for (size_t at = 0; at < n; at += plan_.n) {
        const auto piece = static_cast<uint32_t>(std::min<size_t>(plan_.n, n - at));
        run_piece(columns, at, piece, scalars + done * n + at, n);
      }
      launch(queue_, over(columns, Collect<C>::THREADS_MAX),
             Collect<C>{scratch_.window_sums.data(), plan_.windows_each(), plan_.bits, columns,
                        reinterpret_cast<Jacobian<F>*>(scratch_.results.data())});
      queue_.download(out + done, scratch_.results.data(), columns * sizeof(zka_jacobian));
    }
  }

 private:
  // Scalars [at, at + n) of each column.
  void run_piece(uint32_t columns, size_t at, uint32_t n, const zka_fe* scalars, size_t column_stride) {
    Windows windows = view(n);
    Shape each = rows_over(columns, n);
    each.shared_bytes = each.threads * SplitScalars<C>::LIMBS * sizeof(uint64_t);
    launch(queue_, each, SplitScalars<C>{windows, of_field<typename C::Scalar>(scalars), column_stride});
    for (; windows.first < plan_.windows_each(); windows.first += plan_.windows) {
      windows.windows = std::min(plan_.windows, plan_.windows_each() - windows.first);
      sort(windows, columns);
      sum(windows, columns, points_ + at);
    }
  }

  void sort(const Windows& windows, uint32_t columns) {
    const uint32_t slots = columns * windows.windows, buckets = slots * windows.buckets();
    queue_.clear(scratch_.counters.data(), scratch_.counters.size() * sizeof(uint32_t));
    launch(queue_, rows_over(slots, windows.count()), CountEntries{windows});
    launch(queue_, blocks_for<uint64_t, ScanBuckets>(slots, 1, windows.buckets()), ScanBuckets{windows});
    launch(queue_, rows_over(slots, windows.count()), PlaceEntries{windows, stride_});
    const uint32_t lengths = uint32_t{1} << windows.log_item;
    Shape by_rest = over((uint64_t{buckets} + RestsOfBlock::BUCKETS_A_THREAD - 1) / RestsOfBlock::BUCKETS_A_THREAD);
    by_rest.shared_bytes = lengths * sizeof(uint32_t);
    launch(queue_, by_rest, CountRests{{windows, buckets}});
    launch(queue_, blocks_for<uint64_t, ScanRests>(1, 1, lengths), ScanRests{windows.rests});
    launch(queue_, by_rest, OrderBuckets{{windows, buckets}});
  }

  void sum(const Windows& windows, uint32_t columns, const typename C::Point* points) {
    const uint32_t slots = columns * windows.windows, buckets = slots * windows.buckets();
    const Accumulation<C> of{windows, points, scratch_.item_sums.data(), scratch_.bucket_sums.data()};
    const uint32_t items = windows.items_max(), segments = windows.segments();
    const uint64_t all_items = uint64_t{slots} * items;
    launch(queue_, over(all_items + buckets, SumEntries<C>::THREADS_MAX), SumEntries<C>{of, all_items, buckets});
    launch(queue_, rows_over(slots, items, AddFewItems<C>::THREADS_MAX), AddFewItems<C>{of});
    launch(queue_, blocks_for<Sum, AddManyItems<C>>(std::min(items, BLOCKS_A_SLOT), slots, items), AddManyItems<C>{of});
    const uint32_t blocks = segment_blocks_of(segments);
    launch(queue_, rows_over(slots, segments, SumSegments<C>::THREADS_MAX),
           SumSegments<C>{windows, of.bucket_sums, scratch_.segment_sums.data()});
    launch(queue_, blocks_for<Sum, SumBlocks<C>>(blocks, slots, segments),
           SumBlocks<C>{windows, scratch_.segment_sums.data(), scratch_.block_sums.data()});
    launch(queue_, blocks_for<Sum, SumWindows<C>>(slots, 1, blocks),
           SumWindows<C>{windows, scratch_.block_sums.data(), scratch_.window_sums.data(), plan_.windows_each()});
  }

  Windows view(uint32_t n) const {
    const uint64_t buckets = plan_.buckets(), lengths = uint64_t{1} << plan_.log_item;
    uint32_t* const counters = scratch_.counters.data();
    uint32_t* const places = scratch_.places.data();
    return {.split = plan_.split,
            .n = n,
            .bits = plan_.bits,
            .first = 0,
            .windows = plan_.windows,
            .log_item = plan_.log_item,
            .log_segment = plan_.log_segment,
            .parts = scratch_.parts.data(),
            .sizes = counters,
            .ends = places,
            .items_before = places + buckets,
            .order = places + 2 * buckets,
            .rests = counters + buckets,
            .items = places + 3 * buckets,
            .used = counters + buckets + lengths,
            .digits = scratch_.digits.data(),
            .entries = scratch_.entries.data()};
  }

  static Shape rows_over(uint32_t rows, uint64_t n, uint32_t threads = THREADS_MAX_DEFAULT) {
    Shape shape = over(n, threads);
    shape.rows = rows;
    return shape;
  }

  // Blocks that share n things, and a T of each thread.
  template <class T, class Kernel>
  static Shape blocks_for(uint64_t blocks, uint32_t rows, uint32_t n) {
    const uint32_t threads = std::clamp(std::bit_ceil(n), WARP, threads_max<Kernel>());
    return {.blocks = blocks, .threads = threads, .rows = rows, .shared_bytes = static_cast<uint32_t>(threads * sizeof(T))};
  }

  // That look for buckets with items; there are more buckets than blocks in a slot only where its items are many.
  static constexpr uint32_t BLOCKS_A_SLOT = 256;

  DeviceQueue& queue_;
  const MsmPlan plan_;
  const typename C::Point* const points_;
  const uint32_t stride_;
  MsmScratch<F> scratch_;
};

}  // namespace

void multiply(DeviceQueue& queue, const DeviceBases& bases, size_t first, const MsmPlan& plan, const zka_fe* scalars,
              size_t n, size_t batch, zka_jacobian* out) {
  with_curve(bases.curve(), [&]<class C>(C) {
    Multiplication<C>(queue, plan, bases.points() + first, bases.stride()).run(scalars, n, batch, out);
  });
}

}  // namespace zka::gpu
