#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "reference/ntt.h"
#include "reference/plain_field.h"
#include "support/buffers.h"

using namespace zka::test;
namespace plain = zka::reference;

namespace {

// At the edges of what the CPU does at once, and a device.
std::vector<size_t> sizes() {
  std::vector<size_t> all = {0,   1,   2,   3,    15,   16,   17,    31,    32,    33,
                             255, 256, 257, 2047, 2048, 2049, 16383, 16384, 16385, 40000};
  const size_t most = up_to(40000, on_plugin() ? 5000 : 16385);
  std::erase_if(all, [most](size_t n) { return n > most; });
  return all;
}

std::vector<zka_fe> inverted(zka_ctx* ctx, zka_field field, const std::vector<zka_fe>& x) {
  const TestBuffer buffer(ctx, field, x);
  REQUIRE(zka_batch_inverse(buffer, 0, x.size(), nullptr) == ZKA_OK);
  return buffer.read();
}

// x[i] * y[i], by the library: its product is tested elsewhere.
std::vector<zka_fe> product(zka_ctx* ctx, zka_field field, const std::vector<zka_fe>& x, const std::vector<zka_fe>& y) {
  const TestBuffer a(ctx, field, x), b(ctx, field, y), out(ctx, field, x.size());
  REQUIRE(zka_vector_op_apply(ZKA_OP_MUL, a, b, out, x.size(), nullptr) == ZKA_OK);
  return out.read();
}

zka_fe montgomery(zka_ctx* ctx, zka_field field, const zka_fe& canonical) {
  return TestBuffer(ctx, field, {canonical}).read(ZKA_FORM_MONTGOMERY)[0];
}

}  // namespace

TEST_CASE("each element times its inverse is one, and zero stays zero, wherever it is") {
  for (const zka_field field : FIELDS) {
    for (const size_t n : sizes()) {
      const auto all = Random(n).elements(field, n);
      for (const std::set<size_t>& zeros : {std::set<size_t>{}, {0}, {n - 1}, {0, n / 2, n / 2 + 1, n - 1}}) {
        if (n == 0 && !zeros.empty()) continue;
        auto x = all;
        std::vector<zka_fe> expected(n, fe(1));
        for (const size_t at : zeros) {
          if (at < n) x[at] = expected[at] = zka_fe{};
        }
        in_each_context([&](const TestContext& context) {
          CHECK(product(context, field, inverted(context, field, x), x) == expected);
        });
      }
      in_each_context([&](const TestContext& context) {
        CHECK(inverted(context, field, std::vector<zka_fe>(n)) == std::vector<zka_fe>(n));
      });
    }
  }
}

TEST_CASE("inverses at the edges of the field are the plain ones, and only the given range is inverted") {
  for (const zka_field field : FIELDS) {
    const std::vector<zka_fe> x = {fe(1), fe(2), below(field, 1), below(field, 2), fe(3), fe(0), fe(7)};
    in_each_context([&](const TestContext& context) {
      const TestBuffer buffer(context, field, x);
      REQUIRE(zka_batch_inverse(buffer, 1, 5, nullptr) == ZKA_OK);
      const auto after = buffer.read();
      CHECK(after[0] == x[0]);
      CHECK(after[6] == x[6]);
      for (size_t i = 1; i < 6; ++i) CHECK(after[i] == plain::inverse(field, x[i]));
      CHECK(zka_batch_inverse(buffer, 3, 5, nullptr) == ZKA_E_SIZE);
      CHECK(zka_batch_inverse(buffer, 8, 0, nullptr) == ZKA_E_SIZE);
    });
  }
}

TEST_CASE("a running product steps from each element to the next by num over den, and is zero after a zero in den") {
  for (const zka_field field : FIELDS) {
    for (const size_t n : sizes()) {
      Random random(n + 7);
      const auto num = random.elements(field, n), den = random.elements(field, n);
      const zka_fe start = random.element(field);
      std::vector<zka_fe> first;
      in_each_context([&](const TestContext& context) {
        const TestBuffer above(context, field, num), below_it(context, field, den), z(context, field, n + 1);
        const zka_fe inside = montgomery(context, field, start);
        REQUIRE(zka_grand_product(above, below_it, &inside, n, z, nullptr) == ZKA_OK);
        const auto running = z.read();
        CHECK(running[0] == start);
        const std::vector<zka_fe> before(running.begin(), running.end() - 1), after(running.begin() + 1, running.end());
        CHECK(product(context, field, after, den) == product(context, field, before, num));
        if (first.empty()) first = running;
        CHECK(running == first);
      });
      if (n < 3) continue;
      auto with_zero = den;
      with_zero[n / 2] = zka_fe{};
      in_each_context([&](const TestContext& context) {
        const TestBuffer above(context, field, num), below_it(context, field, with_zero), z(context, field, n + 1);
        const zka_fe inside = montgomery(context, field, start);
        REQUIRE(zka_grand_product(above, below_it, &inside, n, z, nullptr) == ZKA_OK);
        auto expected = first;
        for (size_t i = n / 2 + 1; i <= n; ++i) expected[i] = zka_fe{};
        CHECK(z.read() == expected);
      });
    }
  }
}

TEST_CASE("inverses and running products take exactly the memory that they were said to take") {
  in_each_context([](const TestContext& context) {
    uint64_t host = 0, device = 0, peak = 0;
    for (const size_t n : sizes()) {
      const TestBuffer v(context, ZKA_FIELD_BN254_FR, n), w(context, ZKA_FIELD_BN254_FR, n);
      const TestBuffer z(context, ZKA_FIELD_BN254_FR, n + 1);
      const uint64_t base = held(context).bytes;
      peak = std::max(peak, held(context).bytes_peak);
      REQUIRE(zka_batch_inverse_mem(context, n, &host, &device) == ZKA_OK);
      REQUIRE(zka_batch_inverse(v, 0, n, nullptr) == ZKA_OK);
      peak = std::max(peak, base + (on_plugin() ? device : host));
      CHECK(held(context).bytes_peak == peak);
      const zka_fe start = fe(1);
      REQUIRE(zka_grand_product_mem(context, n, &host, &device) == ZKA_OK);
      REQUIRE(zka_grand_product(v, w, &start, n, z, nullptr) == ZKA_OK);
      peak = std::max(peak, base + (on_plugin() ? device : host));
      CHECK(held(context).bytes_peak == peak);
      CHECK(held(context).bytes == base);
    }
    CHECK(zka_grand_product_mem(context, SIZE_MAX, &host, &device) == ZKA_E_SIZE);
  });
}

TEST_CASE("a running product goes to neither of its inputs, and to one element more than they have") {
  const TestContext context;
  const zka_field field = ZKA_FIELD_BN254_FR;
  const TestBuffer v(context, field, 101), w(context, field, 101), z(context, field, 101);
  const zka_fe start = fe(1);
  CHECK(zka_grand_product(v, w, &start, 100, z, nullptr) == ZKA_OK);
  CHECK(zka_grand_product(v, w, &start, 100, v, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_grand_product(v, w, &start, 100, w, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_grand_product(v, w, &start, 101, z, nullptr) == ZKA_E_SIZE);
  const TestBuffer short_by_one(context, field, 8);
  CHECK(zka_grand_product(v, w, &start, 8, short_by_one, nullptr) == ZKA_E_SIZE);
  CHECK(context.last_error() == "z has 8 elements and needs n + 1 = 9");
}
