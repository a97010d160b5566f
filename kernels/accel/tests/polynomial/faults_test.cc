#include <functional>

#include "reference/polynomial.h"
#include "support/allocations.h"
#include "support/buffers.h"
#include "support/streams.h"

using namespace zka;
using namespace zka::test;

namespace {

constexpr zka_field FR = ZKA_FIELD_BN254_FR;

// Polynomials of so many coefficients, and each call that works on them.
struct Opening {
  Opening(zka_ctx* ctx, size_t n)
      : random(21), a(ctx, FR, random.elements(FR, n)), b(ctx, FR, random.elements(FR, n)), sum(ctx, FR, n) {}

  std::vector<std::function<zka_status(zka_stream*)>> calls() {
    return {
        [this](zka_stream* stream) {
          const zka_fe* const low[] = {points.data(), points.data()};
          const size_t low_len[] = {1, 2};
          return zka_poly_fold(polys, 2, points.data(), low, low_len, sum, stream);
        },
        [this](zka_stream* stream) {
          return zka_poly_div_roots(sum, zka_buf_len(sum), points.data(), 2, 0, results.data(), stream);
        },
        [this](zka_stream* stream) { return zka_poly_eval(polys, 2, points.data(), 2, results.data(), stream); },
    };
  }

  Random random;
  const TestBuffer a, b, sum;
  zka_buf* const polys[2] = {a, b};
  const std::vector<zka_fe> points = random.elements(FR, 2);
  std::vector<zka_fe> results = std::vector<zka_fe>(4);
};

}  // namespace

TEST_CASE("an opening's call that finds no memory, at any allocation, leaves nothing behind") {
  zka_config config = tested_config();
  config.threads = 2;
  const TestContext context(config);
  Opening opening(context, on_plugin() ? 1100 : 20000);
  for (const auto& call : opening.calls()) each_allocation_fails_once(context, [&] { return call(nullptr); });
}

TEST_CASE("a division that may take one byte less than it needs is refused, and with that byte it works") {
  constexpr size_t N = 20000;
  zka_config config = tested_config();
  config.threads = 2;
  uint64_t host = 0, device = 0, before = 0;
  {
    const TestContext context(config);
    const TestBuffer poly(context, FR, N);
    REQUIRE(zka_poly_div_roots_mem(context, N, &host, &device) == ZKA_OK);
    before = held(context).bytes_peak;
  }
  const uint64_t needed = on_plugin() ? device : host;
  REQUIRE(needed > 0);
  for (const bool enough : {false, true}) {
    (on_plugin() ? config.device_bytes_max : config.host_bytes_max) = before + needed - (enough ? 0 : 1);
    const TestContext context(config);
    const TestBuffer poly(context, FR, N);
    const zka_fe root = fe(5);
    const auto divide = [&] { return zka_poly_div_roots(poly, N, &root, 1, 0, nullptr, nullptr); };
    CHECK(divide() == (enough ? ZKA_OK : out_of_memory()));
    CHECK(held(context).bytes == before);
  }
}

TEST_CASE("an opening's call on a cancelled stream does nothing, and after the sync it does its work") {
  const TestContext context;
  Opening opening(context, 1100);
  const TestStream stream(context);
  for (const auto& call : opening.calls()) {
    const auto before = opening.sum.read();
    REQUIRE(zka_stream_cancel(stream) == ZKA_OK);
    CHECK(call(stream) == ZKA_E_CANCELLED);
    CHECK(zka_stream_sync(stream) == ZKA_E_CANCELLED);
    CHECK(opening.sum.read() == before);
    CHECK(opening.results == std::vector<zka_fe>(4));
    CHECK(call(stream) == ZKA_OK);
    CHECK(zka_stream_sync(stream) == ZKA_OK);
    CHECK((opening.sum.read() != before || opening.results != std::vector<zka_fe>(4)));
    opening.results.assign(4, fe(0));
  }
}
