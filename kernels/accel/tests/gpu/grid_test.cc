#include <doctest/doctest.h>

#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "gpu/emulated.h"
#include "gpu/grid/together.h"

using namespace zka;
using gpu::DeviceArray;
using gpu::Shape;
using gpu::WARP;
using test::Emulated;

namespace {

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

struct WhoAmI {
  uint64_t* out;
  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    out[thread.row() * thread.count() + thread.index()] =
        (((uint64_t{thread.row()} * 100 + thread.block()) * 100 + thread.warp()) * 100 + thread.lane()) * 100 +
        thread.blocks();
  }
};

// Each block turns its part round, through shared memory.
struct Reverse {
  uint32_t* v;
  bool in_step;
  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    auto* shared = thread.template shared<uint32_t>();
    shared[thread.thread()] = v[thread.index()];
    if (in_step) thread.sync_block();
    v[thread.index()] = shared[thread.threads() - 1 - thread.thread()];
  }
};

struct ReadsUnwritten {
  uint32_t* out;
  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    out[thread.index()] = thread.template shared<uint32_t>(64)[thread.thread()];
  }
};

// How often each lane is reached, by sums that halve the warp, and by each of the other exchanges.
struct Exchanges {
  uint32_t *sum, *next, *before, *even;
  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    uint32_t total = static_cast<uint32_t>(thread.index());
    for (uint32_t distance = WARP / 2; distance != 0; distance /= 2) total += thread.shuffle_xor(total, distance);
    sum[thread.index()] = total;
    next[thread.index()] = thread.shuffle_down(thread.lane(), 1);
    before[thread.index()] = thread.shuffle_up(thread.lane(), 1);
    even[thread.index()] = thread.ballot(thread.lane() % 2 == 0);
  }
};

struct Counts {
  uint32_t* counter;
  uint64_t* least;
  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    thread.atomic_add(counter, 1u);
    thread.atomic_min(least, uint64_t{1000} - thread.index());
  }
};

enum class Missing { block, warp, thread_that_returned };
struct Strays {
  Missing missing;
  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    if (missing == Missing::thread_that_returned && thread.thread() == 5) return;
    if (missing == Missing::block && thread.warp() == 1) {
      thread.ballot(true);
      return;
    }
    if (missing == Missing::warp && thread.lane() == 7) {
      thread.sync_block();
      return;
    }
    missing == Missing::warp ? thread.sync_warp() : thread.sync_block();
  }
};

struct SumsAll {
  uint32_t* sum;
  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint32_t all = gpu::sum_of_all(thread, thread.template shared<uint32_t>(), thread.thread() + 1);
    if (thread.thread() == 0) *sum = all;
  }
};

struct Recorder {
  std::vector<uint32_t>* order;
  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    order->push_back(thread.block() * thread.threads() + thread.thread());
  }
};

}  // namespace

TEST_CASE("each thread of each block and row runs once, and knows its place") {
  Emulated on;
  DeviceArray<uint64_t> out(on.queue, 2 * 3 * 64);
  gpu::launch(on.queue, {.blocks = 3, .threads = 64, .rows = 2}, WhoAmI{out.data()});
  std::vector<uint64_t> expected;
  for (uint64_t row : {0, 1}) {
    for (uint64_t block : {0, 1, 2}) {
      for (uint64_t thread = 0; thread < 64; ++thread) {
        expected.push_back((((row * 100 + block) * 100 + thread / 32) * 100 + thread % 32) * 100 + 3);
      }
    }
  }
  CHECK(on.read(out) == expected);
}

TEST_CASE("threads of a block see what others wrote before their meeting, and not without one") {
  Emulated on;
  std::vector<uint32_t> digits(512), reversed(512);
  std::iota(digits.begin(), digits.end(), 0);
  for (uint32_t i = 0; i < 512; ++i) reversed[i] = i / 128 * 128 + 127 - i % 128;
  const Shape shape{.blocks = 4, .threads = 128, .shared_bytes = 512};
  const auto in_step = gpu::uploaded<const uint32_t>(on.queue, digits);
  gpu::launch(on.queue, shape, Reverse{in_step.data(), true});
  CHECK(on.read(in_step) == reversed);
  const auto out_of_step = gpu::uploaded<const uint32_t>(on.queue, digits);
  gpu::launch(on.queue, shape, Reverse{out_of_step.data(), false});
  CHECK(on.read(out_of_step) != reversed);
}

