#include <algorithm>

#include "cpu/features.h"
#include "cpu/ntt/transform.h"
#include "ntt/domains.h"

using namespace zka::test;
namespace plain = zka::reference;

namespace {

using zka::cpu::Fr;

Fr inside(const zka_fe& canonical) { return Fr::from_canonical(canonical.l); }

}  // namespace

TEST_CASE("a transform of fewer coefficients reads nothing after them") {
  zka::Memory memory(0);
  zka::Pool pool(2);
  const zka::Cancel never;
  for (const zka::Isa isa : {zka::Isa::portable, zka::Isa::adx, zka::Isa::ifma}) {
    if (!zka::cpu::has(isa)) continue;
    const zka::Job job{memory, pool, never, isa};
    for (const unsigned log_n : {3u, 6u, 7u, 10u, 13u}) {
      const size_t n = size_t{1} << log_n;
      const zka::cpu::Transform transform(memory, isa, log_n, inside(plain::root(log_n)), inside(fe(7)));
      const auto coefficients = Random(log_n).elements(FR, n);
      for (const size_t length : {size_t{0}, size_t{1}, n / 2 + 3, n - 1}) {
        INFO("2^", log_n, ", ", length, " coefficients");
        auto padded = coefficients;
        std::fill(padded.begin() + static_cast<std::ptrdiff_t>(length), padded.end(), zka_fe{});
        std::vector<zka_fe> values(n), expected(n);
        for (const bool on_coset : {false, true}) {
          const zka::NttKind kind{ZKA_NTT_FORWARD, ZKA_ORDER_NN, on_coset};
          transform.run(job, coefficients.data(), length, values.data(), kind);
          transform.run(job, padded.data(), n, expected.data(), kind);
          CHECK(values == expected);
        }
      }
    }
  }
}
