#include <algorithm>
#include <atomic>
#include <bit>
#include <iterator>
#include <new>
#include <span>

#include "ff/field.h"
#include "gpu/emulated.h"
#include "gpu/lookup/permute.h"
#include "gpu/lookup/sort.h"
#include "reference/lookup.h"
#include "support/allocations.h"
#include "support/cancelled_at.h"
#include "support/elements.h"

using namespace zka;
using namespace zka::test;
using gpu::DeviceArray;

namespace {

using Column = std::vector<zka_fe>;

// Two columns on a device, and two that hold zeros until they are permuted there.
struct Lookup {
  Lookup(const Column& a, const Column& s, uint64_t bytes_max = 0) : on(with_memory(bytes_max)), n(a.size()) {
    for (const Column* column : {&a, &s}) {
      columns.push_back(gpu::uploaded(on.queue, std::span<const zka_fe>(inside(*column))));
    }
    for (int out = 0; out < 2; ++out) {
      columns.push_back(DeviceArray<zka_fe>(on.queue, n));
      on.queue.clear(columns.back().data(), n * sizeof(zka_fe));
    }
    on.queue.sync();
    held = on.device.bytes();
  }

  zka_status permute() { return permute(on.queue); }
  // Waits for what was queued, also where that failed.
  zka_status permute(gpu::DeviceQueue& queue) {
    const zka_status queued = status_of([&] {
      gpu::permute_pair(queue, FR, columns[0].data(), columns[1].data(), n, ZKA_PERMUTE_FIRST_MEETS,
                        columns[2].data(), columns[3].data(), &bad_row);
    });
    const zka_status done = status_of([&] { queue.sync(); });
    return queued == ZKA_OK ? done : queued;
  }
  // What was permuted, in Montgomery form.
  reference::Columns outputs() { return {on.read(columns[2]), on.read(columns[3])}; }

  template <class Work>
  static zka_status status_of(const Work& work) {
    try {
      work();
    } catch (const Failure& failure) {
      return failure.status();
    } catch (const std::bad_alloc&) {
      return ZKA_E_OOM_HOST;
    }
    return ZKA_OK;
  }

  Emulated on;
  const size_t n;
  std::vector<DeviceArray<zka_fe>> columns;
  uint64_t held, bad_row = 77;
};

reference::Columns permuted(const Column& a, const Column& s) {
  const auto [a_out, s_out] = reference::permute_pair(a, s).value();
  return {inside(a_out), inside(s_out)};
}

// Few values, as many as there are rows, all kinds; half of the inputs are of one value.
Column table_of(Random& random, size_t n, uint64_t kind) {
  Column s = random.elements(FR, n);
  for (zka_fe& value : s) {
    if (kind == 0) value = fe(random.word() % 3);
    if (kind == 1) value = fe(random.word() % n);
  }
  return s;
}
Column inputs_of(Random& random, const Column& s) {
  Column a(s.size());
  for (zka_fe& value : a) value = s[random.word() % 2 * (random.word() % s.size())];
  return a;
}

gpu::Key key_of(uint64_t value) { return gpu::Key::of({value, 0, 0, 0}); }

}  // namespace

TEST_CASE("each part of two merged runs is found on its own, wherever it begins, whichever run ends first") {
  Random random(1);
  for (const uint32_t left_n : {0u, 1u, 2u, 7u, 20u}) {
    for (const uint32_t right_n : {0u, 1u, 5u, 20u}) {
      std::vector<uint64_t> left(left_n), right(right_n), merged;
      for (auto* run : {&left, &right}) {
        for (uint64_t& value : *run) value = random.word() % 8;
        std::sort(run->begin(), run->end());
      }
      std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(merged));
      std::vector<gpu::Key> keys;
      for (const auto* run : {&left, &right}) {
        for (const uint64_t value : *run) keys.push_back(key_of(value));
      }
      const gpu::Runs<uint32_t> runs{keys.data(), keys.data() + left_n, left_n, right_n};
      for (uint32_t begin = 0; begin <= left_n + right_n; ++begin) {
        gpu::Key part[3];
        gpu::merge(runs, begin, part);
        for (uint32_t k = 0; k < 3; ++k) {
          CHECK(part[k] == (begin + k < merged.size() ? key_of(merged[begin + k]) : gpu::last_key()));
        }
      }
    }
  }
}

