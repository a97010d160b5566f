#include <bit>

#include "cpu/msm/split.h"
#include "msm/points.h"
#include "reference/plain_field.h"

using namespace zka::test;
namespace plain = zka::reference;

namespace {

using Half = uint64_t[2];

// A half with its sign, as an element.
zka_fe element_of(zka_field field, const Half& half) {
  const zka_fe size = {{half[0], half[1] & ~zka::portable::SIGN, 0, 0}};
  return half[1] >> 63 ? plain::sub(field, fe(0), size) : size;
}

template <class C>
void check_halves(zka_field field, const zka_fe& k) {
  const zka_fe lambda = std::bit_cast<zka_fe>(C::Params::lambda);
  Half first, second;
  zka::portable::split_by_endomorphism<typename C::Params>(k.l, first, second);
  INFO("scalar ", k.l[3], " ", k.l[2], " ", k.l[1], " ", k.l[0]);
  CHECK(plain::add(field, element_of(field, first), plain::mul(field, element_of(field, second), lambda)) == k);
  CHECK(zka::portable::length_of(first, 2) <= zka::GLV_BITS);
  CHECK(zka::portable::length_of(second, 2) <= zka::GLV_BITS);
}

template <class C>
void check_curve(zka_field field) {
  const auto negative = [&](const zka_fe& k) { return plain::sub(field, fe(0), k); };
  std::vector<zka_fe> scalars = Random(12).elements(field, 1000);
  const zka_fe lambda = std::bit_cast<zka_fe>(C::Params::lambda);
  // The least whose second quotient is rounded up to 2^64: a carry through all of its lower limb.
  const zka_fe carries = {{0x13af95b5ba8fdfc5, 0xd43e202f9ac4f80d, 0x6f4d8248eeb859fc, 0}};
  // Halves whose lower limb is zero: 2^64, and that of the second half.
  const zka_fe limb = {{0, 1, 0, 0}};
  scalars.insert(scalars.end(), {fe(0), fe(1), carries, plain::sub(field, carries, fe(1)), limb, lambda,
                                 plain::mul(field, lambda, limb)});
  for (size_t i = 0, n = scalars.size(); i < n; ++i) scalars.push_back(negative(scalars[i]));
  for (const zka_fe& scalar : scalars) check_halves<C>(field, scalar);
}

}  // namespace

TEST_CASE("a scalar is its first half and lambda times its second, each of 127 bits and a sign") {
  check_curve<zka::portable::Bn254>(ZKA_FIELD_BN254_FR);
  check_curve<zka::portable::Grumpkin>(ZKA_FIELD_BN254_FQ);
}
