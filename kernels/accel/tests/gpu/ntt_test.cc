#include "gpu/ntt/operations.h"

#include <span>

#include "gpu/emulated.h"
#include "ntt/domains.h"

using namespace zka::test;
using zka::gpu::DeviceArray;
namespace plain = zka::reference;

namespace {

constexpr zka_order ORDERS[] = {ZKA_ORDER_NN, ZKA_ORDER_NR, ZKA_ORDER_RN};

// The polynomial's values on the domain, or on the coset of 7.
std::vector<zka_fe> values_of(std::vector<zka_fe> coefficients, uint32_t k, bool on_coset) {
  zka_fe power = fe(1);
  for (zka_fe& coefficient : coefficients) {
    if (!on_coset) break;
    coefficient = plain::mul(FR, coefficient, power);
    power = plain::mul(FR, power, fe(7));
  }
  return plain::radix2(coefficients, plain::root(k));
}

struct Transformer : Emulated {
  static constexpr unsigned LOG_ROWS = 3;

  std::unique_ptr<zka::NttOperations> operations = zka::gpu::ntt_operations(device, LOG_ROWS);

  // So many columns of `x`, each transformed.
  std::vector<std::vector<zka_fe>> of(size_t count, const std::vector<zka_fe>& x, const zka::Prepared& domain, uint32_t k,
                                      zka::NttKind kind) {
    std::vector<DeviceArray<zka_fe>> arrays;
    std::vector<zka_fe*> columns;
    for (size_t i = 0; i < count; ++i) {
      arrays.push_back(zka::gpu::uploaded(queue, std::span<const zka_fe>(x)));
      columns.push_back(arrays.back().data());
    }
    operations->ntt(queue, domain, columns, k, kind.direction, kind.order, kind.on_coset);
    std::vector<std::vector<zka_fe>> results;
    for (const auto& array : arrays) results.push_back(read(array));
    return results;
  }
};

}  // namespace

// In passes of 2^10 rows it would take 2^21 elements to have three.
TEST_CASE("a transform in three passes is that of a plain radix 2, in every order and both directions, for many columns") {
  Transformer transformer;
  for (const uint32_t k : {7u, 8u, 9u}) {
    const auto domain = transformer.operations->domain(k, k, inside(plain::root(k)), inside(fe(7)));
    const auto x = Random(k).elements(FR, size_t{1} << k);
    const size_t columns = k == 7 ? 18 : 2;  // more than one grid has
    const auto coefficients = inside(x);
    for (const bool on_coset : {false, true}) {
      const auto values = inside(values_of(x, k, on_coset));
      for (const zka_order order : ORDERS) {
        INFO("k ", k, ", coset ", on_coset, ", order ", order);
        const auto check = [&](const auto& from, const auto& to, zka_ntt_direction direction) {
          const auto given = order == ZKA_ORDER_RN ? plain::bit_reversed(from) : from;
          const auto expected = order == ZKA_ORDER_NR ? plain::bit_reversed(to) : to;
          for (const auto& result : transformer.of(columns, given, *domain, k, {direction, order, on_coset})) {
            CHECK(result == expected);
          }
        };
        check(coefficients, values, ZKA_NTT_FORWARD);
        check(values, coefficients, ZKA_NTT_INVERSE);
      }
    }
  }
}
