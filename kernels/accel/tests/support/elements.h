// Field elements to test with, the same in every run.
#pragma once
#include <cstdint>
#include <vector>

#include "core/elements.h"
#include "zkaccel.h"

inline bool operator==(const zka_fe& a, const zka_fe& b) {
  return a.l[0] == b.l[0] && a.l[1] == b.l[1] && a.l[2] == b.l[2] && a.l[3] == b.l[3];
}

namespace zka::test {

constexpr zka_field FR = ZKA_FIELD_BN254_FR;
constexpr zka_field FIELDS[] = {FR, ZKA_FIELD_BN254_FQ};

inline zka_fe fe(uint64_t value) { return {{value, 0, 0, 0}}; }

// The modulus, less `less`.
inline zka_fe below(zka_field field, uint64_t less) {
  const auto& p = modulus_of(field);
  return {{p[0] - less, p[1], p[2], p[3]}};
}

// [Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014: SplitMix64]
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t word() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // Any bits that are below the modulus: in either form.
  zka_fe element(zka_field field) {
    for (;;) {
      const zka_fe value{{word(), word(), word(), word() >> 2}};
      if (is_below_modulus(field, value)) return value;
    }
  }
  std::vector<zka_fe> elements(zka_field field, size_t n) {
    std::vector<zka_fe> all(n);
    for (zka_fe& each : all) each = element(field);
    return all;
  }

 private:
  uint64_t state_;
};

}  // namespace zka::test
