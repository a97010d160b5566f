#include <doctest/doctest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/pool.h"
#include "support/contexts.h"

using zka::Pool;
using zka::test::up_to;

TEST_CASE("a loop does each part once, with any number of threads") {
  for (const unsigned threads : {1u, 2u, 7u}) {
    Pool pool(threads);
    CHECK(pool.threads() == threads);
    for (const size_t parts : {0, 1, 2, 3, 100}) {
      std::vector<std::atomic<int>> times(parts);
      pool.parallel(parts, [&](size_t part) { ++times[part]; });
      for (const auto& each : times) CHECK(each == 1);
    }
  }
}

TEST_CASE("one loop follows another at once, and each is complete when it returns") {
  Pool pool(4);
  size_t sum = 0;
  const size_t loops = up_to(5000, 500);
  for (size_t loop = 0; loop < loops; ++loop) {
    std::atomic<size_t> here{0};
    pool.parallel(3, [&](size_t part) { here += part + 1; });
    sum += here;
  }
  CHECK(sum == 6 * loops);
}

TEST_CASE("pieces cover a range without gap or overlap") {
  Pool pool(3);
  for (const size_t n : {0, 1, 2, 99, 100, 101, 12345}) {
    std::vector<std::atomic<int>> times(n);
    pool.over(n, 10, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) ++times[i];
    });
    for (const auto& each : times) CHECK(each == 1);
  }
}

TEST_CASE("what a part throws is thrown to the caller, and the pool works on") {
  for (const unsigned threads : {1u, 4u}) {
    Pool pool(threads);
    for (int round = 0; round < 50; ++round) {
      CHECK_THROWS_WITH_AS(pool.parallel(64,
                                         [](size_t part) {
                                           if (part % 8 == 3) throw std::runtime_error("part");
                                         }),
                           "part", std::runtime_error);
      std::atomic<int> done{0};
      pool.parallel(8, [&](size_t) { ++done; });
      CHECK(done == 8);
    }
  }
}

TEST_CASE("loops of several threads take turns") {
  Pool pool(2);
  std::atomic<int> inside{0}, most{0}, done{0};
  const auto loops = [&] {
    for (int loop = 0; loop < 100; ++loop) {
      pool.parallel(2, [&](size_t) {
        const int now = ++inside;
        int seen = most;
        while (now > seen && !most.compare_exchange_weak(seen, now)) {
        }
        --inside;
        ++done;
      });
    }
  };
  std::thread one(loops), two(loops), three(loops);
  one.join();
  two.join();
  three.join();
  CHECK(done == 600);
  CHECK(most <= 2);
}