TEST_CASE("shared and device memory that nobody wrote holds no number that anybody meant") {
  Emulated on;
  DeviceArray<uint32_t> out(on.queue, 32);
  CHECK(on.read(out) == std::vector<uint32_t>(32, 0xa5a5a5a5));
  on.queue.clear(out.data(), 128);
  gpu::launch(on.queue, {.threads = 32, .shared_bytes = 192}, ReadsUnwritten{out.data()});
  CHECK(on.read(out) == std::vector<uint32_t>(32, 0xa5a5a5a5));
}

TEST_CASE("a warp's lanes give each other what they have") {
  Emulated on;
  DeviceArray<uint32_t> sum(on.queue, 64), next(on.queue, 64), before(on.queue, 64), even(on.queue, 64);
  gpu::launch(on.queue, {.threads = 64}, Exchanges{sum.data(), next.data(), before.data(), even.data()});
  const auto sums = on.read(sum), nexts = on.read(next), befores = on.read(before);
  for (uint32_t i = 0; i < 64; ++i) {
    CHECK(sums[i] == (i < 32 ? 31 * 16 : 31 * 16 + 32 * 32));
    CHECK(nexts[i] == std::min(i % 32 + 1, 31u));
    CHECK(befores[i] == (i % 32 == 0 ? 0 : i % 32 - 1));
  }
  CHECK(on.read(even) == std::vector<uint32_t>(64, 0x55555555));
}

TEST_CASE("a block sums up its threads' values where it has a power of two of them, and else refuses") {
  for (const uint32_t threads : {32u, 64u, 128u}) {
    Emulated on;
    const DeviceArray<uint32_t> sum(on.queue, 1);
    gpu::launch(on.queue, {.threads = threads, .shared_bytes = threads * 4}, SumsAll{sum.data()});
    CHECK(on.read(sum)[0] == threads * (threads + 1) / 2);
  }
  for (const uint32_t threads : {96u, 160u}) {
    Emulated on;
    const DeviceArray<uint32_t> sum(on.queue, 1);
    const Shape shape{.threads = threads, .shared_bytes = threads * 4};
    CHECK(has(on.failure_of(shape, SumsAll{sum.data()}), "no power of two"));
  }
}

TEST_CASE("counters are added to once by each thread") {
  Emulated on;
  const std::vector<uint32_t> nought = {0};
  const std::vector<uint64_t> most = {UINT64_MAX};
  const auto counter = gpu::uploaded<const uint32_t>(on.queue, nought);
  const auto least = gpu::uploaded<const uint64_t>(on.queue, most);
  gpu::launch(on.queue, {.blocks = 5, .threads = 96}, Counts{counter.data(), least.data()});
  CHECK(gpu::read_back(on.queue, counter.data()) == 480);
  CHECK(gpu::read_back(on.queue, least.data()) == 1000 - 479);
}

TEST_CASE("a meeting that not all come to is an error, and the device accepts no further work") {
  const std::pair<Missing, const char*> kinds[] = {{Missing::block, "waits for its block"},
                                                   {Missing::warp, "waits for its"},
                                                   {Missing::thread_that_returned, "waits for its block"}};
  for (const auto& [missing, words] : kinds) {
    Emulated on;
    CHECK(has(on.failure_of({.blocks = 2, .threads = 64}, Strays{missing}), words));
    CHECK(has(on.failure_of({.threads = 32}, WhoAmI{nullptr}), "failed for good: thread"));
    CHECK_THROWS_AS(on.queue.sync(), Failure);
    CHECK_THROWS_AS(DeviceArray<int>(on.device, 1), Failure);
  }
}

TEST_CASE("blocks and threads go in no order that could be relied on") {
  Emulated on;
  std::set<std::vector<uint32_t>> orders;
  for (int i = 0; i < 4; ++i) {
    std::vector<uint32_t> order;
    gpu::launch(on.queue, {.blocks = 4, .threads = 32}, Recorder{&order});
    on.queue.sync();
    orders.insert(order);
    CHECK(std::set<uint32_t>(order.begin(), order.end()).size() == 128);
  }
  CHECK(orders.size() == 4);
}

TEST_CASE("rejects shapes that no device supports, and does nothing for an empty one") {
  Emulated on;
  for (const Shape& shape : {Shape{.threads = 33}, Shape{.threads = 0}, Shape{.threads = 512}, Shape{.rows = 1 << 16},
                             Shape{.blocks = uint64_t{1} << 31}}) {
    CHECK(has(on.failure_of(shape, WhoAmI{nullptr}), "no grid has"));
  }
  CHECK(on.failure_of(gpu::over(0), WhoAmI{nullptr}).empty());
}
