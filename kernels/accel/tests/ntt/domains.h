// Domains in one line.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "reference/ntt.h"
#include "reference/plain_field.h"
#include "support/buffers.h"

namespace zka::test {

// A domain, freed with it.
class TestDomain {
 public:
  TestDomain(zka_ctx* ctx, uint32_t k, uint32_t extended_k) {
    REQUIRE(zka_domain_create(ctx, k, extended_k, nullptr, nullptr, &domain_) == ZKA_OK);
  }
  ~TestDomain() { zka_domain_free(domain_); }
  TestDomain(const TestDomain&) = delete;
  TestDomain& operator=(const TestDomain&) = delete;
  operator zka_domain*() const noexcept { return domain_; }

  std::vector<zka_fe> ntt(zka_ctx* ctx, const std::vector<zka_fe>& x, zka_ntt_direction direction, zka_order order,
                          bool on_coset) const {
    const TestBuffer buffer(ctx, FR, x);
    zka_buf* const column[] = {buffer};
    REQUIRE(zka_ntt(domain_, column, 1, direction, order, on_coset, nullptr) == ZKA_OK);
    // Which the canonical form alone would not show.
    const auto stored = buffer.read(ZKA_FORM_MONTGOMERY);
    CHECK(std::all_of(stored.begin(), stored.end(), [](const zka_fe& one) { return is_below_modulus(FR, one); }));
    return buffer.read();
  }

 private:
  zka_domain* domain_ = nullptr;
};

inline zka_fe montgomery(zka_ctx* ctx, const zka_fe& canonical) {
  return TestBuffer(ctx, FR, {canonical}).read(ZKA_FORM_MONTGOMERY)[0];
}

}  // namespace zka::test
