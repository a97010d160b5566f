#include <doctest/doctest.h>

#include <time.h>

#include <memory>
#include <vector>

#include "core/handles.h"
#include "zkaccel.h"

namespace {

// Of handles alone, without a context behind them.
struct Thing : zka::Object {
  using Handle = zka_buf;
  [[maybe_unused]] static constexpr const char* NAME = "thing";
};
struct Owner : zka::Object {
  using Handle = zka_ctx;
  [[maybe_unused]] static constexpr const char* NAME = "owner";
};

// Nanoseconds of this thread's own for a handle to be freed of a table of so many: the least of several rounds.
double time_of_free(size_t handles) {
  zka::Handles table;
  const zka_ctx* owner = table.add(std::make_shared<Owner>(), nullptr);
  std::vector<zka_buf*> all;
  const auto fill = [&] {
    while (all.size() < handles) all.push_back(table.add(std::make_shared<Thing>(), owner));
  };
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
  };
  constexpr int ROUNDS = 8, EACH = 64;
  double least = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    fill();
    const double begin = now();
    for (int i = 0; i < EACH; ++i) {
      table.remove<Thing>(all.back());
      all.pop_back();
    }
    const double each = (now() - begin) / EACH;
    if (round == 0 || each < least) least = each;
  }
  return least;
}

}  // namespace

TEST_CASE("a handle is freed without a look at all the others") {
  const double among_few = time_of_free(100), among_many = time_of_free(100'000);
  INFO(among_few, " and ", among_many, " ns");
  CHECK(among_many < 50 * among_few);
}