TEST_CASE("columns that end near the ends of tiles and of merged runs are permuted as halo2 permutes them") {
  Random random(2);
  constexpr size_t TILE = gpu::SORT_TILE;
  for (const size_t n : {size_t{1}, TILE - 1, TILE, TILE + 1, 2 * TILE, 2 * TILE + 1, 3 * TILE, 5 * TILE - 1}) {
    for (uint64_t kind = 0; kind < 3; ++kind) {
      INFO("n ", n, ", kind ", kind);
      const Column s = table_of(random, n, kind), a = inputs_of(random, s);
      Lookup lookup(a, s);
      REQUIRE(lookup.permute() == ZKA_OK);
      CHECK(lookup.outputs() == permuted(a, s));
      CHECK(lookup.on.device.bytes_peak() == lookup.held + gpu::permute_pair_bytes(n));
    }
  }
}

TEST_CASE("a lookup needs exactly the predicted device memory: with one byte less it fails, and leaks nothing") {
  Random random(3);
  const Column s = table_of(random, 1500, 2), a = inputs_of(random, s);
  const uint64_t needed = Lookup(a, s).held + gpu::permute_pair_bytes(1500);
  Lookup enough(a, s, needed), too_small(a, s, needed - 1);
  CHECK(enough.permute() == ZKA_OK);
  CHECK(enough.outputs() == permuted(a, s));
  CHECK(too_small.permute() == ZKA_E_OOM_DEVICE);
  CHECK(too_small.outputs() == reference::Columns{Column(1500, fe(0)), Column(1500, fe(0))});
  CHECK(too_small.on.device.bytes() == too_small.held);
}

TEST_CASE("a lookup whose allocation fails, whichever it is, reports it, leaks nothing, and succeeds the next time") {
  Random random(4);
  const Column s = table_of(random, 300, 1), a = inputs_of(random, s);
  Lookup lookup(a, s);
  REQUIRE(lookup.permute() == ZKA_OK);
  each_allocation_fails_once(nullptr, [&] {
    const zka_status status = lookup.permute();
    CHECK(lookup.on.device.bytes() == lookup.held);
    return status;
  });
  CHECK(lookup.outputs() == permuted(a, s));
}

TEST_CASE("a lookup that is cancelled at any check leaves the outputs as they were, and succeeds the next time") {
  Random random(5);
  const size_t n = 1500;
  const Column s = table_of(random, n, 2), a = inputs_of(random, s);
  Lookup lookup(a, s);
  const auto permute = [&](size_t look, std::atomic<size_t>& looks) {
    const CancelledAt cancel(look, looks);
    gpu::DeviceQueue queue(lookup.on.device, cancel);
    return lookup.permute(queue);
  };
  std::atomic<size_t> all{0};
  REQUIRE(permute(CancelledAt::NEVER, all) == ZKA_OK);
  CHECK(lookup.outputs() == permuted(a, s));
  REQUIRE(all > 10);
  for (size_t look = 1; look <= all; ++look) {
    INFO("look ", look, " of ", all.load());
    for (size_t out : {2, 3}) lookup.on.queue.clear(lookup.columns[out].data(), n * sizeof(zka_fe));
    lookup.on.queue.sync();
    std::atomic<size_t> looks{0};
    CHECK(permute(look, looks) == ZKA_E_CANCELLED);
    CHECK(looks == look);
    CHECK(lookup.on.device.bytes() == lookup.held);
    CHECK(lookup.outputs() == reference::Columns{Column(n, fe(0)), Column(n, fe(0))});
  }
  REQUIRE(lookup.permute() == ZKA_OK);
  CHECK(lookup.outputs() == permuted(a, s));
}

TEST_CASE("returns the lowest of many rows without a value in the table, wherever their values are among the sorted") {
  Random random(6);
  const size_t n = 3 * gpu::SORT_TILE + 7;
  const Column s = table_of(random, n, 2);
  for (const size_t lowest : {size_t{0}, size_t{31}, size_t{32}, size_t{255}, size_t{1281}, n - 1}) {
    Column a = inputs_of(random, s);
    for (size_t row = lowest; row < n; row += 1 + random.word() % 40) a[row] = random.element(FR);
    Lookup lookup(a, s);
    CHECK(lookup.permute() == ZKA_E_NOT_IN_TABLE);
    CHECK(lookup.bad_row == lowest);
    CHECK(lookup.outputs() == reference::Columns{Column(n, fe(0)), Column(n, fe(0))});
    CHECK(lookup.on.device.bytes() == lookup.held);
  }
}
